"""Node types of terms: by their place in the hierarchy, else by the prefix of the id."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Self

from pydantic import AfterValidator, BaseModel

from ingest.equivalence import prefix
from ingest.sources.ontology.hierarchy import branch_types
from kg.shipped import shipped_table
from kg.vocabulary import NODE_TYPES

ROOTS: Final = frozenset({"HP:0000001"})
"""Terms that stand above branches of several types."""


def _node_type(node_type: str) -> str:
    if node_type not in NODE_TYPES:
        raise ValueError(f"{node_type!r} is no node type; take one of {', '.join(NODE_TYPES)}")
    return node_type


NodeTypeName = Annotated[str, AfterValidator(_node_type)]
"""A node type of the vocabulary."""


class TermTypes(BaseModel, frozen=True, extra="forbid"):
    """What type a term has."""

    prefixes: dict[str, NodeTypeName] = {}
    branches: dict[str, NodeTypeName] = {}
    namespaces: dict[str, NodeTypeName] = {}
    user_prefixes: dict[str, NodeTypeName] = {}
    """Settings of the user, which go before the others."""
    user_branches: dict[str, NodeTypeName] = {}
    """Settings of the user, which go before all others."""

    @classmethod
    def shipped(cls) -> Self:
        """Those of the ontologies that medkg knows: ``types.yaml``."""
        return cls.model_validate(shipped_table("ingest.sources.ontology", "types.yaml"))

    def with_settings(self, prefixes: Mapping[str, str], branches: Mapping[str, str]) -> Self:
        """These, and those that a user gives."""
        settings = {"user_prefixes": dict(prefixes), "user_branches": dict(branches)}
        return self.model_copy(update=settings)

    def branches_of(self, ontology: str) -> dict[str, str]:
        """Type by root, of one prefix."""
        branches = {**self.branches, **self.user_branches}
        return {root: kind for root, kind in branches.items() if prefix(root) == ontology}

    def of_id(self, curie: str) -> str | None:
        """The type of a term that is known by its id alone."""
        if curie in ROOTS:
            return None
        return self.user_prefixes.get(prefix(curie)) or self.prefixes.get(prefix(curie))

    def of_terms(
        self, parents: Mapping[str, Sequence[str]], namespaces: Mapping[str, str]
    ) -> dict[str, str]:
        """The types of all terms of a file; those that have none are left out.

        Args:
            parents: of every term in use.
            namespaces: of the terms that have one.
        """
        by_user_branch = branch_types(parents, self.user_branches)
        by_branch = branch_types(parents, self.branches)
        rooted = {prefix(root) for root in self.branches if root in parents}
        types: dict[str, str] = {}
        for identifier in parents:
            ontology = prefix(identifier)
            node_type = by_user_branch.get(identifier) or self.user_prefixes.get(ontology)
            if node_type is None and ontology not in rooted:
                by_namespace = self.namespaces.get(namespaces.get(identifier, ""))
                node_type = by_namespace or self.of_id(identifier)
            if node_type := node_type or by_branch.get(identifier):
                types[identifier] = node_type
        return types
