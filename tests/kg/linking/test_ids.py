"""Names where a query wants ids."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import kg
from cypher import load_catalogue
from kg.errors import QuestionError
from kg.linking import Linker
from kg.linking.ids import resolve_ids
from kg.stores.store import Store, Value
from tests.kg.stores.conftest import write_tables

NODES = [
    ("MONDO:1", "Disease", "gout"),
    ("MONDO:2", "Disease", "fever"),
    ("MONDO:3", "Disease", "cold"),
    ("MONDO:4", "Disease", "cold"),
    ("HP:1", "Symptom", "arthritis"),
    ("HP:2", "Symptom", "fever"),
    ("DRUGBANK:1", "Drug", "aspirin"),
]


XREFS = {"MONDO:1": ["HOSP:D001", "OMIM:1"], "MONDO:2": ["HOSP:D002", "OMIM:1"]}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder: Path = tmp_path_factory.mktemp("ids")
    tables = write_tables(folder / "tables", nodes=NODES)
    nodes = pq.read_table(tables.nodes)
    at = nodes.schema.get_field_index("xrefs")
    xrefs = [XREFS.get(id_, []) for id_ in nodes["id"].to_pylist()]
    xrefs_column = pa.array(xrefs, nodes.schema.field(at).type)
    pq.write_table(nodes.set_column(at, nodes.schema.field(at), xrefs_column), tables.nodes)
    with kg.connect(str(folder / "graph.lbug")) as store:
        store.load(tables)
        yield store


def resolved(store: Store, query: str, **arguments: Value) -> tuple[dict[str, Value], list[str]]:
    asked = load_catalogue().find(query)
    given, names = resolve_ids(store, asked, arguments, lambda: Linker.of_store(store))
    return given, [str(name) for name in names]


def test_ids_stay_and_need_no_linker(store: Store) -> None:
    def fail() -> Linker:
        raise AssertionError

    query = load_catalogue().find("disease.similar")
    given: dict[str, Value] = {"disease": "MONDO:1", "limit": 5}
    assert resolve_ids(store, query, given, fail) == (given, [])


def test_a_name_becomes_the_id_of_its_entity(store: Store) -> None:
    given, said = resolved(store, "disease.similar", disease="Gout", limit=5)
    assert given == {"disease": "MONDO:1", "limit": 5}
    assert said == ["disease: Gout is MONDO:1 (gout)"]


def test_a_parameter_takes_what_it_is_named_after(store: Store) -> None:
    assert resolved(store, "disease.symptoms", disease="fever")[0] == {"disease": "MONDO:2"}
    assert resolved(store, "symptom.diseases", symptom="fever")[0]["symptom"] == "HP:2"


def test_names_in_lists_are_resolved_one_by_one(store: Store) -> None:
    given, said = resolved(store, "symptom.differential", present=["HP:1", "fever"], absent=[])
    assert (given["present"], given["absent"]) == (["HP:1", "HP:2"], [])
    assert said == ["present: fever is HP:2 (fever)"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cold", "the likeliest are MONDO:3 .cold., MONDO:4 .cold."),
        ("MONDO:9", "nothing in this graph has the id MONDO:9; 'medkg query entity.find text="),
        (
            "OMIM:1",
            r"2 entities refer to 'OMIM:1', MONDO:1 \(gout\), MONDO:2 .*; use the id of one",
        ),
        ("aspirin", "'aspirin' is neither"),
        ("", "'' is neither an id"),
        ("x" * 5000, "is neither an id"),
    ],
)
def test_what_is_no_one_s_id_or_name_is_an_error(store: Store, text: str, message: str) -> None:
    with pytest.raises(QuestionError, match=message):
        resolved(store, "disease.symptoms", disease=text)


def test_parameters_that_take_no_ids_stay(store: Store) -> None:
    given, said = resolved(store, "entity.named", names=["gout"])
    assert (given, said) == ({"names": ["gout"]}, [])


def test_id_that_was_merged_into_that_of_one_entity_means_it(store: Store) -> None:
    given, said = resolved(store, "disease.symptoms", disease="HOSP:D001")
    assert given == {"disease": "MONDO:1"}
    assert said == ["disease: HOSP:D001 is MONDO:1 (gout)"]


def test_part_of_a_name_is_normalised(store: Store) -> None:
    assert resolved(store, "entity.find", text="Arthr") == ({"text": "arthr"}, [])
