"""Mapping sets in SSSOM: which ids of several ontologies mean the same.

* ``skos:exactMatch``, ``owl:equivalentClass`` and ``owl:sameAs`` are exact matches,
  ``oboInOwl:hasDbXref`` and ``skos:closeMatch`` cross-references; broader, narrower
  and related matches are quarantined, since where two ontologies refer to each
  other the merge takes them for the same. An exact match or cross-reference to UMLS is HAS_CUI.
* A mapping with the modifier ``Not`` says that there is no match: quarantined.
* A mapping says nothing of what a thing is. The node type comes from the prefix of
  the id (``ontology/types.yaml``, and ``types``); where only the object has one, an exact
  match is turned round, and so is what is said of UMLS. A cross-reference is not: the merge
  takes references in both directions for a match. Where no end has one that would do,
  the mapping is quarantined.
* The label of the end that is spoken of stands beside its id; it is a node's name only
  where no source has another. An exact match or cross-reference (an attribute) of an id that
  no other source mentions makes no node worth having; the merge leaves it out.
* ``weight`` is the confidence, ``evidence`` the justification; authors, tools and
  dates are not carried over. Metadata that stand in a file of their own are not read.
"""

from typing import Final, Literal

from ingest.sources.kind import SourceKind
from ingest.sources.sssom.mappings import MappingSettings, mapping_sets, read_mappings


class SssomSource(MappingSettings, frozen=True):
    """Mapping sets."""

    kind: Literal["sssom"]


KIND: Final = SourceKind(
    title="Mappings between ontologies in SSSOM, such as MONDO's",
    licence="that of the mapping set, which its header names; MONDO's are CC BY 4.0",
    citation=(
        "Matentzoglu et al. A Simple Standard for Sharing Ontological Mappings (SSSOM). "
        "Database 2022;2022:baac035"
    ),
    needs=("a mapping set, *.sssom.tsv",),
    obtained="MONDO's stand in the folder src/ontology/mappings of monarch-initiative/mondo on GitHub",
    files=mapping_sets,
    read=read_mappings,
)
