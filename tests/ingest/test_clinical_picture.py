from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import kg
from ingest.clinical_picture import (
    ClinicalPicture,
    Coverage,
    Gap,
    Listed,
    clinical_picture,
    common_diseases,
    common_drugs,
    coverage_rows,
    page,
    written_languages,
)
from kg.configuration import Settings
from kg.stores.store import Store
from tests.kg.stores.conftest import write_tables

NODES = (
    ("DRUGBANK:1", "Drug", "秋水仙碱"), ("DRUGBANK:2", "Drug", "allopurinol"),
    ("HP:1", "Symptom", "Pneumonia"), ("HP:2", "Symptom", "Cough"),
    ("MONDO:1", "Disease", "gout"), ("MONDO:2", "Disease", "pneumonia"),
    ("TEST:1", "Test", "chest X-ray"),
)  # fmt: skip
EDGES = (
    ("DRUGBANK:1", "INDICATED_FOR", "MONDO:1"), ("MONDO:1", "TREATED_BY", "DRUGBANK:2"),
    ("MONDO:2", "CLOSE_MATCH", "HP:1"), ("HP:1", "DIAGNOSED_BY", "TEST:1"),
    ("DRUGBANK:2", "CONTRAINDICATED_FOR", "HP:1"),
)  # fmt: skip
GOUT = Listed("MONDO:1", "gout", "痛风")
PNEUMONIA = Listed("MONDO:2", "pneumonia", "肺炎")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    tables = write_tables(tmp_path / "tables", nodes=NODES, edges=EDGES)
    nodes = pq.read_table(tables.nodes)
    names = pa.array([[name.lower()] for name in nodes["name"].to_pylist()])
    at = nodes.schema.get_field_index("normal_names")
    pq.write_table(nodes.set_column(at, nodes.schema.field(at), names), tables.nodes)
    with kg.connect(None, Settings(home=tmp_path)) as store:
        store.load(tables)
        yield store


def _counts(picture: ClinicalPicture) -> dict[str, tuple[int, int, int]]:
    return {c.aspect: (c.known, c.named["en"], c.named["zh"]) for c in picture.coverage}


def test_diseases_count_in_the_language_of_what_they_have(store: Store) -> None:
    picture = clinical_picture(store, "Disease", [GOUT], {})
    nothing = (0, 0, 0)
    assert _counts(picture) == {
        "5 symptoms": nothing,
        "cause": nothing,
        "test": nothing,
        "treatment": (1, 1, 1),  # allopurinol has an English name, 秋水仙碱 a Chinese one
        "all four": nothing,
    }
    missing = ("5 symptoms", "cause", "test")
    assert picture.gaps == (
        Gap(**GOUT._asdict(), in_graph=True, lacks={"en": missing, "zh": missing}),
    )


def test_what_is_stated_of_the_finding_counts_for_the_disease_that_it_matches(
    store: Store,
) -> None:
    finding = Listed("HP:1", "Pneumonia", "肺炎")
    for listed in (PNEUMONIA, finding):
        assert _counts(clinical_picture(store, "Disease", [listed], {}))["test"] == (1, 1, 0)


def test_drugs_have_indications_and_contraindications_together(store: Store) -> None:
    listed = [
        Listed("DRUGBANK:1", "colchicine", "秋水仙碱"),
        Listed("X:1", "Allopurinol", "别嘌醇"),
    ]
    picture = clinical_picture(store, "Drug", listed, {})
    assert picture.found == 2  # allopurinol by its name: the graph has it under another id
    assert _counts(picture) == {
        "indication": (2, 2, 0),
        "contraindication": (1, 1, 0),
        "precaution": (0, 0, 0),
        "adverse reaction": (0, 0, 0),
        "indication and contraindication": (1, 1, 0),
        "all four": (0, 0, 0),
    }


def test_contraindication_of_two_drugs_counts_for_both(tmp_path: Path) -> None:
    edge = ("DRUGBANK:1", "CONTRAINDICATED_FOR", "DRUGBANK:2")
    tables = write_tables(tmp_path / "tables", nodes=NODES, edges=(edge,))
    listed = [Listed("DRUGBANK:1", "colchicine", ""), Listed("DRUGBANK:2", "allopurinol", "")]
    with kg.connect(None, Settings(home=tmp_path)) as store:
        store.load(tables)
        picture = clinical_picture(store, "Drug", listed, {})
    assert _counts(picture)["contraindication"] == (2, 1, 1)


def test_sources_count_by_the_language_that_they_write(store: Store) -> None:
    picture = clinical_picture(store, "Disease", [GOUT], {"test": "zh"})
    treatment = next(c for c in picture.coverage if c.aspect == "treatment")
    assert treatment == Coverage(
        aspect="treatment", known=1, named={"en": 1, "zh": 1}, stated={"en": 0, "zh": 1}
    )


def test_graph_without_the_diseases_says_so_in_one_line(store: Store) -> None:
    picture = clinical_picture(store, "Disease", [Listed("MONDO:9", "mumps", "流行性腮腺炎")], {})
    assert picture.summary() == "The graph has none of the 1 commonest diseases."
    assert page([picture]).endswith(
        "\n## Diseases\n\nThe graph has none of the 1 commonest diseases.\n"
    )


def test_page_says_what_each_disease_lacks_in_each_language(store: Store) -> None:
    lacking = [GOUT, Listed("MONDO:9", "mumps", "流行性腮腺炎")]
    text = page([clinical_picture(store, "Disease", lacking, {})])
    missing = "5 symptoms, cause, test"
    assert text.endswith(
        "| MONDO:1 | gout | 痛风 | " + missing + " | " + missing + " |\n"
        "| MONDO:9 | mumps | 流行性腮腺炎 | not in the graph | not in the graph |\n"
    )


def test_rows_have_a_cell_for_each_column(store: Store) -> None:
    columns, rows = coverage_rows(clinical_picture(store, "Disease", [GOUT], {}))
    assert columns == (
        "", "diseases", "named in en", "named in zh", "stated in en", "stated in zh"
    )  # fmt: skip
    assert {len(row) for row in rows} == {len(columns)}


def test_source_writes_the_language_of_most_of_its_facts(tmp_path: Path) -> None:
    file, empty = tmp_path / "assertions.parquet", tmp_path / "empty.parquet"
    facts, names = [(None, "zh"), (None, "zh"), (None, "en")], [("a name", "en")] * 4
    for path, rows in ((file, facts + names), (empty, names)):
        values, languages = zip(*rows, strict=True)
        columns = {"value": pa.array(values, pa.string()), "language": pa.array(languages)}
        pq.write_table(pa.table(columns), path)
    assert written_languages({"clinic": file, "names": empty}) == {"clinic": "zh"}


def test_list_has_500_drugs_each_with_two_names() -> None:
    drugs = common_drugs()
    assert len({each.id for each in drugs}) == len({each.name for each in drugs}) == 500
    assert all(each.name_zh for each in drugs)


def test_list_has_200_diseases_each_with_an_id_and_two_names() -> None:
    diseases = common_diseases()
    assert len({each.id for each in diseases}) == len(diseases) == 200
    assert len({each.name_zh for each in diseases}) == len({each.name for each in diseases}) == 200
    assert {each.id.partition(":")[0] for each in diseases} == {"MONDO", "HP", "DOID"}
