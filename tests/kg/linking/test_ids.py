"""What stands for an id where a query takes one."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import kg
from cypher import load_catalogue
from kg.configuration import Settings
from kg.errors import QuestionError
from kg.linking import Linker
from kg.linking.ids import Resolved, resolve_ids
from kg.stores.store import Store
from tests.kg.stores.conftest import write_tables

NODES = (
    ("HP:1", "Symptom", "Arthritis"),
    ("MONDO:1", "Disease", "gout"),
    ("MONDO:2", "Disease", "pneumonia"),
)
XREFS = [[], ["HOSP:D001", "OMIM:1"], ["HOSP:D002", "OMIM:1"]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    tables = write_tables(tmp_path / "tables", nodes=NODES, edges=())
    nodes = pq.read_table(tables.nodes)
    at = nodes.schema.get_field_index("xrefs")
    xrefs = pa.array(XREFS, nodes.schema.field(at).type)
    pq.write_table(nodes.set_column(at, nodes.schema.field(at), xrefs), tables.nodes)
    with kg.connect(None, Settings(home=tmp_path)) as store:
        store.load(tables)
        yield store


def resolved(store: Store, tmp_path: Path, disease: str) -> tuple[object, list[Resolved]]:
    query = load_catalogue().find("disease.symptoms")
    given, names = resolve_ids(
        store, query, {"disease": disease}, lambda: Linker.of_store(store, tmp_path / "linking")
    )
    return given["disease"], names


def test_id_that_was_merged_into_one_entity_means_it(store: Store, tmp_path: Path) -> None:
    said = Resolved("disease", "HOSP:D001", "MONDO:1", "gout")
    assert resolved(store, tmp_path, "HOSP:D001") == ("MONDO:1", [said])
    assert resolved(store, tmp_path, "MONDO:1") == ("MONDO:1", [])


@pytest.mark.parametrize(
    ("id_", "message"),
    [
        ("OMIM:1", r"2 entities refer to 'OMIM:1', MONDO:1 \(gout\), MONDO:2 .*; ask by one"),
        ("HOSP:D009", "nothing in this graph has the id 'HOSP:D009'; 'medkg query entity.find"),
    ],
)
def test_id_of_several_entities_or_of_none_is_not_taken_for_a_name(
    store: Store, tmp_path: Path, id_: str, message: str
) -> None:
    with pytest.raises(QuestionError, match=message):
        resolved(store, tmp_path, id_)


def test_part_of_a_name_is_normalised(store: Store) -> None:
    query = load_catalogue().find("entity.find")
    given, _ = resolve_ids(store, query, query.parse({"text": "Arthr"}), lambda: pytest.fail("no"))
    assert given == {"text": "arthr", "limit": 25}
