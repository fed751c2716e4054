"""How near a cross-reference is, where an ontology says so.

MONDO writes it among the sources of a cross-reference:
``xref: DOID:9352 {source="MONDO:equivalentTo", source="DOID:9352"}``.
"""

from collections.abc import Iterable
from typing import Final

XREF: Final = "xref"

QUALIFIERS: Final = (
    "MONDO:obsoleteEquivalentObsolete",
    "MONDO:obsoleteEquivalent",
    "MONDO:equivalentObsolete",
    "MONDO:relatedTo",
    "MONDO:mondoIsNarrowerThanSource",
    "MONDO:mondoIsBroaderThanSource",
    "MONDO:directSiblingOf",
    "MONDO:otherHierarchy",
    "MONDO:ambiguous",
    "MONDO:equivalentTo",
)
"""What is said to be no equivalent is none, whatever else is said: so that comes first."""


def xref_word(sources: Iterable[str]) -> str:
    """The word for a cross-reference: ``xref``, with the qualifier that it has."""
    written = frozenset(sources)
    qualifier = next((name for name in QUALIFIERS if name in written), None) if written else None
    return f"{XREF} {qualifier}" if qualifier else XREF
