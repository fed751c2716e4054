"""What statements may name, and of what type it is: labels, relations, columns."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Literal

Kind = Literal[
    "integer", "float", "string", "boolean", "list", "map", "node", "relationship", "path", "any"
]
"""``any`` is what cannot be told: its parts were refused already."""


@dataclass(frozen=True)
class Type:
    """Of an expression."""

    kind: Kind
    nullable: bool = False
    of: "Type | None" = None
    """What a list has."""
    fields: tuple[tuple[str, "Type"], ...] = ()
    """What a map has, by name."""
    labels: frozenset[str] = frozenset()
    """Of a node: its label, or none where it may be any; of a relationship: its types."""
    unlike: str = ""
    """Why the engines need not have the same value: last digits, or the order of a list."""
    filled: bool = False
    """A text that is not empty."""
    ascii: bool = False
    """A text of ASCII alone, or a list of such."""
    computed: bool = False
    """A text that is no stored column: beyond the basic plane Neo4j orders these by UTF-16."""
    given: bool = False
    """A parameter, or made of one: Ladybug types it by its value, and an empty list not at all."""
    signed_zero: bool = False
    """It may be -0.0, which the engines order otherwise."""
    whole: bool = False
    """A float without a fraction, of which a sum is exact."""
    positive: bool = False
    """A number above 0."""
    wide: bool = False
    """A number without bounds, so that small ones are lost beside great ones in a sum."""

    @property
    def number(self) -> bool:
        """Whether it can be reckoned with."""
        return self.kind in {"integer", "float", "any"}

    @property
    def scalar(self) -> bool:
        """Whether it can be a cell of an answer, lists apart."""
        return self.kind in {"integer", "float", "string", "boolean", "any"}

    def null(self, nullable: bool = True) -> "Type":
        """The same type that may be null, or may not."""
        return replace(self, nullable=nullable)


ANY = Type("any", nullable=True)
INTEGER = Type("integer")
FLOAT = Type("float")
STRING = Type("string")
BOOLEAN = Type("boolean")


def column_type(name: str) -> Type:
    """The type that a header's or a table's word stands for: ``list of string``."""
    if name.startswith("list of "):
        return Type("list", of=column_type(name.removeprefix("list of ")))
    kinds_by_name: dict[str, Kind] = {
        "integer": "integer",
        "float": "float",
        "string": "string",
        "boolean": "boolean",
    }
    return Type(kinds_by_name[name])


@dataclass(frozen=True)
class Relation:
    """A relationship type: its columns, and the labels that its ends may have."""

    columns: Mapping[str, Type]
    domain: frozenset[str] = frozenset()
    range: frozenset[str] = frozenset()
    symmetric: bool = False
    """Stored once for each pair."""


@dataclass(frozen=True)
class Vocabulary:
    """The names that statements may use."""

    nodes: Mapping[str, Mapping[str, Type]]
    """Columns by label; ``Entity`` is the label of all that are no records."""
    relations: Mapping[str, Relation]
    record_types: Collection[str] = ()
    """Labels of records, beside those of entities."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """By label a column, beside ``id``, that no two nodes share."""

    @property
    def node_types(self) -> list[str]:
        """Labels of entities."""
        return [each for each in self.nodes if each not in {*self.record_types, "Entity"}]

    def node_columns(self, label: str) -> Mapping[str, Type]:
        """Columns of a node of that label; of any node where it has none."""
        if label in self.nodes:
            return self.nodes[label]
        return {name: type_ for columns in self.nodes.values() for name, type_ in columns.items()}

    def relation_columns(self, types: Collection[str]) -> Mapping[str, Type]:
        """Columns of relationships of those types; of any where there are none."""
        chosen = [self.relations[name] for name in types if name in self.relations]
        of = chosen or list(self.relations.values())
        return {name: type_ for relation in of for name, type_ in relation.columns.items()}


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name that is written most like a word, in whatever case; None: none is near."""
    names = {name.lower(): name for name in sorted(known)}
    near = get_close_matches(word.lower(), names, n=1)
    if near and near[0].partition("_")[0] == word.lower().partition("_")[0]:
        return names[near[0]]
    beginning = [name for name in names if _stem(name) == _stem(word.lower())]
    return names[(beginning or near)[0]] if beginning or near else None


def _stem(name: str) -> str:
    """The first word without what a verb's forms change: ``treat`` of TREATS and TREATED_BY."""
    return re.sub(r"(?<=\w{3})(e?s|e?d|ing|e)$", "", name.partition("_")[0])
