"""Finds the nodes that a name without an id may refer to, by the names of all ids."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Final, NamedTuple

from ingest.names import (
    ALIAS,
    CLOSE,
    EXACT,
    LAY,
    NEUTRAL,
    PREFERRED,
    SMALL,
    TRANSLATED,
    KnownBy,
    Name,
    differ_in_kind,
    differ_in_scope,
    is_narrower,
    is_numbered,
    share_root,
    spelling,
)

_RULES: Final[Mapping[int, KnownBy]] = MappingProxyType(
    {
        TRANSLATED: "translated name",
        PREFERRED: "preferred name",
        EXACT: "exact synonym",
        LAY: "layperson's synonym",
        CLOSE: "name of the close match",
        ALIAS: "alias",
    }
)

_OTHER_TYPE: Final = MappingProxyType({"Disease": "Symptom", "Symptom": "Disease"})
"""The other type that a name may have than the one that its relation asks for."""

_SUBTYPE_WORDS: Final = frozenset(
    {
        *("acquired", "arterial", "cerebellar", "chronic", "congenital", "familial", "follicular"),
        *("igg4", "isolated", "malignant", "posterior", "solitary"),
    }
)
"""Words that make a subtype of a close match: congenital nystagmus is no nystagmus."""


class MatchRank(NamedTuple):
    """Reliability of a match; the lowest is most reliable."""

    step: int
    """Of the search, twice; ids of no ontology of the type have one between."""
    outside: bool
    """Whether the id is of none of the type's ontologies."""
    level: int
    """Of the name."""
    preference: int
    """Of the id's ontology among those of the type."""


class NameMatch(NamedTuple):
    """The ids that a name matches equally well."""

    rank: MatchRank
    ids: tuple[str, ...]
    rule: KnownBy
    name: Name
    positions: tuple[int, ...]
    """Of the sources that use the name."""
    is_loose: bool
    """The node goes by the name, and yet the name means more, less or something else."""


class Node(NamedTuple):
    """What a match depends on of the node of an id."""

    outside: bool
    """Whether it is of none of its type's ontologies."""
    preference: int
    """Of its ontology among those of the type."""
    names: Collection[Name]
    """The preferred names of the id that stands for the node."""
    is_loose: bool
    """The name that is searched for is known to mean something else."""


FindNode = Callable[[str, Name], Node | None]
"""The node of an id that has a name; None for one that is not to be looked at."""


@dataclass(frozen=True)
class _Search:
    by_main_name: bool
    """Search by main names; else by aliases that a source lists."""
    has_id: bool
    """Search among ids of sources; else among ids minted from names."""
    among: tuple[tuple[bool, Collection[int]], ...]
    """Steps of the search, the most reliable first: whether in the other type, and the levels of
    names."""


_NAMES: Final = (TRANSLATED, PREFERRED, EXACT, LAY)
SEARCHES: Final = (
    _Search(
        by_main_name=True,
        has_id=True,
        among=((False, _NAMES), (False, (CLOSE,)), (True, _NAMES), (False, (ALIAS,))),
    ),
    _Search(by_main_name=False, has_id=True, among=((False, _NAMES),)),
    _Search(by_main_name=True, has_id=False, among=((False, (ALIAS,)),)),
)
"""The searches for the node of a name, the most reliable first."""

_OUTSIDE: Final = 5
"""Rank of ids of no ontology of the type: after names of the other type (2 * 2), before aliases."""


class _Holder(NamedTuple):
    """An id that has a name."""

    level: int
    id: str
    position: int


class _Match(NamedTuple):
    """One id that one of the searched names matches; the lowest is most reliable."""

    rank: MatchRank
    id: str
    name: Name
    position: int
    """Of the source that says that the id has the name."""
    is_loose: bool


