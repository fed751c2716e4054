"""Runs a measurement: finds cases, lets every system answer, scores; what is done is kept.

A run that was stopped goes on where it was. What decides its figures is stated beside them, and a
folder in which another statement lies is refused.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from random import Random
from typing import Any, Final, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from kg.errors import EvaluationError
from kg.progress import Progress, Silent
from kg.stores.disk import disk_errors, publish, writer_lock
from qa.evaluation.cases import Case, Finder
from qa.evaluation.questions import GoldQuestion
from qa.evaluation.scoring import Judges, Scores, scores
from qa.evaluation.systems import GivenAnswers, Reply, replies
from qa.index import Index, Mode
from qa.metrics.readability import readability, words
from qa.passages import without_known_questions
from qa.question import Category
from qa.selection import Features

RETRIEVED: Final = 100
"""Passages that are looked at for the right document."""
_SETTINGS: Final = "run.json"
_CASES: Final = "cases.jsonl"
_ROWS: Final = "answers.jsonl"
_FOUND: Final = "retrieval.jsonl"
_LEAST: Final = 2
_AT_ONCE: Final = 20
"""Questions that are scored together."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class Row:
    """A question with the answers of all systems and their scores."""

    question: str
    """Its id."""
    text: str
    focus: str
    category: Category
    chronic: str | None
    edges: int
    """Of its subgraph."""
    gold_words: int
    gold_ease: float | None
    replies: tuple[Reply, ...]
    scores: dict[str, Scores]


@dataclass(frozen=True)
class DocumentRanks:
    """Where the right documents of a question stand among those found; None: not among them."""

    question: str
    own: int | None
    """Rank of the document that the question was asked of."""
    equivalent: int | None
    """Best rank of a document that answers the same question."""


@dataclass(frozen=True)
class _RecordFile(Generic[Item]):
    """Items in a file, a line each, in the order of the questions."""

    path: Path
    adapter: TypeAdapter[Item]

    def read(self) -> list[Item]:
        """The items that are in the file; a last line that was not written to its end is dropped."""
        if not self.path.is_file():
            return []
        complete, _, unfinished = self.path.read_bytes().rpartition(b"\n")
        if unfinished:
            self.path.write_bytes(complete + b"\n" if complete else b"")
        try:
            return [self.adapter.validate_json(line) for line in complete.splitlines()]
        except ValidationError as e:
            raise EvaluationError(
                f"{self.path}: it is no record of a measurement ({e.error_count()} errors); name "
                "another folder"
            ) from e

    def add(self, items: Sequence[Item]) -> None:
        with self.path.open("ab") as file:
            for item in items:
                file.write(self.adapter.dump_json(item) + b"\n")


def draw(questions: Sequence[GoldQuestion], count: int, seed: int) -> list[GoldQuestion]:
    """Draw ``count`` questions at random, kept in their order; all of them if there are no more."""
    if count >= len(questions):
        return list(questions)
    places = Random(seed).sample(range(len(questions)), count)  # noqa: S311 - a draw, no secret
    return [questions[place] for place in sorted(places)]


def state(folder: Path, settings: Mapping[str, Any]) -> None:
    """Write down what decides the figures of a run, and check that it goes on with the same.

    Raises:
        EvaluationError: the folder holds another measurement.
        StoreError: the folder cannot be written.
    """
    path = folder / _SETTINGS
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if not path.is_file():
            draft = folder / f"{_SETTINGS}.draft"
            draft.write_text(json.dumps(settings, indent=1, sort_keys=True), "utf-8")
            publish(draft, path)
            return
        text = path.read_bytes()
    wanted = json.loads(json.dumps(settings))
    try:
        recorded = dict(json.loads(text))
    except (ValueError, TypeError) as e:
        raise EvaluationError(
            f"{path}: it does not say what was measured; name another folder, or delete {folder}"
        ) from e
    if recorded != wanted:
        names = sorted(set(recorded) | set(wanted))
        changed = [name for name in names if recorded.get(name) != wanted.get(name)]
        raise EvaluationError(
            f"{folder}: it holds a measurement with another {', '.join(changed)}; name "
            "another folder, or delete this one"
        )


def find_cases(
    questions: Sequence[GoldQuestion],
    finder: Finder,
    folder: Path,
    progress: Progress | None = None,
) -> list[Case]:
    """What is found for each question, gold excluded; those that lie in the folder are not sought.

    Raises:
        EvaluationError: the folder's records are of other questions.
        ModelError: a generator failed.
        RetrievalError: the index cannot be searched.
        StoreError: the store failed, the folder cannot be written, or another process writes it.
    """
    file = _RecordFile(folder / _CASES, TypeAdapter(Case))
    return _continued(
        file, questions, 1, lambda batch: [finder.case(each) for each in batch], progress
    )


