"""How alike two texts are in meaning, by the vectors of an encoder."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kg.errors import ModelError
from qa.models import load_model

if TYPE_CHECKING:
    from torch import Tensor

Vectors = npt.NDArray[np.float32]
Encode = Callable[[Sequence[str]], Vectors]
"""Texts to their vectors, shape (texts, dimension)."""

_STS_SCALE: Final = 5.0
_BATCH: Final = 32


class Match(NamedTuple):
    """BERTScore of one candidate: at most 1, for a text and itself; all are 0 where one is empty."""

    precision: float
    """Mean over the candidate's tokens of the cosine with the likest token of the reference."""
    recall: float
    """The same over the reference's tokens."""
    f1: float


def sts(references: Sequence[str], candidates: Sequence[str], encode: Encode) -> list[float]:
    """Semantic textual similarity: cosine of the texts' vectors times 5 (the paper's table D2).

    Args:
        references: texts.
        candidates: as many texts.
        encode: an encoder of sentences.

    Returns:
        One score a pair, in [-5, 5]; nan where a vector is all zeros.

    Raises:
        ValueError: there are not as many candidates as references.
    """
    _check(references, candidates)
    if not references:
        return []
    candidate_vectors, reference_vectors = encode(candidates), encode(references)
    lengths = np.linalg.norm(candidate_vectors, axis=1) * np.linalg.norm(reference_vectors, axis=1)
    with np.errstate(invalid="ignore"):
        cosines = np.einsum("ij,ij->i", candidate_vectors, reference_vectors) / lengths
    return [_STS_SCALE * float(cosine) for cosine in cosines]


class BertScore:
    """BERTScore (Zhang et al. 2020, section 3): greedy matching of tokens, each with equal weight.

    Inverse document frequencies and rescaling with a baseline are left out, as in the paper.
    """

    def __init__(self, model: str, layer: int | None = None) -> None:
        """Load an encoder.

        Args:
            model: path, or name of a model on this machine.
            layer: the layer whose vectors are compared, 1 the first; None: the last. Published
                figures are of layer 17 of ``roberta-large`` for English.

        Raises:
            ModelError: it is not on this machine, cannot be loaded, or has no such layer.
        """
        folder, self._tokenizer, loaded, self._device = load_model(
            model, "to compare answers by BERTScore", "AutoModel"
        )
        self._model = loaded.get_encoder() if loaded.config.is_encoder_decoder else loaded
        layers = int(loaded.config.num_hidden_layers)
        if layer is not None and not 1 <= layer <= layers:
            raise ModelError(f"{folder}: it has no layer {layer}; choose one of 1 to {layers}")
        self.model, self.layer = model, layers if layer is None else layer
        limit = int(self._tokenizer.model_max_length)
        self._limit = min(limit, int(getattr(loaded.config, "max_position_embeddings", limit)))

    def scores(self, references: Sequence[str], candidates: Sequence[str]) -> list[Match]:
        """One score a pair; a text longer than the model reads is compared by its beginning.

        Raises:
            ValueError: there are not as many candidates as references.
        """
        _check(references, candidates)
        encoded = self._encoded(sorted({*references, *candidates}, key=len))
        return [
            _match(encoded[reference], encoded[candidate])
            for reference, candidate in zip(references, candidates, strict=True)
        ]

    def _encoded(self, texts: Sequence[str]) -> dict[str, "tuple[Tensor, Tensor]"]:
        """Of each text the unit vectors of its tokens, and which of these are no special ones."""
        import torch  # noqa: PLC0415

        encoded = {}
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            inputs = self._tokenizer(
                [text.strip() for text in batch],
                padding=True,
                truncation=True,
                max_length=self._limit,
                return_special_tokens_mask=True,
                return_tensors="pt",
            ).to(self._device)
            special_masks = inputs.pop("special_tokens_mask").bool()
            with torch.inference_mode():
                states = self._model(**inputs, output_hidden_states=True).hidden_states[self.layer]
            units = torch.nn.functional.normalize(states, dim=-1).cpu()
            for text, mask, is_special, vectors in zip(
                batch,
                inputs["attention_mask"].bool().cpu(),
                special_masks.cpu(),
                units,
                strict=True,
            ):
                encoded[text] = vectors[mask], ~is_special[mask]
        return encoded


def _match(reference: "tuple[Tensor, Tensor]", candidate: "tuple[Tensor, Tensor]") -> Match:
    """A token may be likest to a special one of the other text, but special ones do not count."""
    (reference_vectors, reference_counts), (candidate_vectors, candidate_counts) = (
        reference,
        candidate,
    )
    if not (reference_counts.any() and candidate_counts.any()):
        return Match(0.0, 0.0, 0.0)
    cosines = candidate_vectors @ reference_vectors.T
    precision = float(cosines.max(dim=1).values[candidate_counts].mean())
    recall = float(cosines.max(dim=0).values[reference_counts].mean())
    sum_of_both = precision + recall
    return Match(precision, recall, 2 * precision * recall / sum_of_both if sum_of_both else 0.0)


def _check(references: Sequence[str], candidates: Sequence[str]) -> None:
    if len(references) != len(candidates):
        raise ValueError(f"{len(references)} references, but {len(candidates)} candidates")
