"""Pages in HTML: headings, paragraphs and list items of the part that is the article."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

from ingest.sources.pages.headings import Headings
from ingest.sources.pages.markdown import Part, sections_of
from ingest.sources.pages.page import Page, one_line

_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_BLOCK_TAGS: Final = (
    "p li ul ol dl dt dd div section article main table tr td th br hr blockquote pre figure "
    "figcaption"
)
_BLOCKS: Final = frozenset(_BLOCK_TAGS.split())
_SKIPPED_TAGS: Final = (
    "script style noscript template nav header footer aside form button select svg iframe figure"
)
_SKIPPED: Final = frozenset(_SKIPPED_TAGS.split())
_SITE: Final = re.compile(r"\s+[-|\u2013\u2014]\s+.*$")
"""What follows the disease's name in a title: " - Symptoms and causes - Mayo Clinic"."""


def html_page(text: str, headings: Headings) -> Page:
    """The page in an HTML document."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    reader.end_part()
    title = reader.title or _SITE.sub("", one_line("".join(reader.document_title))) or None
    return Page(
        place="",
        name=title,
        publications=reader.address,
        language=(reader.language or "").split("-")[0].lower() or None,
        sections=tuple(sections_of(reader.parts, headings, title)),
    )


@dataclass
class _Open:
    """A heading whose text is read."""

    level: int
    text: list[str] = field(default_factory=list)


class _Reader(HTMLParser):
    """Collects parts; what stands in navigation, forms and scripts is passed over."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title: str | None = None
        self.document_title: list[str] = []
        self.language: str | None = None
        self.address: str | None = None
        self.parts: list[Part] = []
        self._skipping: list[str] = []
        self._in_title = False
        self._heading: _Open | None = None
        self._part: tuple[int, str] = (2, "Overview")
        self._lines: list[str] = []
        self._line: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "html":
            self.language = attributes.get("lang")
        if tag == "link" and attributes.get("rel") == "canonical":
            self.address = attributes.get("href")
        if tag in _HEADINGS and self._skipping == ["form"]:
            self._skipping.clear()  # some sites put the whole page into a form
        if tag == "title" and "svg" not in self._skipping:
            self._in_title = True
        elif tag in _SKIPPED and not (
            tag == "header" and "article" in (attributes.get("class") or "")
        ):
            self._skipping.append(tag)
        elif not self._skipping and tag in _HEADINGS:
            self._end_line()
            self._heading = _Open(_HEADINGS[tag])
        elif not self._skipping and tag in _BLOCKS:
            self._end_line()
            if tag == "li":
                self._line.append("- ")

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        elif self._skipping:
            if tag in self._skipping:
                while self._skipping.pop() != tag:
                    pass
        elif tag in _HEADINGS and self._heading:
            self._end_heading(self._heading)
        elif tag in _BLOCKS:
            self._end_line()

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.document_title.append(data)
        elif self._skipping:
            return
        elif self._heading:
            self._heading.text.append(data)
        else:
            self._line.append(data)

    def _end_heading(self, heading: _Open) -> None:
        self._heading = None
        text = one_line("".join(heading.text))
        if not text:
            return
        if heading.level == 1 and self.title is None:
            self.title = text
            return
        self.end_part()
        self._part = (max(2, heading.level), text)

    def _end_line(self) -> None:
        line = one_line("".join(self._line))
        if line.strip("-\u00a0 "):
            self._lines.append(line)
        self._line.clear()

    def end_part(self) -> None:
        """Keep what was read since the last heading; an overview only if it has text."""
        self._end_line()
        if self._lines or self._part[1] != "Overview":
            self.parts.append(Part(*self._part, "\n".join(self._lines)))
        self._lines = []
