"""Rows as tables whose every value is what its column says."""

import reprlib
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Real
from typing import Final, TypeAlias

import duckdb
import numpy as np
import pyarrow as pa

from kg.errors import TablesError
from kg.tables import Column, Kind, arrow_schema

Rows: TypeAlias = pa.Table | Iterable[Mapping[str, object]]
"""What goes into one table of a layer; a column that a row does not have is null."""

_EXPECTED: Final = {
    Kind.STRING: "a text of Unicode",
    Kind.TIME: "a text of Unicode",
    Kind.JSON: "a text of Unicode",
    Kind.STRINGS: "a list of texts",
    Kind.FLOAT: "a number that a double can be",
    Kind.INTEGER: "a whole number of 64 bits",
    Kind.BOOLEAN: "true or false",
    Kind.VECTOR: "a list of numbers",
}
"""What a value is, by the kind of its column."""

_IDS: Final = ("id", "head", "tail")
"""Columns that are never empty."""


def make_table(
    db: duckdb.DuckDBPyConnection, columns: Sequence[Column], rows: Rows, where: str
) -> pa.Table:
    """Rows as a table of exactly the columns; one that is missing is null, or an empty list.

    Args:
        db: gets the table as ``made``, in place of an earlier one.
        columns: of the table.
        rows: in any order.
        where: the table, as messages name it.

    Raises:
        TablesError: a column is none of these or a required one is missing, or a value is not
            what its column says.
    """
    if isinstance(rows, pa.Table):
        table = _from_arrow(columns, rows, where)
    else:
        table = _from_mappings(columns, rows, where)
    db.register("made", table)
    check_values(db, "made", columns, where)
    return table


def _from_mappings(columns: Sequence[Column], rows: Iterable[object], where: str) -> pa.Table:
    if not isinstance(rows, Iterable):
        raise TablesError(f"{where}: {reprlib.repr(rows)} is no list of rows; give one")
    whole: list[Mapping[str, object]] = []
    names = {column.name for column in columns}
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise TablesError(
                f"{where}, row {number}: {reprlib.repr(row)} has no columns; give a mapping of "
                "column to value"
            )
        _check_names([str(name) for name in row], names, f"{where}, row {number}")
        whole.append(row)
    schema = arrow_schema(columns)
    arrays = []
    for column in columns:
        missing: object = [] if column.kind is Kind.STRINGS else None
        values = [row.get(column.name, missing) for row in whole]
        arrays.append(_array(column, values, schema.field(column.name).type, where))
    return pa.table(arrays, schema=schema)


def _check_names(names: Sequence[str], known: Iterable[str], where: str) -> None:
    if more := sorted(set(names) - set(known)):
        raise TablesError(
            f"{where}: {more[0]!r} is no column; there are {', '.join(sorted(known))}"
        )
    if len(set(names)) < len(names):
        raise TablesError(f"{where}: has a column twice; give each once")


def _array(column: Column, values: list[object], type_: pa.DataType, where: str) -> pa.Array:
    for number, value in enumerate(values, 1):
        if value is not None and not _fits(column.kind, value):
            raise _unfit(column, value, number, where)
    try:
        return pa.array(values, type_)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        for number, value in enumerate(values, 1):
            try:
                pa.array([value], type_)
            except (pa.ArrowException, TypeError, ValueError, OverflowError) as e:
                raise _unfit(column, value, number, where) from e
        raise


def _fits(kind: Kind, value: object) -> bool:
    """Whether a value is of a type that its kind of column takes, a null in a list included."""
    if kind in (Kind.STRING, Kind.TIME, Kind.JSON):
        return isinstance(value, str)
    if kind is Kind.BOOLEAN:
        return isinstance(value, bool | np.bool_)
    if kind is Kind.INTEGER:
        return isinstance(value, Integral) and not isinstance(value, bool)
    if kind is Kind.FLOAT:
        return isinstance(value, Real) and not isinstance(value, bool)
    of = Kind.STRING if kind is Kind.STRINGS else Kind.FLOAT
    if not isinstance(value, list | tuple | np.ndarray):
        return False
    return all(item is None or _fits(of, item) for item in value)


def _unfit(column: Column, value: object, number: int, where: str) -> TablesError:
    return TablesError(
        f"{where}, row {number}: column {column.name} is {reprlib.repr(value)} and not "
        f"{_EXPECTED[column.kind]}; correct it"
    )


def _from_arrow(columns: Sequence[Column], rows: pa.Table, where: str) -> pa.Table:
    _check_names(rows.column_names, {column.name for column in columns}, where)
    schema = arrow_schema(columns)
    arrays = []
    for column in columns:
        type_ = schema.field(column.name).type
        if column.name in rows.column_names:
            arrays.append(_cast(column, rows[column.name], type_, where))
        elif column.kind is Kind.STRINGS:
            arrays.append(pa.array([[]] * len(rows), type_))
        elif column.required:
            raise TablesError(f"{where}: has no column {column.name}; add it")
        else:
            arrays.append(pa.nulls(len(rows), type_))
    return pa.table(arrays, schema=schema)


def _cast(column: Column, values: pa.ChunkedArray, type_: pa.DataType, where: str) -> pa.Array:
    """The values in the column's type, which loses none of them but a vector's digits."""
    why = f"is {values.type}"
    try:
        if _becomes(column.kind, values.type):
            values.validate(full=True)
            cast = values.cast(type_)
            cast.validate(full=True)
            return cast
    except pa.ArrowException as e:
        why = " ".join(str(e).split())
    raise TablesError(
        f"{where}: column {column.name} is not {_EXPECTED[column.kind]} ({why}); cast it"
    )


