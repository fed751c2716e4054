"""What both engines do alike."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cypher import load_catalogue
from kg.errors import LayerDoesNotFitError, QueryError, StoreError, TablesError
from kg.stores.answers import limit_of
from kg.stores.store import Counts, Stamp, Store
from tests.kg.stores.conftest import EDGES, NODES, MakeTables, apply, remove

SMALL = Counts({"Disease": 1, "Symptom": 2}, {"HAS_SYMPTOM": 2, "IS_A": 1})


def symptoms(store: Store) -> list[object]:
    found = store.query("disease.symptoms", disease="MONDO:1")
    return [row["symptom_id"] for row in found.dicts()]


def test_load_gives_the_counts_of_the_tables(store: Store, make_tables: MakeTables) -> None:
    assert store.load(make_tables()) == SMALL
    assert store.counts() == SMALL
    assert store.stamp() == Stamp("sum")


def test_second_load_replaces_the_first_and_its_layers(
    store: Store, make_tables: MakeTables
) -> None:
    store.load(make_tables())
    apply(store, make_tables("more", [("HP:3", "Symptom", "cough")], []))
    store.load(make_tables(nodes=NODES[:1], edges=[], checksum="second"))
    assert store.counts() == Counts({"Disease": 1}, {})
    assert store.stamp() == Stamp("second")


def test_named_query_answers_in_its_own_columns(store: Store, make_tables: MakeTables) -> None:
    store.load(make_tables(publications="PMID:1", frequency=0.5))
    row = store.query("disease.symptoms", disease="MONDO:1").dicts()[0]
    assert (row["symptom_id"], row["symptom_name"]) == ("HP:1", "arthritis")
    assert row["sources"] == ["test"]


def test_things_are_found_by_a_part_of_any_name_the_nearest_first(
    store: Store, make_tables: MakeTables
) -> None:
    named = {
        ("HP:1", "Symptom", "Polyarthritis"): ["polyarthritis", "多关节炎"],
        ("HP:2", "Symptom", "Arthritis"): ["arthritis", "关节炎", "joint inflammation"],
        ("HP:3", "Symptom", "Arthritis of hip"): ["arthritis of hip"],
        ("MEDKG:4", "Section", "arthritis"): ["arthritis"],
    }
    tables = make_tables(nodes=list(named), edges=[])
    nodes = pq.read_table(tables.nodes)
    normal = pa.array(named.values(), nodes.schema.field("normal_names").type)
    at = nodes.schema.get_field_index("normal_names")
    pq.write_table(nodes.set_column(at, nodes.schema.field(at), normal), tables.nodes)
    store.load(tables)

    def found(text: str) -> list[tuple[object, object]]:
        rows = store.query("entity.find", text=text).dicts()
        return [(row["entity_id"], row["nearness"]) for row in rows]

    assert found("arthritis") == [("HP:2", 2), ("HP:3", 1), ("HP:1", 0)]
    assert found("关节") == [("HP:2", 1), ("HP:1", 0)]
    assert found("inflam") == [("HP:2", 0)]
    assert found("gout") == found("") == []


@pytest.mark.parametrize(("limit", "truncated"), [(1, True), (2, False), (2**31 - 1, False)])
def test_rows_say_whether_the_limit_cut_some_off(
    store: Store, make_tables: MakeTables, limit: int, truncated: bool
) -> None:
    store.load(make_tables())
    found = store.query("entity.neighbours", entity="MONDO:1", limit=limit)
    assert (len(found), found.truncated) == (min(limit, 2), truncated)


def test_every_limit_of_the_catalogue_is_one_that_rows_tell() -> None:
    limited = [q for q in load_catalogue() if any(p.name == "limit" for p in q.parameters)]
    assert len(limited) > 10
    # that one gives its limit to the vector index, too
    assert [q.name for q in limited if not limit_of(q)] == ["neo4j_only.similar_entities"]


def test_rows_say_what_a_limit_cut_off_within_a_query(
    store: Store, make_tables: MakeTables
) -> None:
    store.load(make_tables())
    asked = {"entities": ["MONDO:1"], "outgoing": ["HAS_SYMPTOM"], "incoming": []}
    found = store.query("entity.subgraph", **asked, limit=1)
    assert (len(found), found.truncated) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "needs the parameter disease"),
        ({"disease": 1}, "parameter disease: 1 is no string"),
        ({"disease": "x", "sick": "y"}, "has no parameter sick"),
    ],
)
def test_arguments_that_do_not_fit_are_named(
    store: Store, arguments: dict[str, str], message: str
) -> None:
    with pytest.raises(QueryError, match=message):
        store.query("disease.symptoms", **arguments)


def test_text_with_cypher_in_it_is_only_text(store: Store, make_tables: MakeTables) -> None:
    name = "it's \"odd\" \\ '}) DETACH DELETE n // 痛风\n$x"
    store.load(make_tables(nodes=[("MONDO:1", "Disease", name)], edges=[]))
    found = store.query("entity.by_id", entity="MONDO:1")
    assert [row["entity_name"] for row in found.dicts()] == [name]


def test_one_megabyte_field_is_kept(store: Store, make_tables: MakeTables) -> None:
    long = "PMID:1|" * 150_000
    store.load(make_tables(publications=long))
    found = store.query("disease.symptoms", disease="MONDO:1")
    assert [row["publications"] for row in found.dicts()] == [long, long]


def test_layer_adds_only_what_is_new(store: Store, make_tables: MakeTables) -> None:
    store.load(make_tables())
    layer = make_tables(
        "cough",
        [*NODES[:1], ("HP:3", "Symptom", "cough")],
        [*EDGES, ("MONDO:1", "HAS_SYMPTOM", "HP:3")],
    )
    assert apply(store, layer) == Counts({"Symptom": 1}, {"HAS_SYMPTOM": 1})
    assert symptoms(store) == ["HP:1", "HP:2", "HP:3"]
    assert store.stamp() == Stamp("sum", (("cough", "sum"),))


def test_minus_zero_of_a_layer_is_zero(store: Store, make_tables: MakeTables) -> None:
    store.load(make_tables())
    coughs = [("MONDO:1", "HAS_SYMPTOM", "HP:3"), ("MONDO:1", "HAS_SYMPTOM", "HP:4")]
    nodes = [("HP:3", "Symptom", "cough"), ("HP:4", "Symptom", "sneeze")]
    apply(store, make_tables("cough", [*NODES, *nodes], [*EDGES, *coughs], weight=-0.0))
    text = "MATCH (d:Disease)-[r:HAS_SYMPTOM]->(s) RETURN s.id AS x, r.weight AS w ORDER BY w, x"
    rows = store.cypher(text).rows
    assert [str(cell) for row in rows for cell in row] == [
        "HP:3", "0.0", "HP:4", "0.0", "HP:1", "None", "HP:2", "None",
    ]  # fmt: skip


def test_removed_layer_leaves_the_graph_as_it_was(store: Store, make_tables: MakeTables) -> None:
    store.load(make_tables())
    layer = make_tables(
        "cough", [("HP:3", "Symptom", "cough")], [EDGES[0], ("MONDO:1", "HAS_SYMPTOM", "HP:3")]
    )
    added = apply(store, layer)
    assert remove(store, "cough") == added
    assert store.counts() == SMALL
    assert symptoms(store) == ["HP:1", "HP:2"]
    assert store.stamp() == Stamp("sum")


def test_layers_come_and_go_in_any_order(store: Store, make_tables: MakeTables) -> None:
    store.load(make_tables())
    apply(store, make_tables("a", [("HP:3", "Symptom", "cough")], []))
    apply(store, make_tables("b", [("HP:4", "Symptom", "rash")], []))
    assert store.applied_layers() == ("a", "b")
    remove(store, "a")
    assert store.applied_layers() == ("b",)
    assert store.stamp() == Stamp("sum", (("b", "sum"),))
    assert store.counts().nodes == {"Disease": 1, "Symptom": 3}


def test_layer_is_not_removed_from_under_another(store: Store, make_tables: MakeTables) -> None:
    store.load(make_tables())
    apply(store, make_tables("below", [("HP:3", "Symptom", "cough")], []))
    apply(store, make_tables("above", [], [("MONDO:1", "HAS_SYMPTOM", "HP:3")]))
    with pytest.raises(StoreError, match="layer above depends on layer below; remove above first"):
        remove(store, "below")
    remove(store, "above")
    remove(store, "below")
    assert store.counts() == SMALL


def test_layer_is_applied_once(store: Store, make_tables: MakeTables) -> None:
    store.load(make_tables())
    layer = make_tables("cough", [("HP:3", "Symptom", "cough")], [])
    apply(store, layer)
    with pytest.raises(LayerDoesNotFitError, match="a layer cough is applied already; remove it"):
        apply(store, layer)


def test_unknown_layer_is_named_with_those_that_are(store: Store, make_tables: MakeTables) -> None:
    store.load(make_tables())
    apply(store, make_tables("cough", [("HP:3", "Symptom", "cough")], []))
    with pytest.raises(StoreError, match="no layer fever is applied; applied are cough"):
        remove(store, "fever")


def test_layer_edge_into_nowhere_changes_nothing(store: Store, make_tables: MakeTables) -> None:
    store.load(make_tables())
    layer = make_tables("loose", [], [("MONDO:1", "HAS_SYMPTOM", "HP:404")])
    with pytest.raises(
        LayerDoesNotFitError, match=r"HAS_SYMPTOM.parquet: .* since its tail, HP:404, is neither"
    ):
        apply(store, layer)
    assert store.counts() == SMALL
    assert store.stamp() == Stamp("sum")


def test_edge_into_nowhere_fails_the_load(store: Store, make_tables: MakeTables) -> None:
    tables = make_tables(edges=[("MONDO:1", "HAS_SYMPTOM", "HP:404")])
    with pytest.raises(StoreError, match=r"HAS_SYMPTOM.parquet: .*not among the nodes"):
        store.load(tables)


def test_id_that_comes_twice_fails_the_load(store: Store, make_tables: MakeTables) -> None:
    tables = make_tables(nodes=[*NODES, NODES[0]])
    with pytest.raises(StoreError, match=r"one id|comes twice"):
        store.load(tables)


def test_tables_with_a_row_too_few_are_refused(store: Store, make_tables: MakeTables) -> None:
    store.load(make_tables())
    tables = make_tables()
    summary = tables.summary()
    tables.write_summary(summary.model_copy(update={"nodes": {"Disease": 1, "Symptom": 3}}))
    with pytest.raises(TablesError, match=r"nodes.parquet: has 3 rows, and tables.json counts 4"):
        store.load(tables)
    assert store.counts() == SMALL


def test_indexes_are_named_and_made_once(store: Store, make_tables: MakeTables) -> None:
    store.load(make_tables())
    assert store.indexes() == store.indexes() != ()


def test_close_twice_does_nothing(store: Store) -> None:
    store.close()
    store.close()
