"""Candidates of whole sentences from the passages that were found; no model is needed."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from kg.text.sentences import sentences
from qa.generation.candidates import (
    AVERAGE_WORDS,
    MOST_WORDS,
    Candidate,
    Context,
    Documents,
    Sentence,
)
from qa.index.records import Hit
from qa.metrics.readability import words
from qa.rouge import tokens

Span = tuple[int, int]
"""Start and end of a sentence in its text."""
EXTRACTIVE: Final = "extractive"
"""What this generator is called where one is chosen by name."""
_LETTER: Final = re.compile(r"[^\W\d_]")
_ASKING: Final = ("?", "？")
"""What a sentence that asks ends with: often the heading of what follows, never an answer."""


class Run(NamedTuple):
    """Sentences one after the other, by their numbers."""

    first: int
    last: int


@dataclass(frozen=True)
class Extractive:
    """Quotes the passage, and what stands beside it in its document, up to a usual length."""

    average: int = AVERAGE_WORDS
    """Words that an answer has, if its document has as many."""
    most: int = MOST_WORDS
    """Words that none exceeds; a longer sentence is never quoted."""

    def candidates(
        self, question: str, hits: Sequence[Hit], documents: Documents
    ) -> list[Candidate]:
        """One candidate for each hit whose document has a sentence that is short enough.

        It is the sentences of the passage, without those that ask. Of a longer passage it is the run
        of sentences that has most of the question's words, each weighted by how few of the
        document's sentences have it. To a shorter one the sentences behind it are added, then those
        before it, until the candidate has the average length.
        """
        candidates = []
        for hit in hits:
            context = Context.of(hit, documents)
            spans = self._chosen_spans(question, context)
            if spans:
                candidates.append(_candidate(hit, context, spans))
        return candidates

    def _chosen_spans(self, question: str, context: Context) -> list[Span]:
        text = context.document.text
        sized_spans = [(span, len(words(text[slice(*span)]))) for span in sentences(text)]
        usable = [
            (span, size)
            for span, size in sized_spans
            if 0 < size <= self.most and not text[slice(*span)].endswith(_ASKING)
            if _LETTER.search(text, *span)  # 80%, which a form has under "cure rate"
        ]
        spans, sizes = [span for span, _ in usable], [size for _, size in usable]
        inside = [
            n
            for n, (start, end) in enumerate(spans)
            if start < context.end and end > context.start
        ]
        if not inside:
            return []
        first, last = inside[0], inside[-1]
        if sum(sizes[first : last + 1]) > self.most:
            sentence_tokens = [set(tokens(text[start:end])) for start, end in spans]
            first, last = self._best_run(
                set(tokens(question)), sentence_tokens, sizes, first, last
            )
        first, last = self._grown(sizes, first, last)
        return spans[first : last + 1]

    def _best_run(
        self,
        question_tokens: set[str],
        sentence_tokens: list[set[str]],
        sizes: list[int],
        first: int,
        last: int,
    ) -> Run:
        """The run from ``first`` to ``last`` that says most of what is asked; ties go to the first."""
        counts = Counter(
            token for sentence in sentence_tokens for token in sentence & question_tokens
        )
        weights = {
            token: math.log(1 + len(sentence_tokens) / count) for token, count in counts.items()
        }

        def weight_of(run: Run) -> float:
            covered = set().union(*sentence_tokens[run.first : run.last + 1]) & question_tokens
            return sum(weights[token] for token in sorted(covered))

        runs = []
        for start in range(first, last + 1):
            end, size = start, sizes[start]
            while end < last and size + sizes[end + 1] <= self.average:
                end += 1
                size += sizes[end]
            runs.append(Run(start, end))
        return max(runs, key=lambda run: (round(weight_of(run), 9), -run.first))

    def _grown(self, sizes: list[int], first: int, last: int) -> Run:
        """The run with its neighbours, while it is shorter than the average and they fit."""
        size = sum(sizes[first : last + 1])
        while size < self.average:
            if last + 1 < len(sizes) and size + sizes[last + 1] <= self.most:
                last += 1
                size += sizes[last]
            elif first > 0 and size + sizes[first - 1] <= self.most:
                first -= 1
                size += sizes[first]
            else:
                break
        return Run(first, last)


def _candidate(hit: Hit, context: Context, spans: list[Span]) -> Candidate:
    text = context.document.text
    texts = [text[slice(*spans[0])]]
    for (_, previous_end), (start, end) in pairwise(spans):
        gap = text[previous_end:start]
        separator = "\n" if "\n" in gap else gap if not gap.strip() else " "
        texts.append(separator + text[start:end])
    support = tuple(Sentence(text[s:e], context.document.id, s, e) for s, e in spans)
    return Candidate("".join(texts), hit, support)
