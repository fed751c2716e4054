"""The terms of a file that are in use, with their names and types."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

from ingest.equivalence import prefix
from ingest.sources.ontology.hierarchy import current_ids
from ingest.sources.ontology.record import DEFINING, Record
from ingest.sources.ontology.types import ROOTS, TermTypes


@dataclass(frozen=True)
class Term:
    """A term that is in use and has a type."""

    id: str
    name: str
    type: str


@dataclass
class _Outline:
    """The records of one term, combined."""

    name: str | None = None
    defined: bool = False
    obsolete: bool = False
    parents: list[str] = field(default_factory=list)
    alternatives: list[str] = field(default_factory=list)
    replacements: list[str] = field(default_factory=list)
    consider: list[str] = field(default_factory=list)
    namespace: str | None = None

    @property
    def is_named(self) -> bool:
        return self.defined and self.name is not None

    def add(self, record: Record) -> None:
        if not record.fragment:
            self.name = self.name or record.one("name")
            self.defined = self.defined or record.kind in DEFINING
            self.obsolete = self.obsolete or record.obsolete
            self.namespace = self.namespace or record.one("namespace")
        self.parents += record.all("is_a")
        self.alternatives += record.all("alt_id")
        self.replacements += record.all("replaced_by")
        self.consider += record.all("consider")


@dataclass(frozen=True)
class Terms:
    """The terms of a file."""

    in_use: dict[str, Term]
    """By id."""
    current: dict[str, str]
    """The id to use instead, by an alternative or replaced id."""
    unusable: dict[str, str]
    """Why a term that the file names is not in use, by id."""

    @classmethod
    def of(cls, records: Iterable[Record], types: TermTypes) -> Self:
        """Gather them from all records of a file."""
        outlines: dict[str, _Outline] = {}
        for record in records:
            if record.id and not record.broken:
                outlines.setdefault(record.id, _Outline()).add(record)
        living = {
            identifier: outline
            for identifier, outline in outlines.items()
            if outline.is_named and not outline.obsolete
        }
        current = current_ids(
            ((i, o.alternatives) for i, o in outlines.items()),
            ((i, o.replacements) for i, o in outlines.items() if o.obsolete),
            living,
        )
        node_types = types.of_terms(
            {i: [current.get(above, above) for above in o.parents] for i, o in living.items()},
            {i: o.namespace for i, o in living.items() if o.namespace},
        )
        return cls(
            in_use={i: Term(i, living[i].name or "", kind) for i, kind in node_types.items()},
            current={old: new for old, new in current.items() if new in node_types},
            unusable={
                identifier: _why_unusable(identifier, outline, types)
                for identifier, outline in outlines.items()
                if identifier not in node_types and (outline.obsolete or outline.is_named)
            },
        )

    def find(self, identifier: str) -> Term | None:
        """The term that an id stands for."""
        return self.in_use.get(self.current.get(identifier, identifier))


def _why_unusable(identifier: str, outline: _Outline, types: TermTypes) -> str:
    if outline.replacements and outline.obsolete:
        return f"obsolete; replaced by {', '.join(outline.replacements)}"
    if outline.obsolete:
        others = f"; {', '.join(outline.consider)} may be meant" if outline.consider else ""
        return f"obsolete; nothing replaces it{others}"
    if identifier in ROOTS:
        return "the root of all terms is above every node type"
    ontology = prefix(identifier)
    if types.branches_of(ontology):
        return f"the term stands below no branch of {ontology} that has a node type"
    return f"no node type for the prefix {ontology}; add it to 'types'"