def _becomes(kind: Kind, type_: pa.DataType) -> bool:
    """Whether values of a type can be cast to that of a kind of column and stay what they are."""
    is_ = pa.types
    if is_.is_null(type_):
        return True
    if is_.is_dictionary(type_):
        return _becomes(kind, type_.value_type)
    if kind in (Kind.STRINGS, Kind.VECTOR):
        is_list = is_.is_list(type_) or is_.is_large_list(type_) or is_.is_fixed_size_list(type_)
        of = Kind.STRING if kind is Kind.STRINGS else Kind.FLOAT
        return is_list and _becomes(of, type_.value_type)
    fits = {
        Kind.BOOLEAN: (is_.is_boolean,),
        Kind.INTEGER: (is_.is_integer,),
        Kind.FLOAT: (is_.is_integer, is_.is_floating),
    }
    return any(test(type_) for test in fits.get(kind, (is_.is_string, is_.is_large_string)))


_TIME: Final = r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z"


def _conditions(columns: Sequence[Column]) -> list[tuple[str, str, str]]:
    """Column, what no value of it may be, and SQL that says so of one."""
    found = []
    for column in columns:
        name = f'"{column.name}"'
        is_null = f"{name} is null"
        if column.required:
            found.append((column.name, "null", is_null))
        if column.name in _IDS:
            found.append((column.name, "empty", f"trim({name}) = ''"))
        elif column.kind is Kind.TIME:
            # a day such as 30 February looks like a time
            no_time = (
                f"not regexp_full_match({name}, '{_TIME}') or "
                f"try_strptime({name}, '%Y-%m-%dT%H:%M:%S.%gZ') is null"
            )
            what = "no time such as 2026-03-01T09:30:00.000Z"
            found.append((column.name, what, f"not ({is_null}) and ({no_time})"))
        elif column.kind is Kind.JSON:
            found.append((column.name, "no JSON", f"not json_valid({name})"))
        elif column.kind is Kind.FLOAT:
            found.append((column.name, "no finite number", f"not isfinite({name})"))
        elif column.kind is Kind.STRINGS:
            holed = f"list_count({name}) <> len({name})"
            found.append((column.name, "a list with a null in it", holed))
    return found


def check_values(
    db: duckdb.DuckDBPyConnection, table: str, columns: Sequence[Column], where: str
) -> None:
    """See that every value is what its column says.

    Args:
        db: has the table.
        table: or view, of rows in their order in the file.
        columns: to be looked at.
        where: the table, as messages name it.

    Raises:
        TablesError: one is not.
    """
    conditions = _conditions(columns)
    if not conditions:
        return
    counts = ", ".join(f"count_if({condition})" for _, _, condition in conditions)
    (unfit,) = db.execute(f"select {counts} from {table}").fetchall()  # noqa: S608 - columns
    for (column, what, condition), bad in zip(conditions, unfit, strict=True):
        if bad:
            ((number,),) = db.execute(
                f"select min(row_of_file) from (select *, row_number() over () as row_of_file from {table}) "  # noqa: S608 - columns
                f"where {condition}"
            ).fetchall()
            more = f" and in {bad - 1} more" if bad > 1 else ""
            raise TablesError(
                f"{where}: column {column} is {what} in row {number}{more}; correct the rows and "
                "make this layer again"
            )


def check_distinct(
    db: duckdb.DuckDBPyConnection, table: str, keys: Sequence[str], where: str
) -> None:
    """See that no two rows are of one node, record or edge.

    Raises:
        TablesError: two are.
    """
    names = ", ".join(f'"{key}"' for key in keys)
    twice = db.execute(
        f"select {names} from {table} group by all having count(*) > 1 order by all limit 1"  # noqa: S608 - columns
    ).fetchone()
    if twice:
        what = f"the edge from {twice[0]} to {twice[1]}" if len(keys) > 1 else twice[0]
        raise TablesError(
            f"{where}: {what} is there twice; give it once and make this layer again"
        )


def check_vectors(db: duckdb.DuckDBPyConnection, rows: str, dimensions: int, where: str) -> None:
    """See that every vector of a layer has a direction, and a length of that many numbers.

    Args:
        db: has the rows.
        rows: SQL of them, ``VECTOR_COLUMNS``.
        dimensions: that each should have.
        where: the table, as messages name it.

    Raises:
        TablesError: one has not, or is there twice.
    """
    for what, condition in _UNFIT.items():
        unfit = db.execute(
            f"select id from ({rows}) group by id having {condition} order by id limit 1",  # noqa: S608 - texts of this module
            {"dimensions": dimensions} if "$dimensions" in condition else {},
        ).fetchone()
        if unfit:
            raise TablesError(f"{where}: the vector of {unfit[0]} {what}; make this layer again")


_UNFIT: Final = {
    "is there twice": "count(*) > 1",
    "has another length than the layer says": (
        "coalesce(len(any_value(embedding)), 0) <> $dimensions"
    ),
    "has no numbers": "coalesce(len(any_value(embedding)), 0) = 0",
    "has a value that is no number": (
        "list_count(any_value(embedding)) <> len(any_value(embedding)) "
        "or not isfinite(list_sum(any_value(embedding)))"
    ),
    "is all zero, or too long": (
        "not list_inner_product(any_value(embedding), any_value(embedding)) between 1e-30 and 1e30"
    ),
}
"""What no vector may be, by which they are found; the angle to such a one is not defined."""
