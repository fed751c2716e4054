"""Assertions from the triples, as Ibis expressions; the distinct names and cases are read in Python."""

from collections.abc import Mapping
from typing import Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from ingest.identity import mint
from ingest.sources.cmekg.meanings import Case, chosen, name_types
from ingest.sources.cmekg.names import TYPE_WORDS, Name, read_name
from ingest.sources.relations import RelationMap
from ingest.sources.writing import as_assertions
from kg.vocabulary import ATTRIBUTES, NODE_TYPES

NO_RELATION: Final = "no relation"
_LONGEST_WORD: Final = 100
_FALSE: Final = ibis.literal(value=False)
_TYPE_WORDS: Final = {name: name for name in NODE_TYPES} | TYPE_WORDS
_TEXT_HEADING: Final = "原文"
"""Of a section that is the sentence from which triples were taken."""


def with_meanings(engine: ibis.BaseBackend, good: ir.Table, relations: RelationMap) -> ir.Table:
    """Each triple with its meaning, or the reason why it has none.

    Args:
        engine: makes the tables.
        good: ``Triples.good``.
        relations: CMeKG's words.

    Returns:
        ``row, record, original_relation, head_name, head_end, relation, tail_name, tail_end,
        tail_text, inverted, section, text, evidence, reason``.
    """
    named = engine.create_table("named", _named(good), temp=True)
    usable = named.filter(named.reason.isnull())
    types = engine.create_table("name_types", name_types(usable, relations), temp=True)
    head = types.select(of_head="name", head_type="type")
    tail = types.select(of_tail="name", tail_type="type", tail_sure="sure")
    typed = named.drop("head_type", "tail_type").left_join(head, named.head_name == head.of_head)
    typed = typed.left_join(tail, typed.tail_name == tail.of_tail)
    typed = typed.mutate(tail_is_sure=typed.tail_sure.fill_null(_FALSE))
    typed = engine.create_table("typed", typed, temp=True)
    keys = {"word": typed.original_relation} | {name: typed[name] for name in Case._fields[1:]}
    distinct = typed.filter(typed.reason.isnull()).select(**keys).distinct().order_by(*keys)
    cases = [Case(**row) for row in distinct.to_pyarrow().to_pylist()]
    return _with_meaning(typed, chosen(cases, relations))


def _named(good: ir.Table) -> ir.Table:
    """Add the names, the types that columns give, and the reason if an end names nothing."""
    names = _names(good)
    head, tail = (_of_end(names, end) for end in ("head", "tail"))
    table = good.mutate(
        original_relation=good.relation.strip()
        .nullif("")
        .fill_null(NO_RELATION)
        .substr(0, _LONGEST_WORD)
    )
    table = table.left_join(head, table["head"] == head.head_written)
    table = table.left_join(tail, table["tail"] == tail.tail_written)
    unknown_types = [
        (table[f"{end}_type"].notnull() & table[f"{end}_type"].notin(list(_TYPE_WORDS)),
         ibis.literal("the type '") + table[f"{end}_type"] + "' is not known")
        for end in ("head", "tail")
    ]  # fmt: skip
    reason = ibis.cases(
        (table.head_written.isnull(), ibis.literal("the triple has no head")),
        (table.tail_written.isnull(), ibis.literal("the triple has no tail")),
        (table.head_problem.notnull(), ibis.literal("head: ") + table.head_problem),
        (table.head_is_text, ibis.literal("head: a text, not the name of one thing")),
        (table.tail_problem.notnull(), ibis.literal("tail: ") + table.tail_problem),
        *unknown_types,
        else_=ibis.null("string"),
    )
    types = [(word, type_) for word, type_ in _TYPE_WORDS.items() if type_]
    return table.select(
        *("row", "record", "original_relation", "text", "section", "evidence"),
        *("head_name", "tail_name", "tail_text", "head_type", "tail_type", "relation"),
        given_head=table.head_type.cases(*types),
        given_tail=table.tail_type.cases(*types),
        kind=table.tail_kind,
        is_text=table.tail_is_text.fill_null(_FALSE),
        reason=reason,
    )


def _names(good: ir.Table) -> pa.Table:
    both = ibis.union(*(good.select(name=good[end]) for end in ("head", "tail")), distinct=True)
    written = both.filter(both.name.notnull()).to_pyarrow()["name"].to_pylist()
    columns = zip(*map(read_name, written), strict=True) if written else [()] * len(Name._fields)
    text = pa.string()
    arrow_types = (text, text, text, text, pa.bool_(), text)
    return pa.table(
        {
            name: pa.array(column, arrow_type)
            for name, column, arrow_type in zip(Name._fields, columns, arrow_types, strict=True)
        }
    )


def _of_end(names: pa.Table, end: str) -> ir.Table:
    table = ibis.memtable(names)
    return table.select(
        **{
            f"{end}_written": table.written,
            f"{end}_name": table.name,
            f"{end}_text": table.text,
            f"{end}_problem": table.problem,
            f"{end}_is_text": table.is_text,
            f"{end}_kind": table.kind,
        }
    )


