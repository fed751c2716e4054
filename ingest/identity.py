"""Ids: what is known of each, the reasons to join some, and what the merge decides."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final, Literal, NamedTuple, get_args

from ingest.equivalence import Reason, prefix
from ingest.names import PREFERRED, TRANSLATED, KnownBy, Name
from kg.text import normalise
from kg.vocabulary import of_category

MINTED_PREFIX = "MEDKG"
"""Prefix of ids made from names that no ontology has."""

NAMELESS_TYPES = frozenset(of_category("code", "text"))
"""Types whose names do not identify them: many sections have one title."""

Rule = Literal[
    "former id",
    "exact match",
    "mutual cross-reference",
    "name",
    "concept and name",
    KnownBy,
]
"""Why ids are taken for one node, strongest first."""

_RULES: Final[tuple[Rule, ...]] = get_args(Rule)

NameRule = Literal["spelling", "link"]
"""Why a name without an id has the id that it has: minted from its normal form, which other
spellings share; or the linker found its node."""

Why = Literal[
    "several nodes", "several codes", "other concepts", "an abbreviation", "a loose name"
]
"""Why a name joins nothing."""


@dataclass(frozen=True)
class Candidate:
    """One id with its type, names and concepts before merging."""

    id: str
    type: str
    names: tuple[Name, ...] = ()
    """At most one preferred a language."""
    mentioned: bool = True
    """False for an id that only mappings have: it may connect others, but is no node itself."""
    entries: Collection[int] = ()
    """Positions of the sources that have an entry of it, by its name."""
    concepts: frozenset[str] = frozenset()
    """The UMLS concepts that it has."""


class Match(NamedTuple):
    """A source's statement about two ids."""

    head: str
    rule: Rule
    """The rule that it supports; a mutual cross-reference takes two statements."""
    tail: str
    position: int
    statement: str
    """The statement as the source makes it, and where."""


class JoinReason(NamedTuple):
    """A reason to take ids for one node."""

    positions: tuple[int, ...]
    """Of the sources that it is from."""
    rule: Rule
    ids: tuple[str, ...]
    evidence: str

    def rank(self) -> tuple[int, int, tuple[str, ...], str]:
        """The order in which reasons are tried: by the last source, the rule, then the ids."""
        return max(self.positions), _RULES.index(self.rule), self.ids, self.evidence


class Coded(NamedTuple):
    """An id that has a UMLS concept."""

    id: str
    cui: str
    position: int
    names: Collection[tuple[str, str]]
    """Language and text of every name and synonym."""


class CloseMatch(NamedTuple):
    """A disease and a finding that it is."""

    disease: str
    finding: str
    rule: Literal["cross-reference", "concept and name"]
    evidence: str
    positions: tuple[int, ...]
    """Of the sources that say so."""


@dataclass(frozen=True)
class Merged:
    """An id that became part of another node, or a name that shares its node."""

    id: str
    """Of a name: the one that was minted for it, or with which it was linked."""
    node: str
    rule: Rule | NameRule
    evidence: str
    """The normalised name that both have, or what a source says."""
    sources: tuple[str, ...]
    """Those that the evidence is from; of a name, those that write it."""
    type: str | None = None
    """Of a name."""
    name: str | None = None
    """As sources write it, of one that came without an id; None for an id."""


@dataclass(frozen=True)
class Refused:
    """Ids that a rule would merge, and that were kept apart."""

    rule: Rule
    reason: Reason | Why
    conflict: str
    """What would have come together."""
    ids: tuple[str, ...]
    evidence: str
    sources: tuple[str, ...]


@dataclass(frozen=True)
class Identity:
    """Which ids are one node."""

    nodes: Mapping[str, str]
    """The node of each id that is part of another's, whether or not a source mentions it."""
    merged: list[Merged]
    """Ids that sources state something of, mappings included, and ids that connect them; ordered
    by id."""
    refused: list[Refused]
    """In the order in which they were tried."""
    close: list[CloseMatch] = field(default_factory=list)
    """Nodes that are a disease and the same as a finding; ordered."""
    retyped: Mapping[str, str] = field(default_factory=dict)
    """The type of its node, for each id whose candidate has another type."""


def mint(node_type: str, name: str) -> str | None:
    """The stable id of a name that has none; None where the name normalises to nothing."""
    normal = normalise(name)
    if not normal:
        return None
    digest = blake2b(normal.encode(), digest_size=8).hexdigest()
    return f"{MINTED_PREFIX}:{node_type}.{digest}"


def is_minted(curie: str) -> bool:
    """Whether an id was made from a name."""
    return prefix(curie) == MINTED_PREFIX


def statement_reasons(matches: Iterable[Match]) -> Iterator[JoinReason]:
    """Reasons from statements: ids that a source says are one, and ids that refer to each other."""
    cross_references: dict[tuple[str, str], Match] = {}
    stated: dict[tuple[Rule, str, str], Match] = {}
    for match in sorted(matches, key=lambda m: (m.position, m.statement)):
        if match.head == match.tail:
            continue
        if match.rule == "mutual cross-reference":
            cross_references.setdefault((match.head, match.tail), match)
        else:
            stated.setdefault((match.rule, match.head, match.tail), match)
    for (rule, head, tail), match in stated.items():
        yield JoinReason((match.position,), rule, tuple(sorted((head, tail))), match.statement)
    for (head, tail), match in cross_references.items():
        back = cross_references.get((tail, head))
        if back is not None and head < tail:
            evidence = f"{match.statement}; {back.statement}"
            positions = match.position, back.position
            yield JoinReason(positions, "mutual cross-reference", (head, tail), evidence)


def name_reasons(candidates: Iterable[Candidate]) -> Iterator[JoinReason]:
    """Reasons from names: preferred names that several ids of one type have in one language.

    A minted id is left out where a list of translations has the name: the list decides.
    """
    keyed = [
        (candidate.id, (candidate.type, name.language, name.normal), name)
        for candidate in candidates
        if candidate.type not in NAMELESS_TYPES
        for name in candidate.names
    ]
    translated = {
        key for id_, key, name in keyed if name.level == TRANSLATED and not is_minted(id_)
    }
    positions: dict[tuple[str, str, str], dict[str, int]] = defaultdict(dict)
    for id_, key, name in keyed:
        if name.level == PREFERRED and not (key in translated and is_minted(id_)):
            positions[key][id_] = name.position
    for (_, _, normal), ids in positions.items():
        if len(ids) > 1:
            yield JoinReason(tuple(sorted(ids.values())), "name", tuple(sorted(ids)), normal)
