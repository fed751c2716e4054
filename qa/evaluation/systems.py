"""The systems that are compared, and the answer of each to one question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

import numpy as np

from kg.text.sentences import sentences
from qa.evaluation.cases import Case
from qa.evaluation.questions import GoldQuestion
from qa.generation.extractive import EXTRACTIVE
from qa.metrics.readability import words
from qa.rouge import Reference, tokens
from qa.selection import Features, Option, Selector, choose, describe

FULL: Final = "joint reasoning"
FIRST: Final = "first candidate"
ORACLE: Final = "oracle of the candidates"
RANDOM: Final = "random candidate"
ALIKE: Final = "candidate most like the question"
OURS: Final = "our own selection"
ANYTHING: Final = "our own selection, about anything"
SENTENCE: Final = "best sentences of the first text"
GRAPH: Final = "graph alone"
PRODUCT: Final = "medkg ask"
PRODUCT_FULL: Final = f"{PRODUCT}, {FULL}"
PRODUCT_FIRST: Final = f"{PRODUCT}, {FIRST}"
UNRELATED: Final = "answer to another question"
REPEATED: Final = "the question repeated"
UNAIDED: Final = "no texts"

NAMES: Final = frozenset(
    {
        FULL,
        FIRST,
        ORACLE,
        RANDOM,
        ALIKE,
        OURS,
        ANYTHING,
        SENTENCE,
        GRAPH,
        PRODUCT,
        PRODUCT_FULL,
        PRODUCT_FIRST,
        UNRELATED,
        REPEATED,
    }
)

Role = Literal["system", "baseline", "control", "given"]

_OF_PRODUCT: Final[Mapping[Selector, tuple[str, Role]]] = {
    "weighted": (PRODUCT, "system"),
    "rouge-l": (PRODUCT_FULL, "system"),
    "rank": (PRODUCT_FIRST, "baseline"),
}
_MODELS_NEEDED: Final = (
    (f"ELI5, {FULL}", "the paper's model-1"),
    (f"LFQA, {FULL}", "the paper's model-2"),
    (f"ELI5, {FIRST}", "model-1 without joint reasoning; generative baseline-3"),
    (f"LFQA, {FIRST}", "model-2 without joint reasoning; generative baseline-3"),
    (f"LFQA, {UNAIDED}", "no vector database, appendix F4"),
)
_DECIMALS: Final = 12
_SENTENCE_WORDS: Final = 40
"""The extractive baseline quotes sentences of so many words together, at most, one at least."""


@dataclass(frozen=True)
class Reply:
    """What a system answers."""

    system: str
    role: Role
    text: str
    """Empty: it has no answer."""
    title: str | None = None
    """What the document is about that it was made from; None: it was made from none."""


@dataclass(frozen=True)
class GivenAnswers:
    """Answers that were written elsewhere."""

    name: str
    answers: Mapping[str, str]
    """By the question's words."""
    checksum: str
    """Of the file."""


def not_run(generators: Sequence[str], given_systems: Sequence[str]) -> list[tuple[str, str]]:
    """The paper's systems that have no model here, each with what it is."""
    generator_names = {name.casefold() for name in generators}
    missing = [
        (system, description)
        for system, description in _MODELS_NEEDED
        if system.partition(",")[0].casefold() not in generator_names
    ]
    if not given_systems:
        missing.append(("ChatGPT", "baseline-1; any file of answers takes its place"))
    return missing


def replies(
    question: GoldQuestion,
    case: Case,
    *,
    weights: Features,
    cosines: Mapping[str, float] | None,
    unrelated: str,
    given: Sequence[GivenAnswers] = (),
    seed: int = 0,
) -> list[Reply]:
    """What every system answers to one question.

    Args:
        question: with its gold answer, which the oracle alone looks at.
        case: what was found for it.
        weights: of our own selection.
        cosines: of each candidate's text with the question; None: no encoder.
        unrelated: the gold answer of another question.
        given: answers of other models.
        seed: of the random choice.
    """
    answers: list[Reply] = []
    for name, options in case.options.items():
        prefix = "" if name == EXTRACTIVE else f"{name}, "
        answers += _of_candidates(
            question,
            case,
            options,
            prefix=prefix,
            weights=weights,
            cosines=cosines,
            seed=seed,
        )
    answers += [
        Reply(f"{name}, {UNAIDED}", "baseline", text) for name, text in case.unaided.items()
    ]
    answers += [
        *(
            Reply(name, role, *case.said.get(selector, ("", None)))
            for selector, (name, role) in _OF_PRODUCT.items()
        ),
        Reply(GRAPH, "system", case.stated),
        Reply(REPEATED, "control", question.text),
        Reply(UNRELATED, "control", unrelated),
        *(Reply(each.name, "given", each.answers.get(question.text, "")) for each in given),
    ]
    return answers


def _of_candidates(
    question: GoldQuestion,
    case: Case,
    options: Sequence[Option],
    *,
    prefix: str,
    weights: Features,
    cosines: Mapping[str, float] | None,
    seed: int,
) -> list[Reply]:
    """Each way of choosing among the candidates of one generator."""
    choices: dict[str, tuple[Role, int]] = {}
    if options:
        gold = Reference.of(tokens(question.answer))
        gold_overlaps = [gold.rouge_l(tokens(option.text)).f1 for option in options]
        graph_text = Reference.of(tokens(case.subgraph))
        graph_overlaps = [graph_text.rouge_l(tokens(option.text)).f1 for option in options]
        described = describe(case.asked, options)
        chance = Random(f"{seed} {question.id}")  # noqa: S311 - a draw, no secret
        choices = {
            FULL: ("system", _best(graph_overlaps)),
            OURS: ("system", choose(described, weights)),
            ANYTHING: ("control", choose(described, weights, anything=True)),
            FIRST: ("baseline", 0),
            RANDOM: ("control", chance.randrange(len(options))),
            ORACLE: ("control", _best(gold_overlaps)),
        }
        if cosines is not None:
            choices[ALIKE] = ("baseline", _best([cosines[option.text] for option in options]))
    answers = [
        Reply(prefix + name, role, options[place].text, options[place].title)
        for name, (role, place) in choices.items()
    ]
    if not prefix and options:
        text = _sentences(question.text, options[0].text)
        answers.append(Reply(SENTENCE, "baseline", text, options[0].title))
    return answers


def _best(scores: Sequence[float]) -> int:
    """The place of the highest score; ties go to the first, as ``qa.selection.select`` chooses."""
    return int(np.argmax(np.round(np.array(scores, dtype=float), _DECIMALS)))


def _sentences(question: str, text: str) -> str:
    """The sentences with most of the question's words a word, while few words are quoted in all.

    They stand in the order of the text; a sentence as long as that is quoted alone.
    """
    question_tokens = set(tokens(question))
    spans = sentences(text)
    sentence_texts = [text[start:end] for start, end in spans]
    share = [
        len(question_tokens & set(tokens(each))) / (1 + len(words(each))) ** 0.5
        for each in sentence_texts
    ]
    quoted: list[int] = []
    size = 0
    for place in sorted(range(len(sentence_texts)), key=lambda place: (-share[place], place)):
        length = len(words(sentence_texts[place]))
        if not quoted or size + length <= _SENTENCE_WORDS:
            quoted.append(place)
            size += length
    return " ".join(sentence_texts[place] for place in sorted(quoted))
