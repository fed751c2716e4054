"""Assertions from the rows of a table of triples, as Ibis expressions."""

from collections.abc import Collection, Mapping
from typing import Any, Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from ingest.sources.concepts import concept_in, nameless
from ingest.sources.curies import SET_PREFIX, Curies, prefixed
from ingest.sources.formats.delimited import NUMBER, RECORD
from ingest.sources.relations import Mapped
from ingest.sources.table.assertions import finite_number
from kg.vocabulary import LANGUAGES, RELATION_TYPES

_SHOWN: Final = 200


def stated(
    rows: ir.Table,
    columns: Mapping[str, str],
    constants: Mapping[str, str],
    meanings: Mapping[str, Mapped],
    node_types: Mapping[str, str],
    *,
    id_prefix: str | None = None,
) -> ir.Table:
    """The rows under the names of assertions, those of inverted relations turned round.

    Args:
        rows: of the table, with ``NUMBER`` and ``RECORD``.
        columns: its columns, by what they are: head, relation, tail, head_id, ….
        constants: what holds for every row: head_type, tail_type.
        meanings: what the words for relations mean.
        node_types: what the words for types mean.
        id_prefix: put before ids that have none.

    Returns:
        ``row, record, original_relation``, ``head, head_name, head_type`` and the same of the
        tail, ``head_cui`` and ``tail_cui`` where the id is a UMLS concept, ``relation`` (null
        for an unknown word), ``language`` (null where none is told), ``evidence``, ``weight``,
        and what the checks below look at.
    """

    def text(name: str) -> ir.Value:
        if name in constants:
            return ibis.literal(constants[name])
        column = columns.get(name)
        return ibis.null("string") if column is None else rows[column].strip().nullif("")

    table = rows.select(
        row=rows[NUMBER],
        record=rows[RECORD],
        word=text("relation"),
        language=text("language"),
        evidence=text("question"),
        written_weight=text("confidence"),
        **{f"first_{field}": text(_column("head", field)) for field in ("id", "name", "type")},
        **{f"second_{field}": text(_column("tail", field)) for field in ("id", "name", "type")},
    )
    meaning_table = _meanings(meanings)
    table = table.left_join(meaning_table, table.word == meaning_table.known_word)
    inverted = table.inverted.fill_null(False)

    def side(one: str, other: str, field: str) -> ir.Value:
        return ibis.ifelse(inverted, table[f"{other}_{field}"], table[f"{one}_{field}"])

    ends: dict[str, Any] = {}
    for end, one, other in (("head", "first", "second"), ("tail", "second", "first")):
        written = side(one, other, "type")
        type_ = ibis.cases(
            *((written == word, ibis.literal(type_)) for word, type_ in node_types.items()),
            else_=ibis.null("string"),
        )
        ends[f"{end}_name"] = side(one, other, "name")
        ends[f"{end}_written_type"] = written
        of_type = ibis.ifelse(written.isnull(), table[f"{end}_by_relation"], type_)
        id_ = prefixed(side(one, other, "id"), id_prefix)
        ends[f"{end}_type"], ends[f"{end}_cui"] = of_type, concept_in(id_, of_type)
        ends[end] = ibis.ifelse(ends[f"{end}_cui"].isnull(), id_, ibis.null("string"))
    weight = finite_number(table.written_weight)
    return table.mutate(
        **ends,
        weight=ibis.ifelse(weight.between(0, 1), weight, ibis.null("float64")),
        original_relation=table.word.fill_null("no relation").substr(0, 100),
    )


def why_no_fact(table: ir.Table, min_confidence: float | None) -> ir.Value:
    """Why a row gives no assertion, null where it gives one; ``table`` is what ``stated`` gave."""
    return ibis.cases(
        (table.word.isnull(), ibis.literal("the row names no relation")),
        (
            table.relation.isnull(),
            _quoted("the graph has no relation for ", table.word, "; map it in 'relations'"),
        ),
        *(case for end in ("head", "tail") for case in _incomplete(table, end)),
        (
            table.language.notin(LANGUAGES),
            _quoted("", table.language, f" is no language; write {' or '.join(LANGUAGES)}"),
        ),
        *_unsure(table, min_confidence),
        else_=ibis.null("string"),
    )


def problem(facts: ir.Table) -> ir.Value:
    """The problem of an assertion, null if there is none."""
    return ibis.coalesce(*Curies().problems(facts, "head", "tail", bare=SET_PREFIX))


def unread_confidences(facts: ir.Table) -> ir.Table:
    """The rows whose confidence is none, with the ``reason``."""
    unread = facts.filter(facts.written_weight.notnull() & facts.weight.isnull())
    return unread.mutate(reason=_no_confidence(unread))


def _no_confidence(table: ir.Table) -> ir.StringValue:
    return _quoted("", table.written_weight, " is no confidence from 0 to 1")


def _column(end: str, field: str) -> str:
    return end if field == "name" else f"{end}_{field}"


def _meanings(meanings: Mapping[str, Mapped]) -> ir.Table:
    """``known_word, relation, inverted``, and the type of each end where there is but one."""
    rows = [
        {
            "known_word": word,
            "relation": mapped.relation,
            "inverted": mapped.inverted,
            "head_by_relation": mapped.head or RELATION_TYPES[mapped.relation].usual_head,
            "tail_by_relation": mapped.tail or _only(RELATION_TYPES[mapped.relation].range),
        }
        for word, mapped in meanings.items()
    ]
    texts = ("known_word", "relation", "head_by_relation", "tail_by_relation")
    schema = pa.schema([*((name, pa.string()) for name in texts), ("inverted", pa.bool_())])
    return ibis.memtable(pa.Table.from_pylist(rows, schema))


def _only(types: Collection[str]) -> str | None:
    return next(iter(types)) if len(types) == 1 else None


def _incomplete(table: ir.Table, end: str) -> list[tuple[ir.BooleanValue, ir.StringValue]]:
    """What an end may lack."""
    written, untyped = table[f"{end}_written_type"], table[f"{end}_type"].isnull()
    unidentified = table[end].isnull() & table[f"{end}_name"].isnull()
    concept = table[f"{end}_cui"]
    unknown = _quoted("", written, f" is no type of a {end}; map it in 'types'")
    several = table.relation + f" takes several types for its {end}, and the row tells none"
    return [
        (unidentified & concept.notnull(), nameless(concept, table[f"{end}_type"], end)),
        (unidentified, ibis.literal(f"no {end} is named")),
        (untyped & written.notnull(), unknown),
        (untyped, several),
    ]


def _unsure(table: ir.Table, least: float | None) -> list[tuple[ir.BooleanValue, ir.StringValue]]:
    if least is None:
        return []
    below = _quoted("the confidence ", table.written_weight, f" is below {least:g}")
    return [
        (
            table.written_weight.isnull(),
            ibis.literal(f"the row has no confidence, and {least:g} is the least"),
        ),
        (table.weight.isnull(), _no_confidence(table)),
        (table.weight < least, below),
    ]


def _quoted(before: str, value: ir.StringValue, after: str) -> ir.StringValue:
    shown = value.substr(0, _SHOWN)
    return ibis.literal(f"{before}'") + shown + ibis.literal(f"'{after}")
