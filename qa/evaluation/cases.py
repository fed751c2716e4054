"""What a question's answer may be: the candidates of each generator, and the question's subgraph.

Gold excluded: no text that answers the same question is among the passages, and the subgraph counts
no fact that only those texts' sources state.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, cast

from kg.errors import QuestionError
from kg.linking import Linker
from kg.stores.store import Store
from qa.answer import CONTEXTS, LISTED, POOL, Answerer
from qa.corpus import Document
from qa.evaluation.questions import CATEGORY_OF, GoldQuestion
from qa.generation.candidates import Generator
from qa.generation.extractive import EXTRACTIVE
from qa.index import Hit, Index, Mode, Record
from qa.intent import Gap
from qa.question import Category, Question
from qa.questions import read
from qa.selection import Subgraph, subgraph

OF_MEDQUAD: Final = ("medquad", "medquad-statements")
"""Sources of a graph that MedQuAD's answers are in, by the names that they usually have."""

_SYMPTOMS: Final = "HAS_SYMPTOM"
_UNSAID: Final = 0.1
"""Weight of a fact that the graph has no discriminative score for, and the least of the others."""
_MOST_SYMPTOMS: Final = 10_000


class Fact(NamedTuple):
    """A name of a subgraph that an answer may name."""

    name: str
    weight: float
    """Discriminative score of a symptom (``kg.discrimination``); .1 of anything else, at least."""


@dataclass(frozen=True)
class Option:
    """A candidate for an answer."""

    text: str
    document: str
    """Id of the document it was made from."""
    title: str
    """What that document is about."""
    category: Category
    """Of the question that the document answers."""
    score: float
    """Of the passage, as the index scores it."""


@dataclass(frozen=True)
class Case:
    """What was found for a question."""

    question: str
    """Its id."""
    options: dict[str, tuple[Option, ...]]
    """By generator, in the order of their passages."""
    unaided: dict[str, str]
    """What a generator writes that is given no passage (paper, appendix F4), by its name."""
    read_as: Category
    """What the question was read as asking for."""
    things: tuple[str, ...] = ()
    """All names of what it is about."""
    facts: tuple[Fact, ...] = ()
    """Names that the subgraph connects with those things."""
    edges: int = 0
    """Of the subgraph; 0: there is none."""
    subgraph: str = ""
    """The subgraph-text (paper, section 3.3.5)."""
    stated: str = ""
    """What the graph says by itself; empty where it says nothing."""
    said: str = ""
    """The prose of ``medkg ask``: it looks for passages about the thing that say what is asked."""
    said_of: str | None = None
    """What the document is about from which it is quoted; None: it is the graph's or empty."""


