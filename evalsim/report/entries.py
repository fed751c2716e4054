"""What a report counts: dialogues with their runs, each run by a name of its own."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from evalsim.metrics import Played, Setting
from evalsim.running.calls import Spent
from evalsim.running.logs import Held, Run


@dataclass(frozen=True)
class Entry:
    """One dialogue that was held."""

    run: Run
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


def entry(held: Held) -> Entry:
    """What is counted of a dialogue; its run is called by its doctor's name yet."""
    case = held.case
    return Entry(
        run=held.run,
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


def labelled(entries: Sequence[Entry]) -> list[Entry]:
    """The same, each run by its doctor's name, with a number where a setting has it twice."""
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
    same: dict[tuple[Setting, str], dict[str, Run]] = {}
    for each in entries:
        same.setdefault((each.setting, each.run.doctor), {})[each.run.id] = each.run
    labels: dict[str, str] = {}
    for (_, doctor), runs in same.items():
        ordered = sorted(runs.values(), key=lambda run: (run.started, run.id))
        for at, run in enumerate(ordered, 1):
            labels.setdefault(run.id, f"{doctor} #{at}" if len(ordered) > 1 else doctor)
    return labels
