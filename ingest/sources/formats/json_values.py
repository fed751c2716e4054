"""The values of a JSON file, one after another: JSON lines, or the elements of one array.

Both are read in pieces, so that only one value stands in memory. A file that is
one object over several lines is one value.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple

from ingest.reading import text_lines
from ingest.sources.formats.json_text import (
    CUT_OFF,
    CutOffError,
    JsonText,
    breaks_off,
    parsed,
    why_unreadable,
)
from kg.errors import SourceError

_LONGEST_LINE: Final = 1024 * 1024
"""Characters of the first line that are looked at."""


class JsonValue(NamedTuple):
    """One value, or a text that is none."""

    row: int
    """Its place in the file, from 1; blank lines do not count."""
    value: object
    problem: str | None = None
    """Why the text, which is then the value, is no JSON."""


def json_values(path: Path, encoding: str = "utf-8") -> Iterator[JsonValue]:
    """Read a file.

    Where a file is cut off, within a character even, the last value is a text that is none.

    Raises:
        SourceError: it is missing, empty, in another encoding, or an array that is not JSON
            before its end.
    """
    readers = {"array": _elements, "document": _document, "lines": _lines}
    return readers[_shape(path, encoding)](path, encoding)


def _shape(path: Path, encoding: str) -> Literal["array", "document", "lines"]:
    """What the file is, by its first line; an array on a line may also be one record of many."""
    with text_lines(path, encoding, cut=True) as text:
        pieces = (piece.strip() for piece in iter(lambda: text.readline(_LONGEST_LINE), ""))
        first = next(filter(None, pieces), "")
    if not first:
        raise SourceError(f"{path}: nothing but blanks is in the file; download it again")
    whole = _parsed(first).problem is None
    if first.startswith("["):
        inner = first[1:].lstrip()
        return "array" if not whole or inner[:1] in "{[]" else "lines"
    broken_off = first.startswith("{") and not whole and len(first) < _LONGEST_LINE // 2
    return (
        "document" if broken_off and next(_document(path, encoding)).problem is None else "lines"
    )


def _document(path: Path, encoding: str) -> Iterator[JsonValue]:
    with text_lines(path, encoding, cut=True) as text:
        yield _parsed(text.read())


def _lines(path: Path, encoding: str) -> Iterator[JsonValue]:
    with text_lines(path, encoding, cut=True) as text:
        for row, line in enumerate(filter(str.strip, text), 1):
            yield _parsed(line.strip(), row, last=not line.endswith("\n"))


def _parsed(text: str, row: int = 1, *, last: bool = False) -> JsonValue:
    try:
        return JsonValue(row, parsed(text))
    except (ValueError, RecursionError) as e:
        cut = f"; {CUT_OFF}" if last and breaks_off(e, text) else ""
        return JsonValue(row, text, f"{why_unreadable(e)}{cut}")


def _elements(path: Path, encoding: str) -> Iterator[JsonValue]:
    """The elements of an array, each as soon as the file was read to its end."""
    with text_lines(path, encoding, cut=True) as text:
        json = JsonText(text, path)
        row = 1
        try:
            for _ in json.each_place():
                value, written, fault = json.sound_value()
                yield JsonValue(row, written, fault) if fault else JsonValue(row, value)
                row += 1
            json.end()
        except CutOffError as e:
            yield JsonValue(row, e.rest, f"not JSON: {CUT_OFF}")
