"""The contents of a page, before they are interpreted."""

from dataclasses import dataclass, field
from pathlib import Path

from kg.errors import SourceError


@dataclass(frozen=True)
class PageSection:
    """The text under one heading."""

    heading: str
    text: str
    """Paragraphs, each on a line, and list items as lines that begin with ``- ``."""


@dataclass(frozen=True)
class Odd:
    """A part of a page that is no text."""

    name: str
    reason: str
    value: object


@dataclass(frozen=True)
class Page:
    """One disease as one page describes it."""

    place: str
    """The page among those of its file; empty if it is the only one."""
    name: str | None
    id: str | None = None
    synonyms: tuple[str, ...] = ()
    cuis: tuple[str, ...] = ()
    publications: str | None = None
    language: str | None = None
    sections: tuple[PageSection, ...] = ()
    odd: tuple[Odd, ...] = field(default=())


def one_line(text: str) -> str:
    """The text with single blanks for all its white space."""
    return " ".join(text.split())


def unreadable(path: Path, what: str, why: object, remedy: str) -> SourceError:
    """The error for a file that as a whole is no page."""
    return SourceError(f"{path}: not {what} ({one_line(str(why))[:200]}); {remedy}")
