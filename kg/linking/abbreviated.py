"""Links abbreviations in a text: as the text defines them, else by their only meaning."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from kg.linking.mention import Mention
from kg.linking.symbols import OTHER_MEANINGS
from kg.text.abbreviations import definitions

_UNDEFINED: Final = re.compile(r"(?<![\w-])[A-Z][A-Z0-9]{1,5}(?![\w-])")

_SPELLED: Final = re.compile(r"(?<!\w)(?:[A-Z] ){1,5}[A-Z](?!\w)")
"""An abbreviation as transcripts write it: "C O P D"."""

Resolve = Callable[[str], Mention]
"""Links a text that is one mention."""


def with_abbreviations(
    text: str, mentions: list[Mention], resolve: Resolve, expand: Resolve, read: Resolve
) -> list[Mention]:
    """Give abbreviations the entity of their long form.

    A definition in the text ("congestive heart failure (CHF)") goes before a name in the
    table; an abbreviation that it does not define is linked by its meaning if it has only
    one and no mention is there.

    Args:
        text: the whole text.
        mentions: found by name, none overlapping, in their order.
        resolve: links the long form of an abbreviation.
        expand: links an abbreviation by its meaning.
        read: links an abbreviation as one that stands in a text.
    """
    defined = {d.short: resolve(d.long) for d in definitions(text)}
    expanded = list(_occurrences(text, defined))
    by_name = without_overlaps((m for m in mentions if m.text not in defined), expanded)
    sure = [*expanded, *(m for m in by_name if m.linked)]
    undefined = without_overlaps(_undefined(text, defined, expand), sure)
    undefined += without_overlaps(_spelled(text, read), [*sure, *undefined])
    return sorted(
        [*expanded, *undefined, *without_overlaps(by_name, undefined)], key=lambda m: m.start
    )


def _occurrences(text: str, defined: dict[str, Mention]) -> Iterable[Mention]:
    """A mention wherever a short form stands whose long form is linked."""
    shorts = sorted((s for s, long in defined.items() if long.linked), key=len, reverse=True)
    if not shorts:
        return
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, shorts))})(?!\w)")
    for match in pattern.finditer(text):
        short = match.group()
        yield replace(
            defined[short], start=match.start(), end=match.end(), text=short, method="abbreviation"
        )


def _undefined(text: str, defined: dict[str, Mention], expand: Resolve) -> Iterable[Mention]:
    resolved: dict[str, Mention] = {}
    for match in _UNDEFINED.finditer(text):
        short = match.group()
        if short in defined or short in OTHER_MEANINGS:
            continue
        mention = resolved.get(short) or resolved.setdefault(short, expand(short))
        if mention.linked and mention.method == "abbreviation":
            yield replace(mention, start=match.start(), end=match.end())


def _spelled(text: str, read: Resolve) -> Iterable[Mention]:
    known: dict[str, Mention] = {}
    for match in _SPELLED.finditer(text):
        short = match[0].replace(" ", "")
        if short in OTHER_MEANINGS:
            continue
        mention = known.get(short) or known.setdefault(short, read(short))
        if mention.linked:
            yield replace(
                mention, start=match.start(), end=match.end(), text=match[0], method="abbreviation"
            )


def without_overlaps(mentions: Iterable[Mention], taken: Iterable[Mention]) -> list[Mention]:
    """The mentions that overlap none of ``taken``."""
    spans = sorted((m.start, m.end) for m in taken)
    free = []
    for mention in mentions:
        before = bisect_left(spans, (mention.end, 0)) - 1
        if before < 0 or spans[before][1] <= mention.start:
            free.append(mention)
    return free
