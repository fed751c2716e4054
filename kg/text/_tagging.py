"""Parts of speech of English words, as far as finding noun phrases needs them."""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from kg.text._phrase_words import (
    AMBIGUOUS,
    AUXILIARIES,
    BE,
    CONJUNCTIONS,
    DETERMINERS,
    GERUND_NOUNS,
    IMPERATIVES,
    MODALS,
    MOSTLY_NOUNS,
    NEVER_DESCRIBING,
    PREPOSITIONS,
    PRONOUNS,
    VERBS,
    VERBS_BEHIND_NOUNS,
    is_adjective,
    is_adverb,
    words,
)

_TOKEN: Final = re.compile(r"(?:e\.g\.|i\.e\.|[^\W_]+(?:[-'\u2019./%][^\W_]+)*[%+]?|[^\s])")
_NUMBER: Final = re.compile(r"\d[\d.,%/-]*|one-\w+|two-\w+")
_SHORTEST: Final = 4
_LISTED: Final = (
    ("determiner", DETERMINERS),
    ("conjunction", CONJUNCTIONS),
    ("preposition", PREPOSITIONS),
    ("adverb", PRONOUNS),
    ("verb", AUXILIARIES),
    ("ambiguous", AMBIGUOUS),
    ("noun", GERUND_NOUNS),
    ("verb", VERBS),
)
_NO_GERUNDS: Final = words(
    "thing ring wing string spring sling king evening morning building ceiling sibling siblings "
    "lining offspring shilling bring sting swing drug-eluting"
)
_NO_PARTICIPLES: Final = words("bed red seed weed feed need blood breed speed hundred")


class Token(NamedTuple):
    """A word or mark of a sentence; offsets in the whole text."""

    start: int
    end: int
    word: str
    """In small letters."""
    tag: str
    """``noun adjective number participle gerund verb adverb determiner preposition conjunction``,
    or the mark itself."""
    is_capital: bool = False
    """It begins with a capital and goes on small."""


def tokens(text: str, start: int, end: int) -> list[Token]:
    """The words and marks of ``text[start:end]``, a sentence, with their tags."""
    found = [(m.start(), m.end(), m[0].lower()) for m in _TOKEN.finditer(text, start, end)]
    written = [word.replace("\u2019", "'") for _, _, word in found]
    tags = [_by_itself(word) for word in written]
    for at in range(len(written)):
        tags[at] = _in_context(written, tags, at)
    return [
        Token(a, b, w, t, text[a].isupper() and text[a + 1 : b].islower())
        for (a, b, _), w, t in zip(found, written, tags, strict=True)
    ]


def _by_itself(word: str) -> str:
    if not word[0].isalnum():
        return word
    if _NUMBER.fullmatch(word):
        return "number"
    return next((tag for tag, members in _LISTED if word in members), "") or _by_ending(word)


def _by_ending(word: str) -> str:
    if len(word) > _SHORTEST:
        if word.endswith("ed") and word not in _NO_PARTICIPLES:
            return "participle"
        if word.endswith("ing") and word not in _NO_GERUNDS:
            return "gerund"
        if is_adverb(word):
            return "adverb"
    return "adjective" if is_adjective(word) else "noun"


_MAY_DESCRIBE: Final = frozenset(("participle", "adverb", "conjunction", ",", "preposition"))
_SUBJECTS: Final = words("it they you we that which who not")
_NOMINAL: Final = frozenset(("noun", "adjective", "gerund", "ambiguous", "number"))


class _Around(NamedTuple):
    """What stands beside a word; what stands before it is settled."""

    before: str
    """Tag of the word before, ``start`` for none."""
    last: str
    """The word before."""
    after: str
    """Tag of the word behind, ``end`` for none."""
    next: str
    """The word behind."""


def _in_context(written: Sequence[str], tags: Sequence[str], at: int) -> str:
    """The tag of a word whose neighbours matter."""
    more = at + 1 < len(tags)
    around = _Around(
        tags[at - 1] if at else "start",
        written[at - 1] if at else "",
        tags[at + 1] if more else "end",
        written[at + 1] if more else "",
    )
    settle = _SETTLED_BY_CONTEXT.get(tags[at])
    return settle(written[at], around) if settle else tags[at]


def _ambiguous(word: str, around: _Around) -> str:
    return "verb" if _is_verb(word, around) else "noun"


def _preposition(word: str, around: _Around) -> str:
    return "noun" if (word, around.next) == ("down", "syndrome") else "preposition"


def _participle(word: str, around: _Around) -> str:
    """Of two uses: "swollen glands" describes, "glands swollen by" does not."""
    describes = (
        word not in NEVER_DESCRIBING
        and around.after in (_NOMINAL - {"gerund"}) | {"participle"}
        and (around.before not in ("noun", "gerund") or around.last in ("and", "or"))
    )
    return "adjective" if describes else "verb"


def _gerund(_: str, around: _Around) -> str:
    if around.last.startswith(("difficult", "trouble")):
        return "gerund"
    is_behind = around.before == "noun" and around.after not in ("noun", "ambiguous")
    is_predicate = around.last in BE and around.after in ("determiner", "preposition")
    return "verb" if is_behind or is_predicate else "gerund"


def _adjective(_: str, around: _Around) -> str:
    """A noun where nothing follows that it could describe: "the elderly"."""
    alone = around.before == "determiner" and around.after not in _NOMINAL | _MAY_DESCRIBE
    return "noun" if alone else "adjective"


def _verb(word: str, around: _Around) -> str:
    """No verb in "the find" and in "slow growth", one in "drugs slow growth"."""
    if word in AUXILIARIES:
        return "verb"
    if around.before == "determiner" and around.last != "that":
        return "noun"
    acts = around.before == "noun" or around.last in MODALS or around.last in _SUBJECTS
    return "adjective" if is_adjective(word) and around.after in _NOMINAL and not acts else "verb"


def _is_verb(word: str, around: _Around) -> bool:
    before, last, after, _ = around
    if last in MODALS or last in _SUBJECTS:
        return True
    if before == "start":
        return after == "determiner" or (word in IMPERATIVES and after != "preposition")
    if before not in ("noun", "adverb") or word.removesuffix("s") in MOSTLY_NOUNS:
        return False
    leads_on = after in ("determiner", "adjective", "adverb") or word in VERBS_BEHIND_NOUNS
    follows_adverb = before == "adverb" and after in ("preposition", "number")
    # "infection causes fever", "smokers need help" against "blood test results"
    agrees = after in _NOMINAL and word.endswith("s") != last.endswith("s")
    return leads_on or follows_adverb or (before == "noun" and agrees)


_SETTLED_BY_CONTEXT: Final[dict[str, Callable[[str, _Around], str]]] = {
    "adjective": _adjective,
    "ambiguous": _ambiguous,
    "gerund": _gerund,
    "participle": _participle,
    "preposition": _preposition,
    "verb": _verb,
}
