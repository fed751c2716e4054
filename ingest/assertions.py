"""Assertions: what one record of one source says, in the one schema that all sources share.

An assertion is an edge (``relation`` in ``RELATION_TYPES``; head and tail each
an id, a name, or both) or an attribute of its head (``relation`` in
``ATTRIBUTES``; the literal in ``value``, no tail). A record that gives none is
quarantined as a whole; an assertion that cannot be used (an unusable id, say)
carries its ``problem`` and is quarantined by the merge, so every record and
every assertion is counted exactly once at each stage.
"""

from typing import Final, NamedTuple

from kg.tables import Column, Kind

ASSERTION_COLUMNS: Final = (
    Column("source", Kind.STRING, required=True),
    Column("file", Kind.STRING, required=True),
    Column("row", Kind.INTEGER, required=True),
    Column("original_relation", Kind.STRING, required=True),
    Column("head", Kind.STRING),
    Column("head_type", Kind.STRING, required=True),
    Column("head_name", Kind.STRING),
    Column("relation", Kind.STRING, required=True),
    Column("tail", Kind.STRING),
    Column("tail_type", Kind.STRING),
    Column("tail_name", Kind.STRING),
    Column("value", Kind.STRING),
    Column("language", Kind.STRING, required=True),
    Column("frequency", Kind.FLOAT),
    Column("frequency_text", Kind.STRING),
    Column("onset", Kind.STRING),
    Column("sex", Kind.STRING),
    Column("publications", Kind.STRING),
    Column("evidence", Kind.STRING),
    Column("weight", Kind.FLOAT),
    Column("weight_text", Kind.STRING),
    Column("problem", Kind.STRING),
)
"""``row`` is the record's place in its file, from 1 (header and comment lines not
counted; stanzas in OBO, facts in the sample). ``original_relation`` is the source's
own word for what the record says, and what the accounts group by. ``language``
is that of the names and the value. ``publications`` and ``evidence`` hold
several values joined by ``|``. ``frequency_text`` and ``weight_text`` are the numbers as the
source writes them, where that is not the number itself."""

QUARANTINE_COLUMNS: Final = (
    Column("source", Kind.STRING, required=True),
    Column("file", Kind.STRING, required=True),
    Column("row", Kind.INTEGER, required=True),
    Column("original_relation", Kind.STRING, required=True),
    Column("stage", Kind.STRING, required=True),
    Column("reason", Kind.STRING, required=True),
    Column("record", Kind.STRING, required=True),
)
"""``stage`` is ``read`` (the whole record gave nothing), ``cell`` (a cell of it could not be read;
what it asserts stands without that) or ``merge`` (one assertion of it could not be used);
``record`` is the record or the assertion, as JSON."""


class Assertion(NamedTuple):
    """One assertion of a reader that goes record by record; fields as the columns."""

    file: str
    row: int
    original_relation: str
    head: str | None
    head_type: str
    head_name: str | None
    relation: str
    tail: str | None = None
    tail_type: str | None = None
    tail_name: str | None = None
    value: str | None = None
    language: str = "en"
    frequency: float | None = None
    frequency_text: str | None = None
    onset: str | None = None
    sex: str | None = None
    publications: str | None = None
    evidence: str | None = None
    weight: float | None = None
    weight_text: str | None = None
    problem: str | None = None


class Quarantined(NamedTuple):
    """One record that gave no assertion, and why."""

    file: str
    row: int
    original_relation: str
    reason: str
    record: str
