"""Tables of an index, of which rows and columns are read where they lie."""

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from kg.errors import RetrievalError
from qa.corpus import Document
from qa.index.building import Change, change_index
from qa.index.rows import Columns, Rows, read_table, write_columns, write_rows

_SCHEMA = pa.schema([("id", pa.string()), ("text", pa.string())])


@pytest.fixture
def table() -> pa.Table:
    rows = [
        {"id": f"d{n:04}", "text": f"text {n}, {'long ' * (n % 7)}"} for n in range(0, 2000, 2)
    ]
    return pa.Table.from_pylist(rows, _SCHEMA)


def test_rows_are_those_of_the_table(tmp_path: Path, table: pa.Table) -> None:
    path = tmp_path / "rows.arrow"
    write_rows(table, path)
    rows = Rows(path)
    assert list(rows) == table.to_pylist()
    assert [rows[n] for n in (0, 63, 64, 999)] == table.take([0, 63, 64, 999]).to_pylist()
    assert read_table(path, _SCHEMA).equals(table)


def test_row_is_found_by_its_id(tmp_path: Path, table: pa.Table) -> None:
    path = tmp_path / "rows.arrow"
    write_rows(table, path)
    rows = Rows(path)
    for n in range(0, 2000, 2):
        assert rows.find(f"d{n:04}") == table.slice(n // 2, 1).to_pylist()[0]
        assert rows.find(f"d{n + 1:04}") is None
    assert (rows.find(""), rows.find("e")) == (None, None)


def test_empty_table_has_no_rows(tmp_path: Path) -> None:
    write_rows(_SCHEMA.empty_table(), tmp_path / "rows.arrow")
    rows = Rows(tmp_path / "rows.arrow")
    assert (list(rows), rows.find("d0000")) == ([], None)
    write_columns([], tmp_path / "columns.arrow")
    assert Columns(tmp_path / "columns.arrow").keys == frozenset()


def test_damage_is_told_when_the_row_is_read(tmp_path: Path, table: pa.Table) -> None:
    path = tmp_path / "rows.arrow"
    write_rows(table, path)
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 1000] = b"x" * 1000
    path.write_bytes(content)
    with pytest.raises(RetrievalError, match=r"rows\.arrow: the file is damaged .* index anew"):
        list(Rows(path))


def test_column_tells_which_records_have_a_value(tmp_path: Path) -> None:
    metadata = [
        {"language": "zh"},
        {"language": "en", "disease": "D2"},
        {},
        {"disease": "", "language": "en"},
    ]
    write_columns(metadata, tmp_path / "columns.arrow")
    columns = Columns(tmp_path / "columns.arrow")
    assert columns.keys == {"language", "disease"}
    assert columns.has_any("language", ["en"]).tolist() == [False, True, False, True]
    assert columns.has_any("language", ["zh", "en", "fr"]).tolist() == [True, True, False, True]
    assert columns.has_any("disease", ["D1", "D3", "~"]).tolist() == [False] * 4
    assert columns.has_any("disease", [""]).tolist() == [False, False, False, True]
    assert columns.has_any("disease", []).tolist() == [False] * 4


def test_damaged_metadata_are_told_when_they_are_asked(tmp_path: Path) -> None:
    path = tmp_path / "columns.arrow"
    write_columns([{"language": "zh"}, {"language": "en"}], path)
    content = path.read_bytes()
    path.write_bytes(content.replace(b"enzh", b"\xff\xfe\xff\xfe"))
    with pytest.raises(RetrievalError, match=r"columns\.arrow: the file is damaged"):
        Columns(path).has_any("language", ["en"])


def test_search_imports_no_pandas(tmp_path: Path) -> None:
    document = Document("d1", "gout", "Gout hurts.", "s", "en", {"corpus": "c"})
    change_index(tmp_path / "texts", Change(documents=[document]))
    code = (
        "import sys; from pathlib import Path; from qa.index import Index;"
        f"hits = Index.open(Path({str(tmp_path / 'texts')!r})).search('gout', where={{'language': 'en'}});"
        "sys.exit(len(hits) != 1 or 'pandas' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
