"""How the numbers of several records of one edge become one, and what is kept of them."""

from itertools import permutations

import pytest
from pydantic import ValidationError

from ingest.edges import Combine
from tests.ingest.conftest import MergeRows
from tests.ingest.rows import edges_of, fact

SAYING = [
    fact("MONDO:1", "HAS_SYMPTOM", "HP:1", weight=90.0, frequency=0.5),
    fact("MONDO:1", "HAS_SYMPTOM", "HP:1", weight=354.0, weight_text="354 patients"),
]
AGAIN = [fact("MONDO:1", "HAS_SYMPTOM", "HP:1", weight=1000.5, frequency=1.0)]


@pytest.mark.parametrize(
    ("how", "weight"),
    [("max", 1000.5), ("min", 90.0), ("sum", 1444.5), ("mean", 481.5), ("first", 354.0)],
)
def test_weights_of_several_records_are_combined_as_asked_and_kept_as_said(
    merge_rows: MergeRows, how: str, weight: float
) -> None:
    result = merge_rows(a=SAYING, b=AGAIN, combine=Combine.model_validate({"weight": how}))
    assert edges_of(result, "HAS_SYMPTOM", "weight", "weight_text") == [
        (weight, "1000.5|354 patients|90")
    ]
    assert result.summary.combined == {"frequency": "mean", "weight": how}


def test_without_a_setting_the_largest_weight_and_the_mean_frequency_stand(
    merge_rows: MergeRows,
) -> None:
    result = merge_rows(a=SAYING, b=AGAIN)
    columns = ("weight", "frequency", "frequency_text")
    assert edges_of(result, "HAS_SYMPTOM", *columns) == [(1000.5, 0.75, "0.5|1")]


def test_order_of_records_changes_no_mean(merge_rows: MergeRows) -> None:
    orders = sorted(permutations((1e-6, 0.25, 0.0005, 1e-6)), key=sum)
    least, greatest = orders[0], orders[-1]
    assert round(sum(least) / 4, 6) != round(sum(greatest) / 4, 6)
    means = [
        edges_of(
            merge_rows(
                a=[
                    fact(
                        "MONDO:1", "HAS_SYMPTOM", "HP:1", frequency=each, publications=f"PMID:{n}"
                    )
                    for n, each in enumerate(order)
                ]
            ),
            "HAS_SYMPTOM",
            "frequency",
        )
        for order in (least, greatest)
    ]
    assert means[0] == means[1]


@pytest.mark.parametrize(
    ("how", "weight"), [("sum", 1062.0), ("mean", 354.0), ("max", 354.0), ("first", 354.0)]
)
def test_weight_that_is_said_thrice_counts_thrice_in_a_sum_alone(
    merge_rows: MergeRows, how: str, weight: float
) -> None:
    combine = Combine.model_validate({"weight": how})
    one = fact("MONDO:1", "HAS_SYMPTOM", "HP:1", weight=354.0)
    result = merge_rows(a=[one, one], b=[one], combine=combine)
    assert edges_of(result, "HAS_SYMPTOM", "weight", "weight_text") == [(weight, "354")]


def test_record_without_a_number_changes_no_number(merge_rows: MergeRows) -> None:
    numbered = fact("MONDO:1", "HAS_SYMPTOM", "HP:1", weight=2.0, publications="PMID:1")
    silent = fact("MONDO:1", "HAS_SYMPTOM", "HP:1", publications="PMID:2")
    for how in ("mean", "max", "min", "sum", "first"):
        combine = Combine.model_validate({"weight": how, "frequency": "first"})
        result = merge_rows(b=[silent], a=[numbered, silent], combine=combine)
        assert edges_of(result, "HAS_SYMPTOM", "weight", "frequency") == [(2.0, None)]


@pytest.mark.parametrize(
    ("number", "text"),
    [(354.0, "354"), (0.25, "0.25"), (1e-7, "1e-7"), (-3.0, "-3"), (12345678.0, "12345678")],
)
def test_number_is_kept_in_its_shortest_writing(
    merge_rows: MergeRows, number: float, text: str
) -> None:
    result = merge_rows(a=[fact("MONDO:1", "HAS_SYMPTOM", "HP:1", weight=number)])
    assert edges_of(result, "HAS_SYMPTOM", "weight", "weight_text") == [(number, text)]


@pytest.mark.parametrize("share", [4e-7, 3e-6, 1e-12, 0.0001])
def test_rare_frequency_is_not_rounded_away(merge_rows: MergeRows, share: float) -> None:
    one = fact("MONDO:1", "HAS_SYMPTOM", "HP:1", frequency=share)
    two = fact("MONDO:1", "HAS_SYMPTOM", "HP:1", frequency=3 * share)
    for rows, mean in (([one], share), ([one, two], 2 * share)):
        [(frequency,)] = edges_of(merge_rows(a=rows), "HAS_SYMPTOM", "frequency")
        assert frequency == pytest.approx(mean)
        assert len(str(frequency)) < len("0.000000001")  # no digits that nobody said


def test_frequencies_have_no_sum() -> None:
    with pytest.raises(ValidationError, match="frequency"):
        Combine.model_validate({"frequency": "sum"})
