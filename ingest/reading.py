"""Opening what users give: existence, compression, encoding, column names.

What makes a whole file unreadable is a ``SourceError`` of one sentence that
names the file. Text is UTF-8 unless the source's settings say otherwise; the
encoding that another text seems to have is told, never assumed.
"""

import gzip
import io
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import IO, Final, TextIO, cast

from charset_normalizer import from_bytes

from kg.errors import SourceError

_CHUNK: Final = 4 * 1024 * 1024
_SHOWN: Final = 60
"""Characters of a column's name in a message."""

_ENCODINGS: Final = (
    "utf-8",
    "utf-16",
    "gb18030",
    "big5",
    "shift-jis",
    "euc-kr",
    "cp1252",
    "cp1251",
)
"""Those that tables are likely to be in; among all that Python knows, a short text fits many."""
_SEPARATORS: Final = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "vertical bars"}


def existing_file(path: Path) -> Path:
    """The path itself.

    Raises:
        SourceError: no file is there, or it is empty.
    """
    if not path.is_file():
        state = "is a folder, not a file" if path.is_dir() else "does not exist"
        raise SourceError(f"{path}: {state}; correct the source's path in the configuration")
    if not path.stat().st_size:
        raise SourceError(f"{path}: the file is empty; download it again")
    return path


def ending(path: Path) -> str:
    """What a file's name ends in, ``.gz`` left out, in small letters: ``.json``; or nothing."""
    return Path(path.name.removesuffix(".gz")).suffix.casefold()


@contextmanager
def text_lines(path: Path, encoding: str = "utf-8") -> Iterator[TextIO]:
    """An existing file, decompressed if its name ends in .gz, as text.

    Raises:
        SourceError: missing, empty, cut off, or not in this encoding; also
            while lines are read from it.
    """
    codec = "utf-8-sig" if _is_utf8(encoding) else encoding
    with (
        decoding_errors(existing_file(path), encoding),
        _opened(path) as binary,
        _text(binary, codec) as text,
    ):
        yield text


def check_columns(
    path: Path, names: Sequence[str], required: Sequence[str], delimiter: str | None = None
) -> None:
    """Check that a file's columns differ in name, whatever the case, and that none is missing.

    Args:
        path: the file, for the message.
        names: its columns.
        required: those that must be there.
        delimiter: what separated the columns, if anything did.

    Raises:
        SourceError: a name is there twice, or a required one is not.
    """
    folded = [name.casefold() for name in names]
    if repeated := [name for name in names if folded.count(name.casefold()) > 1]:
        raise SourceError(
            f"{path}: the header has {_quoted(repeated)}, which are one name; rename columns"
        )
    missing = [name for name in dict.fromkeys(required) if name not in names]
    if not missing:
        return
    if delimiter and len(names) == 1:
        for separator, called in _SEPARATORS.items():
            if separator != delimiter and separator in names[0]:
                raise SourceError(
                    f"{path}: the columns are separated by {called}, not by "
                    f"{delimiter!r}; correct the delimiter or the file"
                )
    near = get_close_matches(missing[0], names, n=1)
    meant = f"; perhaps {_quoted(near)} is meant" if near else ""
    raise SourceError(
        f"{path}: the header lacks {_quoted(missing)}; it has {_quoted(names[:20])}{meant}"
    )


def looks_like(path: Path, at: int = 0) -> str:
    """The encoding that the bytes around ``at`` seem to have."""
    with _opened(path) as file:
        file.seek(max(0, at - 2048))
        best = from_bytes(file.read(65536), cp_isolation=list(_ENCODINGS)).best()
    return best.encoding.replace("_", "-") if best else "binary data"


def _is_utf8(encoding: str) -> bool:
    return encoding.casefold().replace("-", "").replace("_", "") in ("utf8", "utf8sig", "ascii")


def _opened(path: Path) -> IO[bytes]:
    if path.suffix == ".gz":
        return cast("IO[bytes]", gzip.open(path, "rb"))
    return path.open("rb")


def _text(binary: IO[bytes], codec: str, newline: str | None = None) -> TextIO:
    return io.TextIOWrapper(binary, encoding=codec, newline=newline)


@contextmanager
def decoding_errors(path: Path, encoding: str = "utf-8") -> Iterator[None]:
    """Tell what is wrong with a file whose bytes are read as text.

    Raises:
        SourceError: it may not be read, is cut off, or not in this encoding, or Python knows
            no such encoding of text.
    """
    try:
        "".encode(encoding)
    except LookupError as e:
        raise SourceError(f"{path}: {e}; correct 'encoding'") from e
    try:
        yield
    except UnicodeDecodeError as e:
        if _is_utf8(encoding):
            raise SourceError(not_utf8(path, looks_like(path, e.start))) from e
        raise SourceError(f"{path}: not {encoding} text; correct 'encoding'") from e
    except PermissionError as e:
        raise SourceError(f"{path}: may not be read; give yourself the permission") from e
    except (EOFError, gzip.BadGzipFile, zlib.error) as e:
        raise SourceError(
            f"{path}: the compressed file is damaged or cut off; download it again"
        ) from e


def not_utf8(where: Path | str, encoding: str) -> str:
    """The sentence for a text that is not UTF-8 but looks like ``encoding``."""
    return (
        f"{where}: not UTF-8 text, it looks like {encoding}; convert the file to UTF-8 "
        f"(a source that has the setting can say 'encoding: {encoding}' instead)"
    )


def plain_copy(path: Path, encoding: str, work: Path) -> Path:
    """The file itself if it is plain UTF-8, else a decompressed, recoded copy in ``work``.

    Raises:
        SourceError: the file is missing, empty, cut off, or not in this encoding.
    """
    existing_file(path)
    if path.suffix != ".gz" and _is_utf8(encoding):
        return path
    copy = work / path.name.removesuffix(".gz")
    with decoding_errors(path, encoding), _opened(path) as source, copy.open("wb") as target:
        if _is_utf8(encoding):
            while chunk := source.read(_CHUNK):
                target.write(chunk)
        else:
            with _text(source, encoding, newline="") as text:
                while part := text.read(_CHUNK):
                    target.write(part.encode())
    return copy


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(repr(name if len(name) <= _SHOWN else f"{name[:_SHOWN]}…") for name in names)
