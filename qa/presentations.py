"""Finds the disease that a question describes without its name: the typical case, in lay words.

``presentations.yaml`` has the descriptions. One counts where all of its words are there and the
question names no disease or drug beside them; of several the one with the most words counts.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple

from kg.linking import Linker
from kg.shipped import shipped_table
from kg.text.phrases import is_chinese
from kg.text.spelling import simplified_text
from qa.subjects import Subject

_TYPES: Final = ("Disease", "Symptom")
_NAMING: Final = ("Disease", "Drug")
"""Types of what a question is about where it names one."""
_MOST: Final = 2
"""Diseases that a description may be typical of."""
_OF_MANY: Final = re.compile(
    r"\b(which|what) (diseases?|conditions?|illness\w*|disorders?)\b|哪些(疾?病|原因|情况|毛病)",
    re.IGNORECASE,
)
"""Asks for all that a finding may come from."""


class _Way(NamedTuple):
    names: tuple[str, ...]
    words: tuple[re.Pattern[str], ...]


def described(text: str, subjects: Sequence[Subject], linker: Linker) -> list[Subject]:
    """The diseases of which a description is typical, as findings too; none where it is of none.

    Args:
        text: a question.
        subjects: what it names, by the places in ``text`` as it was read.
        linker: of the graph's names.
    """
    said = simplified_text(text).lower().replace("\u2019", "'")
    if _OF_MANY.search(said):
        return []
    ways = [way for way in _ways() if all(word.search(said) for word in way.words)]
    most = max((len(way.words) for way in ways), default=0)
    found: list[Subject] = []
    names = dict.fromkeys(way.names for way in ways if len(way.words) == most)
    spans = [word.search(said) for way in ways if len(way.words) == most for word in way.words]
    places = [found.span() for found in spans if found]
    if _names_another(said, subjects, places):
        return []
    for each in list(names)[:_MOST]:
        found += _called(each, linker, chinese=is_chinese(said))
    known = {subject.id for subject in subjects}
    return [] if known & {subject.id for subject in found} else found


def _names_another(
    said: str, subjects: Sequence[Subject], places: Iterable[tuple[int, int]]
) -> bool:
    """Whether a disease or drug is named apart from the words of the description."""
    spans = list(places)
    findings = {subject.start for subject in subjects if subject.type == "Symptom"}
    return any(
        subject.type in _NAMING
        and subject.start not in findings
        and not subject.denied
        and not any(s < subject.end and subject.start < e for s, e in spans)
        for subject in subjects
        if subject.start < len(said)
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


@cache
def _ways() -> tuple[_Way, ...]:
    """The table of the package, made ready; once."""
    read = shipped_table(__package__, "presentations.yaml")
    forms = {"en": r"\b(?:{})\b", "zh": "(?:{})"}
    return tuple(
        _Way(
            tuple(row["is"]),
            tuple(re.compile(forms[language].format(word)) for word in way.split(" & ")),
        )
        for row in read
        for language in forms
        for way in row.get(language, ())
    )
