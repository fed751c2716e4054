"""Finds the disease that a question describes without its name, by the stories that it is like.

A story counts where it is much more like those of one condition than like any other, and the
question asks neither for all that a finding may come from nor whether it is a certain other thing.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from cypher.translation import CHINESE, language_of
from kg.linking import Linker
from kg.text.phrases import is_chinese
from kg.text.spelling import simplified_text
from qa.populations import GROUPS
from qa.stories import story_of
from qa.subjects import Subject

_TYPES: Final = ("Disease", "Symptom")
_OF_STORIES: Final = frozenset(
    [
        "Symptom",
        "Anatomy",
        "Test",
        "Food",
        "Behavior",
        "Exposure",
        "Organism",
        "Procedure",
        "PathologicalProcess",
        "Department",
        "DrugClass",
    ]
).union(GROUPS)
"""Types of what is named in what is told of a disease that is not."""
_OF_MANY: Final = re.compile(
    r"\b(which|what) (diseases|conditions|illnesses|disorders)\b|哪些(疾?病|原因|情况|毛病)"
    r"|\b(which|what) (disease|condition|illness|disorder)\b(?! (is|does|would|could|might|has|have) (that|this|it|these|she|he|i|they)\b)",
    re.IGNORECASE,
)
"""Asks for all that a finding may come from."""

_WHETHER: Final = re.compile(
    r"会不会(就)?是|是不是(得了|患了)?|可能是|\b(could|might|may|can) (it|this|that|these) be|\b(is|was) (it|this|that)\b",
    re.IGNORECASE,
)
_NEAR: Final = 5
"""Characters between such words and a name: an article."""
_LEAST_LIKE: Final = 0.08
"""Likeness that a story must have."""
_MARGINS: Final = (0.03, 0.04, 0.08)
"""Its lead before the next one: where the question names no more than findings and places, where it names other
things in passing, and where it is mostly about these."""
_LEAST_TOLD: Final = 4
"""Things named, and words beside those that ask (Chinese: of two characters), that tell enough."""


def described(
    text: str, told: str, subjects: Sequence[Subject], linker: Linker, *, is_about_them: bool
) -> list[Subject]:
    """The disease of which a description is typical, as a finding too; none where it is of none.

    Args:
        text: a question.
        told: its words without names and words that ask.
        subjects: what it names, by the places in ``text`` as it was read.
        linker: of the graph's names.
        is_about_them: whether that is most of what it says.
    """
    said = simplified_text(text).lower().replace("\u2019", "'")
    places = {subject.start for subject in subjects}
    words = len(told.replace(" ", "")) // 2 if is_chinese(said) else len(told.split())
    if _OF_MANY.search(said) or words + len(places) < _LEAST_TOLD:
        return []
    story = story_of(text)
    least = _MARGINS[_names_more(subjects) * (1 + is_about_them)]
    if story is None or story.kind != "condition" or story.score < _LEAST_LIKE:
        return []
    if story.margin < least or _asks_of_another(said, subjects, story.names):
        return []
    return _called(story.names, linker, chinese=language_of(said) == CHINESE)


def _names_more(subjects: Iterable[Subject]) -> bool:
    """Whether something is named that is no finding, place or group of people in the first place."""
    first: dict[int, Subject] = {}
    for subject in subjects:
        first.setdefault(subject.start, subject)
    return any(s.type not in _OF_STORIES and not s.denied for s in first.values())


def _asks_of_another(said: str, subjects: Iterable[Subject], likely: Sequence[str]) -> bool:
    """Whether it asks if what it tells of is a certain thing, which it names, and not the likely one."""
    asked = [found.end() for found in _WHETHER.finditer(said)]
    named = [
        subject.start
        for subject in subjects
        if subject.type in _TYPES and any(0 <= subject.start - end <= _NEAR for end in asked)
    ]
    known = tuple(name.lower() for name in likely)
    words = [re.split("[- ]", name)[0] for name in known if name.isascii()]
    return any(
        not said.startswith((*known, *(word for word in words if len(word) > _NEAR)), at)
        for at in named
    )


def _called(names: Sequence[str], linker: Linker, *, chinese: bool) -> list[Subject]:
    """What goes by the first name in a language that the graph has, and by the first in another.

    A disease and a finding of each name, called as the table calls it in that language.
    """
    own = [name for name in names if is_chinese(name) == chinese]
    others = [name for name in names if name not in own]
    found: dict[str, Subject] = {}
    for some in (own, others):
        called = next(filter(None, (linker.called(name, _TYPES) for name in some)), [])
        for type_ in _TYPES:
            for each in [c for c in called if c.type == type_][:1]:
                name = own[0] if own else each.name
                found.setdefault(each.id, Subject(-1, -1, each.id, type_, name))
    return sorted(found.values(), key=lambda subject: _TYPES.index(subject.type))
