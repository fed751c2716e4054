"""Runs a measurement: finds cases, lets every system answer, scores; what is done is kept.

A run that was stopped goes on where it was. What decides its figures is stated beside them, and a
folder in which another statement lies is refused.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from qa.evaluation.systems import Given, Reply, replies
from qa.index import Index, Mode
from qa.metrics.readability import readability, words
from qa.question import Category
from qa.selection import Features

RETRIEVED: Final = 100
"""Passages that are looked at for the right document."""
_STATED: Final = "run.json"
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
class Found:
    """Where the right documents of a question stand among those found; None: not among them."""

    question: str
    own: int | None
    """Rank of the document that the question was asked of."""
    equivalent: int | None
    """Best rank of a document that answers the same question."""


@dataclass(frozen=True)
class _Kept(Generic[Item]):
    """Items in a file, a line each, in the order of the questions."""

    path: Path
    adapter: TypeAdapter[Item]

    def read(self) -> list[Item]:
        """What is there; a last line that was not written to its end is dropped."""
        if not self.path.is_file():
            return []
        whole, _, rest = self.path.read_bytes().rpartition(b"\n")
        if rest:
            self.path.write_bytes(whole + b"\n" if whole else b"")
        try:
            return [self.adapter.validate_json(line) for line in whole.splitlines()]
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
    """So many questions by chance, in their own order; all where there are no more."""
    if count >= len(questions):
        return list(questions)
    chosen = Random(seed).sample(range(len(questions)), count)  # noqa: S311 - a draw, no secret
    return [questions[at] for at in sorted(chosen)]


def state(folder: Path, stated: Mapping[str, Any]) -> None:
    """Write down what decides the figures of a run, and check that it goes on with the same.

    Raises:
        EvaluationError: the folder holds another measurement.
        StoreError: the folder cannot be written.
    """
    path = folder / _STATED
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if not path.is_file():
            draft = folder / f"{_STATED}.draft"
            draft.write_text(json.dumps(stated, indent=1, sort_keys=True), "utf-8")
            publish(draft, path)
            return
        text = path.read_bytes()
    now = json.loads(json.dumps(stated))
    try:
        before = dict(json.loads(text))
    except (ValueError, TypeError) as e:
        raise EvaluationError(
            f"{path}: it does not say what was measured; name another folder, or delete {folder}"
        ) from e
    if before != now:
        names = sorted(set(before) | set(now))
        changed = [name for name in names if before.get(name) != now.get(name)]
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
    kept = _Kept(folder / _CASES, TypeAdapter(Case))
    return _continued(
        kept, questions, 1, lambda some: [finder.case(each) for each in some], progress
    )


def measure(
    questions: Sequence[GoldQuestion],
    cases: Sequence[Case],
    judges: Judges,
    folder: Path,
    *,
    weights: Features,
    given: Sequence[Given] = (),
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
    at = {question.id: place for place, question in enumerate(questions)}

    def rows(some: Sequence[GoldQuestion]) -> list[Row]:
        own = [cases[at[question.id]] for question in some]
        texts = [option.text for case in own for each in case.options.values() for option in each]
        texts += [text for question in some for text in (question.text, question.answer)]
        texts += [case.stated for case in own if case.stated]
        vectors = judges.vectors(texts)
        answers = []
        for question, case in zip(some, own, strict=True):
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
            new = {reply.text for each in answers for reply in each if reply.text} - set(vectors)
            vectors |= judges.vectors(sorted(new))
        marks = scores(some, own, answers, vectors, judges)
        return [_row(*each) for each in zip(some, own, answers, marks, strict=True)]

    return _continued(_Kept(folder / _ROWS, TypeAdapter(Row)), questions, _AT_ONCE, rows, progress)


def retrieve(
    questions: Sequence[GoldQuestion],
    index: Index,
    mode: Mode,
    folder: Path,
    progress: Progress | None = None,
) -> list[Found]:
    """The ranks of the right documents, gold present.

    Raises:
        EvaluationError: the folder's records are of other questions.
        RetrievalError: the index cannot be searched so.
        StoreError: the folder cannot be written, or another process writes it.
    """

    def ranks_of(some: Sequence[GoldQuestion]) -> list[Found]:
        ranks = []
        for question in some:
            hits = index.search(question.text, RETRIEVED, mode=mode)
            order = list(dict.fromkeys(hit.record.metadata["document"] for hit in hits))
            place = {document: rank for rank, document in enumerate(order, 1)}
            best = [place[each] for each in question.equivalents if each in place]
            ranks.append(Found(question.id, place.get(question.id), min(best, default=None)))
        return ranks

    kept = _Kept(folder / f"{mode}-{_FOUND}", TypeAdapter(Found))
    return _continued(kept, questions, _AT_ONCE, ranks_of, progress)


def _continued(
    kept: _Kept[Any],
    questions: Sequence[GoldQuestion],
    at_once: int,
    make: Callable[[Sequence[GoldQuestion]], list[Any]],
    progress: Progress | None,
) -> list[Any]:
    with writer_lock(kept.path):
        with disk_errors(kept.path):
            done = kept.read()
        ids = [question.id for question in questions]
        if [item.question for item in done] != ids[: len(done)]:
            raise EvaluationError(
                f"{kept.path}: it is a record of other questions; name another folder"
            )
        with (progress or Silent()).step(kept.path.stem, len(questions)) as advance:
            advance(len(done))
            for some in _parts(questions[len(done) :], at_once):
                made = make(some)
                with disk_errors(kept.path):
                    kept.add(made)
                done += made
                advance(len(made))
    return done


def _parts(questions: Sequence[GoldQuestion], size: int) -> Iterator[Sequence[GoldQuestion]]:
    for at in range(0, len(questions), size):
        yield questions[at : at + size]


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
    question: GoldQuestion, case: Case, answers: Sequence[Reply], marks: dict[str, Scores]
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
        marks,
    )
