"""Reads triples: from a file, from a folder that has them split already, or from a graph."""

import csv
import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final, Literal, NamedTuple, NoReturn

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from kg.embeddings.triples import (
    BoolArray,
    Entities,
    IntArray,
    Split,
    Triples,
    compact,
    distinct,
    is_first,
    number,
    positions,
)
from kg.errors import EmbeddingError
from kg.progress import Progress, Silent
from kg.stores.store import Store
from kg.vocabulary import FACTS, NODE_TYPES

NOT_KNOWLEDGE: Final = frozenset({"HAS_CUI", "HAS_SECTION"})
"""Relations that are read only on demand: they connect entities with codes and texts."""

PARTS: Final = ("train", "valid", "test")
"""Names of the files of a folder that has triples split already."""

SUFFIXES: Final = (".tsv", ".txt", ".csv", ".parquet")
"""Of the files that can be read."""

Unseen = Literal["refuse", "keep", "drop"]

_SILENT: Final = Silent()
_AT_ONCE: Final = 300_000
"""Facts per query at most, unless one relation has more: a row takes half a kilobyte."""
_SHOWN: Final = 3
"""Unseen names that an error lists at most."""
_HEADERS: Final = (
    ("head", "relation", "tail"),
    ("subject", "predicate", "object"),
    ("h", "r", "t"),
)
_NAMES: Final = "head, relation and tail (or subject, predicate and object)"
_QUOTING: Final[dict[str, Literal[0, 3]]] = {"\t": csv.QUOTE_NONE, ",": csv.QUOTE_MINIMAL}
_LONGEST_LINE: Final = 2**20
"""Characters that are searched for a header."""


def read_file(path: Path) -> Triples:
    """Read one file of triples; a triple that occurs twice counts once.

    Columns are separated by a comma in ``.csv``, by a tab in ``.tsv``, and by either in ``.txt``;
    only where commas separate them may cells be quoted. If the first line names columns head,
    relation, tail (or subject, predicate, object, or h, r, t), there may be others beside them,
    as in KGX; without such a line there are three. Empty lines are skipped, and blanks around a
    name are no part of it.

    Raises:
        EmbeddingError: the file is missing, cannot be read, is not UTF-8 or not Parquet, has
            other columns, an empty cell, or no triple.
    """
    named = number(*_columns(path).columns)
    return Triples(named.entities, named.relations, distinct(named.rows))


@dataclass(frozen=True)
class GivenSplit:
    """A split as others published it, and what had to be changed."""

    split: Split
    repeated: int
    """Triples that were left out because an earlier part has them."""
    unseen: int
    """Triples of valid and test with an entity or relation that train does not have."""


def read_split(folder: Path, unseen: Unseen = "refuse") -> GivenSplit:
    """Read ``train``, ``valid`` and ``test`` of a folder, each a file as ``read_file`` takes.

    A triple of one part that an earlier part has too is left out of the later one.

    Args:
        folder: where the files are.
        unseen: what becomes of triples of valid and test with an entity or relation that train
            does not have: "keep" them, as figures for WN18RR and FB15k-237 are published, though
            no model can have learnt them; or "drop" them; or "refuse" a split that has any.

    Raises:
        EmbeddingError: a part is missing, exists twice, cannot be read, or is left without a
            triple; or the split has unseen entities and is refused for it.
    """
    columns = [_columns(_part(folder, name)) for name in PARTS]
    named = number(*pa.concat_tables(columns).columns)
    part_of = np.repeat(np.arange(len(PARTS)), [len(part) for part in columns])
    rows = distinct(np.column_stack([named.rows, part_of]))
    first = is_first(rows[:, :3])
    repeated, rows = int((~first).sum()), rows[first]
    is_unseen = _is_unseen(rows, named)
    if unseen == "refuse" and is_unseen.any():
        raise EmbeddingError(_unseen_message(folder, named, rows, is_unseen))
    if unseen == "drop":
        rows = rows[~is_unseen]
    parts = [rows[rows[:, 3] == part, :3] for part in range(len(PARTS))]
    for name, part in zip(PARTS, parts, strict=True):
        if not len(part):
            raise EmbeddingError(
                f"{folder}: {name} is left without a triple, because earlier parts have all of "
                "its triples or their entities are unseen; give another split"
            )
    kept = compact(named.entities, named.relations, np.concatenate(parts))
    ends = np.cumsum([len(part) for part in parts])
    split = Split(kept.entities, kept.relations, *np.split(kept.rows, ends[:-1]))
    return GivenSplit(split, repeated, int(is_unseen.sum()))


