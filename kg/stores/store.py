"""What both engines can do: the one interface through which everything asks the graph."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Protocol, Self

from cypher import Query
from kg.progress import Progress
from kg.tables import GraphTables

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from kg.stores.planning import Change

Value = str | int | float | bool | list[str] | list[int] | list[float] | dict[str, object] | None
"""What a parameter or a returned cell may be; a mapping is a node, a relationship or a map."""

Engine = Literal["embedded", "neo4j"]


@dataclass(frozen=True)
class Rows:
    """The answer to a query, in the query's own order."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    truncated: bool = False
    """The query's own limit cut some off."""

    def __len__(self) -> int:
        return len(self.rows)

    def dicts(self) -> list[dict[str, Value]]:
        """One mapping of column to value a row."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def arrow(self) -> "pa.Table":
        """The rows as an Arrow table, with types made from the values.

        Raises:
            ValueError: a column has values of several types.
        """
        import pyarrow as pa  # noqa: PLC0415 - most callers need none

        try:
            return pa.table(
                [pa.array([row[at] for row in self.rows]) for at in range(len(self.columns))],
                names=list(self.columns),
            )
        except (pa.ArrowInvalid, pa.ArrowTypeError) as e:
            raise ValueError(
                f"these rows are no Arrow table ({e}); a column of it has values of one type"
            ) from e

    def df(self) -> "pd.DataFrame":
        """The rows as a data frame of pandas.

        Raises:
            ModuleNotFoundError: pandas, which medkg does not need itself, is not installed.
        """
        import pandas as pd  # noqa: PLC0415 - may not be there

        return pd.DataFrame(list(self.rows), columns=list(self.columns))


@dataclass(frozen=True)
class Counts:
    """How many nodes of each type and edges of each relation, records too; none that are zero."""

    nodes: dict[str, int]
    edges: dict[str, int]

    def plus(self, other: "Counts") -> "Counts":
        """With the nodes and edges of another graph besides."""
        nodes, edges = Counter(self.nodes), Counter(self.edges)
        nodes.update(other.nodes)
        edges.update(other.edges)
        return Counts(dict(nodes), dict(edges))

    def minus(self, other: "Counts") -> "Counts":
        """Without the nodes and edges of another graph."""
        nodes, edges = Counter(self.nodes), Counter(self.edges)
        nodes.subtract(other.nodes)
        edges.subtract(other.edges)
        return Counts({k: n for k, n in nodes.items() if n}, {k: n for k, n in edges.items() if n})


@dataclass(frozen=True)
class Stamp:
    """Which tables a store holds: what was loaded, and the layers applied since."""

    checksum: str
    """Of the graph tables of the build."""
    layers: tuple[tuple[str, str], ...] = ()
    """Name and checksum of each applied layer, in the order of application."""
    of_records: frozenset[str] = field(default=frozenset(), repr=False, compare=False)
    """Names of the layers that have records and nothing else."""

    @property
    def knowledge(self) -> "Stamp":
        """Without layers of records: the same as long as questions about knowledge have one answer."""
        return Stamp(self.checksum, tuple(x for x in self.layers if x[0] not in self.of_records))


@dataclass(frozen=True)
class LayersChanged:
    """What a change of layers did."""

    applied: tuple[str, ...]
    """Names of the layers that were applied, those applied again included."""
    added: Counts
    removed: Counts
    """What removed layers had added, those that were applied again included."""
    left_out: Mapping[str, "pa.Table"]
    """``LEFT_OUT_COLUMNS`` of ``kg.tables``, by the layer that has rows which do not fit."""
    vectors: int = 0
    """Nodes that got a vector."""
    vectors_removed: int = 0
    """Nodes whose vector came from a layer that was removed."""


Revise = Callable[["Store"], GraphTables | None]
"""Called with a graph that is loaded and not published yet; returns the layer to apply to it."""


class Store(Protocol):
    """A graph in one engine. Use as a context manager, or call ``close``.

    Threads and coroutines may share it: their queries run side by side, and each is answered
    from one state of the graph. What replaces the graph or adds a layer to it meanwhile does
    not disturb them; queries asked afterwards see it.
    """

    engine: Engine
    uri: str

    def query(self, query: str | Query, /, *, timeout: Value = None, **arguments: Value) -> Rows:
        """Run a query, named as in the catalogue or read from another file, read-only.

        Args:
            query: its name in the catalogue, or the query itself.
            timeout: seconds that it may take, more than 0; None: the store's own limit. (Its type
                lets a mapping of arguments be unpacked beside it.)
            arguments: values of the query's parameters.

        Raises:
            QueryError: no query has that name, it is not for this engine, or the
                arguments do not fit its header.
            QueryTooLargeError: time or memory ran out.
            StoreError: the engine failed, or the store was closed.
            ValueError: the timeout is not more than 0.
        """
        ...

    async def aquery(
        self,
        query: str | Query,
        /,
        *,
        timeout: Value = None,  # noqa: ASYNC109 - as ``query`` has it
        **arguments: Value,
    ) -> Rows:
        """As ``query``, without keeping the event loop waiting.

        A task that is cancelled stops its query in the engine, and no other.

        Raises:
            QueryError: as for ``query``.
            QueryTooLargeError: as for ``query``.
            StoreError: as for ``query``.
            ValueError: as for ``query``.
        """
        ...

    def cypher(
        self, text: str, /, *, timeout: Value = None, as_is: Value = False, **parameters: Value
    ) -> Rows:
        """Run a statement of one's own, read-only.

        Args:
            text: one statement. Neo4j takes whatever reads the graph; the embedded engine what
                lies in the portable subset (``docs/portable.md``).
            timeout: as for ``query``.
            as_is: let the embedded engine run what lies outside the subset, too; it may answer
                differently from Neo4j, or fail.
            parameters: values of the statement's ``$name``.

        Raises:
            NotPortableError: it lies outside the subset; says what is wrong, and what to write.
            QueryError: it does more than read the graph, or its parameters are not those given.
            QueryTooLargeError: as for ``query``.
            StoreError: as for ``query``.
            ValueError: as for ``query``.
        """
        ...

    def load(
        self, tables: GraphTables, progress: Progress = ..., revise: Revise | None = None
    ) -> Counts:
        """Replace the whole graph, layers included, by ``tables``.

        The counts are read back from the store and equal the tables' own.

        Args:
            tables: of a build.
            progress: shown meanwhile.
            revise: gives a layer that is applied before the graph takes the other one's place
                (embedded) or says that it is whole (Neo4j).

        Raises:
            TablesError: the tables are not whole.
            StoreError: the engine failed, or does not hold what was loaded;
                the graph before the call is still there (embedded), or the
                store has no stamp, so that the next build loads it again (Neo4j).
        """
        ...

    def change_layers(self, change: "Change", progress: Progress = ...) -> "LayersChanged":
        """Take layers out and apply others, all in one step.

        A node or edge that the graph has already stays as it is. A layer whose records point to
        nodes of a removed one, or that depends on one that is replaced, is applied again. What
        does not fit is left out: an edge with an end, or a vector of a node, that is neither in
        the graph nor in the layer.

        Args:
            change: the layers to remove and to apply.
            progress: shown meanwhile.

        Raises:
            TablesError: a layer's tables are not whole, or a later medkg made them.
            LayerDoesNotFitError: a layer of that name, another one that changes edges as this
                one does, or one that gives vectors of the same space is applied already; no row
                of it fits; or an edge that it takes out or marks is not the build's.
            StoreError: no such layer is applied, another one depends on it, or its tables are
                needed and not kept; the engine failed, or something else is writing. The graph
                is as it was.
        """
        ...

    def counts(self) -> Counts:
        """Count nodes by type and edges by relation type in the store itself."""
        ...

    def stamp(self) -> Stamp | None:
        """What the store says it holds; None for an empty or half-loaded one."""
        ...

    def applied_layers(self) -> tuple[str, ...]:
        """Names of the applied layers in their order, also while a write is unfinished.

        Empty where the store is empty, or nothing can be read from it.
        """
        ...

    def indexes(self) -> tuple[str, ...]:
        """Make the indexes and constraints that are missing, wait for them, name them all."""
        ...

    def close(self) -> None:
        """Stop the queries that run, and give back what the store holds open.

        They and those asked later fail with a StoreError. A second call does nothing.
        """
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...
