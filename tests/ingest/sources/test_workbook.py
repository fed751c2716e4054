"""Excel workbooks as tables."""

import zipfile
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from ingest.sources import TableSource, TriplesSource
from kg.errors import SourceError
from tests.ingest.sources.conftest import Left, Read

HEADER = ("disease", "finding", "share")


def workbook(path: Path, *rows: tuple[Any, ...], sheet: str = "Findings") -> Any:  # noqa: ANN401 -- openpyxl has no types
    """A saved workbook, to be changed and saved again."""
    book = openpyxl.Workbook()
    book.active.title = sheet
    for row in rows:
        book.active.append(row)
    book.save(path)
    return book


def table(file: Path, **changes: object) -> TableSource:
    return TableSource.model_validate(
        {
            "kind": "table",
            "name": "clinic",
            "file": file,
            "head": {"name": "disease", "type": "Disease"},
            "relation": "HAS_SYMPTOM",
            "tail": {"name": "finding", "type": "Symptom"},
            **changes,
        }
    )


def said(left: Left) -> list[tuple[int, str, str]]:
    return sorted((a["row"], a["head_name"], a["tail_name"]) for a in left.assertions)


def test_sheet_is_read_like_other_tables(tmp_path: Path, read: Read) -> None:
    workbook(tmp_path / "t.xlsx", HEADER, ("gout", "pain", 0.85), ("flu", "cough", 1))
    left = read(table(tmp_path / "t.xlsx", frequency={"column": "share", "unit": "fraction"}))
    assert [
        (a["row"], a["file"], a["head_name"], a["tail_name"], a["frequency"], a["frequency_text"])
        for a in left.assertions
    ] == [
        (1, "t.xlsx", "gout", "pain", 0.85, "0.85"),
        (2, "t.xlsx", "flu", "cough", 1.0, "1"),
    ]


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (1.0, "General", "1"),
        (0.1 + 0.2, "General", "0.3"),
        (12345678901, "0", "12345678901"),
        (0.855, "0%", "85.5%"),
        (7, "0000", "0007"),
        (3, '0 "% of all"', "3"),
        (True, "General", "TRUE"),
        (date(2024, 1, 31), "yyyy-mm-dd", "2024-01-31"),
        (datetime(2024, 1, 31, 8, 5), "yyyy-mm-dd hh:mm", "2024-01-31 08:05:00"),  # noqa: DTZ001 -- as Excel has it
        ("01", "General", "01"),
    ],
)
def test_cell_is_read_as_people_see_it(
    tmp_path: Path, read: Read, value: object, number_format: str, text: str
) -> None:
    book = workbook(tmp_path / "t.xlsx", HEADER, ("gout", value, None))
    book.active["B2"].number_format = number_format
    book.save(tmp_path / "t.xlsx")
    assert said(read(table(tmp_path / "t.xlsx"))) == [(1, "gout", text)]


def test_number_of_a_row_is_its_distance_from_the_header(tmp_path: Path, read: Read) -> None:
    rows = [("Ward 3",), (None,), HEADER, ("gout", "pain"), (None, None), ("flu", "cough")]
    workbook(tmp_path / "t.xlsx", *rows)
    assert said(read(table(tmp_path / "t.xlsx", header_row=3))) == [
        (1, "gout", "pain"),
        (3, "flu", "cough"),
    ]


def test_merged_cell_holds_for_the_rows_it_spans_but_not_for_other_columns(
    tmp_path: Path, read: Read
) -> None:
    rows = [("gout", "pain"), (None, "fever"), ("Infections", None), ("flu", "cough")]
    book = workbook(tmp_path / "t.xlsx", HEADER, *rows)
    book.active.merge_cells("A2:A3")
    book.active.merge_cells("A4:C4")
    book.save(tmp_path / "t.xlsx")
    left = read(table(tmp_path / "t.xlsx"))
    assert said(left) == [(1, "gout", "pain"), (2, "gout", "fever"), (4, "flu", "cough")]
    assert left.reasons() == {3: "the row names no tail"}


def test_hidden_row_is_read_and_a_hidden_sheet_only_by_its_name(
    tmp_path: Path, read: Read
) -> None:
    book = workbook(tmp_path / "t.xlsx", HEADER, ("gout", "pain"), sheet="Old")
    book.active.sheet_state = "hidden"
    new = book.create_sheet("New")
    for row in (HEADER, ("flu", "cough"), ("flu", "fever")):
        new.append(row)
    new.row_dimensions[2].hidden = True
    book.save(tmp_path / "t.xlsx")
    assert said(read(table(tmp_path / "t.xlsx"))) == [(1, "flu", "cough"), (2, "flu", "fever")]
    assert said(read(table(tmp_path / "t.xlsx", sheet="Old"))) == [(1, "gout", "pain")]


def test_error_or_formula_without_result_in_a_mapped_column_is_told_with_its_cell(
    tmp_path: Path, read: Read
) -> None:
    rows = [("gout", "#N/A", "#REF!"), ("flu", "=A3", None), ("mumps", "fever", "#REF!")]
    workbook(tmp_path / "t.xlsx", HEADER, *rows)
    left = read(table(tmp_path / "t.xlsx"))
    assert said(left) == [(3, "mumps", "fever")]
    to_do = "put that right in the workbook, or map another column"
    assert left.reasons() == {
        1: f"cell B2 has the error #N/A; {to_do}",
        2: f"cell B3 has a formula without its result; {to_do}",
    }
    assert '"share": "#REF!"' in left.quarantine[0]["record"]


