"""The keys of UMLS names, and one spelling for all names that the candidate index cannot tell apart.

Written beside names.parquet and concepts.parquet::

    keys.parquet       key, cui, preferred: by which names are equal
    spellings.parquet  name: what the candidate index holds, in its order, which is mixed:
                       built from names in alphabetical order it finds less
    concepts.jsonl     concept_id, canonical_name, aliases, types: scispaCy's knowledge base

Names of the same words in another order or inflection ('Kidney, disorder of', 'disorders of
kidney') have the same n-grams. Such clusters make the approximate index slower and let it miss
neighbours; so one name of each stands for all, and is an alias of all their concepts.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from kg.linking.umls.release import table_engine
from kg.progress import Progress
from kg.stores.disk import sql_path
from kg.text.canonical import canonical

_BATCH: Final = 50_000
_KEYED: Final = pa.schema([("name", pa.string()), ("key", pa.string()), ("bag", pa.string())])


def words_of(key: str) -> str:
    """The words of a key in one order: equal for names that have the same n-grams."""
    return " ".join(sorted(key.split()))


def write_spellings(folder: Path, progress: Progress) -> int:
    """Write keys.parquet, spellings.parquet and concepts.jsonl from names and concepts.

    Returns:
        How many names have no letter and no digit, so that nothing can be linked by them.
    """
    with table_engine(folder) as db:
        for name in ("names", "concepts"):
            path = sql_path(folder / f"{name}.parquet")
            db.execute(f"create view {name} as from read_parquet({path})")
        keyed = folder / "keyed.parquet"
        unkeyed = _write_keyed(db, keyed, progress)
        db.execute(f"create view keyed as from read_parquet({sql_path(keyed)})")
        with progress.step("Writing the keys of names"):
            _write_tables(db, folder)
            _write_concepts(db, folder / "concepts.jsonl")
    keyed.unlink()
    return unkeyed


def _write_keyed(db: duckdb.DuckDBPyConnection, path: Path, progress: Progress) -> int:
    total = db.execute("select count(distinct name) from names").fetchall()[0][0]
    names = db.cursor().execute("select distinct name from names order by name")
    unkeyed = 0
    with (
        progress.step("Normalising names", total) as advance,
        pq.ParquetWriter(path, _KEYED) as writer,
    ):
        while rows := names.fetchmany(_BATCH):
            keyed = [(name, canonical(name)) for (name,) in rows]
            with_key = [(name, key, words_of(key)) for name, key in keyed if key]
            writer.write_table(
                pa.table(list(map(list, zip(*with_key, strict=True))), schema=_KEYED)
            )
            unkeyed += len(rows) - len(with_key)
            advance(len(rows))
    return unkeyed


def _write_tables(db: duckdb.DuckDBPyConnection, folder: Path) -> None:
    db.execute(
        "create table spelled as select bag, first(name order by not preferred, language <> 'en', "
        "length(name), name) as spelling from keyed join names using (name) group by bag"
    )
    selects = {
        "keys": "select key, cui, bool_or(preferred) as preferred from keyed "
        "join names using (name) group by key, cui order by key, cui",
        "spellings": "select spelling as name from spelled order by md5(bag)",
    }
    for name, select in selects.items():
        path = sql_path(folder / f"{name}.parquet")
        db.execute(f"copy ({select}) to {path} (format parquet)")


def _write_concepts(db: duckdb.DuckDBPyConnection, path: Path) -> None:
    """ASCII only: scispaCy opens the file in the encoding of the user's locale."""
    cursor = db.execute(
        "select cui, any_value(concepts.name), list_sort(list(distinct spelling)), "
        "any_value(semantic_types) from names join keyed using (name) join spelled using (bag) "
        "join concepts using (cui) group by cui order by cui"
    )
    with path.open("w", encoding="ascii") as lines:
        for cui, name, aliases, types in _rows(cursor):
            concept = {
                "concept_id": cui,
                "canonical_name": name,
                "aliases": aliases,
                "types": types,
            }
            lines.write(f"{json.dumps(concept)}\n")


def _rows(
    cursor: duckdb.DuckDBPyConnection,
) -> Iterator[tuple[str, str, list[str], list[str]]]:
    while rows := cursor.fetchmany(_BATCH):
        yield from rows
