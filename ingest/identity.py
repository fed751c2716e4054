"""Decides which ids are one node: by id, and by exact normalised name inside one type.

Ids that differ and share a normalised preferred name (English or Chinese) and
a type are one node, unless that would put two ids of one ontology (two OMIM
numbers, say) together: then the name joins nothing and the refusal is listed.
A name without an id gets an id minted from its type and normalised name.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b

from kg.text import normalise
from kg.vocabulary import NODE_TYPES

MINTED_PREFIX = "MEDKG"
"""Prefix of the ids of things that no ontology names."""

NAMELESS_TYPES = frozenset({"Concept", "Section"})
"""Types whose names do not identify: one title heads many sections."""


@dataclass(frozen=True)
class Candidate:
    """One id with what is known of it before merging."""

    id: str
    type: str
    names: tuple[str, ...]
    """Preferred names, at most one a language."""


@dataclass(frozen=True)
class Merged:
    """An id that became part of another node."""

    id: str
    node: str
    name: str
    """The normalised name that both have."""


@dataclass(frozen=True)
class Refused:
    """A name shared by ids that were not merged."""

    type: str
    name: str
    ids: tuple[str, ...]


def mint(node_type: str, name: str) -> str | None:
    """The stable id of a name that has none; None where the name normalises to nothing."""
    normal = normalise(name)
    if not normal:
        return None
    digest = blake2b(normal.encode(), digest_size=8).hexdigest()
    return f"{MINTED_PREFIX}:{node_type}.{digest}"


def prefix(curie: str) -> str:
    """The part of a CURIE before the colon."""
    return curie.partition(":")[0]


def same_nodes(candidates: Iterable[Candidate]) -> tuple[list[Merged], list[Refused]]:
    """Merge candidates by name; both lists are in a fixed order.

    Returns:
        The ids that now belong to another node, and the names that would have
        joined two ids of one ontology.
    """
    by_name: dict[tuple[str, str], list[str]] = {}
    types: dict[str, str] = {}
    for candidate in candidates:
        if candidate.type in NAMELESS_TYPES:
            continue
        types[candidate.id] = candidate.type
        for normal in {normalise(name) for name in candidate.names} - {""}:
            by_name.setdefault((candidate.type, normal), []).append(candidate.id)
    groups = _Groups()
    joined: dict[str, str] = {}
    refused: list[Refused] = []
    for (node_type, name), ids in sorted(by_name.items()):
        if len(ids) == 1:
            continue
        if not groups.join(ids):
            refused.append(Refused(node_type, name, tuple(sorted(ids))))
            continue
        for member in ids:
            joined.setdefault(member, name)
    merged = [
        Merged(member, node, joined[member])
        for members in groups
        for node in (_representative(members, types[members[0]]),)
        for member in members
        if member != node
    ]
    return sorted(merged, key=lambda m: m.id), refused


def _representative(ids: list[str], node_type: str) -> str:
    """The id that names a merged node: the type's preferred ontology, minted ids last."""
    order = NODE_TYPES[node_type].prefixes

    def rank(curie: str) -> tuple[int, str]:
        head = prefix(curie)
        if head == MINTED_PREFIX:
            return len(order) + 1, curie
        return (order.index(head) if head in order else len(order)), curie

    return min(ids, key=rank)


class _Groups:
    """Disjoint sets of ids, none of which holds two ids of one ontology."""

    def __init__(self) -> None:
        self._group: dict[str, list[str]] = {}

    def join(self, ids: Iterable[str]) -> bool:
        """Put ``ids`` and all they were joined with together; False, and nothing, if refused."""
        groups = {id(group): group for group in (self._group.get(i, [i]) for i in ids)}
        members = sorted({member for group in groups.values() for member in group})
        ontologies = [prefix(member) for member in members if prefix(member) != MINTED_PREFIX]
        if len(ontologies) > len(set(ontologies)):
            return False
        for member in members:
            self._group[member] = members
        return True

    def __iter__(self) -> Iterator[list[str]]:
        return iter({id(group): group for group in self._group.values()}.values())
