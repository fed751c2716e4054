"""Records: what was asked, said and judged beside knowledge, and what they may point to.

An entity is what medicine knows of; a record is what somebody or some model said at one time.
Records are no ``:Entity``: each type is a label of its own (on the embedded engine a node table
of its own), and every relation of records begins at a record. A query that names ``:Entity``
or an entity type therefore never meets one.
"""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, Column, Kind
from kg.vocabulary import NODE_TYPES, RELATION_TYPES

ENTITY: Final = "Entity"
"""Stands for every entity type where a relation of records ends."""


@dataclass(frozen=True)
class RecordType:
    """One label of records."""

    name: str
    about: str
    own: tuple[Column, ...]
    """Its columns besides ``id`` and ``layer``."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns of its table."""
        return (Column("id", Kind.STRING, required=True), *self.own, Column("layer", Kind.STRING))


@dataclass(frozen=True)
class RecordRelation:
    """One relationship type that begins at a record."""

    name: str
    domain: tuple[str, ...]
    """Record types a head may have."""
    range: tuple[str, ...]
    """Record types a tail may have, or ``Entity``."""
    own: tuple[Column, ...] = ()
    """Its columns besides the ends and ``layer``."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns of its table."""
        ends = [
            Column(name, Kind.STRING, required=True)
            for name in ("head", "head_type", "tail", "tail_type")
        ]
        return (*ends, *self.own, Column("layer", Kind.STRING))

    @property
    def properties(self) -> tuple[Column, ...]:
        """What an edge has as properties."""
        return (*self.own, Column("layer", Kind.STRING))

    @property
    def ends(self) -> tuple[tuple[str, str], ...]:
        """Every head type with every tail type."""
        return tuple((head, tail) for head in self.domain for tail in self.range)


def _record_types() -> dict[str, RecordType]:
    rows = (
        RecordType(
            "Run",
            "One evaluation of one model with fixed settings.",
            (
                Column("task", Kind.STRING, required=True),
                Column("model", Kind.STRING, required=True),
                Column("patient", Kind.STRING),
                Column("director", Kind.STRING),
                Column("language", Kind.STRING),
                Column("seed", Kind.INTEGER),
                Column("started", Kind.TIME),
                Column("finished", Kind.TIME),
                Column("complete", Kind.BOOLEAN),
                Column("settings", Kind.JSON),
            ),
        ),
        RecordType(
            "Case",
            "One patient that a model is confronted with.",
            (
                Column("task", Kind.STRING, required=True),
                Column("language", Kind.STRING),
                Column("area", Kind.STRING),
                Column("kind", Kind.STRING),
                Column("difficulty", Kind.STRING),
                Column("text", Kind.STRING),
                Column("facts", Kind.JSON),
            ),
        ),
        RecordType(
            "Dialogue",
            "One conversation about one case.",
            (
                Column("language", Kind.STRING),
                Column("repeat", Kind.INTEGER),
                Column("turns", Kind.INTEGER),
                Column("end_reason", Kind.STRING),
            ),
        ),
        RecordType(
            "Turn",
            "What one role says at one point of a dialogue.",
            (
                Column("number", Kind.INTEGER, required=True),
                Column("role", Kind.STRING, required=True),
                Column("text", Kind.STRING),
                Column("said", Kind.TIME),
                Column("violations", Kind.STRINGS, required=True),
                # of each violation, in the same order: an id, or the words
                Column("violations_about", Kind.STRINGS, required=True),
            ),
        ),
        RecordType(
            "Judgement",
            "What one judge says of a turn or a dialogue, on one metric.",
            (
                Column("judge", Kind.STRING, required=True),
                Column("metric", Kind.STRING, required=True),
                Column("score", Kind.FLOAT),
                Column("scored", Kind.BOOLEAN, required=True),
                Column("reason", Kind.STRING),
                Column("facts", Kind.JSON),
                Column("safety_flags", Kind.STRINGS, required=True),
            ),
        ),
    )
    return {row.name: row for row in rows}


def _record_relations() -> dict[str, RecordRelation]:
    negated = Column("negated", Kind.BOOLEAN)
    mention = (
        Column("start", Kind.INTEGER),
        Column("stop", Kind.INTEGER),
        negated,
    )
    rows = (
        RecordRelation("HAS_DIALOGUE", ("Run",), ("Dialogue",)),
        RecordRelation("ON_CASE", ("Dialogue",), ("Case",)),
        RecordRelation("HAS_TURN", ("Dialogue",), ("Turn",)),
        RecordRelation("JUDGES", ("Judgement",), ("Turn", "Dialogue")),
        # what a case is about: its disease, or its drug
        RecordRelation("ABOUT", ("Case",), (ENTITY,)),
        # what the patient of a dialogue has, whether it is told or not
        RecordRelation("HAS_FINDING", ("Dialogue",), (ENTITY,)),
        # character offsets into the text of the turn
        RecordRelation("MENTIONS", ("Turn",), (ENTITY,), mention),
        RecordRelation("ASKS_FOR", ("Turn",), (ENTITY,)),
        # what a patient may say; negated: that it is absent; asked: the doctor asked for it
        RecordRelation("RELEASES", ("Turn",), (ENTITY,), (negated, Column("asked", Kind.BOOLEAN))),
    )
    return {row.name: row for row in rows}


RECORD_TYPES: Final = MappingProxyType(_record_types())
"""Record types by name."""

RECORD_RELATIONS: Final = MappingProxyType(_record_relations())
"""Relations of records by name."""


def _check_names() -> None:
    """See that no name has two meanings: engines take a column of one name to be of one type.

    Raises:
        ValueError: a record type or relation is an entity type or relation too, or a column is
            of two kinds.
    """
    both = (RECORD_TYPES.keys() & NODE_TYPES.keys()) | (
        RECORD_RELATIONS.keys() & RELATION_TYPES.keys()
    )
    if both:
        raise ValueError(f"{sorted(both)}: of records and of entities")
    kinds_by_column: dict[str, set[Kind]] = {}
    tables = (
        *(t.columns for t in RECORD_TYPES.values()),
        *(r.columns for r in RECORD_RELATIONS.values()),
    )
    for column in (*NODE_COLUMNS, *EDGE_COLUMNS, *(c for columns in tables for c in columns)):
        text = {Kind.TIME: Kind.STRING, Kind.JSON: Kind.STRING}
        kinds_by_column.setdefault(column.name, set()).add(text.get(column.kind, column.kind))
    if two := sorted(name for name, kinds in kinds_by_column.items() if len(kinds) > 1):
        raise ValueError(f"{two}: columns of more than one kind")


_check_names()
