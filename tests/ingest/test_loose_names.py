import csv
from importlib.resources import files

from ingest.identity import Candidate, mint
from ingest.joining import same_nodes
from ingest.loose_names import is_loose
from ingest.names import EXACT
from kg.text import normalise
from tests.ingest.ids import SOURCES, alone, called, candidate


def listed() -> list[dict[str, str]]:
    text = (files("ingest") / "loose_names.tsv").read_text(encoding="utf-8")
    return [*csv.DictReader(text.splitlines(), delimiter="\t")]


def test_list_is_in_order_and_says_of_each_name_why_it_is_loose() -> None:
    rows = listed()
    keys = [(row["id"], row["language"], row["name"]) for row in rows]
    assert keys == sorted({*keys})
    assert all(row["called"] and row["why"] for row in rows)


def test_thing_without_an_id_is_listed_by_the_id_that_its_name_gives() -> None:
    minted = [row for row in listed() if row["id"].startswith("MEDKG:")]
    assert [row["id"] for row in minted] == [mint("Disease", row["called"]) for row in minted]


def test_name_is_loose_in_any_spelling_for_any_id_of_its_node_and_for_no_other() -> None:
    node = ["DOID:1", "EFO:0003033"]
    assert is_loose(node, "en", normalise("Bacteraemia"))
    assert not is_loose(["DOID:1"], "en", normalise("Bacteraemia"))
    assert not is_loose(node, "en", "bacterial sepsis")


def test_loose_name_joins_the_next_node_that_has_it_else_it_is_refused() -> None:
    reflux = Candidate(
        "HP:0002020",
        "Symptom",
        (called("Gastroesophageal reflux"), called("Heartburn", level=EXACT)),
    )
    name = alone("heartburn", language="en")
    identity = same_nodes([reflux, name], SOURCES)
    assert identity.nodes == {}
    assert [(each.reason, each.conflict) for each in identity.refused] == [
        ("a loose name", "gastroesophageal reflux")
    ]
    coded = candidate("MESH:D006356", "Heartburn", kind="Disease")
    assert same_nodes([reflux, coded, name], SOURCES).nodes == {name.id: "MESH:D006356"}
