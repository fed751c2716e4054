"""The weight of vectors in a hybrid search: fitted on some diseases, measured on others."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from kg.progress import Progress
from qa.index.bm25 import BM25, Tokens
from qa.index.fusion import HALF, STEPS, Ranked, best_weight, fuse
from qa.index.index import FUSED
from qa.index.tokens import Tokenizer
from tests.experiments.retrieval.run import Asked, encode

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

CUT: Final = 10
"""Rank beyond which a passage counts as not found."""
FOUND: Final = 5
"""Of recall."""
_SHOWN: Final = ("recall", "mrr")

_HEAD = """\
## Both searches together

A hybrid search fuses the ranks by BM25 and by the untuned encoder (100 passages of each), the vectors
weighted by w: 0 is BM25 alone, 1 the vectors alone. w was chosen on questions about {dev:,} diseases that
are not among those of the test, by the mean reciprocal rank ({cut} passages) of MedQuAD's questions and of
the reworded ones together (the wordings are those of the test, the diseases are not): **{weight:g}**, which
is what an index has unless it is given another (`qa.index.fusion.VECTOR_WEIGHT`).

"""


def fit(
    encoder: "SentenceTransformer",
    dev: Sequence[Asked],
    test: Sequence[Asked],
    cache: Path,
    progress: Progress,
    *,
    numbers: str,
) -> dict[str, Any]:
    """The weight chosen on some questions, with the figures of all weights there, and on others.

    Args:
        encoder: of the vectors.
        dev: sets of questions that the weight is chosen by; empty ones are left out.
        test: those that are asked with the weights 0, one half, 1 and the chosen one alone.
        cache: folder of vectors.
        progress: shown meanwhile.
        numbers: in which vectors are computed: float32, or bfloat16.
    """
    if numbers == "bfloat16":
        encoder = encoder.bfloat16()
    asked = {
        each.name: _rankings(encoder, each, cache, progress) for each in dev if each.questions
    }
    weight = best_weight([one for each in asked.values() for one in each], CUT)
    every = [step / STEPS for step in range(STEPS + 1)]
    held_out = {each.name: _rankings(encoder, each, cache, progress) for each in test}
    few = sorted({0.0, HALF, weight, 1.0})
    return {
        "weight": weight,
        "dev": {name: _by_weight(each, every) for name, each in asked.items()},
        "test": {name: _by_weight(each, few) for name, each in held_out.items()},
    }


def table(found: Mapping[str, Any], diseases: int) -> Iterator[str]:
    """The section of the page, as lines of Markdown."""
    yield _HEAD.format(dev=diseases, cut=CUT, weight=found["weight"])
    for part, said in (
        ("dev", "Choosing w"),
        ("test", "The test, at w and at those of no choice"),
    ):
        names = list(found[part])
        count = {name: rows[0]["questions"] for name, rows in found[part].items()}
        yield f"{said}: {', '.join(f'{count[name]:,} {name}' for name in names)}."
        yield ""
        yield f"| w | {' | '.join(f'{name}: recall@{FOUND} | MRR@{CUT}' for name in names)} |"
        yield f"| --: |{' --: |' * 2 * len(names)}"
        for rows in zip(*found[part].values(), strict=True):
            weight = rows[0]["weight"]
            cells = [f"{weight:g}", *(f"{row[key]:.3f}" for row in rows for key in _SHOWN)]
            if weight == found["weight"]:
                cells = [f"**{cell}**" for cell in cells]
            yield f"| {' | '.join(cells)} |"
        yield ""


Question = tuple[Ranked, Ranked, frozenset[int]]
"""Its passages by vectors, by words, and the one that it was written for."""


def _rankings(
    encoder: "SentenceTransformer", asked: Asked, cache: Path, progress: Progress
) -> list[Question]:
    vectors = encode(encoder, asked.passages, cache, progress)
    questions = encode(encoder, asked.questions, cache, progress)
    cut = Tokenizer()
    with TemporaryDirectory() as folder:
        Tokens.of([cut(each) for each in asked.passages]).write(Path(folder))
        bm25 = BM25(Path(folder))
        return [
            (
                _best(vectors @ question),
                _best(bm25.scores(cut(text), len(asked.passages)), positive=True),
                frozenset({own}),
            )
            for text, question, own in zip(asked.questions, questions, asked.own, strict=True)
        ]


def _best(scores: np.ndarray[Any, Any], *, positive: bool = False) -> Ranked:
    """The best of scores, ties in the order of the rows."""
    rows = np.argsort(-scores, kind="stable")[:FUSED]
    return [(row, float(scores[row])) for row in rows.tolist() if not positive or scores[row] > 0]


def _by_weight(asked: Sequence[Question], weights: Sequence[float]) -> list[dict[str, float]]:
    rows = []
    for weight in weights:
        ranks = [_rank(each, weight) for each in asked]
        found = [rank for rank in ranks if rank is not None]
        rows.append(
            {
                "weight": weight,
                "questions": len(asked),
                "recall": sum(rank <= FOUND for rank in found) / len(asked),
                "mrr": sum(1 / rank for rank in found) / len(asked),
            }
        )
    return rows


def _rank(asked: Question, weight: float) -> int | None:
    """Of the passage sought; None: it is not found."""
    vectors, words, right = asked
    rows = [row for row, _ in fuse(vectors, words, weight)[:CUT]]
    return next((rank for rank, row in enumerate(rows, 1) if row in right), None)
