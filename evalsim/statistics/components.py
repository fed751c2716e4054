"""Where scores vary: from case to case, and in one case by patient, doctor or judge.

Components of variance by the analysis of variance. For rows that are not balanced the equations are
Henderson's method 1 (Henderson 1953, "Estimation of variance and covariance components", Biometrics 9;
Searle, Casella and McCulloch 1992, "Variance Components", chapter 5): the uncorrected sums of squares
of every grouping are set to what they are on average, and these equations are solved. Balanced rows
give the usual estimators. All effects are taken to be random, nested or crossed.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from evalsim.statistics.bootstrap import FloatArray, Numbers

_ROLES: Final = ("case", "patient", "doctor", "judge")
_UNRESOLVED: Final = 1e-10
"""Least singular value, by the greatest, at which the equations tell the components apart."""


@dataclass(frozen=True)
class Component:
    """What one source of variation adds."""

    name: str
    groups: int
    """That were seen."""
    variance: float
    """Squared score; 0 where the estimate is negative."""
    raw: float
    """The estimate itself, which chance makes negative where the component is small."""
    share: float
    """Of the sum of all variances; nan where nothing varies."""


class _Level(NamedTuple):
    """A level of the nested design: roles that the repeats do not tell apart."""

    roles: list[str]
    factors: tuple[str, ...]
    """That tell its groups apart."""
    groups: int


def variance_components(
    scores: Numbers,
    factors: Mapping[str, Sequence[str]],
    terms: Mapping[str, Sequence[str]],
    *,
    rest: str = "rest",
) -> tuple[Component, ...]:
    """Split the variance of scores by terms, all random.

    Args:
        scores: shape (n,), finite.
        factors: by name, the level of each row, of length n.
        terms: by name of the component, the factors whose levels together make its groups: one for a
            main effect, the outer and the inner for a nested one, both for an interaction.
        rest: name of what differs from row to row within all groups.

    Returns:
        One for each term in its order, then the rest.

    Raises:
        ValueError: rows and levels differ in number, a score is not finite, a factor is not known,
            or there are too few repeats to tell the components apart.
    """
    table = np.asarray(scores, dtype=float)
    if len(table) < 2 or not np.isfinite(table).all():  # noqa: PLR2004
        raise ValueError("at least 2 finite scores are needed")
    for name, levels in factors.items():
        if len(levels) != len(table):
            raise ValueError(f"{len(table)} scores and {len(levels)} levels of {name}")
    groupings = {name: _grouping(factors, factor_names) for name, factor_names in terms.items()}
    groupings_with_ends = [
        np.zeros(len(table), dtype=np.intp),
        *groupings.values(),
        np.arange(len(table)),
    ]
    centred = table - table.mean()
    squares = np.array([_squares(centred, grouping) for grouping in groupings_with_ends])
    expected = np.array(
        [
            [1.0, *(_expected(grouping, effect) for effect in groupings_with_ends[1:])]
            for grouping in groupings_with_ends
        ]
    )
    scaled = expected / expected.max(axis=0)
    singular = np.linalg.svd(scaled, compute_uv=False)
    if singular[-1] < _UNRESOLVED * singular[0]:
        names = ", ".join([*terms, rest])
        raise ValueError(f"too few repeats to tell apart {names}; leave one out, or repeat more")
    estimates = np.linalg.solve(expected, squares)[1:]
    variances = np.maximum(estimates, 0.0)
    total = float(variances.sum())
    return tuple(
        Component(
            name,
            int(grouping.max()) + 1,
            float(variance),
            float(estimate),
            float(variance) / total if total > 0 else math.nan,
        )
        for name, grouping, variance, estimate in zip(
            [*terms, rest], groupings_with_ends[1:], variances, estimates, strict=True
        )
    )


def split_by_role(
    scores: Sequence[float],
    *,
    case: Sequence[str],
    patient: Sequence[str],
    doctor: Sequence[str],
    judge: Sequence[str],
) -> tuple[Component, ...]:
    """Split the variance of one doctor's scores by whose sampling it comes from.

    The design is nested: a case, patients that are drawn for it (by their seed), for each of them the
    replies of the doctor (by its), for each dialogue the verdicts of the judge. What the repeats do not
    tell apart is told as one component by its names together: where patient and doctor are always drawn
    anew together, "patient and doctor". One row is of one verdict.

    Args:
        scores: shape (n,), of one doctor on one metric.
        case: of each row.
        patient: the patient's sample within the case.
        doctor: the doctor's sample within the patient's.
        judge: the judge's sample within the dialogue.

    Returns:
        From the outermost to the innermost.

    Raises:
        ValueError: as ``variance_components`` says; or no case is repeated.
    """
    columns = dict(zip(_ROLES, (case, patient, doctor, judge), strict=True))
    for role, samples in columns.items():
        if len(samples) != len(scores):
            raise ValueError(f"{len(scores)} scores and {len(samples)} of {role}: one is of each")
    levels: list[_Level] = []
    for number, role in enumerate(_ROLES):
        factors = _ROLES[: number + 1]
        groups = int(_grouping(columns, factors).max(initial=-1)) + 1
        if role == "judge":
            groups = len(scores)
        if levels and levels[-1].groups == groups:
            levels[-1].roles.append(role)
        elif groups > 1:
            levels.append(_Level([role], factors, groups))
    if len(levels) < 2 and "case" in (levels[0].roles if levels else _ROLES):  # noqa: PLR2004
        raise ValueError("no case has two scores; run with repeats, or judge the dialogues again")
    *outer, innermost = levels
    return variance_components(
        scores,
        columns,
        {" and ".join(level.roles): level.factors for level in outer},
        rest=" and ".join(innermost.roles),
    )


def _grouping(factors: Mapping[str, Sequence[str]], names: Sequence[str]) -> npt.NDArray[np.intp]:
    """The number of the group of each row, from 0."""
    if unknown := sorted({*names} - {*factors}):
        raise ValueError(f"{unknown[0]}: no such factor; there are {', '.join(factors)}")
    numbers: dict[tuple[str, ...], int] = {}
    rows = zip(*(factors[name] for name in names), strict=True)
    return np.array([numbers.setdefault(row, len(numbers)) for row in rows], dtype=np.intp)


def _squares(scores: FloatArray, grouping: npt.NDArray[np.intp]) -> float:
    """Sum over groups of the squared sum by the size."""
    sums = np.bincount(grouping, weights=scores)
    return float((sums**2 / np.bincount(grouping)).sum())


def _expected(grouping: npt.NDArray[np.intp], effect: npt.NDArray[np.intp]) -> float:
    """How often the variance of an effect stands in a sum of squares, on average."""
    sizes = np.bincount(grouping)
    cells, counts = np.unique(np.column_stack([grouping, effect]), axis=0, return_counts=True)
    return float((counts**2 / sizes[cells[:, 0]]).sum())
