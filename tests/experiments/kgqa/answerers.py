"""Who answers: the graph, a model of it, and one that always says what is said most."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from kg.embeddings.artifact import Artifact
from kg.embeddings.prediction import Predictor
from kg.embeddings.triples import Split
from kg.linking import Linker
from kg.stores.store import Store
from qa.question import NoRelationError, Part, Triple
from qa.questions import read
from qa.triples import Completed, Entry, answer_by_embedding, answer_by_graph, triple_readings
from tests.experiments.kgqa.asked import Asked
from tests.experiments.kgqa.grading import FIRST_LONG, Graded, grade

GRAPH: Final = "graph"
EMBEDDING: Final = "embedding"
FREQUENT: Final = "most frequent"
ITSELF: Final = "graph, no kinds"
"""The graph's facts about what is asked about, none about kinds of it."""
ANSWERERS: Final = (GRAPH, ITSELF, EMBEDDING, FREQUENT)

_MOST: Final = 1_000


def graded(
    questions: Iterable[Asked], store: Store, linker: Linker, artifact: Artifact
) -> Iterator[Graded]:
    """Every question, by every answerer."""
    predictor, frequent = Predictor(artifact), Frequent(artifact.split)
    for asked in questions:
        limit = min(FIRST_LONG + len(asked.passed_over), _MOST)
        ways: dict[str, Callable[[Part], Completed]] = {
            GRAPH: partial(answer_by_graph, store),
            ITSELF: lambda part: _of_itself(answer_by_graph(store, part)),
            EMBEDDING: partial(answer_by_embedding, predictor, limit=limit),
            FREQUENT: partial(frequent.answer, limit=limit),
        }
        for by, answer in ways.items():
            yield grade(asked, by, partial(only_part, asked.text, linker), answer)


def only_part(text: str, linker: Linker) -> Part:
    """The one thing that a question of this experiment asks, of the first that it names.

    Raises:
        NoRelationError: it asks for several.
        QuestionError: it could not be read.
    """
    parts = read(text, linker).parts
    for part in parts:
        if part.problem:
            raise part.problem
    if len({part.readings[0].heading for part in parts}) > 1:
        raise NoRelationError(f"{text!r} asks {len(parts)} questions")
    return parts[0]


def _of_itself(answer: Completed) -> Completed:
    """Without what is said of kinds of what is asked about."""
    return replace(answer, entries=tuple(e for e in answer.entries if e.subclasses is None))


class Frequent:
    """Gives the commonest answers of a relation, whatever is asked about."""

    def __init__(self, split: Split) -> None:
        self._split = split

    def answer(self, part: Part, limit: int) -> Completed:
        """By the first reading."""
        reading = triple_readings(part)[0]
        counts: Counter[tuple[str, Triple]] = Counter()
        for triple in reading.triples:
            counts.update(dict(self._counts(triple).most_common(limit)))
        entries = tuple(
            Entry(id_, id_, None, triple) for (id_, triple), _ in counts.most_common(limit)
        )
        return Completed(part, reading, entries)

    def _counts(self, triple: Triple) -> Counter[tuple[str, Triple]]:
        relations, ids = self._split.relations, self._split.entities.ids
        rows = self._split.train
        if triple.relation is None:
            return Counter({(relations[r], triple): n for r, n in Counter(rows[:, 1]).items()})
        if triple.relation not in relations:
            return Counter()
        rows = rows[rows[:, 1] == relations.index(triple.relation)]
        column = 2 if triple.tail is None else 0
        return Counter({(ids[e], triple): n for e, n in Counter(rows[:, column]).items()})
