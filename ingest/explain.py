"""Explains where a node or an edge of the graph comes from: its records, and the rules applied.

Everything is looked up in the files of the last build: the assertions, the decisions of the
merge, the quarantine, the graph tables, and the tables of layers. The graph itself says which
layers are applied.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cypher.translation import translate
from ingest.explanations import (
    AssertionRow,
    EdgeExplanation,
    End,
    LinkedName,
    MergedId,
    NodeExplanation,
    NodeRef,
    Record,
    RefusedMerge,
    Rejection,
)
from ingest.home import LINKS, MERGES, REFUSALS, HomeTables, Row, identities_file, opened
from ingest.not_found import not_found
from kg.errors import QuestionError
from kg.stores.store import Stamp
from kg.tables import EDGE_COLUMNS, MARK_COLUMNS, SEPARATOR, GraphTables
from kg.text import normalise
from kg.vocabulary import RELATION_TYPES

_MAX_LISTED: Final = 10


def explain(
    query: str, home: Path, stamp: Stamp | None = None
) -> NodeExplanation | EdgeExplanation:
    """Explain a node (an id or a name) or an edge (``HEAD RELATION TAIL``, each an id or a name).

    Args:
        query: the node or the edge.
        home: of the build.
        stamp: what the graph holds; only the layers that it lists are used. None: not known,
            all layers kept in the home are used.

    Raises:
        QuestionError: no node of the graph has this id or name, or several have it.
        BuildError: no build has been made in ``home``, or an older medkg made it.
    """
    words = query.split()
    with opened(home, stamp) as files:
        for position, word in enumerate(words[1:-1], 1):
            relation = word.upper()
            if relation in RELATION_TYPES and (word == relation or "_" in word):
                return _Explainer(files).edge(
                    " ".join(words[:position]), relation, " ".join(words[position + 1 :])
                )
        return _Explainer(files).node(" ".join(words))


class _NodeKeys:
    """The ids and names that sources have for one node."""

    def __init__(self, files: HomeTables, node: str) -> None:
        query = "SELECT id, type, key FROM {file} WHERE node = $node"
        rows = files.ask(query, identities_file(files.home), node=node)
        self.ids = sorted({id_ for id_, _, _ in rows if id_ is not None})
        self.names = {(type_, key) for _, type_, key in rows if key is not None}

    def match(self, end: End) -> bool:
        """Whether an end of an assertion is the node."""
        return end.id in self.ids if end.id is not None else (end.type, end.name) in self.names

    def condition(self, *ends: str) -> tuple[str, dict[str, object]]:
        """SQL condition that one of these ends may be the node, and its parameters."""
        suffix = "_".join(ends)
        parts = [f"list_contains($ids_{suffix}, {end}) OR list_contains($names_{suffix}, {end}_name)"
                 for end in ends]  # fmt: skip
        names = sorted({name for _, name in self.names})
        return f"({' OR '.join(parts)})", {f"ids_{suffix}": self.ids, f"names_{suffix}": names}


class _Explainer:
    def __init__(self, files: HomeTables) -> None:
        self._files = files

    def node(self, query: str) -> NodeExplanation:
        nodes = self._nodes_named(query)
        if len(nodes) > 1:
            raise _ambiguous(query, nodes)
        [node] = nodes
        keys = _NodeKeys(self._files, node.id)
        assertions = [
            assertion
            for assertion in self._assertions(*keys.condition("head", "tail"))
            if keys.match(assertion.head) or keys.match(assertion.tail)
        ]
        sources, layer = self._origin(node)
        return NodeExplanation(
            node=node,
            sources=sources,
            layer=layer,
            types=_types(assertions, keys),
            merged=self._merged([node.id]),
            refused=self._refused(keys),
            links=self._links(node),
            records=self._records(assertions, keys),
            caveats=tuple(self._files.caveats),
        )

    def edge(self, head: str, relation: str, tail: str) -> EdgeExplanation:
        heads, tails = self._nodes_named(head), self._nodes_named(tail)
        triple = f"{head} {relation} {tail}"
        symmetric = RELATION_TYPES[relation].symmetric
        edges = self._edges(relation, heads, tails)
        edges += self._edges(relation, tails, heads) if symmetric else []
        if not edges:
            raise QuestionError(self._missing_edge(triple, heads, tails))
        if len({(first.id, second.id) for first, second, _ in edges}) > 1:
            raise _ambiguous(triple, [end for edge in edges for end in edge[:2]])
        first, second, properties = edges[0]
        combined = self._files.tables[None].summary().combined
        return EdgeExplanation(
            head=first,
            relation=relation,
            tail=second,
            properties=properties | self._layer_properties(relation, first, second),
            combined={
                name: how
                for name, how in combined.items()
                if SEPARATOR in str(properties.get(f"{name}_text", ""))
            },
            rejected=self._rejected(relation, first, second),
            merged=self._merged([first.id, second.id]),
            records=self._records_of_edge(relation, first, second),
            caveats=tuple(self._files.caveats),
        )

    def _nodes_named(self, query: str) -> list[NodeRef]:
        """The nodes that have this id, were merged from it, or have this name.

        Raises:
            QuestionError: there is none.
        """
        merged_into = self._files.ask(
            "SELECT node FROM {file} WHERE id = $id", identities_file(self._files.home), id=query
        )
        rows = self._files.ask(
            "SELECT DISTINCT id, type, name, name_zh FROM {file} WHERE id = $id OR id = $node",
            self._files.nodes,
            id=query,
            node=merged_into[0][0] if merged_into else None,
        ) or self._files.ask(
            "SELECT DISTINCT id, type, name, name_zh FROM {file} "
            "WHERE list_contains(normal_names, $name) ORDER BY id",
            self._files.nodes,
            name=normalise(query),
        )
        if not rows:
            raise QuestionError(not_found(query, self._files))
        names = NodeRef.model_fields
        return [NodeRef(**dict(zip(names, row, strict=True))) for row in rows]

    def _origin(self, node: NodeRef) -> tuple[tuple[str, ...], str | None]:
        """The sources of a node, and the layer that made it if the build did not."""
        for layer, tables in self._files.tables.items():
            query = "SELECT sources FROM {file} WHERE id = $id"
            if rows := self._files.ask(query, tables.nodes, id=node.id):
                return tuple(rows[0][0]), layer
        return (), None

    def _edges(
        self, relation: str, heads: Sequence[NodeRef], tails: Sequence[NodeRef]
    ) -> list[tuple[NodeRef, NodeRef, dict[str, object]]]:
        """The edges between any of these nodes, each with its properties."""
        names = [column.name for column in EDGE_COLUMNS]
        nodes = {node.id: node for node in (*heads, *tails)}
        edges = []
        for layer, file in self._files.edges(relation):
            rows = self._files.ask(
                f"SELECT {', '.join(names)} FROM {{file}} "  # noqa: S608 - names of our own
                "WHERE list_contains($heads, head) AND list_contains($tails, tail)",
                file,
                heads=[head.id for head in heads],
                tails=[tail.id for tail in tails],
            )
            for head, tail, *values in rows:
                columns = dict(zip(names[2:], values, strict=True)) | {"layer": layer}
                properties = {name: value for name, value in columns.items() if value is not None}
                edges.append((nodes[head], nodes[tail], properties))
        return edges

    def _layer_properties(self, relation: str, head: NodeRef, tail: NodeRef) -> dict[str, object]:
        """The properties that layers give an edge of the build."""
        properties: dict[str, object] = {}
        names = [column.name for column in MARK_COLUMNS[2:]]
        for _, file in self._files.changes(GraphTables.marks, relation):
            query = f"SELECT {', '.join(names)} FROM {{file}} WHERE head = $head AND tail = $tail"  # noqa: S608 - names of our own
            for row in self._files.ask(query, file, head=head.id, tail=tail.id):
                cells = zip(names, row, strict=True)
                properties |= {name: value for name, value in cells if value is not None}
        return properties

    def _rejected(self, relation: str, head: NodeRef, tail: NodeRef) -> tuple[Rejection, ...]:
        query = "SELECT rule, reason FROM {file} WHERE head = $head AND tail = $tail"
        return tuple(
            Rejection(layer=layer, rule=rule, reason=reason)
            for layer, file in self._files.changes(GraphTables.removed, relation)
            for rule, reason in self._files.ask(query, file, head=head.id, tail=tail.id)
        )

    def _missing_edge(
        self, triple: str, heads: Sequence[NodeRef], tails: Sequence[NodeRef]
    ) -> str:
        existing = [
            f"{first.id} {relation} {second.id}"
            for relation in RELATION_TYPES
            for ends in ((heads, tails), (tails, heads))
            for first, second, _ in self._edges(relation, *ends)
        ]
        if not existing:
            none = "the graph has no edge {triple}; it has no edge between these nodes"
            return translate(none, triple=triple)
        return translate(
            "the graph has no edge {triple}; it has {others}",
            triple=triple,
            others=", ".join(existing),
        )

    def _records_of_edge(self, relation: str, head: NodeRef, tail: NodeRef) -> tuple[Record, ...]:
        heads, tails = _NodeKeys(self._files, head.id), _NodeKeys(self._files, tail.id)
        if relation == "CLOSE_MATCH":
            return self._records(self._for_close_match(heads, tails), heads)
        symmetric = RELATION_TYPES[relation].symmetric
        condition, parameters = (
            heads.condition("head", "tail") if symmetric else heads.condition("head")
        )
        assertions = [
            assertion
            for assertion in self._assertions(
                f"relation = $relation AND {condition}", {**parameters, "relation": relation}
            )
            if (heads.match(assertion.head) and tails.match(assertion.tail))
            or (symmetric and tails.match(assertion.head) and heads.match(assertion.tail))
        ]
        return self._records(assertions, heads)

    def _for_close_match(self, heads: _NodeKeys, tails: _NodeKeys) -> list[AssertionRow]:
        """The assertions for which the merge connects two nodes as close matches.

        One node is among the other's ids in some source, or both have one UMLS concept.
        """
        cross_references: list[AssertionRow] = []
        with_concept: list[list[AssertionRow]] = []
        for node, other in ((heads, tails), (tails, heads)):
            condition, parameters = node.condition("head")
            assertions = self._assertions(
                f"relation IN ('HAS_XREF', 'HAS_EXACT_MATCH', 'HAS_CUI') AND {condition}",
                parameters,
            )
            assertions = [assertion for assertion in assertions if node.match(assertion.head)]
            cross_references += [
                assertion for assertion in assertions if assertion.value in other.ids
            ]
            with_concept.append(
                [assertion for assertion in assertions if assertion.relation == "HAS_CUI"]
            )
        of_head, of_tail = with_concept
        shared = {assertion.tail.id for assertion in of_head} & {
            assertion.tail.id for assertion in of_tail
        }
        return cross_references or [
            assertion for assertion in (*of_head, *of_tail) if assertion.tail.id in shared
        ]

    def _assertions(self, condition: str, parameters: dict[str, object]) -> list[AssertionRow]:
        rows = self._files.ask(
            "SELECT source, file, row, original_relation, head, head_type, head_name, relation, "  # noqa: S608 - a condition of our own
            "tail, tail_type, tail_name, value, "
            "coalesce(frequency_text, frequency::VARCHAR), coalesce(weight_text, weight::VARCHAR), publications "
            f"FROM {{file}} WHERE {condition} "
            "ORDER BY source, file, row, relation, value",
            self._files.assertions,
            **parameters,
        )
        assertions = []
        for source, file, row, word, head, head_type, head_name, relation, *rest in rows:
            tail, tail_type, tail_name, *details = rest
            ends = End(head, head_type, head_name), End(tail, tail_type, tail_name)
            assertions.append(
                AssertionRow(source, file, row, word, ends[0], relation, ends[1], *details)
            )
        return assertions

    def _records(self, assertions: Sequence[AssertionRow], keys: _NodeKeys) -> tuple[Record, ...]:
        reasons = self._quarantine_reasons(keys)
        return tuple(
            assertion.record(reasons.get(assertion.quarantine_key)) for assertion in assertions
        )

    def _quarantine_reasons(self, keys: _NodeKeys) -> dict[Row, str]:
        """Why assertions about a node are in quarantine."""
        names = sorted({name for _, name in keys.names})
        fields = ("head", "head_name", "relation", "tail", "tail_name", "value")
        rows = self._files.ask(
            "SELECT source, file, row, original_relation, reason, record FROM {file} "
            "WHERE stage = 'merge' AND ("
            "list_contains($ids, record->>'$.head') OR list_contains($ids, record->>'$.tail') OR "
            "list_contains($names, record->>'$.head_name') OR "
            "list_contains($names, record->>'$.tail_name'))",
            self._files.home / "quarantine.parquet",
            ids=keys.ids,
            names=names,
        )
        reasons: dict[Row, str] = {}
        for *place, reason, text in rows:
            record = json.loads(text)
            reasons[(*place, *(record[name] for name in fields))] = reason
        return reasons

    def _merged(self, nodes: Sequence[str]) -> tuple[MergedId, ...]:
        rows = self._files.ask(
            "SELECT id, node, rule, evidence, sources, name FROM {file} "
            "WHERE list_contains($nodes, node) ORDER BY node, id, name NULLS FIRST",
            self._files.home / MERGES,
            nodes=list(nodes),
        )
        names = MergedId.model_fields
        return tuple(MergedId(**dict(zip(names, row, strict=True))) for row in rows)

    def _refused(self, keys: _NodeKeys) -> tuple[RefusedMerge, ...]:
        rows = self._files.ask(
            "SELECT rule, reason, conflict, ids, evidence, sources FROM {file} "
            "WHERE list_has_any(ids, $ids)",
            self._files.home / REFUSALS,
            ids=keys.ids,
        )
        names = RefusedMerge.model_fields
        return tuple(RefusedMerge(**dict(zip(names, row, strict=True))) for row in rows)

    def _links(self, node: NodeRef) -> tuple[LinkedName, ...]:
        file = self._files.home / LINKS
        if not file.is_file():
            return ()
        rows = self._files.ask(
            "SELECT source, name, method, matched, score FROM {file} "
            "WHERE outcome = 'linked' AND id = $id ORDER BY source, name",
            file,
            id=node.id,
        )
        names = LinkedName.model_fields
        return tuple(LinkedName(**dict(zip(names, row, strict=True))) for row in rows)


def _types(assertions: Sequence[AssertionRow], keys: _NodeKeys) -> dict[str, tuple[str, ...]]:
    types: dict[str, set[str]] = {}
    for assertion in assertions:
        for end in (assertion.head, assertion.tail):
            if end.type is not None and keys.match(end):
                types.setdefault(end.type, set()).add(assertion.source)
    return {type_: tuple(sorted(types[type_])) for type_ in sorted(types)}


def _ambiguous(query: str, nodes: Sequence[NodeRef]) -> QuestionError:
    listed = [f"{node.id} ({node.type}, {node.name})" for node in dict.fromkeys(nodes)]
    beyond = len(listed) - _MAX_LISTED
    more = translate(" and {count} more", count=beyond) if beyond > 0 else ""
    return QuestionError(
        translate(
            "{query!r} may be {count} nodes, {names}{more}; ask by one of these ids",
            query=query,
            count=len(listed),
            names=", ".join(listed[:_MAX_LISTED]),
            more=more,
        )
    )
