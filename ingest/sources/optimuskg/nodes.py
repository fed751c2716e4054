"""OptimusKG's nodes: names, definitions, cross-references and UMLS concepts."""

from typing import Final

import ibis
import ibis.expr.types as ir

from ingest.sources.curies import Curies
from ingest.sources.optimuskg.identifiers import TYPES, curie
from ingest.sources.parts import Part
from ingest.sources.relations import RelationMap
from ingest.sources.writing import as_assertions, as_json, as_quarantine, counted

COLUMNS: Final = ("id", "label")

_TEXTS: Final = (
    *("symbol", "name", "description", "definition", "mrdef", "umls_cui"),
    *("chemical_abstracts_service_number", "inchi_key", "struct_id"),
    "unique_ingredient_identifier",
)
_LISTS: Final = (
    *("synonyms", "symbol_synonyms", "name_synonyms", "exact_synonyms", "trade_names"),
    *("function_descriptions", "xrefs"),
)
PROPERTIES: Final = {
    **dict.fromkeys(_TEXTS, "string"),
    **dict.fromkeys(_LISTS, "array<string>"),
}
"""Those that are read; a list of objects comes as a list of JSON."""

_PREFIXES: Final = {
    "chemical_abstracts_service_number": "CAS:",
    "inchi_key": "INCHIKEY:",
    "struct_id": "DRUGCENTRAL:",
    "unique_ingredient_identifier": "UNII:",
}
"""Of properties that are ids without one."""


def cells_of(nodes: ir.Table) -> ir.Table:
    """Every property that has a value: ``original_relation`` and ``values`` beside the node.

    Args:
        nodes: ``records`` with ``COLUMNS`` and ``PROPERTIES``.
    """
    lists = {name: ibis.array([nodes[name]]) for name in _TEXTS}
    wide = nodes.select("file", "row", "id", "label", *_LISTS, **lists)
    cells = wide.pivot_longer([*_TEXTS, *_LISTS], names_to="property", values_to="values")
    filled = cells["values"].filter(lambda one: one.strip() != "")
    word = cells.label.fill_null("no label").substr(0, 100) + " " + cells.property
    cells = cells.mutate(values=filled, original_relation=word)
    return cells.filter(cells["values"].length() > 0)


def node_part(nodes: ir.Table, cells: ir.Table, source: str, relations: RelationMap) -> Part:
    """Assertions from the nodes.

    Args:
        nodes: ``records`` with ``COLUMNS`` and ``PROPERTIES``.
        cells: ``cells_of`` them.
        source: the source's name.
        relations: OptimusKG's.
    """
    mapped = [w for w in relations.words() if w not in relations.quarantined]
    refused = cells.filter(cells.original_relation.notin(mapped))
    why = [(refused.original_relation == w, r) for w, r in relations.quarantined.items()]
    unknown = ibis.literal("the graph has no relation for '") + refused.original_relation + "'"
    refused = refused.mutate(
        reason=ibis.cases(*why, else_=unknown),
        record=as_json(refused, ("id", "label", "property", "values")),
    )
    silent = _silent(nodes, cells)
    columns = ("file", "row", "original_relation", "reason", "record")
    quarantine = ibis.union(refused.select(columns), silent.select(columns))
    return Part(
        (_assertions(cells.filter(cells.original_relation.isin(mapped)), source, relations),),
        (as_quarantine(quarantine, {"source": source, **{n: quarantine[n] for n in columns}}),),
        counted(cells, cells.original_relation) | counted(silent, silent.original_relation),
    )


def _silent(nodes: ir.Table, cells: ir.Table) -> ir.Table:
    """The nodes without a usable property, with the ``reason``."""
    silent = nodes.anti_join(cells, ["file", "row"])
    reason = ibis.ifelse(
        silent.broken,
        ibis.literal("the properties are not a JSON object"),
        ibis.literal("the node has no property that is read"),
    )
    word = silent.label.fill_null("no label").substr(0, 100) + " node"
    return silent.mutate(original_relation=word, reason=reason)


def _assertions(cells: ir.Table, source: str, relations: RelationMap) -> ir.Table:
    relation_of = {word: mapped.relation for word, (mapped, *_) in relations.relations.items()}
    relation_of |= relations.attributes
    one = cells.mutate(written=cells["values"]).unnest("written")
    one = one.mutate(
        value=_value(one),
        head=curie(one.id),
        relation=one.original_relation.cases(*relation_of.items()),
        concept=one.property == "umls_cui",
    )
    is_xref = one.relation == "HAS_XREF"
    one = one.mutate(xref=ibis.ifelse(is_xref, one["value"], ibis.null("string")))
    no_concept = one.concept & ~one["value"].re_search("^UMLS:C[0-9]{7}$")
    message = ibis.literal("'") + one.written.substr(0, 200) + "' is no UMLS concept"
    nothing = ibis.null("string")
    columns = {
        "source": source,
        **{name: one[name] for name in ("file", "row", "original_relation", "head", "relation")},
        "head_type": one.label.cases(*TYPES.items()),
        "tail": ibis.ifelse(one.concept, one["value"], nothing),
        "tail_type": ibis.ifelse(one.concept, ibis.literal("Concept"), nothing),
        "value": ibis.ifelse(one.concept, nothing, one["value"]),
        "problem": ibis.coalesce(
            *Curies().problems(one, "head", "xref"), ibis.ifelse(no_concept, message, nothing)
        ),
    }
    return as_assertions(one, columns)


def _value(one: ir.Table) -> ir.Value:
    """A value with its prefix, or the label of a gene's synonym, which is an object."""
    written = one.written.strip()
    cases = [(one.property == name, ibis.literal(p) + written) for name, p in _PREFIXES.items()]
    cases += [
        (one.property == "umls_cui", ibis.literal("UMLS:") + written),
        (one.property == "xrefs", curie(written)),
        (written.startswith("{"), written.try_cast("json")["label"].str),
    ]
    return ibis.cases(*cases, else_=written)
