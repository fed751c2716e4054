"""What a question's answer may be: the candidates of each generator, and the question's subgraph.

Gold excluded: no text that answers the same question is among the passages, and the subgraph counts
no fact that only those texts' sources state.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, cast, get_args

from kg.errors import QuestionError
from kg.linking import Linker
from kg.stores.store import Store
from qa.answer import LISTED, Answerer
from qa.corpus import Document
from qa.evaluation.questions import GoldQuestion
from qa.generation.candidates import Generator
from qa.generation.extractive import EXTRACTIVE
from qa.index import Hit, Index, Mode, Record
from qa.intent import Gap
from qa.passages import CONTEXTS, POOL, without_known_questions
from qa.question import Question
from qa.questions import read
from qa.selection import Asked, Option, Selector
from qa.subgraph import Subgraph, subgraph

OF_MEDQUAD: Final = ("medquad", "medquad-statements")
"""Sources of a graph that MedQuAD's answers are in, by the names that they usually have."""


class Said(NamedTuple):
    """The prose of an answer."""

    text: str
    title: str | None
    """What the document is about from which it is quoted; None: it is the graph's or empty."""


@dataclass(frozen=True)
class Case:
    """What was found for a question."""

    question: str
    """Its id."""
    options: dict[str, tuple[Option, ...]]
    """The candidates of each generator, by its name, in the order of their passages."""
    unaided: dict[str, str]
    """What each generator writes that is given no passage (paper, appendix F4), by its name."""
    asked: Asked
    """What its candidates are judged by."""
    edges: int = 0
    """Of the subgraph; 0: there is none."""
    subgraph: str = ""
    """The subgraph-text (paper, section 3.3.5)."""
    stated: str = ""
    """What the graph says by itself; empty where it says nothing."""
    said: dict[Selector, Said] = field(default_factory=dict)
    """The prose of ``medkg ask`` by each of its selectors, from passages about the thing that say
    what is asked; empty where it has no answer."""


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
                Option.of(candidate)
                for candidate in generator.candidates(question.text, hits, self.index.document)
            )
            for name, generator in self.generators.items()
        }
        unaided = {name: self._unaided(name, question.text) for name in self.writing}
        prose = self._prose(question)
        parsed = self._read(question.text)
        if parsed is None:
            unread = Asked(question.text, "other")
            return Case(question.id, options, unaided, unread, said=prose)
        support = self._subgraph(parsed)
        subjects = {subject.id: subject.name for subject in parsed.subjects}
        chinese = parsed.language == "zh"
        neighbours = [node for node in support.nodes if node.id not in subjects]
        names = [label for node in neighbours if (label := node.label(chinese=chinese))]
        return Case(
            question.id,
            options,
            unaided,
            Asked(question.text, parsed.kind, tuple(self._names(subjects)), support.facts),
            len(support.edges),
            support.text(chinese=chinese) if support.edges else "",
            _facts_in_a_sentence(
                list(subjects.values()), parsed, list(dict.fromkeys(names))[:LISTED]
            ),
            prose,
        )

    def _hits(self, question: GoldQuestion) -> list[Hit]:
        """The best passage of each of the best documents."""
        excluded = {"document": question.equivalents}
        without = without_known_questions(self.index, excluded)
        hits = self.index.search(question.text, POOL, mode=self.mode, without=without)
        best_of_document: dict[str, Hit] = {}
        for hit in hits:
            best_of_document.setdefault(hit.record.metadata["document"], hit)
        return list(best_of_document.values())[:CONTEXTS]

    def _unaided(self, generator: str, question: str) -> str:
        no_document = Document("", "", "", "", "en")
        hit = Hit(Record("", "", {"document": "", "start": "0", "end": "0"}), 0.0, 1)
        candidates = self.generators[generator].candidates(question, [hit], lambda _: no_document)
        return candidates[0].text if candidates else ""

    def _prose(self, question: GoldQuestion) -> dict[Selector, Said]:
        """The prose of the whole system by each selector, and what it is quoted from."""
        answerer = Answerer(
            self.store,
            self.linker,
            self.index,
            self.generators[EXTRACTIVE],
            self.mode,
            without={"document": question.equivalents},
            without_sources=self.without,
        )
        by_selector: dict[Selector, Said] = {}
        for selector in get_args(Selector):
            try:
                parts = replace(answerer, selector=selector).answer(question.text).parts
            except QuestionError:
                return dict.fromkeys(get_args(Selector), Said("", None))
            prose = " ".join(statement.text for part in parts for statement in part.prose)
            quoted = next((part.chosen for part in parts if part.chosen), None)
            title = quoted.hit.record.metadata.get("title") if quoted else None
            by_selector[selector] = Said(prose, title)
            if all(len(part.candidates) <= 1 for part in parts):
                return dict.fromkeys(get_args(Selector), by_selector[selector])
        return by_selector

    def _read(self, question: str) -> Question | None:
        try:
            return read(question, self.linker)
        except QuestionError:
            return None

    def _subgraph(self, parsed: Question) -> Subgraph:
        """The subgraph of the likeliest reading of each part; without edges where none could be read."""
        readings = [part.readings[0] for part in parsed.parts if part.readings]
        if not readings:
            return Subgraph((), (), {})
        gaps = [Gap(t.relation, t.sought) for reading in readings for t in reading.triples]
        subjects = [subject.id for reading in readings for subject in reading.subjects]
        for subject_id in list(dict.fromkeys(subjects)):
            rows = self.store.query("entity.close_matches", entity=subject_id).dicts()
            subjects += [str(row["other_id"]) for row in rows]
        return subgraph(self.store, subjects, gaps, self.without)

    def _names(self, subjects: Mapping[str, str]) -> Iterator[str]:
        distinct_names: dict[str, None] = {}
        for subject, name in subjects.items():
            distinct_names[name] = None
            for row in self.store.query("entity.by_id", entity=subject).dicts():
                names = [row["entity_name"], *(cast("list[str] | None", row["synonyms"]) or ())]
                distinct_names.update(dict.fromkeys(str(each) for each in names if each))
        yield from distinct_names


def _facts_in_a_sentence(
    subject_names: Sequence[str], parsed: Question, names: Sequence[str]
) -> str:
    """The facts as a sentence; empty where there is none."""
    if not names:
        return ""
    headings = [part.readings[0].heading for part in parsed.parts if part.readings]
    heading = ", ".join(dict.fromkeys(headings)) or "facts"
    return f"{' and '.join(dict.fromkeys(subject_names))}: {heading}: {', '.join(names)}."
