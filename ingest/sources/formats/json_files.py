"""JSON files: parsing one text, and reading files of many values without holding them in memory.

``json_values`` reads JSON lines or one array, ``list_elements`` the lists of an ontology. In
both only one value is in memory at a time.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TextIO

from cypher.translation import translate
from ingest.reading import text_lines
from kg.errors import SourceError

_SPACE: Final = " \t\r\n"
_CHUNK: Final = 1 << 20
_MAX_FIRST_LINE: Final = 1024 * 1024
"""The most characters of the first line that are read to tell the layout."""
_UNFINISHED_TOKEN: Final = re.compile(r"[\w.+\\-]{0,8}")
"""What a truncated file may end in: a number, a word, an escape, or nothing."""

CUT_OFF: Final = "the file ends within this record, so it is cut off here"
"""Added to the reason of a last line that is truncated JSON."""


class RepeatedKeyError(ValueError):
    """An object has a key twice; JSON does not define which of the values counts."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the key {key[:200]!r} is there twice in one object")


class JsonValue(NamedTuple):
    """One value, or a text that is not JSON."""

    row: int
    """Its number in the file, from 1; blank lines do not count."""
    value: object
    problem: str | None = None
    """Why the text, which is then the value, cannot be used."""


def parse_json(text: str) -> Any:  # noqa: ANN401 -- whatever JSON holds
    """The value that a text is.

    Raises:
        RepeatedKeyError: an object in it has a key twice.
        ValueError: it is not JSON, or has half of a surrogate pair.
        RecursionError: it is nested too deeply.
    """
    repeated: list[str] = []
    value = json.loads(text, object_pairs_hook=partial(_object_of_pairs, repeated))
    if repeated:
        raise RepeatedKeyError(repeated[0])
    _check_surrogates(value, text)
    return value


def parse_problem(error: Exception, subject: str = "") -> str:
    """The reason for an error that ``parse_json`` raised; the subject is, say, "the line is "."""
    return str(error) if isinstance(error, RepeatedKeyError) else f"{subject}not JSON: {error}"


def is_truncated(error: Exception, text: str) -> bool:
    """Whether a text is no JSON, by this error, because its end is missing."""
    if not isinstance(error, json.JSONDecodeError):
        return False
    rest = text[error.pos :].strip()
    return (
        error.msg.startswith("Unterminated string")
        or _UNFINISHED_TOKEN.fullmatch(rest) is not None
    )


def json_type(value: object) -> str:
    """The JSON type of a value, with its article: ``an object``, ``a number``."""
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case _:
            return "an object"


def first_character(text: TextIO, path: Path) -> str:
    """The first character of a file that is no white space; empty if there is none."""
    return _Parser(text, path).peek()


def json_values(path: Path, encoding: str = "utf-8") -> Iterator[JsonValue]:
    """The values of a file of JSON lines, or the elements of a file that is one array.

    A file that is one object over several lines is one value. If the file is truncated, even
    within a character, the last value is a text with its problem.

    Raises:
        SourceError: the file is missing, empty, in another encoding, or an array that is not
            JSON before its end.
    """
    readers = {"array": _array_elements, "document": _document, "lines": _lines}
    return readers[_layout(path, encoding)](path, encoding)


def _layout(path: Path, encoding: str) -> Literal["array", "document", "lines"]:
    """The layout of a file, by its first line; an array on one line may be a record of many."""
    with text_lines(path, encoding, cut=True) as text:
        pieces = (piece.strip() for piece in iter(lambda: text.readline(_MAX_FIRST_LINE), ""))
        first = next(filter(None, pieces), "")
    if not first:
        raise SourceError(
            translate("{path}: nothing but blanks is in the file; download it again", path=path)
        )
    is_value = line_value(first).problem is None
    if first.startswith("["):
        inner = first[1:].lstrip()
        return "array" if not is_value or inner[:1] in "{[]" else "lines"
    continues = first.startswith("{") and not is_value and len(first) < _MAX_FIRST_LINE // 2
    is_document = continues and next(_document(path, encoding)).problem is None
    return "document" if is_document else "lines"


