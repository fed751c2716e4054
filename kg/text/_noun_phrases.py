"""English noun phrases of a sentence: tags its words, and groups phrases that it coordinates."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from kg.text._word_lists import (
    AMBIGUOUS,
    AUXILIARIES,
    BE,
    BODY_PARTS,
    COMPLEMENTS,
    CONJUNCTIONS,
    DETERMINERS,
    GENERIC,
    GERUND_NOUNS,
    HEDGES,
    IMPERATIVES,
    LIST_ADVERBS,
    MODALS,
    MOSTLY_NOUNS,
    OCCASIONS,
    POSTPOSED_PARTICIPLES,
    PREPOSITIONS,
    PRONOUNS,
    VERBS,
    VERBS_AFTER_NOUNS,
    is_adjective,
    is_adverb,
    words,
)

_TOKEN: Final = re.compile(r"(?:e\.g\.|i\.e\.|[^\W_]+(?:[-'\u2019./%][^\W_]+)*[%+]?|[^\s])")
_NUMBER: Final = re.compile(r"\d[\d.,%/-]*|one-\w+|two-\w+")
_MIN_INFLECTED: Final = 5
"""Letters of the shortest word whose ending tells its part of speech."""
_TAGGED_LISTS: Final = (
    ("determiner", DETERMINERS),
    ("conjunction", CONJUNCTIONS),
    ("preposition", PREPOSITIONS),
    ("adverb", PRONOUNS),
    ("verb", AUXILIARIES),
    ("ambiguous", AMBIGUOUS),
    ("noun", GERUND_NOUNS),
    ("verb", VERBS),
)
"""The tags of listed words; the first list that has a word counts."""
_NO_GERUNDS: Final = words(
    "thing ring wing string spring sling king evening morning building ceiling sibling siblings "
    "lining offspring shilling bring sting swing drug-eluting"
)
_NO_PARTICIPLES: Final = words("bed red seed weed feed need blood breed speed hundred")


class Token(NamedTuple):
    """A word or punctuation mark of a sentence; offsets in the whole text."""

    start: int
    end: int
    word: str
    """In lower case."""
    tag: str
    """``noun adjective number participle gerund verb adverb determiner preposition conjunction``,
    or the punctuation mark itself."""
    is_capitalised: bool = False
    """Its first letter is upper case, the others are lower case."""


def tokens(text: str, start: int, end: int) -> list[Token]:
    """The words and punctuation marks of ``text[start:end]``, a sentence, with their tags."""
    matches = list(_TOKEN.finditer(text, start, end))
    plain = [match[0].lower().replace("\u2019", "'") for match in matches]
    tags = list(map(_lexical_tag, plain))
    for at in range(len(plain)):
        tags[at] = _contextual_tag(plain, tags, at)
    return [
        Token(
            *match.span(),
            match[0].lower(),
            tag,
            match[0][0].isupper() and match[0][1:].islower(),
        )
        for match, tag in zip(matches, tags, strict=True)
    ]


def _lexical_tag(word: str) -> str:
    """The tag of a word by itself: by the lists, else by its ending."""
    if not word[0].isalnum():
        return word
    if _NUMBER.fullmatch(word):
        return "number"
    if listed := next((tag for tag, members in _TAGGED_LISTS if word in members), None):
        return listed
    return _tag_by_ending(word)


def _tag_by_ending(word: str) -> str:
    if len(word) >= _MIN_INFLECTED:
        if word.endswith("ed") and word not in _NO_PARTICIPLES:
            return "participle"
        if word.endswith("ing") and word not in _NO_GERUNDS:
            return "gerund"
        if is_adverb(word):
            return "adverb"
    return "adjective" if is_adjective(word) else "noun"


_AFTER_ADJECTIVES: Final = frozenset(("participle", "adverb", "conjunction", ",", "preposition"))
_SUBJECTS: Final = words("it they you we that which who not")
_NOMINAL: Final = frozenset(("noun", "adjective", "gerund", "ambiguous", "number"))


class _Neighbours(NamedTuple):
    """The words beside a word; the tag before it is final."""

    tag_before: str
    """``start`` at the beginning."""
    before: str
    tag_after: str
    """``end`` at the end."""


def _contextual_tag(plain: Sequence[str], tags: Sequence[str], at: int) -> str:
    """The tag of a word among its neighbours."""
    retag = _RETAG.get(tags[at])
    more = at + 1 < len(tags)
    if more and (plain[at], plain[at + 1]) == ("down", "syndrome"):
        return "noun"
    if retag is None:
        return tags[at]
    neighbours = _Neighbours(
        tags[at - 1] if at else "start",
        plain[at - 1] if at else "",
        tags[at + 1] if more else "end",
    )
    return retag(plain[at], neighbours)


def _retag_participle(word: str, neighbours: _Neighbours) -> str:
    """An adjective in "swollen glands", a verb in "glands swollen by"."""
    modifies = (
        word not in POSTPOSED_PARTICIPLES
        and neighbours.tag_after in (_NOMINAL - {"gerund"}) | {"participle"}
        and (neighbours.tag_before not in ("noun", "gerund") or neighbours.before in ("and", "or"))
    )
    return "adjective" if modifies else "verb"


def _retag_gerund(_: str, neighbours: _Neighbours) -> str:
    if neighbours.before.startswith(("difficult", "trouble")):
        return "gerund"
    follows_noun = neighbours.tag_before == "noun" and neighbours.tag_after not in (
        "noun",
        "ambiguous",
    )
    is_predicate = neighbours.before in BE and neighbours.tag_after in (
        "determiner",
        "preposition",
    )
    return "verb" if follows_noun or is_predicate else "gerund"


def _retag_adjective(_: str, neighbours: _Neighbours) -> str:
    """A noun where nothing follows that it could modify: "the elderly"."""
    alone = (
        neighbours.tag_before == "determiner"
        and neighbours.tag_after not in _NOMINAL | _AFTER_ADJECTIVES
    )
    return "noun" if alone else "adjective"


def _retag_verb(word: str, neighbours: _Neighbours) -> str:
    """No verb in "the find" and in "slow growth", a verb in "drugs slow growth"."""
    if word in AUXILIARIES:
        return "verb"
    if neighbours.tag_before == "determiner" and neighbours.before != "that":
        return "noun"
    is_predicate = (
        neighbours.tag_before == "noun"
        or neighbours.before in MODALS
        or neighbours.before in _SUBJECTS
    )
    modifies = is_adjective(word) and neighbours.tag_after in _NOMINAL and not is_predicate
    return "adjective" if modifies else "verb"


def _retag_ambiguous(word: str, neighbours: _Neighbours) -> str:
    """A noun or a verb."""
    tag_before, before, tag_after = neighbours
    if before in MODALS or before in _SUBJECTS:
        return "verb"
    if tag_before == "start":
        is_verb = tag_after == "determiner" or (word in IMPERATIVES and tag_after != "preposition")
        return "verb" if is_verb else "noun"
    if tag_before not in ("noun", "adverb") or word.removesuffix("s") in MOSTLY_NOUNS:
        return "noun"
    has_object = tag_after in ("determiner", "adjective", "adverb") or word in VERBS_AFTER_NOUNS
    follows_adverb = tag_before == "adverb" and tag_after in ("preposition", "number")
    # "infection causes fever", "smokers need help" against "blood test results"
    agrees = tag_after in _NOMINAL and word.endswith("s") != before.endswith("s")
    is_verb = has_object or follows_adverb or (tag_before == "noun" and agrees)
    return "verb" if is_verb else "noun"


_RETAG: Final[dict[str, Callable[[str, _Neighbours], str]]] = {
    "adjective": _retag_adjective,
    "ambiguous": _retag_ambiguous,
    "gerund": _retag_gerund,
    "participle": _retag_participle,
    "verb": _retag_verb,
}
"""By the tag that a word has by itself."""

_INSIDE: Final = frozenset(("noun", "adjective", "number", "gerund"))
_PLACES: Final = words(
    "in on around behind under underneath near over above below between across at along from into "
    "through inside throughout within outside against"
)
_OCCASIONAL: Final = words("at on during after before with upon in to while when")
_SIDES: Final = words("left right upper lower inner outer")
_MAX_PHRASE_TOKENS: Final = 12
"""Tokens of a phrase; a longer one is no term."""


@dataclass
class NounPhrase:
    """Tokens ``first`` up to ``end`` of a sentence."""

    first: int
    end: int
    head: int
    """The token of its main noun."""
    is_modifier: bool = False
    """It has only adjectives, which modify what follows."""


@dataclass
class Coordination:
    """Phrases that a sentence coordinates: "fever, chills and a rash"."""

    phrases: list[NounPhrase] = field(default_factory=list)

    @property
    def first(self) -> int:
        """The first token."""
        return self.phrases[0].first

    @property
    def end(self) -> int:
        """After the last token."""
        return self.phrases[-1].end


Chunker = Callable[[Sequence[Token]], list[tuple[int, int]]]
"""The noun chunks of a sentence, without the complements after them, as ranges of its tokens."""


def chunks(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Sequences of nouns and of what modifies them."""
    ranges: list[tuple[int, int]] = []
    first: int | None = None
    for at, token in enumerate(tokens):
        inside = token.tag in _INSIDE or _modifies_adjective(tokens, at)
        if inside and first is not None and _begins(tokens, first, at):
            ranges.append((first, at))
            first = at
        elif inside and first is None:
            first = at
        elif not inside and first is not None:
            ranges.append((first, at))
            first = None
    if first is not None:
        ranges.append((first, len(tokens)))
    return ranges


