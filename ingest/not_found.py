"""What to do about an id or a name that no node of a graph has."""

import re
from difflib import get_close_matches
from typing import Final

from cypher.translation import translate
from ingest.home import HomeTables
from kg.text import normalise
from kg.vocabulary import RELATION_TYPES

_MAX_SUGGESTIONS: Final = 3
_MIN_SIMILARITY: Final = 70
"""Of names, in percent."""
_MIN_ALIKE: Final = 0.5
"""Of words for relations."""
_RELATION: Final = re.compile("[A-Z]+(_[A-Z]+)*")


def not_found(query: str, files: HomeTables) -> str:
    """Say that nothing has an id or name, and what may be meant or why it is not there.

    It names only what is there: relations of the vocabulary, records in quarantine, names.
    """
    why = _about_relation(query) or _in_quarantine(query, files) or _similar_names(query, files)
    return translate(
        "nothing in the graph has the id or name {query!r}; {why}", query=query, why=why
    )


def _about_relation(query: str) -> str | None:
    """What is wrong with a query that seems to be of an edge; None for others."""
    words = query.split()
    for position, word in enumerate(words):
        if not _RELATION.fullmatch(word) or len(words) == 1:
            continue
        if word in RELATION_TYPES:
            return translate(
                "an edge is asked for by its two ends, as HEAD {relation} TAIL", relation=word
            )
        if 0 < position < len(words) - 1 and (
            likely := get_close_matches(word, RELATION_TYPES, _MAX_SUGGESTIONS, _MIN_ALIKE)
        ):
            return translate(
                "{word} is no relation; perhaps {names} is meant",
                word=word,
                names=translate(" or ").join(likely),
            )
    return None


def _in_quarantine(query: str, files: HomeTables) -> str | None:
    """Why the records that have an id are in quarantine; None if none has it."""
    rows = files.ask(
        "SELECT count(*) OVER (), source, file, row, reason FROM {file} WHERE stage = 'merge' "
        "AND (record->>'$.head' = $id OR record->>'$.tail' = $id) "
        "ORDER BY source, file, row, reason LIMIT 1",
        files.home / "quarantine.parquet",
        id=query,
    )
    if not rows:
        return None
    count, source, file, row, reason = rows[0]
    if count == 1:
        records = translate("the record that has it is in quarantine")
    else:
        records = translate("all {count} records with it are in quarantine", count=count)
    return translate(
        "{records} ({source}, {file}, row {row}: {reason})",
        records=records,
        source=source,
        file=file,
        row=row,
        reason=reason,
    )


def _similar_names(query: str, files: HomeTables) -> str:
    """Names that are alike, else the shortest that have it in them."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - only what is not found needs it

    rows = files.ask(
        "SELECT DISTINCT unnest(normal_names) AS name FROM {file} ORDER BY name", files.nodes
    )
    names, normal = [name for (name,) in rows], normalise(query)
    alike = process.extract(
        normal, names, scorer=fuzz.ratio, limit=_MAX_SUGGESTIONS, score_cutoff=_MIN_SIMILARITY
    )
    containing = (name for name in names if normal and normal in name)
    shortest = sorted(containing, key=lambda name: (len(name), name))[:_MAX_SUGGESTIONS]
    similar = [name for name, _, _ in alike] or shortest
    if not similar:
        return translate("no name in it is like that or has it in it")
    return translate("similar names are {names}", names=", ".join(map(repr, similar)))
