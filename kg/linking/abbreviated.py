"""Abbreviations among the mentions of a text: as the text defines them, else by their one meaning."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from kg.linking.mention import Mention
from kg.text.abbreviations import definitions

_UNDEFINED: Final = re.compile(r"(?<![\w-])[A-Z][A-Z0-9]{1,5}(?![\w-])")

Resolve = Callable[[str], Mention]
"""Links a text that is one mention."""


def with_abbreviations(
    text: str, mentions: list[Mention], resolve: Resolve, expand: Resolve
) -> list[Mention]:
    """Give abbreviations the entity of their long form.

    What the text itself defines ("congestive heart failure (CHF)") goes before
    what a name in the table says; what it does not define is linked by its
    meaning if no mention is there and the abbreviation has only one.

    Args:
        text: the whole text.
        mentions: found by name, none overlapping, in their order.
        resolve: links the long form of an abbreviation.
        expand: links an abbreviation by its meaning.
    """
    meant = _defined(text, resolve)
    found = list(_everywhere(text, meant))
    named = apart((m for m in mentions if m.text not in meant), found)
    sure = [*found, *(m for m in named if m.linked)]
    undefined = apart(_undefined(text, meant, expand), sure)
    return sorted([*found, *undefined, *apart(named, undefined)], key=lambda m: m.start)


def _defined(text: str, resolve: Resolve) -> dict[str, Mention]:
    """The short forms that a text defines, and their long forms linked."""
    return {d.short: resolve(d.long) for d in definitions(text)}


def _everywhere(text: str, meant: dict[str, Mention]) -> Iterable[Mention]:
    """A mention wherever a short form stands whose long form is linked."""
    shorts = sorted((s for s, long in meant.items() if long.linked), key=len, reverse=True)
    if not shorts:
        return
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, shorts))})(?!\w)")
    for match in pattern.finditer(text):
        short = match.group()
        yield replace(
            meant[short], start=match.start(), end=match.end(), text=short, method="abbreviation"
        )


def _undefined(text: str, meant: dict[str, Mention], expand: Resolve) -> Iterable[Mention]:
    resolved: dict[str, Mention] = {}
    for match in _UNDEFINED.finditer(text):
        short = match.group()
        if short in meant:
            continue
        mention = resolved.get(short) or resolved.setdefault(short, expand(short))
        if mention.linked and mention.method == "abbreviation":
            yield replace(mention, start=match.start(), end=match.end())


def apart(mentions: Iterable[Mention], taken: Iterable[Mention]) -> list[Mention]:
    """The mentions that overlap none of those ``taken``."""
    spans = sorted((m.start, m.end) for m in taken)
    free = []
    for mention in mentions:
        before = bisect_left(spans, (mention.end, 0)) - 1
        if before < 0 or spans[before][1] <= mention.start:
            free.append(mention)
    return free