def _document(path: Path, encoding: str) -> Iterator[JsonValue]:
    with text_lines(path, encoding, cut=True) as text:
        yield line_value(text.read())


def _lines(path: Path, encoding: str) -> Iterator[JsonValue]:
    with text_lines(path, encoding, cut=True) as text:
        for row, line in enumerate(filter(str.strip, text), 1):
            yield line_value(line.strip(), row, last=not line.endswith("\n"))


def line_value(text: str, row: int = 1, *, last: bool = False, subject: str = "") -> JsonValue:
    """The value that a line is, or the line with its problem.

    Args:
        text: of the line.
        row: its number.
        last: the file ends with it, without a line end, so it may be truncated.
        subject: as for ``parse_problem``.
    """
    try:
        return JsonValue(row, parse_json(text))
    except (ValueError, RecursionError) as e:
        cut_off = f"; {CUT_OFF}" if last and is_truncated(e, text) else ""
        return JsonValue(row, text, f"{parse_problem(e, subject)}{cut_off}")


def _array_elements(path: Path, encoding: str) -> Iterator[JsonValue]:
    """The elements of an array, each as soon as the file was read up to its end."""
    with text_lines(path, encoding, cut=True) as text:
        parser = _Parser(text, path)
        row = 1
        try:
            for _ in parser.each_item():
                element = parser.parsed_value()
                if element.problem:
                    yield JsonValue(row, element.text, element.problem)
                else:
                    yield JsonValue(row, element.value)
                row += 1
            parser.end()
        except _CutOffError as e:
            yield JsonValue(row, e.rest, f"not JSON: {CUT_OFF}")


def list_elements(text: TextIO, path: Path) -> Iterator[tuple[str, Any]]:
    """Every element of every list, with the key of its list (empty at the top).

    The lists are the file itself, or those in the objects of a list of the file's object
    (``{"graphs": [{"nodes": […], "edges": […]}]}``), as ontologies are written. Other values
    are skipped.

    Args:
        text: the file.
        path: for messages.

    Raises:
        SourceError: it is not JSON, or is truncated.
    """
    parser = _Parser(text, path)
    if parser.peek() == "[":
        yield from _elements_of_list("", parser)
    else:
        for _ in parser.each_key():
            if parser.peek() == "[":
                for _ in parser.each_item():
                    yield from _elements_of_object(parser)
            else:
                parser.value()
    parser.end()


def _elements_of_object(parser: "_Parser") -> Iterator[tuple[str, Any]]:
    if parser.peek() != "{":
        parser.value()
        return
    for key in parser.each_key():
        if parser.peek() == "[":
            yield from _elements_of_list(key, parser)
        else:
            parser.value()


def _elements_of_list(key: str, parser: "_Parser") -> Iterator[tuple[str, Any]]:
    for _ in parser.each_item():
        element = parser.parsed_value()
        if element.problem:
            raise parser.error(element.problem.removeprefix("not JSON: "))
        yield key, element.value


