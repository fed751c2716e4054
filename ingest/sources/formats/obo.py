"""OBO 1.2 and 1.4 files: stanzas of tag-value lines.

Follows https://owlcollab.github.io/oboformat/doc/GO.format.obo-1_4.html for
what is needed here: escapes, quoted text, ``! comments`` and trailing
``{modifiers}``.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

_ESCAPES: Final = {"n": "\n", "W": " ", "t": "\t"}
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_QUOTED: Final = re.compile(r'\s*"((?:[^"\\]|\\.)*)"\s*(.*)', re.DOTALL)
_MODIFIERS: Final = re.compile(r'\s*\{[A-Za-z_:]+="[^{}]*"\}\s*$')
_COMMENT: Final = re.compile(r"(?<!\\)\s!(?:\s.*)?$")
_TEXT_TAGS: Final = frozenset({"name", "comment", "def", "synonym"})
"""Tags whose value may hold an exclamation mark of its own."""


@dataclass
class Stanza:
    """One ``[Term]``, ``[Typedef]`` or other block."""

    row: int
    """Its place in the file, from 1."""
    kind: str
    """What stands between the brackets."""
    tags: list[tuple[str, str]] = field(default_factory=list)
    """Tag and value of each line; escapes still stand."""
    broken: list[str] = field(default_factory=list)
    """Lines that are not ``tag: value``."""

    def all(self, tag: str) -> list[str]:
        """Values of a tag, in file order."""
        return [value for name, value in self.tags if name == tag]

    def one(self, tag: str) -> str | None:
        """First value of a tag."""
        return next((value for name, value in self.tags if name == tag), None)


def stanzas(lines: Iterable[str]) -> Iterator[Stanza]:
    """The stanzas of a file; its header is passed over."""
    current: Stanza | None = None
    row = 0
    for raw in lines:
        line = raw.strip()
        if line.startswith("[") and line.endswith("]"):
            if current:
                yield current
            row += 1
            current = Stanza(row, line[1:-1])
        elif current and line and not line.startswith("!"):
            tag, colon, value = line.partition(":")
            if colon and tag.strip():
                current.tags.append((tag, bare(tag, value)))
            else:
                current.broken.append(line)
    if current:
        yield current


def bare(tag: str, value: str) -> str:
    """A value without trailing modifiers and, where the tag has none of its own, comment."""
    if tag not in _TEXT_TAGS:
        value = _COMMENT.sub("", value)
    return _MODIFIERS.sub("", value).strip()


def unescape(value: str) -> str:
    r"""The text that an escaped value stands for (``\"`` is a quote, ``\n`` a new line)."""
    return _ESCAPED.sub(lambda found: _ESCAPES.get(found[1], found[1]), value)


def quoted(value: str) -> tuple[str, str] | None:
    """The quoted text a value begins with, and what follows it; None where there is none."""
    found = _QUOTED.match(value)
    return (unescape(found[1]), found[2]) if found else None
