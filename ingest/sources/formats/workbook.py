"""Sheets of Excel workbooks (.xlsx, .xlsm) as rows of strings, as people see them.

A number is written without ``.0``, a percentage with its sign (0.85 shown as ``85%``), a
day as 2024-01-31, a formula as its result. The text of a merged cell counts for all
rows that it spans. Hidden rows and columns are read like others.
"""

import re
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, time
from pathlib import Path
from tempfile import mkdtemp
from typing import IO, Any, Final

import ibis
import pyarrow as pa
import pyarrow.parquet as pq

from cypher.translation import translate
from ingest.reading import check_columns, existing_file
from ingest.sources.formats.delimited import (
    BAD_ROWS,
    NUMBER,
    RECORD,
    Rows,
    check_free,
)
from ingest.sources.writing import as_json, record_json
from kg.errors import SourceError

_BATCH: Final = 20_000
_MOST_ROWS: Final = 1_048_576
"""Of a sheet, by Excel's own limit."""
_MOST_BYTES: Final = 1024**3
"""Of the workbook, decompressed."""
_CHUNK: Final = 1024 * 1024
_COMPOUND: Final = bytes.fromhex("d0cf11e0a1b11ae1")
"""The first bytes of files of old Office, and of encrypted ones."""
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_SAVE: Final = "open it in Excel or LibreOffice and save it as .xlsx or CSV"
_MERGED: Final = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]+)(\d+):([A-Z]+)(\d+)"')
_FORMULA: Final = b"f>"
"""In the end tag of a formula; in few other tags, and in no text."""
_END_OF_ROWS: Final = b"sheetData>"
_QUOTED: Final = re.compile(r'"[^"]*"|\\.')
"""Literal text in the format of a number."""


class _Merged:
    """Cells of a sheet that span several rows."""

    def __init__(self, spans: dict[tuple[int, int], int]) -> None:
        """The last row of each, by its first row and its column, from 1."""
        self._spans = spans
        self._open: dict[int, tuple[int, str]] = {}
        """By column: the last row of the cell that spans the current one, and its text."""

    def filled(self, at: int, texts: list[str | None]) -> list[str | None]:
        """The next row, with the texts of the cells that span it."""
        self._open = {place: each for place, each in self._open.items() if each[0] >= at}
        texts += [None] * (max(self._open, default=0) - len(texts))
        for place, (_, spanning) in self._open.items():
            texts[place - 1] = texts[place - 1] or spanning
        for place, text in enumerate(texts, 1):
            if text is not None and (last := self._spans.get((at, place))):
                self._open[place] = last, text
        return texts


def workbook_rows(  # noqa: PLR0917 -- what identifies a sheet, and where copies go
    engine: ibis.BaseBackend,
    path: Path,
    required: Sequence[str],
    sheet: str | None,
    header_row: int,
    work: Path,
) -> Rows:
    """Read a sheet; a row's number is its distance from the header, empty rows are no rows.

    A row is bad where a required column has an error such as ``#N/A``, or a formula whose
    result the file does not have.

    Args:
        engine: from ``table_engine``.
        path: the workbook.
        required: columns that must be there; others may be.
        sheet: its name; the first that is not hidden if None.
        header_row: the row with the names of the columns, from 1.
        work: folder for the rows as Parquet, which stay while the table is used.

    Raises:
        SourceError: the file is missing, no workbook, protected by a password or too large;
            it lacks the sheet or a column, or has a column twice.
    """
    bad: list[dict[str, str | int]] = []
    stored = Path(mkdtemp(dir=work)) / "rows.parquet"
    with _opened(path) as file:
        lines = _lines(path, file, sheet, header_row)
        names = _names(path, next(lines, (0, []))[1], header_row)
        check_columns(path, names, required)
        check_free(path, names)
        schema = pa.schema([*((name, pa.string()) for name in names), (NUMBER, pa.int64())])
        with pq.ParquetWriter(stored, schema) as writer:
            batch: list[dict[str, str | int | None]] = []
            for at, cells in lines:
                row = dict(zip(names, cells, strict=False))
                faults = [fault for n in required if isinstance(fault := row.get(n), _Fault)]
                if faults:
                    whole = {name: str(cell) for name, cell in row.items() if cell is not None}
                    bad.append(
                        {
                            "row": at - header_row,
                            "reason": faults[0].problem,
                            "record": record_json(whole),
                        }
                    )
                    continue
                texts = {name: None if cell is None else str(cell) for name, cell in row.items()}
                batch.append({**texts, NUMBER: at - header_row})
                if len(batch) >= _BATCH:
                    writer.write_table(pa.Table.from_pylist(batch, schema))
                    batch.clear()
            writer.write_table(pa.Table.from_pylist(batch, schema))
    good = engine.read_parquet(str(stored))
    good = good.mutate(**{RECORD: as_json(good, names)})
    return Rows(good, ibis.memtable(pa.Table.from_pylist(bad, BAD_ROWS)))


