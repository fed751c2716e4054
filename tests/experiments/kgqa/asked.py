"""A question of an experiment, and what answers it."""

from dataclasses import dataclass
from typing import Final

FACTUAL: Final = "factual"
LONG: Final = "long"
HELD_OUT: Final = "held out"
NONE: Final = "no relation"


@dataclass(frozen=True)
class Gold:
    """One right answer."""

    ids: frozenset[str]
    """Entities of that name, or the name of a relation: any of them will do."""
    name: str


@dataclass(frozen=True)
class Asked:
    """A question whose right answers are known."""

    id: str
    """MedQuAD's, or of the template."""
    kind: str
    """FACTUAL, LONG, HELD_OUT or NONE."""
    group: str
    """Of the figures: MedQuAD's type of question, or the form of the triple."""
    text: str
    golds: tuple[Gold, ...]
    passed_over: frozenset[str] = frozenset()
    """Answers that are right too and are not looked for: facts that the model was given."""
