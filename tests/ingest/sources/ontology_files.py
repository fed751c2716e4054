"""Ontologies as files, and what was read of them."""

import gzip
from pathlib import Path
from typing import Any

from ingest.sources import OntologySource
from tests.ingest.sources.conftest import Left

MONDO = """format-version: 1.2
ontology: mondo

[Term]
id: MONDO:0000001
name: disease

[Term]
id: MONDO:0005015
name: diabetes mellitus
is_a: MONDO:0000001 {source="x"} ! disease

[Term]
id: MONDO:0005148
name: type 2 diabetes mellitus
alt_id: MONDO:0009999
def: "A diabetes mellitus with insulin resistance." [PMID:1]
comment: Said by an editor.
subset: otar
synonym: "NIDDM" RELATED []
synonym: "maturity-onset diabetes" BROAD []
synonym: "type II diabetes mellitus" EXACT []
xref: DOID:9352 {source="MONDO:equivalentTo", source="EFO:0001360"} ! type 2 diabetes
xref: EFO:0001360
xref: HP:0005978 {source="MONDO:otherHierarchy"}
xref: ICD10:E11 {source="MONDO:relatedTo"}
xref: UMLS:C0011860 {source="MONDO:equivalentTo"}
is_a: MONDO:0005015 ! diabetes mellitus
relationship: has_characteristic MONDO:0021137 ! not rare
property_value: skos:exactMatch Orphanet:181381
property_value: IAO:0000233 "https://example.org/1" xsd:anyURI

[Term]
id: MONDO:0021125
name: disease characteristic

[Term]
id: MONDO:0021137
name: not rare
is_a: MONDO:0021125

[Term]
id: MONDO:0000111
name: obsolete adult-onset diabetes
is_obsolete: true
replaced_by: MONDO:0005148

[Term]
id: MONDO:0000112
name: obsolete sugar disease
is_obsolete: true
consider: MONDO:0005015
consider: MONDO:0005148

[Term]
id: MONDO:0012819
name: diabetic ketoacidosis
is_a: MONDO:0009999
is_a: MONDO:7777777
relationship: disease_arises_from_feature MONDO:0000111 ! obsolete
relationship: disease_has_feature HP:0001946 ! Ketosis
relationship: disease_has_location UBERON:0000178 ! blood
relationship: transmitted_by NCBITaxon:9606
intersection_of: MONDO:0005148
intersection_of: has_characteristic MONDO:0021137

[Typedef]
id: has_characteristic
name: has characteristic
"""


def written(
    folder: Path,
    text: str,
    name: str = "mondo.obo",
    types: dict[str, str] | None = None,
    branches: dict[str, str] | None = None,
) -> OntologySource:
    path = folder / name
    data = text.encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return OntologySource(
        kind="ontology", name="test", file=path, types=types or {}, branches=branches or {}
    )


def of(left: Left, head: str) -> list[tuple[Any, ...]]:
    """What is said of a term and can stand."""
    return [fact[1:] for fact in left.facts() if fact[0] == head]


def problems(left: Left) -> dict[str, str]:
    return {a["original_relation"]: a["problem"] for a in left.assertions if a["problem"]}
