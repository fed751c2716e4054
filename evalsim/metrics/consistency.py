"""How alike a patient speaks: about one disease to different doctors, and to the same prompt.

Equation 1 of MedKGEval, section 5.1: the mean cosine of all pairs of the patient's queries about one
disease, averaged over diseases; table 4 has it for consultations on drugs and for diagnoses apart. Table
9 (appendix C.1) is of replies to the same prompt: the groups are prompts. Both want patients that are
called anew: a reply that was kept and given again is alike by itself.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from evalsim.case import Task
from evalsim.metrics.encoders import Encoder
from evalsim.metrics.scores import Played
from evalsim.statistics import Interval, bootstrap_mean
from evalsim.statistics.bootstrap import FloatArray

_LENGTH: Final = 1e-3
"""By which a vector's length may differ from 1; half precision rounds so."""


@dataclass(frozen=True)
class Consistency:
    """How alike texts of one group are, over groups."""

    mean: Interval
    """Cosine in [-1, 1], every group alike; interval by whole groups. nan where there is no group."""
    sd: float
    """Between groups; nan for fewer than two."""
    groups: int
    """With two texts at least."""
    left_out: int
    """Groups with fewer."""
    texts: int
    """Of the groups that count."""
    empty: int
    """Texts without a word, which have no vector and are left out."""


def consistency(
    groups: Mapping[str, Sequence[str]], encode: Encoder, *, seed: int = 0
) -> Consistency:
    """Mean over groups of the mean cosine of all pairs of texts of a group (equation 1).

    Args:
        groups: by name, texts that are to be alike.
        encode: gives texts' vectors.
        seed: of the bootstrap.

    Raises:
        ValueError: the encoder gives other than one vector of length 1 for each text.
    """
    texts_with_words = {
        name: [text for text in texts if re.search(r"\w", text)] for name, texts in groups.items()
    }
    empty = sum(map(len, groups.values())) - sum(map(len, texts_with_words.values()))
    usable = {name: texts for name, texts in texts_with_words.items() if len(texts) > 1}
    left_out = len(groups) - len(usable)
    if not usable:
        undefined = Interval(math.nan, math.nan, math.nan)
        return Consistency(undefined, math.nan, 0, left_out, 0, empty)
    means = [_mean_cosine(_encoded(texts, encode)) for texts in usable.values()]
    return Consistency(
        bootstrap_mean(means, [*usable], seed=seed),
        float(np.std(means, ddof=1)) if len(means) > 1 else math.nan,
        len(means),
        left_out,
        sum(map(len, usable.values())),
        empty,
    )


def patient_consistency(
    played: Iterable[Played], task: Task, encode: Encoder, *, seed: int = 0
) -> Consistency:
    """Equation 1: all that the patient says about one disease or drug, across doctors (table 4).

    Args:
        played: dialogues of one patient and language, of several doctors.
        task: whose dialogues count.
        encode: gives texts' vectors.
        seed: of the bootstrap.

    Raises:
        ValueError: as ``consistency`` says.
    """
    queries: dict[str, list[str]] = {}
    for each in played:
        if each.dialogue.task == task:
            utterances = (turn.patient for turn in each.dialogue.turns)
            queries.setdefault(each.target, []).extend(utterances)
    return consistency(queries, encode, seed=seed)


def _encoded(texts: Sequence[str], encode: Encoder) -> FloatArray:
    """Vectors of the texts of a group, checked."""
    vectors = np.asarray(encode(texts), dtype=float)
    if vectors.ndim != 2 or len(vectors) != len(texts):  # noqa: PLR2004 - a table
        raise ValueError(f"the encoder gave shape {vectors.shape} for {len(texts)} texts")
    if not (np.abs(np.linalg.norm(vectors, axis=1) - 1) < _LENGTH).all():
        raise ValueError("the encoder gave a vector whose length is not 1; normalise its rows")
    return vectors


def _mean_cosine(vectors: FloatArray) -> float:
    """Of all pairs of rows: what the squared length of their sum has beyond their own."""
    n = len(vectors)
    own_squares = float((vectors**2).sum())
    return (float((vectors.sum(axis=0) ** 2).sum()) - own_squares) / (n * (n - 1))
