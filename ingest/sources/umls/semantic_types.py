"""Which node types UMLS's semantic types are."""

from kg.shipped import shipped_table
from kg.vocabulary import NODE_TYPES


def node_types() -> dict[str, str]:
    """Node type by semantic type (TUI), in order of precedence: ``semantic_types.yaml``.

    Raises:
        ValueError: the file names a type that is not in the vocabulary.
    """
    types: dict[str, str] = shipped_table("ingest.sources.umls", "semantic_types.yaml")
    if unknown := sorted(set(types.values()) - NODE_TYPES.keys()):
        raise ValueError(f"semantic_types.yaml: {unknown[0]!r} is no node type of the vocabulary")
    return types
