from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import kg
from kg.linking import Linker
from kg.linking.measures import Share
from kg.stores.store import Store
from kg.tables import NODE_COLUMNS, arrow_table
from tests.experiments.linking.gold.findings import AGAIN, Finding, agreement, findings, overlap
from tests.experiments.linking.gold.scoring import Figures, Nodes, figures, score
from tests.experiments.linking.gold.texts import GoldError, Text, checksum, contents, draw, texts
from tests.kg.stores.conftest import write_tables

COUGH, DRY, FEVER, PNEUMONIA = "HP:0012735", "HP:0031246", "HP:0001945", "HP:0002090"

NODES = [
    (COUGH, "Symptom", "Cough"),
    (DRY, "Symptom", "Nonproductive cough"),
    ("ICD9CM:786.2", "Symptom", "cough"),
    ("MEDKG:Symptom.1", "Symptom", "Fever"),
    (PNEUMONIA, "Symptom", "lung inflammation"),
    ("MONDO:0005249", "Disease", "pneumonia"),
    ("CHEBI:1", "Drug", "aspirin"),
]
XREFS = {"MEDKG:Symptom.1": [FEVER]}
EDGES = [(DRY, "IS_A", COUGH), ("MONDO:0005249", "CLOSE_MATCH", PNEUMONIA)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    tables = write_tables(tmp_path / "tables", nodes=NODES, edges=EDGES)
    rows = [
        {"id": id_, "type": type_, "name": name, "xrefs": XREFS.get(id_, []), "sources": ["test"]}
        for id_, type_, name in sorted(NODES)
    ]
    pq.write_table(arrow_table(NODE_COLUMNS, rows), tables.nodes)
    with kg.connect(str(tmp_path / "graph.lbug")) as opened:
        opened.load(tables)
        yield opened


def found(
    said: str, *ids: str, start: int = 0, end: int | None = None, polarity: str = "present"
) -> Finding:
    last = len(said) if end is None else end
    return Finding(start, last, frozenset(ids), polarity, "named")  # type: ignore[arg-type]  # a test's


def measured(store: Store, said: str, *there: Finding) -> Figures:
    text = Text("s", "1", 0, len(said), "work", "en", checksum(said))
    linker = Linker.of_store(store)
    scored = score([text], {text.key: said}, {text.key: there}, linker.link, Nodes(store))
    return figures(scored)


def share(right: int, of: int) -> Share:
    return Share(right=right, of=of)


def test_link_is_right_by_a_cross_reference_and_by_a_close_match(store: Store) -> None:
    said = "fever, pneumonia, aspirin"
    of = measured(store, said, found(said, FEVER, end=5), found(said, PNEUMONIA, start=7, end=16))
    assert (of.recall, of.precision, of.polarity) == (share(2, 2), share(2, 2), share(2, 2))


def test_link_within_a_step_is_right_in_its_own_column_alone(store: Store) -> None:
    said = "nonproductive cough"
    of = measured(store, said, found(said, COUGH))
    assert (of.recall, of.recall_near, of.recall_namesake) == (
        share(0, 1),
        share(1, 1),
        share(0, 1),
    )
    assert (of.precision, of.precision_near) == (share(0, 1), share(1, 1))


def test_namesake_of_a_right_node_is_told_apart_from_another_word(store: Store) -> None:
    # two nodes go by "cough": whichever is linked, it is as good as the other by its name
    said = "cough"
    of = measured(store, said, found(said, COUGH))
    assert (of.recall_namesake, of.precision_namesake) == (share(1, 1), share(1, 1))
    assert measured(store, said, found(said, FEVER)).recall_namesake == share(0, 1)


def test_finding_that_is_told_denied_and_is_not_or_the_reverse_has_the_wrong_polarity(
    store: Store,
) -> None:
    said = "no fever but pneumonia"
    there = found(said, FEVER, start=3, end=8), found(said, PNEUMONIA, start=13, polarity="absent")
    assert measured(store, said, *there).polarity == share(0, 2)


def test_what_has_no_node_or_is_only_feared_counts_neither_way(store: Store) -> None:
    said = "fever, pneumonia"
    feared = found(said, PNEUMONIA, start=7, polarity="hypothetical")
    of = measured(store, said, found(said, end=5), feared)
    assert (of.recall, of.precision) == (share(0, 0), share(0, 0))


def test_link_that_meets_no_finding_is_wrong(store: Store) -> None:
    of = measured(store, "fever and pneumonia", found("fever", FEVER))
    assert (of.recall, of.precision) == (share(1, 1), share(1, 2))


def test_readings_agree_where_spans_overlap_and_share_an_id() -> None:
    first = {"s/1": [found("dry cough", COUGH, DRY), found("fever", FEVER, start=12, end=17)]}
    second = {"s/1": [found("cough", COUGH, start=4, end=9, polarity="absent")]}
    same, polarity = agreement(first, second)
    assert (same.recall, same.precision, polarity) == (share(1, 2), share(1, 1), share(0, 1))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("s\t2\t0\t5\tHP:0001945\tpresent\tnamed", "gold.tsv, row 2: s/2 is none of the texts"),
        ("s\t1\t0\t9\tHP:0001945\tpresent\tnamed", "row 2: 0 to 9 is not within the text of 5"),
        ("s\t1\t5\t5\tHP:0001945\tpresent\tnamed", "row 2: 5 to 5 is not within"),
        ("s\t1\t0\t5\tHP:1945\tpresent\tnamed", "row 2: 'HP:1945' is no id of HPO or MONDO"),
        ("s\t1\t0\t5\tnone\tdenied\tnamed", "row 2: polarity 'denied'; write present, absent"),
        ("s\t1\t0\t5\tnone\tabsent\tlab", "row 2: kind 'lab'; write named, described, value"),
    ],
)
def test_row_that_is_not_as_it_must_be_is_named(tmp_path: Path, row: str, said: str) -> None:
    file = tmp_path / "gold.tsv"
    file.write_text(f"source\tid\tstart\tend\tids\tpolarity\tkind\n{row}\n", "utf-8")
    with pytest.raises(GoldError, match=said):
        findings([Text("s", "1", 0, 5, "work", "en", "")], file)


def test_gold_that_is_kept_is_whole() -> None:
    every = texts()
    assert len({text.key for text in every}) == len(every) >= 150
    assert sum(len(some) for some in findings(every).values()) > 1500
    assert sum(bool(some) for some in findings(every, AGAIN).values()) == 20


def test_finding_is_given_once() -> None:
    for some in findings(texts()).values():
        places = [(finding.start, finding.end) for finding in some]
        assert len(set(places)) == len(places)


def test_texts_are_those_that_the_seed_draws_and_say_what_was_read(shared_data: Path) -> None:
    assert draw(shared_data) == texts()
    said = contents(texts(), shared_data)
    for key, some in findings(texts()).items():
        for finding in some:
            words = said[key][finding.start : finding.end]
            assert words == words.strip()
            assert overlap(finding, 0, len(said[key]))


def test_changed_text_is_told(shared_data: Path) -> None:
    first = texts()[0]
    other = Text(first.source, first.id, 0, first.end - 1, "work", "en", first.sha256)
    with pytest.raises(GoldError, match=f"{first.key} is not the text that was read"):
        contents([other], shared_data)


def test_missing_data_is_told(tmp_path: Path) -> None:
    with pytest.raises(GoldError, match="is not there; give the folder of the public data"):
        contents(texts(), tmp_path)