def _part(folder: Path, name: str) -> Path:
    paths = [path for suffix in SUFFIXES if (path := folder / f"{name}{suffix}").exists()]
    if len(paths) == 1:
        return paths[0]
    if paths:
        names = " and ".join(path.name for path in paths)
        raise EmbeddingError(f"{folder}: both {names} are there; leave one of them")
    expected = ", ".join(f"{name}{suffix}" for suffix in SUFFIXES)
    raise EmbeddingError(
        f"{folder}: there is no {name} part; a split has train, valid and test, "
        f"and this one would be {expected}"
    )


def _is_unseen(rows: IntArray, named: Triples) -> BoolArray:
    """Which rows (head, relation, tail, part) have what no row of train has; shape (rows,)."""
    train = rows[rows[:, 3] == 0]
    entities = np.ones(len(named.entities), dtype=np.bool_)
    relations = np.ones(len(named.relations), dtype=np.bool_)
    entities[train[:, [0, 2]]] = False
    relations[train[:, 1]] = False
    heads, of, tails, _ = rows.T
    unseen: BoolArray = entities[heads] | relations[of] | entities[tails]
    return unseen


def _unseen_message(folder: Path, named: Triples, rows: IntArray, is_unseen: BoolArray) -> str:
    train, unseen = rows[rows[:, 3] == 0], rows[is_unseen]
    entities = np.setdiff1d(unseen[:, [0, 2]], train[:, [0, 2]])
    relations = np.setdiff1d(unseen[:, 1], train[:, 1])
    new = [named.entities.ids[at] for at in entities] + [named.relations[at] for at in relations]
    more = ", …" if len(new) > _SHOWN else ""
    return (
        f"{folder}: {len(unseen)} triples of valid and test have one of {len(new)} entities or "
        f"relations that train does not have ({', '.join(new[:_SHOWN])}{more}); keep them, as "
        "published figures do, or drop them"
    )


# --- files of triples ----------------------------------------------------------------------


