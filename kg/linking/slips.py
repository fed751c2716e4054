"""Whether a name is certainly a misspelling of another, so that a graph may have it corrected.

A reader sees that a mention was corrected, a graph does not show it. So a name that is
written there is corrected only where the mistake is one that people make by accident and
that real names hardly ever differ by.
"""

import re
from typing import Final

from rapidfuzz.distance import OSA

from kg.linking.agreement import LINKING_WORDS, fills
from kg.linking.roots import without_doubles
from kg.text.canonical import canonical, canonical_words
from kg.text.words import surfaces

_SHORTEST: Final = 7
"""Letters of a word that may have any letter wrong; in a shorter one two real words are near."""
_SHORTEST_DOUBLED: Final = 5
"""If it is a letter that is doubled, or should be."""
_SHORTEST_AMONG: Final = 4
"""Where two words of the name at least are right."""
_FEW: Final = 2
_DIALECT: Final = re.compile(r"^([zcs])h|(?<=[aeiou]n)g$")


def is_slip(name: str, meant: str, *, coined: bool = False) -> bool:
    """Whether a name is another with at most one slip a word, of those that words tell nothing by.

    Args:
        name: that nothing goes by, and that agrees with ``meant``.
        meant: a name.
        coined: names of this kind are coined a letter apart, as those of drugs are: only a
            letter doubled or two letters swapped is a slip.
    """
    key, other = canonical(name), canonical(meant)
    if not (key.isascii() and other.isascii()):
        return _is_slip_in_han(key, other)
    written, right = _by_key(name), _by_key(meant)
    wrong = [word for word in written if word not in right and word not in LINKING_WORDS]
    missing = [word for word in right if word not in written and word not in LINKING_WORDS]
    shortest = (
        _SHORTEST if len(right.keys() & written.keys() - LINKING_WORDS) < _FEW else _SHORTEST_AMONG
    )
    return all(
        any(_is_slip_of(word, other, shortest, coined=coined) for word in wrong)
        and not any(letter.isupper() for letter in right[other][1:])
        for other in missing
    )


def _by_key(name: str) -> dict[str, str]:
    """The words of a name as they are written, by their keys."""
    words = surfaces(name)
    return dict(zip(canonical_words(words), words, strict=True))


def _is_slip_of(word: str, meant: str, shortest: int, *, coined: bool) -> bool:
    """One letter wrong, and not the first, by which words of one family differ."""
    if word[:1] != meant[:1] or OSA.distance(word, meant, score_cutoff=1) > 1:
        return False
    letters = min(len(word), len(meant))
    if without_doubles(word) == without_doubles(meant):
        return letters >= min(shortest, _SHORTEST_DOUBLED)
    return letters >= shortest and (not coined or sorted(word) == sorted(meant))


def _is_slip_in_han(key: str, other: str) -> bool:
    """One character exchanged for another that is typed alike, as 赃 is for 脏."""
    if fills(key, other):
        return True
    if len(key) != len(other):
        return False
    changed = [(a, b) for a, b in zip(key, other, strict=True) if a != b]
    return len(changed) == 1 and _sound_alike(*changed[0])


def sounds(text: str, *, alike: bool = True) -> tuple[str, ...]:
    """The commonest sound of each Chinese character, without tones.

    Args:
        text: Chinese characters.
        alike: whether zhi and zi, ying and yin count as one sound, as many say them.
    """
    from pypinyin import Style, pinyin  # noqa: PLC0415 - a quarter of a second

    syllables = tuple(readings[0] for readings in pinyin(text, style=Style.NORMAL))
    if not alike:
        return syllables
    return tuple(_DIALECT.sub(lambda match: match[1] or "", syllable) for syllable in syllables)


def _sound_alike(one: str, other: str) -> bool:
    from pypinyin import Style, pinyin  # noqa: PLC0415 - as above

    sounds = [
        set(pinyin(character, style=Style.NORMAL, heteronym=True)[0]) for character in (one, other)
    ]
    return not sounds[0].isdisjoint(sounds[1])