def workbook_columns(path: Path, sheet: str | None, header_row: int) -> list[str]:
    """The names of a sheet's columns.

    Raises:
        SourceError: as ``workbook_rows``.
    """
    with _opened(path) as file:
        return _names(path, next(_lines(path, file, sheet, header_row), (0, []))[1], header_row)


class _Fault(str):
    """The text that an Excel error is shown as."""

    __slots__ = ("problem",)
    problem: str
    """What is wrong, and where."""


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """The open workbook; whatever goes wrong with it is a SourceError of one sentence."""
    existing_file(path)
    with path.open("rb") as file:
        if file.read(len(_COMPOUND)) == _COMPOUND:
            protected = _ENCRYPTED in file.read()
            what = "is protected by a password" if protected else "is of an old Excel (.xls)"
            raise SourceError(
                translate(
                    "{path}: the workbook {what}; {save}, without a password",
                    path=path,
                    what=translate(what),
                    save=translate(_SAVE),
                )
            )
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of what a sheet has besides its cells
                yield file
        except SourceError:
            raise
        except Exception as e:  # openpyxl raises whatever a damaged file leads it to
            why = " ".join(str(e).split())[:200] or type(e).__name__
            raise SourceError(
                translate(
                    "{path}: not a workbook that can be read ({why}); {save}, or correct its path",
                    path=path,
                    why=why,
                    save=translate(_SAVE),
                )
            ) from e


def _names(path: Path, header: Sequence[str | None], header_row: int) -> list[str]:
    names = [str(cell).strip() if cell is not None else "" for cell in header]
    while names and not names[-1]:
        names.pop()
    if not names:
        raise SourceError(
            translate(
                "{path}: row {header_row} of the sheet has no names of columns; say in 'header_row' which row has them",
                path=path,
                header_row=header_row,
            )
        )
    return [name or f"column {at}" for at, name in enumerate(names, 1)]


def _lines(
    path: Path, file: IO[bytes], sheet: str | None, header_row: int
) -> Iterator[tuple[int, list[str | None]]]:
    """The header and every row below it that is not empty, with their numbers in the sheet."""
    import openpyxl  # noqa: PLC0415 -- few builds read workbooks

    _check_size(path, file)
    book = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
    chosen = _sheet(path, book.worksheets, sheet)
    merged, has_formulas = _merged_cells(file, chosen._worksheet_path)  # noqa: SLF001 -- there is nothing public
    formulas: Iterator[Any] = iter(())
    if has_formulas:
        written = openpyxl.load_workbook(file, read_only=True, keep_links=False)
        formulas = _rows(written[chosen.title])
    ended = True
    for at, cells in enumerate(_rows(chosen), 1):
        if at > _MOST_ROWS:
            raise SourceError(
                translate(
                    "{path}: the sheet {title!r} has rows beyond {most_rows:,}, the last that Excel has; correct the file",
                    path=path,
                    title=chosen.title,
                    most_rows=_MOST_ROWS,
                )
            )
        texts = [_text(cell) for cell in cells]
        for column, formula in enumerate(next(formulas, ())):
            # an empty text is a result, too
            if (
                formula.data_type == "f"
                and texts[column] is None
                and cells[column].data_type == "n"
            ):
                texts[column] = _fault(formula, "a formula without its result")
        if at == header_row or (at > header_row and any(text is not None for text in texts)):
            yield at, texts if at == header_row else merged.filled(at, texts)
        ended = at < header_row
    if ended:
        raise SourceError(
            translate(
                "{path}: the sheet {title!r} has no row {header_row} with the names of columns; correct 'sheet' or 'header_row'",
                path=path,
                title=chosen.title,
                header_row=header_row,
            )
        )


