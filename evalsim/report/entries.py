"""What a report counts: dialogues with their runs, each run by a name of its own."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from cypher.translation import translate
from evalsim.metrics import Played, Setting
from evalsim.running.calls import Spent
from evalsim.running.logs import HeldDialogue, Run

_CHARACTERS: Final = 8
"""Of a checksum that is shown."""


@dataclass(frozen=True)
class Entry:
    """One dialogue that was held."""

    run: Run
    number: int
    """Of the run, from 1, as the logs were given."""
    area: str
    kind: str
    difficulty: str
    graph: str
    """Checksum of the graph that the case is of."""
    played: Played
    """Its doctor is what its run is called, so that runs are told apart."""
    spent: Mapping[str, Spent]
    seconds: float
    error: str | None

    @property
    def setting(self) -> Setting:
        """What the dialogues of one table have in common."""
        return Setting.of(self.played)

    @property
    def label(self) -> str:
        """What its run is called."""
        return self.played.doctor


def entry(held: HeldDialogue, number: int) -> Entry:
    """What is counted of a dialogue; its label is the doctor's name, until ``labelled`` tells runs apart."""
    case = held.case
    return Entry(
        run=held.run,
        number=number,
        area=case.area,
        kind=case.kind,
        difficulty=case.difficulty or "",
        graph=case.graph,
        played=held.played,
        spent=held.spent,
        seconds=held.seconds,
        error=held.error,
    )


def is_single_turn(run: Run) -> bool:
    """Whether all findings are told at once."""
    return bool(run.settings.get("single_turn"))


def manner_of(run: Run) -> tuple[str, ...]:
    """In what manners the patients speak."""
    return tuple(sorted(run.settings.get("manner") or ()))


def prompts_of(settings: Mapping[str, Any]) -> str:
    """Whose templates were used: ``medkg``, or the checksum of all with those of one's own."""
    return "medkg" if not settings.get("prompts") else shortened(settings.get("prompts_checksum"))


def shortened(checksum: str | None) -> str:
    """As much of a checksum as tells it from the others of a report; empty where none is known.

    That of a graph with layers is a checksum of each.
    """
    return "+".join(each[:_CHARACTERS] for each in (checksum or "").split("+"))


def labelled(entries: Sequence[Entry]) -> list[Entry]:
    """The same, each run by its doctor's name.

    Where a setting has that doctor twice, it is named with the manner of the patients, or the run's
    number where that tells nothing apart.
    """
    labels = _labels(entries)
    return [
        replace(each, played=replace(each.played, doctor=labels[each.run.id])) for each in entries
    ]


def runs_of(entries: Iterable[Entry]) -> dict[str, Entry]:
    """The first dialogue of each run, by the run's id, in their order."""
    distinct: dict[str, Entry] = {}
    for each in entries:
        distinct.setdefault(each.run.id, each)
    return distinct


def _labels(entries: Sequence[Entry]) -> dict[str, str]:
    runs_of_doctor: dict[tuple[Setting, str], dict[str, Entry]] = {}
    for each in entries:
        runs_of_doctor.setdefault((each.setting, each.run.doctor), {}).setdefault(
            each.run.id, each
        )
    labels: dict[str, str] = {}
    for (_, doctor), runs in runs_of_doctor.items():
        with_manner = {id_: _as_patients_speak(doctor, each.run) for id_, each in runs.items()}
        names = with_manner if len(set(with_manner.values())) > 1 else dict.fromkeys(runs, doctor)
        counts = Counter(names.values())
        for id_, name in names.items():
            labels.setdefault(id_, f"{name} #{runs[id_].number}" if counts[name] > 1 else name)
    return labels


def _as_patients_speak(doctor: str, run: Run) -> str:
    """A doctor's name with the manner of the patients, where it is not plain."""
    manner = translate(", ").join(map(translate, manner_of(run)))
    return f"{doctor} ({manner})" if manner else doctor
