"""Tells where a node or an edge of the graph comes from: its records, and the rules that fired.

Everything is looked up in the files that the last build left: the assertions, what the
merge decided, the quarantine, the graph tables, and the tables of layers. Which layers count is
what the graph itself says.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ingest.explanations import (
    EdgeExplanation,
    LinkedName,
    MergedId,
    NodeExplanation,
    NodeRef,
    Record,
    RefusedMerge,
    Rejection,
)
from ingest.home import LINKS, MERGES, REFUSALS, HomeTables, Row, identities_file, opened
from kg.errors import QuestionError
from kg.stores.store import Stamp
from kg.tables import EDGE_COLUMNS, MARK_COLUMNS, SEPARATOR, GraphTables
from kg.text import normalise
from kg.vocabulary import RELATION_TYPES

_NEAR: Final = 3
_LIKE_ENOUGH: Final = 70
_SHOWN: Final = 10


def explain(
    asked: str, home: Path, stamp: Stamp | None = None
) -> NodeExplanation | EdgeExplanation:
    """Explain a node (an id or a name) or an edge (``HEAD RELATION TAIL``, each an id or a name).

    Args:
        asked: the node or the edge.
        home: of the build.
        stamp: what the graph says it holds; layers that it has not got count for nothing.
            None: not known, so all layers that are kept in the home count.

    Raises:
        QuestionError: nothing of this name is in the graph, or several things are.
        BuildError: no build has been made in ``home``, or an older medkg made it.
    """
    words = asked.split()
    with opened(home, stamp) as files:
        for at, word in enumerate(words[1:-1], 1):
            relation = word.upper()
            if relation in RELATION_TYPES and (word == relation or "_" in word):
                return _Explaining(files).edge(
                    " ".join(words[:at]), relation, " ".join(words[at + 1 :])
                )
        return _Explaining(files).node(" ".join(words))


class _Ends:
    """The ids and names that sources have for one node."""

    def __init__(self, files: HomeTables, node: str) -> None:
        query = "SELECT id, type, key FROM {file} WHERE node = $node"
        rows = files.ask(query, identities_file(files.home), node=node)
        self.ids = sorted({id_ for id_, _, _ in rows if id_ is not None})
        self.keys = {(kind, key) for _, kind, key in rows if key is not None}

    def have(self, id_: str | None, kind: str | None, name: str | None) -> bool:
        """Whether an end of an assertion is the node."""
        return id_ in self.ids if id_ is not None else (kind, name) in self.keys

    def at(self, *ends: str) -> tuple[str, dict[str, object]]:
        """SQL for "one of these ends may be the node", and its parameters."""
        at = "_".join(ends)
        parts = [f"list_contains($ids_{at}, {end}) OR list_contains($names_{at}, {end}_name)"
                 for end in ends]  # fmt: skip
        names = sorted({name for _, name in self.keys})
        return f"({' OR '.join(parts)})", {f"ids_{at}": self.ids, f"names_{at}": names}


class _Explaining:
    def __init__(self, files: HomeTables) -> None:
        self._files = files

    def node(self, asked: str) -> NodeExplanation:
        found = self._found(asked)
        if len(found) > 1:
            raise _several(asked, found)
        [node] = found
        ends = _Ends(self._files, node.id)
        said = [
            row
            for row in self._assertions(*ends.at("head", "tail"))
            if ends.have(*row[4:7]) or ends.have(*row[8:11])
        ]
        sources, layer = self._origin(node)
        return NodeExplanation(
            node=node,
            sources=sources,
            layer=layer,
            types=_types(said, ends),
            merged=self._merged([node.id]),
            refused=self._refused(ends),
            links=self._links(node),
            records=self._records(said, ends),
            caveats=tuple(self._files.caveats),
        )

    def edge(self, head: str, relation: str, tail: str) -> EdgeExplanation:
        heads, tails = self._found(head), self._found(tail)
        asked = f"{head} {relation} {tail}"
        symmetric = RELATION_TYPES[relation].symmetric
        edges = self._edges(relation, heads, tails)
        edges += self._edges(relation, tails, heads) if symmetric else []
        if not edges:
            raise QuestionError(self._no_edge(asked, heads, tails))
        if len({(first.id, second.id) for first, second, _ in edges}) > 1:
            raise _several(asked, [end for edge in edges for end in edge[:2]])
        first, second, properties = edges[0]
        made = self._files.tables[None].summary().combined
        return EdgeExplanation(
            head=first,
            relation=relation,
            tail=second,
            properties=properties | self._marks(relation, first, second),
            combined={
                name: how
                for name, how in made.items()
                if SEPARATOR in str(properties.get(f"{name}_text", ""))
            },
            rejected=self._rejected(relation, first, second),
            merged=self._merged([first.id, second.id]),
            records=self._between(relation, first, second),
            caveats=tuple(self._files.caveats),
        )

    def _found(self, asked: str) -> list[NodeRef]:
        """The nodes of this id, once this id, or of this name.

        Raises:
            QuestionError: there is none.
        """
        became = self._files.ask(
            "SELECT node FROM {file} WHERE id = $id", identities_file(self._files.home), id=asked
        )
        found = self._files.ask(
            "SELECT DISTINCT id, type, name FROM {file} WHERE id = $id OR id = $node",
            self._files.nodes,
            id=asked,
            node=became[0][0] if became else None,
        ) or self._files.ask(
            "SELECT DISTINCT id, type, name FROM {file} "
            "WHERE list_contains(normal_names, $name) ORDER BY id",
            self._files.nodes,
            name=normalise(asked),
        )
        if not found:
            raise QuestionError(self._unknown(asked))
        return [NodeRef(id=id_, type=kind, name=name) for id_, kind, name in found]

    def _unknown(self, asked: str) -> str:
        from rapidfuzz import fuzz, process  # noqa: PLC0415 - only what is not found needs it

        rows = self._files.ask(
            "SELECT DISTINCT unnest(normal_names) AS name FROM {file} ORDER BY name",
            self._files.nodes,
        )
        near = process.extract(
            normalise(asked),
            [name for (name,) in rows],
            scorer=fuzz.ratio,
            limit=_NEAR,
            score_cutoff=_LIKE_ENOUGH,
        )
        names = ", ".join(repr(name) for name, _, _ in near)
        advice = f"near it are {names}" if near else "'medkg query entity.find' looks for parts"
        return f"nothing in the graph has the id or name {asked!r}; {advice}"

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
        """The edges between any of these, each with its properties."""
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
                given = dict(zip(names[2:], values, strict=True)) | {"layer": layer}
                properties = {name: value for name, value in given.items() if value is not None}
                edges.append((nodes[head], nodes[tail], properties))
        return edges

    def _marks(self, relation: str, head: NodeRef, tail: NodeRef) -> dict[str, object]:
        """What layers say of an edge of the build."""
        marks: dict[str, object] = {}
        names = [column.name for column in MARK_COLUMNS[2:]]
        for _, file in self._files.changes(GraphTables.marks, relation):
            query = f"SELECT {', '.join(names)} FROM {{file}} WHERE head = $head AND tail = $tail"  # noqa: S608 - names of our own
            for row in self._files.ask(query, file, head=head.id, tail=tail.id):
                told = zip(names, row, strict=True)
                marks |= {name: value for name, value in told if value is not None}
        return marks

    def _rejected(self, relation: str, head: NodeRef, tail: NodeRef) -> tuple[Rejection, ...]:
        query = "SELECT rule, reason FROM {file} WHERE head = $head AND tail = $tail"
        return tuple(
            Rejection(layer=layer, rule=rule, reason=reason)
            for layer, file in self._files.changes(GraphTables.removed, relation)
            for rule, reason in self._files.ask(query, file, head=head.id, tail=tail.id)
        )

    def _no_edge(self, asked: str, heads: Sequence[NodeRef], tails: Sequence[NodeRef]) -> str:
        others = [
            f"{first.id} {relation} {second.id}"
            for relation in RELATION_TYPES
            for ends in ((heads, tails), (tails, heads))
            for first, second, _ in self._edges(relation, *ends)
        ]
        between = f"what connects them is {', '.join(others)}" if others else "none connects them"
        return f"the graph has no edge {asked}; {between}"

    def _between(self, relation: str, head: NodeRef, tail: NodeRef) -> tuple[Record, ...]:
        left, right = _Ends(self._files, head.id), _Ends(self._files, tail.id)
        if relation == "CLOSE_MATCH":
            return self._records(self._matching(left, right), left)
        either = RELATION_TYPES[relation].symmetric
        where, given = left.at("head", "tail") if either else left.at("head")
        said = [
            row
            for row in self._assertions(
                f"relation = $relation AND {where}", {**given, "relation": relation}
            )
            if (left.have(*row[4:7]) and right.have(*row[8:11]))
            or (either and right.have(*row[4:7]) and left.have(*row[8:11]))
        ]
        return self._records(said, left)

    def _matching(self, left: _Ends, right: _Ends) -> list[Row]:
        """What sources say of two nodes for which the merge connects them as close matches.

        One is among the other's ids in some source, or both have one UMLS concept.
        """
        crossed: list[Row] = []
        coded: list[list[Row]] = []
        for one, other in ((left, right), (right, left)):
            where, given = one.at("head")
            rows = self._assertions(
                f"relation IN ('HAS_XREF', 'HAS_EXACT_MATCH', 'HAS_CUI') AND {where}", given
            )
            rows = [row for row in rows if one.have(*row[4:7])]
            crossed += [row for row in rows if row[11] in other.ids]
            coded.append([row for row in rows if row[7] == "HAS_CUI"])
        of_left, of_right = coded
        shared = {row[8] for row in of_left} & {row[8] for row in of_right}
        return crossed or [row for row in (*of_left, *of_right) if row[8] in shared]

    def _assertions(self, where: str, given: dict[str, object]) -> list[Row]:
        return self._files.ask(
            "SELECT source, file, row, original_relation, head, head_type, head_name, relation, "  # noqa: S608 - a condition of our own
            "tail, tail_type, tail_name, value, "
            "coalesce(frequency_text, frequency::VARCHAR), coalesce(weight_text, weight::VARCHAR) "
            f"FROM {{file}} WHERE {where} "
            "ORDER BY source, file, row, relation, value",
            self._files.assertions,
            **given,
        )

    def _records(self, said: Sequence[Row], ends: _Ends) -> tuple[Record, ...]:
        why = self._quarantined(ends)
        return tuple(
            Record(
                source=row[0],
                file=row[1],
                row=row[2],
                original_relation=row[3],
                head=row[4] or row[6] or "",
                relation=row[7],
                tail=row[11] if row[8] is None and row[10] is None else row[8] or row[10],
                numbers=_numbers(*row[12:]),
                quarantined=why.get((*row[:4], row[4], *row[6:9], *row[10:12])),
            )
            for row in said
        )

    def _quarantined(self, ends: _Ends) -> dict[Row, str]:
        """Why assertions about a node are in quarantine."""
        names = sorted({name for _, name in ends.keys})
        fields = ("head", "head_name", "relation", "tail", "tail_name", "value")
        rows = self._files.ask(
            "SELECT source, file, row, original_relation, reason, record FROM {file} "
            "WHERE stage = 'merge' AND ("
            "list_contains($ids, record->>'$.head') OR list_contains($ids, record->>'$.tail') OR "
            "list_contains($names, record->>'$.head_name') OR "
            "list_contains($names, record->>'$.tail_name'))",
            self._files.home / "quarantine.parquet",
            ids=ends.ids,
            names=names,
        )
        why: dict[Row, str] = {}
        for *where, reason, text in rows:
            record = json.loads(text)
            why[(*where, *(record[name] for name in fields))] = reason
        return why

    def _merged(self, nodes: Sequence[str]) -> tuple[MergedId, ...]:
        rows = self._files.ask(
            "SELECT id, node, rule, evidence, sources, name FROM {file} "
            "WHERE list_contains($nodes, node) ORDER BY node, id, name NULLS FIRST",
            self._files.home / MERGES,
            nodes=list(nodes),
        )
        names = MergedId.model_fields
        return tuple(MergedId(**dict(zip(names, row, strict=True))) for row in rows)

    def _refused(self, ends: _Ends) -> tuple[RefusedMerge, ...]:
        rows = self._files.ask(
            "SELECT rule, reason, conflict, ids, evidence, sources FROM {file} "
            "WHERE list_has_any(ids, $ids)",
            self._files.home / REFUSALS,
            ids=ends.ids,
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


def _types(said: Sequence[Row], ends: _Ends) -> dict[str, tuple[str, ...]]:
    types: dict[str, set[str]] = {}
    for row in said:
        for end in (row[4:7], row[8:11]):
            if end[1] is not None and ends.have(*end):
                types.setdefault(end[1], set()).add(row[0])
    return {kind: tuple(sorted(types[kind])) for kind in sorted(types)}


def _numbers(frequency: str | None, weight: str | None) -> str | None:
    """What a record says in numbers, in words."""
    told = (("frequency", frequency), ("weight", weight))
    return ", ".join(f"{name} {number}" for name, number in told if number) or None


def _several(asked: str, found: Sequence[NodeRef]) -> QuestionError:
    shown = [f"{node.id} ({node.type}, {node.name})" for node in dict.fromkeys(found)]
    more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    return QuestionError(
        f"{asked!r} may be {len(shown)} nodes, {', '.join(shown[:_SHOWN])}{more}; "
        "ask by one of these ids"
    )
