"""Terms of an OBO graph (https://github.com/geneontology/obographs), JSON.

Nodes, edges and sets of equivalent nodes are records; so are logical axioms,
which have no place in a graph of facts.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TextIO

from pydantic import BaseModel, ValidationError

from ingest.sources.formats.identifiers import Identifiers, is_iri
from ingest.sources.formats.json_files import list_elements
from ingest.sources.ontology.qualifiers import XREF, xref_word
from ingest.sources.ontology.record import Record, Statement

_SCOPES: Final = {
    "hasExactSynonym": "synonym EXACT",
    "hasRelatedSynonym": "synonym RELATED",
    "hasBroadSynonym": "synonym BROAD",
    "hasNarrowSynonym": "synonym NARROW",
}
_PROPERTIES: Final = {
    "oboInOwl:hasAlternativeId": "alt_id",
    "oboInOwl:hasOBONamespace": "namespace",
    "oboInOwl:hasDbXref": XREF,
    "oboInOwl:consider": "consider",
    "IAO:0100001": "replaced_by",
}
"""OBO's words for properties of a node."""
_SOURCE: Final = "oboInOwl:source"


class _Property(BaseModel, frozen=True):
    pred: str
    val: str


class _Annotations(BaseModel, frozen=True):
    basicPropertyValues: tuple[_Property, ...] = ()  # noqa: N815 -- the format's own name


class _Text(BaseModel, frozen=True):
    val: str
    meta: _Annotations = _Annotations()


class _Synonym(BaseModel, frozen=True):
    pred: str
    val: str


class _Meta(_Annotations, frozen=True):
    definition: _Text | None = None
    synonyms: tuple[_Synonym, ...] = ()
    xrefs: tuple[_Text, ...] = ()
    deprecated: bool = False


class _Node(BaseModel, frozen=True):
    id: str
    lbl: str | None = None
    type: str | None = None
    meta: _Meta | None = None


class _Edge(BaseModel, frozen=True):
    sub: str
    pred: str
    obj: str


class _Equivalents(BaseModel, frozen=True):
    representativeNodeId: str | None = None  # noqa: N815 -- the format's own name
    nodeIds: tuple[str, ...] = ()  # noqa: N815 -- the format's own name


def graph_records(text: TextIO, path: Path, identifiers: Identifiers) -> Iterator[Record]:
    """One record a node, edge, set of equivalent nodes or axiom.

    Raises:
        SourceError: the file is not JSON.
    """
    for row, (kind, element) in enumerate(list_elements(text, path), 1):
        try:
            yield _record(row, kind, element, identifiers)
        except ValidationError as e:
            first = e.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the whole"
            broken = f"{where}: {first['msg']}"
            statements = (Statement(kind, json.dumps(element, ensure_ascii=False)),)
            yield Record(row, kind, None, statements, broken=broken, fragment=True)


def _record(row: int, kind: str, element: Any, identifiers: Identifiers) -> Record:  # noqa: ANN401 -- whatever JSON holds
    if kind == "nodes":
        return _node(row, _Node.model_validate(element), identifiers)
    if kind == "edges":
        edge = _Edge.model_validate(element)
        word = identifiers.compact(edge.pred) if is_iri(edge.pred) else edge.pred
        statements = (Statement(word, identifiers.spelled(edge.obj)),)
        return Record(row, word, identifiers.spelled(edge.sub), statements, fragment=True)
    if kind == "equivalentNodesSets":
        return _equivalents(row, _Equivalents.model_validate(element), identifiers)
    statements = (Statement(kind, json.dumps(element, ensure_ascii=False)),)
    return Record(row, kind, None, statements, fragment=True)


def _node(row: int, node: _Node, identifiers: Identifiers) -> Record:
    meta = node.meta or _Meta()
    return Record(
        row=row,
        kind=node.type or "node",
        id=identifiers.spelled(node.id),
        statements=tuple(_statements(node, meta, identifiers)),
        obsolete=meta.deprecated,
    )


def _statements(node: _Node, meta: _Meta, identifiers: Identifiers) -> Iterator[Statement]:
    if node.lbl:
        yield Statement("name", node.lbl)
    for synonym in meta.synonyms:
        pred = synonym.pred.rpartition("#")[2]
        yield Statement(_SCOPES.get(pred, f"synonym {pred}"), synonym.val)
    if meta.definition:
        yield Statement("def", meta.definition.val)
    for xref in meta.xrefs:
        yield Statement(xref_word(_sources(xref, identifiers)), identifiers.spelled(xref.val))
    for property_ in meta.basicPropertyValues:
        pred = identifiers.compact(property_.pred) if is_iri(property_.pred) else property_.pred
        word = _PROPERTIES.get(pred, pred)
        is_id = word != "namespace" and (word in _PROPERTIES.values() or word.endswith("Match"))
        yield Statement(word, identifiers.spelled(property_.val) if is_id else property_.val)


def _sources(xref: _Text, identifiers: Identifiers) -> Iterator[str]:
    for annotation in xref.meta.basicPropertyValues:
        if identifiers.compact(annotation.pred) == _SOURCE:
            yield annotation.val


def _equivalents(row: int, equivalents: _Equivalents, identifiers: Identifiers) -> Record:
    ids = [identifiers.spelled(id_) for id_ in equivalents.nodeIds]
    first = identifiers.spelled(equivalents.representativeNodeId or "") or (ids[0] if ids else "")
    statements = tuple(Statement("equivalent_to", other) for other in ids if other != first)
    broken = None if statements else "the set has fewer than two nodes"
    return Record(row, "equivalent_to", first or None, statements, broken=broken, fragment=True)
