"""The phrases of a page: its list items and noun phrases, coordinated ones apart.

No model is needed: closed classes of words, common verbs and endings show where a noun
phrase ends. If a spaCy pipeline is given, its noun chunks are used instead. Chinese
enumerations are split at their punctuation marks.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from kg.text._noun_phrases import (
    Chunker,
    Coordination,
    NounPhrase,
    Token,
    chunks,
    coordinations,
    tokens,
)
from kg.text._word_lists import (
    AUXILIARIES,
    AVOIDING,
    BODY_PARTS,
    GENERIC,
    INCOMPLETE,
    INSTRUCTION_VERBS,
    words,
)
from kg.text.sentences import sentences
from kg.text.words import HAN

if TYPE_CHECKING:
    from spacy.tokens import Doc

_LINE: Final = re.compile(r"[^\n]+")
_BULLET: Final = re.compile(
    r"\s*(?:[-*+\u2022\u00b7\u25cf\u25e6\u2023\u2013\u2014]|\(?\d{1,2}[.)\u3001])\s+"
)
_TERM_END: Final = re.compile(r"\s*(?::|\s[-\u2013\u2014]\s|[.;](?=\s|$)|--)")
"""Separates what an item names from its explanation."""
_MAX_INSTRUCTION_TOKENS: Final = 10
_MAX_SHORT_FORM: Final = 7
_MAX_SHORT_FORM_WITH_VOWELS: Final = 3
_CONTENT: Final = frozenset(("noun", "adjective", "gerund", "verb"))
"""Verbs too: a pipeline may take for a noun what the rules take for a verb."""
_STOPS: Final = frozenset(",(;:.!?\u2013\u2014")
_CLAUSES: Final = words("if when that which who because since unless so but while as until")
_IS_HAN: Final = re.compile(f"[{HAN}]")
_MIN_HAN_SHARE: Final = 0.3


Place = Literal["item", "instruction", "prose"]


class Phrase(NamedTuple):
    """A phrase and where it stands: ``text[start:end]``, in code points."""

    start: int
    end: int
    text: str
    head: str
    """Its main word, in lower case."""
    before: str
    """The sentence before the coordination that it is part of; for an item, the line that
    introduces the list."""
    after: str
    """The sentence after that coordination."""
    place: Place
    """``item``: it begins a list item, alone or in a coordination; ``instruction``: it is an
    item that says what to do; ``prose``: anything else."""
    sentence: int
    """Where its sentence starts."""


class Block(NamedTuple):
    """A stretch of a text that is one list item or one line of a paragraph."""

    start: int
    end: int
    is_item: bool
    introduction: str
    """The line before the list; empty for a paragraph."""


def phrases(text: str, doc: "Doc | None" = None) -> list[Phrase]:
    """The phrases of a text, in their order.

    Determiners and hedges at their start are left out, and so are uninformative phrases ("the
    condition", "many people") and body parts without a finding.

    Args:
        text: paragraphs, and lists with an item a line ("- fever").
        doc: the text as a spaCy pipeline with a parser analysed it; its noun chunks are used.
    """
    if is_chinese(text):
        return list(_chinese_phrases(text))
    chunker = chunks if doc is None else _SpacyChunks(doc).of
    phrases_found: list[Phrase] = []
    for block in blocks(text):
        phrases_found.extend(
            _phrases_of_item(text, block, chunker)
            if block.is_item
            else _phrases_of_paragraph(text, block, chunker)
        )
    return phrases_found


def is_chinese(text: str) -> bool:
    """Whether more than 30 % of the letters of a text are Han characters."""
    letters = sum(character.isalpha() for character in text)
    return letters > 0 and len(_IS_HAN.findall(text)) / letters > _MIN_HAN_SHARE


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
            spans = sentences(content.rstrip(" .:"))
            introduction = content[spans[-1][0] :] if spans else ""


def _phrases_of_paragraph(text: str, block: Block, chunker: Chunker) -> Iterator[Phrase]:
    for start, end in sentences(text, block.start, block.end):
        sentence = tokens(text, start, end)
        if sentence[0].word in INSTRUCTION_VERBS and sentence[0].tag == "verb":
            yield from _instruction(text, Block(start, end, False, ""), sentence)
            continue
        for coordination in coordinations(sentence, chunker):
            before = text[start : sentence[coordination.first].start]
            after = text[sentence[coordination.end - 1].end : end]
            for phrase in _naming_phrases(sentence, coordination, "prose"):
                yield _phrase(text, sentence, phrase, before, after, "prose", start)


def _phrases_of_item(text: str, block: Block, chunker: Chunker) -> Iterator[Phrase]:
    """The terms or the instruction of an item, then the phrases of its explanation."""
    term = _TERM_END.search(text, block.start, block.end)
    item = tokens(text, block.start, term.start() if term else block.end)
    if item and item[0].word in INSTRUCTION_VERBS:
        yield from _instruction(text, block, item)
    else:
        for number, coordination in enumerate(coordinations(item, chunker)):
            yield from _phrases_of_coordination(text, block, item, coordination, first=number == 0)
    rest = term.end() if term else block.end
    if rest < block.end:
        yield from _phrases_of_paragraph(text, Block(rest, block.end, False, ""), chunker)


def _phrases_of_coordination(
    text: str, block: Block, item: Sequence[Token], coordination: Coordination, *, first: bool
) -> Iterator[Phrase]:
    """The phrases of a coordination in a list item, of which it may be the first."""
    leading = item[: coordination.first]
    follows = item[coordination.end].word if coordination.end < len(item) else ""
    # "The urine may turn pink" is a sentence, not a name
    is_item = (
        first
        and all(token.tag in ("determiner", "adverb", "number") for token in leading)
        and follows not in AUXILIARIES
    )
    place: Place = "item" if is_item else "prose"
    before = block.introduction if is_item else text[block.start : item[coordination.first].start]
    after = text[item[coordination.end - 1].end : item[-1].end]
    for phrase in _naming_phrases(item, coordination, place):
        yield _phrase(text, item, phrase, before, after, place, block.start)


def _instruction(text: str, block: Block, item: Sequence[Token]) -> Iterator[Phrase]:
    """A whole instruction, "Avoid the sun", up to a punctuation mark or a clause."""
    stops = (at for at, token in enumerate(item) if token.tag in _STOPS or token.word in _CLAUSES)
    stop = next(stops, len(item))
    if 1 < stop <= _MAX_INSTRUCTION_TOKENS:
        start, end = item[0].start, item[stop - 1].end
        head = item[0].word
        yield Phrase(
            start, end, text[start:end], head, block.introduction, "", "instruction", block.start
        )


def _phrase(  # noqa: PLR0917 -- the fields of a phrase
    text: str,
    sentence: Sequence[Token],
    phrase: NounPhrase,
    before: str,
    after: str,
    place: Place,
    start_of_sentence: int,
) -> Phrase:
    start, end = sentence[phrase.first].start, sentence[phrase.end - 1].end
    return Phrase(
        start,
        end,
        text[start:end],
        sentence[phrase.head].word,
        before.strip(),
        after.strip(),
        place,
        start_of_sentence,
    )


def _naming_phrases(
    sentence: Sequence[Token], coordination: Coordination, place: Place
) -> Iterator[NounPhrase]:
    """The informative phrases of a coordination."""
    avoided = False
    for phrase in coordination.phrases:
        first = sentence[phrase.first]
        # a further object of "limiting alcohol and …"
        is_avoided = avoided and first.tag != "gerund"
        avoided = avoided or first.word in AVOIDING
        # "inducing" of "inducing and maintaining …"
        is_verb = place == "prose" and phrase.end - phrase.first == 1 and first.tag == "gerund"
        if not (is_avoided or is_verb or _is_uninformative(sentence, phrase)):
            yield phrase


def _is_uninformative(sentence: Sequence[Token], phrase: NounPhrase) -> bool:
    content = [token for token in sentence[phrase.first : phrase.end] if token.tag in _CONTENT]
    is_one_word = phrase.end - phrase.first == 1
    if is_one_word and (
        sentence[phrase.first].word in INCOMPLETE or _is_short_form(sentence, phrase)
    ):
        return True
    if all(token.word in GENERIC for token in content):
        return True
    nouns = [token.word for token in content if token.tag == "noun"]
    of_body = bool(nouns) and all(noun in BODY_PARTS for noun in nouns)
    return of_body and not any(token.tag in ("adjective", "gerund") for token in content)


def _is_short_form(sentence: Sequence[Token], phrase: NounPhrase) -> bool:
    """Whether a word is alone in its parenthesis and looks like a short form: (UV)."""
    token = sentence[phrase.first]
    beside = [
        sentence[at].word for at in (phrase.first - 1, phrase.end) if 0 <= at < len(sentence)
    ]
    length = token.end - token.start
    return (
        beside == ["(", ")"]
        and length <= _MAX_SHORT_FORM
        and token.tag == "noun"
        and (not set("aeiou") & set(token.word) or length <= _MAX_SHORT_FORM_WITH_VOWELS)
    )


class _SpacyChunks:
    """The noun chunks of a spaCy document, as a chunker."""

    def __init__(self, doc: "Doc") -> None:
        self._spans = [(chunk.start_char, chunk.end_char) for chunk in doc.noun_chunks]

    def of(self, sentence: Sequence[Token]) -> list[tuple[int, int]]:
        """The chunks as ranges of the sentence's tokens, split at marks and conjunctions."""
        ranges: list[tuple[int, int]] = []
        for start, end in self._spans:
            inside = [at for at, t in enumerate(sentence) if start <= t.start and t.end <= end]
            first: int | None = None
            for at in inside:
                token = sentence[at]
                splits = token.tag in ("conjunction", ",") or not token.word[0].isalnum()
                if splits and first is not None:
                    ranges.append((first, at))
                first = None if splits else (at if first is None else first)
            if first is not None:
                ranges.append((first, inside[-1] + 1))
        return ranges


_ZH_SENTENCE: Final = re.compile(r"[^。！？!?；;\n]+")
_ZH_MEMBER: Final = re.compile(r"[^、，,：:（）()]+|[（(][^（）()]*[）)]|[、，,：:]")
_ZH_LEAD: Final = re.compile(
    r".*(?:包括|表现为|表现有|常见的有|主要有|常有|可有|伴有|例如|比如|诸如|出现|引起|导致|造成|分为|可见"
    r"|采用|选用|给予|使用|服用|应用|可用|进行|接受|[是为有如])"
)
_ZH_WARNING: Final = re.compile(r"避免|防止|预防|忌|禁|慎用|勿|无|未见|没有|排除|鉴别|区别")
"""Introduces members that are not what the section lists."""
_ZH_TRAIL: Final = re.compile(
    r"(?:等等|等).*$|(?:的?症状|的?情况|现象)$|(?:[也均都亦][可能会]?|[可能会])(?:诱发|引起|导致|造成|有效|缓解).*$"
)
_ZH_HEDGE: Final = re.compile(
    r"^(?:以及|并且|或者|甚至|还有|有时|偶有|常常|轻度|可能|一些|其他|其它|部分|各种|及|和|与|或|并|常|可|伴)"
)
_ZH_CONJUNCTION: Final = re.compile(r"以及|及其|或者|[和与或及]")
_ZH_CLAUSE: Final = re.compile(
    r"[是的了着过吧呢吗]$|可以|应该|应当|需要|必须|如果|因为|所以|由于|但是|患者|病人|医生|没有|不能|不是|之后|以后|时候|[我你他她它]"
)
_ZH_SHORTEST, _ZH_LONGEST = 2, 15
_ZH_STOP_LIST: Final = (
    "症状 体征 疾病 患者 病人 治疗 方法 原因 病因 因素 药物 检查 诊断 预防 并发症 情况 时间 医生 医院 "
    "其他 其它 主要 一般 早期 晚期 轻者 重者 严重者 严重 部分 儿童 成人 老年人 临床 临床表现"
)
_ZH_STOP_WORDS: Final = words(_ZH_STOP_LIST)
_ZH_LETTERS: Final = re.compile(f"[{HAN}A-Za-z0-9\u03b1-\u03c9%+./·-]+")


def _chinese_phrases(text: str) -> Iterator[Phrase]:
    """The members of enumerations (、) and of lists."""
    for block in blocks(text):
        for sentence in _ZH_SENTENCE.finditer(text, block.start, block.end):
            is_item = block.is_item and sentence.start() == block.start
            for start, end in _members(text, *sentence.span(), is_item=is_item):
                before = block.introduction if is_item else text[sentence.start() : start]
                member = text[start:end]
                yield Phrase(start, end, member, member, before, "", "item", sentence.start())


def _members(text: str, start: int, end: int, *, is_item: bool) -> Iterator[tuple[int, int]]:
    parts = [match.span() for match in _ZH_MEMBER.finditer(text, start, end)]
    if is_item and len(parts) == 1:
        if span := _trimmed_member(text, start, end):
            yield span
        return
    listed = "、" in text[start:end]
    for at, (first, last) in enumerate(parts):
        if text[first] in "、，,：:（(" or _ZH_WARNING.search(text, start, last):
            continue
        beside = {text[slice(*parts[i])][0] for i in (at - 1, at + 1) if 0 <= i < len(parts)}
        # members of an enumeration, and what is between commas next to one
        after_comma = listed and beside & set("，,") and last - first <= _ZH_LONGEST
        if "、" in beside or after_comma:
            yield from _coordinated_members(text, first, last)


def _coordinated_members(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The members of a part, which 和 and the like may join."""
    if lead := _ZH_LEAD.match(text, start, end):
        start = lead.end()
    at = start
    for conjunction in [*_ZH_CONJUNCTION.finditer(text, start, end), None]:
        stop = conjunction.start() if conjunction else end
        if span := _trimmed_member(text, at, stop):
            yield span
        at = conjunction.end() if conjunction else end


def _trimmed_member(text: str, start: int, end: int) -> tuple[int, int] | None:
    """A member without hedges at its ends; None if what is left is no term."""
    end = start + len(_ZH_TRAIL.sub("", text[start:end].rstrip()))
    while (hedge := _ZH_HEDGE.match(text, start, end)) or (start < end and text[start].isspace()):
        start = hedge.end() if hedge else start + 1
    member = text[start:end]
    names = (
        _ZH_SHORTEST <= len(member) <= _ZH_LONGEST
        and _ZH_LETTERS.fullmatch(member)
        and member not in _ZH_STOP_WORDS
        and not _ZH_CLAUSE.search(member)
    )
    return (start, end) if names else None
