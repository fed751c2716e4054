"""The pages in a file, whatever its format."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TextIO

from ingest.reading import ending, text_lines
from ingest.sources.formats.json_files import (
    CUT_OFF,
    RepeatedKeyError,
    parse_json,
    parse_problem,
)
from ingest.sources.pages.fields import page_of_fields
from ingest.sources.pages.headings import Headings
from ingest.sources.pages.html import html_page
from ingest.sources.pages.markdown import markdown_page
from ingest.sources.pages.page import Odd, Page, unreadable
from kg.errors import SourceError

_JSON: Final = frozenset((".json", ".jsonl", ".ndjson"))
_Parser = Callable[[Path, TextIO, Headings], Iterator[Page]]


def pages_of(path: Path, encoding: str, headings: Headings) -> Iterator[Page]:
    """The pages of a file, in its order.

    Raises:
        SourceError: the file is missing, empty, not in this encoding, or not what its
            ending says.
    """
    with text_lines(path, encoding, cut=ending(path) in _JSON) as text:
        yield from FORMATS[ending(path)](path, text, headings)


def is_page_file(path: Path) -> bool:
    """Whether a file's ending is that of a page."""
    return ending(path) in FORMATS


def _html(_: Path, text: TextIO, headings: Headings) -> Iterator[Page]:
    yield html_page(text.read(), headings)


def _markdown(path: Path, text: TextIO, headings: Headings) -> Iterator[Page]:
    yield markdown_page(path, text.read(), headings)


def _json(path: Path, text: TextIO, _: Headings) -> Iterator[Page]:
    content = text.read()
    try:
        value = parse_json(content)
    except RepeatedKeyError as e:
        yield Page("", None, odd=(Odd("page", str(e), content),))
        return
    except (ValueError, RecursionError) as e:
        raise unreadable(path, "JSON", e, "correct the file") from e
    yield from _objects(value, "")


def _json_lines(_: Path, text: TextIO, __: Headings) -> Iterator[Page]:
    for number, line in enumerate(text, 1):
        if line.strip():
            yield from _line(line, str(number))


def _line(line: str, place: str) -> Iterator[Page]:
    try:
        value = parse_json(line)
    except (ValueError, RecursionError) as e:
        reason = parse_problem(e, "the line is ")
        if not line.endswith("\n"):
            reason = f"{reason}; {CUT_OFF}"
        yield Page(place, None, odd=(Odd("page", reason, line.strip()),))
    else:
        yield from _objects(value, place)


def _objects(value: object, place: str) -> Iterator[Page]:
    """An object is a page; a list holds several."""
    if isinstance(value, list):
        for number, member in enumerate(value, 1):
            yield from _objects(member, f"{place}.{number}".lstrip("."))
    elif isinstance(value, dict):
        yield page_of_fields(value, place)
    else:
        yield Page(place, None, odd=(Odd("page", "a page is an object with fields", value),))


FORMATS: Final[dict[str, _Parser]] = {
    ".html": _html,
    ".htm": _html,
    ".xhtml": _html,
    ".md": _markdown,
    ".markdown": _markdown,
    ".json": _json,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
}


def page_files(path: Path) -> tuple[Path, ...]:
    """A file itself, or the pages of a folder and its subfolders, in a fixed order.

    Raises:
        SourceError: there are none.
    """
    endings = ", ".join(FORMATS)
    if path.is_dir():
        paths = tuple(
            sorted(file for file in path.rglob("*") if is_page_file(file) and file.is_file())
        )
        if not paths:
            raise SourceError(
                f"{path}: no page is in it ({endings}); correct the source's path in the configuration"
            )
        return paths
    if path.is_file() and not is_page_file(path):
        raise SourceError(f"{path}: the ending is none of {endings}; rename or convert the file")
    return (path,)
