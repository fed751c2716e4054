"""Grades answers 1, .5 or 0 by what they name, and says why one fails."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from kg.errors import EmbeddingError
from qa.question import NoEntityError, NoRelationError, Part
from qa.triples import Completed
from tests.experiments.kgqa.asked import LONG, Asked, Gold

FIRST: Final = 10
"""Answers to a factual question among which a right one gives half the grade."""
FIRST_LONG: Final = 20
"""Answers that are read of a long one."""
ENOUGH: Final = 0.5
"""Share of what an explanation names that an answer to a long question needs."""

NO_ENTITY: Final = "no entity found"
NO_RELATION: Final = "no relation found"
NO_EDGE: Final = "no edge"
OTHER: Final = "other answers"
PARTLY: Final = "in part"
RIGHT: Final = "right"
UNKNOWN: Final = "not in the model"
CAUSES: Final = (RIGHT, PARTLY, NO_ENTITY, NO_RELATION, NO_EDGE, UNKNOWN, OTHER)


@dataclass(frozen=True)
class Graded:
    """One answer and its grade."""

    asked: Asked
    by: str
    """The answerer."""
    grade: float
    cause: str
    """One of CAUSES."""
    answer: Completed | None
    """None where the question could not be read or answered."""


def grade(
    asked: Asked, by: str, read: Callable[[], Part], answer: Callable[[Part], Completed]
) -> Graded:
    """Read a question, answer it, and compare."""
    try:
        given = answer(read())
    except NoEntityError:
        return Graded(asked, by, 0.0, NO_ENTITY, None)
    except NoRelationError:
        return Graded(asked, by, 0.0, NO_RELATION, None)
    except EmbeddingError:
        return Graded(asked, by, 0.0, UNKNOWN, None)
    entries = [entry.id for entry in given.entries if not _passed_over(entry.id, asked)]
    mark = (mark_long if asked.kind == LONG else mark_factual)(entries, asked.golds)
    cause = {1.0: RIGHT, 0.5: PARTLY}.get(mark, OTHER if entries else NO_EDGE)
    return Graded(asked, by, mark, cause, given)


def mark_factual(entries: Sequence[str], golds: Sequence[Gold]) -> float:
    """1: every right answer is given before any other; .5: one is among the first 10; else 0."""
    before = list(takewhile(lambda entry: any(entry in gold.ids for gold in golds), entries))
    if _hits(before, golds) == len(golds):
        return 1.0
    return 0.5 if _hits(entries[:FIRST], golds) else 0.0


def mark_long(entries: Sequence[str], golds: Sequence[Gold]) -> float:
    """1: half of what the explanation names is among the first 20; .5: any of it; else 0."""
    hits = _hits(entries[:FIRST_LONG], golds)
    if not hits:
        return 0.0
    return 1.0 if hits >= ENOUGH * len(golds) else 0.5


def _hits(entries: Sequence[str], golds: Sequence[Gold]) -> int:
    return sum(1 for gold in golds if not gold.ids.isdisjoint(entries))


def _passed_over(id_: str, asked: Asked) -> bool:
    return id_ in asked.passed_over and not any(id_ in gold.ids for gold in asked.golds)
