"""What the focus of a MedQuAD document is: its node type, from the annotations."""

from collections.abc import Iterable, Mapping
from typing import Final, Self

from pydantic import BaseModel, model_validator

from ingest.sources.medquad.documents import Document
from kg.shipped import shipped_table
from kg.text import normalise
from kg.vocabulary import NODE_TYPES

UNTYPED: Final = "neither a semantic type nor a category says what the focus is"


class FocusTypes(BaseModel, frozen=True, extra="forbid"):
    """``types.yaml``: node types by what a document is annotated with."""

    collections: dict[str, str]
    semantic_types: dict[str, str]
    """An earlier one goes before a later one."""
    semantic_groups: dict[str, str]
    categories: dict[str, str]
    quarantined: dict[str, str]
    """Why a category gives no type."""

    @model_validator(mode="after")
    def _are_node_types(self) -> Self:
        for table in (
            self.collections,
            self.semantic_types,
            self.semantic_groups,
            self.categories,
        ):
            if unknown := set(table.values()) - NODE_TYPES.keys():
                raise ValueError(f"{min(unknown)!r} is no node type of the vocabulary")
        return self

    @classmethod
    def of_package(cls) -> Self:
        """The table beside this module."""
        return cls.model_validate(shipped_table(__package__, "types.yaml"))

    def by_name(self, documents: Iterable[Document]) -> Mapping[str, str]:
        """The node type of every focus, by its normalised name.

        Several documents on one focus are annotated differently; their annotations count
        together, so that a name has one type.
        """
        same: dict[str, list[Document]] = {}
        for document in documents:
            same.setdefault(normalise(document.focus), []).append(document)
        types = ((name, self._type_of(group)) for name, group in same.items() if name)
        return {name: node_type for name, node_type in types if node_type}

    def why_none(self, document: Document) -> str:
        """Why a focus has no node type."""
        unknown = [*document.semantic_types, *document.semantic_groups]
        if unknown:
            return f"no node type is known for the semantic type {unknown[0][:100]!r}"
        reasons = (self.quarantined.get(category) for category in document.categories)
        return next(filter(None, reasons), UNTYPED)

    def _type_of(self, group: list[Document]) -> str | None:
        collections = {document.collection for document in group}
        tuis = {tui for document in group for tui in document.semantic_types}
        groups = {name for document in group for name in document.semantic_groups}
        categories = {name for document in group for name in document.categories}
        steps = (
            (self.collections, collections),
            (self.semantic_types, tuis),
            (self.semantic_groups, groups),
            (self.categories, categories),
        )
        types = (t for table, keys in steps for key, t in table.items() if key in keys)
        return next(types, None)
