"""Contradictions between an answer and a gold answer, by entailment of sentences (paper, appendix E)."""

import re
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kg.errors import ModelError
from kg.text.sentences import sentences
from qa.models import load_model

THRESHOLD: Final = 0.95
"""The paper's: two sentences contradict each other from this probability on."""
_LABEL: Final = "contradiction"
_BATCH: Final = 32
_AUXILIARY: Final = re.compile(
    r"\b(is|are|was|were|can|should|must|will|does|do)( not\b|not\b)?", re.IGNORECASE
)


class Contradiction(NamedTuple):
    """Two sentences that cannot both be true."""

    gold: str
    answer: str
    probability: float


class Threshold(NamedTuple):
    """From which probability on sentences count as contradicting, and how well that separates them."""

    value: float
    precision: float
    recall: float
    f1: float


class Entailment:
    """A model of natural language inference: does one sentence contradict another?"""

    def __init__(self, model: str) -> None:
        """Load a classifier of sentence pairs, e.g. ``roberta-large-mnli``.

        Args:
            model: path, or name of a model on this machine.

        Raises:
            ModelError: it is not on this machine, cannot be loaded, or none of its labels is
                "contradiction".
        """
        folder, self._tokenizer, self._model, self._device = load_model(
            model, "to find contradictions", "AutoModelForSequenceClassification"
        )
        labels = {int(at): str(label) for at, label in self._model.config.id2label.items()}
        places = [at for at, label in labels.items() if label.casefold() == _LABEL]
        if len(places) != 1:
            raise ModelError(
                f"{folder}: its labels are {', '.join(labels.values())}; finding contradictions "
                f"takes a model of entailment with a label '{_LABEL}'"
            )
        self.model, self._at = model, places[0]

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float64]:
        """That the second sentence of each pair contradicts the first, shape (pairs,)."""
        import torch  # noqa: PLC0415

        shares_of_batches = [np.zeros(0)]
        for start in range(0, len(pairs), _BATCH):
            premises, hypotheses = zip(*pairs[start : start + _BATCH], strict=True)
            inputs = self._tokenizer(
                list(premises),
                list(hypotheses),
                padding=True,
                truncation=True,
                return_tensors="pt",
            ).to(self._device)
            with torch.inference_mode():
                shares = self._model(**inputs).logits.double().softmax(dim=-1)
            shares_of_batches.append(shares[:, self._at].cpu().numpy())
        return np.concatenate(shares_of_batches)

    def contradictions(
        self, gold: str, answer: str, threshold: float = THRESHOLD
    ) -> list[Contradiction]:
        """Every sentence of the answer that contradicts one of the gold answer, surest first."""
        pairs = list(product(_sentences(gold), _sentences(answer)))
        contradictions_found = [
            Contradiction(*pair, float(probability))
            for pair, probability in zip(pairs, self.probabilities(pairs), strict=True)
            if probability >= threshold
        ]
        return sorted(contradictions_found, key=lambda contradiction: -contradiction.probability)


def planted(sentence: str) -> str | None:
    """The sentence with its first auxiliary verb negated, or its negation taken out.

    Contradictions whose place is known show from which probability on a model finds them. None:
    it has no such verb. ``may`` and ``might`` are left alone: their negation contradicts nothing.
    """
    match = _AUXILIARY.search(sentence)
    if match is None:
        return None
    negation = "" if match[2] else " not"
    return f"{sentence[: match.end(1)]}{negation}{sentence[match.end() :]}"


def fitted_threshold(
    probabilities: Sequence[float] | npt.NDArray[np.float64], contradict: Sequence[bool]
) -> Threshold:
    """The threshold with the best F1 on pairs of which it is known; of equals the strictest.

    Args:
        probabilities: of each pair.
        contradict: whether its sentences do.

    Raises:
        ValueError: no pair contradicts, or there are not as many pairs in both.
    """
    if len(probabilities) != len(contradict) or not any(contradict):
        raise ValueError("a threshold is fitted on pairs of which at least one contradicts")
    truth = np.asarray(contradict, dtype=bool)
    values = np.asarray(probabilities, dtype=float)
    return max(_thresholds(values, truth), key=lambda threshold: (threshold.f1, threshold.value))


def _thresholds(
    values: npt.NDArray[np.float64], truth: npt.NDArray[np.bool_]
) -> Iterable[Threshold]:
    for value in np.unique(values):
        predicted = values >= value
        true_positives = int((predicted & truth).sum())
        precision, recall = (
            true_positives / int(predicted.sum()),
            true_positives / int(truth.sum()),
        )
        f1 = 2 * precision * recall / (precision + recall) if true_positives else 0.0
        yield Threshold(float(value), precision, recall, f1)


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]