def test_formula_is_its_result(tmp_path: Path, read: Read) -> None:
    workbook(tmp_path / "t.xlsx", HEADER, ("gout", "=LOWER(C2)", "PAIN"), ("flu", "=C3", None))
    results = {"<v />": "<v>pain</v>", '<c r="B3"': '<c r="B3" t="str"'}
    rewrite(tmp_path / "t.xlsx", "xl/worksheets/sheet1.xml", {'<c r="B2"': '<c r="B2" t="str"'})
    rewrite(tmp_path / "t.xlsx", "xl/worksheets/sheet1.xml", results, times=1)
    left = read(table(tmp_path / "t.xlsx"))
    assert said(left) == [(1, "gout", "pain")]
    assert left.reasons() == {2: "the row names no tail"}  # its result is an empty text


def rewrite(path: Path, part: str, changes: dict[str, str], times: int = -1) -> None:
    """Change the XML of a part of a workbook."""
    with zipfile.ZipFile(path) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    text = parts[part].decode()
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new, times)
    parts[part] = text.encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        for name, content in parts.items():
            book.writestr(name, content)


def test_cell_at_the_far_end_of_a_sheet_costs_nothing(tmp_path: Path, read: Read) -> None:
    book = workbook(tmp_path / "t.xlsx", HEADER, ("gout", "pain"))
    book.active["XFD1048576"] = " "
    book.save(tmp_path / "t.xlsx")
    left = read(table(tmp_path / "t.xlsx"))
    assert said(left) == [(1, "gout", "pain")]
    assert left.reasons() == {1_048_575: "the row names no head"}


def test_row_beyond_the_last_of_excel_is_told(tmp_path: Path, read: Read) -> None:
    workbook(tmp_path / "t.xlsx", HEADER, ("gout", "pain"), ("flu", "cough"))
    rewrite(tmp_path / "t.xlsx", "xl/worksheets/sheet1.xml", {'r="3"': 'r="99999999999"'})
    with pytest.raises(SourceError, match="has rows beyond 1,048,576, the last that Excel has"):
        read(table(tmp_path / "t.xlsx"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sheet": "Data"}, r"no sheet is called 'Data'; it has 'Findings'; correct 'sheet'"),
        ({"header_row": 9}, "has no row 9 with the names of columns; correct 'sheet' or"),
        ({"header_row": 3}, "row 3 of the sheet has no names of columns; say in 'header_row'"),
        ({"weight": "shares"}, "the header lacks 'shares'; it has .*; perhaps 'share' is meant"),
    ],
)
def test_sheet_without_what_is_asked_of_it_is_told(
    tmp_path: Path, read: Read, changes: dict[str, Any], message: str
) -> None:
    workbook(tmp_path / "t.xlsx", HEADER, ("gout", "pain"), (" ",))
    with pytest.raises(SourceError, match=message):
        read(table(tmp_path / "t.xlsx", **changes))


COMPOUND = bytes.fromhex("d0cf11e0a1b11ae1")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"disease,finding\ngout,pain\n", "not a workbook that can be read .* save it as .xlsx"),
        (COMPOUND + b"\0" * 600, "is of an old Excel"),
        (
            COMPOUND + b"\0" * 600 + "EncryptedPackage".encode("utf-16-le"),
            "is protected by a password; open it",
        ),
        (b"", "the file is empty"),
    ],
)
def test_file_that_is_no_workbook_is_one_sentence(
    tmp_path: Path, read: Read, content: bytes, message: str
) -> None:
    (tmp_path / "t.xlsx").write_bytes(content)
    with pytest.raises(SourceError, match=message) as told:
        read(table(tmp_path / "t.xlsx"))
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("damage", ["cut", "parts", "entities", "text"])
def test_damaged_workbook_is_one_sentence(tmp_path: Path, read: Read, damage: str) -> None:
    path, sheet = tmp_path / "t.xlsx", "xl/worksheets/sheet1.xml"
    workbook(path, HEADER, ("gout", "pain", 7))
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-400])
    elif damage == "parts":
        with zipfile.ZipFile(path, "w") as book:
            book.writestr("word/document.xml", "<w/>")
    elif damage == "entities":
        laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
        entities = f'<!DOCTYPE worksheet [<!ENTITY l0 "ha">{laughs}]><worksheet'
        rewrite(path, sheet, {"<worksheet": entities, "<v>7</v>": "<v>&l11;</v>"})
    else:
        rewrite(path, sheet, {"<v>7</v>": "<v>many</v>"})
    with pytest.raises(SourceError, match=r"t\.xlsx: not a workbook that can be read") as told:
        read(table(path))
    assert "\n" not in str(told.value)


def test_workbook_that_swells_is_refused(
    tmp_path: Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.sources.formats.workbook._MOST_BYTES", 1024**2)
    workbook(tmp_path / "t.xlsx", HEADER, ("gout", "pain"))
    with zipfile.ZipFile(tmp_path / "t.xlsx", "a", zipfile.ZIP_DEFLATED) as book:
        book.writestr("xl/bomb.xml", b"\0" * 1024**2)
    with pytest.raises(SourceError, match="GB of content; save the sheet as CSV"):
        read(table(tmp_path / "t.xlsx"))


def test_triples_may_stand_in_a_workbook(tmp_path: Path, read: Read) -> None:
    rows = [("head", "relation", "tail"), ("gout", "HAS_SYMPTOM", "pain")]
    workbook(tmp_path / "t.xlsx", *rows)
    source = TriplesSource.model_validate(
        {
            "kind": "triples",
            "name": "exam",
            "file": tmp_path / "t.xlsx",
            "tail_type": {"value": "Symptom"},
        }
    )
    assert read(source).facts() == [("gout", "HAS_SYMPTOM", "pain")]