def _rows(sheet: Any) -> Iterator[Any]:  # noqa: ANN401 -- openpyxl has no types
    sheet.reset_dimensions()  # a file may state them wrongly
    yield from sheet.iter_rows(max_row=_MOST_ROWS + 1)


def _sheet(path: Path, sheets: Sequence[Any], name: str | None) -> Any:  # noqa: ANN401 -- openpyxl has no types
    if name is None:
        visible = [sheet for sheet in sheets if sheet.sheet_state == "visible"]
        if not visible:
            raise SourceError(
                translate(
                    "{path}: the workbook has no visible sheet; name one in 'sheet'", path=path
                )
            )
        return visible[0]
    for sheet in sheets:
        if sheet.title == name:
            return sheet
    there = ", ".join(repr(sheet.title) for sheet in sheets[:20])
    raise SourceError(
        translate(
            "{path}: no sheet is called {name!r}; it has {there}; correct 'sheet'",
            path=path,
            name=name,
            there=there,
        )
    )


def _check_size(path: Path, file: IO[bytes]) -> None:
    """Read every part once: stated sizes may be wrong, and parts may be damaged."""
    size = 0
    with zipfile.ZipFile(file) as parts:
        for part in parts.infolist():
            with parts.open(part) as content:
                while chunk := content.read(_CHUNK):
                    size += len(chunk)
                    if size > _MOST_BYTES:
                        raise SourceError(
                            translate(
                                "{path}: the workbook has more than {most} GB of content; save the sheet as CSV",
                                path=path,
                                most=_MOST_BYTES // 1024**3,
                            )
                        )


def _merged_cells(file: IO[bytes], part: str) -> tuple[_Merged, bool]:
    """The merged cells of a sheet, and whether it has formulas."""
    from openpyxl.utils import column_index_from_string  # noqa: PLC0415 -- as above

    has_formulas, tail = False, b""
    with zipfile.ZipFile(file) as parts, parts.open(part.lstrip("/")) as content:
        while chunk := content.read(_CHUNK):
            tail += chunk
            has_formulas = has_formulas or _FORMULA in tail
            # merged cells stand below the rows
            tail = tail[tail.rfind(_END_OF_ROWS) :] if _END_OF_ROWS in tail else tail[-64:]
    spans = {}
    for first, top, _, bottom in _MERGED.findall(tail):
        if top != bottom:
            spans[int(top), column_index_from_string(first.decode())] = int(bottom)
    return _Merged(spans), has_formulas


def _text(cell: Any) -> str | None:  # noqa: ANN401 -- whatever a cell holds
    value = cell.value
    match value:
        case None | "":
            return None
        case str() if cell.data_type == "e":
            return _fault(cell, f"the error {value}")
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float():
            return _number(value, cell.number_format or "")
        case datetime():
            return str(value.date()) if value.time() == time() else str(value)
        case _:
            return str(value)


def _fault(cell: Any, what: str) -> str:  # noqa: ANN401 -- openpyxl has no types
    fault = _Fault(cell.value)
    fault.problem = (
        f"cell {cell.coordinate} has {what}; put that right in the workbook, or map another column"
    )
    return fault


def _number(value: float, written: str) -> str:
    """The number as its format shows it, but with all its digits."""
    plain = _QUOTED.sub("", written)
    if "%" in plain:
        return f"{value * 100:.15g}%"
    if value % 1:
        return f"{value:.15g}"
    whole = str(int(value))
    return whole.zfill(len(plain)) if re.fullmatch("0{2,}", plain) else whole
