"""Chooses one of the candidates for an answer, by what the graph says and by the candidates themselves.

Two ways. ``rouge-l`` is the joint-reasoning paper's (section 3.3.5): the candidate that has most in
common with the text of the subgraph. ``weighted``, which answers use, is a weighted sum of features
among the candidates about the thing asked; what it gains is measured in docs/answers-evaluation.md.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, Self

from kg.text.context import contexts
from kg.text.phrases import is_chinese
from kg.text.spelling import simplified_text
from kg.text.words import HAN
from qa.generation.candidates import Candidate
from qa.index import Hit
from qa.intent import Kind
from qa.questions import kind_of
from qa.rouge import Overlap, Reference, tokens
from qa.subgraph import Fact, Subgraph

_DECIMALS: Final = 12
"""Of a score; what differs beyond them is a tie."""
_OVERVIEW: Final = re.compile(r"\b(overview|definition|summary)\b|概述|简介|定义", re.IGNORECASE)
_OF_COURSE: Final = re.compile(
    r"治愈率|治疗(周期|费用|时间)|疗程|cure rate|\bcosts?\b", re.IGNORECASE
)
"""In a heading with words of treatment: how long it takes, and how it ends."""
_IS_HAN: Final = re.compile(f"[{HAN}]")

Selector = Literal["weighted", "rouge-l", "rank"]
"""How a candidate is chosen; ``rank``: the best ranked is."""
Reason = Literal[
    "highest score",
    "highest score of those about what is asked",
    "tie, the best ranked",
    "nothing in common with the subgraph, the best ranked",
    "no subgraph, the best ranked",
    "no joint reasoning, the best ranked",
]


@dataclass(frozen=True)
class Asked:
    """What candidates are judged by."""

    question: str
    kind: Kind
    """What it asks for."""
    things: tuple[str, ...] = ()
    """All names of what it is about; none: the graph does not know that."""
    facts: tuple[Fact, ...] = ()
    """What the subgraph says."""


@dataclass(frozen=True)
class Option:
    """What is judged of a candidate."""

    text: str
    title: str
    """What its document is about."""
    kind: Kind
    """What the heading of its document asks, or promises to say."""

    @classmethod
    def of(cls, candidate: Candidate) -> Self:
        """Of a candidate that was made from a hit."""
        hit = candidate.hit
        return cls(candidate.text, hit.record.metadata.get("title", ""), kind_of_hit(hit))


class Features(NamedTuple):
    """What is said of one candidate; the more of each, the better."""

    covered: float
    """Weights of the facts that it names and does not deny (NegEx, ``kg.text.context``), as a share
    of those of all facts."""
    same_kind: float
    """1 where its document's heading asks for what the question asks for."""
    likeness: float
    """Share of the question's words that it has."""
    agreed: float
    """Mean ROUGE-L F1 with the other candidates."""


WEIGHTS: Final = Features(covered=0.061, same_kind=0.072, likeness=0.062, agreed=0.350)
"""Fitted on 700 of MedQuAD's questions, gold excluded; about none of their diseases is a question
by which answers are measured (``python -m tests.experiments.selection --fit``)."""


class Described(NamedTuple):
    """A candidate as the weighted selection sees it."""

    about: int
    """2: its document's title names what the question is about; 1: its text does; 0: neither. All
    have 2 where the graph does not know what the question is about."""
    features: Features

    def weighted(self, weights: Features = WEIGHTS) -> float:
        """The sum that decides among candidates that are about the thing alike."""
        return sum(
            weight * feature for weight, feature in zip(weights, self.features, strict=True)
        )


class Score(NamedTuple):
    """How good a candidate is."""

    overlap: Overlap
    """ROUGE-L with the subgraph-text in the candidate's language."""
    chinese: bool
    """Which language that is."""
    described: Described | None = None
    """None unless the weighted selection chose."""


@dataclass(frozen=True)
class Selection:
    """The candidate that was chosen."""

    chosen: int
    """Its place among the candidates."""
    scores: tuple[Score, ...]
    """Of all candidates, in their order."""
    reason: Reason
    selector: Selector


