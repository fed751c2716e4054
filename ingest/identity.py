"""Ids: what is known of each, and what the merge decides of it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Literal, NamedTuple

from ingest.equivalence import Reason, prefix
from ingest.known_names import KnownBy, Name
from kg.text import normalise
from kg.vocabulary import of_category

MINTED_PREFIX = "MEDKG"
"""Prefix of the ids of things that no ontology names."""

NAMELESS_TYPES = frozenset(of_category("code", "text"))
"""Types whose names do not identify: one title heads many sections."""

Rule = Literal[
    "former id",
    "exact match",
    "mutual cross-reference",
    "name",
    "concept and name",
    KnownBy,
]
"""Why ids are taken for one node, strongest first."""

NameRule = Literal["spelling", "link"]
"""Why a name without an id has the id that it has: minted from its normal form, which other
spellings share; or the linker found whom it means."""

Why = Literal["several nodes", "several codes", "other concepts", "an abbreviation"]
"""Why a name joins nothing."""


@dataclass(frozen=True)
class Candidate:
    """One id with what is known of it before merging."""

    id: str
    type: str
    names: tuple[Name, ...] = ()
    """At most one preferred a language."""
    mentioned: bool = True
    """False for an id that only mappings have: it may connect others, and is no node."""
    entries: Collection[int] = ()
    """Positions of the sources that have an entry of it, by its name."""
    concepts: frozenset[str] = frozenset()
    """The UMLS concepts that it has."""


class Match(NamedTuple):
    """A source's statement about two ids."""

    head: str
    rule: Rule
    """What it may lead to; a mutual cross-reference takes two statements."""
    tail: str
    position: int
    said: str
    """The statement as the source makes it, and where."""


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
    """Ids that were not merged though a rule speaks for it."""

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
    """Ids of which sources say something, if only what they match, and those that connect them;
    ordered by id."""
    refused: list[Refused]
    """In the order in which they were tried."""
    close: list[CloseMatch] = field(default_factory=list)
    """Nodes that are a disease and the same as a finding; ordered."""
    retyped: Mapping[str, str] = field(default_factory=dict)
    """The type of each id that has another one than its candidate, since its node has."""


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
