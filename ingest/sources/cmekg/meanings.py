"""Chooses the meaning of a word in a triple, by the types of the triple's ends.

The type of an end is not in the triple, unless it has a column for it. But
CMeKG's words are those of diseases, of symptoms, of drugs or of tests. So the type
of a name is the one that most of its words allow, where a word that allows several counts
only in part for each; of several types, the one that the words name first. A name that has words of its own as a head is of that type as a tail, too; one
that is only ever a tail may be of several types.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from ingest.sources.relations import Mapped, RelationMap
from kg.vocabulary import NODE_TYPES

_SECTION: Final = Mapped(relation="HAS_SECTION", tail="Section")
_HEADS: Final = tuple(NODE_TYPES)
_TAILS: Final = ("Symptom", *(name for name in NODE_TYPES if name != "Symptom"))
"""Order of types that equally many words allow."""


class Case(NamedTuple):
    """The values by which a meaning is chosen."""

    word: str
    head_type: str | None
    tail_type: str | None
    tail_is_sure: bool
    """The tail has its type from a column, or from words of its own as a head."""
    kind: str | None
    """The type by the tail's last characters, used if there is no other."""
    is_text: bool


def name_types(triples: ir.Table, relations: RelationMap) -> ir.Table:
    """``name, type, sure`` of every name whose type can be found.

    Args:
        triples: ``head_name, tail_name, given_head, given_tail, relation``.
        relations: CMeKG's words.
    """
    allowed = _allowed(relations)
    as_head = _votes(triples, "head", allowed, first=0)
    as_tail = _votes(triples, "tail", allowed, first=1)
    stated = ibis.union(_stated_types(triples, "head"), _stated_types(triples, "tail"))
    votes = ibis.union(stated, as_head, as_tail)
    ranking = ibis.window(
        group_by=votes.name,
        order_by=[votes.place, votes.words.desc(), votes.position, votes.preference],
    )
    ranked = votes.mutate(at=ibis.row_number().over(ranking))
    return ranked.filter(ranked["at"] == 0).select("name", "type", sure=ranked.place < 1)


def _stated_types(triples: ir.Table, end: str) -> ir.Table:
    """The types from a column."""
    stated = triples.filter(triples[f"given_{end}"].notnull())
    stated = stated.select(name=stated[f"{end}_name"], type=stated[f"given_{end}"])
    counted = stated.group_by("name", "type").agg(words=stated.count())
    return _ranked(counted, counted.words, ibis.literal(0), _HEADS, place=-1)


def _votes(triples: ir.Table, end: str, allowed: ir.Table, first: int) -> ir.Table:
    """Weight of each type by a name's words, and how early they list it."""
    pairs = triples.select(name=triples[f"{end}_name"], word=triples.relation).distinct()
    allowed_at_end = allowed.filter(allowed.end == end)
    joined = pairs.join(allowed_at_end, "word")
    counted = joined.group_by("name", "type").agg(
        words=joined.weight.sum(), position=joined.position.sum()
    )
    order = _HEADS if end == "head" else _TAILS
    return _ranked(counted, counted.words, counted.position, order, place=first)


def _ranked(
    table: ir.Table, words: ir.Value, position: ir.Value, order: Iterable[str], place: int
) -> ir.Table:
    preference = table.type.cases(*((name, at) for at, name in enumerate(order)))
    return table.select(
        name=table.name,
        type=table.type,
        place=ibis.literal(place).cast("int64"),
        words=words.cast("float64").round(6),  # sums in any order are equal
        position=position.cast("int64"),
        preference=preference.cast("int64"),
    )


def _allowed(relations: RelationMap) -> ir.Table:
    """The types that each word allows at an end, in its order.

    Returns:
        ``end, word, type, position, weight``: each word's types have a weight of 1 together.
    """
    rows = []
    for word, meanings in relations.relations.items():
        for end in ("head", "tail"):
            types = dict.fromkeys(_end(meaning, end) for meaning in meanings)
            # what may be a text does not tell of what type it is
            if "Section" not in types:
                rows += [
                    {
                        "end": end,
                        "word": word,
                        "type": name,
                        "position": at,
                        "weight": 1 / len(types),
                    }
                    for at, name in enumerate(types)
                ]
    return ibis.memtable(pa.Table.from_pylist(rows))


def _end(meaning: Mapped, end: str) -> str | None:
    """The type of a triple's end."""
    return meaning.head if (end == "head") != meaning.inverted else meaning.tail


def chosen(cases: Iterable[Case], relations: RelationMap) -> ir.Table:
    """Each case with its meaning: ``relation, head_end, tail_end, inverted`` or a ``reason``.

    ``head_end`` and ``tail_end`` are the types of the triple's ends.
    """
    rows = [case._asdict() | _meaning(case, relations) for case in cases]
    text = pa.string()
    schema = pa.schema(
        [
            *((name, text) for name in ("word", "head_type", "tail_type")),
            ("tail_is_sure", pa.bool_()),
            ("kind", text),
            ("is_text", pa.bool_()),
            *((name, text) for name in ("relation", "head_end", "tail_end")),
            ("inverted", pa.bool_()),
            ("reason", text),
        ]
    )
    return ibis.memtable(pa.Table.from_pylist(rows, schema))


def _meaning(case: Case, relations: RelationMap) -> dict[str, object]:
    if case.word in relations.attributes:
        if case.head_type is None:
            return {"reason": "no word tells the type of the head"}
        return {"relation": relations.attributes[case.word], "head_end": case.head_type}
    meanings = relations.relations.get(case.word)
    if meanings is None:
        return {"reason": relations.why_not(case.word)}
    fitting = [m for m in meanings if case.head_type in (None, _end(m, "head"))]
    if not fitting:
        return {"reason": f"{case.word!r} says nothing of a {case.head_type}"}
    mapped = _fitting(case, fitting)
    if mapped is None:
        return {"reason": f"{case.word!r} takes no {case.tail_type}"}
    head = case.head_type or _end(fitting[0], "head")
    section = mapped is _SECTION
    return {
        "relation": mapped.relation,
        "head_end": head,
        "tail_end": "Section" if section else _end(mapped, "tail"),
        "inverted": mapped.inverted,
    }


def _fitting(case: Case, meanings: list[Mapped]) -> Mapped | None:
    """The meaning by the tail."""
    first = meanings[0]
    if case.is_text:
        return first if _end(first, "tail") in ("Precaution", "Section") else _SECTION
    may_be_text = _end(first, "tail") == "Section"
    tail_type = case.tail_type or (case.kind if may_be_text else None)
    for meaning in meanings:
        if _end(meaning, "tail") == tail_type:
            return meaning
    return None if case.tail_is_sure and not may_be_text else first
