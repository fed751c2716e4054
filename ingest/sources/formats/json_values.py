"""The values of a JSON file, one after another: JSON lines, or the elements of one array.

Both are read in pieces, so that only one value stands in memory. A file that is
one object over several lines is one value.
"""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final, Literal, NamedTuple, TextIO

from ingest.reading import text_lines
from kg.errors import SourceError

_CHUNK: Final = 1024 * 1024
_BLANKS: Final = " \t\r\n"


class JsonValue(NamedTuple):
    """One value, or a text that is none."""

    row: int
    """Its place in the file, from 1; blank lines do not count."""
    value: object
    problem: str | None = None
    """Why the text, which is then the value, is no JSON."""


def json_values(path: Path, encoding: str = "utf-8") -> Iterator[JsonValue]:
    """Read a file.

    Raises:
        SourceError: it is missing, empty, cut off, in another encoding, or an array
            that is not JSON to its end.
    """
    readers = {"array": _elements, "document": _document, "lines": _lines}
    return readers[_shape(path, encoding)](path, encoding)


def _shape(path: Path, encoding: str) -> Literal["array", "document", "lines"]:
    """What the file is, by its first line; an array on a line may also be one record of many."""
    with text_lines(path, encoding) as text:
        pieces = (piece.strip() for piece in iter(lambda: text.readline(_CHUNK), ""))
        first = next(filter(None, pieces), "")
    if not first:
        raise SourceError(f"{path}: nothing but blanks is in the file; download it again")
    whole = _parsed(first).problem is None
    if first.startswith("["):
        inner = first[1:].lstrip()
        return "array" if not whole or inner[:1] in "{[]" else "lines"
    broken_off = first.startswith("{") and not whole and len(first) < _CHUNK // 2
    return (
        "document" if broken_off and next(_document(path, encoding)).problem is None else "lines"
    )


def _document(path: Path, encoding: str) -> Iterator[JsonValue]:
    with text_lines(path, encoding) as text:
        yield _parsed(text.read())


def _lines(path: Path, encoding: str) -> Iterator[JsonValue]:
    with text_lines(path, encoding) as text:
        lines = (line.strip() for line in text)
        for row, line in enumerate(filter(None, lines), 1):
            yield _parsed(line, row)


def _parsed(text: str, row: int = 1) -> JsonValue:
    try:
        return _lettered(row, json.loads(text), text)
    except (ValueError, RecursionError) as e:
        return JsonValue(row, text, f"not JSON: {e}")


def _lettered(row: int, value: object, text: str) -> JsonValue:
    r"""A value, unless it has half of a pair of ``\u`` escapes, which is no letter."""
    if "\\u" in text:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as e:
            return JsonValue(row, text, f"not JSON: {e}")
    return JsonValue(row, value)


def _elements(path: Path, encoding: str) -> Iterator[JsonValue]:
    """The elements of an array, each as soon as the file was read to its end."""
    with text_lines(path, encoding) as text:
        rest = _Rest(text)
        rest.skip("[")
        for row in count(1):
            if rest.skip("]"):
                return
            if row > 1 and not rest.skip(","):
                raise SourceError(f"{path}, element {row}: no comma before it; correct the file")
            try:
                value, written = rest.value()
            except (ValueError, RecursionError) as e:
                raise SourceError(f"{path}, element {row}: not JSON: {e}; correct the file") from e
            yield _lettered(row, value, written)


class _Rest:
    """What was not used yet of a text that is read piece by piece."""

    def __init__(self, text: TextIO) -> None:
        self._text = text
        self._read = ""
        self._at = 0
        self._decoder = json.JSONDecoder()

    def skip(self, mark: str) -> bool:
        """Pass over blanks, and then over ``mark`` if it is there."""
        self._skip_blanks()
        found = self._read.startswith(mark, self._at)
        self._at += len(mark) if found else 0
        return found

    def value(self) -> tuple[object, str]:
        """The JSON value that follows, and how it is written.

        Raises:
            ValueError: what follows is no JSON.
            RecursionError: it is nested too deeply.
        """
        self._skip_blanks()
        size = _CHUNK
        while True:
            try:
                value, end = self._decoder.raw_decode(self._read, self._at)
            except json.JSONDecodeError:
                if not self._more(size):
                    raise
            else:
                written = self._read[self._at : end]
                self._at = end
                return value, written
            size *= 2  # a long value is not parsed anew for every small piece

    def _skip_blanks(self) -> None:
        while True:
            while self._at < len(self._read) and self._read[self._at] in _BLANKS:
                self._at += 1
            if self._at < len(self._read) or not self._more(_CHUNK):
                return

    def _more(self, size: int) -> bool:
        part = self._text.read(size)
        self._read, self._at = self._read[self._at :] + part, 0
        return bool(part)
