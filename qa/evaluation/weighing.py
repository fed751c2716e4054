"""Chooses a candidate by more than its overlap with the subgraph-text: our own selection.

Of the candidates those that are about the thing asked come first: by the title of their document,
else by their words. Among them a weighted sum decides: the facts of the subgraph that a candidate
names, each by its discriminative score; those of them that it denies; whether it answers a question
of that type; how like it is to the question; and how much of it the other candidates say too. What
is chosen thus is about another thing only where no candidate is about the right one, though
answers to the same question on another thing share more words with the right answer.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kg.text.context import contexts
from qa.evaluation.cases import Case, Option
from qa.rouge import Reference, tokens

FloatArray = npt.NDArray[np.float64]

_DECIMALS: Final = 12


class Features(NamedTuple):
    """What is said of one candidate; the more of each, the better."""

    covered: float
    """Weights of the subgraph's names that it names, as a share of all of them."""
    denied: float
    """Minus the share of the names it names that it denies (NegEx, ``kg.text.context``)."""
    same_type: float
    """1 where its document answers a question of the same category."""
    likeness: float
    """Share of the question's words that it has."""
    agreed: float
    """Mean ROUGE-L F1 with the other candidates."""


class Described(NamedTuple):
    """A candidate as our selection sees it."""

    about: int
    """2: its document's title names what the question is about; 1: it names it; 0: neither. All
    have 2 where the graph does not know what the question is about."""
    features: Features
    supported: float
    """ROUGE-L F1 with the subgraph-text, by which the paper chooses."""


WEIGHTS: Final = Features(covered=0.065, denied=0.0, same_type=0.058, likeness=0.056, agreed=0.361)
"""Fitted on 700 of MedQuAD's questions, gold excluded; about none of their diseases is a question
by which answers are measured (``python -m tests.experiments.selection --fit``)."""


def describe(question: str, case: Case, options: Sequence[Option]) -> list[Described]:
    """The candidates of a question, in their order."""
    asked = set(tokens(question))
    texts = [tokens(option.text) for option in options]
    references = [Reference.of(text) for text in texts]
    graph = Reference.of(tokens(case.subgraph))
    things = [f" {' '.join(tokens(name))} " for name in case.things]
    found = []
    for at, option in enumerate(options):
        padded, title = f" {' '.join(texts[at])} ", f" {' '.join(tokens(option.title))} "
        others = [each.rouge_l(texts[at]).f1 for n, each in enumerate(references) if n != at]
        covered, denied = _facts(case, option.text)
        if not things or any(name in title for name in things):
            about = 2
        else:
            about = int(any(name in padded for name in things))
        said = Features(
            covered,
            -denied,
            float(option.category == case.read_as),
            len(asked & {*texts[at]}) / max(1, len(asked)),
            sum(others) / len(others) if others else 0.0,
        )
        found.append(Described(about, said, graph.rouge_l(texts[at]).f1))
    return found


def _facts(case: Case, text: str) -> tuple[float, float]:
    """The weighted share of the subgraph's names that stand in a text, and how many it denies."""
    lower = text.casefold()
    total = sum(fact.weight for fact in case.facts)
    spans = []
    covered = 0.0
    for fact in case.facts:
        name = fact.name.casefold()
        start = _place(lower, name)
        if start is not None:
            covered += fact.weight
            spans.append((start, start + len(name)))
    if not spans or len(lower) != len(text):
        return (covered / total if total else 0.0), 0.0
    denied = sum(context.negated for context in contexts(text, spans))
    return covered / total, denied / len(spans)


def _place(text: str, name: str) -> int | None:
    """Where a name stands between ends of words."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        before, after = text[start - 1 : start], text[end : end + 1]
        if not (before.isalnum() or after.isalnum()):
            return start
        start = text.find(name, start + 1)
    return None


def choose(options: Sequence[Described], weights: Features, *, anything: bool = False) -> int:
    """The place of the candidate that is chosen; of equals the first.

    Args:
        options: the candidates of a question.
        weights: of what is said of them.
        anything: whether a candidate about another thing is as good.

    Raises:
        ValueError: there is no candidate.
    """
    if not options:
        raise ValueError("no candidate to choose from")
    nearest = max(option.about for option in options)
    pool = [at for at, each in enumerate(options) if anything or each.about == nearest]
    sums = np.array([options[at].features for at in pool], dtype=float) @ np.array(weights)
    return pool[int(np.argmax(np.round(sums, _DECIMALS)))]


def fit(options: Sequence[Sequence[Described]], scores: Sequence[Sequence[float]]) -> Features:
    """Weights by which sums follow scores within each question, by least squares; none is negative.

    Args:
        options: the candidates of each question.
        scores: of the same candidates, the higher the better.

    Raises:
        ValueError: no question has two candidates.
    """
    from scipy.optimize import nnls  # noqa: PLC0415 - half a second

    rows: list[FloatArray] = []
    aims: list[FloatArray] = []
    for each, score in zip(options, scores, strict=True):
        if len(each) > 1:
            matrix = np.array([option.features for option in each], dtype=float)
            aim = np.array(score, dtype=float)
            rows.append(matrix - matrix.mean(axis=0))
            aims.append(aim - aim.mean())
    if not rows:
        raise ValueError("weights are fitted on questions with two candidates at least")
    found, _ = nnls(np.concatenate(rows), np.concatenate(aims))
    return Features(*(float(weight) for weight in found))
