"""Builds the index of a table of names, and calibrates its thresholds on it."""

import re
from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kg.errors import LinkingError
from kg.linking.agreement import telling_words
from kg.linking.automaton import encode
from kg.linking.calibration import calibrate
from kg.linking.index import MOST_REORDERED, Entities, IndexedNames, NameIndex, columns
from kg.linking.mention import MINTED
from kg.linking.names import Names
from kg.linking.tfidf import NgramIndex
from kg.progress import Progress, Silent
from kg.text.canonical import canonical_words, join
from kg.text.words import surfaces

_WITH_ABBREVIATION: Final = re.compile(r"(.*\S)\s*[(（]([A-Z][A-Za-z0-9-]*[A-Z0-9])[)）]")
"""A name followed by its abbreviation, which is another name."""


def index_names(names: Names, progress: Progress | None = None, made_from: str = "") -> NameIndex:
    """Index a table of names; a name that leaves no key (punctuation only) is left out.

    Args:
        names: the table.
        progress: shown meanwhile.
        made_from: identifies the table.

    Raises:
        LinkingError: there is no name to index.
    """
    shown = progress or Silent()
    with shown.step("index names", 4) as advance:
        table = _split_abbreviations(names.table)
        entities, rows = _entities(table)
        split_keys = [
            [word for word in canonical_words(surfaces(name)) if word]
            for name in table["name"].to_pylist()
        ]
        keys = [join(words) for words in split_keys]
        advance(1)
        ordered, first_rows, starts = _by_key(table, rows, keys)
        if not first_rows:
            raise LinkingError(
                "there is no name to index; no name in the table has a letter or a digit"
            )
        unique = [keys[row] for row in first_rows]
        vocabulary, patterns = encode([split_keys[row] for row in first_rows])
        minted = pc.starts_with(entities["id"], MINTED).to_numpy()[ordered["entity"].to_numpy()]
        groups = _groups(unique, np.logical_and.reduceat(minted, starts[:-1]))
        advance(1)
        index = NameIndex(
            Entities(*columns(entities)),
            IndexedNames(*columns(ordered)),
            unique,
            starts,
            vocabulary,
            patterns,
            max(map(len, patterns), default=0),
            groups,
            NgramIndex.build(unique),
            made_from=made_from,
        )
        advance(1)
        index = replace(index, thresholds=calibrate(index))
        advance(1)
    return index


def _split_abbreviations(table: pa.Table) -> pa.Table:
    """Split a name followed by its abbreviation into two names."""
    matches = [_WITH_ABBREVIATION.fullmatch(name) for name in table["name"].to_pylist()]
    rows = pa.array([at for at, match in enumerate(matches) if match], pa.int64())
    if not len(rows):
        return table
    both = [match for match in matches if match]
    names = [match[1] if match else None for match in matches]
    at = table.schema.get_field_index("name")
    long_forms = table.set_column(
        at, "name", pc.coalesce(pa.array(names, pa.string()), table["name"])
    )
    short = table.take(rows).set_column(at, "name", pa.array([match[2] for match in both]))
    preferred = table.schema.get_field_index("preferred")
    short = short.set_column(preferred, "preferred", pa.array([False] * len(both)))
    return pa.concat_tables([long_forms, short]).combine_chunks()


def _groups(keys: list[str], alone: npt.NDArray[np.bool_]) -> list[str]:
    """The telling words of each key that is found in another order too.

    Args:
        keys: canonical keys.
        alone: for each whether only a source's own list has it: "family issues" is not reordered.
    """
    words = [
        telling_words(key) if key.isascii() and not is_alone else []
        for key, is_alone in zip(keys, alone, strict=True)
    ]
    return [" ".join(telling) if 1 < len(telling) <= MOST_REORDERED else "" for telling in words]


def _entities(table: pa.Table) -> tuple[pa.Table, npt.NDArray[np.int32]]:
    """One row an entity, in the order of first mention, and each name's entity."""
    ids = pc.dictionary_encode(table["id"].combine_chunks())
    rows = ids.indices.to_numpy().astype(np.int32)
    _, first = np.unique(rows, return_index=True)
    chosen = _display_names(table, rows, len(ids.dictionary))
    entities = pa.table(
        {
            "id": ids.dictionary,
            "type": table["type"].take(pa.array(first)),
            "name": table["name"].take(pa.array(chosen)),
            "name_zh": _chinese_names(table, rows, len(ids.dictionary)),
            "cui": table["cui"].take(pa.array(first)),
        }
    )
    return entities, rows


def _display_names(
    table: pa.Table, entity: npt.NDArray[np.int32], count: int
) -> npt.NDArray[np.int64]:
    """The row of the name that each entity goes by: a preferred one, an English one, the first."""
    preferred = table["preferred"].to_numpy()
    english = pc.equal(table["language"], "en").to_numpy()
    order = np.lexsort((np.arange(len(entity)), ~english, ~preferred, entity))
    first = np.searchsorted(entity[order], np.arange(count))
    return np.asarray(order[first], dtype=np.int64)


def _chinese_names(table: pa.Table, entity: npt.NDArray[np.int32], count: int) -> pa.ChunkedArray:
    """The first preferred Chinese name of each entity; null where it has none."""
    is_chinese = pc.equal(table["language"], "zh").to_numpy()
    rows = np.flatnonzero(table["preferred"].to_numpy() & is_chinese)
    named, first = np.unique(entity[rows], return_index=True)
    chosen = np.full(count, -1)
    chosen[named] = rows[first]
    return table["name"].take(pa.array(chosen, mask=chosen < 0))


def _by_key(
    table: pa.Table, entity: npt.NDArray[np.int32], keys: list[str]
) -> tuple[pa.Table, list[int], npt.NDArray[np.int32]]:
    """The names ordered by key, a row of ``table`` for each key, and where its names start."""
    rows = sorted((row for row, key in enumerate(keys) if key), key=lambda row: keys[row])
    heads = [0, *(at for at, (a, b) in enumerate(pairwise(rows), 1) if keys[a] != keys[b])]
    names = table.select(["name", "language", "preferred"]).take(pa.array(rows, pa.int64()))
    names = names.append_column("entity", pa.array(entity[rows]))
    starts = np.array([*heads, len(rows)], dtype=np.int32)
    return names, [rows[at] for at in heads] if rows else [], starts
