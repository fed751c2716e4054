import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.sources.formats.frequencies import CLASSES, fraction


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7/13", 7 / 13),
        ("0/2", 0.0),
        (" 3 / 4 ", 0.75),
        ("17%", 0.17),
        ("0%", 0.0),
        ("12.5 %", 0.125),
        ("HP:0040280", 1.0),
        ("HP:0040283", 0.17),  # 5-29 %
        ("HP:0040285", 0.0),
        ("3/0", None),
        ("5/4", None),
        ("101%", None),
        ("HP:0040286", None),
        ("often", None),
        ("-", None),
        ("", None),
        ("٣/٤", None),
    ],
)
def test_fraction_of_what_hpo_writes(text: str, expected: float | None) -> None:
    assert fraction(text) == expected


@given(st.text())
def test_fraction_is_a_fraction_or_none_of_any_text(text: str) -> None:
    found = fraction(text)
    assert found is None or 0 <= found <= 1


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_ratio_is_exact_and_none_above_one(seen: int, examined: int) -> None:
    expected = seen / examined if seen <= examined else None
    assert fraction(f"{seen}/{examined}") == expected


def test_classes_fall_from_obligate_to_excluded() -> None:
    values = [CLASSES[term] for term in sorted(CLASSES)]
    assert values == sorted(values, reverse=True)
    assert (values[0], values[-1]) == (1.0, 0.0)
