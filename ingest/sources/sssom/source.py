"""Mapping sets in SSSOM: which ids of several ontologies mean the same.

* ``skos:exactMatch``, ``owl:equivalentClass`` and ``owl:sameAs`` are exact matches,
  ``oboInOwl:hasDbXref`` and ``skos:closeMatch`` cross-references; broader, narrower
  and related matches are quarantined, since where two ontologies refer to each
  other the merge takes them for the same. An exact match or cross-reference to UMLS is HAS_CUI.
* A mapping with the modifier ``Not`` says that there is no match: quarantined.
* A mapping says nothing of what a thing is. The node type comes from the prefix of
  the id (``ontology/types.yaml``, and ``types``); where only the object has one,
  the mapping is turned round; where neither has, it is quarantined.
* The label of the end that is spoken of stands beside its id; it is a node's name only
  where no source has another. An exact match or cross-reference (an attribute) of an id that
  no other source mentions makes no node worth having; the merge leaves it out.
* ``weight`` is the confidence, ``evidence`` the justification; authors, tools and
  dates are not carried over. Metadata that stand in a file of their own are not read.
"""

from pathlib import Path
from typing import Final, Literal

from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.kind import SourceKind
from ingest.sources.sssom.mappings import MappingSettings, mapping_sets, read_mappings
from ingest.sources.writing import ReadResult
from kg.progress import Progress


class SssomSource(MappingSettings, frozen=True, extra="forbid", use_attribute_docstrings=True):
    """Mapping sets."""

    kind: Literal["sssom"]


def files(source: SssomSource) -> tuple[Path, ...]:
    """The input files.

    Raises:
        SourceError: the folder has none.
    """
    return mapping_sets(source)


def read(
    source: SssomSource, out: Path, progress: Progress, _: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: a file cannot be read, or ``out`` not be written.
    """
    return read_mappings(source, out, progress)


KIND: Final = SourceKind(
    title="Mappings between ontologies in SSSOM, such as MONDO's",
    licence="that of the mapping set, which its header names; MONDO's are CC BY 4.0",
    citation=(
        "Matentzoglu et al. A Simple Standard for Sharing Ontological Mappings (SSSOM). "
        "Database 2022;2022:baac035"
    ),
    needs=("a mapping set, *.sssom.tsv",),
    obtained="MONDO's stand in the folder src/ontology/mappings of monarch-initiative/mondo on GitHub",
    files=files,
    read=read,
)
