"""Ids as other people write them, in the spelling of the graph.

``Orphanet:58``, ``ORDO:58`` and ``http://www.orpha.net/ORDO/Orphanet_58`` are
ORPHA:58. A prefix is spelled as the vocabulary spells it, else as Bioregistry
prefers, else as Bioregistry's own key in capitals; one that Bioregistry does not
know stays as it is, and ``Curies`` reports it.
"""

import re
from collections.abc import Mapping
from typing import Final

from ingest.sources.curies import VOCABULARY_PREFIXES

_UNDERSCORED: Final = re.compile(
    r"https?://(?:purl\.obolibrary\.org/obo|www\.ebi\.ac\.uk/efo|www\.orpha\.net/ORDO)"
    r"/(?P<prefix>[A-Za-z][A-Za-z0-9]*)_(?P<local>\S+)"
)
_IDENTIFIERS_ORG: Final = re.compile(
    r"https?://identifiers\.org/(?P<prefix>[^/\s:]+)[/:](?P<local>\S+)"
)
_NAMESPACES: Final = {
    "http://www.geneontology.org/formats/oboInOwl#": "oboInOwl",
    "http://www.w3.org/2000/01/rdf-schema#": "rdfs",
    "http://www.w3.org/2002/07/owl#": "owl",
    "http://www.w3.org/2004/02/skos/core#": "skos",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
}
_SPELLED: Final = {"pubmed": "PMID", "orphanet.ordo": "ORPHA"}
"""By Bioregistry's key, where neither the vocabulary nor Bioregistry has what is usual."""
_REDUNDANT: Final = {"ORPHA": "Orphanet_"}
"""What may stand before a local id that says the prefix again."""


def is_iri(text: str) -> bool:
    """Whether an id is written as a web address."""
    return text.startswith(("http://", "https://"))


class Identifiers:
    """Spells ids; each prefix is looked up once, in Bioregistry only if the vocabulary lacks it.

    Args:
        expansions: the prefixes that a file itself declares, with what they stand for.
    """

    def __init__(self, expansions: Mapping[str, str] | None = None) -> None:
        self._expansions = expansions or {}
        self._spelled: dict[str, str | None] = {prefix: prefix for prefix in VOCABULARY_PREFIXES}
        self._own: dict[str, str] = {}

    def spelled(self, written: str) -> str:
        """An id or web address as the graph writes it; unchanged if it is not understood."""
        curie = self.compact(written) if is_iri(written) else written
        prefix, colon, local = curie.partition(":")
        spelled = self._prefix(prefix) if colon else None
        if spelled is None:
            return curie
        for redundant in (f"{spelled}:", _REDUNDANT.get(spelled)):
            if redundant and local.casefold().startswith(redundant.casefold()):
                local = local[len(redundant) :]
        return f"{spelled}:{local}"

    def compact(self, iri: str) -> str:
        """A web address as a CURIE; one of a property as its name or ``prefix:name``."""
        if match := _UNDERSCORED.fullmatch(iri) or _IDENTIFIERS_ORG.fullmatch(iri):
            return f"{match['prefix']}:{match['local']}"
        for namespace, prefix in _NAMESPACES.items():
            if iri.startswith(namespace):
                return f"{prefix}:{iri.removeprefix(namespace)}"
        if "/obo/" in iri and "#" in iri:  # an ontology's own property
            return iri.rpartition("#")[2]
        return _parsed(iri) or iri

    def _prefix(self, written: str) -> str | None:
        if written not in self._spelled:
            key = _key(written) or self._expanded(written)
            self._spelled[written] = key and self._of_key(key)
        return self._spelled[written]

    def _expanded(self, prefix: str) -> str | None:
        """Bioregistry's key by what the file says that the prefix stands for."""
        expansion = self._expansions.get(prefix)
        parsed = _parsed(f"{expansion}1") if expansion else None
        return parsed and _key(parsed.partition(":")[0])

    def _of_key(self, key: str) -> str:
        if not self._own:
            self._own = {_key(prefix) or prefix: prefix for prefix in sorted(VOCABULARY_PREFIXES)}
        import bioregistry  # noqa: PLC0415 -- takes a second, and few files need it

        preferred: str | None = bioregistry.get_preferred_prefix(key)
        return self._own.get(key) or _SPELLED.get(key) or preferred or key.upper()


def _key(prefix: str) -> str | None:
    import bioregistry  # noqa: PLC0415 -- takes a second, and few files need it

    key: str | None = bioregistry.normalize_prefix(prefix)
    return key


def _parsed(iri: str) -> str | None:
    import bioregistry  # noqa: PLC0415 -- takes a second, and few files need it

    prefix, local = bioregistry.parse_iri(iri) or (None, None)
    return f"{prefix}:{local}" if prefix else None
