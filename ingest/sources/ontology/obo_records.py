"""Terms of an OBO file, stanza by stanza."""

from collections.abc import Iterable, Iterator
from typing import Final

from ingest.sources.formats.identifiers import Identifiers, is_iri
from ingest.sources.formats.obo import (
    Stanza,
    modifier,
    property_value,
    quoted,
    stanzas,
    synonym,
    unescape,
)
from ingest.sources.ontology.qualifiers import xref_word
from ingest.sources.ontology.record import DEFINING, Record, Said

_IDS: Final = frozenset({"is_a", "alt_id", "replaced_by", "consider", "equivalent_to"})
_OUTLINE: Final = frozenset({"id", "name", "is_obsolete", "namespace", *_IDS} - {"equivalent_to"})
"""Tags that decide which terms there are and what stands above them."""


def obo_records(
    lines: Iterable[str], identifiers: Identifiers, *, outline: bool = False
) -> Iterator[Record]:
    """One record a stanza.

    Args:
        lines: of the file.
        identifiers: spells ids.
        outline: only with what decides which terms there are, in a fraction of the time.
    """
    for stanza in stanzas(lines, _OUTLINE if outline else None):
        identifier = stanza.one("id")
        yield Record(
            row=stanza.row,
            kind=stanza.kind,
            id=identifiers.spelled(_first(identifier)) if identifier else None,
            said=tuple(_said(stanza, identifiers)) if stanza.kind in DEFINING else (),
            obsolete=stanza.one("is_obsolete") == "true",
            broken=_why_broken(stanza),
        )


def _why_broken(stanza: Stanza) -> str | None:
    return f"'{stanza.broken[0][:200]}' is not 'tag: value'" if stanza.broken else None


def _said(stanza: Stanza, identifiers: Identifiers) -> Iterator[Said]:
    for place, (tag, value) in enumerate(stanza.tags):
        if tag in _IDS:
            yield Said(tag, identifiers.spelled(_first(value)))
        elif tag == "xref":
            sources = modifier(stanza.modifiers.get(place, ""), "source")
            yield Said(xref_word(sources), identifiers.spelled(unescape(_first(value))))
        elif tag == "synonym":
            yield _synonym(value)
        elif tag == "def":
            yield _definition(value)
        elif tag == "relationship":
            yield _relationship(value, identifiers)
        elif tag == "property_value":
            yield _property(value, identifiers)
        elif tag not in ("id", "is_obsolete"):
            yield Said(tag, unescape(value))


def _first(value: str) -> str:
    return (value.split(None, 1) or [""])[0]


def _synonym(value: str) -> Said:
    found = synonym(value)
    if found is None:
        return Said("synonym EXACT", value, "the synonym is not in quotes")
    return Said(f"synonym {found.scope}", found.text)


def _definition(value: str) -> Said:
    found = quoted(value)
    if found is None:
        return Said("def", value, "the definition is not in quotes")
    return Said("def", found[0])


def _relationship(value: str, identifiers: Identifiers) -> Said:
    name, _, target = value.partition(" ")
    word = identifiers.compact(name) if is_iri(name) else name
    if not target.strip():
        return Said(word, "", "the relationship names no other term")
    return Said(word, identifiers.spelled(_first(target)))


def _property(value: str, identifiers: Identifiers) -> Said:
    name, target = property_value(value)
    word = identifiers.compact(unescape(name)) if is_iri(unescape(name)) else name
    return Said(word, identifiers.spelled(target) if _is_match(word) else target)


def _is_match(word: str) -> bool:
    return word.rpartition(":")[2].casefold().endswith("match")
