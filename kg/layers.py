"""Layers: graph tables added to a graph after its build, kept for the next build."""

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Final, TypeAlias

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from cypher.translation import translate
from kg.errors import TablesError
from kg.layer_folder import (
    LAYER_NAME,
    WaitingLayers,
    count_left_out,
    partial_folder,
    recover_applied,
    saved_layers,
    write_left_out,
)
from kg.progress import Progress
from kg.records import RECORD_RELATIONS, RECORD_TYPES
from kg.stores.disk import disk_errors, writer_lock
from kg.stores.inspection import file_checksums
from kg.stores.planning import Change
from kg.stores.store import Counts, LayersChanged, Store
from kg.stores.values import Rows, check_distinct, check_vectors, make_table
from kg.tables import (
    EDGE_COLUMNS,
    ENTITIES,
    MARK_COLUMNS,
    NODE_COLUMNS,
    REMOVED_COLUMNS,
    SPACE,
    VECTOR_COLUMNS,
    VERSION,
    Column,
    GraphTables,
    TableSummary,
)
from kg.vocabulary import NODE_TYPES, RELATION_TYPES

_IDS: Final = ("id", "head", "tail")
"""Columns that say of which node, record or edge a row is."""

_ColumnsOf: TypeAlias = Callable[[str], Sequence[Column]]


@dataclass(frozen=True)
class LayerRows:
    """The rows of a layer, by the table they go into."""

    nodes: Rows = ()
    edges: Mapping[str, Rows] = field(default_factory=dict)
    """By relation type."""
    removed: Mapping[str, Rows] = field(default_factory=dict)
    """Edges of the build that it takes out, by relation type."""
    marks: Mapping[str, Rows] = field(default_factory=dict)
    """Flags and scores that it gives edges of the build, by relation type."""
    vectors: Rows | None = None
    """``VECTOR_COLUMNS``, vectors of one length."""
    space: str = ENTITIES
    """Name of the space that the vectors are in."""
    records: Mapping[str, Rows] = field(default_factory=dict)
    """By record type."""
    record_edges: Mapping[str, Rows] = field(default_factory=dict)
    """By relation of records."""


def write_layer(folder: Path, name: str, rows: LayerRows, made_by: str) -> GraphTables:
    """Write the tables of a layer: equal rows give equal files and an equal checksum.

    Nothing is written before all rows are known to be fit, and ``tables.json``, without which
    the folder is no layer, comes last.

    Args:
        folder: empty, or not there yet.
        name: of the layer.
        rows: in any order; a table without rows is left out.
        made_by: medkg's version and the command.

    Raises:
        TablesError: a row has a column or a value that its table cannot have, or is there twice;
            a type or relation is unknown; or the name is none of a layer or of a space.
        StoreError: the folder cannot be written.
        ValueError: the folder is not empty.
    """
    layer = GraphTables(folder)
    _check_name(name, f"layer {name!r}")
    if not SPACE.fullmatch(rows.space):
        raise TablesError(
            translate(
                "layer {name}: {space!r} is not a valid name of a vector space; use lower-case letters, digits and '_'",
                name=name,
                space=rows.space,
            )
        )
    groups: list[tuple[str, Mapping[str, Rows], Iterable[str], Callable[[str], Path], _ColumnsOf]]
    groups = [
        ("edges", rows.edges, RELATION_TYPES, layer.edges, lambda _: EDGE_COLUMNS),
        ("removed", rows.removed, RELATION_TYPES, layer.removed, lambda _: REMOVED_COLUMNS),
        ("marks", rows.marks, RELATION_TYPES, layer.marks, lambda _: MARK_COLUMNS),
        ("records", rows.records, RECORD_TYPES, layer.records, lambda x: RECORD_TYPES[x].columns),
        (
            "record_edges",
            rows.record_edges,
            RECORD_RELATIONS,
            layer.record_edges,
            lambda x: RECORD_RELATIONS[x].columns,
        ),
    ]
    files: dict[Path, pa.Table] = {}
    counts: dict[str, dict[str, int]] = {}
    with duckdb.connect() as db:
        nodes = make_table(db, NODE_COLUMNS, rows.nodes, f"layer {name}, nodes")
        types = dict(sorted(Counter(nodes["type"].to_pylist()).items()))
        _check_known(types, NODE_TYPES, "node type", f"layer {name}, nodes")
        check_distinct(db, "made", ("id",), f"layer {name}, nodes")
        files[layer.nodes] = nodes.sort_by("id")
        for group, tables, vocabulary, path, columns in groups:
            _check_known(tables, vocabulary, "type or relation", f"layer {name}, {group}")
            counts[group] = {}
            for table_name in sorted(tables):
                where = f"layer {name}, {group}/{table_name}"
                table = make_table(db, columns(table_name), tables[table_name], where)
                if not len(table):
                    continue
                order = [column for column in _IDS if column in table.column_names]
                if group == "record_edges":  # two of the same ends may differ in the rest
                    order += [c for c in table.column_names if c not in order]
                else:
                    check_distinct(db, "made", order, where)
                files[path(table_name)] = table.sort_by(
                    [(column, "ascending") for column in order]
                )
                counts[group][table_name] = len(table)
        vectors = make_table(db, VECTOR_COLUMNS, rows.vectors or (), f"layer {name}, vectors")
        dimensions = len(vectors["embedding"][0]) if len(vectors) else 0
        if len(vectors):
            check_vectors(db, "from made", dimensions, f"layer {name}, vectors")
            files[layer.vectors] = vectors.sort_by("id")
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ValueError(f"{folder}: not empty")
        for file, table in files.items():
            file.parent.mkdir(exist_ok=True)
            pq.write_table(table, file)
        layer.write_summary(
            TableSummary(
                name=name,
                checksum=_checksum(folder),
                nodes=types,
                edges=counts["edges"],
                removed=counts["removed"],
                marked=counts["marks"],
                records=counts["records"],
                record_edges=counts["record_edges"],
                vectors=len(vectors),
                dimensions=dimensions,
                space=rows.space,
                files=file_checksums(layer),
                version=VERSION,
                made_by=made_by,
            )
        )
    return layer


