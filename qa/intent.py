"""What a question may ask for: the words that say so, and the query and triples that answer."""

import re
from dataclasses import dataclass
from typing import Literal

Part = Literal["head", "relation", "tail"]
"""Of a triple."""


@dataclass(frozen=True)
class Gap:
    """A triple with a part left open; of the others one or two are what a question names."""

    relation: str | None
    """None: it is what is sought, between two things."""
    sought: Part


@dataclass(frozen=True)
class Intent:
    """Words that ask for something, the query and the triples that have it, and of whom."""

    query: str | None
    """Name in the catalogue; None: no query of its own answers it, only triples do."""
    words: re.Pattern[str]
    """In English and Chinese; searched in the question, case aside."""
    subjects: dict[str, tuple[str, ...]]
    """Parameter by name: the node types it may be, first choice first."""
    heading: str
    """What the rows are, in the plural: heads an answer, and says what the graph lacks."""
    warns: bool = False
    """Asks whether or what not: where it finds nothing, no other query that fits the words
    may answer instead, for it would say the opposite."""
    gaps: tuple[Gap, ...] = ()
    """The same asked of triples, the likeliest first; none: no single triple says it."""
    answer_types: tuple[str, ...] = ()
    """Node types of what such a triple is answered by; none: any."""
    example: str = ""
    """A question in which the words are found; the tests see to that."""
    but_not: str | None = None
    """A question close to it in which they are not; None where they are found in any."""


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
    answer_types: tuple[str, ...] = (),
    example: str,
    but_not: str | None = None,
    **subjects: tuple[str, ...],
) -> Intent:
    """An intent, its words as a regular expression, its subjects by name."""
    compiled = re.compile(words, re.IGNORECASE)
    every = tuple(gap for some in gaps for gap in some)
    return Intent(query, compiled, subjects, heading, warns, every, answer_types, example, but_not)
