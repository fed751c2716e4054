"""Links text with the entities of the graph: mention to entity to UMLS concept."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kg.linking.linker import Linker, LinkOptions
    from kg.linking.mention import Candidate, Mention
    from kg.linking.names import Names

__all__ = ["Candidate", "LinkOptions", "Linker", "Mention", "Names"]

_MODULES = {
    "Candidate": "kg.linking.mention",
    "LinkOptions": "kg.linking.linker",
    "Linker": "kg.linking.linker",
    "Mention": "kg.linking.mention",
    "Names": "kg.linking.names",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: a command line need not wait for all."""
    if name not in _MODULES:
        raise AttributeError(f"module 'kg.linking' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
