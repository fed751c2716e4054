"""What of the sources is not in the graph: the list of it, and its reasons in the language spoken.

``quarantine.parquet`` has the reasons in English, whatever is spoken, for programs read them there.
"""

import re
from pathlib import Path
from typing import Final

import duckdb

from cypher.translation import translate
from kg.errors import BuildError
from kg.stores.store import Rows

FILE: Final = "quarantine.parquet"

TEMPLATES: Final = (
    "{value} in column {column} is no frequency in {unit} and no word of {words}",
    "{value} in column {column} is no frequency and no word of {words}",
    "{value} in column {column} is no weight",
    "{value} in column {column} is not mapped to MALE or FEMALE",
    "{value} in column {column} is not mapped",
    "{value} in column {column} is no node type",
    "{value} in column {column} is not written as the pattern {pattern}",
    "column {column} is blank, and what stands above it may be in row {row}, which could not be read",
    "add it to {setting}",
    "the row names no head",
    "the row names no tail",
    "the row has no value",
    "a frequency of zero says that it is not so",
    "map such rows apart",
    "{value} is not a CURIE",
    "write PREFIX:ID, e.g. HP:0001945, or set {setting}",
    "write PREFIX:ID, e.g. HP:0001945",
    "Bioregistry has no prefix {prefix}",
    "the prefix {prefix} is written {ours} here",
    "{value} is not as 'prefixes' has ids of {prefix}, {pattern}",
    "an id or a name is longer than {most} characters",
    "not a relation of the vocabulary",
    "head type not in the vocabulary",
    "tail type not in the vocabulary",
    "the head has neither an id nor a name",
    "the tail has neither an id nor a name",
    "the head has no id, and its name {name} stands where a source knows nothing",
    "the tail has no id, and its name {name} stands where a source knows nothing",
    "the head has no id, and its name no character that can be seen",
    "the tail has no id, and its name no character that can be seen",
    "an attribute without a value",
    "the id of an exact match is not a CURIE",
    "{value} is a concept and no id of a {type}",
    "what another thing is called, by a surer name",
    "about an id that no source names",
    "{value} is not a term in use",
    "{value} is not a UMLS concept",
    "the graph has no relation for {value}",
)
"""Reasons that tables of one's own meet, with the names of their values in braces; the more
special ones first."""

_VALUE: Final = re.compile(r"\\\{(\w+)\\\}")
_PATTERNS: Final = tuple(
    (re.compile(_VALUE.sub(r"(?P<\1>.+?)", re.escape(template))), template)
    for template in TEMPLATES
)


def quarantined(home: Path, source: str | None = None) -> Rows:
    """The rows, cells and assertions of the last build that are not in its graph.

    Args:
        home: of the build.
        source: only what is of that source.

    Returns:
        Columns source, stage, file, row and reason; in the order of source, file and row.

    Raises:
        BuildError: no build has been made here, or it had no such source.
    """
    path = home / FILE
    if not path.is_file():
        why = "{path}: no build has been made here; run 'medkg build'"
        raise BuildError(translate(why, path=path))
    query = (
        "SELECT source, stage, file, row, reason FROM read_parquet(?) "
        "WHERE source = coalesce(?, source) ORDER BY source, file, row, stage, reason"
    )
    rows = duckdb.execute(query, [str(path), source]).fetchall()
    return Rows(("source", "stage", "file", "row", "reason"), tuple(map(tuple, rows)))


def local_reason(reason: str) -> str:
    """A reason in the language that is spoken; a part of it that has no translation stays English."""
    parts = (_local_part(part) for part in reason.split("; "))
    return translate("; ").join(parts)


def _local_part(part: str) -> str:
    if (whole := translate(part)) != part:
        return whole
    for pattern, template in _PATTERNS:
        if match := pattern.fullmatch(part):
            return translate(template, **match.groupdict())
    before, colon, after = part.partition(": ")
    return (
        translate("{what}: {why}", what=_local_part(before), why=_local_part(after))
        if colon
        else part
    )
