import math

import pytest

from kg.linking.measures import Answer, Decisions, Retrieval, Share, curve


def answer(score: float, rank: int, *, linked: bool = True, has_entity: bool = True) -> Answer:
    return Answer(score=score, rank=rank, linked=linked, has_entity=has_entity)


def test_share_of_nothing_has_no_value() -> None:
    assert Share(right=0, of=0).value is None
    assert Share(right=0, of=0).interval is None


def test_wilson_interval_of_a_half() -> None:
    # p = 1/2, n = 4, z² = 3.8415: centre (0.5 + 0.4802) / 1.9604 = 0.5;
    # spread 1.96 √(0.0625 + 0.0600) / 1.9604 = 0.3500
    assert Share(right=2, of=4).interval == pytest.approx((0.1500, 0.8500), abs=1e-4)


def test_wilson_interval_of_all_ends_at_one() -> None:
    # lower end n / (n + z²) = 10 / 13.8415
    assert Share(right=10, of=10).interval == pytest.approx((0.72247, 1.0), abs=1e-5)


def test_wilson_interval_of_none_begins_at_zero() -> None:
    # upper end z² / (n + z²) = 3.8415 / 13.8415
    assert Share(right=0, of=10).interval == pytest.approx((0.0, 0.27753), abs=1e-5)


def test_f1_is_the_harmonic_mean() -> None:
    # P = 3/4, R = 3/6: 2 · 0.375 / 1.25
    assert Retrieval.of(3, predicted=4, gold=6).f1 == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("found", "there", "f1"), [(0, 3, 0.0), (3, 0, 0.0), (3, 3, 0.0), (0, 0, None)]
)
def test_f1_where_nothing_is_right(found: int, there: int, f1: float | None) -> None:
    assert Retrieval.of(0, predicted=found, gold=there).f1 == f1


ANSWERS = [
    answer(1.0, 1),
    answer(0.9, 3),
    answer(0.8, 1, linked=False),
    answer(0.7, 6, linked=False),
    answer(0.85, 0, has_entity=False),
    answer(-1, 0, linked=False, has_entity=False),
]


def test_decisions_count_the_linkers_own() -> None:
    # Four have an entity: ranks 1, 3, 1, 6. Linked: the first (right), the second (wrong)
    # and the fifth, which has no entity; left alone without one: the sixth.
    decisions = Decisions.of(ANSWERS)
    assert decisions.at_1 == Share(right=2, of=4)
    assert decisions.at_5 == Share(right=3, of=4)
    assert decisions.linking == Retrieval.of(1, predicted=3, gold=4)
    assert decisions.coverage == Share(right=3, of=6)
    assert decisions.abstained == Share(right=1, of=2)


def test_curve_counts_what_each_threshold_would_link() -> None:
    low, high = curve(ANSWERS, (0.8, 1.0))
    # At 0.8: scores 1.0, 0.9, 0.8 and 0.85 are linked, of which the first and third rightly.
    assert low.coverage == Share(right=4, of=6)
    assert low.precision == Share(right=2, of=4)
    assert low.recall == Share(right=2, of=4)
    assert low.abstained == Share(right=1, of=2)
    assert high.precision == Share(right=1, of=1)
    assert high.abstained == Share(right=2, of=2)


def test_mention_without_candidates_is_linked_at_no_threshold() -> None:
    (point,) = curve([answer(-1, 0)], (0.0,))
    assert point.coverage == Share(right=0, of=1)


def test_raising_the_threshold_never_links_more() -> None:
    points = curve(ANSWERS, tuple(at / 20 for at in range(21)))
    linked = [point.coverage.right for point in points]
    assert linked == sorted(linked, reverse=True)
    assert all(math.isfinite(point.threshold) for point in points)
