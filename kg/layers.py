"""Layers: graph tables added to a graph after its build, kept for the next build."""

import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from kg.errors import TablesError
from kg.progress import Progress
from kg.records import RECORD_RELATIONS, RECORD_TYPES
from kg.stores.disk import disk_errors
from kg.stores.planning import Change
from kg.stores.store import Counts, LayersChanged, Store
from kg.tables import (
    EDGE_COLUMNS,
    ENTITIES,
    MARK_COLUMNS,
    NODE_COLUMNS,
    REMOVED_COLUMNS,
    VECTOR_COLUMNS,
    VERSION,
    Column,
    GraphTables,
    TableSummary,
    arrow_table,
)

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

Rows: TypeAlias = "pa.Table | Iterable[Mapping[str, object]]"
"""What goes into one table of a layer; a column that a row does not say is null."""

_ColumnsOf: TypeAlias = Callable[[str], Sequence[Column]]


@dataclass(frozen=True)
class LayerRows:
    """The rows of a layer, by the kind of table they go into."""

    nodes: Rows = ()
    edges: Mapping[str, Rows] = field(default_factory=dict)
    """By relation type."""
    removed: Mapping[str, Rows] = field(default_factory=dict)
    """Edges of the build that it takes out, by relation type."""
    marks: Mapping[str, Rows] = field(default_factory=dict)
    """What it says of edges of the build, by relation type."""
    vectors: pa.Table | None = None
    """``VECTOR_COLUMNS``, vectors of one length."""
    space: str = ENTITIES
    """Name of the space that the vectors are in."""
    records: Mapping[str, Rows] = field(default_factory=dict)
    """By record type."""
    record_edges: Mapping[str, Rows] = field(default_factory=dict)
    """By relation of records."""


def write_layer(folder: Path, name: str, rows: LayerRows, made_by: str) -> GraphTables:
    """Write the tables of a layer: equal rows give equal files and an equal checksum.

    Args:
        folder: empty, or not there yet.
        name: of the layer.
        rows: in any order; a table without rows is left out.
        made_by: medkg's version and the command.

    Raises:
        StoreError: the folder cannot be written.
        ValueError: a row says something that is no column, or the folder is not empty.
        KeyError: a record type or relation is unknown.
    """
    layer = GraphTables(folder)
    written: dict[str, dict[str, int]] = {}
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ValueError(f"{folder}: not empty")
        nodes = _table(NODE_COLUMNS, rows.nodes).sort_by("id")
        pq.write_table(nodes, layer.nodes)
        files: list[tuple[str, Mapping[str, Rows], Callable[[str], Path], _ColumnsOf]] = [
            ("edges", rows.edges, layer.edges, lambda _: EDGE_COLUMNS),
            ("removed", rows.removed, layer.removed, lambda _: REMOVED_COLUMNS),
            ("marked", rows.marks, layer.marks, lambda _: MARK_COLUMNS),
            ("records", rows.records, layer.records, lambda name: RECORD_TYPES[name].columns),
            (
                "record_edges",
                rows.record_edges,
                layer.record_edges,
                lambda name: RECORD_RELATIONS[name].columns,
            ),
        ]
        for kind, tables, path, columns in files:
            written[kind] = {}
            for each in sorted(tables):
                table = _table(columns(each), tables[each])
                if len(table):
                    order = [k for k in ("id", "head", "tail") if k in table.column_names]
                    if kind == "record_edges":  # two of the same ends may differ in the rest
                        order += [k for k in table.column_names if k not in order]
                    path(each).parent.mkdir(exist_ok=True)
                    pq.write_table(table.sort_by([(k, "ascending") for k in order]), path(each))
                    written[kind][each] = len(table)
        vectors = rows.vectors if rows.vectors is not None else _table(VECTOR_COLUMNS, ())
        dimensions = len(vectors["embedding"][0]) if len(vectors) else 0
        if dimensions:
            pq.write_table(vectors.sort_by("id"), layer.vectors)
        layer.write_summary(
            TableSummary(
                name=name,
                checksum=_checksum(folder),
                nodes=_by_type(nodes),
                edges=written["edges"],
                removed=written["removed"],
                marked=written["marked"],
                records=written["records"],
                record_edges=written["record_edges"],
                vectors=len(vectors),
                dimensions=dimensions,
                space=rows.space,
                version=VERSION,
                made_by=made_by,
            )
        )
    return layer


def _table(columns: Sequence[Column], rows: Rows) -> pa.Table:
    return rows if isinstance(rows, pa.Table) else arrow_table(columns, rows)


def _by_type(nodes: pa.Table) -> dict[str, int]:
    counted = nodes["type"].value_counts().to_pylist()
    return dict(sorted((each["values"], each["counts"]) for each in counted))


def _checksum(folder: Path) -> str:
    digest = blake2b(digest_size=16)
    for path in sorted(folder.rglob("*.parquet")):
        digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


@dataclass(frozen=True)
class Layer:
    """A layer that the graph has, or that is kept on disk."""

    name: str
    checksum: str
    applied: bool
    kept: bool
    """Its tables are on disk, so that a rebuild can apply it again."""
    left_out: int = 0
    """Rows that did not fit the graph; they are listed beside the kept tables."""


