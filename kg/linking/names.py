"""The table of names that text is linked with: a graph's, a merge's, or any file's."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Final, Self, cast

import pyarrow as pa

from cypher.translation import translate
from kg.errors import LinkingError
from kg.stores.store import Store
from kg.tables import SEPARATOR, GraphTables
from kg.vocabulary import LANGUAGES, of_category

SCHEMA: Final = pa.schema(
    [
        ("id", pa.string()),
        ("type", pa.string()),
        ("name", pa.string()),
        ("language", pa.string()),
        ("preferred", pa.bool_()),
        ("cui", pa.string()),
    ]
)
"""One row a name. ``preferred``: the entity is called so, it is no mere synonym; where a
table says nothing of it, the first name of an entity in a language. ``cui``: the UMLS
concepts of the entity, joined by ``|``; may be null, and left out as ``preferred`` may."""

_REQUIRED: Final = ("id", "type", "name", "language")
_UNLINKED_TYPES: Final = of_category("qualifier", "code", "text")
"""No text speaks of a section, a concept is what an entity is linked with, and a modifier
("right", "severe") is an everyday word."""


@dataclass(frozen=True)
class Names:
    """A table of names, with the columns of SCHEMA and every required value there."""

    table: pa.Table

    @classmethod
    def of_table(cls, table: pa.Table, what: str = "the table of names") -> Self:
        """Any table that has the required columns.

        Args:
            table: other columns are left out.
            what: how a message calls it.

        Raises:
            LinkingError: a column or a value is missing, or a language is unknown.
        """
        if len(set(table.column_names)) < len(table.column_names):
            raise LinkingError(
                translate("{what}: two columns have one name; take one of them out", what=what)
            )
        if missing := [name for name in _REQUIRED if name not in table.column_names]:
            raise LinkingError(
                translate(
                    "{what}: has no column {missing!r} but {names}; a table of names needs {required}, and may have preferred and cui",
                    what=what,
                    missing=missing[0],
                    names=", ".join(table.column_names),
                    required=", ".join(_REQUIRED),
                )
            )
        table = pa.table({field.name: _column(table, field, what) for field in SCHEMA})
        for name in _REQUIRED:
            _check_filled(table[name], what)
        pc = _compute()
        unknown = pc.invert(pc.is_in(table["language"], pa.array(LANGUAGES)))
        if row := _first(unknown):
            raise LinkingError(
                translate(
                    "{what}, row {row}: {language!r} is not a language of medkg; write {names}",
                    what=what,
                    row=row,
                    language=table["language"][row - 1].as_py(),
                    names=" or ".join(LANGUAGES),
                )
            )
        return cls(_with_preferred(table))

    @classmethod
    def read(cls, path: Path) -> Self:
        """A Parquet, CSV, TSV or JSON-lines file.

        Raises:
            LinkingError: it cannot be read, or is no table of names.
        """
        return cls.of_table(_read(path), str(path))

    @classmethod
    def of_store(cls, store: Store) -> Self:
        """The names of everything in a graph, asked by Cypher.

        Raises:
            StoreError: the store failed.
        """
        cuis = concepts_of(store)
        named = store.query("entity.names")
        rows = (
            (*cast("tuple[str, str]", row[:2]), row[2:], cuis.get(str(row[0])))
            for row in named.rows
        )
        return cls(_of_entities(rows))

    @classmethod
    def of_tables(cls, tables: GraphTables) -> Self:
        """The names in graph tables, before any store has them.

        Raises:
            TablesError: the tables are not whole.
        """
        import pyarrow.parquet as pq  # noqa: PLC0415 -- not needed to link

        summary = tables.summary()
        cuis: dict[str, list[str]] = {}
        if "HAS_CUI" in summary.edges:
            edges = pq.read_table(tables.edges("HAS_CUI"), columns=["head", "tail"])
            for head, tail in zip(*(edges[c].to_pylist() for c in ("head", "tail")), strict=True):
                cuis.setdefault(head, []).append(tail.partition(":")[2])
        joined = _joined(cuis)
        columns = ["id", "type", "name", "name_zh", "synonyms", "synonyms_zh"]
        nodes = pq.read_table(tables.nodes, columns=columns)
        rows = (
            (row["id"], row["type"], tuple(row[c] for c in columns[2:]), joined.get(row["id"]))
            for batch in nodes.to_batches()
            for row in batch.to_pylist()
            if row["type"] not in _UNLINKED_TYPES
        )
        return cls(_of_entities(rows))

    def __len__(self) -> int:
        return int(self.table.num_rows)


def concepts_of(store: Store) -> dict[str, str]:
    """The CUIs of each entity of a graph that has some, joined by ``|``.

    Raises:
        StoreError: the store failed.
    """
    cuis: dict[str, list[str]] = {}
    for row in store.query("entity.cuis").dicts():
        cuis.setdefault(str(row["entity_id"]), []).append(str(row["cui"]))
    return _joined(cuis)


def _joined(cuis: Mapping[str, list[str]]) -> dict[str, str]:
    return {entity: SEPARATOR.join(sorted(concepts)) for entity, concepts in cuis.items()}


def _of_entities(rows: Iterator[tuple[str, str, tuple[object, ...], str | None]]) -> pa.Table:
    """Rows of id, type, (name, name_zh, synonyms, synonyms_zh), CUIs as a table of names."""
    columns: dict[str, list[object]] = {name: [] for name in SCHEMA.names}
    for id_, type_, (name, name_zh, synonyms, synonyms_zh), cuis in rows:
        names = [] if name == id_ else [(name, "zh" if name == name_zh else "en", True)]
        names += [(name_zh, "zh", True)] if name_zh and name_zh != name else []
        names += [(synonym, "en", False) for synonym in cast("list[str]", synonyms)]
        names += [(synonym, "zh", False) for synonym in cast("list[str]", synonyms_zh)]
        for text, language, preferred in names:
            values = (id_, type_, text, language, preferred, cuis)
            for column, value in zip(columns.values(), values, strict=True):
                column.append(value)
    return pa.table(columns, schema=SCHEMA)


def _read(path: Path) -> pa.Table:
    import pyarrow.csv  # noqa: PLC0415 -- not needed to link
    import pyarrow.json  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    as_text = pyarrow.csv.ConvertOptions(
        column_types=SCHEMA, strings_can_be_null=True, null_values=[""]
    )
    try:
        match path.suffix.lower():
            case ".parquet":
                return pq.read_table(path)
            case ".csv":
                return pyarrow.csv.read_csv(path, convert_options=as_text)
            case ".tsv":
                tabs = pyarrow.csv.ParseOptions(delimiter="\t")
                return pyarrow.csv.read_csv(path, None, tabs, as_text)
            case ".jsonl":
                return pyarrow.json.read_json(path)
    except (OSError, pa.ArrowException) as e:
        raise LinkingError(
            translate(
                "{path}: cannot be read ({e}); see that it is a whole file in UTF-8",
                path=path,
                e=e,
            )
        ) from e
    raise LinkingError(
        translate(
            "{path}: not a table that medkg reads; make it .parquet, .csv, .tsv or .jsonl",
            path=path,
        )
    )


def _column(table: pa.Table, field: pa.Field, what: str) -> pa.ChunkedArray:
    if field.name not in table.column_names:
        return pa.chunked_array([pa.nulls(table.num_rows, field.type)])
    try:
        return table[field.name].cast(field.type)
    except pa.ArrowException as e:
        raise LinkingError(
            translate(
                "{what}: the column {name!r} is {type} and not {type_2}",
                what=what,
                name=field.name,
                type=table[field.name].type,
                type_2=field.type,
            )
        ) from e


def _compute() -> ModuleType:
    """Arrow's functions, which whoever links with a ready index does without."""
    import pyarrow.compute  # noqa: PLC0415

    return cast(ModuleType, pyarrow.compute)


def _check_filled(column: pa.ChunkedArray, what: str) -> None:
    pc = _compute()
    empty = pc.fill_null(pc.equal(pc.utf8_trim_whitespace(column), ""), fill_value=True)
    if row := _first(empty):
        raise LinkingError(
            translate(
                "{what}, row {row}: an id, type, name or language is empty; fill it in or take the row out",
                what=what,
                row=row,
            )
        )


def _first(true: pa.ChunkedArray) -> int:
    """Number of the first row that is true, from 1; 0 for none."""
    pc = _compute()
    return int(pc.index(true, pa.scalar(value=True)).as_py()) + 1


def _with_preferred(table: pa.Table) -> pa.Table:
    """Fill in ``preferred`` where it is null: the first name of an entity in its language."""
    if not table["preferred"].null_count:
        return table
    seen: set[tuple[str, str]] = set()
    first = []
    for pair in zip(table["id"].to_pylist(), table["language"].to_pylist(), strict=True):
        first.append(pair not in seen)
        seen.add(pair)
    filled = _compute().coalesce(table["preferred"], pa.chunked_array([pa.array(first)]))
    return table.set_column(SCHEMA.get_field_index("preferred"), "preferred", filled)
