"""Reads a question as a triple with one part missing (joint-reasoning paper, appendix F1)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from textwrap import shorten
from typing import Final

from cypher.translation import title, translate
from kg.errors import QuestionError
from kg.linking import Linker
from qa.intent import Intent, Part
from qa.intents import INTENTS
from qa.subjects import (
    Fit,
    Subject,
    find_subjects,
    fits,
    named_with_types,
    simplified_question,
    without_relation_words,
)

_MAX_QUESTION_LENGTH: Final = 80
_NEAREST: Final = 3
_NAME_PLACEHOLDER: Final = "x"
"""Stands for each letter of a name."""
_FUNCTION_WORDS: Final = re.compile(
    r"\b(what|which|who|whom|how|why|when|where|is|are|was|were|be|do|does|did|can|could|may|might"
    r"|should|must|will|the|a|an|of|for|in|on|to|by|with|and|or|from|i|my|it|there|any|some|have"
    r"|has|get)\b|什么|哪些|怎么|如何|为什么|吗|呢|的|有|是",
    re.IGNORECASE,
)
_JOINED: Final = re.compile(
    r"\w*(\s*[,/&、]\s*|\s+(and|or)\s+|\s*(和|与|及|以及|或|还是)\s*)(the )?"
)
"""What stands between two words of one list."""


class NoEntityError(QuestionError):
    """A question names nothing that the graph knows."""


class NoRelationError(QuestionError):
    """A question has no words that ask for one relation of what it names."""


@dataclass(frozen=True)
class Question:
    """``<h, r, ?>``, ``<?, r, t>`` or ``<h, ?, t>``: the part that is None is asked for."""

    head: str | None
    """Id of an entity."""
    relation: str | None
    """Of the vocabulary."""
    tail: str | None
    """Id of an entity."""

    def __post_init__(self) -> None:
        if [self.head, self.relation, self.tail].count(None) != 1:
            raise ValueError(f"{self}: one of the three parts must be None, and only one")

    @property
    def sought(self) -> Part:
        """The part that is asked for."""
        return "head" if self.head is None else "tail" if self.tail is None else "relation"

    def __str__(self) -> str:
        return f"<{self.head or '?'}, {self.relation or '?'}, {self.tail or '?'}>"


@dataclass(frozen=True)
class Reading:
    """One thing that a question may mean."""

    heading: str
    """What answers it, in the plural."""
    subjects: tuple[Subject, ...]
    """What the triples name."""
    questions: tuple[Question, ...]
    """Each a way to say it in the relations of the graph; their answers count together."""
    answer_types: tuple[str, ...] = ()
    """Node types of what answers it; none: any."""


@dataclass(frozen=True)
class Form:
    """A question as triples with one part missing."""

    text: str
    readings: tuple[Reading, ...]
    """The likeliest first; the first that has an answer is answered."""


def parse(question: str, linker: Linker) -> Form:
    """Read a question in English or Chinese as triples with one part missing.

    The words that ask are those of ``qa.intents``. Two things and no such word ask how the two
    are related.

    Raises:
        NoEntityError: it names nothing that the graph knows; the nearest names are told.
        NoRelationError: it has no word for a relation of what it names, has words for two, or
            its words ask for what no single triple says.
    """
    subjects = without_relation_words(question, find_subjects(question, linker), INTENTS)
    if not subjects:
        raise NoEntityError(_unknown(question, linker))
    words = simplified_question(_without_names(question, subjects))
    candidates = [fit for fit in fits(words, subjects, INTENTS) if fit.intent.words.pattern]
    if not candidates and not _FUNCTION_WORDS.sub("", words).strip(
        _NAME_PLACEHOLDER + " ,.?!，。？！"
    ):
        candidates = fits(words, subjects, [_RELATED])
    if not candidates:
        raise NoRelationError(
            translate(
                "'{question}' speaks of {names}, but has no word that asks for a relation of it, "
                "such as 'symptoms of', 'treats', 'causes'",
                question=shorten(question, _MAX_QUESTION_LENGTH),
                names=named_with_types(subjects, linker),
            )
        )
    _refuse_two(question, words, candidates)
    if not candidates[0].intent.gaps:
        raise NoRelationError(
            translate(
                "'{question}' asks for {heading}, which no single triple says; 'medkg query "
                "{query}' does",
                question=shorten(question, _MAX_QUESTION_LENGTH),
                heading=title("headings", candidates[0].intent.heading),
                query=candidates[0].intent.query,
            )
        )
    readings = sorted(_readings(candidates), key=lambda one: _names_not_used(question, one))
    return Form(question, tuple(readings))


_RELATED: Final = replace(
    next(intent for intent in INTENTS if intent.gaps and intent.gaps[0].sought == "relation"),
    query=None,
    words=re.compile(""),
)
"""Asks how two things are related, in no words."""


def _without_names(question: str, subjects: list[Subject]) -> str:
    """The question with its names blotted out: no word of a name asks for anything."""
    for subject in subjects:
        blot = _NAME_PLACEHOLDER * (subject.end - subject.start)
        question = question[: subject.start] + blot + question[subject.end :]
    return question


def _names_not_used(question: str, reading: Reading) -> int:
    """How many of its things the question does not call by their first name."""
    return sum(
        question[subject.start : subject.end].casefold() != subject.name.casefold()
        for subject in reading.subjects
    )


def _readings(candidates: list[Fit]) -> list[Reading]:
    """What the same things are asked for by the first intent that fits, and by no other."""
    readings: dict[tuple[Subject, ...], Reading] = {}
    for fit in candidates:
        reading = _reading(fit)
        if fit.intent.gaps:
            readings.setdefault(reading.subjects, reading)
    return list(readings.values())


def _reading(fit: Fit) -> Reading:
    """The triples of an intent; two things are asked about in both directions."""
    named = tuple(sorted(fit.subjects.values(), key=lambda subject: (subject.start, subject.id)))
    return Reading(
        fit.intent.heading,
        named,
        tuple(_questions(fit.intent, [subject.id for subject in named])),
        fit.intent.answer_types,
    )


def _questions(intent: Intent, ids: list[str]) -> Iterator[Question]:
    for gap in intent.gaps:
        if gap.sought == "tail":
            yield Question(ids[0], gap.relation, None)
        elif gap.sought == "head":
            yield Question(None, gap.relation, ids[0])
        else:
            yield Question(ids[0], None, ids[1])
            yield Question(ids[1], None, ids[0])


def _refuse_two(question: str, words: str, candidates: list[Fit]) -> None:
    """A list of words that ask ("symptoms and causes of") is more than one question."""
    intents = [intent for intent, _ in groupby(fit.intent for fit in candidates)]
    matches = [
        (match.start(), match.end(), intent)
        for intent in intents
        for match in intent.words.finditer(words)
    ]
    for _, end, one in matches:
        for start, _, other in matches:
            different = one.gaps != other.gaps
            if different and start > end and _JOINED.fullmatch(words, end, start):
                raise NoRelationError(
                    translate(
                        "'{question}' asks for {one} and for {other}; ask for one after the other",
                        question=shorten(question, _MAX_QUESTION_LENGTH),
                        one=title("headings", one.heading),
                        other=title("headings", other.heading),
                    )
                )


def _unknown(question: str, linker: Linker) -> str:
    """Says what names are like that which the question may speak of."""
    remaining = simplified_question(question)
    for intent in INTENTS:
        if intent.words.pattern and not intent.words.search("x " * 20):
            remaining = intent.words.sub(" ", remaining)
    remaining = " ".join(re.sub(r"[^\w'-]+", " ", _FUNCTION_WORDS.sub(" ", remaining)).split())
    near = linker.candidates(remaining, _NEAREST) if remaining else []
    known = linker.index.spoken_names(near)
    said = (translate("{name} ({id})", name=known[each.id], id=each.id) for each in near)
    short = shorten(question, _MAX_QUESTION_LENGTH)
    if not near:
        why = "'{question}' names nothing that the graph knows; use a name as the graph has it"
        return translate(why, question=short)
    why = "'{question}' names nothing that the graph knows; the nearest are {names}"
    return translate(why, question=short, names=translate(", ").join(said))
