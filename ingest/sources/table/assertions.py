"""Assertions from the rows of a mapped table, as Ibis expressions.

Columns that are computed here begin with ``@``, as no column of a user's
table is likely to.
"""

from collections.abc import Collection
from typing import Any, Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from ingest.sources.concepts import concept_in, nameless
from ingest.sources.curies import SET_PREFIX, Curies, prefixed
from ingest.sources.formats.frequencies import Scale, read_frequency
from ingest.sources.table.mapping import (
    RELATIONS,
    SEXES,
    Choice,
    End,
    FromColumn,
    Mapping,
    Publications,
)
from ingest.sources.table.preparation import UNPREPARED
from kg.tables import SEPARATOR
from kg.vocabulary import ATTRIBUTES, LANGUAGES, NODE_TYPES, RELATION_TYPES

ORIGINAL: Final = "@original_relation"

_NEGATED: Final = tuple(name for name, relation in RELATION_TYPES.items() if relation.negated)
_SCALES: Final[tuple[Scale, ...]] = ("hpo", "cioms")
_OF_LEAFLETS: Final = ("HAS_ADVERSE_REACTION",)
"""Relations of which package leaflets say how often they hold, by words of their own."""

FIELDS: Final = (
    *("head", "head_type", "head_name", "relation", "tail", "tail_type", "tail_name", "value"),
    *("language", "frequency", "frequency_text", "onset", "sex", "publications", "evidence"),
    *("weight", "weight_text"),
)
_CELL, _SCALE, _TEXT, _FRACTION = "@cell", "@scale", "@frequency_text", "@fraction"
"""Of the frequency: its cell, whose words it has, and what it says."""
_CHECKED: Final = (
    *("head_cui", "head_concept", "written_head_type"),
    *("tail_cui", "tail_concept", "written_tail_type"),
)
"""Of the ends, beside what stands in assertions: the concept as it is written, the same if it is
given as the id, and the type of what the columns of this end hold."""


def original_relation(table: ir.Table, relation: Choice) -> ir.Value:
    """The original relation of a row."""
    if isinstance(relation, str):
        return ibis.literal(relation)
    return table[relation.column].fill_null("no relation").substr(0, 100)


def fields(table: ir.Table, mapping: Mapping, id_prefix: str | None) -> dict[str, Any]:
    """Columns of the assertion, each with ``@`` before its name, and columns for the checks.

    Args:
        table: as ``with_frequency`` leaves it.
        mapping: what its columns mean.
        id_prefix: of ids without one, where an end has no prefix of its own.
    """
    nothing = ibis.null("string")
    relation = _chosen(table, mapping.relation)
    is_attribute = relation.isin(list(ATTRIBUTES)).fill_null(False)
    filled = {"relation": relation, **_ends(table, mapping, is_attribute, id_prefix)}
    if mapping.value:
        filled["value"] = ibis.ifelse(is_attribute, table[mapping.value], nothing)
    for name in ("language", "onset", "sex", "evidence"):
        choice = getattr(mapping, name)
        if choice is not None:
            filled[name] = _chosen(table, choice)
    if isinstance(mapping.sex, FromColumn):
        sex = filled["sex"].strip().upper()
        filled["sex"] = ibis.ifelse(sex.isin(SEXES), sex, nothing)
    if mapping.frequency:
        filled["frequency_text"], filled["frequency"] = table[_TEXT], table[_FRACTION]
    if mapping.publications:
        filled["publications"] = _publications(table, mapping.publications)
    if mapping.weight:
        filled["weight"] = finite_number(table[mapping.weight])
        filled["weight_text"] = ibis.ifelse(
            filled["weight"].notnull(), table[mapping.weight].strip(), nothing
        )
    numbers = {"frequency", "weight"}
    names = (*FIELDS, *_CHECKED)
    empty = {name: ibis.null("float64") if name in numbers else nothing for name in names}
    return {f"@{name}": value for name, value in (empty | filled).items()}


