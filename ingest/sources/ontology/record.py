"""What a file states of one term, in any format.

The formats are put into the words of OBO where they say the same: ``name``,
``synonym EXACT``, ``def``, ``xref``, ``is_a``, ``alt_id``, ``replaced_by``,
``consider``, ``namespace``, ``equivalent_to``. Other relations and properties keep
the names that the file has for them.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

DEFINING: Final = frozenset({"Term", "CLASS", "node"})
"""Kinds of record that are a term of their own."""


class Statement(NamedTuple):
    """One statement about a term."""

    word: str
    value: str
    problem: str | None = None


@dataclass(frozen=True)
class Record:
    """One stanza, node, edge or entry."""

    row: int
    """Its place in the file, from 1."""
    kind: str
    """Its type in the format."""
    id: str | None
    statements: tuple[Statement, ...] = ()
    obsolete: bool = False
    broken: str | None = None
    """Why it cannot be read."""
    fragment: bool = False
    """It states something about a term that another record defines."""

    @property
    def is_term(self) -> bool:
        """Whether it defines a term."""
        return not self.fragment and self.kind in DEFINING

    def all(self, word: str) -> list[str]:
        """Values of a word, in file order."""
        return [statement.value for statement in self.statements if statement.word == word]

    def one(self, word: str) -> str | None:
        """First value of a word."""
        return next(
            (statement.value for statement in self.statements if statement.word == word), None
        )
