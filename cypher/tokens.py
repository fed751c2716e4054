"""Cypher text as tokens: enough to know a label from a string, a comment or a map key."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast

from cypher.errors import QueryError
from cypher.translation import translate

Kind = Literal[
    "space", "comment", "string", "quoted", "parameter", "number", "word", "symbol", "unclosed"
]
"""``quoted`` is a name in backticks; ``unclosed`` a string, comment or name without its end."""

_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
  | (?P<quoted>(?:`[^`]*`)+)
  | (?P<parameter>\$(?:\w+|(?:`[^`]*`)+))
  | (?P<unclosed>['"`]|/\*)
  | (?P<number>\d+(?:\.(?!\.)\d+)?(?:[eE][+-]?\d+)?)
  | (?P<word>\w+)
  | (?P<symbol>::|<>|<=|>=|=~|\+=|\.\.|.)
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Token:
    """A piece of a statement."""

    kind: Kind
    text: str
    start: int
    """Offset in the statement."""

    @property
    def end(self) -> int:
        """Offset of the character after it."""
        return self.start + len(self.text)

    @property
    def upper(self) -> str:
        """Its text in capitals when it is a word, as keywords are compared; else empty."""
        return self.text.upper() if self.kind == "word" else ""

    @property
    def name(self) -> str:
        """The name that a word, a quoted name or a parameter stands for; else empty."""
        if self.kind not in ("word", "quoted", "parameter"):
            return ""
        text = self.text.removeprefix("$")
        return text[1:-1].replace("``", "`") if text.startswith("`") else text


def tokens(text: str) -> Iterator[Token]:
    """Every token of a statement, white space and comments included, in order.

    Raises:
        QueryError: a string, comment or quoted name has no end.
    """
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "unclosed":
            raise QueryError(
                translate(
                    "line {line}: {sign} is opened and never closed",
                    line=line_of(text, match.start()),
                    sign=match.group(),
                )
            )
        yield Token(cast("Kind", kind), match.group(), match.start())


def code(text: str) -> list[Token]:
    """The tokens of a statement without white space and comments.

    Raises:
        QueryError: a string, comment or quoted name has no end.
    """
    return [token for token in tokens(text) if token.kind not in ("space", "comment")]


def line_of(text: str, offset: int) -> int:
    """The line, from 1, that an offset stands in."""
    return text.count("\n", 0, offset) + 1


def closing(stream: list[Token], at: int) -> int:
    """Where the bracket opened at ``at`` closes; the stream's length if it doesn't."""
    depth = 0
    for here in range(at, len(stream)):
        if stream[here].text in _OPEN:
            depth += 1
        elif stream[here].text in _CLOSE:
            depth -= 1
            if not depth:
                return here
    return len(stream)


_OPEN = frozenset("([{")
_CLOSE = frozenset(")]}")
