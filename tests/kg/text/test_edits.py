"""A text with stretches replaced, and where they stood."""

from hypothesis import given
from hypothesis import strategies as st

from kg.text.edits import Edit, Edited


def test_offsets_lead_back_to_the_original() -> None:
    original = "It causes HF. It hurts."
    edits = [Edit(0, 2, "Gout", "it"), Edit(10, 12, "heart failure", "defined")]
    edited = Edited.of(original, edits)
    assert edited.text == "Gout causes heart failure. It hurts."
    at = edited.text.index("heart failure")
    assert edited.origin(at, at + len("heart failure")) == (10, 12)
    at = edited.text.index("hurts")
    assert original[slice(*edited.origin(at, at + 5))] == "hurts"


def test_part_of_a_replacement_is_the_whole_that_stood_there() -> None:
    edited = Edited.of("severe HF", [Edit(7, 9, "heart failure", "defined")])
    assert edited.origin(edited.text.index("failure"), len(edited.text)) == (7, 9)
    assert edited.origin(0, len(edited.text)) == (0, 9)


def test_rules_of_a_stretch_are_those_of_the_edits_in_it() -> None:
    edits = [Edit(0, 2, "Gout", "it"), Edit(10, 12, "heart failure", "defined")]
    edited = Edited.of("It causes HF. It hurts.", edits)
    at = edited.text.index("heart failure")
    assert edited.rules(0, at) == ("it",)
    assert edited.rules(4, at) == ()
    assert edited.rules(at + 6, at + 9) == ("defined",)
    assert edited.rules(0, len(edited.text)) == ("it", "defined")


def test_of_overlapping_edits_the_earlier_and_longer_is_made() -> None:
    edits = [Edit(2, 4, "x", "b"), Edit(0, 3, "ab", "a"), Edit(0, 2, "c", "c")]
    edited = Edited.of("01234", edits)
    assert (edited.text, edited.edits) == ("ab34", (Edit(0, 3, "ab", "a"),))


@given(
    st.text(max_size=40), st.lists(st.tuples(st.integers(0, 40), st.text(max_size=5)), max_size=6)
)
def test_what_was_not_replaced_stands_where_its_origin_says(
    original: str, places: list[tuple[int, str]]
) -> None:
    edits = [Edit(at, at + 1, to, "test") for at, to in places if at < len(original)]
    edited = Edited.of(original, edits)
    replaced = {edit.start for edit in edited.edits}
    for at in range(len(edited.text)):
        start, end = edited.origin(at, at + 1)
        assert 0 <= start < end <= len(original)
        if not replaced & set(range(start, end)):
            assert original[start:end] == edited.text[at]