def _begins(tokens: Sequence[Token], first: int, at: int) -> bool:
    """Whether a phrase begins at a capital letter though no mark ends the phrase before it.

    This happens where a page has lost the line ends of a list: "Blurred vision Abnormal gait".
    """
    token, last = tokens[at], tokens[at - 1]
    if not token.is_capitalised or last.tag != "noun" or at == first:
        return False
    is_plural = last.word.endswith("s") and not last.word.endswith(("ss", "is", "us", "'s"))
    is_no_name = token.tag in ("adjective", "gerund") or token.word in GENERIC
    return is_plural or is_no_name or token.word in (last.word, tokens[first].word)


def _modifies_adjective(tokens: Sequence[Token], at: int) -> bool:
    """Whether a token is an adverb that belongs to the adjective after it."""
    tag_after = tokens[at + 1].tag if at + 1 < len(tokens) else ""
    is_adverb = tokens[at].tag == "adverb" and tokens[at].word.endswith("ly")
    return is_adverb and tag_after == "adjective"


def coordinations(tokens: Sequence[Token], chunker: Chunker = chunks) -> list[Coordination]:
    """The noun phrases of a sentence, coordinated ones together."""
    trimmed = (_trimmed(tokens, *chunk) for chunk in chunker(tokens))
    phrases = _with_complements(tokens, [phrase for phrase in trimmed if phrase])
    grouped: list[Coordination] = []
    for phrase in _with_modifiers(tokens, phrases):
        if grouped and _are_coordinated(tokens, grouped[-1].end, phrase.first):
            grouped[-1].phrases.append(phrase)
        else:
            grouped.append(Coordination([phrase]))
    whole = (_with_body_parts(tokens, coordination) for coordination in grouped)
    return [coordination for coordination in whole if coordination.phrases]


