"""OBO 1.2 and 1.4 files: stanzas of tag-value lines.

Follows https://owlcollab.github.io/oboformat/doc/GO.format.obo-1_4.html for
what is needed here: escapes, quoted text, ``! comments``, trailing
``{modifiers}``, synonyms with scope, relationships and property values.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

_ESCAPES: Final = {"n": "\n", "W": " ", "t": "\t"}
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_QUOTED: Final = re.compile(r'\s*"(?P<text>(?:[^"\\]|\\.)*)"\s*(?P<rest>.*)', re.DOTALL)
_MODIFIERS: Final = re.compile(r'\s*\{([^\s{}="]+="[^{}]*")\}\s*$')
_MODIFIER: Final = re.compile(r'([^\s{}=",]+)="((?:[^"\\]|\\.)*)"')
_COMMENT: Final = re.compile(r"(?<!\\)\s!(?:\s.*)?$")
_TEXT_TAGS: Final = frozenset({"name", "comment", "def", "synonym"})
"""Tags whose value may contain an exclamation mark that begins no comment."""

SCOPES: Final = ("EXACT", "RELATED", "BROAD", "NARROW")
_DEFAULT_SCOPE: Final = "RELATED"
"""Of a synonym without a scope, by the specification."""


@dataclass
class Stanza:
    """One ``[Term]``, ``[Typedef]`` or other block."""

    row: int
    """Its place in the file, from 1."""
    kind: str
    """The text between the brackets."""
    tags: list[tuple[str, str]] = field(default_factory=list)
    """Tag and value of each line, with escapes."""
    broken: list[str] = field(default_factory=list)
    """Lines that are not ``tag: value``."""
    modifiers: dict[int, str] = field(default_factory=dict, compare=False)
    """The text between the braces after a value, by its place in ``tags``."""

    def all(self, tag: str) -> list[str]:
        """Values of a tag, in file order."""
        return [value for name, value in self.tags if name == tag]

    def one(self, tag: str) -> str | None:
        """First value of a tag."""
        return next((value for name, value in self.tags if name == tag), None)


class Synonym(NamedTuple):
    """Another name and how its meaning relates to the term's."""

    text: str
    scope: str
    type: str | None = None
    """Of the kinds of synonyms that the file defines, such as layperson; None: of none."""


def stanzas(lines: Iterable[str], tags: Collection[str] | None = None) -> Iterator[Stanza]:
    """The stanzas of a file, without its header.

    Args:
        lines: of the file.
        tags: those to keep; all if not given.
    """
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
            _add(current, line, tags)
    if current:
        yield current


def _add(stanza: Stanza, line: str, tags: Collection[str] | None) -> None:
    tag, colon, value = line.partition(":")
    if not (colon and tag.strip()):
        stanza.broken.append(line)
    elif tags is None or tag in tags:
        if value.find("{") >= 0 and (match := _MODIFIERS.search(_uncommented(tag, value))):
            stanza.modifiers[len(stanza.tags)] = match[1]
        stanza.tags.append((tag, bare(tag, value)))


def bare(tag: str, value: str) -> str:
    """A value without trailing modifiers and, where the tag has none of its own, comment."""
    value = _uncommented(tag, value)
    return (_MODIFIERS.sub("", value) if "{" in value else value).strip()


def _uncommented(tag: str, value: str) -> str:
    return value if tag in _TEXT_TAGS or "!" not in value else _COMMENT.sub("", value)


def modifier(modifiers: str, key: str) -> list[str]:
    """The values that a key has among the modifiers of a value."""
    return [unescape(value) for name, value in _MODIFIER.findall(modifiers) if name == key]


def unescape(value: str) -> str:
    r"""The text that an escaped value stands for (``\"`` is a quote, ``\n`` a new line)."""
    if "\\" not in value:
        return value
    return _ESCAPED.sub(lambda match: _ESCAPES.get(match[1], match[1]), value)


def quoted(value: str) -> tuple[str, str] | None:
    """The quoted text a value begins with, and what follows it; None where there is none."""
    match = _QUOTED.match(value)
    return (unescape(match["text"]), match["rest"]) if match else None


def synonym(value: str) -> Synonym | None:
    """The value of a ``synonym`` line; None where it does not begin with a quoted text."""
    text = quoted(value)
    if text is None:
        return None
    rest = text[1].partition("[")[0].split()
    scope = rest.pop(0) if rest and rest[0] in SCOPES else _DEFAULT_SCOPE
    return Synonym(text[0], scope, rest[0] if rest else None)


def property_value(value: str) -> tuple[str, str]:
    """Property and value of a ``property_value`` line, the value without quotes and data type."""
    name, _, rest = value.partition(" ")
    text = quoted(rest)
    return name, text[0] if text else (rest.split() or [""])[0]
