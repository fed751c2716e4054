import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.sources.formats.frequencies import CLASSES, Scale, Unit, fraction, read_frequency


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


@pytest.mark.parametrize(
    ("word", "of_findings", "of_reactions"),
    [
        ("obligate", (1.0, "100 %"), None),
        ("Very frequent", (0.895, "80-99 %"), (0.55, "≥10 %")),
        ("very common", (0.895, "80-99 %"), (0.55, "≥10 %")),
        ("FREQUENT", (0.545, "30-79 %"), (0.055, "≥1 %, <10 %")),
        ("common", (0.545, "30-79 %"), (0.055, "≥1 %, <10 %")),
        ("occasional", (0.17, "5-29 %"), None),
        ("uncommon", None, (0.0055, "≥0.1 %, <1 %")),
        ("infrequent", None, (0.0055, "≥0.1 %, <1 %")),
        ("rare", (0.025, "1-4 %"), (0.00055, "≥0.01 %, <0.1 %")),
        ("VERY_RARE", (0.025, "1-4 %"), (0.00005, "<0.01 %")),
        ("excluded", (0.0, "0 %"), None),
        ("十分常见", (0.895, "80-99 %"), (0.55, "≥10 %")),
        ("常见", (0.545, "30-79 %"), (0.055, "≥1 %, <10 %")),
        ("频繁的", (0.545, "30-79 %"), None),
        ("偶见", (0.17, "5-29 %"), (0.0055, "≥0.1 %, <1 %")),
        ("偶見", (0.17, "5-29 %"), (0.0055, "≥0.1 %, <1 %")),
        ("罕见", (0.025, "1-4 %"), (0.00055, "≥0.01 %, <0.1 %")),
        ("十分罕見", (0.025, "1-4 %"), (0.00005, "<0.01 %")),
        ("经常", None, None),
        ("often", None, None),
        ("not rare", None, None),
    ],
)
def test_word_stands_for_the_range_of_what_it_is_said_of(
    word: str, of_findings: tuple[float, str] | None, of_reactions: tuple[float, str] | None
) -> None:
    scales: tuple[Scale, ...] = ("hpo", "cioms")
    for scale, expected in zip(scales, (of_findings, of_reactions), strict=True):
        found = read_frequency(word, "percent", scale)
        assert found == (expected and (expected[0], f"{word} ({expected[1]})"))


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("85", "percent", 0.85),
        ("85", "fraction", None),
        ("85", "hpo", None),
        ("0.3", "fraction", 0.3),
        ("0.3", "percent", 0.003),
        ("17 %", "fraction", 0.17),
        ("\uff11\uff17\uff05", "hpo", 0.17),
        ("2 ‰", "percent", 0.002),
        ("5", "per-1000", 0.005),
        ("3/4", "per-1000", 0.75),
        ("10-20%", "hpo", 0.15),
        ("1%\uff5e10%", "percent", 0.055),
        ("10 to 20", "percent", 0.15),
        ("0.1\u20130.3", "fraction", 0.2),
        ("<1%", "percent", 0.005),
        ("≥ 10 %", "percent", 0.55),
        ("20-10 %", "percent", None),
        ("-5", "percent", None),
        ("140 %", "percent", None),
        ("90-140 %", "percent", None),
        (">140 %", "percent", None),
        ("1e-05", "fraction", 0.00001),
        ("1e999", "fraction", None),
        ("inf", "fraction", None),
        ("12,5 %", "percent", None),
    ],
)
def test_number_is_read_by_its_sign_or_else_in_the_unit(
    text: str, unit: Unit, expected: float | None
) -> None:
    found = read_frequency(text, unit, "hpo")
    if expected is None:
        assert found is None
    else:
        assert found is not None
        assert found.fraction == pytest.approx(expected)
        assert found.text == text


def test_what_is_said_to_be_unknown_has_no_number_and_is_no_mistake() -> None:
    for text in ("not known", "未知"):
        assert read_frequency(text, "percent", "cioms") == (None, text)


@given(st.text(), st.sampled_from(["fraction", "percent", "hpo"]))
def test_any_cell_gives_a_fraction_or_none(text: str, unit: Unit) -> None:
    for scale in ("hpo", "cioms"):
        found = read_frequency(text, unit, scale)
        assert found is None or found.fraction is None or 0 <= found.fraction <= 1
