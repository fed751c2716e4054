"""The phrases of a page: its list items and noun phrases, coordinated ones apart.

No model is needed: closed classes of words, common verbs and endings tell where a noun
phrase ends. A spaCy pipeline finds them instead where one is given. Chinese
enumerations are split at their marks.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from kg.text._chinese_phrases import chinese_phrases
from kg.text._noun_phrases import Chunker, Group, Run, chunks, groups
from kg.text._phrase_words import (
    ANATOMY,
    AUXILIARIES,
    AVOIDING,
    GENERIC,
    ITEM_VERBS,
    UNFINISHED,
    words,
)
from kg.text._tagging import Token, tokens
from kg.text.sentences import sentences
from kg.text.words import HAN

if TYPE_CHECKING:
    from spacy.tokens import Doc

_LINE: Final = re.compile(r"[^\n]+")
_BULLET: Final = re.compile(
    r"\s*(?:[-*+\u2022\u00b7\u25cf\u25e6\u2023\u2013\u2014]|\(?\d{1,2}[.)\u3001])\s+"
)
_TERM: Final = re.compile(r"\s*(?::|\s[-\u2013\u2014]\s|[.;](?=\s|$)|--)")
_LONGEST_INSTRUCTION: Final = 10
_LONGEST_SHORT: Final = 7
_SHORTEST_WORD: Final = 3
_CONTENT: Final = frozenset(("noun", "adjective", "gerund", "verb"))
"""A pipeline may take for a noun what the rules take for a verb."""
_STOPS: Final = frozenset(",(;:.!?\u2013\u2014")
_CLAUSES: Final = words("if when that which who because since unless so but while as until")
_IS_HAN: Final = re.compile(f"[{HAN}]")
_MOSTLY: Final = 0.3


Place = Literal["item", "instruction", "prose"]


class Phrase(NamedTuple):
    """A phrase and where it stands; ``text[start:end]`` is it, in code points."""

    start: int
    end: int
    text: str
    head: str
    """Its main word, in small letters."""
    before: str
    """The sentence before the coordination that it is part of; of an item, what introduces
    the list."""
    after: str
    """The sentence after that coordination."""
    place: Place
    """``item``: it begins a list item, alone or in a coordination; ``instruction``: it is an
    item that tells what to do; ``prose``: anything else."""
    sentence: int
    """Where its sentence starts."""


class Block(NamedTuple):
    """A stretch of a text that is one item or one paragraph's line."""

    start: int
    end: int
    is_item: bool
    introduction: str
    """The line before the list; empty for a paragraph."""


def phrases(text: str, doc: "Doc | None" = None) -> list[Phrase]:
    """The phrases of a text, in their order.

    Dropped are determiners and hedges at their start, phrases that name nothing ("the
    condition", "many people"), and places of the body without a finding.

    Args:
        text: paragraphs, and lists with an item a line ("- fever").
        doc: the text as a spaCy pipeline with a parser read it; its noun chunks are used.
    """
    if is_chinese(text):
        return [
            Phrase(start, end, text[start:end], text[start:end], before, "", "item", at)
            for start, end, before, at in chinese_phrases(text, blocks(text))
        ]
    found: list[Phrase] = []
    for block in blocks(text):
        chunker = chunks if doc is None else _Chunks(doc).of
        read = _item if block.is_item else _paragraph
        found.extend(read(text, block, chunker))
    return found


def is_chinese(text: str) -> bool:
    """Whether Han characters are a good part of a text's letters."""
    letters = sum(character.isalpha() for character in text)
    return letters > 0 and len(_IS_HAN.findall(text)) / letters > _MOSTLY


def blocks(text: str) -> Iterator[Block]:
    """The lines of a text, list items among them."""
    introduction = ""
    for line in _LINE.finditer(text):
        bullet = _BULLET.match(text, line.start(), line.end())
        start = bullet.end() if bullet else line.start()
        content = text[start : line.end()].rstrip()
        if not content:
            continue
        yield Block(
            start, start + len(content), bullet is not None, introduction if bullet else ""
        )
        if bullet is None or content.endswith((":", "\uff1a")):
            introduction = _last_sentence(content)


def _last_sentence(line: str) -> str:
    spans = sentences(line.rstrip(" .:"))
    return line[spans[-1][0] :] if spans else ""


def _paragraph(text: str, block: Block, chunker: Chunker) -> Iterator[Phrase]:
    for start, end in sentences(text, block.start, block.end):
        read = tokens(text, start, end)
        if read[0].word in ITEM_VERBS and read[0].tag == "verb":
            yield from _instruction(text, Block(start, end, False, ""), read)
            continue
        for group in groups(read, chunker):
            before, after = (
                text[start : read[group.first].start],
                text[read[group.end - 1].end : end],
            )
            yield from _phrases(text, read, group, before.strip(), after.strip(), start)


