"""Intents of questions: the words that express one, and the query and triples that answer it."""

import re
from dataclasses import dataclass, replace
from typing import Final, Literal

End = Literal["head", "relation", "tail"]
"""A part of a triple."""

Kind = Literal[
    "about",
    "at risk",
    "cause",
    "diagnosis",
    "symptom",
    "treatment",
    "prevention",
    "outlook",
    "other",
]
"""What a question asks for, in the rough."""

_ANY: Final = re.compile("")


@dataclass(frozen=True)
class Gap:
    """A triple with one part open; the question names one or two of the others."""

    relation: str | None
    """None: the relation between two entities is sought."""
    sought: End


@dataclass(frozen=True)
class Intent:
    """An intent: its words, its subjects, and the query and triples that answer it."""

    query: str | None
    """Name in the catalogue; None: only triples answer it."""
    words: re.Pattern[str]
    """In English and Chinese; searched in the question, ignoring case."""
    subjects: dict[str, tuple[str, ...]]
    """Node types that each parameter of the query may have, preferred ones first."""
    heading: str
    """Name of the rows, in the plural: the heading of an answer, also in errors."""
    kind: Kind = "other"
    warns: bool = False
    """Whether it asks if something is so, or for what to avoid: if it finds nothing, no other
    query that fits the words may answer instead, as it would say the opposite."""
    gaps: tuple[Gap, ...] = ()
    """The triples that answer it, the likeliest first; none: no single triple does."""
    answer_types: tuple[str, ...] = ()
    """Node types of the answers; none: any."""
    otherwise: str | None = None
    """Heading of another intent of the same subject that answers where this one has nothing."""
    example: str = ""
    """A question with the words; checked by a test."""
    but_not: str | None = None
    """A similar question without them; None if the words fit any question."""

    def is_asked_by(self, words: str) -> bool:
        """Whether some words have those that express it; not where it has none of its own."""
        return bool(self.words.pattern and self.words.search(words))


def in_any_words(intent: Intent) -> Intent:
    """The intent where it is known from elsewhere that it is asked."""
    return replace(intent, words=_ANY)


def tails(*relations: str) -> tuple[Gap, ...]:
    """``<h, r, ?>`` for each relation."""
    return tuple(Gap(relation, "tail") for relation in relations)


def heads(*relations: str) -> tuple[Gap, ...]:
    """``<?, r, t>`` for each relation."""
    return tuple(Gap(relation, "head") for relation in relations)


def intent(
    query: str | None,
    words: str,
    heading: str,
    *gaps: tuple[Gap, ...],
    warns: bool = False,
    kind: Kind = "other",
    answer_types: tuple[str, ...] = (),
    otherwise: str | None = None,
    example: str,
    but_not: str | None = None,
    **subjects: tuple[str, ...],
) -> Intent:
    """Make an intent; ``words`` is a regular expression, ``subjects`` are node types by parameter."""
    compiled = re.compile(words, re.IGNORECASE)
    every = tuple(gap for some in gaps for gap in some)
    return Intent(
        query,
        compiled,
        subjects,
        heading,
        kind,
        warns,
        every,
        answer_types,
        otherwise,
        example,
        but_not,
    )