def _ends(
    table: ir.Table, mapping: Mapping, is_attribute: ir.BooleanValue, id_prefix: str | None
) -> dict[str, ir.StringValue]:
    """Columns of head and tail; a tail only for edges.

    In a row that is swapped each end takes the columns of the other. What is constant, a type
    or a prefix, stays with its end.
    """
    nothing = ibis.null("string")
    swapped = None
    if mapping.swap:
        swapping = [word for word, swaps in mapping.swap.values.items() if swaps]
        swapped = table[mapping.swap.column].fill_null("").isin(swapping) & ~is_attribute

    columns: dict[str, ir.StringValue] = {}
    ends = {"head": mapping.head, "tail": mapping.tail}
    for side, other_side in (("head", "tail"), ("tail", "head")):
        end, other = ends[side], ends[other_side]
        if end is None:
            continue

        def cell(field: str, of: End) -> ir.StringValue:
            column = getattr(of, field)
            return nothing if column is None else table[column]

        def swap_aware(unswapped: ir.StringValue, swapped_value: ir.StringValue) -> ir.StringValue:
            return unswapped if swapped is None else ibis.ifelse(swapped, swapped_value, unswapped)

        cells = {f: swap_aware(cell(f, end), cell(f, other or end)) for f in ("id", "name", "cui")}
        stated_type = _chosen(table, end.type)
        end_type = stated_type
        if other is not None and not isinstance(end.type, str):
            end_type = swap_aware(stated_type, _chosen(table, other.type))
        id_ = prefixed(cells["id"], end.prefix or id_prefix)
        concept = concept_in(id_, end_type)
        end_columns = {
            side: ibis.ifelse(concept.isnull(), id_, nothing),
            f"{side}_type": end_type,
            f"{side}_name": cells["name"],
            f"{side}_cui": ibis.coalesce(cells["cui"], concept),
            f"{side}_concept": concept,
            f"written_{side}_type": stated_type,
        }
        if side == "tail":
            end_columns = {
                n: ibis.ifelse(is_attribute, nothing, each) for n, each in end_columns.items()
            }
        columns |= end_columns
    return columns


def _chosen(table: ir.Table, choice: Choice) -> ir.Value:
    if isinstance(choice, str):
        return ibis.literal(choice)
    column = table[choice.column]
    if choice.values is None:
        return column
    cases = [(column == written, ibis.literal(value)) for written, value in choice.values.items()]
    return ibis.cases(*cases, else_=ibis.null("string")) if cases else ibis.null("string")


def _publications(table: ir.Table, publications: Publications) -> ir.Value:
    parts = table[publications.column].split(publications.separator)
    trimmed = parts.map(lambda part: part.strip()).filter(lambda part: part != "")
    return trimmed.map(lambda part: prefixed(part, publications.prefix)).join(SEPARATOR)


def finite_number(text: ir.Value) -> ir.Value:
    """A column of text as numbers; null where it is none, or not finite."""
    number = text.strip().try_cast("float64")
    return ibis.ifelse(number.isnan() | number.isinf(), ibis.null("float64"), number)


def with_frequency(table: ir.Table, mapping: Mapping) -> ir.Table:
    """Add what the cells with the frequency say, for ``fields``; each is read once by Python."""
    if mapping.frequency is None:
        return table
    column, unit, words = mapping.frequency.column, mapping.frequency.unit, mapping.frequency.words
    written = table.select(cell=table[column]).distinct().to_pyarrow()["cell"].drop_null()
    cells: dict[str, pa.Array] = {_CELL: written}
    for scale in _SCALES:
        frequencies = [read_frequency(cell, unit, scale) for cell in written.to_pylist()]
        cells[f"{_TEXT} {scale}"] = pa.array(
            [frequency and frequency.text for frequency in frequencies], pa.string()
        )
        fractions = [frequency and frequency.fraction for frequency in frequencies]
        cells[f"{_FRACTION} {scale}"] = pa.array(fractions, pa.float64())
    read = ibis.memtable(pa.table(cells))
    joined = table.left_join(read, table[column] == read[_CELL]).drop(_CELL)
    of_leaflets = (
        ibis.literal(words == "cioms")
        if words
        else _chosen(joined, mapping.relation).isin(_OF_LEAFLETS).fill_null(False)
    )
    return joined.mutate(
        **{
            _SCALE: ibis.ifelse(of_leaflets, "CIOMS", "HPO"),
            **{
                name: ibis.ifelse(of_leaflets, joined[f"{name} cioms"], joined[f"{name} hpo"])
                for name in (_TEXT, _FRACTION)
            },
        }
    )


