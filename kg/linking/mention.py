"""What linking finds: a mention in a text, and the entities that it may speak of."""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, Self

Method = Literal[
    "exact", "abbreviation", "spelling", "word order", "similarity", "measurement", "description"
]
"""How a mention met a name: the name itself; the long form of an abbreviation; the name
once its misspelt words are put right; the same words in another order; the most similar
name by characters; a value beyond its range (``kg.linking.measurements``); a finding in other
words ("leg is swollen", ``kg.linking.described``)."""

MINTED: Final = "MEDKG:"
"""Begins the ids of what a source knows by a name alone."""


class Term(NamedTuple):
    """A term of HPO; empty for words that mean no finding."""

    id: str
    label: str

    @classmethod
    def parse(cls, written: str) -> Self:
        """Parse the id and the label that a table of the package has: "HP:0001945 Fever"."""
        id_, _, label = written.partition(" ")
        return cls(id_, label)


NO_FINDING: Final = Term("", "")
"""What is read and is no finding, such as a value within its range."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a mention may speak of."""

    id: str
    type: str
    name: str
    """What the entity is called, in English where it has an English name."""
    matched: str
    """The one of its names that is like the mention, as the table of names has it."""
    language: str
    """Of ``matched``."""
    score: float
    """How like, in [0, 1]; 1 for the name itself."""
    cuis: tuple[str, ...] = ()
    """UMLS concepts of the entity, ascending."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of a text that speaks of an entity."""

    start: int
    end: int
    """Offsets in code points: ``text[start:end]`` of the whole text is ``text``."""
    text: str
    method: Method | None
    """None where there is no candidate at all."""
    candidates: tuple[Candidate, ...]
    """Best first."""
    linked: bool
    """The best candidate is meant. False where the linker abstains: nothing is similar
    enough, or two entities go by this name."""
    negated: bool = False
    """The text says that it is absent ("no fever")."""
    family: bool = False
    """The text says it of a relative ("mother had breast cancer")."""

    @property
    def entity(self) -> Candidate | None:
        """The best candidate, if the mention is linked."""
        return self.candidates[0] if self.linked else None