def _trimmed(tokens: Sequence[Token], first: int, end: int) -> NounPhrase | None:
    """A chunk without uninformative words at its ends; None if nothing is left."""
    while first < end and (
        tokens[first].tag in ("determiner", "adverb", "number") or tokens[first].word in HEDGES
    ):
        first += 1
    while first < end and tokens[end - 1].tag in ("adverb", "determiner", "number"):
        end -= 1
    if first == end:
        return None
    modifier = all(token.tag in ("adjective", "adverb", "number") for token in tokens[first:end])
    # "difficulty becoming pregnant" keeps its adjective
    while not modifier and tokens[end - 1].tag == "adjective" and tokens[end - 2].tag != "gerund":
        end -= 1
    return NounPhrase(first, end, end - 1, modifier)


def _with_complements(tokens: Sequence[Token], phrases: Sequence[NounPhrase]) -> list[NounPhrase]:
    """Phrases joined with their complements: "loss of appetite", "pain in the chest"."""
    joined: list[NounPhrase] = []
    for phrase in phrases:
        last = joined[-1] if joined else None
        if last and not last.is_modifier and _is_complement(tokens, last, phrase):
            last.end = phrase.end
        else:
            joined.append(phrase)
    return joined


def _is_complement(tokens: Sequence[Token], phrase: NounPhrase, other: NounPhrase) -> bool:
    """Whether ``other`` completes the phrase before it."""
    between = [
        token
        for token in tokens[phrase.end : other.first]
        if token.tag not in ("determiner", "number", "adverb") and token.word not in HEDGES
    ]
    head, object_ = tokens[phrase.head], tokens[other.head].word
    if other.end - phrase.first > _MAX_PHRASE_TOKENS or not between:
        # "taking the pill": nothing but a determiner between a gerund and its object
        return not between and head.tag == "gerund" and phrase.end < other.first
    if len(between) > 1:
        return False
    link = between[0].word
    if link == "of":
        return head.word not in GENERIC or head.word in ("loss", "lack", "history", "use")
    has_place = head.word not in GENERIC or head.word in ("changes", "problems")
    at_place = link in _PLACES and object_ in BODY_PARTS and has_place
    on_occasion = link in _OCCASIONAL and object_ in OCCASIONS
    of_gerund = head.tag == "gerund" and between[0].tag == "preposition"
    of_gerund = of_gerund and link not in ("by", "as")
    of_gerund = of_gerund or (link == "up" and head.word.endswith("ing"))
    return at_place or on_occasion or of_gerund or head.word in COMPLEMENTS.get(link, ())


