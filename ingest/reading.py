"""Opening what users give: existence, compression, encoding, column names.

What makes a whole file unreadable is a ``SourceError`` of one sentence that
names the file. Text is UTF-8 unless the source's settings say otherwise; the
encoding that another text seems to have is named in the error, never assumed.
"""

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import IO, Final, TextIO, TypeVar, cast

import chardet
import yaml
from ftfy.badness import is_bad
from pydantic import TypeAdapter, ValidationError

from cypher.translation import translate
from kg.errors import SourceError
from kg.shipped import shipped_yaml

_Content = TypeVar("_Content")
_CHUNK: Final = 4 * 1024 * 1024
_SHOWN: Final = 60
"""Characters of a column's name in a message."""

_ENCODINGS: Final = (
    *("utf-8", "utf-16", "utf-16-le", "utf-16-be"),
    *("gb18030", "big5hkscs", "cp932", "euc_jis_2004", "cp949", "cp1252", "cp1251"),
)
"""Those that tables are likely to be in; among all that there are, a short text fits many."""
_COMMON: Final = b"\xd7"
"""First byte of the last character of GB 2312's first level: below are those in common use."""
_ASCII: Final = bytes(range(0x80))
_LONGEST_CUT: Final = 3
"""Bytes of a character that is cut; where there are no others the last may be a letter of Latin 1."""
_SUBSETS: Final = {
    "big5hkscs": ("big5", "cp950"),
    "cp932": ("shift-jis",),
    "euc_jis_2004": ("euc-jp",),
    "cp949": ("euc-kr",),
}
"""The encodings that people know, by the one that has them whole."""
_NO_TEXT: Final = {
    b"PK\x03\x04": "a ZIP archive or an Excel workbook (.xlsx)",
    b"\x1f\x8b": "compressed by gzip; let its name end in .gz",
    b"%PDF-": "a PDF",
    b"PAR1": "a Parquet file",
    b"SQLite format 3": "an SQLite database",
    bytes.fromhex("d0cf11e0a1b11ae1"): "an old Office file (.xls, .doc)",
}
"""What files are that are no text, by their first bytes."""
_SAMPLE: Final = 64 * 1024
_CUT: Final = "medkg-cut"
_FEWEST: Final = 8
"""Characters that are enough to distinguish UTF-8 from other multi-byte encodings."""
_SEPARATORS: Final = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "vertical bars"}


def existing_file(path: Path) -> Path:
    """The path itself.

    Raises:
        SourceError: no file is there, or it is empty.
    """
    if not path.is_file():
        if path.is_dir():
            state = translate("is a folder, not a file")
        else:
            state = translate("does not exist")
        raise SourceError(
            translate(
                "{path}: {state}; correct the source's path in the configuration",
                path=path,
                state=state,
            )
        )
    if not path.stat().st_size:
        raise SourceError(translate("{path}: the file is empty; download it again", path=path))
    return path


def ending(path: Path) -> str:
    """What a file's name ends in, ``.gz`` left out, in small letters: ``.json``; or nothing."""
    return Path(path.name.removesuffix(".gz")).suffix.casefold()


@contextmanager
def text_lines(path: Path, encoding: str = "utf-8", *, cut: bool = False) -> Iterator[TextIO]:
    """An existing file, decompressed if its name ends in .gz, as text.

    Args:
        path: the file.
        encoding: its name in Python.
        cut: a character that the end of the file cuts in two is no error but U+FFFD; for
            formats in which what is cut off shows by itself.

    Raises:
        SourceError: missing, empty, cut off, or not in this encoding; also
            while lines are read from it.
    """
    codec = "utf-8-sig" if _is_utf8(encoding) else encoding
    with (
        decoding_errors(existing_file(path), encoding),
        _opened(path) as binary,
        io.TextIOWrapper(binary, encoding=codec, errors=_CUT if cut else None) as text,
    ):
        yield text


def _replace_cut(error: UnicodeError) -> tuple[str, int]:
    """Take the beginning of a character at the very end for one that was lost."""
    if (
        isinstance(error, UnicodeDecodeError)
        and error.end == len(error.object)
        and error.reason in ("unexpected end of data", "incomplete multibyte sequence")
    ):
        return "\ufffd", error.end
    raise error