def list_layers(store: Store, folder: Path) -> list[Layer]:
    """The applied layers in their order, then those only kept, by name.

    Raises:
        TablesError: a kept layer's tables are not whole.
        StoreError: the store does not say what it holds.
    """
    kept = {name: tables.summary().checksum for name, tables in kept_layers(folder).items()}
    stamp = store.stamp()
    applied = dict(stamp.layers) if stamp else {}
    layers = [
        Layer(name, sum_, True, name in kept, _left_out(folder / name))
        for name, sum_ in applied.items()
    ]
    rest = sorted(kept.keys() - applied.keys())
    return [*layers, *(Layer(name, kept[name], False, True) for name in rest)]


def _left_out(home: Path) -> int:
    path = GraphTables(home).left_out
    return int(pq.read_metadata(path).num_rows) if path.is_file() else 0


def kept_layers(folder: Path) -> dict[str, GraphTables]:
    """The tables of the layers kept in ``folder``, by name."""
    return {
        path.parent.name: GraphTables(path.parent)
        for path in sorted(folder.glob("*/tables.json"))
        if _NAME.fullmatch(path.parent.name)
    }


@dataclass(frozen=True)
class Applied:
    """What the application of layers did."""

    changed: LayersChanged
    before: dict[str, TableSummary]
    """Of the layers that were replaced, as far as they were kept."""


def apply_layers(
    sources: Sequence[Path],
    store: Store,
    folder: Path,
    progress: Progress,
    *,
    replace: bool = False,
    identities: Path | None = None,
) -> Applied:
    """Add layers to the graph in one step, and keep their tables in ``folder``.

    Rows that do not fit are left out, and listed in ``left_out.parquet`` beside the kept tables.

    Args:
        sources: graph tables of layers, anywhere, in the order of their application.
        store: gets the layers.
        folder: where layers are kept, one folder of its name each.
        progress: shown meanwhile.
        replace: applied layers of the same names go.
        identities: as for ``Change``; None: of the build in whose home ``folder`` is.

    Raises:
        TablesError: the tables are not whole, or their name is no folder's name.
        LayerDoesNotFitError: a layer does not fit the graph, or is applied already.
        StoreError: the store failed, or the tables cannot be kept in ``folder``. The graph and
            what is kept are as they were.
    """
    names = [_name(source) for source in sources]
    identities = identities or _identities(folder)
    kept = kept_layers(folder)
    remove = [name for name in store.applied_layers() if name in names] if replace else []
    with ExitStack() as stack:
        stack.enter_context(disk_errors(folder))
        before = {name: kept[name].summary() for name in remove if name in kept}
        new = []
        for name, source in zip(names, sources, strict=True):
            if source.resolve() == (folder / name).resolve():
                new.append(source)
                continue
            new.append(stack.enter_context(_partial(folder, name)))
            shutil.copytree(source, new[-1], dirs_exist_ok=True)
        add = [GraphTables(path) for path in new]
        changed = store.change_layers(Change(add, remove, kept, identities), progress)
        for name, path in zip(names, new, strict=True):
            if path.resolve() != (folder / name).resolve():
                # applied, so no other layer of this name is: what is kept of one is out of date
                shutil.rmtree(folder / name, ignore_errors=True)
                path.rename(folder / name)
        _list_left_out(folder, changed)
    return Applied(changed, before)


def _identities(folder: Path) -> Path:
    """Of the build whose home the folder of layers is in."""
    return folder.parent / "merge" / "identities.parquet"


def _list_left_out(folder: Path, changed: LayersChanged) -> None:
    for name in changed.applied:
        path = GraphTables(folder / name).left_out
        if name in changed.left_out:
            pq.write_table(changed.left_out[name], path)
        else:
            path.unlink(missing_ok=True)


def _name(source: Path) -> str:
    name = GraphTables(source).summary().name
    if not _NAME.fullmatch(name):
        raise TablesError(
            f"{source / 'tables.json'}: {name!r} is no layer name; "
            "use letters, digits, '.', '-' and '_'"
        )
    return name


@dataclass(frozen=True)
class Removal:
    """What the removal of a layer does; edges by relation type."""

    taken_out: Counts
    put_back: dict[str, int]
    unmarked: dict[str, int]
    """Edges that lose flags or scores."""
    vectors: int
    """Nodes that lose their vector."""
    changed: LayersChanged
    """All that was done, layers that were applied again included."""


def remove_layer(name: str, store: Store, folder: Path, progress: Progress) -> Removal:
    """Undo a layer; its tables stay in ``folder``.

    Layers whose records point to its nodes are applied again, without those edges.

    Raises:
        StoreError: no such layer is applied, another one stands on it, or the tables that
            would put edges back are not kept.
    """
    kept = kept_layers(folder)
    stamp = store.stamp()
    change = Change(remove=[name], kept=kept, identities=_identities(folder))
    changed = store.change_layers(change, progress)
    with disk_errors(folder):
        _list_left_out(folder, changed)
    took = changed.removed.less(changed.added)  # what is added is of layers applied again
    try:
        told = kept[name].summary() if name in kept else None
    except TablesError:  # the removal needed none, so nothing was put back
        told = None
    if told and stamp and (name, told.checksum) in stamp.layers:
        return Removal(took, told.removed, told.marked, told.vectors, changed)
    return Removal(took, {}, {}, 0, changed)


@contextmanager
def _partial(folder: Path, name: str) -> Iterator[Path]:
    """A folder beside the layers' own, of this call alone, gone afterwards unless renamed."""
    folder.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f".{name}.", suffix=".partial", dir=folder))
    try:
        yield partial
    finally:
        shutil.rmtree(partial, ignore_errors=True)