def _with_modifiers(
    tokens: Sequence[Token], phrases: Sequence[NounPhrase]
) -> Iterator[NounPhrase]:
    """Adjectives joined with the phrase that they modify: "red, itchy or watery eyes"."""
    modifier: NounPhrase | None = None
    for phrase in phrases:
        if modifier and _modifies(tokens, modifier, phrase):
            phrase = NounPhrase(modifier.first, phrase.end, phrase.head, phrase.is_modifier)  # noqa: PLW2901 - joined
        modifier = phrase if phrase.is_modifier else None
        if not phrase.is_modifier:
            yield phrase


def _modifies(tokens: Sequence[Token], modifier: NounPhrase, phrase: NounPhrase) -> bool:
    """Whether adjectives are coordinated with those of the next phrase.

    A comma before "and" needs another before it: "red, swollen, and painful joints", but not
    "... can be vague, and gout ...".
    """
    between = {token.tag for token in tokens[modifier.end : phrase.first]}
    listed = any(token.tag == "," for token in tokens[modifier.first : modifier.end])
    is_clause = {",", "conjunction"} <= between and not listed
    return not is_clause and _are_coordinated(tokens, modifier.end, phrase.first)


def _are_coordinated(tokens: Sequence[Token], end: int, first: int) -> bool:
    """Whether only a comma or conjunction and uninformative words stand between two phrases."""
    between = tokens[end:first]
    rest = [token for token in between if token.tag not in (",", "conjunction", "/")]
    return len(rest) < len(between) and all(
        token.tag in ("determiner", "number")
        or token.word in HEDGES
        or token.word in LIST_ADVERBS
        or token.word.endswith("ly")
        for token in rest
    )


def _with_body_parts(tokens: Sequence[Token], coordination: Coordination) -> Coordination:
    """Coordinated body parts joined with the phrase that they belong to.

    "heart and lung disease" is one phrase, and so is "pain in the back, sides and groin".
    """
    phrases: list[NounPhrase] = []
    for phrase in coordination.phrases:
        last = phrases[-1] if phrases else None
        if last and phrase.end - last.first <= _MAX_PHRASE_TOKENS:
            if _is_body_part(tokens, last) and tokens[phrase.first].word in BODY_PARTS:
                phrases[-1] = NounPhrase(last.first, phrase.end, phrase.head)
                continue
            # "yellow eyes" and skin
            ends_in_body_part = (
                last.end - last.first > 1 and tokens[last.end - 1].word in BODY_PARTS
            )
            if _is_body_part(tokens, phrase) and ends_in_body_part:
                last.end = phrase.end
                continue
        phrases.append(phrase)
    return Coordination(
        [phrase for phrase in phrases if phrase.end - phrase.first <= _MAX_PHRASE_TOKENS]
    )


def _is_body_part(tokens: Sequence[Token], phrase: NounPhrase) -> bool:
    """Whether a phrase has nothing but names of body parts and sides."""
    return tokens[phrase.head].word in BODY_PARTS and all(
        token.word in BODY_PARTS | _SIDES for token in tokens[phrase.first : phrase.end]
    )
