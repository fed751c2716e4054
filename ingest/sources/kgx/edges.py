"""Records of edges: which relation each states between which nodes."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from ingest.sources.curies import Curies
from ingest.sources.formats.delimited import NUMBER
from ingest.sources.formats.frequencies import CLASSES
from ingest.sources.kgx import columns
from ingest.sources.kgx.cells import DAMAGE, ColumnNames
from ingest.sources.kgx.meanings import Meanings
from ingest.sources.kgx.nodes import of_layer
from ingest.sources.writing import as_assertions
from kg.vocabulary import FACTS, RELATION_TYPES

REQUIRED: Final = ("subject", "predicate", "object")

_QUALIFIERS: Final = {
    "subject_aspect_qualifier": "of the subject's ",
    "subject_direction_qualifier": "of the subject ",
    "predicate": "",
    "object_aspect_qualifier": "",
    "object_direction_qualifier": "",
}
"""Columns that make a word of relations.yaml, in this order, with the text before each."""

_EITHER_COLUMN: Final = {
    "evidence": (columns.EVIDENCE, "has_evidence"),
    "frequency_text": (columns.FREQUENCY_TEXT, "frequency_qualifier"),
    "onset": (columns.ONSET, "onset_qualifier"),
    "sex": (columns.SEX, "sex_qualifier"),
    "weight": (columns.WEIGHT, "has_confidence_score"),
    "weight_text": (columns.WEIGHT_TEXT,),
}
"""Medkg's own column, which is exact, and Biolink's."""

WANTED: Final = ColumnNames(
    "edges",
    (
        *("subject", "object", *_QUALIFIERS, "negated", "knowledge_level", "publications"),
        *("has_quotient", "has_percentage", columns.RELATION, columns.ORIGINAL_RELATION),
        *(columns.LAYER, *(name for names in _EITHER_COLUMN.values() for name in names)),
    ),
    ("provided_by",),
    frozenset(("subject", "predicate", "object", columns.RELATION, columns.ORIGINAL_RELATION)),
)

_MEANING_KEY: Final = ("word", "subject_type", "object_type")
"""What decides which relation a record states."""
_MEANING: Final = pa.schema(
    [
        *((name, pa.string()) for name in _MEANING_KEY),
        ("relation", pa.string()),
        ("inverted", pa.bool_()),
        ("attribute", pa.string()),
        ("why_not", pa.string()),
    ]
)


def records(cells: ir.Table, types: ir.Table) -> ir.Table:
    """Every record with its values, and the ``reason`` why one cannot be used.

    ``word`` is the predicate with what qualifies it, ``relation`` the relation type that an
    export of medkg's names.

    Args:
        cells: the wanted columns of the edges' file.
        types: ``id, type, named`` of the nodes.
    """
    for end in ("subject", "object"):
        typed = types.rename({f"{end}_{name}": name for name in ("id", "type", "named")})
        cells = cells.left_join(typed, cells[end] == typed[f"{end}_id"]).drop(f"{end}_id")
    relation = cells[columns.RELATION]
    return cells.mutate(
        row=cells[NUMBER],
        word=_word(cells),
        own=ibis.ifelse(relation.isin(FACTS), relation, None),
        frequency=_frequency(cells),
        **{
            name: ibis.coalesce(*(cells[each] for each in two))
            for name, two in _EITHER_COLUMN.items()
        },
        reason=_unusable(cells),
    )


def _word(cells: ir.Table) -> ir.StringValue:
    """The predicate as relations.yaml has it; a frequency of 0 negates it."""
    negated = (cells.negated.lower() == "true") | (_frequency(cells) == 0)
    word = ibis.ifelse(negated.fill_null(False), "not", "")
    for name, before in _QUALIFIERS.items():
        part = ibis.literal(f" {before}") + cells[name].re_replace("^biolink:", "")
        word += ibis.coalesce(part, "")
    return ibis.ifelse(cells.predicate.isnull(), ibis.null("string"), word.strip())


def _frequency(cells: ir.Table) -> ir.FloatingValue:
    return ibis.coalesce(
        cells.has_quotient.try_cast("float64"),
        cells.has_percentage.try_cast("float64") / 100,
        cells.frequency_qualifier.cases(*CLASSES.items()),
    )


def _unusable(cells: ir.Table) -> ir.StringValue:
    """Why a record cannot be used, for any predicate."""
    layer = cells[columns.LAYER]
    lacking = ibis.or_(*(cells[name].isnull() for name in REQUIRED))
    neither = cells.negated.notnull() & cells.negated.lower().notin(("true", "false"))
    message = (
        ibis.literal("'") + cells.negated.substr(0, 100) + "' in negated is neither true nor false"
    )

    def unknown(end: str) -> tuple[ir.BooleanValue, ir.StringValue]:
        start = ibis.literal(f"its {end} '") + cells[end].substr(0, 200)
        return cells[f"{end}_type"].isnull(), start + "' is no node that could be read"

    return ibis.cases(
        (cells[DAMAGE].notnull(), cells[DAMAGE]),
        (layer.notnull(), of_layer(layer)),
        (cells.knowledge_level == "prediction", ibis.literal("a prediction is no fact")),
        (neither, message),
        (lacking, ibis.literal("the edge lacks its subject, its predicate or its object")),
        unknown("subject"),
        unknown("object"),
        else_=ibis.null("string"),
    )


def related(records: ir.Table, meanings: Meanings) -> ir.Table:
    """Add what each record states: ``relation`` and whether it is ``inverted_types``, or ``attribute``.

    Args:
        records: as ``records`` gives them, stored.
        meanings: of the predicates.
    """
    usable = records.filter(records.reason.isnull() & records.own.isnull())
    keys = usable.select(*_MEANING_KEY).distinct().to_pyarrow().to_pylist()
    rows = [{**each, **asdict(meanings.of(*each.values()))} for each in keys]
    table = ibis.memtable(pa.Table.from_pylist(rows, _MEANING))
    joined = records.left_join(table, _MEANING_KEY, rname="meant_{name}")
    inverted_types = [relation.name for relation in RELATION_TYPES.values() if relation.inverted]
    original = ibis.coalesce(
        joined[columns.ORIGINAL_RELATION], joined.word, "edge without predicate"
    )
    return joined.mutate(
        relation=ibis.coalesce(joined.own, joined.relation),
        inverted=ibis.coalesce(joined.own.isin(inverted_types), joined.inverted),
        attribute=ibis.ifelse(joined.own.isnull(), joined.attribute, None),
        original_relation=original,
        reason=ibis.coalesce(
            joined.reason, ibis.ifelse(joined.own.isnull(), joined.why_not, None)
        ),
    )


def assertions(stated: ir.Table, made: Mapping[str, str]) -> ir.Table:
    """The assertions of the usable records."""
    usable = stated.filter(stated.reason.isnull())
    problems = Curies().problems(usable, "subject", "object")
    shares = (_no_share(usable.has_quotient, 1), _no_share(usable.has_percentage, 100))
    wrong = (*shares, _no_number(usable.weight))
    usable = usable.mutate(problem=ibis.coalesce(*problems, *wrong))
    return ibis.union(
        _edges(usable.filter(usable.relation.notnull()), made),
        _attributes(usable.filter(usable.attribute.notnull()), made),
    )


def _no_number(written: ir.StringValue) -> ir.StringValue:
    message = ibis.literal("'") + written.substr(0, 100) + "' is no number"
    wrong = written.notnull() & written.try_cast("float64").isnull()
    return ibis.ifelse(wrong, message, ibis.null("string"))


def _no_share(written: ir.StringValue, total: int) -> ir.StringValue:
    number = written.try_cast("float64")
    message = ibis.literal("'") + written.substr(0, 100) + f"' is no share of {total}"
    outside = number.notnull() & ~number.between(0, total)
    return ibis.coalesce(_no_number(written), ibis.ifelse(outside, message, ibis.null("string")))


def _edges(edges: ir.Table, made: Mapping[str, str]) -> ir.Table:
    # a node that has a concept for an id is known by its name
    edges = edges.mutate(
        **{
            f"{end}_id": ibis.ifelse(edges[f"{end}_named"].isnull(), edges[end], None)
            for end in ("subject", "object")
        }
    )

    def either(if_inverted: str, otherwise: str) -> ir.Value:
        return ibis.ifelse(edges.inverted, edges[if_inverted], edges[otherwise])

    unchanged = (
        *("row", "original_relation", "relation", "problem", "publications"),
        *("evidence", "frequency", "frequency_text", "weight_text", "onset"),
    )
    return as_assertions(
        edges,
        {
            **made,
            **{name: edges[name] for name in unchanged},
            "head": either("object_id", "subject_id"),
            "head_name": either("object_named", "subject_named"),
            "head_type": either("object_type", "subject_type"),
            "tail": either("subject_id", "object_id"),
            "tail_name": either("subject_named", "object_named"),
            "tail_type": either("subject_type", "object_type"),
            "sex": edges.sex.cases(*columns.SEXES.items(), else_=edges.sex),
            "weight": edges.weight.try_cast("float64"),
        },
    )


def _attributes(same: ir.Table, made: Mapping[str, str]) -> ir.Table:
    return as_assertions(
        same,
        {
            **made,
            **{name: same[name] for name in ("row", "original_relation", "problem")},
            "head": ibis.ifelse(same.subject_named.isnull(), same.subject, None),
            "head_name": same.subject_named,
            "head_type": same.subject_type,
            "relation": same.attribute,
            "value": same.object,
        },
    )