def measure(
    questions: Sequence[GoldQuestion],
    cases: Sequence[Case],
    judges: Judges,
    folder: Path,
    *,
    weights: Features,
    given: Sequence[GivenAnswers] = (),
    seed: int = 0,
    progress: Progress | None = None,
) -> list[Row]:
    """The answers of all systems to each question, with their scores.

    Args:
        questions: with gold answers; at least two.
        cases: of the same questions.
        judges: the models of the metrics.
        folder: keeps what is measured.
        weights: of our own selection.
        given: answers of other models.
        seed: of random choices, and of the unrelated answers.
        progress: shown meanwhile.

    Raises:
        EvaluationError: there are fewer than two questions, or the folder's records are of others.
        ModelError: a model failed.
        StoreError: the folder cannot be written, or another process writes it.
    """
    unrelated = _unrelated(questions, seed)
    place_of = {question.id: number for number, question in enumerate(questions)}

    def rows(batch: Sequence[GoldQuestion]) -> list[Row]:
        batch_cases = [cases[place_of[question.id]] for question in batch]
        texts = [
            option.text
            for case in batch_cases
            for each in case.options.values()
            for option in each
        ]
        texts += [text for question in batch for text in (question.text, question.answer)]
        texts += [case.stated for case in batch_cases if case.stated]
        vectors = judges.vectors(texts)
        answers = []
        for question, case in zip(batch, batch_cases, strict=True):
            cosines = None
            if vectors:
                options = [option for each in case.options.values() for option in each]
                question_vector = vectors[question.text]
                cosines = {
                    each.text: float(vectors[each.text] @ question_vector) for each in options
                }
            answers.append(
                replies(
                    question,
                    case,
                    weights=weights,
                    cosines=cosines,
                    unrelated=unrelated[question.id],
                    given=given,
                    seed=seed,
                )
            )
        if vectors:
            reply_texts = {reply.text for each in answers for reply in each if reply.text}
            vectors |= judges.vectors(sorted(reply_texts - set(vectors)))
        batch_scores = scores(batch, batch_cases, answers, vectors, judges)
        return [
            _row(*each) for each in zip(batch, batch_cases, answers, batch_scores, strict=True)
        ]

    return _continued(
        _RecordFile(folder / _ROWS, TypeAdapter(Row)), questions, _AT_ONCE, rows, progress
    )


def retrieve(
    questions: Sequence[GoldQuestion],
    index: Index,
    mode: Mode,
    folder: Path,
    progress: Progress | None = None,
) -> list[DocumentRanks]:
    """The ranks of the right documents, gold present.

    Raises:
        EvaluationError: the folder's records are of other questions.
        RetrievalError: the index cannot be searched so.
        StoreError: the folder cannot be written, or another process writes it.
    """
    without = without_known_questions(index, {})

    def ranks_of(batch: Sequence[GoldQuestion]) -> list[DocumentRanks]:
        ranks = []
        for question in batch:
            hits = index.search(question.text, RETRIEVED, mode=mode, without=without)
            order = list(dict.fromkeys(hit.record.metadata["document"] for hit in hits))
            rank_of = {document: rank for rank, document in enumerate(order, 1)}
            best = [rank_of[each] for each in question.equivalents if each in rank_of]
            ranks.append(
                DocumentRanks(question.id, rank_of.get(question.id), min(best, default=None))
            )
        return ranks

    file = _RecordFile(folder / f"{mode}-{_FOUND}", TypeAdapter(DocumentRanks))
    return _continued(file, questions, _AT_ONCE, ranks_of, progress)


def _continued(
    file: _RecordFile[Any],
    questions: Sequence[GoldQuestion],
    at_once: int,
    make: Callable[[Sequence[GoldQuestion]], list[Any]],
    progress: Progress | None,
) -> list[Any]:
    with writer_lock(file.path):
        with disk_errors(file.path):
            finished = file.read()
        ids = [question.id for question in questions]
        if [item.question for item in finished] != ids[: len(finished)]:
            raise EvaluationError(
                f"{file.path}: it is a record of other questions; name another folder"
            )
        with (progress or Silent()).step(file.path.stem, len(questions)) as advance:
            advance(len(finished))
            for start in range(len(finished), len(questions), at_once):
                items = make(questions[start : start + at_once])
                with disk_errors(file.path):
                    file.add(items)
                finished += items
                advance(len(items))
    return finished


def _unrelated(questions: Sequence[GoldQuestion], seed: int) -> dict[str, str]:
    """For each question the gold answer of one about another thing."""
    chance = Random(seed)  # noqa: S311 - a draw, no secret
    if len({question.focus for question in questions}) < _LEAST:
        raise EvaluationError(
            "the questions are not about two things at least, so no answer is unrelated; ask more"
        )
    answers = {}
    for question in questions:
        other = question
        while other.focus == question.focus:
            other = chance.choice(questions)
        answers[question.id] = other.answer
    return answers


def _row(
    question: GoldQuestion,
    case: Case,
    answers: Sequence[Reply],
    scores_by_system: dict[str, Scores],
) -> Row:
    ease = readability(question.answer).ease
    return Row(
        question.id,
        question.text,
        question.focus,
        question.category,
        question.chronic,
        case.edges,
        len(words(question.answer)),
        ease if isfinite(ease) else None,
        tuple(answers),
        scores_by_system,
    )