def _columns(path: Path) -> pa.Table:
    """The columns head, relation and tail of a file, string, without an empty cell.

    Raises:
        EmbeddingError: as ``read_file`` says.
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
                there = ", ".join(names) or "none"
                raise EmbeddingError(f"{path}: its columns are {there}; name three {_NAMES}")
            table = parquet.read([names[at] for at in chosen])
        columns = [table[names[at]].cast(pa.string()) for at in chosen]
    except pa.ArrowException as e:
        reason = " ".join(str(e).split())
        raise EmbeddingError(
            f"{path}: not a Parquet file with three columns of text ({reason}); make it again"
        ) from e
    stripped = _stripped(pa.table(columns, _HEADERS[0]))
    if (at := _first_empty(stripped)) is not None:
        raise EmbeddingError(
            f"{path}, row {at + 1}: a cell is empty; give it a head, a relation and a tail"
        )
    return stripped


class _Layout(NamedTuple):
    """How a text file holds its columns."""

    delimiter: str
    width: int
    """How many columns there are."""
    chosen: tuple[int, ...]
    """Positions of head, relation and tail among them."""
    skipped: int
    """Lines up to and with the header; 0 where there is none."""

    @property
    def quoted(self) -> bool:
        return self.delimiter == ","


def _of_text(path: Path) -> pa.Table:
    layout = _layout(path)
    names = [str(at) for at in range(layout.width)]
    chosen_names = [names[at] for at in layout.chosen]
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
                column_types=dict.fromkeys(chosen_names, pa.string()), include_columns=chosen_names
            ),
        )
    except pa.ArrowInvalid as e:
        _refuse(path, layout, str(e))
    stripped = _stripped(table.rename_columns(_HEADERS[0]))
    if _first_empty(stripped) is not None:
        _refuse(path, layout, "a cell is empty")
    return stripped


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
    """Positions of head, relation and tail, if the cells name them."""
    lower = [cell.strip().lower() for cell in cells]
    for header in _HEADERS:
        if all(lower.count(name) == 1 for name in header):
            return tuple(map(lower.index, header))
    return None


def _stripped(table: pa.Table) -> pa.Table:
    columns = [pc.utf8_trim_whitespace(column) for column in table.columns]
    return pa.table(columns, table.column_names)


def _first_empty(table: pa.Table) -> int | None:
    """The first row with an empty cell."""
    rows = [
        pc.index(pc.fill_null(pc.equal(column, ""), True), True).as_py()
        for column in table.columns
    ]
    return min((row for row in rows if row >= 0), default=None)


def _refuse(path: Path, layout: _Layout, reason: str) -> NoReturn:
    """Say which line is wrong; the fast reader knows only that one is."""
    with path.open("rb") as file:
        reader = csv.reader(
            _decoded(path, file), delimiter=layout.delimiter, quoting=_QUOTING[layout.delimiter]
        )
        for cells in reader:
            if reader.line_num <= layout.skipped or not cells:
                continue
            where = f"{path}, line {reader.line_num}"
            if len(cells) != layout.width:
                raise EmbeddingError(
                    f"{where}: {len(cells)} columns separated by "
                    f"{'commas' if layout.quoted else 'tabs'}, not {layout.width}; "
                    "write head, relation and tail in each line"
                )
            if not all(cells[at].strip() for at in layout.chosen):
                raise EmbeddingError(
                    f"{where}: a cell is empty; give it a head, a relation and a tail"
                )
    raise EmbeddingError(
        f"{path}: cannot be read as triples ({' '.join(reason.split())}); make it again"
    )


def _decoded(path: Path, file: io.BufferedIOBase) -> Iterator[str]:
    for at, line in enumerate(file, start=1):
        try:
            yield line.decode("utf-8-sig" if at == 1 else "utf-8")
        except UnicodeDecodeError as e:
            raise EmbeddingError(
                f"{path}, line {at}: not UTF-8 ({e.reason}); convert the file to UTF-8"
            ) from e


# --- a graph -------------------------------------------------------------------------------


def read_store(
    store: Store,
    relations: Sequence[str] | None = None,
    types: Sequence[str] | None = None,
    progress: Progress = _SILENT,
) -> Triples:
    """Read the facts of a graph, those of its layers among them, and never its predictions.

    Args:
        store: the graph.
        relations: relation types; none: all that the graph has but NOT_KNOWLEDGE.
        types: node types that both ends must have; none: any.
        progress: shown meanwhile, in facts.

    Returns:
        Triples of the entities that occur in a fact, with their types and names.

    Raises:
        EmbeddingError: a type is not in the vocabulary, no fact has these types, or the graph
            was changed meanwhile.
        StoreError: the store failed.
    """
    wanted = _checked("relation", relations or (), FACTS)
    entity_types = _checked("node", types or NODE_TYPES, NODE_TYPES)
    counts = {
        str(relation): int(str(facts))
        for relation, facts in store.query("graph.relation_counts").rows
        if relation in (wanted or set(FACTS) - NOT_KNOWLEDGE)
    }
    names = sorted(counts)
    with progress.step("Reading triples", sum(counts.values())) as advance:
        entities = _entities(store, entity_types)
        parts = [np.empty((0, 3), dtype=np.int64)]
        for batch in _batches(counts):
            parts.append(_facts(store, batch, entity_types, entities, names))
            advance(sum(counts[relation] for relation in batch))
    rows = distinct(np.concatenate(parts))
    if not len(rows):
        ends = f" between {' and '.join(types)}" if types else ""
        which = f"one of the relations {', '.join(relations)}" if relations else "a relation"
        raise EmbeddingError(
            f"{store.uri}: no fact there has {which}{ends}; "
            "'medkg query graph.relation_counts' says what there is"
        )
    return compact(entities, tuple(names), rows)


def _checked(family: str, names: Collection[str], known: Collection[str]) -> list[str]:
    """Names of types, ascending, each once; refuses one that the vocabulary does not have."""
    for name in names:
        if name not in known:
            folded = {word.casefold().replace("_", ""): word for word in known}
            key = name.casefold().replace("_", "")
            near = [folded[word] for word in get_close_matches(key, folded, n=3, cutoff=0.5)]
            raise EmbeddingError(
                f"there is no {family} type {name!r}; the nearest are {', '.join(near)}"
                if near
                else f"there is no {family} type {name!r}; known are {', '.join(known)}"
            )
    return sorted(set(names))


def _entities(store: Store, types: list[str]) -> Entities:
    rows = sorted(store.query("graph.entities", entity_types=types).rows)
    ids, type_of, names = (
        tuple(map(str, column)) for column in (zip(*rows, strict=True) if rows else ((), (), ()))
    )
    return Entities(ids, type_of, names)


def _batches(counts: Mapping[str, int]) -> Iterator[list[str]]:
    """Relations, few enough at once for their facts to fit into the memory."""
    batch: list[str] = []
    for relation in sorted(counts):
        if batch and sum(counts[name] for name in [*batch, relation]) > _AT_ONCE:
            yield batch
            batch = []
        batch.append(relation)
    if batch:
        yield batch


def _facts(
    store: Store, batch: list[str], types: list[str], entities: Entities, relations: list[str]
) -> IntArray:
    """Facts of some relations, as positions among the entities and relations; shape (facts, 3)."""
    rows = store.query("graph.triples", relations=batch, entity_types=types).rows
    if not rows:
        return np.empty((0, 3), dtype=np.int64)
    relation, head, tail = (
        pa.chunked_array([pa.array(column, pa.string())]) for column in zip(*rows, strict=True)
    )
    ids, named = pa.array(entities.ids, pa.string()), pa.array(relations, pa.string())
    try:
        columns = positions(head, ids), positions(relation, named), positions(tail, ids)
    except ValueError as e:
        raise EmbeddingError(
            f"{store.uri}: the graph was changed meanwhile ({e}); try again"
        ) from e
    return np.stack(columns, axis=1)
