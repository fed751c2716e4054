"""Reads what somebody tells who names no disease: which condition or emergency it is like.

``presentations.yaml`` has stories of conditions, ``emergency_stories.yaml`` of emergencies and of what
is neither. All are compared in one go, so that an emergency is told apart from what only looks like it.
"""

from collections.abc import Mapping
from functools import cache, lru_cache, partial
from typing import Literal, NamedTuple

from cypher.translation import CHINESE, ENGLISH, language_of
from kg.shipped import shipped_table
from kg.text.spelling import simplified_text
from qa.examples import Examples, features

Kind = Literal["condition", "emergency", "neither"]


class Story(NamedTuple):
    """What a text is most like."""

    kind: Literal["condition", "emergency"]
    names: tuple[str, ...]
    """Of the condition, in the order in which they count; of an emergency its situation."""
    score: float
    """How like it the text is, in [0, 1]."""
    margin: float
    """How much more like it than like anything else."""
    example: str
    """The story that is most like the text."""


class _Group(NamedTuple):
    kind: Kind
    names: tuple[str, ...]
    stories: dict[str, list[str]]
    """By language."""


@lru_cache(maxsize=256)  # once for emergencies, and once for what is described
def story_of(text: str) -> Story | None:
    """The condition or emergency that a text is most like; None where it is like neither.

    Args:
        text: in English or Chinese.
    """
    read = simplified_text(text)
    language = CHINESE if language_of(read) == CHINESE else ENGLISH
    found = _examples(language).nearest(read)
    kind, names, _ = _groups()[int(found.group)]
    if kind == "neither" or not found.score:
        return None
    return Story(kind, names, found.score, found.margin, found.example)


@cache
def _groups() -> tuple[_Group, ...]:
    """The stories of the package's tables; once."""
    conditions = shipped_table(__package__, "presentations.yaml")
    others = shipped_table(__package__, "emergency_stories.yaml")
    return (
        _Group("neither", (), _lines(others["neither"])),
        *(
            _Group("emergency", (each["situation"],), _lines(each))
            for each in others["emergencies"]
        ),
        *(_Group("condition", tuple(each["is"]), _lines(each)) for each in conditions),
    )


def _lines(table: Mapping[str, str]) -> dict[str, list[str]]:
    return {language: table[language].splitlines() for language in (ENGLISH, CHINESE)}


@cache
def _examples(language: str) -> Examples:
    """The stories in a language, made ready to be compared with; once."""
    return Examples(
        {str(at): group.stories[language] for at, group in enumerate(_groups())},
        partial(features, words=2, characters=2),
    )
