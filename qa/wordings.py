"""Reads what is asked in words that no pattern of ``qa.intents`` fits: by the examples that they are like.

``wordings.yaml`` has examples of every intent. A question and the examples are compared by their words,
two and three words in a row and pieces of words (of Chinese: one to four characters in a row).
"""

import re
from functools import cache, lru_cache
from typing import Final, Literal

from cypher.translation import CHINESE, language_of
from kg.shipped import shipped_table
from qa.examples import Examples, Likeness, features

About = Literal["condition", "drug"]
"""What a question may be about, that examples are there for."""

SLOT: Final = "X"
"""Stands for a name, in questions and examples."""
LEAST_MARGIN: Final = 0.04
"""Likeness that the best intent must have before the next one; below it too many are wrong."""
SURE_MARGIN: Final = 0.15
"""The same where a pattern reads it otherwise."""
_NOTHING: Final = "nothing"
_PRONOUN: Final = re.compile(r"\b(?:it|them|these|this|that)\b", re.IGNORECASE)
_SLOTS: Final = re.compile(rf"{SLOT}(?:[\s,、()（）]*{SLOT})+")


@lru_cache(maxsize=256)  # a clause is read for what it asks, and whether it does
def worded(question: str, about: About, by_pattern: str | None = None) -> Likeness | None:
    """What a question asks; None where its words are like those of no intent, or of several.

    Args:
        question: in English or simplified Chinese, each name put as ``X``.
        about: what it is about.
        by_pattern: heading of the intent whose pattern it fits; examples of another must be
            much nearer, and one that has no examples stays.

    Returns:
        Likeness to the examples of the intent; ``group`` is its heading.
    """
    language = CHINESE if language_of(question) == CHINESE else "en"
    examples = _examples(about, language)
    if by_pattern is not None and by_pattern not in examples.groups:
        return None
    found = examples.nearest(question)
    least = LEAST_MARGIN if by_pattern is None else SURE_MARGIN
    plain = found.margin >= least and found.group not in (_NOTHING, by_pattern)
    return found if plain else None


def features_of(question: str) -> set[str]:
    """Those of a question, a name or "it" put as ``X``; one that names nothing begins with it in Chinese."""
    text = _SLOTS.sub(SLOT, question)
    if SLOT not in text:
        is_chinese = language_of(text) == CHINESE
        text = SLOT + text if is_chinese else _PRONOUN.sub(SLOT, text, count=1)
    return features(text, words=3, characters=4, ends=True)


@cache
def _examples(about: About, language: str) -> Examples:
    """The examples of the package's table, made ready; once."""
    table = shipped_table(__package__, "wordings.yaml")
    both = {**table[about], **table[_NOTHING]}
    return Examples(
        {heading: both[heading][language].splitlines() for heading in both}, features_of
    )
