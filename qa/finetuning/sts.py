"""How well the cosine of two sentences agrees with people's judgement of how alike they are.

The measure of the joint-reasoning paper's appendix F2, on pairs as the STS Benchmark has them
(Cer et al. 2017, SemEval-2017 task 1).
"""

import csv
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import AliasChoices, BaseModel, Field, ValidationError

from kg.errors import RetrievalError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

FEWEST: Final = 3
"""Pairs without which a correlation says nothing."""

Sentence = Annotated[str, Field(min_length=1)]


class JudgedPair(BaseModel, frozen=True):
    """Two sentences, and how alike people find them."""

    sentence1: Sentence
    sentence2: Sentence
    label: Annotated[
        float,
        Field(validation_alias=AliasChoices("label", "score", "similarity"), allow_inf_nan=False),
    ]
    """From 0 to 5 in the STS Benchmark; any scale will do, larger is more alike."""


class Agreement(BaseModel, frozen=True, extra="forbid"):
    """Correlation of the cosines with the labels, each in [-1, 1]; higher is better."""

    pairs: int
    pearson: float
    spearman: float


def read_judged(path: Path) -> list[JudgedPair]:
    """Pairs from a file with columns ``sentence1``, ``sentence2`` and ``label`` (or ``score``).

    Args:
        path: ``.csv``, ``.tsv`` (without quoting, as GLUE has it), ``.jsonl`` or ``.parquet``.

    Raises:
        RetrievalError: the file is none of these, or a row is not whole; the message names it.
    """
    readers = {".csv": _csv, ".tsv": _tsv, ".jsonl": _jsonl, ".parquet": _parquet}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise RetrievalError(
            f"{path}: its name does not end in {', '.join(readers)}; name it after its format"
        )
    try:
        rows = reader(path)
    except FileNotFoundError as e:
        raise RetrievalError(
            f"{path}: there is no such file; give one of sentence pairs with labels, such as that "
            "of the STS Benchmark"
        ) from e
    except (OSError, ValueError, csv.Error, pa.ArrowException) as e:
        problem = " ".join(str(e).split())
        raise RetrievalError(f"{path}: cannot be read ({problem}); check its format") from e
    pairs = []
    for number, row in rows:
        try:
            pairs.append(JudgedPair.model_validate(row))
        except ValidationError as e:
            error = e.errors()[0]
            field = ".".join(map(str, error["loc"])) or "row"
            raise RetrievalError(
                f"{path}, row {number}: {field}: {error['msg'].lower()}; give each pair a "
                "'sentence1', a 'sentence2' and a number as 'label'"
            ) from e
    if len(pairs) < FEWEST:
        raise RetrievalError(
            f"{path}: has {len(pairs)} pairs, too few for a correlation; give at least {FEWEST}"
        )
    return pairs


def agreement(encoder: "SentenceTransformer", pairs: Sequence[JudgedPair]) -> Agreement:
    """Correlate an encoder's cosines with the labels.

    Args:
        encoder: of any sentence-transformers model.
        pairs: at least ``FEWEST``.

    Raises:
        RetrievalError: all cosines or all labels are the same, so nothing correlates with them.
    """
    first_vectors, second_vectors = (
        encoder.encode(texts, normalize_embeddings=True, show_progress_bar=False)
        for texts in ([j.sentence1 for j in pairs], [j.sentence2 for j in pairs])
    )
    cosines = np.sum(np.asarray(first_vectors, np.float64) * second_vectors, axis=1)
    labels = np.array([j.label for j in pairs])
    return correlate(cosines, labels)


def correlate(cosines: np.ndarray[Any, np.dtype[np.float64]], labels: Any) -> Agreement:  # noqa: ANN401
    """Pearson's and Spearman's correlation; equal values share the mean of their ranks.

    Args:
        cosines: shape (pairs,).
        labels: shape (pairs,).

    Raises:
        RetrievalError: one of them has a single value.
    """
    from scipy.stats import pearsonr, rankdata  # noqa: PLC0415 - slow to import

    if np.ptp(cosines) == 0 or np.ptp(labels) == 0:
        constant = "cosines" if np.ptp(cosines) == 0 else "labels"
        raise RetrievalError(
            f"all {constant} of the {len(cosines)} pairs are the same number, with which nothing "
            "correlates; give pairs that differ"
        )
    pearson = float(pearsonr(cosines, labels).statistic)
    spearman = float(pearsonr(rankdata(cosines), rankdata(labels)).statistic)
    if not math.isfinite(pearson):
        raise RetrievalError("the encoder gives vectors that are no numbers; use another one")
    return Agreement(pairs=len(cosines), pearson=pearson, spearman=spearman)


def _csv(path: Path) -> list[tuple[int, dict[str, Any]]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(enumerate(csv.DictReader(file), 1))


def _tsv(path: Path) -> list[tuple[int, dict[str, Any]]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(enumerate(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE), 1))


def _jsonl(path: Path) -> list[tuple[int, dict[str, Any]]]:
    lines = path.read_text("utf-8-sig").split("\n")
    return [(at, json.loads(line)) for at, line in enumerate(lines, 1) if line.strip()]


def _parquet(path: Path) -> list[tuple[int, dict[str, Any]]]:
    return list(enumerate(pq.read_table(path).to_pylist(), 1))
