"""The graph: its vocabulary, its tables, and the two stores that keep it."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kg.configuration import Settings
    from kg.stores.connection import connect
    from kg.stores.store import Counts, Rows, Stamp, Store

__all__ = ["Counts", "Rows", "Settings", "Stamp", "Store", "connect"]

_MODULES = {
    "Counts": "kg.stores.store",
    "Rows": "kg.stores.store",
    "Settings": "kg.configuration",
    "Stamp": "kg.stores.store",
    "Store": "kg.stores.store",
    "connect": "kg.stores.connection",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: 'medkg --help' needs none of them."""
    if name not in _MODULES:
        raise AttributeError(f"module 'kg' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
