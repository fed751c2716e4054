"""What a store holds: the build, the layers on it, and which layer depends on which."""

from collections.abc import Collection

from pydantic import BaseModel

from cypher.translation import translate
from kg.errors import LayerDoesNotFitError, StoreError
from kg.stores.inspection import inspect_layer
from kg.stores.store import Stamp
from kg.tables import ENTITIES, GraphTables, TableSummary


class Layer(BaseModel, frozen=True, extra="forbid"):
    """A layer that is applied."""

    name: str
    checksum: str
    needs: tuple[str, ...] = ()
    """Layers that have nodes or edges which this one has too, or links to."""
    mentions: tuple[str, ...] = ()
    """Layers that have nodes which records of this one point to; those may go and come again."""
    changes: bool = False
    """It takes edges of the build out, or marks them."""
    dimensions: int = 0
    """Length of the vectors that it gives nodes; 0 where it gives none."""
    vectors: int = 0
    """How many nodes it gives one."""
    space: str = ""
    """Name of the space that these are in."""
    only_records: bool = False
    """It has records and nothing else."""


class Contents(BaseModel, frozen=True, extra="forbid"):
    """The build and its layers, in the order of application."""

    checksum: str
    layers: tuple[Layer, ...] = ()
    changing: str | None = None
    """The layer whose changes of edges are being applied, in a store that is written in place."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of the layers."""
        return tuple(layer.name for layer in self.layers)

    @property
    def spaces(self) -> dict[str, int]:
        """Length of the vectors that nodes have, by space."""
        return {
            layer.space or ENTITIES: layer.dimensions for layer in self.layers if layer.dimensions
        }

    def stamp(self) -> Stamp:
        """What callers see of it."""
        return Stamp(
            self.checksum,
            tuple((layer.name, layer.checksum) for layer in self.layers),
            frozenset(layer.name for layer in self.layers if layer.only_records),
        )

    def check_new(self, where: str, layer: TableSummary) -> None:
        """See that no layer has that name, that only one changes edges, and one fills a space.

        Raises:
            LayerDoesNotFitError: another one has or does.
        """
        if layer.name in self.names:
            raise LayerDoesNotFitError(
                translate(
                    "{where}: a layer {name} is applied already; remove it first with "
                    "'medkg layers remove {name}'",
                    where=where,
                    name=layer.name,
                )
            )
        changing = [other.name for other in self.layers if other.changes and layer.changes]
        if changing:
            raise LayerDoesNotFitError(
                translate(
                    "{where}: layer {other} takes out or marks edges already, and so would {name}; "
                    "remove {other} first with 'medkg layers remove {other}'",
                    where=where,
                    other=changing[0],
                    name=layer.name,
                )
            )
        for other in self.layers:
            if layer.vectors and other.dimensions and (other.space or ENTITIES) == layer.space:
                raise LayerDoesNotFitError(
                    translate(
                        "{where}: layer {other} gives nodes their vectors in the space {space} "
                        "already, and so would {name}; take another space, or remove {other} first "
                        "with 'medkg layers remove {other}'",
                        where=where,
                        other=other.name,
                        space=layer.space,
                        name=layer.name,
                    )
                )

    def find_layer(self, where: str, name: str) -> Layer:
        """The layer of that name.

        Raises:
            StoreError: no such layer is applied.
        """
        for layer in self.layers:
            if layer.name == name:
                return layer
        why = "{where}: no layer {name} is applied; there are no layers"
        if self.names:
            why = "{where}: no layer {name} is applied; applied are {names}"
        raise StoreError(translate(why, where=where, name=name, names=", ".join(self.names)))

    def with_layer(self, layer: Layer) -> "Contents":
        """The contents with one layer more."""
        return self.model_copy(update={"layers": (*self.layers, layer)})

    def without(self, names: Collection[str]) -> "Contents":
        """The contents without some layers."""
        remaining = tuple(layer for layer in self.layers if layer.name not in names)
        return self.model_copy(update={"layers": remaining})

    def check_whole(self, where: str) -> None:
        """See that the build's edges are all there, or taken out by a layer that is applied.

        Raises:
            StoreError: the application of a layer that changes edges was interrupted.
        """
        if self.changing:
            raise StoreError(
                f"{where}: layer {self.changing} was interrupted while it changed edges; "
                "run 'medkg build'"
            )

    def changes_of(self, where: str, name: str, kept: GraphTables | None) -> GraphTables | None:
        """The tables by which a layer's changes of edges are undone; None if it made none.

        Raises:
            StoreError: no such layer is applied, or its tables are needed and not there.
        """
        layer = self.find_layer(where, name)
        if not layer.changes:
            return None
        if kept is None or inspect_layer(kept).checksum != layer.checksum:
            raise StoreError(
                f"{where}: layer {name} took edges out, and what would put them back is not "
                "kept here; run 'medkg build'"
            )
        return kept