def _object_of_pairs(repeated: list[str], pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of some pairs; keys that occur twice are added to ``repeated``."""
    value = dict(pairs)
    if len(value) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        repeated += [key for key, count in counts.items() if count > 1]
    return value


def _check_surrogates(value: object, text: str) -> None:
    r"""Raise a ValueError if a value has half of a surrogate pair, as ``\u`` escapes may write.

    Such a value could not be written to a file.
    """
    if "\\u" not in text:
        return
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as e:
        raise ValueError("half of a surrogate pair is no text") from e


class _CutOffError(SourceError):
    """A file ends before its value does; everything before its last part is complete."""

    def __init__(self, message: str, rest: str) -> None:
        super().__init__(message)
        self.rest = rest
        """The beginning of the last part."""


class _ParsedValue(NamedTuple):
    """A value that may be unusable."""

    value: Any
    text: str
    """Its JSON in the file."""
    problem: str | None
    """Why it cannot be used, None if it can."""


class _Parser:
    """Parses a file from its beginning, so that only one of its values is in memory.

    While ``each_key`` or ``each_item`` is iterated over, each value is taken before the next.
    """

    def __init__(self, text: TextIO, path: Path) -> None:
        """Take a file, and its path for messages."""
        self._text = text
        self._path = path
        self._buffer = ""
        self._position = 0
        self._consumed = 0
        """Characters of the file before the buffer."""
        self._ended = False
        self._repeated: list[str] = []
        self._decoder = json.JSONDecoder(
            object_pairs_hook=partial(_object_of_pairs, self._repeated)
        )

    def peek(self) -> str:
        """The next character that is no white space; empty at the end."""
        while True:
            while self._position < len(self._buffer):
                character = self._buffer[self._position]
                if character not in _SPACE:
                    return character
                self._position += 1
            if not self._read(_CHUNK):
                return ""

    def each_key(self) -> Iterator[str]:
        """The keys of the object that follows; SourceError if none does."""
        for _ in self._members("{", "}"):
            key, _ = self.value()
            if not isinstance(key, str):
                raise self.error("a key is no text")
            self._expect(":")
            yield key

    def each_item(self) -> Iterator[None]:
        """Once for each element of the list that follows; SourceError if none does."""
        return self._members("[", "]")

    def value(self) -> tuple[Any, str]:
        """The next value and its JSON; SourceError if there is none, or it is truncated."""
        if not self.peek():
            raise self._cut_off()
        size = _CHUNK
        while True:
            self._repeated.clear()
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._position)
            except (ValueError, RecursionError) as e:
                if isinstance(e, RecursionError) or not self._read(size):
                    if is_truncated(e, self._buffer):
                        raise self._cut_off() from e
                    raise self.error(str(e).split(":", 1)[0]) from e
                size *= 2  # so that a long value is not parsed again for every chunk
                continue
            # a number may continue in the next chunk
            if end < len(self._buffer) or not self._read(size):
                break
        text = self._buffer[self._position : end]
        self._position = end
        return value, text

    def parsed_value(self) -> _ParsedValue:
        """The next value, with its problem; SourceError as ``value``."""
        value, text = self.value()
        if self._repeated:
            return _ParsedValue(value, text, str(RepeatedKeyError(self._repeated[0])))
        try:
            _check_surrogates(value, text)
        except ValueError as e:
            return _ParsedValue(value, text, parse_problem(e))
        return _ParsedValue(value, text, None)

    def end(self) -> None:
        """Check that nothing follows; SourceError if something does."""
        if self.peek():
            raise self.error("something follows the end")

    def error(self, why: str) -> SourceError:
        """The error for what follows, which is not JSON."""
        at = f"at character {self._consumed + self._position + 1:,}"
        return SourceError(
            translate(
                "{path}: not JSON {at} ({why}); download it again, or correct it there",
                path=self._path,
                at=at,
                why=why,
            )
        )

    def _cut_off(self) -> _CutOffError:
        return _CutOffError(str(self.error("it breaks off")), self._buffer[self._position :])

    def _members(self, opening: str, closing: str) -> Iterator[None]:
        self._expect(opening)
        while self.peek() != closing:
            yield
            if self.peek() != closing:
                self._expect(",")
                if self.peek() == closing:
                    raise self.error("a comma stands before the end of a list")
        self._expect(closing)

    def _expect(self, expected: str) -> None:
        character = self.peek()
        if not character:
            raise self._cut_off()
        if character != expected:
            raise self.error(f"{character!r} where {expected!r} should be")
        self._position += 1

    def _read(self, size: int) -> bool:
        """Read more of the file into the buffer; False at its end."""
        if self._ended:
            return False
        chunk = self._text.read(size)
        self._ended = not chunk
        if chunk:
            self._consumed += self._position
            self._buffer = self._buffer[self._position :] + chunk
            self._position = 0
        return bool(chunk)
