"""Pages in Markdown: front matter in YAML if there is any, a title, sections under headings."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import yaml

from ingest.sources.pages.fields import DESCRIBING, page_of_fields
from ingest.sources.pages.headings import Headings
from ingest.sources.pages.page import Odd, Page, PageSection, one_line, unreadable

_FRONT: Final = re.compile(r"\s*---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_HEADING: Final = re.compile(r"^(?P<marks>#{1,6})[ \t]+(?P<heading>.*?)[ \t#]*$", re.MULTILINE)
_LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_EMPHASIS: Final = re.compile(
    r"(\*\*|__)(?=\S)(?P<strong>.+?)(?<=\S)\1"
    r"|(?<![\w*])([*_])(?=\S)(?P<emphasis>[^*_\n]+?)(?<=\S)\3(?![\w*])"
)
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)


class Part(NamedTuple):
    """A heading and what stands up to the next."""

    level: int
    heading: str
    text: str


def markdown_page(path: Path, text: str, headings: Headings) -> Page:
    """The page in a Markdown file.

    Raises:
        SourceError: its front matter is not YAML.
    """
    front = _FRONT.match(text)
    fields = _front_matter(path, front[1]) if front else {}
    title, parts = _parts(_COMMENT.sub("", text[front.end() if front else 0 :]))
    page = page_of_fields({name: value for name, value in fields.items() if name in DESCRIBING})
    further = (
        Odd(str(name), "the field is not known in front matter", value)
        for name, value in fields.items()
        if name not in DESCRIBING
    )
    return replace(
        page,
        name=page.name or title,
        sections=(*page.sections, *sections_of(parts, headings, page.name or title)),
        odd=(*page.odd, *further),
    )


def _front_matter(path: Path, text: str) -> dict[str, object]:
    try:
        fields = yaml.safe_load(text)
    except yaml.YAMLError as e:
        raise unreadable(path, "a page with front matter in YAML", e, "correct the file") from e
    if fields is None:
        return {}
    if not isinstance(fields, dict):
        raise unreadable(path, "a page with front matter", "it has no fields", "correct the file")
    return {str(name): value for name, value in fields.items()}


def _parts(text: str) -> tuple[str | None, list[Part]]:
    """The title, and the parts under headings; text before any heading is an overview."""
    marks = list(_HEADING.finditer(text))
    title: str | None = None
    parts: list[Part] = []
    opening = _plain(text[: marks[0].start() if marks else len(text)])
    if opening:
        parts.append(Part(2, "Overview", opening))
    ends = [*(mark.start() for mark in marks[1:]), len(text)][: len(marks)]
    for mark, end in zip(marks, ends, strict=True):
        body = _plain(text[mark.end() : end])
        heading = one_line(_inline(mark["heading"]))
        if title is None and len(mark["marks"]) == 1:
            title = heading
            if body:
                parts.append(Part(2, "Overview", body))
        else:
            parts.append(Part(max(2, len(mark["marks"])), heading, body))
    return title, parts


def _plain(text: str) -> str:
    return _inline(text).strip()


def _inline(text: str) -> str:
    """The text without marks for links and emphasis."""
    text = _LINK.sub(r"\1", text)
    return _EMPHASIS.sub(lambda match: match["strong"] or match["emphasis"], text)


def sections_of(
    parts: Iterable[Part], headings: Headings, title: str | None
) -> Iterator[PageSection]:
    """The sections that parts make.

    A heading that is known begins a section wherever it stands. Another one does so unless it
    is below a section's heading: then it is a line of that section.
    """
    names = (title,) if title else ()
    heading, level, lines = "", 0, list[str]()
    for part in parts:
        if headings.knows(part.heading, names) or part.level <= level or not level:
            if level:
                yield PageSection(heading, "\n".join(filter(None, lines)))
            heading, level, lines = part.heading, part.level, [part.text]
        else:
            lines += (part.heading, part.text)
    if level:
        yield PageSection(heading, "\n".join(filter(None, lines)))
