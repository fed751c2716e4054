"""JSON: a text that is one value, and a long file that is taken apart from its front."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, TextIO

from kg.errors import SourceError

_SPACE: Final = " \t\r\n"
_CHUNK: Final = 1 << 20
_BEGUN: Final = re.compile(r"[\w.+\\-]{0,8}")
"""What a file that is cut off may end in: a number, a word, an escape, or nothing."""


CUT_OFF: Final = "the file ends within this record, so it is cut off here"
"""What is said besides of a last line that is no JSON and has no end."""


class CutOffError(SourceError):
    """A file ends before its value does; all before its last part is whole."""

    def __init__(self, message: str, rest: str) -> None:
        super().__init__(message)
        self.rest = rest
        """What is there of the part that has no end."""


class RepeatedKeyError(ValueError):
    """An object has a key twice; JSON does not say which of the values holds."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the key {key[:200]!r} is there twice in one object")


def parsed(text: str) -> Any:  # noqa: ANN401 -- whatever JSON holds
    """The value that a text is.

    Raises:
        RepeatedKeyError: an object in it has a key twice.
        ValueError: it is not JSON, or ``check_letters`` finds fault with it.
        RecursionError: it is nested too deeply.
    """
    repeated: list[str] = []
    value = json.loads(text, object_pairs_hook=partial(_object, repeated))
    if repeated:
        raise RepeatedKeyError(repeated[0])
    check_letters(value, text)
    return value


def why_unreadable(error: Exception) -> str:
    """What to say of a text of which ``parsed`` raised an error."""
    return str(error) if isinstance(error, RepeatedKeyError) else f"not JSON: {error}"


def kind_of(value: object) -> str:
    """What JSON calls a value, with its article: ``an object``, ``a number``."""
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


def _object(repeated: list[str], pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of some pairs; the keys that are there twice are put into ``repeated``."""
    value = dict(pairs)
    if len(value) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        repeated += [key for key, count in counts.items() if count > 1]
    return value


def check_letters(value: object, written: str) -> None:
    r"""Check that a value can be written down: half of a pair of ``\u`` escapes is no letter.

    Raises:
        ValueError: it has such a half.
    """
    if "\\u" not in written:
        return
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as e:
        raise ValueError("half of a surrogate pair is no text") from e


def breaks_off(error: Exception, text: str) -> bool:
    """Whether what an error misses in a text would stand behind its end."""
    if not isinstance(error, json.JSONDecodeError):
        return False
    rest = text[error.pos :].strip()
    return error.msg.startswith("Unterminated string") or _BEGUN.fullmatch(rest) is not None


class JsonText:
    """Takes a file apart from its front, so that one value of it stands in memory.

    Whoever goes through ``each_key`` or ``each_place`` takes each value before the next.

    Args:
        text: the file.
        path: for messages.
    """

    def __init__(self, text: TextIO, path: Path) -> None:
        self._text = text
        self._path = path
        self._buffer = ""
        self._at = 0
        self._before = 0
        """Characters of the file before the buffer."""
        self._ended = False
        self._repeated: list[str] = []
        self._decoder = json.JSONDecoder(object_pairs_hook=partial(_object, self._repeated))

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
        """The keys of the object that follows.

        Raises:
            SourceError: it is none.
        """
        for _ in self._parts("{", "}"):
            key, _ = self.value()
            if not isinstance(key, str):
                raise self.broken("a key is no text")
            self._take(":")
            yield key

    def each_place(self) -> Iterator[None]:
        """As often as the list that follows has elements.

        Raises:
            SourceError: it is no list.
        """
        return self._parts("[", "]")

    def value(self) -> tuple[Any, str]:
        """The next value, and how it is written.

        Raises:
            SourceError: there is none, or it breaks off.
        """
        return self._value()

    def sound_value(self) -> tuple[Any, str, str | None]:
        """The next value, how it is written, and why it cannot be used, None if it can.

        Raises:
            SourceError: there is none, or it breaks off.
        """
        value, written = self._value()
        if self._repeated:
            return value, written, str(RepeatedKeyError(self._repeated[0]))
        try:
            check_letters(value, written)
        except ValueError as e:
            return value, written, why_unreadable(e)
        return value, written, None

    def _value(self) -> tuple[Any, str]:
        if not self.peek():
            raise self._cut_off()
        size = _CHUNK
        while True:
            self._repeated.clear()
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._at)
            except (ValueError, RecursionError) as e:
                if isinstance(e, RecursionError) or not self._more(size):
                    if breaks_off(e, self._buffer):
                        raise self._cut_off() from e
                    raise self.broken(str(e).split(":", 1)[0]) from e
                size *= 2  # a long value is not tried anew at every chunk
                continue
            # a number may go on in the next chunk
            if end < len(self._buffer) or not self._more(size):
                break
        written = self._buffer[self._at : end]
        self._at = end
        return value, written

    def end(self) -> None:
        """See that nothing follows.

        Raises:
            SourceError: something does.
        """
        if self.peek():
            raise self.broken("something follows the end")

    def broken(self, why: str) -> SourceError:
        """The error for what stands here, which is not JSON."""
        at = f"at character {self._before + self._at + 1:,}"
        return SourceError(
            f"{self._path}: not JSON {at} ({why}); download it again, or correct it there"
        )

    def _cut_off(self) -> CutOffError:
        return CutOffError(str(self.broken("it breaks off")), self._buffer[self._at :])

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
        found = self.peek()
        if not found:
            raise self._cut_off()
        if found != expected:
            raise self.broken(f"{found!r} where {expected!r} should be")
        self._at += 1

    def _more(self, size: int) -> bool:
        if self._ended:
            return False
        chunk = self._text.read(size)
        self._ended = not chunk
        if chunk:
            self._before += self._at
            self._buffer = self._buffer[self._at :] + chunk
            self._at = 0
        return bool(chunk)
