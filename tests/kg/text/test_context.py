"""Negation and family flags, on a table of own sentences and on broken text."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.text._cues import CueLexicon, SegmentedText, fold
from kg.text._experiencer import _LEXICON as EXPERIENCER
from kg.text.context import _LEXICON as NEGATION
from kg.text.context import Context, contexts

_TABLE = Path(__file__).with_name("contexts.txt")
_MENTION = re.compile(r"\[([^\[\]|]*)\|([nf]*)\]")
_MEGABYTE = 1_000_000
_HEAP_SIZE = 200_000
_HEAP = [*"?().，、无未我\n", "no", "not,", "母亲", "fever", "发热", "in my mother", "she"]


def table() -> Iterator[str]:
    """The sentences of the table."""
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.replace("\\n", "\n").replace("\\r", "\r")


def parsed(marked: str) -> tuple[str, list[tuple[int, int]], list[Context]]:
    """Text, spans and flags of a sentence with its mentions in brackets."""
    text, spans, flags, at = "", [], [], 0
    for mention in _MENTION.finditer(marked):
        text += marked[at : mention.start()]
        spans.append((len(text), len(text) + len(mention[1])))
        text += mention[1]
        flags.append(Context("n" in mention[2], "f" in mention[2]))
        at = mention.end()
    return text + marked[at:], spans, flags


@pytest.mark.parametrize("sentence", list(table()))
def test_flags_of_the_table(sentence: str) -> None:
    text, spans, flags = parsed(sentence)
    found = contexts(text, spans)
    assert dict(zip(spans, found, strict=True)) == dict(zip(spans, flags, strict=True))


def test_table_is_large_and_half_chinese() -> None:
    sentences = list(table())
    chinese = sum(bool(re.search("[\u4e00-\u9fff]", sentence)) for sentence in sentences)
    assert len(sentences) >= 120
    assert 0.35 <= chinese / len(sentences) <= 0.65


def test_flags_are_in_the_order_of_the_spans() -> None:
    assert contexts("No rash but fever.", [(12, 17), (3, 7)]) == [
        Context(negated=False, family=False),
        Context(negated=True, family=False),
    ]


def test_no_spans_give_no_flags() -> None:
    assert contexts("No fever.", []) == []


def test_cue_inside_a_mention_is_none() -> None:
    assert contexts("无力、头痛", [(0, 2), (3, 5)]) == [Context(negated=False, family=False)] * 2


def test_cue_does_not_reach_into_a_mention_for_its_words() -> None:
    """没有过 is a cue, but here 过敏 begins in it."""
    assert contexts("没有过敏", [(2, 4)]) == [Context(negated=True, family=False)]


def test_mention_that_is_a_cue_still_counts_as_one() -> None:
    flags = contexts("Family history of gout.", [(0, 14), (18, 22)])
    assert flags[1] == Context(negated=False, family=True)


@pytest.mark.parametrize("lexicon", [NEGATION, EXPERIENCER])
def test_every_cue_compiles(lexicon: CueLexicon) -> None:
    assert all(lexicon.patterns(word) or word > "z" for word in lexicon.first_words)


def test_folding_keeps_every_offset() -> None:
    text = "İNo \uff26\uff25\uff36\uff25\uff32 don’t 無 ß \ud800😀"
    assert len(fold(text)) == len(text)
    assert fold("\uff2e\uff2f don’t 無") == "no don't 无"


def test_full_stop_of_a_title_or_a_number_ends_no_sentence() -> None:
    text = "Dr. Lee saw 3.5 cm. Next line\ngoes on\nNew one"
    assert SegmentedText.of(text).ends == [18, 37, len(text)]


@given(st.text(), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 10)), max_size=5))
def test_any_text_gives_a_flag_for_each_span(text: str, pairs: list[tuple[int, int]]) -> None:
    spans = [(min(at, len(text)), min(at + size, len(text))) for at, size in pairs]
    assert len(contexts(text, spans)) == len(spans)


@given(st.lists(st.sampled_from(_HEAP)))
def test_any_heap_of_cues_gives_flags(words: list[str]) -> None:
    text = " ".join(words)
    assert len(contexts(text, [(0, len(text))])) == 1


@pytest.mark.parametrize("character", list("aA \n.?(),\x00\ud800😀"))
def test_a_megabyte_of_one_character_is_read(character: str) -> None:
    spans = [(at, at + 2) for at in range(0, _MEGABYTE, 100)]
    found = contexts(character * _MEGABYTE, spans)
    assert set(found) == {Context(negated=False, family=False)}


@pytest.mark.parametrize(
    "unit",
    [
        "no ",
        "无",
        "母亲有",
        "any x? no. ",
        "fh: ",
        "no x, ",
        "否认，发",
        "in my mother, ",
        "x was ruled out, ",
    ],
)
def test_a_heap_of_cues_with_ten_thousand_mentions_is_read(unit: str) -> None:
    """All in one sentence, so that a scope looked for again and again would take hours."""
    spans = [(at, at + 2) for at in range(0, _HEAP_SIZE, _HEAP_SIZE // 10_000)]
    assert len(contexts((unit * _HEAP_SIZE)[:_HEAP_SIZE], spans)) == len(spans)
