import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import kg
from kg.configuration import Settings
from kg.errors import StoreError
from kg.linking.umls import ConceptLinks, UmlsConfig, UmlsIndex, link_concepts
from kg.progress import Silent
from kg.stores.store import Store
from tests.kg.linking.umls.conftest import MakeGraph, write_release
from tests.kg.stores.conftest import remove

pytest.importorskip("nmslib", reason="the extra 'link' is not installed")

Link = Callable[..., ConceptLinks]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with kg.connect(str(tmp_path / "graph.lbug")) as store:
        yield store


@pytest.fixture
def link(release: UmlsConfig, index: UmlsIndex, store: Store, tmp_path: Path) -> Link:
    shutil.copytree(index.folder, tmp_path / "umls" / "index")

    def run(config: UmlsConfig = release, **settings: object) -> ConceptLinks:
        config = config.model_copy(update=settings)
        return link_concepts(config, store, tmp_path / "umls", tmp_path / "layers")

    return run


def cuis(store: Store) -> list[tuple[object, ...]]:
    return [row[:2] for row in store.query("entity.cuis").rows]


def test_equal_name_of_a_fitting_type_is_a_link(
    link: Link, store: Store, make_graph: MakeGraph
) -> None:
    store.load(
        make_graph(
            ("MONDO:1", "Disease", ["Arthritis, gouty"]),
            ("HP:1", "Symptom", ["fevers"]),
            ("DRUGBANK:1", "Drug", ["aspirin"]),
            ("NCBIGene:1", "Gene", ["Gout"]),
        ),
        Silent(),
    )
    links = link()
    assert cuis(store) == [
        ("DRUGBANK:1", "C0004057"),
        ("HP:1", "C0015967"),
        ("MONDO:1", "C0018099"),
    ]
    assert links.fates == {
        ("Disease", "exact"): 1, ("Symptom", "exact"): 1, ("Drug", "exact"): 1,
        ("Gene", "without"): 1,
    }  # fmt: skip


def test_links_are_a_layer_with_method_score_and_source(
    link: Link, store: Store, make_graph: MakeGraph, tmp_path: Path
) -> None:
    store.load(make_graph(("MONDO:1", "Disease", ["gout"])), Silent())
    link()
    assert store.applied_layers() == ("cui",)
    [edge] = pq.read_table(tmp_path / "layers/cui/edges/HAS_CUI.parquet").to_pylist()
    said = {key: value for key, value in edge.items() if value is not None}
    assert said == {
        "head": "MONDO:1", "tail": "UMLS:C0018099", "sources": ["umls"],
        "method": "exact", "score": 1.0,
    }  # fmt: skip
    [concept] = pq.read_table(tmp_path / "layers/cui/nodes.parquet").to_pylist()
    assert (concept["name"], concept["cui"], concept["type"]) == ("Gout", "C0018099", "Concept")


def test_stated_cui_is_kept_and_a_disagreement_written_down(
    link: Link, store: Store, make_graph: MakeGraph
) -> None:
    store.load(
        make_graph(
            ("MONDO:1", "Disease", ["gout"]),
            ("MONDO:2", "Disease", ["type 2 diabetes mellitus"]),
            ("MONDO:3", "Disease", ["diabetes mellitus"]),
            cuis=[("MONDO:1", "C0011849"), ("MONDO:2", "C0011860"), ("MONDO:3", "C9999999")],
        ),
        Silent(),
    )
    links = link()
    assert cuis(store) == [
        ("MONDO:1", "C0011849"),
        ("MONDO:2", "C0011860"),
        ("MONDO:3", "C9999999"),
    ]
    rows = pq.read_table(links.disagreeing).to_pylist()
    assert [tuple(row.values()) for row in rows] == [
        ("MONDO:1", "Disease", "gout", "C0011849", True, "C0018099", "Gout", "exact", 1.0),
        (
            *("MONDO:3", "Disease", "diabetes mellitus", "C9999999", False),
            *("C0011849", "Diabetes Mellitus", "exact", 1.0),
        ),
    ]
    assert links.disagreements == {("Disease", "exact"): 2}
    assert links.fates == {("Disease", "stated"): 3}


def test_name_of_two_fitting_concepts_is_left_alone(
    link: Link, store: Store, make_graph: MakeGraph
) -> None:
    store.load(make_graph(("MONDO:1", "Disease", ["cold"])), Silent())
    links = link()
    assert (links.total("ambiguous"), cuis(store)) == (1, [])


