"""How good answers are beside the gold ones, by every metric for which there is a model."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kg.progress import Silent
from kg.text.sentences import sentences
from qa.answer import LISTED
from qa.evaluation.cases import Case
from qa.evaluation.questions import GoldQuestion
from qa.evaluation.systems import GRAPH, Reply
from qa.index.models import SentenceModel
from qa.index.vectors import EncodingFolder, checksum
from qa.metrics.contradiction import (
    THRESHOLD,
    Entailment,
    Threshold,
    fitted_threshold,
    planted,
)
from qa.metrics.readability import readability, words
from qa.metrics.similarity import BertScore, sts
from qa.rouge import rouge
from qa.selection import padded

_PLANTED: Final = 200
"""Gold answers that contradictions are planted in."""
_RIGHT: Final = 0.5
"""Share of the names that the graph lists which the gold answer has, for the whole grade."""


class Scores(NamedTuple):
    """Of one answer; None where it was not measured, or is not defined."""

    rouge1: float
    """F1, as of the next two."""
    rouge2: float
    rouge_l: float
    sts: float | None
    """In [-5, 5]."""
    bertscore: float | None
    """F1."""
    ease: float | None
    """Flesch reading ease."""
    grade: float | None
    """Flesch-Kincaid grade."""
    words: int
    contradicts: int | None
    """Pairs of a sentence with one of the gold answer that contradict each other with a probability
    of .95 at least (appendix E)."""
    contradicts_tuned: int | None
    """The same from the probability on that separates planted contradictions best."""
    about: bool | None
    """Whether the document it was made from is about the thing that the question names; None: it
    was made from none, or the graph does not know the thing."""
    marked: float | None
    """Of the graph's own answer (appendix F1): 1 where the gold answer has at least half of the
    names in it, .5 where it has one, 0 where it has none or there is no answer."""


@dataclass(frozen=True)
class Judges:
    """The models that metrics take; without one its metric is not measured."""

    work: Path
    """Folder for vectors, which are computed once."""
    encoder: SentenceModel | None = None
    bert: BertScore | None = None
    entailment: Entailment | None = None
    threshold: Threshold | None = None
    """Of the entailment, fitted on planted contradictions."""

    def vectors(self, texts: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        """Of each text, of length 1; none without an encoder.

        Raises:
            ModelError: the encoder cannot be used.
        """
        if self._vectors is None:
            return {}
        contents = {checksum(text): text for text in texts}
        encoded = self._vectors.encode(contents, Silent())
        return {text: encoded[key] for key, text in contents.items()}

    @cached_property
    def _vectors(self) -> EncodingFolder | None:
        return (
            None if self.encoder is None else EncodingFolder(self.work / "vectors", self.encoder)
        )


def scores(
    questions: Sequence[GoldQuestion],
    cases: Sequence[Case],
    answers: Sequence[Sequence[Reply]],
    vectors: Mapping[str, npt.NDArray[np.float32]],
    judges: Judges,
) -> list[dict[str, Scores]]:
    """The scores of all replies, by system, for each question; an empty answer has 0 of all.

    Args:
        questions: with the gold answers.
        cases: what was found for them.
        answers: to each question those of all systems.
        vectors: of all gold answers and replies, where there is an encoder.
        judges: the models.
    """
    pairs = list(
        dict.fromkeys(
            (question.answer, reply.text)
            for question, own_replies in zip(questions, answers, strict=True)
            for reply in own_replies
            if reply.text
        )
    )
    golds, texts = [gold for gold, _ in pairs], [text for _, text in pairs]
    similarity_of: Mapping[tuple[str, str], float] = {}
    if vectors:
        similarities = sts(golds, texts, lambda batch: np.stack([vectors[each] for each in batch]))
        similarity_of = dict(zip(pairs, similarities, strict=True))
    bertscore_of: Mapping[tuple[str, str], float] = {}
    if judges.bert is not None:
        matches = judges.bert.scores(golds, texts)
        bertscore_of = {pair: match.f1 for pair, match in zip(pairs, matches, strict=True)}
    return [
        {
            reply.system: _scores(
                question,
                case,
                reply,
                similarity_of=similarity_of,
                bertscore_of=bertscore_of,
                judges=judges,
            )
            for reply in own_replies
        }
        for question, case, own_replies in zip(questions, cases, answers, strict=True)
    ]


def _scores(
    question: GoldQuestion,
    case: Case,
    reply: Reply,
    *,
    similarity_of: Mapping[tuple[str, str], float],
    bertscore_of: Mapping[tuple[str, str], float],
    judges: Judges,
) -> Scores:
    pair = (question.answer, reply.text)
    overlap, reading = rouge(*pair), readability(reply.text)
    contradicts, tuned = _contradictions(*pair, judges)
    return Scores(
        overlap.rouge1.f1,
        overlap.rouge2.f1,
        overlap.rouge_l.f1,
        _finite(similarity_of.get(pair, 0.0)) if similarity_of else None,
        bertscore_of.get(pair, 0.0) if bertscore_of else None,
        _finite(reading.ease),
        _finite(reading.grade),
        len(words(reply.text)),
        contradicts,
        tuned,
        _about(case, reply),
        _mark_of_graph(question, case, reply),
    )


def _contradictions(gold: str, answer: str, judges: Judges) -> tuple[int | None, int | None]:
    """How many there are from the paper's probability on, and from the fitted one on."""
    if judges.entailment is None:
        return None, None
    fitted = judges.threshold.value if judges.threshold else None
    least = min(THRESHOLD, THRESHOLD if fitted is None else fitted)
    probabilities = [
        each.probability for each in judges.entailment.contradictions(gold, answer, least)
    ]
    tuned = None if fitted is None else sum(each >= fitted for each in probabilities)
    return sum(each >= THRESHOLD for each in probabilities), tuned


def planted_threshold(
    questions: Sequence[GoldQuestion], entailment: Entailment
) -> Threshold | None:
    """The probability that best separates planted contradictions in gold answers from their sentences.

    Of each gold answer the first sentence that can be negated is taken: its negation contradicts
    it, it does not contradict itself, nor does the sentence after it.

    Returns:
        None where no sentence can be negated.
    """
    pairs: list[tuple[str, str]] = []
    flags: list[bool] = []
    for question in questions[:_PLANTED]:
        spans = sentences(question.answer)
        sentence_texts = [question.answer[start:end] for start, end in spans]
        place = next((place for place, each in enumerate(sentence_texts) if planted(each)), None)
        if place is None:
            continue
        next_sentence = sentence_texts[place + 1 : place + 2]
        pairs += [
            (sentence_texts[place], planted(sentence_texts[place]) or ""),
            (sentence_texts[place], sentence_texts[place]),
        ]
        pairs += [(sentence_texts[place], each) for each in next_sentence]
        flags += [True, False, *(False for _ in next_sentence)]
    return fitted_threshold(entailment.probabilities(pairs), flags) if pairs else None


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _about(case: Case, reply: Reply) -> bool | None:
    if reply.title is None or not case.asked.things:
        return None
    title = padded(reply.title)
    return any(padded(name) in title for name in case.asked.things)


def _mark_of_graph(question: GoldQuestion, case: Case, reply: Reply) -> float | None:
    if reply.system != GRAPH:
        return None
    gold = padded(question.answer)
    listed = case.asked.facts[:LISTED]
    names_in_gold = sum(any(padded(name) in gold for name in fact.names) for fact in listed)
    if not names_in_gold:
        return 0.0
    return 1.0 if names_in_gold / len(listed) >= _RIGHT else 0.5