def why_no_fact(table: ir.Table, mapping: Mapping) -> ir.Value:
    """Why a row gives no assertion, null where it gives one; ``table`` has ``fields``."""
    unidentified = {
        side: table[f"@{side}"].isnull() & table[f"@{side}_name"].isnull()
        for side in ("head", "tail")
    }
    is_attribute = table["@relation"].isin(list(ATTRIBUTES)).fill_null(False)
    choices: list[tuple[str, str, Choice, Collection[str]]] = [
        ("relation", "relation", mapping.relation, RELATIONS),
        ("head.type", "written_head_type", mapping.head.type, NODE_TYPES),
        ("language", "language", mapping.language, LANGUAGES),
    ]
    if mapping.tail:
        choices.append(("tail.type", "written_tail_type", mapping.tail.type, NODE_TYPES))
    cases = []
    for field, checked_column, choice, allowed in choices:
        if isinstance(choice, FromColumn):
            is_mapped = table[f"@{checked_column}"].isin(list(allowed)).fill_null(False)
            if field == "tail.type":
                is_mapped |= is_attribute
            cases.append((~is_mapped, _unmapped(table, choice.column, field)))
    if mapping.swap:
        is_mapped = table[mapping.swap.column].fill_null("").isin(list(mapping.swap.values))
        cases.append((~is_mapped, _unmapped(table, mapping.swap.column, "swap")))
    for side in ("head", "tail"):
        concept = table[f"@{side}_concept"]
        message = nameless(concept, table[f"@{side}_type"], side)
        cases.append((unidentified[side] & concept.notnull(), message))
    return ibis.cases(
        (table[UNPREPARED].notnull(), table[UNPREPARED]),
        *cases,
        (unidentified["head"], ibis.literal("the row names no head")),
        (~is_attribute & unidentified["tail"], ibis.literal("the row names no tail")),
        (is_attribute & table["@value"].isnull(), ibis.literal("the row has no value")),
        (
            (table["@frequency"] == 0) & table["@relation"].notin(_NEGATED),
            ibis.literal("a frequency of zero says that it is not so; map such rows apart"),
        ),
        else_=ibis.null("string"),
    )


def states_nothing(table: ir.Table, mapping: Mapping) -> ir.BooleanValue:
    """Whether a row states nothing by this mapping, if there are several; ``table`` has ``fields``.

    Its word for the relation is not in the mapping, or every column of the tail (or the value)
    is blank.
    """
    is_attribute = table["@relation"].isin(list(ATTRIBUTES)).fill_null(False)
    empty = ibis.literal(True)
    for column in mapping.tail.columns() if mapping.tail else ():
        empty &= table[column].isnull()
    blank = ibis.ifelse(is_attribute, table["@value"].isnull(), empty)
    unmapped = table["@relation"].notin(RELATIONS).fill_null(True)
    return table[UNPREPARED].isnull() & (unmapped | blank)


def _unmapped(table: ir.Table, column: str, field: str) -> ir.StringValue:
    written = table[column].fill_null("").substr(0, 200)
    message = f"' in column {column} is not mapped; add it to '{field}.values'"
    return ibis.literal("'") + written + message


def problem(facts: ir.Table) -> ir.Value:
    """The problem of an assertion, null if there is none; ``facts`` has ``fields``."""
    return ibis.coalesce(*Curies().problems(facts, "@head", "@tail", bare=SET_PREFIX))


CELLS: Final = ("frequency", "weight", "onset", "sex", "evidence")
"""Fields without which a fact stands."""


def readable(mapping: Mapping) -> list[str]:
    """Those of ``CELLS`` that have a column in which not everything can be read."""
    numbers = [name for name in ("frequency", "weight") if getattr(mapping, name)]
    chosen = [(name, getattr(mapping, name)) for name in ("onset", "sex", "evidence")]
    return numbers + [
        name
        for name, choice in chosen
        if isinstance(choice, FromColumn) and (choice.values is not None or name == "sex")
    ]


def unread(table: ir.Table, mapping: Mapping) -> dict[str, ir.StringValue]:
    """For each of ``CELLS`` why it could not be read, null if it could; ``table`` has ``fields``."""

    def reason(name: str) -> ir.StringValue:
        if name == "frequency" and mapping.frequency:
            column, unit = mapping.frequency.column, mapping.frequency.unit
            is_read = table[_TEXT].notnull()
            what = ibis.literal(
                f"is no frequency{'' if unit == 'hpo' else f' in {unit}'} and no word of "
            )
            what += table[_SCALE]
        elif name == "weight" and mapping.weight:
            column, is_read, what = mapping.weight, table["@weight"].notnull(), "is no weight"
        else:
            column, is_read = getattr(mapping, name).column, table[f"@{name}"].notnull()
            to = f" to {' or '.join(SEXES)}" if name == "sex" else ""
            what = f"is not mapped{to}; add it to '{name}.values'"
        start = ibis.literal("'") + table[column].substr(0, 100) + f"' in column {column} "
        is_unread = table[column].notnull() & ~is_read
        return ibis.ifelse(is_unread, start + what, ibis.null("string"))

    able = readable(mapping)
    return {name: reason(name) if name in able else ibis.null("string") for name in CELLS}