class NameIndex:
    """The ids that have each of the names that will be searched for."""

    def __init__(
        self, entries: Collection[tuple[str, str, int]], searched: Collection[tuple[str, str]]
    ) -> None:
        """Make an empty index.

        Args:
            entries: language, normalised name and position of names that head an entry of a
                source; the names of two entries are not aliases of each other in that source.
            searched: language and normalised name of all that will be searched for; no others are
                kept, so that the index of a large graph stays small.
        """
        self._entries = entries
        self._searched = searched
        self._holders: dict[tuple[str, str, str], list[_Holder]] = defaultdict(list)
        self._preferred: dict[str, list[Name]] = defaultdict(list)
        self._concepts: dict[str, Collection[str]] = {}
        self._concepts_by_name: dict[tuple[str, str], set[str]] = defaultdict(set)

    def add(
        self,
        id_: str,
        type_: str,
        names: Collection[Name],
        concepts: Collection[str] = (),
        *,
        has_id: bool,
    ) -> None:
        """Add the names of an id; those of a minted id are less reliable.

        Args:
            id_: to find.
            type_: of its node.
            names: of this id.
            concepts: the UMLS concepts of its node.
            has_id: False for an id that was minted.
        """
        if not any(_key(name) in self._searched for name in names):
            return
        self._concepts[id_] = concepts
        for name in names if has_id else self._usable(names):
            level = name.level if has_id else EXACT if name.is_main else ALIAS
            self._holders[type_, name.language, name.normal].append(
                _Holder(level, id_, name.position)
            )
            if level == PREFERRED:
                self._preferred[id_].append(name)

    def add_close(
        self,
        id_: str,
        type_: str,
        own_names: Collection[Name],
        names: Collection[Name],
        *,
        main: tuple[Collection[Name], Collection[Name]],
    ) -> None:
        """Add the preferred names of the close match of an id.

        They are left out if the disease and the finding share no name, one is a subtype of the
        other by a word in its name, or their main names differ in kind. So they are if the close
        match does not go by the main name of the id, and the two main names share no root or one
        says more (an anal fissure of anus disorder).

        Args:
            id_: to find.
            type_: of its node.
            own_names: its names.
            names: of its close match.
            main: the preferred names of the ids that stand for the two nodes.
        """
        disease, finding = (own_names, names) if type_ == "Disease" else (names, own_names)
        shared = {_key(name) for name in disease if name.level == PREFERRED}
        shared &= {_key(name) for name in finding if name.level <= EXACT}
        if not shared or (_words(own_names) ^ _words(names)) & _SUBTYPE_WORDS:
            return
        known = {spelling(name.normal) for name in names if name.level <= EXACT}
        for own, other in product(*([n for n in each if n.language == "en"] for each in main)):
            is_known = spelling(own.normal) in known
            if differ_in_kind(own, other) or (
                not is_known and (not share_root(own, other) or differ_in_scope(own, other))
            ):
                return
        for name in names:
            if name.level == PREFERRED and _key(name) in self._searched:
                key = type_, name.language, name.normal
                self._holders[key].append(_Holder(CLOSE, id_, name.position))

    def add_concept(self, cui: str, names: Iterable[Name]) -> None:
        """Add the preferred names of a UMLS concept."""
        for name in names:
            if name.level == PREFERRED and _key(name) in self._searched:
                self._concepts_by_name[name.language, name.normal].add(cui)

    def shares_word(self, name: Name, ids: Iterable[str]) -> bool:
        """Whether an English name shares a word with a preferred name of any of the ids."""
        words = {*spelling(name.normal)} - SMALL - NEUTRAL
        return any(words & {*spelling(n.normal)} for id_ in ids for n in self._preferred[id_])

    def best_match(
        self, type_: str, names: Collection[Name], search: int, find_node: FindNode
    ) -> NameMatch | None:
        """The ids that the most reliable of some names matches; None if there are none.

        A loose match is one only where there is no other.

        Args:
            type_: the type that the relation asks for.
            names: of one id, minted or of a list of translations.
            search: the place in ``SEARCHES``.
            find_node: what to know of the nodes of ids.
        """
        matches = [*self._matches(type_, names, SEARCHES[search], find_node)]
        if not matches:
            return None
        best = min(matches, key=lambda match: (match.is_loose, match))
        matches = [match for match in matches if match.is_loose == best.is_loose]
        if SEARCHES[search].by_main_name:
            equal = [match for match in matches if match.rank == best.rank]
        else:  # aliases that match different ids are ambiguous
            step = best.rank.step, best.rank.outside
            equal = [match for match in matches if (match.rank.step, match.rank.outside) == step]
        rule: KnownBy = _RULES[best.rank.level] if search == 0 else "alias"
        positions = {match.name.position for match in equal} | {match.position for match in equal}
        ids = tuple(sorted({match.id for match in equal}))
        by = tuple(sorted(positions))
        return NameMatch(best.rank, ids, rule, best.name, by, best.is_loose)

    def _matches(
        self, type_: str, names: Collection[Name], search: _Search, find_node: FindNode
    ) -> Iterator[_Match]:
        other_type = _OTHER_TYPE.get(type_, "")
        for name in self._usable(names):
            if name.is_main != search.by_main_name:
                continue
            is_taken = self._is_taken(other_type, name, find_node)
            for step, (in_other_type, levels) in enumerate(search.among):
                searched_type = other_type if in_other_type else type_
                for level, id_, position in self._holders.get((searched_type, *_key(name)), ()):
                    if level not in levels or not (node := find_node(id_, name)):
                        continue
                    if level == LAY and name.language == "en":
                        continue  # HPO has "muscle spasms" as a name of hyperkinetic movements
                    is_loose = node.is_loose or self._is_loose(
                        name, level, id_, node.names, is_taken=is_taken and not in_other_type
                    )
                    # a code of a classification comes after a finding of HPO
                    place = max(2 * step, _OUTSIDE) if node.outside else 2 * step
                    rank = MatchRank(place, node.outside, level, node.preference)
                    yield _Match(rank, id_, name, position, is_loose)

    def _is_taken(self, type_: str, name: Name, find_node: FindNode) -> bool:
        """Whether an id of the type's first ontologies has the name as its main name."""
        return any(
            level <= PREFERRED and (node := find_node(id_, name)) and not node.outside
            for level, id_, _ in self._holders.get((type_, *_key(name)), ())
        )

    def _is_loose(
        self, name: Name, level: int, id_: str, of_node: Collection[Name], *, is_taken: bool
    ) -> bool:
        """Whether a name of an id means something else than the id or its node.

        Such "exact" synonyms are "chronic pharyngitis" of pharyngitis and "hypomania" of mania.
        The preferred name is that of the id; where it has none, as one that was minted, that of
        its node. One of these holds of a synonym: an id of the other type has it as its main name,
        and this one has another; UMLS has another concept of exactly this name; it is narrower or
        broader than the preferred name, or that is numbered (holoprosencephaly 1) and it is not.
        Or one of these of any name in comparison with that of the node: they differ in kind, or
        the node's is numbered.
        """
        if level not in {PREFERRED, EXACT, LAY}:
            return False
        if any(differ_in_kind(name, main) or is_numbered(name, main) for main in of_node):
            return True
        if level == PREFERRED:
            return False
        preferred = self._preferred[id_] or [n for n in of_node if n.language == "en"]
        same_language = [other for other in preferred if other.language == name.language]
        if is_taken and same_language:
            return True
        concepts_of_name = self._concepts_by_name.get(_key(name))
        concepts_of_id = self._concepts[id_]
        if concepts_of_name and concepts_of_id and concepts_of_name.isdisjoint(concepts_of_id):
            return spelling(name.normal) not in {spelling(other.normal) for other in preferred}
        says_more_or_less = name.level != PREFERRED or name.language != "zh"
        return is_narrower([name], preferred) or any(
            is_numbered(name, other) or (says_more_or_less and differ_in_scope(name, other))
            for other in same_language
        )

    def _usable(self, names: Collection[Name]) -> Iterator[Name]:
        """The main names of a minted id, and its aliases that are neither narrower nor broader.

        English aliases are left out: English pages list parts and wholes as other names ("skull
        fractures" of head injuries).
        """
        main = [name for name in names if name.is_main]
        for name in names:
            has_entry = (name.language, name.normal, name.position) in self._entries
            is_usable_alias = name.language != "en" and not has_entry
            if name.normal.endswith(" nos"):
                continue  # "not otherwise specified": the term above it in its classification
            if name.is_main or (
                is_usable_alias and not any(differ_in_scope(name, other) for other in main)
            ):
                yield name


def _key(name: Name) -> tuple[str, str]:
    return name.language, name.normal


def _words(names: Iterable[Name]) -> set[str]:
    """The words of preferred English names."""
    preferred = (n.normal for n in names if n.level == PREFERRED and n.language == "en")
    return {word for normal in preferred for word in normal.split()}
