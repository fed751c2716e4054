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
from qa.answering import Entry, FormAnswer, answer_by_embedding, answer_by_graph
from qa.questions import Form, Question, parse
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
        ways: dict[str, Callable[[Form], FormAnswer]] = {
            GRAPH: partial(answer_by_graph, store),
            ITSELF: lambda form: _of_itself(answer_by_graph(store, form)),
            EMBEDDING: partial(answer_by_embedding, predictor, limit=limit),
            FREQUENT: partial(frequent.answer, limit=limit),
        }
        for by, answer in ways.items():
            yield grade(asked, by, partial(parse, asked.text, linker), answer)


def _of_itself(answer: FormAnswer) -> FormAnswer:
    """Without what is said of kinds of what is asked about."""
    return replace(answer, entries=tuple(e for e in answer.entries if e.subclasses is None))


class Frequent:
    """Gives the commonest answers of a relation, whatever is asked about."""

    def __init__(self, split: Split) -> None:
        self._split = split

    def answer(self, form: Form, limit: int) -> FormAnswer:
        """By the first reading."""
        reading = form.readings[0]
        counts: Counter[tuple[str, Question]] = Counter()
        for question in reading.questions:
            counts.update(dict(self._counts(question).most_common(limit)))
        entries = tuple(
            Entry(id_, id_, None, question) for (id_, question), _ in counts.most_common(limit)
        )
        return FormAnswer(form, reading, entries)

    def _counts(self, question: Question) -> Counter[tuple[str, Question]]:
        relations, ids = self._split.relations, self._split.entities.ids
        rows = self._split.train
        if question.relation is None:
            return Counter({(relations[r], question): n for r, n in Counter(rows[:, 1]).items()})
        if question.relation not in relations:
            return Counter()
        rows = rows[rows[:, 1] == relations.index(question.relation)]
        column = 2 if question.tail is None else 0
        return Counter({(ids[e], question): n for e, n in Counter(rows[:, column]).items()})