def _check_name(name: str, where: str) -> None:
    if not LAYER_NAME.fullmatch(name):
        raise TablesError(
            translate(
                "{where}: {name!r} is no layer name; use letters, digits, '.', '-' and '_'",
                where=where,
                name=name,
            )
        )


def _check_known(names: Iterable[str], known: Iterable[str], what: str, where: str) -> None:
    if unknown := sorted(set(names) - set(known)):
        raise TablesError(
            translate(
                "{where}: {unknown!r} is no {what} of this medkg; there are {names}",
                where=where,
                unknown=unknown[0],
                what=what,
                names=", ".join(sorted(known)),
            )
        )


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
    waiting: bool = False
    """It did not fit the graph when that was built anew, and each later build tries it again."""


def list_layers(store: Store, folder: Path) -> list[Layer]:
    """The applied layers in their order, then those only kept, by name.

    Raises:
        TablesError: a kept layer's tables are not whole.
        StoreError: the store does not say what it holds.
    """
    kept = {name: tables.summary().checksum for name, tables in saved_layers(folder).items()}
    stamp = store.stamp()
    applied = dict(stamp.layers) if stamp else {}
    layers = [
        Layer(name, sum_, True, name in kept, count_left_out(folder / name))
        for name, sum_ in applied.items()
    ]
    rest = sorted(kept.keys() - applied.keys())
    waiting = WaitingLayers(folder, store).names()
    return [
        *layers,
        *(Layer(name, kept[name], False, True, waiting=name in waiting) for name in rest),
    ]


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
        replace: whether applied layers of the same names are removed first.
        identities: as for ``Change``; None: of the build in whose home ``folder`` is.

    Raises:
        TablesError: the tables are not whole, or their name is no folder's name.
        LayerDoesNotFitError: a layer does not fit the graph, or is applied already.
        StoreError: the store failed, or the tables cannot be kept in ``folder``. The graph and
            what is kept are as they were.
    """
    names = []
    for source in sources:
        names.append(GraphTables(source).summary().name)
        _check_name(names[-1], str(source / "tables.json"))
    identities = identities or _identities(folder)
    recover_applied(store, folder)
    with ExitStack() as stack:
        stack.enter_context(writer_lock(folder))
        stack.enter_context(disk_errors(folder))
        kept = saved_layers(folder)
        remove = [name for name in store.applied_layers() if name in names] if replace else []
        before = {name: kept[name].summary() for name in remove if name in kept}
        new = []
        for name, source in zip(names, sources, strict=True):
            if source.resolve() == (folder / name).resolve():
                new.append(source)
                continue
            new.append(stack.enter_context(partial_folder(folder, name)))
            shutil.copytree(source, new[-1], dirs_exist_ok=True)
        add = [GraphTables(path) for path in new]
        changed = store.change_layers(Change(add, remove, kept, identities), progress)
        for name, path in zip(names, new, strict=True):
            if path.resolve() != (folder / name).resolve():
                # applied, so no other layer of this name is: what is kept of one is out of date
                shutil.rmtree(folder / name, ignore_errors=True)
                path.rename(folder / name)
        write_left_out(folder, changed)
        WaitingLayers(folder, store).discard(names)
    return Applied(changed, before)


def _identities(folder: Path) -> Path:
    """Of the build whose home the folder of layers is in."""
    return folder.parent / "merge" / "identities.parquet"


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

    Layers whose records point to its nodes are applied again, without those edges. One that
    waits for a build that it fits waits no longer.

    Raises:
        StoreError: no such layer is applied, another one depends on it, or the tables that
            would put edges back are not kept.
    """
    recover_applied(store, folder)
    kept = saved_layers(folder)
    stamp = store.stamp()
    waiting = WaitingLayers(folder, store)
    if name in waiting.names() and name not in store.applied_layers():
        waiting.discard([name])
        nothing = Counts({}, {})
        return Removal(nothing, {}, {}, 0, LayersChanged((), nothing, nothing, {}))
    change = Change(remove=[name], kept=kept, identities=_identities(folder))
    changed = store.change_layers(change, progress)
    with disk_errors(folder):
        write_left_out(folder, changed)
    vectors = changed.vectors_removed - changed.vectors
    removed = changed.removed.minus(changed.added)  # what is added is of layers applied again
    try:
        summary = kept[name].summary() if name in kept else None
    except TablesError:  # the removal needed none, so nothing was put back
        summary = None
    if summary and stamp and (name, summary.checksum) in stamp.layers:
        return Removal(removed, summary.removed, summary.marked, vectors, changed)
    return Removal(removed, {}, {}, vectors, changed)
