"""Biomappings: mappings between biomedical vocabularies that people curated, in SSSOM.

``positive.sssom.tsv`` has the matches, ``negative.sssom.tsv`` pairs that do not match
(all quarantined as such), ``predictions.sssom.tsv`` matches that nobody has looked at, with a
confidence (give ``least_confidence``). What a row says is as in the source ``sssom``.
"""

from typing import Final, Literal

from ingest.sources.kind import SourceKind
from ingest.sources.settings import SourceName
from ingest.sources.sssom.mappings import MappingSettings, mapping_sets, read_mappings


class BiomappingsSource(MappingSettings, frozen=True):
    """A release of Biomappings."""

    kind: Literal["biomappings"]
    name: SourceName = "biomappings"


KIND: Final = SourceKind(
    title="Biomappings, curated mappings between biomedical vocabularies",
    licence="CC0 1.0",
    citation=(
        "Hoyt, Hoyt, Gyori. Prediction and curation of missing biomedical identifier "
        "mappings with Biomappings. Bioinformatics 2023;39:btad130"
    ),
    needs=("positive.sssom.tsv",),
    obtained="the folder src/biomappings/resources of biopragmatics/biomappings on GitHub",
    files=mapping_sets,
    read=read_mappings,
    relations=("ingest.sources.sssom",),
)
