"""Tests of agreement, beside the published examples of Krippendorff and Gwet, and scikit-learn."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from evalsim.statistics import agreement, gwet_ac2, krippendorff_alpha, quadratic_kappa

_ = math.nan
# Krippendorff (2011); Gwet (2014), p. 120: four raters, twelve units
RATINGS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]
PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)
SCALE = (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_alpha_is_krippendorffs(level: str, alpha: float) -> None:
    assert round(krippendorff_alpha(RATINGS, level), 3) == alpha  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("weights", "ac"), [("identity", 0.77544), ("quadratic", 0.91400), ("ordinal", 0.89894)]
)
def test_ac_is_gwets(weights: str, ac: float) -> None:
    # as his own package irrCAC gives it for these ratings
    assert round(gwet_ac2(RATINGS, range(1, 6), weights), 5) == ac  # type: ignore[arg-type]


@settings(deadline=None)
@given(PAIRS)
def test_kappa_is_that_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    one, other = map(list, zip(*pairs, strict=True))
    found = quadratic_kappa(one, other)
    if len({*one, *other}) == 1:
        assert math.isnan(found)
    else:
        theirs = cohen_kappa_score(one, other, weights="quadratic", labels=SCALE)
        assert found == pytest.approx(theirs)


@settings(deadline=None, max_examples=50)
@given(PAIRS, st.randoms(use_true_random=False))
def test_neither_order_nor_which_rater_is_first_matters(
    pairs: list[tuple[int, int]], random: object
) -> None:
    shuffled = list(pairs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    def figures(of: list[tuple[int, int]]) -> list[float]:
        one, other = map(list, zip(*of, strict=True))
        found = agreement(one, other, SCALE, draws=50)
        return [found.mae, found.exact, found.within_one, found.kappa, found.alpha, found.ac2]

    first = figures(pairs)
    assert figures(shuffled) == pytest.approx(first, nan_ok=True)
    assert figures([(b, a) for a, b in pairs]) == pytest.approx(first, nan_ok=True)
    assert all(math.isnan(each) or each <= 1 + 1e-12 for each in first[1:])


def test_judge_and_human_are_compared_where_both_rated() -> None:
    found = agreement([3, 2, 0, 1, _], [3, 1, 2, _, 0], SCALE, seed=1)
    assert (found.units, found.missing, found.mae) == (3, 2, 1.0)
    assert (found.exact, found.within_one) == pytest.approx((1 / 3, 2 / 3))
    assert found.bias.mean == pytest.approx(-1 / 3)
    assert found.bias.low <= found.bias.mean <= found.bias.high
    assert found.alpha == pytest.approx(krippendorff_alpha([[3, 2, 0], [3, 1, 2]]))


def test_bias_of_turns_of_one_disease_is_no_surer_than_of_one_turn() -> None:
    alone = agreement([3, 1, 2], [2, 2, 0], SCALE, clusters=list("abc"))
    copied = agreement([3, 1, 2] * 5, [2, 2, 0] * 5, SCALE, clusters=list("abc") * 5)
    assert copied.bias == pytest.approx(alone.bias)


def test_median_between_two_ratings_counts_but_for_ac2() -> None:
    found = agreement([1.5, 2.0], [1.0, 2.0], SCALE)
    assert (found.mae, math.isnan(found.ac2)) == (0.25, True)


def test_raters_who_never_differ_nor_vary_have_ac2_but_no_kappa_and_no_alpha() -> None:
    found = agreement([2, 2, 2], [2, 2, 2], SCALE)
    assert (found.exact, found.ac2) == (1.0, 1.0)
    assert math.isnan(found.kappa)
    assert math.isnan(found.alpha)


@pytest.mark.parametrize(("one", "other"), [([], []), ([1, _], [_, 2])])
def test_raters_without_a_common_unit_have_no_agreement(
    one: list[float], other: list[float]
) -> None:
    found = agreement(one, other, SCALE)
    assert (found.units, found.missing) == (0, len(one))
    figures = (found.mae, found.exact, *found.bias, found.kappa, found.alpha, found.ac2)
    assert all(map(math.isnan, figures))
    assert math.isnan(krippendorff_alpha([one, other]))
    assert math.isnan(gwet_ac2([one, other], SCALE))


def test_alpha_of_ratings_that_contradict_is_below_0() -> None:
    assert krippendorff_alpha([[0, 3, 0, 3], [3, 0, 3, 0]]) < 0


def test_unit_that_nobody_else_rated_moves_no_alpha() -> None:
    more = np.column_stack([np.array(RATINGS), [5, _, _, _]])
    assert krippendorff_alpha(more) == pytest.approx(krippendorff_alpha(RATINGS))


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        ([1, 2], [1], "2 ratings and 1: those of the same units are pairs"),
        ([1, 4], [1, 2], "a rating is out of the scale 0 to 3"),
        ([1, math.inf], [1, 2], "a rating is infinite; what was not rated is nan"),
    ],
)
def test_what_is_no_rating_is_refused(one: list[float], other: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        agreement(one, other, SCALE)


def test_scale_and_table_are_checked() -> None:
    with pytest.raises(ValueError, match="a rating is not of the scale"):
        gwet_ac2([[1, 2], [1, 9]], (1, 2))
    with pytest.raises(ValueError, match="a scale has at least two finite ratings"):
        gwet_ac2([[1], [1]], (1,))
    with pytest.raises(ValueError, match="ratings are a table"):
        krippendorff_alpha([1, 2, 3])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="leave out units that one did not rate"):
        quadratic_kappa([1, _], [1, 2])
