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
from ingest.sources.ontology.record import DEFINING, Record, Statement

_IDS: Final = frozenset({"is_a", "alt_id", "replaced_by", "consider", "equivalent_to"})
_OUTLINE: Final = frozenset({"id", "name", "is_obsolete", "namespace", *_IDS} - {"equivalent_to"})
"""Tags that decide which terms there are and what stands above them."""
_LAYPERSON: Final = "layperson"
"""HPO's type of synonyms that laypersons use."""


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
            statements=tuple(_statements(stanza, identifiers)) if stanza.kind in DEFINING else (),
            obsolete=stanza.one("is_obsolete") == "true",
            broken=(f"'{stanza.broken[0][:200]}' is not 'tag: value'" if stanza.broken else None),
        )


def _statements(stanza: Stanza, identifiers: Identifiers) -> Iterator[Statement]:
    for place, (tag, value) in enumerate(stanza.tags):
        if tag in _IDS:
            yield Statement(tag, identifiers.spelled(_first(value)))
        elif tag == "xref":
            sources = modifier(stanza.modifiers.get(place, ""), "source")
            yield Statement(xref_word(sources), identifiers.spelled(unescape(_first(value))))
        elif tag == "synonym":
            yield from _synonyms(value)
        elif tag == "def":
            yield _definition(value)
        elif tag == "relationship":
            yield _relationship(value, identifiers)
        elif tag == "property_value":
            yield _property(value, identifiers)
        elif tag not in ("id", "is_obsolete"):
            yield Statement(tag, unescape(value))


def _first(value: str) -> str:
    return (value.split(None, 1) or [""])[0]


def _synonyms(value: str) -> Iterator[Statement]:
    parsed = synonym(value)
    if parsed is None:
        yield Statement("synonym EXACT", value, "the synonym is not in quotes")
        return
    yield Statement(f"synonym {parsed.scope}", parsed.text)
    if (parsed.scope, parsed.type) == ("EXACT", _LAYPERSON):
        yield Statement(f"synonym EXACT {_LAYPERSON}", parsed.text)


def _definition(value: str) -> Statement:
    parsed = quoted(value)
    if parsed is None:
        return Statement("def", value, "the definition is not in quotes")
    return Statement("def", parsed[0])


def _relationship(value: str, identifiers: Identifiers) -> Statement:
    name, _, target = value.partition(" ")
    word = identifiers.compact(name) if is_iri(name) else name
    if not target.strip():
        return Statement(word, "", "the relationship names no other term")
    return Statement(word, identifiers.spelled(_first(target)))


def _property(value: str, identifiers: Identifiers) -> Statement:
    name, target = property_value(value)
    word = identifiers.compact(unescape(name)) if is_iri(unescape(name)) else name
    is_match = word.rpartition(":")[2].casefold().endswith("match")
    return Statement(word, identifiers.spelled(target) if is_match else target)