codecs.register_error(_CUT, _replace_cut)


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
        SourceError: a name is there twice, a required one is not, or the names are UTF-16.
    """
    first = names[0] if names else ""
    for likely, others in (("utf-16-be", first[0::2]), ("utf-16-le", first[1::2])):
        if others and not others.strip("\0"):
            raise SourceError(
                translate(
                    "{path}: not UTF-8 text, it looks like {likely}; convert the file to UTF-8 "
                    "(a source that has the setting can say 'encoding: {likely}' instead)",
                    path=path,
                    likely=likely,
                )
            )
    folded = [name.casefold() for name in names]
    if repeated := [name for name in names if folded.count(name.casefold()) > 1]:
        raise SourceError(
            translate(
                "{path}: the header has {names}, which are one name; rename columns",
                path=path,
                names=_quoted(repeated),
            )
        )
    missing = [name for name in dict.fromkeys(required) if name not in names]
    if not missing:
        return
    if delimiter and len(names) == 1:
        for separator, separator_name in _SEPARATORS.items():
            if separator != delimiter and separator in names[0]:
                raise SourceError(
                    translate(
                        "{path}: the columns are separated by {separator_name}, not by "
                        "{delimiter!r}; correct the delimiter or the file",
                        path=path,
                        separator_name=translate(separator_name),
                        delimiter=delimiter,
                    )
                )
    similar = get_close_matches(missing[0], names, n=1)
    suggestion = translate("; perhaps {name} is meant", name=_quoted(similar)) if similar else ""
    raise SourceError(
        translate(
            "{path}: the header lacks {missing}; it has {names}{suggestion}",
            path=path,
            missing=_quoted(missing),
            names=_quoted(names[:20]),
            suggestion=suggestion,
        )
    )


def _is_utf8(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name in ("utf-8", "utf-8-sig", "ascii")
    except LookupError:
        return False


def _opened(path: Path) -> IO[bytes]:
    if path.suffix == ".gz":
        return cast("IO[bytes]", gzip.open(path, "rb"))
    return path.open("rb")


@contextmanager
def decoding_errors(path: Path, encoding: str = "utf-8") -> Iterator[None]:
    """Turn errors of reading a text file into a ``SourceError``.

    Raises:
        SourceError: it may not be read, is cut off, or not in this encoding (also where it could
            be read so but is UTF-8), or Python knows no such encoding of text.
    """
    try:
        "".encode(encoding)
    except LookupError as e:
        raise SourceError(translate("{path}: {why}; correct 'encoding'", path=path, why=e)) from e
    try:
        if not _is_utf8(encoding):
            _check_not_utf8(path, encoding)
        yield
    except UnicodeDecodeError as e:
        raise undecodable(path, encoding=encoding) from e
    except PermissionError as e:
        raise SourceError(
            translate("{path}: may not be read; give yourself the permission", path=path)
        ) from e
    except (EOFError, gzip.BadGzipFile, zlib.error) as e:
        raise SourceError(
            translate(
                "{path}: the compressed file is damaged or cut off; download it again", path=path
            )
        ) from e


def undecodable(path: Path, where: str | None = None, encoding: str = "utf-8") -> SourceError:
    """The error for a file that is not in the encoding that it should be in.

    It names the encoding that the bytes seem to have, one in which they can be read.

    Args:
        path: the file.
        where: the place, for the message; the file if not given.
        encoding: the one that it should be in.
    """
    where = where or str(path)
    encoding_name = "UTF-8" if _is_utf8(encoding) else encoding
    with _opened(path) as file:
        head = file.read(_SAMPLE)
        for beginning, what in _NO_TEXT.items():
            if head.startswith(beginning):
                return SourceError(
                    translate(
                        "{where}: no text but {what}; give a file of text",
                        where=where,
                        what=translate(what),
                    )
                )
        file.seek(0)
        at = _first_undecodable(file, encoding)
        if at is None:
            file.seek(0)
            at = others = 0
            while chunk := file.read(_CHUNK):
                at += len(chunk)
                others += len(chunk.translate(None, _ASCII))
            if others > _LONGEST_CUT:
                return SourceError(
                    translate(
                        "{where}: the file is cut off within its last character; download it again",
                        where=where,
                    )
                )
        start = max(0, at - _SAMPLE // 2)
        file.seek(start)
        sample = file.read(_SAMPLE)
    if start:  # not from within a character
        sample = sample.partition(b"\n")[2] or sample
    likely = _likely_encoding(sample)
    if likely is None:
        return SourceError(
            translate(
                "{where}: not {encoding_name} text, and which encoding it is in cannot be "
                "told; convert the file to UTF-8",
                where=where,
                encoding_name=encoding_name,
            )
        )
    if encoding_name == "UTF-8":
        return SourceError(
            translate(
                "{where}: not UTF-8 text, it looks like {likely}; convert the file to UTF-8 "
                "(a source that has the setting can say 'encoding: {likely}' instead)",
                where=where,
                likely=likely,
            )
        )
    return SourceError(
        translate(
            "{where}: not {encoding_name} text; correct 'encoding', it looks like {likely}",
            where=where,
            encoding_name=encoding_name,
            likely=likely,
        )
    )


def _first_undecodable(file: IO[bytes], encoding: str) -> int | None:
    """The offset of about the first byte that does not fit; None if only its end is missing."""
    decoder = codecs.getincrementaldecoder(encoding)()
    at = 0
    while chunk := file.read(_SAMPLE):
        try:
            decoder.decode(chunk)
        except UnicodeDecodeError as e:
            return at + e.start
        at += len(chunk)
    return None


def _likely_encoding(sample: bytes) -> str | None:
    """Python's name of the encoding that some bytes seem to have; None if it cannot be told."""
    if b"\0" not in sample:
        # what is ASCII, or comes again and again, drowns what tells one encoding from others
        fields = dict.fromkeys(re.split(rb'[\r\n\t,;:"]', sample))
        sample = b"\n".join(field for field in fields if not field.isascii())
    detected = _detected(sample, _ENCODINGS)
    if detected and _is_one_byte(detected):
        # a few Chinese words are too little to tell by what is frequent
        if _is_common_chinese(sample):
            detected = "gb18030"
        elif is_bad(sample.decode(detected, "replace")):
            several = (n for n in _ENCODINGS if not n.startswith("utf") and not _is_one_byte(n))
            detected = next((name for name in several if _reads(name, sample)), detected)
    if detected in ("utf-16-le", "utf-16-be") and "\n" not in sample.decode(detected, "replace"):
        return None  # any bytes are letters in these, but not the ends of lines
    return next(
        (name for name in (*_SUBSETS.get(detected or "", ()), detected) if _reads(name, sample)),
        None,
    )


