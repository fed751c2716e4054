"""What may run as a question: one statement that only reads the graph.

The embedded engine's read-only mode runs ``COPY (…) TO``, ``LOAD FROM``, ``EXPORT DATABASE``,
``CALL threads=1``, ``EXPLAIN`` and several statements; Neo4j's access mode READ runs ``LOAD CSV``,
``SHOW`` and procedures. So a text is refused before an engine sees it.

A statement is known by how it begins, of which few ways are allowed, and a clause by its keyword.
A keyword's spelling is also a name in many places (``n.set``, ``{load: 1}``, ``AS create``): it
passes only where no clause can stand, and in backticks everywhere.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from itertools import pairwise
from typing import Final

from cypher.errors import QueryError
from cypher.tokens import Kind, Token, line_of, tokens
from cypher.translation import translate

PROCEDURES: Final = ("db.index.fulltext.queryNodes", "db.index.vector.queryNodes")
"""What a question may call."""

_NAMESPACES: Final = frozenset({
    "date", "datetime", "duration", "localdatetime", "localtime", "point", "time", "vector",
})  # fmt: skip
"""Of functions with a dot in the name; others are of plug-ins, or of the server itself."""

_BEGIN: Final = ("MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN", "CALL")
_REFUSED: Final = frozenset({
    "CREATE", "DELETE", "DETACH", "FOREACH", "INSERT", "LOAD", "MERGE", "NODETACH", "REMOVE",
    "SET", "USE",
})  # fmt: skip
"""Of what may not run, the keywords that can stand behind such a beginning."""

_SEQUENCES: Final = frozenset({"NEXTVAL", "SETSEED"})
"""Functions that change something."""

_BEFORE_VALUES: Final = frozenset({
    "AND", "AS", "BY", "CALL", "CASE", "CONTAINS", "DISTINCT", "ELSE", "ENDS", "IN", "LIMIT",
    "NOT", "OFFSET", "OR", "RETURN", "SKIP", "STARTS", "THEN", "UNWIND", "WHEN", "WHERE", "WITH",
    "XOR", "YIELD",
})  # fmt: skip
"""Keywords behind which a word that is spelt AS or WITH may be a variable."""

_OPERATORS: Final = frozenset({"=", "<>", "<=", ">=", "=~"})
_NAME_FOLLOWS: Final = _OPERATORS | {":", "|", ",", "["}
"""Behind these no clause begins. (Behind * one does: ``RETURN * SET …``.)"""
_NAME_PRECEDES: Final = _OPERATORS | {")", "]", "}", ",", "<", ">", ""}
"""Before these, or before the end, stands none of the refused keywords."""

_NUMBER_GOES_ON: Final = re.compile(r"[xX][0-9a-fA-F]+|o?[0-7]+|_[0-9_]+")
"""What follows the first digits of 0x1F, 0o17 and 1_000."""

_ESCAPE: Final = re.compile(r"\\u+([0-9a-fA-F]{4})")
_ESCAPE_OR_BACKSLASH: Final = re.compile(r"\\\\|\\u+([0-9a-fA-F]{4})")


def check_read_only(text: str, first_line: int = 1) -> None:
    """See that a text is one statement which only reads the graph.

    Args:
        text: as an engine would get it.
        first_line: of the text in its file.

    Raises:
        QueryError: it is not, or an engine might read it in another way than it looks.
    """
    for reading in _readings(text):
        _Reading(reading, first_line).check()


def _readings(text: str) -> Iterator[str]:
    r"""The text, and as a server reads it that takes ``\u0043`` for a C, also outside strings."""
    yield text
    if "\\u" in text:
        yield _ESCAPE.sub(_character, text)
        yield _ESCAPE_OR_BACKSLASH.sub(_character, text)


def _character(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else match[0]


class _Reading:
    def __init__(self, text: str, first_line: int) -> None:
        self._text = text
        self._first_line = first_line

    def check(self) -> None:
        all_tokens = list(tokens(self._text))
        self._check_characters(all_tokens)
        self._check_numbers(all_tokens)
        self._stream = [token for token in all_tokens if token.kind not in ("space", "comment")]
        if self._stream and self._stream[-1].text == ";":
            self._stream.pop()
        if not self._stream:
            raise QueryError(
                translate(
                    "line {first_line}: there is no statement; write one",
                    first_line=self._first_line,
                )
            )
        first = self._stream[0]
        if _keyword(first) not in _BEGIN:
            near = get_close_matches(_keyword(first), _BEGIN, n=1)
            if near and _keyword(first) not in _REFUSED:
                message = translate(
                    "there is no clause {word!r}; write {near}", word=first.text, near=near[0]
                )
                raise self._error(first, message)
            raise self._error(
                first,
                translate(
                    "{word!r} is refused, for a question only reads the graph; begin with MATCH, "
                    "OPTIONAL MATCH, UNWIND, WITH, RETURN or CALL",
                    word=first.text,
                ),
            )
        for at, token in enumerate(self._stream):
            self._check_token(at, token)

    def _check_token(self, at: int, token: Token) -> None:
        word = _keyword(token)
        if token.text == ";":
            raise self._error(
                self._token(at + 1),
                translate("there is something behind ';'; ask one statement at a time"),
            )
        if token.text == "(":
            self._check_function(at)
        elif word in _REFUSED and not self._is_name(at):
            raise self._error(
                token,
                translate(
                    "{word} is refused, for a question only reads the graph; take it out, or "
                    "write `{word}` in backticks where it is a name",
                    word=token.text,
                ),
            )
        elif word == "CALL" and not self._is_name(at):
            self._check_call(at)

    def _check_call(self, at: int) -> None:
        if self._token(at + 1).text in {"{", "("}:  # a subquery, whose clauses are looked at too
            return
        names = [self._token(at + 1).name]
        while self._token(at + 2 * len(names)).text == ".":
            names.append(self._token(at + 2 * len(names) + 1).name)
        if ".".join(names) not in PROCEDURES:
            raise self._error(
                self._token(at),
                translate(
                    "CALL of {name} is refused; a question may call {procedures}",
                    name=".".join(names) or "this",
                    procedures=translate(" and ").join(PROCEDURES),
                ),
            )

    def _check_function(self, bracket: int) -> None:
        at = bracket - 1
        if not self._token(at).name:
            return
        names = [self._token(at).name]
        while self._token(at - 1).text == "." and self._token(at - 2).name:
            at -= 2
            names.insert(0, self._token(at).name)
        name = ".".join(names)
        allowed = "." not in name or name.lower().split(".")[0] in _NAMESPACES
        is_call = _keyword(self._token(at - 1)) == "CALL"
        if name.upper() in _SEQUENCES or not (allowed or is_call):
            refused = translate("the function {name} is refused; ask without it", name=name)
            raise self._error(self._token(at), refused)

    def _is_name(self, at: int) -> bool:
        """Whether no clause can begin with the word there, so that it is a name."""
        before, after = self._token(at - 1), self._token(at + 1)
        if before.text == ".":
            return self._has_properties(at - 2)
        if after.text == ".":
            return self._token(at + 2).kind in ("word", "quoted")
        if before.upper in {"AS", "RETURN", "WITH"} and self._ends_value(at - 2):
            return True
        return (
            before.text in _NAME_FOLLOWS
            or after.text in _NAME_PRECEDES
            or (before.text + after.text) in {"(:", "{:", "({"}
            or (before.upper == "BY" and self._token(at - 2).upper == "ORDER")
        )

    def _has_properties(self, at: int) -> bool:
        """Whether a dot behind the token there is not the dot of a number."""
        token = self._token(at)
        return token.kind in ("word", "quoted") or token.text in {")", "]", "}", "{", ","}

    def _ends_value(self, at: int) -> bool:
        """Whether a value ends with the token there, so that AS or WITH behind it is no name."""
        token = self._token(at)
        if token.kind != "word":
            return token.kind in ("string", "number", "parameter", "quoted") or (
                token.text in {")", "]", "}"}
            )
        return self._token(at - 1).text == "." or _keyword(token) not in _BEFORE_VALUES

    def _token(self, at: int) -> Token:
        return self._stream[at] if 0 <= at < len(self._stream) else _NOTHING

    def _check_characters(self, all_tokens: list[Token]) -> None:
        """See that both engines part the text into the same words as we do."""
        if match := re.search(r"\x00|\r(?!\n)", self._text):
            raise self._unfit(match.start())
        for token in all_tokens:
            if token.kind == "comment" and _closes_late(token.text):
                raise self._error(
                    token,
                    "a comment that ends in '**/' ends elsewhere for one engine; write ' */'",
                )
            fits = _FITS.get(token.kind)
            if fits and not (token.text.isascii() and token.text.isprintable()):
                bad = next((n for n, c in enumerate(token.text) if not fits(c)), None)
                if bad is not None:
                    raise self._unfit(token.start + bad)

    def _check_numbers(self, every: list[Token]) -> None:
        for token, after in pairwise([*every, _NOTHING]):
            digits = token.kind == "parameter" and token.text[1].isdigit()
            if digits and not token.text[1:].isdigit():
                raise self._apart(token, token.text)
            if (
                token.kind == "number"
                and after.kind == "word"
                and not _NUMBER_GOES_ON.fullmatch(after.text)
            ):
                raise self._apart(token, token.text + after.text)

    def _apart(self, token: Token, text: str) -> QueryError:
        return self._error(token, f"{text} may be read in two ways; put a space behind the number")

    def _unfit(self, offset: int) -> QueryError:
        at = Token("symbol", self._text[offset], offset)
        return self._error(
            at,
            f"the character U+{ord(at.text):04X} is refused outside strings and comments; "
            "take it out",
        )

    def _error(self, token: Token, what: str) -> QueryError:
        line = line_of(self._text, token.start) + self._first_line - 1
        return QueryError(translate("line {line}: {what}", line=line, what=what))


_NOTHING: Final = Token("space", "", 0)


def _keyword(token: Token) -> str:
    """A word in capitals, whatever letters of other scripts fold to them; else empty."""
    return token.text.casefold().upper() if token.kind == "word" else ""


def _is_space(character: str) -> bool:
    return character in "\t\n\r" or unicodedata.category(character).startswith("Z")


def _is_letter(character: str) -> bool:
    return f"a{character}".isidentifier()


_FITS: Final[dict[Kind, Callable[[str], bool]]] = {
    "space": _is_space,
    "word": _is_letter,
    "symbol": lambda _: False,
}
"""What may stand in tokens beyond the printable characters of ASCII."""


def _closes_late(comment: str) -> bool:
    """Whether the embedded engine, which takes stars in pairs, reads on behind a comment's end."""
    if not comment.startswith("/*"):
        return False
    inside = comment[2:-1]
    return (len(inside) - len(inside.rstrip("*"))) % 2 == 0