def _with_meaning(typed: ir.Table, meanings: ir.Table) -> ir.Table:
    same = [
        typed.original_relation == meanings.word,
        *(typed[name].identical_to(meanings[name]) for name in Case._fields[1:]),
    ]
    joined = typed.drop("relation").left_join(meanings, same, rname="{name}_meant")
    return joined.select(
        *("row", "record", "original_relation", "text", "section", "evidence"),
        *("head_name", "head_end", "relation", "tail_name", "tail_end", "tail_text"),
        inverted=joined.inverted.fill_null(_FALSE),
        reason=ibis.coalesce(joined.reason, joined.reason_meant),
    )


def assertions(facts: ir.Table, made: Mapping[str, str]) -> ir.Table:
    """Of the triples that mean something."""
    constants = {**made, "language": "zh"}
    in_section = facts.relation == "HAS_SECTION"
    is_attribute = facts.relation.isin(list(ATTRIBUTES))
    return ibis.union(
        _edges(facts.filter(~in_section & ~is_attribute), constants),
        _attributes(facts.filter(is_attribute), constants),
        *_sections(facts.filter(in_section), constants),
        *_texts(facts.filter(facts.section.notnull()), constants),
    )


def _edges(edges: ir.Table, constants: Mapping[str, str]) -> ir.Table:
    def either(if_inverted: str, otherwise: str) -> ir.Value:
        return ibis.ifelse(edges.inverted, edges[if_inverted], edges[otherwise])

    return as_assertions(
        edges,
        {
            **constants,
            **_row(edges),
            "head_type": either("tail_end", "head_end"),
            "head_name": either("tail_name", "head_name"),
            "relation": edges.relation,
            "tail_type": either("head_end", "tail_end"),
            "tail_name": either("head_name", "tail_name"),
            "evidence": edges.evidence,
        },
    )


def _attributes(table: ir.Table, constants: Mapping[str, str]) -> ir.Table:
    is_xref = table.relation == "HAS_XREF"
    is_chinese = table.tail_name.re_search("[\u3400-\u9fff]")
    is_code = table.tail_name.upper().re_search(r"^[A-Z][0-9]{2}(\.[0-9]{1,3}[+*]?)?$")
    no_code = ibis.literal("'") + table.tail_name.substr(0, 100) + "' is no code of ICD-10"
    return as_assertions(
        table,
        {
            **constants,
            **_row(table),
            "head_type": table.head_end,
            "head_name": table.head_name,
            "relation": table.relation,
            "value": ibis.cases(
                (is_xref, ibis.literal("ICD10:") + table.tail_name.upper()),
                (table.relation == "HAS_DEFINITION", table.tail_text),
                else_=table.tail_name,
            ),
            "language": ibis.ifelse(
                (table.relation == "HAS_SYNONYM") & ~is_chinese, ibis.literal("en"), "zh"
            ),
            "problem": ibis.ifelse(is_xref & ~is_code, no_code, ibis.null("string")),
        },
    )


def _sections(table: ir.Table, constants: Mapping[str, str]) -> list[ir.Table]:
    """A section for each head and word, with all its texts."""
    distinct = table.select("head_name", "original_relation").distinct().to_pyarrow()
    keys = list(zip(*(column.to_pylist() for column in distinct.columns), strict=True))
    ids = [mint("Section", f"{constants['source']} {name} {word}") for name, word in keys]
    minted = ibis.memtable(distinct.append_column("section_id", pa.array(ids, pa.string())))
    placed = table.join(minted, ["head_name", "original_relation"])
    heading = placed.original_relation
    return _section(placed, placed.section_id, heading, placed.tail_text, constants)


def _texts(table: ir.Table, constants: Mapping[str, str]) -> list[ir.Table]:
    """The sentences, each once for each head."""
    window = ibis.window(group_by=[table.section, table.head_name], order_by=table.row)
    first = table.mutate(at=ibis.row_number().over(window))
    first = first.filter(first["at"] == 0)
    return _section(first, first.section, ibis.literal(_TEXT_HEADING), first.text, constants)


def _section(
    table: ir.Table,
    section: ir.Value,
    heading: ir.Value,
    text: ir.Value,
    constants: Mapping[str, str],
) -> list[ir.Table]:
    row = {**constants, **_row(table)}
    edge = {
        "head_type": table.head_end,
        "head_name": table.head_name,
        "relation": "HAS_SECTION",
        "tail": section,
        "tail_type": "Section",
        "tail_name": heading,
        "evidence": ibis.null("string"),
    }
    section_head = {"head": section, "head_type": "Section", "head_name": heading}
    return [
        as_assertions(table, row | edge),
        as_assertions(table, row | section_head | {"relation": "HAS_NAME", "value": heading}),
        as_assertions(table, row | section_head | {"relation": "HAS_TEXT", "value": text}),
    ]


def _row(table: ir.Table) -> dict[str, ir.Value]:
    return {"row": table.row, "original_relation": table.original_relation}
