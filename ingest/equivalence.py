"""Sets of ids that are one node.

No set holds two ids of one ontology, two nodes of one graph that was merged before, or two types.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from kg.vocabulary import NODE_TYPES

Reason = Literal["two ids of one ontology", "two nodes of one graph", "two types"]

_CONCEPT: Final = "Concept"
_GRAPH: Final = "graph "
"""Before a graph's name; no prefix of ids has a blank."""


@dataclass(frozen=True)
class Conflict:
    """Why sets were not joined."""

    reason: Reason
    conflict: str
    """The two ids or types that would have come together."""


@dataclass(slots=True)
class _Group:
    members: list[str]
    of_ontology: dict[str, str]
    """The one id of each ontology, and of each graph that was merged before."""
    types: set[str] = field(default_factory=set)
    """At most one; none where only mappings know the members."""


class Groups:
    """Disjoint sets of ids; at first each id is a set of its own."""

    def __init__(
        self,
        types: dict[str, str],
        minted_prefix: str,
        former: Collection[str] = (),
        graphs: Mapping[str, Iterable[str]] = MappingProxyType({}),
    ) -> None:
        """Begin with ids of these types.

        Args:
            types: by id, kept up to date; ids without a type may be joined too.
            minted_prefix: of ids that are of no ontology.
            former: ids that their ontology no longer uses.
            graphs: names of the graphs that were merged before, by the ids of their nodes.
        """
        self._types = types
        self._former = former
        self._minted = minted_prefix
        self._graphs = graphs
        self._group: dict[str, _Group] = {}

    def join(self, ids: Iterable[str]) -> Conflict | bool:
        """Join the sets of ``ids``.

        Returns:
            Whether they were separate before; the conflict if joining is refused.
        """
        groups = list({id(group): group for group in map(self._get, ids)}.values())
        if len(groups) == 1:
            return False
        if conflict := _conflict(groups):
            return conflict
        largest = max(groups, key=lambda group: len(group.members))
        for group in groups:
            if group is not largest:
                largest.members += group.members
                largest.of_ontology |= group.of_ontology
                largest.types |= group.types
                self._group.update(dict.fromkeys(group.members, largest))
        return True

    def retype(self, id_: str, type_: str) -> None:
        """Change the type of the set of an id; no id in it may be of an ontology."""
        group = self._get(id_)
        group.types = {type_}
        self._types |= dict.fromkeys(group.members, type_)

    def are_one(self, ids: Iterable[str]) -> bool:
        """Whether all ids are in one set."""
        return len({id(self._get(each)) for each in ids}) == 1

    def of(self, id_: str) -> int:
        """A number for the set that has an id, as long as nothing is joined."""
        return id(self._get(id_))

    def members(self, id_: str) -> Iterable[str]:
        """All ids of the set that has this one."""
        return self._get(id_).members

    def type_of(self, id_: str) -> str:
        """The type of an id that has one, and of all in its set."""
        return self._types[id_]

    def __iter__(self) -> Iterator[list[str]]:
        for group in {id(group): group for group in self._group.values()}.values():
            if len(group.members) > 1:
                yield group.members

    def _get(self, id_: str) -> _Group:
        group = self._group.get(id_)
        if group is None:
            ontology = prefix(id_)
            # a CUI is always a concept, so that it never joins two other nodes
            type_ = _CONCEPT if ontology in NODE_TYPES[_CONCEPT].prefixes else self._types.get(id_)
            has_no_ontology = ontology == self._minted or id_ in self._former
            identifiers = {} if has_no_ontology else {ontology: id_}
            identifiers |= {f"{_GRAPH}{name}": id_ for name in self._graphs.get(id_, ())}
            group = self._group[id_] = _Group([id_], identifiers, {type_} if type_ else set())
        return group


def _conflict(groups: Sequence[_Group]) -> Conflict | None:
    types = set().union(*(group.types for group in groups))
    if len(types) > 1:
        return Conflict("two types", " and ".join(sorted(types)[:2]))
    together: dict[str, str] = {}
    for group in groups:
        together |= group.of_ontology
    if len(together) == sum(len(group.of_ontology) for group in groups):
        return None
    clashes = [
        (id_, other, head.startswith(_GRAPH))
        for group in groups
        for head, id_ in group.of_ontology.items()
        for each in groups
        if (other := each.of_ontology.get(head, id_)) > id_
    ]
    first, second, of_graph = min(clashes)
    reason: Reason = "two nodes of one graph" if of_graph else "two ids of one ontology"
    return Conflict(reason, f"{first} and {second}")


def prefix(curie: str) -> str:
    """The part of a CURIE before the colon."""
    return curie.partition(":")[0]
