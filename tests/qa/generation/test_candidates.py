"""What of a model's text is kept, and what its sentences rest on."""

from qa.generation.candidates import Context, Sentence, candidate_of_text
from tests.qa.passages import document, hit

OF = document("It is not true that gout is fatal. It hurts. 会痛。")
CONTEXT = Context(OF, 0, len(OF.text))


def _written(text: str) -> tuple[Sentence, ...]:
    made = candidate_of_text(text, hit(OF), CONTEXT)
    return () if made is None else made.sentences


def test_sentence_rests_on_one_that_says_it_whole() -> None:
    assert _written("It hurts. 会痛。 gout is fatal. It does not hurt.") == (
        Sentence("It hurts.", "d", 35, 44),
        Sentence("会痛。", "d", 45, 48),
        Sentence("gout is fatal.", None),
        Sentence("It does not hurt.", None),
    )


def test_sentence_that_was_cut_off_is_left_out() -> None:
    assert _written("It hurts. It may also be") == (Sentence("It hurts.", "d", 35, 44),)
    assert _written('He said: "It hurts."') == (Sentence('He said: "It hurts."', None),)
    assert _written("It may also be") == _written("") == _written("...") == ()


def test_what_follows_the_150th_word_is_left_out() -> None:
    long = "gout " * 148 + "hurts."
    assert [each.text for each in _written(f"{long} It hurts.")] == [long]
    assert _written("gout " * 150 + "hurts.") == ()
