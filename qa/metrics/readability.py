"""How easy an English text is to read, and how many words any text has."""

import math
import re
from typing import Final, NamedTuple

from kg.text.sentences import sentences
from kg.text.words import HAN

_HAN: Final = re.compile(f"[{HAN}]+")
_WORD: Final = re.compile(rf"[{HAN}]+|(?:(?![{HAN}])[^\W_])+(?:['’.,-](?:(?![{HAN}])[^\W_])+)*")
"""A run of Han characters, or a word with what joins its parts: don't, X-ray, 1.5."""


class Readability(NamedTuple):
    """Two figures of one text; both are nan for one that has no word or is Chinese."""

    ease: float
    """Flesch reading ease: most texts have 0 to 100, the easiest to read the most."""
    grade: float
    """Flesch-Kincaid grade: years of school in the United States, about."""


def words(text: str) -> list[str]:
    """The words of a text, in its order, as they are written.

    A hyphen, an apostrophe, a point or a comma within a word ends none: X-ray and 1.5 are one.
    Chinese is cut into words by jieba's dictionary.
    """
    words_found: list[str] = []
    for word in _WORD.findall(text):
        if _HAN.match(word):
            import rjieba  # noqa: PLC0415 - English texts need no dictionary of Chinese

            words_found += rjieba.cut(word)
        else:
            words_found.append(word)
    return words_found


def reading_ease(words: int, sentences: int, syllables: int) -> float:
    """Flesch reading ease: 206.835 - 1.015 words/sentence - 84.6 syllables/word (Flesch 1948)."""
    return 206.835 - 1.015 * words / sentences - 84.6 * syllables / words


def grade_level(words: int, sentences: int, syllables: int) -> float:
    """Flesch-Kincaid grade: .39 words/sentence + 11.8 syllables/word - 15.59 (Kincaid et al. 1975)."""
    return 0.39 * words / sentences + 11.8 * syllables / words - 15.59


def readability(text: str) -> Readability:
    """Both figures of a text, with the syllables that Pyphen finds.

    Pyphen has the places where English words may be hyphenated, so it finds fewer syllables than are
    spoken: reading ease comes out some eight points higher than by a dictionary of sounds. Compare it
    with figures of the same source alone. Sentences end as ``kg.text.sentences`` has it, so also at
    semicolons and at the ends of lines.
    """
    from pyphen import Pyphen  # noqa: PLC0415 - 50 ms

    all_words = words(text)
    english = [word for word in all_words if not _HAN.match(word)]
    if not english or len(english) < len(all_words) / 2:
        return Readability(math.nan, math.nan)
    pyphen = Pyphen(lang="en_US")
    syllables = sum(len(pyphen.positions(word)) + 1 for word in english)
    spans = [text[start:end] for start, end in sentences(text)]
    sentence_count = sum(1 for sentence in spans if _WORD.search(sentence))
    counts = (len(english), sentence_count, syllables)
    return Readability(reading_ease(*counts), grade_level(*counts))
