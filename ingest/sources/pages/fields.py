"""The fields that describe a page: of a JSON object, or of a Markdown page's front matter."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ingest.sources.pages.page import Odd, Page, PageSection, one_line
from kg.tables import SEPARATOR

_NAMES: Final = ("disease_name", "disease", "name", "title", "疾病名称", "疾病", "名称")
_IDS: Final = ("id", "disease_id")
_SYNONYMS: Final = ("synonyms", "aliases", "also_known_as", "别名")
_CUIS: Final = ("cui", "cuis")
_SOURCES: Final = ("url", "source", "sources", "publications", "references", "来源")
_LANGUAGES: Final = ("language", "lang")
_SECTIONS: Final = "sections"
_LISTS: Final = frozenset((*_SYNONYMS, *_CUIS, *_SOURCES))
"""Those that may have several values."""
DESCRIBING: Final = frozenset(
    (*_NAMES, *_IDS, *_SYNONYMS, *_CUIS, *_SOURCES, *_LANGUAGES, _SECTIONS)
)


def page_of_fields(fields: Mapping[str, Any], place: str = "") -> Page:
    """A page from its fields; what is neither a description nor a text is odd.

    Args:
        fields: descriptions, and a section by each other name (Table C1 of the joint-reasoning
            paper), or all of them under ``sections``.
        place: of the page in its file.
    """
    odd = list(_unusable(fields))
    name = next(filter(None, (_text(fields.get(field)) for field in _NAMES)), None)
    id_ = _one(fields, _IDS)
    if id_ is None and name and _is_id(name):
        # "disease: MONDO:0005393" beside a page whose title is the name
        id_, name = name, _text(fields.get("title") or fields.get("name"))
    sections = list(_sections(fields, odd))
    return Page(
        place=place,
        name=name,
        id=id_,
        synonyms=tuple(_all(fields, _SYNONYMS)),
        cuis=tuple(cui.removeprefix("UMLS:") for cui in _all(fields, _CUIS)),
        publications=SEPARATOR.join(_publications(fields)) or None,
        language=_one(fields, _LANGUAGES),
        sections=tuple(sections),
        odd=tuple(odd),
    )


def _unusable(fields: Mapping[str, Any]) -> Iterator[Odd]:
    """The descriptions that are of a shape which none of them has."""
    for name, value in fields.items():
        if name not in DESCRIBING or name == _SECTIONS or value is None:
            continue
        members = value if name in _LISTS and isinstance(value, list) else [value]
        allowed = (str, dict) if name in _SOURCES else str
        if not all(isinstance(member, allowed) for member in members):
            yield Odd(name, "the field is not written as a description of the page is", value)


def _is_id(text: str) -> bool:
    prefix, colon, local = text.partition(":")
    return bool(colon) and prefix.isalnum() and bool(local) and " " not in text


def _text(value: object) -> str | None:
    return one_line(value) or None if isinstance(value, str) else None


def _one(fields: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next(filter(None, (_text(fields.get(name)) for name in names)), None)


def _all(fields: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        value = fields.get(name)
        members = value if isinstance(value, list) else [value]
        yield from filter(None, map(_text, members))


def _publications(fields: Mapping[str, Any]) -> Iterator[str]:
    """URLs, and references as ``Publisher: Title URL``."""
    for name in _SOURCES:
        value = fields.get(name)
        for member in value if isinstance(value, list) else [value]:
            if text := _reference(member) if isinstance(member, dict) else _text(member):
                yield text.replace(SEPARATOR, "/")


def _reference(fields: Mapping[str, Any]) -> str:
    title = ": ".join(filter(None, (_text(fields.get("publisher")), _text(fields.get("title")))))
    return " ".join(filter(None, (title, _text(fields.get("url")))))


def _sections(fields: Mapping[str, Any], odd: list[Odd]) -> Iterator[PageSection]:
    sections = fields.get(_SECTIONS)
    if isinstance(sections, dict):
        yield from _by_heading(sections, odd)
    elif isinstance(sections, list):
        for member in sections:
            yield from _listed(member, odd)
    elif sections is not None:
        odd.append(Odd(_SECTIONS, "the sections are no list and no object", sections))
    yield from _by_heading({n: v for n, v in fields.items() if n not in DESCRIBING}, odd)


def _listed(member: object, odd: list[Odd]) -> Iterator[PageSection]:
    heading = (
        _text(member.get("heading") or member.get("title")) if isinstance(member, dict) else None
    )
    if isinstance(member, dict) and heading:
        yield from _by_heading({heading: member.get("text", member.get("items"))}, odd)
    else:
        odd.append(Odd(_SECTIONS, "the section has no heading", member))


def _by_heading(fields: Mapping[str, Any], odd: list[Odd]) -> Iterator[PageSection]:
    for heading, value in fields.items():
        text = _body(value)
        if text is None:
            odd.append(
                Odd(str(heading), "the section is neither a text nor a list of texts", value)
            )
        else:
            yield PageSection(one_line(str(heading).replace("_", " ")), text)


def _body(value: object) -> str | None:
    """A text; a list of texts is a list of items."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(f"- {one_line(item)}" for item in value if item.strip())
    return None
