"""The files that a build leaves in its home, and queries on them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import duckdb

from cypher.translation import translate
from kg.errors import BuildError, TablesError
from kg.stores.store import Stamp
from kg.tables import GraphTables

Row = tuple[Any, ...]

MERGES: Final = "merges.parquet"
"""In a home: the ids that became part of another node."""
REFUSALS: Final = "refusals.parquet"
"""In a home: the reasons to merge ids that were refused."""
CLEANED: Final = "cleaned.parquet"
"""In a home: names and texts that had invisible characters, if there were any."""
LINKS: Final = "links.parquet"
"""In a home: the outcome of linking text-born names, if there are any."""


def identities_file(home: Path) -> Path:
    """Parquet with the node of every id and name, for the next merge."""
    return home / "merge" / "identities.parquet"


def misplaced_file(home: Path) -> Path:
    """Parquet with the assertions whose ends do not fit, and the nodes of their ends."""
    return home / "merge" / "misplaced.parquet"


def survey_folder(assertions: Path) -> Path:
    """Folder of what a merge computed from a source's assertions; it is deleted with them."""
    return assertions.parent / "survey"


@contextmanager
def opened(home: Path, stamp: Stamp | None = None) -> Iterator["HomeTables"]:
    """Open the tables that the last build left in a home.

    Args:
        home: the folder.
        stamp: of the graph to explain; its layers are used. None: all layers in the home.

    Raises:
        BuildError: no build has been made there, or an older medkg made it.
    """
    if not identities_file(home).is_file():
        raise BuildError(
            translate(
                "{home}: no build of this medkg has been made here; run 'medkg build'", home=home
            )
        )
    with duckdb.connect() as con:
        yield HomeTables(con, home, stamp)


def _is_complete(tables: GraphTables, checksum: str) -> bool:
    """Whether tables are complete and have the checksum."""
    try:
        return tables.summary().checksum == checksum
    except TablesError:
        return False


class HomeTables:
    """The tables of a home, queried by SQL."""

    def __init__(
        self, con: duckdb.DuckDBPyConnection, home: Path, stamp: Stamp | None = None
    ) -> None:
        self._con = con
        self.home = home
        self.stamp = stamp
        self.tables: dict[str | None, GraphTables] = {None: GraphTables(home / "tables")}
        """The build's (None), and those of layers that are kept, by name."""
        applied = dict(stamp.layers) if stamp else None
        for path in sorted((home / "layers").glob("*/tables.json")):
            name, layer = path.parent.name, GraphTables(path.parent)
            if applied is None or (name in applied and _is_complete(layer, applied[name])):
                self.tables[name] = layer

    def ask(self, query: str, file: Path | list[Path], **parameters: object) -> list[Row]:
        """Rows of a query over ``{file}``, one Parquet file or several."""
        paths = [str(path) for path in (file if isinstance(file, list) else [file])]
        text = query.replace("{file}", "read_parquet($file)")
        return self._con.execute(text, {"file": paths, **parameters}).fetchall()

    @property
    def caveats(self) -> Iterator[str]:
        """Why these tables may differ from the graph."""
        if self.stamp is None:
            yield translate(
                "It is not known which layers the graph has; all layers in the home are taken as "
                "applied."
            )
            return
        if not _is_complete(GraphTables(self.home / "tables"), self.stamp.checksum):
            yield translate(
                "The graph was not loaded from the tables in {home}; the explanation is of these "
                "tables.",
                home=self.home,
            )
        for name in (name for name, _ in self.stamp.layers if name not in self.tables):
            yield translate(
                "The graph has the layer {name}, but its tables are not kept; it is not "
                "explained.",
                name=name,
            )

    @property
    def nodes(self) -> list[Path]:
        """The node tables of the build and of all layers."""
        return [tables.nodes for tables in self.tables.values()]

    def edges(self, relation: str) -> Iterator[tuple[str | None, Path]]:
        """The edge tables of a relation that are there, with the layer of each."""
        for layer, tables in self.tables.items():
            if (file := tables.edges(relation)).is_file():
                yield layer, file

    def changes(
        self, table_of: Callable[[GraphTables, str], Path], relation: str
    ) -> Iterator[tuple[str, Path]]:
        """The tables of changes that layers make to a relation's edges, with the layer of each.

        Args:
            table_of: ``GraphTables.removed`` or ``GraphTables.marks``.
            relation: its type.
        """
        for layer, tables in self.tables.items():
            if layer and (file := table_of(tables, relation)).is_file():
                yield layer, file

    @property
    def assertions(self) -> list[Path]:
        """The assertions of all sources, without one that is being read."""
        return sorted((self.home / "assertions").glob("[!.]*/assertions.parquet"))