def select(
    candidates: Sequence[Candidate],
    of: Subgraph,
    asked: Asked,
    selector: Selector = "weighted",
) -> Selection:
    """The candidate that is the answer.

    Nothing that a candidate says of itself counts: what it is compared with are the question, the
    names of the graph and the other candidates. Of equal ones the first is chosen.

    Args:
        candidates: in the order of their passages, the best first.
        of: the subgraph of the question; without an edge where the graph says nothing.
        asked: the same question.
        selector: ``weighted``: of those most about the thing asked the one with the highest weighted
            sum of features. ``rouge-l``: the one with the highest ROUGE-L F1 with the subgraph-text
            in its language, the first where there is no subgraph. ``rank``: the first.

    Raises:
        ValueError: there is no candidate.
    """
    if not candidates:
        raise ValueError("no candidate to choose from")
    scores = _supported(candidates, of)
    if selector == "rank":
        return Selection(0, scores, "no joint reasoning, the best ranked", selector)
    if selector == "rouge-l":
        rounded = [round(score.overlap.f1, _DECIMALS) for score in scores]
        best = max(rounded)
        reason: Reason = "highest score"
        if not of.edges:
            reason = "no subgraph, the best ranked"
        elif best == 0:
            reason = "nothing in common with the subgraph, the best ranked"
        elif rounded.count(best) > 1:
            reason = "tie, the best ranked"
        return Selection(rounded.index(best), scores, reason, selector)
    described = describe(asked, [Option.of(candidate) for candidate in candidates])
    chosen = choose(described)
    sums = [round(each.weighted(), _DECIMALS) for each in described]
    nearest = [at for at, each in enumerate(described) if each.about == described[chosen].about]
    reason = "highest score"
    if max(sums) > sums[chosen]:
        reason = "highest score of those about what is asked"
    elif [sums[at] for at in nearest].count(sums[chosen]) > 1:
        reason = "tie, the best ranked"
    seen = zip(scores, described, strict=True)
    return Selection(
        chosen, tuple(score._replace(described=each) for score, each in seen), reason, selector
    )


def _supported(candidates: Sequence[Candidate], of: Subgraph) -> tuple[Score, ...]:
    """ROUGE-L of each candidate with the subgraph-text in its language."""
    languages = [is_chinese(candidate.text) for candidate in candidates]
    references = {
        chinese: Reference.of(tokens(of.text(chinese=chinese) if of.edges else ""))
        for chinese in sorted({*languages})
    }
    return tuple(
        Score(references[chinese].rouge_l(tokens(candidate.text)), chinese)
        for candidate, chinese in zip(candidates, languages, strict=True)
    )


def kind_of_hit(hit: Hit) -> Kind:
    """What the heading of a passage asks, or promises to say; the title's words ask nothing."""
    title, heading = (hit.record.metadata.get(key, "") for key in ("title", "heading"))
    words = simplified_text(heading.replace(title, " ") if title else heading)
    if _OF_COURSE.search(words):
        return "outlook"
    return "about" if _OVERVIEW.search(words) else kind_of(words)


def describe(asked: Asked, options: Sequence[Option]) -> list[Described]:
    """The candidates of a question, in their order."""
    question = set(tokens(asked.question))
    texts = [tokens(option.text) for option in options]
    references = [Reference.of(text) for text in texts]
    things = [padded(name) for name in asked.things]
    facts = [([name.casefold() for name in fact.names], fact.weight) for fact in asked.facts]
    found = []
    for at, option in enumerate(options):
        others = [each.rouge_l(texts[at]).f1 for n, each in enumerate(references) if n != at]
        title, text = padded(option.title), f" {' '.join(texts[at])} "
        if not things or any(name in title for name in things):
            about = 2
        else:
            about = int(any(name in text for name in things))
        features = Features(
            _covered(facts, option.text),
            float(option.kind == asked.kind),
            len(question & {*texts[at]}) / max(1, len(question)),
            sum(others) / len(others) if others else 0.0,
        )
        found.append(Described(about, features))
    return found


def choose(
    options: Sequence[Described], weights: Features = WEIGHTS, *, anything: bool = False
) -> int:
    """The place of the candidate with the highest weighted sum; of equals the first.

    Args:
        options: the candidates of a question.
        weights: of their features.
        anything: whether a candidate about another thing is as good.

    Raises:
        ValueError: there is no candidate.
    """
    if not options:
        raise ValueError("no candidate to choose from")
    nearest = max(option.about for option in options)
    pool = [at for at, each in enumerate(options) if anything or each.about == nearest]
    return max(pool, key=lambda at: (round(options[at].weighted(weights), _DECIMALS), -at))


def _covered(facts: Sequence[tuple[Sequence[str], float]], text: str) -> float:
    """The weighted share of the facts, each with its names, that a text names and does not deny."""
    lower = text.casefold()
    found = [
        (place, weight)
        for names, weight in facts
        for place in [next(filter(None, (_place(lower, name) for name in names)), None)]
        if place
    ]
    if not found:
        return 0.0
    if len(lower) == len(text):  # else places in one are none in the other
        said = contexts(text, [place for place, _ in found])
        found = [each for each, of in zip(found, said, strict=True) if not of.negated]
    return sum(weight for _, weight in found) / sum(weight for _, weight in facts)


def _place(text: str, name: str) -> tuple[int, int] | None:
    """Where a name stands between ends of words; Chinese has none."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        if not (_is_within(text[start - 1 : start + 1]) or _is_within(text[end - 1 : end + 1])):
            return start, end
        start = text.find(name, start + 1)
    return None


def _is_within(two: str) -> bool:
    """Whether two neighbouring characters are of one word."""
    return len(two) > 1 and two.isalnum() and _IS_HAN.search(two) is None


def padded(text: str) -> str:
    """The tokens of a text, each between blanks, so that no name begins within a word."""
    return f" {' '.join(tokens(text))} "
