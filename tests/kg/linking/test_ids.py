"""Names where a query wants ids."""

from collections.abc import Iterator
from pathlib import Path

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


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder: Path = tmp_path_factory.mktemp("ids")
    with kg.connect(str(folder / "graph.lbug")) as store:
        store.load(write_tables(folder / "tables", nodes=NODES))
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
        ("MONDO:9", "nothing in this graph has the id MONDO:9"),
        ("aspirin", "'aspirin' is neither"),
        ("", "'' is neither an id"),
        ("x" * 5000, "is neither an id"),
    ],
)
def test_what_is_no_one_s_id_or_name_is_an_error(store: Store, text: str, message: str) -> None:
    with pytest.raises(QuestionError, match=message):
        resolved(store, "disease.symptoms", disease=text)


def test_parameters_that_take_no_ids_stay(store: Store) -> None:
    given, said = resolved(store, "entity.find", name="gout")
    assert (given, said) == ({"name": "gout"}, [])
