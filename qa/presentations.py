"""Finds the disease that a question describes without its name: the typical case, in lay words.

``presentations.yaml`` has the descriptions. One counts where all of its words are there, none denied,
and the question names no disease or drug beside them, nor asks whether it is a certain one. Of several
diseases that counts whose description has the most words, of as many that whose words say most of the question.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice
from typing import Final, NamedTuple

from kg.linking import Linker
from kg.shipped import shipped_table
from kg.text.context import contexts
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

_WHETHER: Final = re.compile(
    r"会不会(就)?是|是不是(得了|患了)?|可能是|\b(could|might|may|can) (it|this|that|these) be|\b(is|was) (it|this|that)\b",
    re.IGNORECASE,
)
_NEAR: Final = 5
"""Characters between such words and a name: an article."""
_LOOKED_AT: Final = 4
"""Places of a word."""


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
    ways = [(way, places) for way in _ways() if (places := _places(way, said))]
    said_of: dict[tuple[str, ...], set[int]] = {}
    words: dict[tuple[str, ...], int] = {}
    for way, spans in ways:
        said_of.setdefault(way.names, set()).update(at for span in spans for at in range(*span))
        words[way.names] = max(words.get(way.names, 0), len(way.words))
    fit = {names: (words[names], len(letters)) for names, letters in said_of.items()}
    best = max(fit.values(), default=None)
    likeliest = [names for names in fit if fit[names] == best]
    places = [span for way, spans in ways if way.names in likeliest for span in spans]
    if _names_another(said, subjects, places) or _asks_of_another(said, subjects, likeliest):
        return []
    found: list[Subject] = []
    for each in likeliest[:_MOST]:
        found += _called(each, linker, chinese=is_chinese(said))
    known = {subject.id for subject in subjects}
    return [] if known & {subject.id for subject in found} else found


def _places(way: _Way, said: str) -> list[tuple[int, int]]:
    """Where the words of a way are, one place for each; empty where one is missing, or denied."""
    spans = []
    for word in way.words:
        matches = [match.span() for match in islice(word.finditer(said), _LOOKED_AT)]
        if not matches:
            return []
        told = [
            span
            for span, context in zip(matches, contexts(said, matches), strict=True)
            if not context.negated
        ]
        if not told:
            return []
        spans.append(told[0])
    return spans


def _asks_of_another(
    said: str, subjects: Iterable[Subject], likeliest: Iterable[Sequence[str]]
) -> bool:
    """Whether it asks if what it tells of is a certain thing, which it names, and no likely one."""
    asked = [found.end() for found in _WHETHER.finditer(said)]
    named = [
        subject.start
        for subject in subjects
        if subject.type in _TYPES and any(0 <= subject.start - end <= _NEAR for end in asked)
    ]
    known = tuple(name.lower() for names in likeliest for name in names)
    words = [re.split("[- ]", name)[0] for name in known if name.isascii()]
    return any(
        not said.startswith((*known, *(word for word in words if len(word) > _NEAR)), at)
        for at in named
    )


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