def test_further_name_decides_between_two_concepts(
    link: Link, store: Store, make_graph: MakeGraph
) -> None:
    store.load(make_graph(("MONDO:1", "Disease", ["cold", "common cold"])), Silent())
    link()
    assert cuis(store) == [("MONDO:1", "C0009443")]


def test_similar_name_is_a_link_above_a_given_threshold_only(
    link: Link, store: Store, make_graph: MakeGraph
) -> None:
    store.load(make_graph(("MONDO:1", "Disease", ["gouty arthritits"])), Silent())
    assert link().fates == {("Disease", "without"): 1}  # too few known to tell a threshold
    assert link(threshold=0.5).fates == {("Disease", "tfidf"): 1}
    [row] = store.query("entity.cuis").rows
    assert row[1] == "C0018099"


def test_other_number_is_no_similar_name(link: Link, store: Store, make_graph: MakeGraph) -> None:
    store.load(make_graph(("MONDO:1", "Disease", ["type 3 diabetes mellitus"])), Silent())
    assert link(threshold=0.4).fates == {("Disease", "without"): 1}


@pytest.mark.parametrize(
    ("names", "fate"),
    [
        (["something else", "Gouty arthritis"], "synonym"),
        (["something else", "COLD"], "without"),  # an abbreviation tells nothing
        (["Gout 3", "Gouty arthritis"], "without"),  # nor a synonym without the number
    ],
)
def test_synonym_alone_is_no_link(
    names: list[str], fate: str, link: Link, store: Store, make_graph: MakeGraph
) -> None:
    store.load(make_graph(("MONDO:1", "Disease", names)), Silent())
    assert link().fates == {("Disease", fate): 1}


def test_another_run_replaces_the_layer(
    link: Link, store: Store, make_graph: MakeGraph, tmp_path: Path
) -> None:
    store.load(make_graph(("MONDO:1", "Disease", ["gout"])), Silent())
    assert link().changed
    assert not link().changed
    moved = write_release(tmp_path / "new", [("C0018100", "ENG", "Gout")])
    assert link(moved).changed
    assert (cuis(store), store.applied_layers()) == ([("MONDO:1", "C0018100")], ("cui",))


def test_nothing_to_link_is_an_empty_layer(
    link: Link, store: Store, make_graph: MakeGraph
) -> None:
    store.load(make_graph(("MONDO:1", "Disease", ["unheard of"])), Silent())
    link()
    assert (store.applied_layers(), cuis(store)) == (("cui",), [])


def test_graph_without_covered_entities_is_no_failure(
    link: Link, store: Store, make_graph: MakeGraph
) -> None:
    store.load(make_graph(("X:1", "Precaution", ["gout"])), Silent())
    assert link().fates == {}


def test_store_without_a_graph_says_so(link: Link) -> None:
    with pytest.raises(StoreError):
        link()


@pytest.mark.neo4j
def test_neo4j_gets_the_same_links(
    release: UmlsConfig,
    index: UmlsIndex,
    make_graph: MakeGraph,
    neo4j_settings: Settings,
    tmp_path: Path,
) -> None:
    shutil.copytree(index.folder, tmp_path / "umls" / "index")
    tables = make_graph(
        ("MONDO:1", "Disease", ["Arthritis, gouty"]),
        ("MONDO:2", "Disease", ["diabetes mellitus"]),
        cuis=[("MONDO:2", "C0011860")],
    )
    with kg.connect(None, neo4j_settings) as store:
        store.load(tables, Silent())
        for _ in range(2):
            links = link_concepts(release, store, tmp_path / "umls", tmp_path / "layers")
        assert not links.changed
        assert cuis(store) == [("MONDO:1", "C0018099"), ("MONDO:2", "C0011860")]
        remove(store, "cui")
        assert cuis(store) == [("MONDO:2", "C0011860")]


def test_rows_tell_each_type(link: Link, store: Store, make_graph: MakeGraph) -> None:
    store.load(make_graph(("MONDO:1", "Disease", ["gout"])), Silent())
    links = link()
    assert list(links.rows().dicts()) == [
        {
            "type": "Disease", "stated": 0, "exact": 1, "tfidf": 0, "ambiguous": 0,
            "synonym": 0, "without": 0,
            "disagreements": 0, "threshold": None, "tried": 0, "precision": None,
            "abstained": None,
        }
    ]  # fmt: skip
    assert ("kept", 19) in links.read_rows().rows
