"""Records of nodes, and the assertions of each."""

from collections.abc import Iterator, Mapping
from typing import Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from ingest.sources.concepts import concept_in, concepts_of, nameless
from ingest.sources.curies import Curies
from ingest.sources.formats.delimited import NUMBER
from ingest.sources.kgx import columns
from ingest.sources.kgx.categories import Categories
from ingest.sources.kgx.cells import DAMAGE, ColumnNames
from ingest.sources.writing import as_assertions
from kg.tables import SEPARATOR
from kg.vocabulary import NODE_TYPES

REQUIRED: Final = ("id", "category")

_TEXTS: Final = {
    ("HAS_NAME", "en"): "name",
    ("HAS_NAME", "zh"): columns.NAME_ZH,
    ("HAS_DEFINITION", "en"): "description",
    ("HAS_TEXT", "en"): columns.TEXT,
}
"""Columns with one value, by attribute and language."""
_LISTS: Final = {
    ("HAS_SYNONYM", "en"): ("synonym", "exact_synonyms"),
    ("HAS_SYNONYM", "zh"): (columns.SYNONYMS_ZH,),
    ("HAS_LAY_SYNONYM", "en"): (columns.LAY_NAMES,),
    ("HAS_LAY_SYNONYM", "zh"): (columns.LAY_NAMES_ZH,),
    ("HAS_XREF", "en"): ("xref",),
    ("HAS_EXACT_MATCH", "en"): ("same_as", "equivalent_identifiers"),
}
"""Columns with several."""

WANTED: Final = ColumnNames(
    "nodes",
    ("id", "deprecated", columns.TYPE, columns.LAYER, *_TEXTS.values()),
    ("category", "provided_by", *(name for names in _LISTS.values() for name in names)),
    frozenset(
        (*("id", columns.TYPE), *_TEXTS.values(), *(n for names in _LISTS.values() for n in names))
    ),
)


def records(cells: ir.Table, categories: Categories) -> ir.Table:
    """Every record with its ``type``, or the ``reason`` why it has none, and its values.

    ``concept`` is the id where it is one of UMLS, but the node is no concept.

    Args:
        cells: the wanted columns of the nodes' file.
        categories: what Biolink's classes are.
    """
    classed = cells.mutate(classes=cells.category.join(SEPARATOR))
    typed = classed.left_join(_types(cells, categories), "classes").drop("classes_right")
    medkg_type = ibis.ifelse(
        typed[columns.TYPE].isin(tuple(NODE_TYPES)), typed[columns.TYPE], None
    )
    type_ = ibis.coalesce(medkg_type, typed.meant)
    concept = concept_in(typed.id, type_)
    reason = ibis.cases(
        (typed[DAMAGE].notnull(), typed[DAMAGE]),
        (typed.id.isnull(), ibis.literal("the node has no id")),
        (typed[columns.LAYER].notnull(), of_layer(typed[columns.LAYER])),
        (typed.deprecated.lower() == "true", ibis.literal("the node is deprecated")),
        (type_.isnull(), typed.why_not),
        (concept.notnull() & typed.name.isnull(), nameless(concept, type_, "node")),
        else_=ibis.null("string"),
    )
    written = typed.classes.nullif("")
    return typed.mutate(
        row=typed[NUMBER],
        original_relation=ibis.coalesce(written, "node without category"),
        type=type_,
        concept=concept,
        reason=reason,
    )


def _types(cells: ir.Table, categories: Categories) -> ir.Table:
    """``classes, meant, why_not`` of every combination of classes that there is."""
    combinations = cells.select(cells.category).distinct().to_pyarrow()["category"].to_pylist()
    rows = [
        {
            "classes": SEPARATOR.join(classes),
            "meant": categories.type(classes),
            "why_not": categories.why_not(classes),
        }
        for classes in combinations
    ]
    names = ("classes", "meant", "why_not")
    return ibis.memtable(pa.Table.from_pylist(rows, pa.schema([(n, pa.string()) for n in names])))


def of_layer(name: ir.StringValue) -> ir.StringValue:
    """Why a record that a layer added is not a statement of a source."""
    return ibis.literal("no source says so: layer ") + name + " added it; apply the layer instead"


def types(nodes: ir.Table) -> ir.Table:
    """``id, type`` of the nodes, each id once: the first record of an id decides.

    ``named`` is the name of a node that has a concept for an id, null for others.
    """
    typed = nodes.filter(nodes.reason.isnull())
    typed = typed.mutate(named=ibis.ifelse(typed.concept.notnull(), typed.name, None))
    return typed.group_by("id").agg(
        type=typed.type.argmin(typed.row), named=typed.named.argmin(typed.row)
    )


def assertions(nodes: ir.Table, graph: str | None, made: Mapping[str, str]) -> ir.Table:
    """The assertions of the usable records; ``HAS_TYPE`` where one gives no name and no text.

    Args:
        nodes: as ``records`` gives them.
        graph: the name of a graph that keeps its nodes apart, None for none.
        made: source and file.
    """
    usable = nodes.filter(nodes.reason.isnull())
    (problem,) = Curies().problems(usable, "id")
    has_own_id = usable.concept.isnull()
    usable = usable.mutate(
        problem=problem,
        head=ibis.ifelse(has_own_id, usable.id, None),
        head_type=usable.type,
        head_name=ibis.ifelse(has_own_id, None, usable.name),
        head_cui=usable.concept,
        language=ibis.literal("en"),
    )
    tables = [*_stated(usable, made), *concepts_of(usable, made, ["head"])]
    if graph is not None:
        tables.append(_attributes(usable, ibis.literal(graph), "IS_NODE_OF", "en", made))
    return ibis.union(*tables)


def _stated(usable: ir.Table, made: Mapping[str, str]) -> Iterator[ir.Table]:
    has_value = ibis.or_(*(usable[name].notnull() for name in _TEXTS.values()))
    for (relation, language), name in _TEXTS.items():
        filled = usable.filter(usable[name].notnull())
        yield _attributes(filled, filled[name], relation, language, made)
    for (relation, language), names in _LISTS.items():
        for name in names:
            items = usable[name]
            if relation == "HAS_EXACT_MATCH":  # some list the node itself among its equals
                items = items.filter(lambda item: item != usable.id)
            if relation == "HAS_SYNONYM":  # other ids of a thing alone make no node
                has_value |= items.length() > 0
            each = usable.mutate(item=items).unnest("item")
            yield _attributes(each, each.item, relation, language, made)
    without_value = usable.filter(~has_value)
    yield _attributes(without_value, without_value.type, "HAS_TYPE", "en", made)


def _attributes(
    nodes: ir.Table, value: ir.StringValue, relation: str, language: str, made: Mapping[str, str]
) -> ir.Table:
    problem = nodes.problem
    if relation == "HAS_EXACT_MATCH":
        (of_value,) = Curies().problems(nodes, "item")
        problem = ibis.coalesce(problem, of_value)
    return as_assertions(
        nodes,
        {
            **made,
            "row": nodes.row,
            "original_relation": nodes.original_relation,
            "head": nodes["head"],
            "head_type": nodes.head_type,
            "head_name": nodes.head_name,
            "relation": relation,
            "value": value,
            "language": language,
            "problem": problem,
        },
    )
