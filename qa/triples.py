"""Answers triples with one part missing: by the graph's facts, or by a trained model."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from cypher.translation import title, translate
from kg.errors import EmbeddingError
from kg.stores.store import Rows, Store, Value
from kg.vocabulary import RELATION_TYPES
from qa.clauses import in_short
from qa.question import NoRelationError, Part, Reading, Triple

if TYPE_CHECKING:
    from kg.embeddings.prediction import Predicted, Predictor

LIMIT: Final = 10
"""Answers of a model where no other number is asked for."""
_OVERSAMPLING: Final = 20
"""Times the limit, where answers of other node types are left out."""


@dataclass(frozen=True)
class Entry:
    """One answer to a triple."""

    id: str
    """Of the entity, or the name of the relation."""
    name: str
    type: str | None
    """Node type; None for a relation."""
    triple: Triple
    """The one that it answers."""
    sources: tuple[str, ...] = ()
    """Who says so; none where a model says it."""
    publications: str | None = None
    probability: float | None = None
    """That the graph would have it, by the model's calibration; None for a fact."""
    known: bool = True
    """A fact of the graph, or of those that the model was given; else a prediction."""
    subclasses: int | None = None
    """Number of subclasses of the triple's entity that have the fact; None: it has it itself."""


@dataclass(frozen=True)
class Completed:
    """What answers a part of a question, the best first; each entity or relation once."""

    part: Part
    reading: Reading
    """The one that is answered; the first where none is."""
    entries: tuple[Entry, ...]
    """Empty: the graph has no such fact."""


class _Ranked(NamedTuple):
    """An entry, and what orders it among others, the least first."""

    order: float
    entry: Entry


def answer_by_graph(store: Store, part: Part) -> Completed:
    """Answer by the facts of a graph, the most frequent first.

    The facts of an entity come before those of its subclasses (the genes of albinism are those of
    its types), which are ordered by how many subclasses share them; at most 200 of these are
    returned for a triple.

    Raises:
        QuestionError: the part could not be read, or no single triple says it.
        StoreError: the store failed.
    """
    for facts in (_facts, _facts_of_subclasses):
        for reading in triple_readings(part):
            if entries := _entries(store, reading, facts):
                of_subclasses = _entries(store, reading, _facts_of_subclasses)
                return Completed(part, reading, _deduplicated([*entries, *of_subclasses]))
    return Completed(part, triple_readings(part)[0], ())


def answer_by_embedding(predictor: "Predictor", part: Part, limit: int = LIMIT) -> Completed:
    """Answer by a trained model: what it finds likeliest, facts that it was given among them.

    Where a reading has several triples, entities are ordered by their rank in each, and
    relations by their score, for then the same two things are asked about.

    Raises:
        EmbeddingError: the model knows none of the entities or of the relations.
        QuestionError: the part could not be read, or no single triple says it.
    """
    unknown: EmbeddingError | None = None
    for reading in triple_readings(part):
        ranked: list[_Ranked] = []
        for triple in reading.triples:
            try:
                ranked.extend(_predicted(predictor, reading, triple, limit))
            except EmbeddingError as e:
                unknown = unknown or e
        if ranked:
            ranked.sort(key=lambda each: each.order)
            return Completed(part, reading, _deduplicated(each.entry for each in ranked)[:limit])
    if unknown is not None:
        raise unknown
    return Completed(part, triple_readings(part)[0], ())


def triple_readings(part: Part) -> list[Reading]:
    """What a part says in triples.

    Raises:
        QuestionError: it could not be read, or no single triple says it.
    """
    if part.problem:
        raise part.problem
    if readings := [
        reading for reading in part.readings if reading.triples and not reading.instead
    ]:
        return readings
    first = part.readings[0]
    raise NoRelationError(
        translate(
            "'{question}' asks for {heading}, which no single triple states; 'medkg query "
            "{query}' does",
            question=in_short(part.text),
            heading=title("headings", first.heading),
            query=first.query,
        )
    )


def _entries(
    store: Store, reading: Reading, facts: Callable[[Store, Triple], Iterator[Entry]]
) -> list[Entry]:
    """What answers the triples of a reading, of the node types that it asks for."""
    entries = [
        entry
        for triple in reading.triples
        for entry in facts(store, triple)
        if not reading.answer_types or entry.type in reading.answer_types
    ]
    return sorted(entries, key=lambda entry: -(entry.subclasses or 0))


