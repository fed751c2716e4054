import pytest

from ingest.identity import (
    Candidate,
    CloseMatch,
    Identity,
)
from ingest.joining import same_nodes
from ingest.names import EXACT
from tests.ingest.ids import (
    SOURCES,
    alone,
    called,
    candidate,
    match,
    of_concept,
)


def test_cross_reference_between_a_disease_and_a_finding_is_a_close_match() -> None:
    pair = [candidate("MONDO:1", "pneumonia"), candidate("HP:1", "Pneumonia", kind="Symptom")]
    said = match("MONDO:1", "HP:1", exact=False, at=1)
    assert same_nodes(pair, SOURCES, crossed=[said]) == Identity(
        {}, [], [], [CloseMatch("MONDO:1", "HP:1", "cross-reference", said.statement, (1,))]
    )


def test_concept_and_preferred_name_are_a_close_match_and_neither_alone_is() -> None:
    disease = of_concept("MONDO:1", "Disease", called("pneumonia"))
    finding = of_concept("HP:1", "Symptom", called("Pneumonia", at=1))
    assert same_nodes([disease, finding], SOURCES).close == [
        CloseMatch("MONDO:1", "HP:1", "concept and name", "UMLS:C0032285 pneumonia", (0, 1))
    ]
    other = of_concept("HP:2", "Symptom", called("Pneumonia"), concept="C0000001")
    named = of_concept("HP:3", "Symptom", called("Lung infection"))
    assert same_nodes([disease, other, named], SOURCES).close == []


def test_synonym_that_a_narrower_disease_has_makes_no_close_match_beside_the_right_one() -> None:
    finding = of_concept("HP:1", "Symptom", called("Ulcerative colitis"))
    right = of_concept("MONDO:1", "Disease", called("ulcerative colitis"))
    kind = of_concept(
        "MONDO:2", "Disease", called("IBD 1"), called("ulcerative colitis", level=EXACT)
    )
    close = same_nodes([finding, right, kind], SOURCES).close
    assert [(each.disease, each.finding) for each in close] == [("MONDO:1", "HP:1")]


def test_name_of_a_close_match_that_is_a_kind_of_it_joins_nothing() -> None:
    disease = of_concept("MONDO:1", "Disease", called("congenital nystagmus"))
    finding = of_concept("HP:1", "Symptom", called("Nystagmus"), called("眼球震颤", "zh"))
    said = match("MONDO:1", "HP:1", exact=False)
    listed = alone("眼球震颤", kind="Disease")
    identity = same_nodes([disease, finding, listed], SOURCES, crossed=[said])
    assert identity.nodes == {listed.id: "HP:1"}


@pytest.mark.parametrize(
    ("disease", "finding"),
    [
        ("anus disorder", "Anal fissure"),
        ("esophageal atresia/tracheoesophageal fistula", "Tracheoesophageal fistula"),
        ("liver cancer", "Neoplasm of the liver"),
    ],
)
def test_name_of_a_close_match_that_is_called_otherwise_joins_nothing(
    disease: str, finding: str
) -> None:
    diseases = [candidate("MONDO:1", disease), candidate("DOID:1", finding)]
    finding_node = Candidate("HP:1", "Symptom", (called(finding), called("肛裂", "zh")))
    said = match("MONDO:1", "HP:1", exact=False)
    listed = alone("肛裂", kind="Disease")
    identity = same_nodes(
        [*diseases, finding_node, listed],
        SOURCES,
        [match("MONDO:1", "DOID:1")],
        crossed=[said],
    )
    assert identity.nodes == {"DOID:1": "MONDO:1", listed.id: "HP:1"}


def test_close_match_called_by_a_word_of_the_same_root_gives_its_name() -> None:
    diseases = [candidate("MONDO:1", "dystonic disorder"), candidate("DOID:1", "dystonia")]
    finding = Candidate("HP:1", "Symptom", (called("Dystonia"), called("肌张力障碍", "zh")))
    said = match("MONDO:1", "HP:1", exact=False)
    listed = alone("肌张力障碍", kind="Disease")
    identity = same_nodes(
        [*diseases, finding, listed], SOURCES, [match("MONDO:1", "DOID:1")], crossed=[said]
    )
    assert identity.nodes == {"DOID:1": "MONDO:1", listed.id: "MONDO:1"}
