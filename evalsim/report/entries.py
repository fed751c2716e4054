"""What a report counts: dialogues with their runs, each run by a name of its own."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from evalsim.metrics import Played, Setting
from evalsim.running.calls import Spent
from evalsim.running.logs import Held, Run

_SIGNS: Final = 8
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


def entry(held: Held, number: int) -> Entry:
    """What is counted of a dialogue; its label is the doctor's name, until ``labelled`` numbers the runs."""
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
    return "+".join(each[:_SIGNS] for each in (checksum or "").split("+"))


def labelled(entries: Sequence[Entry]) -> list[Entry]:
    """The same, each run by its doctor's name, with its number where a setting has that doctor twice."""
    labels = _labels(entries)
    return [
        replace(each, played=replace(each.played, doctor=labels[each.run.id])) for each in entries
    ]


def runs_of(entries: Iterable[Entry]) -> dict[str, Entry]:
    """The first dialogue of each run, by the run's id, in their order."""
    found: dict[str, Entry] = {}
    for each in entries:
        found.setdefault(each.run.id, each)
    return found


def _labels(entries: Sequence[Entry]) -> dict[str, str]:
    same: dict[tuple[Setting, str], dict[str, int]] = {}
    for each in entries:
        same.setdefault((each.setting, each.run.doctor), {})[each.run.id] = each.number
    labels: dict[str, str] = {}
    for (_, doctor), numbers in same.items():
        for id_, number in numbers.items():
            labels.setdefault(id_, f"{doctor} #{number}" if len(numbers) > 1 else doctor)
    return labels
