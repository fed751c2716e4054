import pytest

from ingest.sources.formats.identifiers import Identifiers


@pytest.mark.parametrize(
    ("written", "spelled"),
    [
        ("MONDO:0005148", "MONDO:0005148"),
        ("mesh:D003924", "MESH:D003924"),
        ("MSH:D003924", "MESH:D003924"),
        ("Orphanet:558", "ORPHA:558"),
        ("ORDO:Orphanet_558", "ORPHA:558"),
        ("UMLS_CUI:C0024796", "UMLS:C0024796"),
        ("SNOMEDCT_US_2023_03_01:19346006", "SNOMEDCT:19346006"),
        ("hgnc:HGNC:3603", "HGNC:3603"),
        ("GO:GO:0008150", "GO:0008150"),
        ("http://purl.obolibrary.org/obo/DOID_14323", "DOID:14323"),
        ("http://identifiers.org/hgnc/3603", "HGNC:3603"),
        ("http://www.orpha.net/ORDO/Orphanet_558", "ORPHA:558"),
        ("http://www.ebi.ac.uk/efo/EFO_0000408", "EFO:0000408"),
        ("https://omim.org/entry/143100", "OMIM:143100"),
        ("ICD10EXP:B02.2+", "ICD10EXP:B02.2+"),
        ("https://example.org/x", "https://example.org/x"),
        ("no colon", "no colon"),
        ("", ""),
    ],
)
def test_ids_are_spelled_as_the_graph_spells_them(written: str, spelled: str) -> None:
    assert Identifiers().spelled(written) == spelled


def test_prefix_that_only_the_file_explains_is_understood() -> None:
    explained = Identifiers({"phenotype": "http://purl.obolibrary.org/obo/HP_"})
    assert explained.spelled("phenotype:0001250") == "HP:0001250"
    assert Identifiers().spelled("phenotype:0001250") == "phenotype:0001250"


@pytest.mark.parametrize(
    ("iri", "name"),
    [
        ("http://purl.obolibrary.org/obo/RO_0004026", "RO:0004026"),
        ("http://www.w3.org/2004/02/skos/core#exactMatch", "skos:exactMatch"),
        ("http://purl.obolibrary.org/obo/mondo#predisposes_towards", "predisposes_towards"),
        ("http://www.geneontology.org/formats/oboInOwl#hasDbXref", "oboInOwl:hasDbXref"),
    ],
)
def test_properties_have_short_names(iri: str, name: str) -> None:
    assert Identifiers().compact(iri) == name