@dataclass(frozen=True)
class Finder:
    """Finds candidates and subgraphs; the gold answers are excluded."""

    store: Store
    linker: Linker
    index: Index
    generators: Mapping[str, Generator]
    writing: Collection[str] = ()
    """Names of the generators that can write without a passage."""
    without: Collection[str] = OF_MEDQUAD
    """Sources of the graph that hold gold answers."""
    mode: Mode = "bm25"
    _scores: dict[str, dict[str, float]] = field(default_factory=dict)

    def case(self, question: GoldQuestion) -> Case:
        """What is found for a question; one that cannot be read has no subgraph.

        Raises:
            ModelError: a generator failed.
            RetrievalError: the index cannot be searched.
            StoreError: the store failed.
        """
        hits = self._hits(question)
        options = {
            name: tuple(
                _option(candidate.text, candidate.hit)
                for candidate in generator.candidates(question.text, hits, self.index.document)
            )
            for name, generator in self.generators.items()
        }
        unaided = {name: self._unaided(name, question.text) for name in self.writing}
        said, said_of = self._said(question)
        asked = self._read(question.text)
        if asked is None:
            return Case(question.id, options, unaided, "other", said=said, said_of=said_of)
        found = self._subgraph(asked)
        subjects = {subject.id: subject.name for subject in asked.subjects}
        others = [node for node in found.nodes if node.id not in subjects]
        weights = self._weights(found)
        labels = {node.id: node.label(chinese=asked.language == "zh") for node in others}
        names = list(dict.fromkeys(label for label in labels.values() if label))
        weight_of = {label: weights.get(node, _UNSAID) for node, label in labels.items() if label}
        return Case(
            question.id,
            options,
            unaided,
            asked.category,
            tuple(self._names(subjects)),
            tuple(Fact(name, weight_of[name]) for name in names),
            len(found.edges),
            found.text(chinese=asked.language == "zh") if found.edges else "",
            _stated(list(subjects.values()), asked, names[:LISTED]),
            said,
            said_of,
        )

    def _hits(self, question: GoldQuestion) -> list[Hit]:
        """The best passage of each of the best documents."""
        excluded = {"document": question.equivalents}
        hits = self.index.search(question.text, POOL, mode=self.mode, without=excluded)
        first: dict[str, Hit] = {}
        for hit in hits:
            first.setdefault(hit.record.metadata["document"], hit)
        return list(first.values())[:CONTEXTS]

    def _unaided(self, generator: str, question: str) -> str:
        nothing = Document("", "", "", "", "en")
        hit = Hit(Record("", "", {"document": "", "start": "0", "end": "0"}), 0.0, 1)
        made = self.generators[generator].candidates(question, [hit], lambda _: nothing)
        return made[0].text if made else ""

    def _said(self, question: GoldQuestion) -> tuple[str, str | None]:
        """The prose of the whole system, and what it is quoted from."""
        answerer = Answerer(
            self.store,
            self.linker,
            self.index,
            self.generators[EXTRACTIVE],
            self.mode,
            without={"document": question.equivalents},
            without_sources=self.without,
        )
        try:
            parts = answerer.answer(question.text).parts
        except QuestionError:
            return "", None
        prose = " ".join(statement.text for part in parts for statement in part.prose)
        chosen = next((part.chosen for part in parts if part.chosen), None)
        return prose, chosen.hit.record.metadata.get("title") if chosen else None

    def _read(self, question: str) -> Question | None:
        try:
            return read(question, self.linker)
        except QuestionError:
            return None

    def _subgraph(self, asked: Question) -> Subgraph:
        """By the likeliest reading of each part; without edges where none could be read."""
        readings = [part.readings[0] for part in asked.parts if part.readings]
        if not readings:
            return Subgraph((), (), {})
        gaps = [Gap(t.relation, t.sought) for reading in readings for t in reading.triples]
        subjects = [subject.id for reading in readings for subject in reading.subjects]
        for each in list(dict.fromkeys(subjects)):
            rows = self.store.query("entity.close_matches", entity=each).dicts()
            subjects += [str(row["other_id"]) for row in rows]
        return subgraph(self.store, subjects, gaps, self.without)

    def _weights(self, of: Subgraph) -> dict[str, float]:
        """Discriminative scores of the symptoms of a subgraph, by their ids."""
        weights: dict[str, float] = {}
        for edge in of.edges:
            if edge.relation == _SYMPTOMS:
                known = self._scores_of(edge.head)
                score = max(known.get(edge.tail, _UNSAID), _UNSAID)
                weights[edge.tail] = max(score, weights.get(edge.tail, 0.0))
        return weights

    def _scores_of(self, disease: str) -> dict[str, float]:
        if disease not in self._scores:
            query = "disease.discriminative_symptoms"
            rows = self.store.query(query, disease=disease, limit=_MOST_SYMPTOMS).dicts()
            found = {str(row["symptom_id"]): row["discrimination"] for row in rows}
            self._scores[disease] = {
                symptom: float(cast("float", score))
                for symptom, score in found.items()
                if score is not None
            }
        return self._scores[disease]

    def _names(self, subjects: Mapping[str, str]) -> Iterator[str]:
        seen: dict[str, None] = {}
        for subject, name in subjects.items():
            seen[name] = None
            for row in self.store.query("entity.by_id", entity=subject).dicts():
                names = [row["entity_name"], *(cast("list[str] | None", row["synonyms"]) or ())]
                seen.update(dict.fromkeys(str(each) for each in names if each))
        yield from seen


def _option(text: str, hit: Hit) -> Option:
    metadata = hit.record.metadata
    category = CATEGORY_OF.get(metadata.get("category", ""), "other")
    return Option(text, metadata["document"], metadata.get("title", ""), category, hit.score)


def _stated(things: Sequence[str], asked: Question, names: Sequence[str]) -> str:
    """The facts as a sentence; empty where there is none."""
    if not names:
        return ""
    headings = [part.readings[0].heading for part in asked.parts if part.readings]
    said = ", ".join(dict.fromkeys(headings)) or "facts"
    return f"{' and '.join(dict.fromkeys(things))}: {said}: {', '.join(names)}."
