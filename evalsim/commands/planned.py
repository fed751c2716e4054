"""What ``medkg eval medkgeval --plan`` says: which difference between two doctors so many cases show."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cypher.translation import translate
from evalsim.commands.requirements import need_inspect
from kg.commands import say, show, show_json
from kg.errors import EvaluationError

if TYPE_CHECKING:
    from evalsim.statistics import Planned

_POWER: Final = 0.8


@dataclass(frozen=True)
class Varying:
    """How the difference of two doctors varied from dialogue to dialogue."""

    doctors: str
    setting: str
    metric: str
    sd: float
    """Standard deviation of the difference in one dialogue; scores are from 0 to 1."""
    icc: float
    """Correlation of two differences of one disease or drug."""


@dataclass(frozen=True)
class Sizes:
    """Of each disease or drug, how many cases it has."""

    counts: tuple[int, ...]

    @property
    def cases(self) -> int:
        """Of all."""
        return sum(self.counts)

    def plan(self, sd: float, icc: float, repeats: int, comparisons: int) -> "Planned":
        """What a run of them can show."""
        from evalsim.statistics import plan

        return plan(
            self.cases,
            sd=sd,
            icc=icc,
            repeats=repeats,
            clusters=len(self.counts),
            cluster_size=sum(count**2 for count in self.counts) / self.cases,
            power=_POWER,
            comparisons=comparisons,
        )


def read_sizes(file: Path, task: str, limit: int | None) -> Sizes:
    """Count the cases of each disease or drug in a file.

    Raises:
        EvaluationError: they are of fewer than two.
    """
    from evalsim.case import read_cases

    cases = [case for case in read_cases(file) if case.task == task][:limit]
    counts = Counter(case.target.id for case in cases).values()
    if len(counts) < 2:  # noqa: PLR2004 - a test needs two
        message = "{file}: has {count} cases of the task {task}; a plan needs two at least"
        raise EvaluationError(translate(message, file=file, count=len(cases), task=task))
    return Sizes(tuple(counts))


def read_pilots(logs: Sequence[Path], task: str, icc: float) -> list[Varying]:
    """What runs tell, of every two doctors and metric.

    Args:
        logs: logs or folders with logs.
        task: of the dialogues.
        icc: where they cannot tell it, as each disease or drug has one dialogue.

    Raises:
        EvaluationError: no two doctors have two dialogues of the task in common.
        KgError: a log cannot be read.
    """
    need_inspect()
    from evalsim.metrics import pilots
    from evalsim.report.results import setting_name
    from evalsim.report.tables import value_name
    from evalsim.running.logs import find_logs, read_dialogues

    pilots_found = pilots([held.played for held in read_dialogues(find_logs(logs))])
    pilots_of_task = [each for each in pilots_found if each.setting.task == task]
    if not pilots_of_task:
        message = "{logs}: no two doctors have two dialogues of the task {task} in common; a pilot needs them"
        names = translate(", ").join(str(log) for log in logs)
        raise EvaluationError(translate(message, logs=names, task=task))
    return [
        Varying(
            f"{each.one} − {each.other}",
            setting_name(each.setting),
            value_name(each.metric),
            each.pilot.sd,
            icc if math.isnan(each.pilot.raw_icc) else each.pilot.icc,
        )
        for each in pilots_of_task
    ]


def show_plan(
    sizes: Sizes, sd: float, icc: float, *, repeats: int, comparisons: int, as_json: bool
) -> None:
    """Print what a run shows if the difference varies as it is assumed to."""
    planned = sizes.plan(sd, icc, repeats, comparisons)
    if as_json:
        show_json({**asdict(planned), "detectable": _least(planned)})
        return
    message = "{dialogues} dialogues a doctor of {cases} cases, {repeats} each, tell as much as {effective} independent ones (standard deviation {sd}, correlation within a disease or drug {icc}, comparisons: {comparisons})."
    say(
        translate(
            message,
            dialogues=sizes.cases * repeats,
            cases=sizes.cases,
            repeats=repeats,
            effective=f"{planned.effective:.0f}",
            sd=sd,
            icc=icc,
            comparisons=comparisons,
        )
    )
    power = f"{_POWER:.0%}"
    detectable = _least(planned)
    if detectable is None:
        message = "No difference between two doctors could be shown with a power of {power}: it would have to be above 1, and scores are from 0 to 1; take more cases."
        say(translate(message, power=power))
        return
    message = "A true difference of {detectable} between two doctors would be found with a power of {power}."
    say(translate(message, detectable=f"{detectable:.3f}", power=power))


def show_plans(
    sizes: Sizes, pilots: Sequence[Varying], *, repeats: int, comparisons: int, as_json: bool
) -> None:
    """Print what a run shows if differences vary as in a pilot, a row for each pair and metric."""
    from kg.stores.store import Rows

    planned = [
        sizes.plan(each.sd, each.icc, repeats, comparisons) if each.sd else None for each in pilots
    ]
    rows = [
        {
            **asdict(each),
            "effective": own_plan.effective if own_plan else None,
            "detectable": _least(own_plan) if own_plan else None,
        }
        for each, own_plan in zip(pilots, planned, strict=True)
    ]
    if as_json:
        show_json(rows)
        return
    digits = {"sd": 3, "icc": 2, "effective": 0, "detectable": 3}
    cells = [tuple(_cell(value, digits.get(name)) for name, value in row.items()) for row in rows]
    show(Rows(tuple(rows[0]), tuple(cells)))
    message = "{dialogues} dialogues a doctor of {cases} cases, {repeats} each: how many independent ones they tell as much as, and the least true difference that would be found with a power of {power} (comparisons: {comparisons}). Nothing is said where the pilot's differences were all alike, or where only a difference above 1 would be found."
    say(
        translate(
            message,
            dialogues=sizes.cases * repeats,
            cases=sizes.cases,
            repeats=repeats,
            power=f"{_POWER:.0%}",
            comparisons=comparisons,
        ),
        err=True,
    )


def _cell(value: str | float | None, digits: int | None) -> str:
    return "-" if value is None else f"{value:.{digits}f}" if digits is not None else str(value)


def _least(planned: "Planned") -> float | None:
    """The detectable difference; None: it would be above 1, and scores are from 0 to 1."""
    return planned.detectable if planned.detectable <= 1 else None
