"""Opening an ontology's file: which format it is in, its records, its terms."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from ingest.reading import ending, text_lines
from ingest.sources.formats.identifiers import Identifiers
from ingest.sources.formats.json_files import first_character
from ingest.sources.ontology.graph_records import graph_records
from ingest.sources.ontology.indra_records import indra_records
from ingest.sources.ontology.obo_records import obo_records
from ingest.sources.ontology.record import Record
from ingest.sources.ontology.terms import Terms
from ingest.sources.ontology.types import TermTypes
from kg.errors import SourceError

Format = Literal["obo", "obograph", "indra"]

_ENDINGS: Final[dict[str, Format]] = {".obo": "obo"}
_BEGINNINGS: Final[dict[str, Format]] = {"{": "obograph", "[": "indra"}
"""Formats of JSON by what the file begins with."""
_OWL: Final = (".owl", ".ofn", ".omn", ".ttl", ".rdf")


def format_of(path: Path) -> Format:
    """The format of a file by its ending, and JSON by what it begins with.

    Raises:
        SourceError: it cannot be told.
    """
    if (written := ending(path)) in _ENDINGS:
        return _ENDINGS[written]
    if written in _OWL:
        raise SourceError(
            f"{path}: OWL is not read; take the ontology's .obo or .json file, "
            "or convert it with 'robot convert'"
        )
    if written != ".json":
        raise SourceError(
            f"{path}: the ending tells no format; set 'format' to obo, obograph or indra"
        )
    with text_lines(path) as text:
        beginning = first_character(text, path)
    if beginning not in _BEGINNINGS:
        raise SourceError(f"{path}: not JSON, it begins with {beginning!r}; download it again")
    return _BEGINNINGS[beginning]


def records(
    path: Path, form: Format, identifiers: Identifiers, *, outline: bool = False
) -> Iterator[Record]:
    """The records of a file, one at a time.

    Args:
        path: plain or .gz.
        form: its format.
        identifiers: spells ids.
        outline: what decides which terms there are is enough.

    Raises:
        SourceError: the file cannot be read.
    """
    with text_lines(path) as text:
        if form == "obo":
            yield from obo_records(text, identifiers, outline=outline)
        elif form == "obograph":
            yield from graph_records(text, path, identifiers)
        else:
            yield from indra_records(text, path, identifiers, outline=outline)


def load_terms(path: Path, form: Format, identifiers: Identifiers, types: TermTypes) -> Terms:
    """The terms of a file.

    Raises:
        SourceError: it cannot be read, or has no term in use that has a type.
    """
    terms = Terms.of(records(path, form, identifiers, outline=True), types)
    if not terms.in_use:
        reasons = sorted(set(terms.unusable.values()))
        why = f"no term of it can be used ({reasons[0]})" if reasons else "no term is in it"
        raise SourceError(f"{path}: {why}; correct 'file', 'format' or 'types'")
    return terms
