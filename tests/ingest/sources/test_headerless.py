"""Delimited files whose columns are known by their format, not by a header line."""

from pathlib import Path

import pytest

from ingest.sources.engine import DEFAULT_RESOURCES, table_engine
from ingest.sources.formats.delimited import NUMBER, Dialect, delimited_rows
from kg.errors import SourceError

DIALECT = Dialect(delimiter="\t", quote="", columns=("id", "name"))


def rows(folder: Path, text: str) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """Number, id and name of the good rows; number and reason of the bad ones."""
    path = folder / "names.tsv"
    path.write_text(text, encoding="utf-8")
    with table_engine(folder, DEFAULT_RESOURCES) as engine:
        found = delimited_rows(engine, path, ("id", "name"), DIALECT, folder)
        good = found.good.order_by(NUMBER).to_pyarrow().to_pylist()
        bad = found.bad.to_pyarrow().to_pylist()
    return (
        [(row[NUMBER], row["id"], row["name"]) for row in good],
        [(row["row"], row["reason"]) for row in bad],
    )


def test_first_line_is_the_first_row(tmp_path: Path) -> None:
    assert rows(tmp_path, "1\tgout\n2\t\n") == ([(1, "1", "gout"), (2, "2", None)], [])


def test_bad_rows_keep_their_numbers(tmp_path: Path) -> None:
    good, bad = rows(tmp_path, "1\tgout\nonly one\n3\tasthma\n")
    assert (good, bad) == (
        [(1, "1", "gout"), (3, "3", "asthma")],
        [(2, "the row has fewer fields than the header")],
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1\tgout\tmore\n", r"row 1: has 3 fields, not the 2 that such a file has"),
        ("\n", r"no rows; download it again"),
        ("", r"the file is empty"),
    ],
)
def test_file_of_another_shape_is_told(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(SourceError, match=told):
        rows(tmp_path, text)