def _facts(store: Store, triple: Triple) -> Iterator[Entry]:
    """What is said of the things that are named, then of what they are as finding or disease."""
    yield from _direct_facts(store, triple)
    for end, entity in (("head", triple.head), ("tail", triple.tail)):
        if entity is not None and triple.relation is not None:
            for match in store.query("entity.close_matches", entity=entity).dicts():
                of_match = replace(triple, **{end: str(match["other_id"])})
                yield from _direct_facts(store, of_match)


def _direct_facts(store: Store, triple: Triple) -> Iterator[Entry]:
    head, relation, tail = triple.head, triple.relation, triple.tail
    if head is not None and relation is not None:
        yield from _ends(store.query("entity.tails", head=head, relations=[relation]), triple)
    elif relation is not None and tail is not None:
        yield from _ends(store.query("entity.heads", relations=[relation], tail=tail), triple)
    elif head is not None and tail is not None:
        rows = store.query("entity.statements", one=head, other=tail)
        for row in rows.dicts():
            if row["head_id"] == head:
                name = str(row["relation"])
                yield _fact(name, name, None, triple, row)


def _facts_of_subclasses(store: Store, triple: Triple) -> Iterator[Entry]:
    """What is said of kinds of the one thing that is named."""
    head, relation, tail = triple.head, triple.relation, triple.tail
    if relation is None:
        return
    if head is not None:
        rows = store.query("entity.tails_of_kinds", head=head, relations=[relation])
    else:
        rows = store.query("entity.heads_of_kinds", relations=[relation], tail=tail)
    yield from _ends(rows, triple)


def _ends(rows: Rows, triple: Triple) -> Iterator[Entry]:
    for row in rows.dicts():
        id_, name, type_ = (str(row[f"{triple.sought}_{part}"]) for part in ("id", "name", "type"))
        yield _fact(id_, name, type_, triple, row)


def _fact(
    id_: str, name: str, type_: str | None, triple: Triple, row: Mapping[str, Value]
) -> Entry:
    sources, publications, subclasses = (row.get(n) for n in ("sources", "publications", "kinds"))
    return Entry(
        id_,
        name,
        type_,
        triple,
        sources=tuple(map(str, sources)) if isinstance(sources, list) else (),
        publications=str(publications) if publications else None,
        subclasses=subclasses if isinstance(subclasses, int) else None,
    )


def _predicted(
    predictor: "Predictor", reading: Reading, triple: Triple, limit: int
) -> Iterator[_Ranked]:
    """What the model predicts for the open part of a triple."""
    head, relation, tail = triple.head, triple.relation, triple.tail
    count = limit * _OVERSAMPLING if reading.answer_types else limit
    if head is not None and relation is not None:
        ends = predictor.tails(head, relation, count)
    elif relation is not None and tail is not None:
        ends = predictor.heads(relation, tail, count)
    elif head is not None and tail is not None:
        types = {subject.id: subject.type for subject in reading.subjects}
        predictions = predictor.relations(head, tail, len(RELATION_TYPES))
        fitting = (
            prediction
            for prediction in predictions
            if _fits(prediction.id, types[head], types[tail])
        )
        yield from (
            _Ranked(-prediction.score, _entry(prediction, triple)) for prediction in fitting
        )
        return
    for prediction in ends:
        if not reading.answer_types or prediction.type in reading.answer_types:
            yield _Ranked(prediction.rank, _entry(prediction, triple))


def _fits(relation: str, head: str, tail: str) -> bool:
    """Whether the vocabulary lets a relation connect things of these types."""
    relation_type = RELATION_TYPES.get(relation)
    if relation_type is None:
        return True
    types_fit = not relation_type.same_type or head == tail
    return head in relation_type.domain and tail in relation_type.range and types_fit


def _entry(prediction: "Predicted", triple: Triple) -> Entry:
    return Entry(
        prediction.id,
        prediction.name or prediction.id,
        prediction.type,
        triple,
        probability=prediction.probability,
        known=prediction.known,
    )


def _deduplicated(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The first of each entity, and of each relation in either direction."""
    first_entries: dict[tuple[str, Triple | None], Entry] = {}
    for entry in entries:
        triple_of_relation = entry.triple if entry.triple.sought == "relation" else None
        first_entries.setdefault((entry.id, triple_of_relation), entry)
    return tuple(first_entries.values())
