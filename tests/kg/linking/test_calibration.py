"""The threshold from which a similar name is trusted."""

import math

from kg.linking.calibration import Trial, calibrate, lowest_trusted
from kg.linking.indexing import index_names
from kg.linking.names import Names
from tests.kg.linking.names_table import table


def trials(*pairs: tuple[float, bool], times: int = 40) -> list[Trial]:
    return [Trial(score, right) for score, right in pairs] * times


def test_lowest_score_from_which_enough_are_right() -> None:
    # from 0.8 on all of 120 are right, from 0.7 on 120 of 160: 75 %
    told = trials((0.95, True), (0.9, True), (0.8, True), (0.7, False))
    assert lowest_trusted(told, 0.9) == 0.8
    assert lowest_trusted(told, 0.75) == 0.7


def test_equal_scores_are_trusted_together_or_not_at_all() -> None:
    told = trials((0.9, True), (0.8, True), (0.8, False))
    assert lowest_trusted(told, 0.9) == 0.9


def test_where_no_score_tells_none_is_trusted() -> None:
    assert lowest_trusted(trials((1.0, False), (0.9, True), times=60), 0.9) > 1.0


def test_of_too_few_trials_no_threshold_is_told() -> None:
    assert lowest_trusted(trials((0.2, True), times=3), 0.9) == 0.95


def test_index_carries_the_thresholds_of_its_own_names() -> None:
    rows = [
        (f"D:{number}", "Disease", f"{word} {'abcdefgh'[number % 8] * 5} {form}", "en")
        for number, word in enumerate(WORDS)
        for form in ("syndrome", "syndrome congenital")
    ]
    index = index_names(Names.of_table(table(*rows)))
    found = calibrate(index)
    assert found.keys() >= {"WRatio", "token_sort_ratio", "ratio"}
    assert all(0.0 < by_language["en"] <= math.nextafter(1, 2) for by_language in found.values())
    assert index.thresholds == found


WORDS = [f"{a}{b}{c}ose" for a in "bdfgk" for b in "aeiou" for c in ("lm", "rt", "st", "nd")]
