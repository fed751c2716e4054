"""What an utterance says of findings, diseases and drugs: which it affirms, denies or leaves open.

Things are found by ``kg.linking``, by the words that are known for them, and where all the words of one
name stand in one sentence ("my joints hurt and they are swollen": swollen joints).
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from evalsim.case import Language
from kg.linking.linker import Linker
from kg.linking.mention import Mention
from kg.text.context import contexts
from kg.text.sentences import sentences
from kg.text.spelling import singular

_HAN: Final = re.compile("[\u3400-\u9fff]")
_LATIN: Final = re.compile("[A-Za-z]{2,}")
_FEW_HAN: Final = 3
_FEW_LATIN: Final = 6
_CLAIMED: Final = ("Symptom", "Disease", "Drug")
_ROOT: Final = 3
"""Letters of a word that all its forms have."""
_WORD: Final = re.compile(r"[^\W_]+")
_SMALL: Final = frozenset(
    [
        "a",
        "an",
        "and",
        "any",
        "at",
        "been",
        "by",
        "for",
        "from",
        "get",
        "got",
        "had",
        "has",
        "have",
        "having",
        "i",
        "in",
        "is",
        "it",
        "its",
        "lot",
        "lots",
        "me",
        "my",
        "of",
        "on",
        "or",
        "our",
        "some",
        "so",
        "that",
        "the",
        "there",
        "these",
        "this",
        "those",
        "to",
        "very",
        "was",
        "when",
        "with",
        "his",
        "her",
        "he",
        "she",
        "who",
        "always",
        "really",
    ]
)
_NEAR: Final = 60
"""Characters within which the words for a finding stand."""
_AFTER: Final = 12
_SMALL_HAN: Final = frozenset("子上下里的了有很老发感得是不还也就在和与及中大小多想请看")
_QUESTION: Final = re.compile(r"[?？吗呢]\W*$")
Polarity = Literal["affirmed", "denied", "open"]


class Claim(NamedTuple):
    """What an utterance says of a thing."""

    start: int
    stop: int
    id: str
    type: str
    polarity: Polarity


class Vocabulary:
    """The words that are known for some things."""

    def __init__(self, names: Mapping[str, Collection[str]], types: Mapping[str, str]) -> None:
        """Know names.

        Args:
            names: of each thing, by its id; of two things of one name the first has it.
            types: node types by id.
        """
        self.types = types
        self.words = Words(
            {key(n): id_ for id_ in reversed(list(names)) for n in names[id_] if is_telling(n)}
        )
        self.tokens = {
            id_: [words for n in each if len(words := frozenset(tokens(n))) > 1]
            for id_, each in names.items()
        }
        """Of each, the words of every name of several words."""


class ClaimReader:
    """Finds what utterances claim; threads may share it."""

    def __init__(
        self,
        linker: Linker,
        hedges: Sequence[re.Pattern[str]],
        denied_after: re.Pattern[str],
        worry: re.Pattern[str],
    ) -> None:
        """Find by a graph's names.

        Args:
            linker: of the names.
            hedges: in a sentence, say that it affirms nothing.
            denied_after: directly behind a finding, deny it.
            worry: words of feelings that are no finding.
        """
        self._linker = linker
        self._hedges, self._denied_after, self._worry = hedges, denied_after, worry

    def read(
        self, text: str, vocabulary: Vocabulary, allowed_tokens: frozenset[str]
    ) -> list[Claim]:
        """What is affirmed, denied or left open, each thing once, in the order of the text.

        Args:
            text: the utterance.
            vocabulary: words for things, beside those of the graph.
            allowed_tokens: words (of ``tokens``) that may be said anyway.
        """
        mentions = self._linker.link(text)
        open_spans = [
            (start, stop)
            for start, stop in clauses(text)
            if any(hedge.search(text, start, stop) for hedge in self._hedges)
            or _QUESTION.search(text[start:stop])
        ]
        worries = [m.span() for m in self._worry.finditer(text)]
        claims = [
            Claim(m.start, m.end, m.entity.id, m.entity.type, self._polarity(text, m, open_spans))
            for m in mentions
            if m.entity
            and m.entity.type in _CLAIMED
            and not m.family
            and not any(start < m.end and m.start < stop for start, stop in worries)
        ]
        matches = vocabulary.words.find(text)
        spans = [(match.start, match.stop) for match in matches]
        for match, context in zip(matches, contexts(text, spans), strict=True):
            if context.family or any(c.id == match.id or _is_within(match, c) for c in claims):
                continue
            claims = [c for c in claims if c.stop <= match.start or match.stop <= c.start]
            polarity: Polarity = "denied" if context.negated else "affirmed"
            if any(start <= match.start < stop for start, stop in open_spans):
                polarity = "open"
            claims.append(Claim(*match, vocabulary.types[match.id], polarity))
        claims += self._scattered(
            text, vocabulary, allowed_tokens, {c.id for c in claims}, open_spans
        )
        return sorted(claims)

    def _scattered(
        self,
        text: str,
        vocabulary: Vocabulary,
        allowed_tokens: frozenset[str],
        claimed: Collection[str],
        open_spans: Sequence[tuple[int, int]],
    ) -> Iterator[Claim]:
        """Findings of the case all of whose words stand in one sentence, not side by side."""
        for start, stop in clauses(text):
            if (start, stop) in open_spans:
                continue
            place_of = _places(text, start, stop)
            for id_, names in vocabulary.tokens.items():
                name = next(
                    (n for n in names if n <= place_of.keys() and not n <= allowed_tokens), None
                )
                if name is None or id_ in claimed:
                    continue
                places = sorted(place_of[token] for token in name)
                if places[-1] - places[0] > (_NEAR if text.isascii() else _NEAR // 5):
                    continue
                context = contexts(text, [(place, place + 1) for place in places])
                if not any(each.negated or each.family for each in context):
                    yield Claim(places[0], places[-1] + 1, id_, vocabulary.types[id_], "affirmed")

    def _polarity(
        self, text: str, mention: Mention, open_spans: Sequence[tuple[int, int]]
    ) -> Polarity:
        if any(start <= mention.start < stop for start, stop in open_spans):
            return "open"
        denied = mention.negated or self._denied_after.search(text[mention.end :][:_AFTER])
        return "denied" if denied else "affirmed"


def is_foreign(text: str, language: Language, names: Iterable[str]) -> bool:
    """Whether an utterance is not in a language, but for some names that may be in another."""
    han = len(_HAN.findall(text))
    for name in names:
        text = re.sub(re.escape(name), "", text, flags=re.IGNORECASE)
    if language == "en":
        return len(_HAN.findall(text)) >= _FEW_HAN
    latin = _LATIN.findall(text)
    few = _FEW_LATIN if han else _FEW_HAN
    return len(latin) >= few and sum(map(len, latin)) > 2 * han


def clauses(text: str) -> Iterator[tuple[int, int]]:
    """Sentences, cut at semicolons and at "but"."""
    for start, stop in sentences(text):
        start_of_clause = start
        for conjunction in re.finditer(r";|；|\bbut\b|但是?|不过", text[start:stop]):
            yield start_of_clause, start + conjunction.start()
            start_of_clause = start + conjunction.end()
        yield start_of_clause, stop


class Match(NamedTuple):
    """Words that stand in a text."""

    start: int
    stop: int
    id: str
    """What they mean."""


class Words:
    """Finds words in a text, the longest first, none within another."""

    def __init__(self, by_word: Mapping[str, str]) -> None:
        """Find words, which mean an id each."""
        words = sorted(filter(None, by_word), key=lambda word: (-len(word), word))
        self._by_word = [(word, by_word[word]) for word in words]

    def find(self, text: str) -> list[Match]:
        """The words that stand in a text, in their order."""
        lower = text.lower()
        if len(lower) != len(text):  # a letter whose small form is two
            lower = text
        matches: list[Match] = []
        for word, id_ in self._by_word:
            start = lower.find(word)
            while start >= 0:
                stop = start + len(word)
                if not any(
                    other_start < stop and start < other_stop
                    for other_start, other_stop, _ in matches
                ) and (_HAN.search(word) or _is_whole(lower, start, stop)):
                    matches.append(Match(start, stop, id_))
                start = lower.find(word, stop)
        return sorted(matches)


def _is_whole(text: str, start: int, stop: int) -> bool:
    return not (text[:start][-1:].isalnum() or text[stop : stop + 1].isalnum())


def _is_within(match: Match, claim: Claim) -> bool:
    """Whether a claim has more words around a match."""
    longer = claim.stop - claim.start > match.stop - match.start
    return claim.start <= match.start and match.stop <= claim.stop and longer


def is_telling(words: str) -> bool:
    """Whether words are long enough to be told from others."""
    return len(words) > 1 if _HAN.search(words) else len(words) > 3  # noqa: PLR2004


def key(words: str) -> str:
    """Words as they are compared."""
    return re.sub(r"\s+", " ", words).lower()


def tokens(text: str) -> set[str]:
    """The words of a text that say something: English ones in the singular, Chinese characters."""
    words = {word.lower() for word in _WORD.findall(text) if not _HAN.search(word)} - _SMALL
    return {_stem(word) for word in words} | set(_HAN.findall(text)) - _SMALL_HAN


def _places(text: str, start: int, stop: int) -> dict[str, int]:
    """Where each word of a part of a text begins."""
    place_of: dict[str, int] = {}
    for match in _WORD.finditer(text, start, stop):
        for n, token in enumerate(
            match[0] if _HAN.search(match[0]) else (_stem(match[0].lower()),)
        ):
            place_of.setdefault(token, match.start() + n)
    return place_of


def _stem(word: str) -> str:
    """What "swelling", "swells" and "swollen", or "red" and "redness" have in common."""
    word = singular(word)
    stem = re.sub(r"(?:ness|ing|ed|en|s|ful|y)$", "", word)
    stem = re.sub(r"(.)\1$", r"\1", stem if len(stem) >= _ROOT else word)
    return "swel" if stem.startswith("swol") else stem
