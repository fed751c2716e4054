"""Files of triples: three columns of names, whatever the format, or what is wrong and where."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple, NoReturn

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from kg.errors import EmbeddingError

SUFFIXES: Final = (".tsv", ".txt", ".csv", ".parquet")
"""Of the files that can be read."""

_HEADERS: Final = (
    ("head", "relation", "tail"),
    ("subject", "predicate", "object"),
    ("h", "r", "t"),
)
_NAMES: Final = "head, relation and tail (or subject, predicate and object)"
_QUOTING: Final[dict[str, Literal[0, 3]]] = {"\t": csv.QUOTE_NONE, ",": csv.QUOTE_MINIMAL}
_LONGEST_LINE: Final = 2**20
"""Characters that are looked at for a header."""


def read_columns(path: Path) -> pa.Table:
    """The columns head, relation and tail of a file, string, without an empty cell.

    Columns are parted by a comma in ``.csv``, by a tab in ``.tsv``, and by either in ``.txt``;
    only those that are parted by commas know quotes. Where the first line names columns head,
    relation, tail (or subject, predicate, object, or h, r, t), others may stand beside them, as
    in KGX; without such a line there are three. Empty lines count for nothing, and blanks around
    a name are no part of it.

    Raises:
        EmbeddingError: the file is not there, cannot be read, is no UTF-8 or no Parquet, has
            other columns, an empty cell, or no triple.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise EmbeddingError(
            f"{path}: not a file of triples by its name; name it with one of {', '.join(SUFFIXES)}"
        )
    try:
        table = _of_parquet(path) if path.suffix.lower() == ".parquet" else _of_text(path)
    except csv.Error as e:
        raise EmbeddingError(f"{path}: not a file of triples ({e}); give one") from e
    except OSError as e:
        reason = e.strerror or " ".join(str(e).split())
        raise EmbeddingError(
            f"{path}: cannot be read ({reason}); give a file of triples that is there"
        ) from e
    if not len(table):
        raise EmbeddingError(f"{path}: there is no triple in it; give a file with at least one")
    return table


def _of_parquet(path: Path) -> pa.Table:
    try:
        with path.open("rb") as file:
            parquet = pyarrow.parquet.ParquetFile(file)
            names = parquet.schema_arrow.names
            chosen = _header(names)
            if chosen is None:
                found = ", ".join(names) or "none"
                raise EmbeddingError(f"{path}: its columns are {found}; name three {_NAMES}")
            table = parquet.read([names[at] for at in chosen])
        columns = [table[names[at]].cast(pa.string()) for at in chosen]
    except pa.ArrowException as e:
        reason = " ".join(str(e).split())
        raise EmbeddingError(
            f"{path}: not a Parquet file with three columns of text ({reason}); make it again"
        ) from e
    named = _stripped(pa.table(columns, _HEADERS[0]))
    if (at := _first_empty(named)) is not None:
        raise EmbeddingError(
            f"{path}, row {at + 1}: a cell is empty; give it a head, a relation and a tail"
        )
    return named


class _Layout(NamedTuple):
    """How a text file holds its columns."""

    delimiter: str
    width: int
    """How many columns there are."""
    chosen: tuple[int, ...]
    """Where head, relation and tail are among them."""
    skipped: int
    """Lines up to the header, and with it; 0 where there is none."""

    @property
    def quoted(self) -> bool:
        return self.delimiter == ","


def _of_text(path: Path) -> pa.Table:
    layout = _layout(path)
    names = [str(at) for at in range(layout.width)]
    wanted = [names[at] for at in layout.chosen]
    try:
        table = pyarrow.csv.read_csv(
            path,
            pyarrow.csv.ReadOptions(column_names=names, skip_rows=layout.skipped),
            pyarrow.csv.ParseOptions(
                delimiter=layout.delimiter,
                quote_char='"' if layout.quoted else False,
                newlines_in_values=layout.quoted,
            ),
            pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(wanted, pa.string()), include_columns=wanted
            ),
        )
    except pa.ArrowInvalid as e:
        _refuse(path, layout, str(e))
    named = _stripped(table.rename_columns(_HEADERS[0]))
    if _first_empty(named) is not None:
        _refuse(path, layout, "a cell is empty")
    return named


def _layout(path: Path) -> _Layout:
    with path.open("rb") as raw:
        file = io.TextIOWrapper(raw, encoding="utf-8-sig", errors="replace")
        at, line = 1, file.readline(_LONGEST_LINE)
        while line.strip("\r\n") == "" and line:
            at, line = at + 1, file.readline(_LONGEST_LINE)
    if not line:
        raise EmbeddingError(f"{path}: there is no triple in it; give a file with at least one")
    suffix = path.suffix.lower()
    delimiter = "," if suffix == ".csv" or (suffix == ".txt" and "\t" not in line) else "\t"
    cells = next(csv.reader([line], delimiter=delimiter, quoting=_QUOTING[delimiter]))
    chosen = _header(cells)
    if chosen:
        return _Layout(delimiter, len(cells), chosen, at)
    return _Layout(delimiter, len(_HEADERS[0]), (0, 1, 2), 0)


def _header(cells: Sequence[str]) -> tuple[int, ...] | None:
    """Where the columns are, if the cells name them."""
    lower = [cell.strip().lower() for cell in cells]
    for header in _HEADERS:
        if all(lower.count(name) == 1 for name in header):
            return tuple(map(lower.index, header))
    return None


def _stripped(table: pa.Table) -> pa.Table:
    columns = [pc.utf8_trim_whitespace(column) for column in table.columns]
    return pa.table(columns, table.column_names)


def _first_empty(table: pa.Table) -> int | None:
    """The first row with nothing in a cell."""
    found = [
        pc.index(pc.fill_null(pc.equal(column, ""), True), True).as_py()
        for column in table.columns
    ]
    return min((at for at in found if at >= 0), default=None)


def _refuse(path: Path, layout: _Layout, reason: str) -> NoReturn:
    """Say which line is wrong; the fast reader knows only that one is."""
    wrong = f"{path}: cannot be read as triples ({' '.join(reason.split())}); make it again"
    with path.open("rb") as file:
        reader = csv.reader(
            _decoded(path, file), delimiter=layout.delimiter, quoting=_QUOTING[layout.delimiter]
        )
        for cells in reader:
            if reader.line_num > layout.skipped and cells:
                _check(f"{path}, line {reader.line_num}", cells, layout)
    raise EmbeddingError(wrong)


def _decoded(path: Path, file: io.BufferedIOBase) -> Iterator[str]:
    for at, line in enumerate(file, start=1):
        try:
            yield line.decode("utf-8-sig" if at == 1 else "utf-8")
        except UnicodeDecodeError as e:
            raise EmbeddingError(
                f"{path}, line {at}: not UTF-8 ({e.reason}); convert the file to UTF-8"
            ) from e


def _check(at: str, cells: Sequence[str], layout: _Layout) -> None:
    if len(cells) != layout.width:
        parted = "commas" if layout.quoted else "tabs"
        raise EmbeddingError(
            f"{at}: {len(cells)} columns parted by {parted}, not {layout.width}; "
            "write head, relation and tail in each line"
        )
    if not all(cells[place].strip() for place in layout.chosen):
        raise EmbeddingError(f"{at}: a cell is empty; give it a head, a relation and a tail")
