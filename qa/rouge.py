"""ROUGE: how much of a reference text another text repeats (Lin 2004).

ROUGE-N counts n-grams, ROUGE-L the longest common subsequence. The figures are those of the Python
package rouge-score without its stemmer; its tokenizer knows ASCII alone, ours every script.
"""

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

from rapidfuzz.distance import LCSseq

from kg.text.words import HAN

_NOT_IN_REFERENCE: Final = chr(sys.maxunicode)
_ASCII_TOKEN: Final = re.compile("[a-z0-9]+")
_TOKEN: Final = re.compile(rf"[{HAN}]|(?:(?![{HAN}])[^\W_])+")


class Overlap(NamedTuple):
    """Shares in [0, 1]; all are 0 where one of the texts has no token."""

    precision: float
    """Of the candidate's units, those that the reference has too."""
    recall: float
    """Of the reference's units, those that the candidate has too."""
    f1: float
    """Their harmonic mean, 2pr / (p + r)."""


class Rouge(NamedTuple):
    """The three figures of one candidate."""

    rouge1: Overlap
    rouge2: Overlap
    rouge_l: Overlap


def tokens(text: str) -> list[str]:
    """Words of letters and digits, in lower case, and every Han character by itself.

    Compatibility forms are made plain first (NFKC: full width is ASCII). Of ASCII text these are the
    tokens of rouge-score.
    """
    if text.isascii():
        return _ASCII_TOKEN.findall(text.lower())
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())


def rouge_n(reference: Sequence[str], candidate: Sequence[str], n: int) -> Overlap:
    """ROUGE-N: n-grams in common, each as often as both texts have it (Lin 2004, section 2).

    Args:
        reference: tokens.
        candidate: tokens.
        n: tokens in an n-gram.

    Raises:
        ValueError: ``n`` is below 1.
    """
    if n < 1:
        raise ValueError(f"n is {n}; an n-gram has at least one token")
    reference_ngrams, candidate_ngrams = _ngrams(reference, n), _ngrams(candidate, n)
    return _overlap(
        (reference_ngrams & candidate_ngrams).total(),
        reference_ngrams.total(),
        candidate_ngrams.total(),
    )


def rouge_l(reference: Sequence[str], candidate: Sequence[str]) -> Overlap:
    """ROUGE-L: the longest common subsequence, gaps allowed (Lin 2004, section 3.1, beta 1).

    Args:
        reference: tokens.
        candidate: tokens.
    """
    return Reference.of(reference).rouge_l(candidate)


def rouge(reference: str, candidate: str) -> Rouge:
    """ROUGE-1, ROUGE-2 and ROUGE-L of two texts."""
    reference_tokens, candidate_tokens = tokens(reference), tokens(candidate)
    return Rouge(
        rouge_n(reference_tokens, candidate_tokens, 1),
        rouge_n(reference_tokens, candidate_tokens, 2),
        rouge_l(reference_tokens, candidate_tokens),
    )


@dataclass(frozen=True)
class Reference:
    """A reference that many candidates are compared with."""

    _letters: dict[str, str]
    """A character for each token, by which texts of characters are compared, not lists of words."""
    _text: str

    @classmethod
    def of(cls, reference: Sequence[str]) -> Self:
        """Of its tokens."""
        letters = {token: chr(number) for number, token in enumerate(dict.fromkeys(reference))}
        return cls(letters, "".join([letters[token] for token in reference]))

    def rouge_l(self, candidate: Sequence[str]) -> Overlap:
        """ROUGE-L of a candidate's tokens with the reference, as the function of that name."""
        text = "".join([self._letters.get(token, _NOT_IN_REFERENCE) for token in candidate])
        return _overlap(LCSseq.similarity(self._text, text), len(self._text), len(text))


def _ngrams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(words[start:] for start in range(n)), strict=False))


def _overlap(common: int, of_reference: int, of_candidate: int) -> Overlap:
    if not common:
        return Overlap(0.0, 0.0, 0.0)
    precision, recall = common / of_candidate, common / of_reference
    return Overlap(precision, recall, 2 * precision * recall / (precision + recall))
