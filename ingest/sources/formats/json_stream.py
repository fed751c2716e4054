"""Large JSON files: the elements of their lists one by one, never the whole file.

``elements`` reads a list of things at the top, or the lists in the objects of a
list at the top (``{"graphs": [{"nodes": […], "edges": […]}]}``), which is
how ontologies are written.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TextIO

from kg.errors import SourceError

_CHUNK: Final = 1 << 20
_SPACE: Final = " \t\r\n"


def elements(text: TextIO, path: Path) -> Iterator[tuple[str, Any]]:
    """Every element of every list, with the key of its list (empty at the top).

    Args:
        text: the file.
        path: for messages.

    Raises:
        SourceError: it is not JSON, or breaks off.
    """
    reader = _Reader(text, path)
    if reader.peek() == "[":
        yield from (("", element) for element in reader.items())
    else:
        for _ in reader.each_key():
            if reader.peek() == "[":
                for _ in reader.each():
                    yield from _lists(reader)
            else:
                reader.value()
    if reader.peek():
        raise reader.broken("something follows the end")


def first_character(text: TextIO) -> str:
    """What a file begins with, white space left out; empty for nothing."""
    while chunk := text.read(_CHUNK):
        if stripped := chunk.lstrip(_SPACE):
            return stripped[0]
    return ""


def _lists(reader: "_Reader") -> Iterator[tuple[str, Any]]:
    """The elements of the lists in an object; its other values are passed over."""
    if reader.peek() != "{":
        reader.value()
        return
    for key in reader.each_key():
        if reader.peek() == "[":
            for element in reader.items():
                yield key, element
        else:
            reader.value()


class _Reader:
    """Takes a text apart from its front."""

    def __init__(self, text: TextIO, path: Path) -> None:
        self._text = text
        self._path = path
        self._buffer = ""
        self._at = 0
        self._ended = False
        self._decoder = json.JSONDecoder()

    def peek(self) -> str:
        """The next character that is no white space; empty at the end."""
        while True:
            while self._at < len(self._buffer):
                character = self._buffer[self._at]
                if character not in _SPACE:
                    return character
                self._at += 1
            if not self._more(_CHUNK):
                return ""

    def each_key(self) -> Iterator[str]:
        """The keys of an object; whoever asks takes each value before the next key."""
        for _ in self._parts("{", "}"):
            key = self.value()
            if not isinstance(key, str):
                raise self.broken("a key is no text")
            self._take(":")
            yield key

    def items(self) -> Iterator[Any]:
        """The elements of a list."""
        for _ in self._parts("[", "]"):
            yield self.value()

    def each(self) -> Iterator[None]:
        """As often as a list has elements; whoever asks takes them."""
        return self._parts("[", "]")

    def value(self) -> Any:  # noqa: ANN401 -- whatever JSON holds
        """The next value."""
        if not self.peek():
            raise self.broken("it breaks off")
        size = _CHUNK
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._at)
            except (ValueError, RecursionError) as e:
                if isinstance(e, RecursionError) or not self._more(size):
                    raise self.broken(str(e).split(":", 1)[0]) from e
                size *= 2  # a long value is not tried anew at every chunk
                continue
            # a number may go on in the next chunk
            if end < len(self._buffer) or not self._more(size):
                break
        self._check_text(value, end)
        self._at = end
        return value

    def broken(self, why: str) -> SourceError:
        return SourceError(f"{self._path}: not JSON ({why}); download it again")

    def _parts(self, opening: str, closing: str) -> Iterator[None]:
        self._take(opening)
        while self.peek() != closing:
            yield
            if self.peek() != closing:
                self._take(",")
                if self.peek() == closing:
                    raise self.broken("a comma stands before the end of a list")
        self._take(closing)

    def _take(self, expected: str) -> None:
        if self.peek() != expected:
            found = self.peek()
            raise self.broken(
                f"{found!r} where {expected!r} should be" if found else "it breaks off"
            )
        self._at += 1

    def _more(self, size: int) -> bool:
        if self._ended:
            return False
        chunk = self._text.read(size)
        self._ended = not chunk
        self._buffer = self._buffer[self._at :] + chunk
        self._at = 0
        return bool(chunk)

    def _check_text(self, value: object, end: int) -> None:
        if self._buffer.find("\\u", self._at, end) < 0:
            return
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as e:
            raise self.broken("half of a surrogate pair is no text") from e