def _item(text: str, block: Block, chunker: Chunker) -> Iterator[Phrase]:
    """What an item names, or does; then the sentences that explain it."""
    term = _TERM.search(text, block.start, block.end)
    end = term.start() if term else block.end
    read = tokens(text, block.start, end)
    rest = term.end() if term else block.end
    if read and read[0].word in ITEM_VERBS:
        yield from _instruction(text, block, read)
    else:
        yield from _named(text, block, read, chunker)
    if rest < block.end:
        yield from _paragraph(text, Block(rest, block.end, False, ""), chunker)


def _named(text: str, block: Block, read: Sequence[Token], chunker: Chunker) -> Iterator[Phrase]:
    for number, group in enumerate(groups(read, chunker)):
        leading = read[: group.first]
        is_item = number == 0 and all(t.tag in ("determiner", "adverb", "number") for t in leading)
        follows = read[group.end].word if group.end < len(read) else ""
        # "The urine may turn pink" is a sentence, not a name
        is_item = is_item and follows not in AUXILIARIES
        before = block.introduction if is_item else text[block.start : read[group.first].start]
        after = text[read[group.end - 1].end : read[-1].end]
        yield from _phrases(
            text,
            read,
            group,
            before.strip(),
            after.strip(),
            block.start,
            "item" if is_item else "prose",
        )


def _instruction(text: str, block: Block, read: Sequence[Token]) -> Iterator[Phrase]:
    """An instruction, "Avoid the sun", as a whole, up to a mark or a clause."""
    stops = (at for at, token in enumerate(read) if token.tag in _STOPS or token.word in _CLAUSES)
    stop = next(stops, len(read))
    if 1 < stop <= _LONGEST_INSTRUCTION:
        start, end = read[0].start, read[stop - 1].end
        head = read[0].word
        yield Phrase(
            start, end, text[start:end], head, block.introduction, "", "instruction", block.start
        )


def _phrases(  # noqa: PLR0917 -- where the group stands
    text: str,
    read: Sequence[Token],
    group: Group,
    before: str,
    after: str,
    sentence: int,
    place: Place = "prose",
) -> Iterator[Phrase]:
    for run in group.runs:
        if (
            _is_avoided(read, group, run)
            or _names_nothing(read, run)
            or (place == "prose" and _only_acts(read, run))
        ):
            continue
        start, end = read[run.first].start, read[run.end - 1].end
        yield Phrase(
            start, end, text[start:end], read[run.head].word, before, after, place, sentence
        )


def _names_nothing(read: Sequence[Token], run: Run) -> bool:
    content = [token for token in read[run.first : run.end] if token.tag in _CONTENT]
    alone = run.end - run.first == 1
    if alone and (read[run.first].word in UNFINISHED or _is_gloss(read, run)):
        return True
    if all(token.word in GENERIC for token in content):
        return True
    nouns = [token.word for token in content if token.tag == "noun"]
    of_body = bool(nouns) and all(noun in ANATOMY for noun in nouns)
    return of_body and not any(t.tag in ("adjective", "gerund") for t in content)


def _is_avoided(read: Sequence[Token], group: Group, run: Run) -> bool:
    """Whether a run is a further object of "limiting alcohol and …"."""
    before = (each for each in group.runs if each.first < run.first)
    avoided = any(read[each.first].word in AVOIDING for each in before)
    return avoided and read[run.first].tag != "gerund"


def _only_acts(read: Sequence[Token], run: Run) -> bool:
    """Whether nothing is left but a verb in -ing: "inducing" of "inducing and maintaining …"."""
    return run.end - run.first == 1 and read[run.first].tag == "gerund"


def _is_gloss(read: Sequence[Token], run: Run) -> bool:
    """Whether a word stands alone in a parenthesis and looks like a short form, (UV)."""
    around = [read[at].word for at in (run.first - 1, run.end) if 0 <= at < len(read)]
    length = read[run.first].end - read[run.first].start
    return (
        around == ["(", ")"]
        and length <= _LONGEST_SHORT
        and read[run.first].tag == "noun"
        and (not set("aeiou") & set(read[run.first].word) or length <= _SHORTEST_WORD)
    )


class _Chunks:
    """The noun chunks of a spaCy document, as a chunker."""

    def __init__(self, doc: "Doc") -> None:
        self._spans = [(chunk.start_char, chunk.end_char) for chunk in doc.noun_chunks]

    def of(self, read: Sequence[Token]) -> list[tuple[int, int]]:
        """Ranges of the sentence's tokens that are noun chunks, cut at marks and conjunctions."""
        found: list[tuple[int, int]] = []
        for start, end in self._spans:
            inside = [at for at, t in enumerate(read) if start <= t.start and t.end <= end]
            first: int | None = None
            for at in inside:
                parts = read[at].tag in ("conjunction", ",") or not read[at].word[0].isalnum()
                if parts and first is not None:
                    found.append((first, at))
                first = None if parts else (at if first is None else first)
            if first is not None:
                found.append((first, inside[-1] + 1))
        return found
