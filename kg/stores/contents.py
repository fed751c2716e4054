"""What a store holds: the build, the layers on it, and which layer stands on which."""

from pydantic import BaseModel

from kg.errors import LayerDoesNotFitError, StoreError
from kg.stores.store import Stamp


class Layer(BaseModel, frozen=True, extra="forbid"):
    """A layer that is applied."""

    name: str
    checksum: str
    needs: tuple[str, ...] = ()
    """Layers that have nodes or edges which this one has too, or links to."""


class Contents(BaseModel, frozen=True, extra="forbid"):
    """The build and its layers, in the order of application."""

    checksum: str
    layers: tuple[Layer, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Of the layers."""
        return tuple(layer.name for layer in self.layers)

    def stamp(self) -> Stamp:
        """What callers see of it."""
        return Stamp(self.checksum, tuple((layer.name, layer.checksum) for layer in self.layers))

    def check_new(self, where: str, name: str) -> None:
        """See that no layer has that name.

        Raises:
            LayerDoesNotFitError: one has.
        """
        if name in self.names:
            raise LayerDoesNotFitError(
                f"{where}: a layer {name} is applied already; remove it first with "
                f"'medkg layers remove {name}'"
            )

    def adding(self, layer: Layer) -> "Contents":
        """The contents with one layer more."""
        return self.model_copy(update={"layers": (*self.layers, layer)})

    def without(self, where: str, name: str) -> "Contents":
        """The contents with one layer less.

        Raises:
            StoreError: no such layer is applied, or another one stands on it.
        """
        if name not in self.names:
            applied = (
                f"applied are {', '.join(self.names)}" if self.names else "there are no layers"
            )
            raise StoreError(f"{where}: no layer {name} is applied; {applied}")
        if above := [layer.name for layer in self.layers if name in layer.needs]:
            raise StoreError(
                f"{where}: layer {above[0]} stands on layer {name}; remove {above[0]} first "
                f"with 'medkg layers remove {above[0]}'"
            )
        kept = tuple(layer for layer in self.layers if layer.name != name)
        return self.model_copy(update={"layers": kept})
