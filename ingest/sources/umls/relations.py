"""MRREL.RRF: relations between concepts, as edges between the diseases, drugs and so on that they stand for.

A concept is no disease or drug, but what a disease or drug is called by. So the ends of an
edge have the preferred names of the concepts, no ids, and the node types of their semantic
types; one assertion HAS_CUI leads from each end to its concept. Two concepts of one type
with the same name could not be told apart, so their edges have a problem.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from ingest.sources.parts import Part, Workplace
from ingest.sources.relations import RelationMap
from ingest.sources.umls.files import RrfRows
from ingest.sources.umls.left_out import LeftOut
from ingest.sources.umls.settings import UmlsSource
from ingest.sources.writing import as_assertions, counted
from kg.rrf import MRREL
from kg.text import normalise
from kg.vocabulary import RELATION_TYPES

_MEANINGS: Final = pa.schema(
    [(name, pa.string()) for name in ("word", "head_type", "tail_type", "relation")]
)
_UNMAPPED: Final = "unmapped"
"""Stands for the reason that the relation map gives."""


class Relations:
    """The relations of a release."""

    def __init__(
        self,
        rows: RrfRows,
        words: RelationMap,
        entities: ir.Table,
        source: UmlsSource,
        workplace: Workplace,
    ) -> None:
        """Make the assertions of the rows.

        Args:
            rows: of MRREL.RRF.
            words: what the words mean.
            entities: ``cui, name, type`` of the concepts that may be ends.
            source: the settings.
            workplace: keeps the edges and their problems.
        """
        self._rows = rows.all
        self._language = source.languages[0]
        checked = _with_reasons(rows.readable, words, source)
        candidates = checked.filter(checked.reason.isnull())
        edges = workplace.kept(_edges(candidates, words, entities), "edges")
        self._left_out = LeftOut(
            checked,
            edges,
            explain=lambda word, reason: words.why_not(word) if reason == _UNMAPPED else reason,
        )
        self._edges = edges.filter(edges.reason.isnull())
        self._problems = workplace.kept(_problems(self._edges), "problems")

    def part(self, made: Mapping[str, str]) -> Part:
        """What the rows of MRREL.RRF give."""
        return Part(
            (self._relations(made), self._concepts(made)),
            (self._left_out.quarantine(self._rows, MRREL, made),),
            self._left_out.records() + Counter(counted(self._edges, self._edges.word)),
        )

    def _relations(self, made: Mapping[str, str]) -> ir.Table:
        edges = self._edges
        for end in ("head", "tail"):
            wrong = self._problems.rename({f"{end}_problem": "problem", f"{end}_of": "of"})
            edges = edges.left_join(wrong, edges[f"{end}_cui"] == wrong[f"{end}_of"])
        return as_assertions(
            edges,
            {
                **made,
                "row": edges.row,
                "original_relation": edges.word,
                "head_type": edges.head_type,
                "head_name": edges.head_name,
                "relation": edges.relation,
                "tail_type": edges.tail_type,
                "tail_name": edges.tail_name,
                "language": self._language,
                "evidence": edges.SAB,
                "problem": ibis.coalesce(edges.head_problem, edges.tail_problem),
            },
        )

    def _concepts(self, made: Mapping[str, str]) -> ir.Table:
        """HAS_CUI once for each end, given by the first row that mentions it."""
        ends = _ends(self._edges)
        first = ends.group_by("cui", "type", "name").agg(
            word=ends.word.argmin(ends.row), row=ends.row.min()
        )
        first = first.left_join(self._problems, first.cui == self._problems.of)
        return as_assertions(
            first,
            {
                **made,
                "row": first.row,
                "original_relation": first.word,
                "head_type": first.type,
                "head_name": first.name,
                "relation": "HAS_CUI",
                "tail": ibis.literal("UMLS:") + first.cui,
                "tail_type": "Concept",
                "language": self._language,
                "problem": first.problem,
            },
        )


def meanings(words: RelationMap) -> Iterator[tuple[str, str, str, str]]:
    """Word, head type, tail type and relation, of all that is mapped."""
    for word, alternatives in words.relations.items():
        for mapped in alternatives:
            relation = RELATION_TYPES[mapped.relation]
            heads = (mapped.head,) if mapped.head else sorted(relation.domain)
            tails = (mapped.tail,) if mapped.tail else sorted(relation.range)
            for head, tail in product(heads, tails):
                if head == tail or not relation.same_type:
                    yield word, head, tail, mapped.relation


def _with_reasons(rows: ir.Table, words: RelationMap, source: UmlsSource) -> ir.Table:
    """The rows with ``word`` and, where settings or map leave them out, ``reason``."""
    table = rows.mutate(word=ibis.coalesce(rows.RELA, rows.REL))
    reason = ibis.cases(
        *source.leaves_out(table),
        (~table.word.isin(list(words.relations)), ibis.literal(_UNMAPPED)),
        (table.CUI1 == table.CUI2, ibis.literal("both ends are one concept")),
        else_=ibis.null("string"),
    )
    return table.select("row", "CUI1", "CUI2", "SAB", "word", reason=reason)


def _edges(rows: ir.Table, words: RelationMap, entities: ir.Table) -> ir.Table:
    """The rows with both ends and the relation, or a ``reason``."""
    meaning_table = pa.Table.from_pylist(
        [dict(zip(_MEANINGS.names, meaning, strict=True)) for meaning in meanings(words)],
        _MEANINGS,
    )
    inverted = [word for word, mapped in words.relations.items() if mapped[0].inverted]
    is_inverted = rows.word.isin(inverted)
    table = rows.mutate(
        head_cui=ibis.ifelse(is_inverted, rows.CUI1, rows.CUI2),
        tail_cui=ibis.ifelse(is_inverted, rows.CUI2, rows.CUI1),
    )
    for end in ("head", "tail"):
        typed = entities.rename({f"{end}_{name}": name for name in ("name", "type")})
        table = table.left_join(typed, table[f"{end}_cui"] == typed.cui).drop("cui")
    table = table.left_join(ibis.memtable(meaning_table), ["word", "head_type", "tail_type"])
    return table.select(
        "row", "word", "relation", "SAB",
        *(f"{end}_{name}" for end in ("head", "tail") for name in ("cui", "name", "type")),
        reason=_why_no_edge(table),
    )  # fmt: skip


def _why_no_edge(table: ir.Table) -> ir.Value:
    return ibis.cases(
        (
            table.head_name.isnull() | table.tail_name.isnull(),
            ibis.literal("an end has no name among those that the settings ask for"),
        ),
        (
            table.head_type.isnull() | table.tail_type.isnull(),
            ibis.literal("no node type stands for the semantic types of an end"),
        ),
        (
            table.relation.isnull(),
            ibis.literal("the relation does not lead from ")
            + table.head_type
            + " to "
            + table.tail_type,
        ),
        else_=ibis.null("string"),
    )


def _ends(edges: ir.Table) -> ir.Table:
    """``cui, type, name, row, word`` of both ends of every edge."""
    return ibis.union(
        *(
            edges.select(
                "row", "word", **{name: f"{end}_{name}" for name in ("cui", "type", "name")}
            )
            for end in ("head", "tail")
        )
    )


@ibis.udf.scalar.python  # type: ignore[untyped-decorator]  # Ibis gives it no types
def _normal(name: str) -> str:
    return normalise(name)


def _problems(edges: ir.Table) -> ir.Table:
    """``of`` (a CUI), ``problem``: concepts that share their name with another of their type."""
    ends = _ends(edges).select("cui", "type", "name").distinct()
    ends = ends.mutate(normal=_normal(ends.name))
    shared = ends.group_by("type", "normal").agg(concepts=ends.count())
    shared = shared.filter(shared.concepts > 1)
    ambiguous = ends.inner_join(shared, ["type", "normal"])
    message = ibis.literal("several concepts of type ") + ambiguous.type + " are called '"
    return ambiguous.select(of="cui", problem=message + ambiguous.name.substr(0, 200) + "'")