def _is_common_chinese(sample: bytes) -> bool:
    """Whether bytes are text in GB 2312, most of it of the characters in common use."""
    first = re.findall(rb"([\xa1-\xf7])[\xa1-\xfe]", sample)
    common = sum(byte <= _COMMON for byte in first)
    return bool(first) and common >= 0.8 * len(first) and _reads("gb2312", sample)


def _detected(sample: bytes, among: Sequence[str]) -> str | None:
    detected = chardet.detect(sample, include_encodings=among, compat_names=False)["encoding"]
    return str(detected) if detected else None


def _reads(encoding: str | None, sample: bytes) -> bool:
    """Whether bytes, but for a character at their end, are text in an encoding."""
    if encoding is None:
        return False
    try:
        codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeDecodeError:
        return False
    return True


def _check_not_utf8(path: Path, encoding: str) -> None:
    """See that a file that is to be read in another encoding is not UTF-8.

    Most bytes of UTF-8 can be read as something else, which then is nonsense.

    Raises:
        SourceError: it is.
    """
    one_byte = _is_one_byte(encoding)
    decoder = codecs.getincrementaldecoder("utf-8")()
    beyond = 0
    with _opened(path) as file:
        while chunk := file.read(_CHUNK):
            try:
                text = decoder.decode(chunk)
            except UnicodeDecodeError:
                return
            beyond += 0 if text.isascii() else sum(letter > "\x7f" for letter in text)
    if beyond >= (1 if one_byte else _FEWEST):
        raise SourceError(
            translate(
                "{path}: 'encoding: {encoding}' is set, but the file is UTF-8; write "
                "'encoding: utf-8'",
                path=path,
                encoding=encoding,
            )
        )


def _is_one_byte(encoding: str) -> bool:
    """Whether each byte is a character."""
    try:
        return len(bytes(range(0xC2, 0xC6)).decode(encoding, "replace")) == len(range(0xC2, 0xC6))
    except UnicodeError:
        return False


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
            with io.TextIOWrapper(source, encoding=encoding, newline="") as text:
                while part := text.read(_CHUNK):
                    target.write(part.encode())
    return copy


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(repr(name if len(name) <= _SHOWN else f"{name[:_SHOWN]}…") for name in names)


def checked_yaml(
    path: Path, text: str, content: TypeAdapter[_Content], *, shipped: bool = False
) -> _Content:
    """What YAML holds, checked.

    Args:
        path: of its file, for messages.
        text: the YAML.
        content: what it must be.
        shipped: the file comes with medkg; a user's may be made to end libyaml.

    Raises:
        SourceError: it is not YAML, is nested too deeply, or is something else.
    """
    try:
        return content.validate_python((shipped_yaml if shipped else yaml.safe_load)(text))
    except yaml.YAMLError as e:
        why = " ".join(str(e).split())
        raise SourceError(f"{path}: not a YAML file ({why}); correct the file") from e
    except RecursionError as e:
        raise SourceError(f"{path}: it is nested too deeply; correct the file") from e
    except ValidationError as e:
        first = e.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        raise SourceError(f"{path}: {place}: {first['msg']}; correct the file") from e
