"""Tests of components of variance, beside published examples and statsmodels."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsim.statistics import split_by_role, variance_components

# Snedecor and Cochran (1967), "Statistical Methods", p. 286: calcium in two samples of each of three
# turnip leaves of each of four plants
TURNIPS = [
    *(3.28, 3.09, 3.52, 3.48, 2.88, 2.80, 2.46, 2.44, 1.87, 1.92, 2.19, 2.19),
    *(2.77, 2.66, 3.74, 3.44, 2.55, 2.55, 3.78, 3.87, 4.07, 4.12, 3.31, 3.31),
]
PLANT = [str(i // 6) for i in range(24)]
LEAF = [str(i // 2) for i in range(24)]
# Shrout and Fleiss (1979), "Intraclass correlations", table 2: six targets rated by four judges
RATED = [9, 2, 5, 8, 6, 1, 3, 2, 8, 4, 6, 8, 7, 1, 2, 6, 10, 5, 6, 9, 6, 2, 4, 7]
TARGET = [str(i // 4) for i in range(24)]
JUDGE = [str(i % 4) for i in range(24)]
NESTED = {"plants": ["plant"], "leaves": ["plant", "leaf"]}


def test_nested_turnips_are_snedecor_and_cochrans() -> None:
    found = variance_components(TURNIPS, {"plant": PLANT, "leaf": LEAF}, NESTED, rest="samples")
    assert [(each.name, each.groups, round(each.variance, 4)) for each in found] == [
        ("plants", 4, 0.3652),
        ("leaves", 12, 0.1611),
        ("samples", 24, 0.0067),
    ]
    assert sum(each.share for each in found) == pytest.approx(1)


def test_crossed_judges_are_shrout_and_fleiss() -> None:
    factors = {"target": TARGET, "judge": JUDGE}
    found = variance_components(RATED, factors, {"targets": ["target"], "judges": ["judge"]})
    # of their mean squares 11.24, 32.49 and 1.02 with 6 targets and 4 judges
    assert [each.variance for each in found] == pytest.approx(
        [(11.2417 - 1.0194) / 4, (32.4861 - 1.0194) / 6, 1.0194], abs=1e-4
    )


def test_unbalanced_groups_are_as_the_one_way_formula_says() -> None:
    groups = [[1.0, 2.0, 4.0], [7.0, 8.0], [3.0], [5.0, 9.0, 6.0, 6.0]]
    scores = [score for group in groups for score in group]
    names = [str(i) for i, group in enumerate(groups) for _ in group]
    mean = float(np.mean(scores))
    between = sum(len(g) * (float(np.mean(g)) - mean) ** 2 for g in groups) / 3
    within = sum((s - float(np.mean(g))) ** 2 for g in groups for s in g) / 6
    size = (10 - sum(len(g) ** 2 for g in groups) / 10) / 3
    found = variance_components(scores, {"of": names}, {"between": ["of"]})
    assert [each.raw for each in found] == pytest.approx([(between - within) / size, within])


def test_unbalanced_crossed_components_are_right_on_average() -> None:
    random = np.random.default_rng(4)
    cells = [(i, j) for i in range(30) for j in range(20) for _ in range((i + j) % 3)]
    rows, columns = map(np.array, zip(*cells, strict=True))
    factors = {"row": rows.astype(str).tolist(), "column": columns.astype(str).tolist()}
    terms = {"rows": ["row"], "columns": ["column"], "both": ["row", "column"]}
    found = []
    for _ in range(40):
        both = random.normal(size=(30, 20)) * 0.8
        scores = 2 * random.normal(size=30)[rows] + random.normal(size=20)[columns]
        scores += both[rows, columns] + 0.5 * random.normal(size=len(cells))
        found.append([each.raw for each in variance_components(scores, factors, terms)])
    assert np.mean(found, axis=0) == pytest.approx([4.0, 1.0, 0.64, 0.25], rel=0.15)


def test_negative_estimate_is_0_and_keeps_its_raw_value() -> None:
    between, within = variance_components(
        [0.0, 1.0, 0.0, 1.0], {"case": list("aabb")}, {"cases": ["case"]}
    )
    assert (between.variance, between.raw, between.share) == pytest.approx((0, -0.25, 0))
    assert (within.variance, within.share) == pytest.approx((0.5, 1))


def test_scores_that_do_not_vary_have_no_shares() -> None:
    found = variance_components([0.5] * 4, {"case": list("aabb")}, {"cases": ["case"]})
    assert [(each.variance, math.isnan(each.share)) for each in found] == [(0, True)] * 2


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(0, 3), min_size=12, max_size=12), st.integers(-50, 50))
def test_neither_names_nor_an_added_constant_matter(scores: list[int], added: int) -> None:
    case, patient = list("aaaabbbbcccc"), list("112211221122")
    terms = {"case": ["case"], "patient": ["case", "patient"]}

    def raws(values: list[int], cases: list[str]) -> list[float]:
        factors = {"case": cases, "patient": patient}
        return [each.raw for each in variance_components(values, factors, terms)]

    moved = raws([score + added for score in scores], [name.upper() for name in case])
    assert moved == pytest.approx(raws(scores, case), abs=1e-9)


def test_roles_that_were_all_repeated_are_split() -> None:
    random = np.random.default_rng(6)
    case, patient, doctor, judge = np.indices((60, 3, 3, 2)).reshape(4, -1)
    at = np.arange(len(case))
    effects = [random.normal(size=(60, 3, 3, 2)) * sd for sd in (1.0, 0.5, 0.3, 0.2)]
    scores = (
        effects[0][case, 0, 0, 0]
        + effects[1][case, patient, 0, 0]
        + effects[2][case, patient, doctor, 0]
        + effects[3].ravel()[at]
    )
    found = split_by_role(
        scores.tolist(),
        case=case.astype(str).tolist(),
        patient=patient.astype(str).tolist(),
        doctor=doctor.astype(str).tolist(),
        judge=judge.astype(str).tolist(),
    )
    assert [each.name for each in found] == ["case", "patient", "doctor", "judge"]
    assert [each.variance for each in found] == pytest.approx([1.0, 0.25, 0.09, 0.04], rel=0.4)


def test_roles_that_were_repeated_together_are_told_together() -> None:
    found = split_by_role(
        [0.0, 1.0, 0.0, 0.5],
        case=list("aabb"),
        patient=list("1212"),
        doctor=list("1212"),
        judge=list("1111"),
    )
    assert [each.name for each in found] == ["case", "patient and doctor and judge"]
    judged_again = split_by_role(
        [0.0, 1.0, 0.0, 0.5, 0.5, 0.5],
        case=list("aabbaa"),
        patient=list("112211"),
        doctor=list("112211"),
        judge=list("121234"),
    )
    assert [each.name for each in judged_again] == ["case and patient and doctor", "judge"]


def test_one_case_with_repeats_is_split_within() -> None:
    found = split_by_role(
        [0.0, 1.0, 0.5, 0.5],
        case=["a"] * 4,
        patient=list("1122"),
        doctor=["1"] * 4,
        judge=["1"] * 4,
    )
    assert [each.name for each in found] == ["patient and doctor", "judge"]


def test_cases_without_repeats_are_refused() -> None:
    with pytest.raises(ValueError, match="2 scores and 1 of patient: one is of each"):
        split_by_role([0.0, 1.0], case=["a"] * 2, patient=["1"], doctor=["1"] * 2, judge=["1"] * 2)
    with pytest.raises(ValueError, match="no case has two scores; run with repeats"):
        split_by_role(
            [0.0, 1.0], case=["a", "b"], patient=["1"] * 2, doctor=["1"] * 2, judge=["1"] * 2
        )


@pytest.mark.parametrize(
    ("scores", "case", "message"),
    [
        ([], [], "at least 2 finite scores are needed"),
        ([1.0], ["a"], "at least 2 finite scores are needed"),
        ([1.0, math.nan], ["a", "a"], "at least 2 finite scores are needed"),
        ([1.0, 2.0], ["a"], "2 scores and 1 levels of case"),
        ([1.0, 2.0], ["a", "b"], "too few repeats to tell apart cases, rest; leave one out"),
        ([1.0, 2.0], ["a", "a"], "too few repeats to tell apart cases, rest"),
    ],
)
def test_what_cannot_be_split_is_refused(
    scores: list[float], case: list[str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        variance_components(scores, {"case": case}, {"cases": ["case"]})


def test_factor_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="seed: no such factor; there are case"):
        variance_components([1.0, 2.0], {"case": ["a", "a"]}, {"seeds": ["seed"]})
