"""Encoders of texts by name, for how alike a patient speaks.

The paper of MedKGEval compares vectors of BGE-M3. Whoever has that model, or another of
sentence-transformers, names it; ``words`` needs no model: it compares which words two texts have.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from evalsim.statistics.bootstrap import FloatArray
from kg.text.words import HAN
from qa.index.models import SentenceModel

Encoder = Callable[[Sequence[str]], FloatArray]
"""Texts to vectors of length 1, shape (texts, dimensions); only those of one call are compared."""
WORDS: Final = "words"
PUBLISHED: Final = "BAAI/bge-m3"
"""The encoder of the paper's tables 4 and 9."""
_WORD: Final = re.compile(rf"[{HAN}]|[^\W{HAN}]+")


@dataclass(frozen=True)
class NamedEncoder:
    """An encoder with the name that stands beside its figures."""

    name: str
    encode: Encoder

    @property
    def published(self) -> bool:
        """Whether it is the paper's, so that figures can be set beside those of the paper."""
        return self.name == PUBLISHED


def find_encoder(name: str) -> NamedEncoder:
    """The encoder of a name.

    Args:
        name: ``words``, or a model of sentence-transformers that is on this machine, as
            ``qa.models.find_model`` takes it (``multilingual`` is the paper's BGE-M3).

    Raises:
        ModelError: it is not on this machine, or its folder is no model.
    """
    if name == WORDS:
        return NamedEncoder(WORDS, word_counts)
    model = SentenceModel.find(name)
    return NamedEncoder(model.name, lambda texts: model.of_texts(texts).astype(np.float64))


def word_counts(texts: Sequence[str]) -> FloatArray:
    """How often each text has each word, a Han character being one, as vectors of length 1.

    Args:
        texts: each with a word at least.
    """
    counts = [Counter(_WORD.findall(text.lower())) for text in texts]
    places = {
        word: place
        for place, word in enumerate(dict.fromkeys(w for counter in counts for w in counter))
    }
    vectors = np.zeros((len(texts), len(places)))
    for row, counter in zip(vectors, counts, strict=True):
        row[[places[word] for word in counter]] = list(counter.values())
    lengths: FloatArray = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / lengths
