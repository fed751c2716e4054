"""UMLS: its names and concepts, read from a release's own files, and links of a graph with them.

``link_concepts`` does the whole; ``candidates`` has the index of names as scispaCy's candidate
generator and entity linker.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kg.linking.umls.candidates import candidate_generator, entity_linker
    from kg.linking.umls.concepts import link_concepts
    from kg.linking.umls.configuration import UmlsConfig
    from kg.linking.umls.index import UmlsIndex, open_index
    from kg.linking.umls.result import ConceptLinks

__all__ = [
    "ConceptLinks",
    "UmlsConfig",
    "UmlsIndex",
    "candidate_generator",
    "entity_linker",
    "link_concepts",
    "open_index",
]

_MODULES = {
    "ConceptLinks": "kg.linking.umls.result",
    "UmlsConfig": "kg.linking.umls.configuration",
    "UmlsIndex": "kg.linking.umls.index",
    "candidate_generator": "kg.linking.umls.candidates",
    "entity_linker": "kg.linking.umls.candidates",
    "link_concepts": "kg.linking.umls.concepts",
    "open_index": "kg.linking.umls.index",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    if name not in _MODULES:
        raise AttributeError(f"module 'kg.linking.umls' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
