"""Reads MRCONSO.RRF and MRSTY.RRF of a UMLS release into Parquet, whatever their size.

Writes::

    names.parquet     cui, language, name, vocabularies (joined by |), preferred
    concepts.parquet  cui, name, semantic_types
    bad_rows.parquet  file, row, reason, text

A concept's name is its preferred English atom (TS P, STT PF, ISPREF Y) where that is among
the rows kept, else the row that comes nearest to one.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb
from pydantic import BaseModel

from cypher.translation import translate
from kg.errors import LinkingError
from kg.linking.umls.configuration import LANGUAGES, UmlsConfig
from kg.progress import Progress
from kg.rrf import (
    AFTER,
    LONGEST_LINE,
    MRCONSO,
    MRSTY,
    SUPPRESSED,
    check_first_row,
    release_file,
)
from kg.stores.disk import means_disk_full, sql_path

_MEMORY: Final = "1GB"
"""Memory of the table engine before it spills to disk."""


class ReadRows(BaseModel, frozen=True, extra="forbid"):
    """What became of every row of MRCONSO.RRF."""

    rows: int
    bad: int
    """Of another number of columns, not UTF-8, without a CUI or a name; see bad_rows.parquet."""
    suppressed: int
    """Obsolete or suppressible: SUPPRESS is O, E or Y."""
    other_language: int
    other_vocabulary: int
    other_type: int
    """Of a concept that has none of the semantic types."""
    kept: int
    bad_types: int
    """Bad rows of MRSTY.RRF."""


@dataclass(frozen=True)
class ReleaseFiles:
    """The two files of a release."""

    conso: Path
    sty: Path

    @classmethod
    def find(cls, folder: Path) -> "ReleaseFiles":
        """In the folder or in its META.

        Raises:
            LinkingError: the folder or a file is missing, or has another number of columns.
        """
        if not folder.is_dir():
            raise LinkingError(f"{folder}: no such folder; give the one that has MRCONSO.RRF")
        files = cls(release_file(folder, "MRCONSO.RRF"), release_file(folder, "MRSTY.RRF"))
        check_first_row(files.conso, MRCONSO)
        check_first_row(files.sty, MRSTY)
        return files


@contextmanager
def table_engine(folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """DuckDB in memory that spills into ``folder``, closed when the block ends."""
    spill = folder / "spill"
    with duckdb.connect() as db:
        db.execute(f"set memory_limit = '{_MEMORY}'")
        db.execute(f"set temp_directory = {sql_path(spill)}")
        yield db
    shutil.rmtree(spill, ignore_errors=True)


def read_release(
    files: ReleaseFiles, config: UmlsConfig, folder: Path, progress: Progress
) -> ReadRows:
    """Write the names and concepts that the configuration asks for into ``folder``.

    Raises:
        LinkingError: a file cannot be read to its end, or no row is left.
    """
    with table_engine(folder) as db:
        with progress.step(translate("Reading {file}", file=files.sty.name)):
            bad_types = _read_types(db, files.sty, config.types)
        with progress.step(translate("Reading {file}", file=files.conso.name)):
            counts = _read_atoms(db, files.conso, config, folder)
        if not counts["kept"]:
            raise LinkingError(
                f"{files.conso}: no row is left of {counts['rows']:,}; "
                "check the languages, vocabularies and semantic types that are asked for"
            )
        with progress.step("Writing names and concepts"):
            _write(db, folder)
    (folder / "atoms.parquet").unlink()
    return ReadRows(**counts, bad_types=bad_types)


def _read_types(db: duckdb.DuckDBPyConnection, path: Path, types: Sequence[str]) -> int:
    """Fill the table ``concept_types`` (cui, types) and the table ``bad``; count bad rows."""
    db.execute("create table bad (file varchar, row bigint, reason varchar, text varchar)")
    with _read_errors(path):
        db.execute(
            "create table type_rows as select rrf.CUI as cui, TUI as tui, "  # noqa: S608 -- our text
            f"{_fault(MRSTY, 'TUI')} as fault, {_text(MRSTY)} as text "
            f"from {_scan(path, MRSTY)} as rrf"
        )
    _keep_rejects(db, path)
    db.execute(
        "insert into bad select $file, null, fault, text from type_rows where fault is not null",
        {"file": path.name},
    )
    db.execute(
        "create table concept_types as select cui, list_sort(list(distinct tui)) as types, "
        "bool_or(list_contains($wanted, tui)) as wanted "
        "from type_rows where fault is null group by cui",
        {"wanted": list(types)},
    )
    db.execute("drop table type_rows")
    return _count(db, "select count(*) from bad")


def _read_atoms(
    db: duckdb.DuckDBPyConnection, path: Path, config: UmlsConfig, folder: Path
) -> dict[str, int]:
    """Write atoms.parquet: every row with why it is left out; count them by that."""
    codes = [LANGUAGES[language] for language in config.languages]
    vocabularies = list(config.vocabularies)
    stored = sql_path(folder / "atoms.parquet")
    before = _count(db, "select count(*) from bad")
    with _read_errors(path):
        db.execute(
            f"""
            copy (
                select rrf.CUI as cui, types,
                    LAT as language, trim(STR) as name, SAB as vocabulary,
                    coalesce(TS = 'P', false) as p, coalesce(STT = 'PF', false) as pf,
                    coalesce(ISPREF = 'Y', false) as pref,
                    {_fault(MRCONSO, "STR")} as fault,
                    case when fault is not null then 'bad'
                        when list_contains($suppressed, SUPPRESS) then 'suppressed'
                        when not coalesce(list_contains($codes, LAT), false)
                            then 'other_language'
                        when len($vocabularies) > 0
                            and not coalesce(list_contains($vocabularies, SAB), false)
                            then 'other_vocabulary'
                        when not coalesce(wanted, false) then 'other_type'
                        else 'kept' end as fate,
                    case when fate = 'bad' then {_text(MRCONSO)} end as text
                from {_scan(path, MRCONSO)} as rrf
                    left join concept_types on concept_types.cui = rrf.CUI
            ) to {stored} (format parquet, compression lz4_raw)
            """,  # noqa: S608 -- our text
            {"codes": codes, "vocabularies": vocabularies, "suppressed": list(SUPPRESSED)},
        )
    _keep_rejects(db, path)
    db.execute(f"create view atom as from read_parquet({stored})")
    db.execute(
        "insert into bad select $file, null, fault, text from atom where fate = 'bad'",
        {"file": path.name},
    )
    count_by_fate = dict(db.execute("select fate, count(*) from atom group by fate").fetchall())
    count_by_fate["bad"] = _count(db, "select count(*) from bad") - before
    fates = ("bad", "suppressed", "other_language", "other_vocabulary", "other_type", "kept")
    counts = {fate: int(count_by_fate.get(fate, 0)) for fate in fates}
    return {"rows": sum(counts.values()), **counts}


def _write(db: duckdb.DuckDBPyConnection, folder: Path) -> None:
    cases = " ".join(f"when '{code}' then '{language}'" for language, code in LANGUAGES.items())
    selects = {
        "names": f"select cui, case language {cases} end as language, name, "  # noqa: S608 -- our text
        "string_agg(distinct vocabulary, '|' order by vocabulary) as vocabularies, "
        "bool_or(p and pf and pref) as preferred "
        "from atom where fate = 'kept' group by all order by cui, language, name",
        "concepts": "select cui, first(name order by language <> 'ENG', not p, not pf, not pref, "
        "name) as name, any_value(types) as semantic_types "
        "from atom where fate = 'kept' group by cui order by cui",
        "bad_rows": "from bad order by file, row, text",
    }
    for name, select in selects.items():
        path = sql_path(folder / f"{name}.parquet")
        db.execute(f"copy ({select}) to {path} (format parquet)")


def _scan(path: Path, columns: Sequence[str]) -> str:
    """The file as a table of strings."""
    typed = ", ".join(f"'{column}': 'VARCHAR'" for column in (*columns, AFTER))
    return (
        f"read_csv({sql_path(path)}, delim='|', quote='', escape='', header=false, "
        f"columns={{{typed}}}, auto_detect=false, store_rejects=true, "
        f"max_line_size={LONGEST_LINE}, buffer_size={4 * LONGEST_LINE})"
    )


def _fault(columns: Sequence[str], filled: str) -> str:
    """SQL: what is wrong with a row that the engine could split, or null."""
    return (
        f"case when {AFTER} is not null then 'more than {len(columns)} columns' "
        "when not coalesce(regexp_full_match(rrf.CUI, 'C[0-9]{7}'), false) then 'no CUI' "
        f"when coalesce(trim({filled}), '') = '' then 'no {filled}' end"
    )


def _text(columns: Sequence[str]) -> str:
    filled = ", ".join(f"coalesce(rrf.{column}, '')" for column in columns)
    return f"concat_ws('|', {filled})"


def _keep_rejects(db: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Move the rows that the engine could not split into the table ``bad``."""
    db.execute(
        "insert into bad select $file, line, lower(min(error_type::varchar)), any_value(csv_line) "
        "from reject_errors group by line",
        {"file": path.name},
    )
    db.execute("drop table reject_errors; drop table reject_scans")


@contextmanager
def _read_errors(path: Path) -> Iterator[None]:
    """Turn the engine's error about a file that is cut off into one sentence."""
    try:
        yield
    except (duckdb.IOException, duckdb.InvalidInputException) as e:
        if means_disk_full(str(e)):
            raise
        why = str(e).split("\n", 1)[0].rstrip(".")
        raise LinkingError(f"{path}: cannot be read to its end ({why}); copy it again") from e


def _count(db: duckdb.DuckDBPyConnection, select: str) -> int:
    row = db.execute(select).fetchone()
    return int(row[0]) if row else 0
