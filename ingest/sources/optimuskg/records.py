"""The rows of OptimusKG's Parquet files, with those of their properties that are read."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import ibis
import ibis.expr.types as ir

from ingest.sources.formats.delimited import NUMBER, parquet_table
from ingest.sources.writing import as_json
from kg.errors import SourceError

PROPERTIES: Final = "properties"


def parquet_files(path: Path) -> tuple[Path, ...]:
    """The file itself, or those of a folder, in a fixed order.

    Raises:
        SourceError: the folder has none.
    """
    if not path.is_dir():
        return (path,)
    if paths := tuple(sorted(path.glob("*.parquet"))):
        return paths
    raise SourceError(f"{path}: no Parquet file is in it; correct the path in the configuration")


def records(
    engine: ibis.BaseBackend,
    paths: Sequence[Path],
    columns: Sequence[str],
    properties: Mapping[str, str],
) -> ir.Table:
    """The rows of all files.

    Args:
        engine: from ``table_engine``.
        paths: Parquet files.
        columns: those that are read, as strings.
        properties: Ibis types by the names of those that are read.

    Returns:
        ``file``, ``row``, ``record`` (JSON), the columns, a column for each property,
        null where the row has it not, and ``broken``: the properties are not an object.

    Raises:
        SourceError: a file is missing, is not Parquet, or lacks a column.
    """
    return ibis.union(*(_of_file(engine, path, columns, properties) for path in paths))


def _of_file(
    engine: ibis.BaseBackend, path: Path, columns: Sequence[str], properties: Mapping[str, str]
) -> ir.Table:
    table = parquet_table(engine, path, columns)
    content = table[PROPERTIES] if PROPERTIES in table.columns else ibis.null("string")
    written = content.cast("json") if content.type().is_struct() else content.try_cast("json")
    fields = ", ".join(f"{name}: {kind}" for name, kind in properties.items())
    read = table.mutate(
        read=written.try_cast(f"struct<{fields}>"), is_object=written.cast("string")
    )
    return read.select(
        file=ibis.literal(path.name),
        row=read[NUMBER],
        record=as_json(table, [n for n in table.columns if n != NUMBER]),
        **{name: read[name].cast("string").nullif("") for name in columns},
        **{name: read["read"][name] for name in properties},
        broken=content.notnull() & ~read.is_object.startswith("{").fill_null(False),
    )
