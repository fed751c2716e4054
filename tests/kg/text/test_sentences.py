import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.text.sentences import ends, sentences


def texts(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It hurts. See a doctor!", ["It hurts.", "See a doctor!"]),
        ('"Is it gout?" Yes.', ['"Is it gout?"', "Yes."]),
        ("no fever. cough since monday", ["no fever.", "cough since monday"]),
        ("Rest; drink enough.", ["Rest;", "drink enough."]),
        ("发热。咳嗽；乏力", ["发热。", "咳嗽；", "乏力"]),
        ("fever\nCough", ["fever", "Cough"]),
        ("swelling of\nthe joints", ["swelling of\nthe joints"]),
        ("swelling of\n\nthe joints", ["swelling of", "the joints"]),
        ("Eat vitamin D. Go out.", ["Eat vitamin D.", "Go out."]),
    ],
)
def test_marks_and_lines_end_sentences(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Who gave approx. 5 mg vs. placebo, e.g. at noon.",
        "It is due to E. coli or H. pylori.",
        "See Fig. 2 and No. 5 there.",
        "It is 2.5 times as much.",
    ],
)
def test_short_forms_end_none(text: str) -> None:
    assert texts(text) == [text]


def test_answer_no_ends_a_sentence() -> None:
    assert texts("Any cough? No. Fever? Yes.") == ["Any cough?", "No.", "Fever?", "Yes."]


def test_stretch_of_a_text_is_read_by_itself() -> None:
    text = "One. Two (e.g. three). Four."
    assert sentences(text, 5, 22) == [(5, 22)]
    assert list(ends(text, 5, 22)) == [21]


@given(st.text("aB .?!;\n\"')。…", max_size=40))
def test_sentences_hold_all_but_blanks(text: str) -> None:
    spans = sentences(text)
    said = "".join(text[start:end] for start, end in spans)
    assert "".join(said.split()) == "".join(text.split())
    assert [span for span in spans if text[slice(*span)].strip() != text[slice(*span)]] == []
