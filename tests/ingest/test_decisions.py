"""``merges.parquet`` lists every decision: each node can be made again from it."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import kg
from ingest.build import build
from ingest.configuration import read_config
from ingest.home import identities_file
from ingest.identity import mint
from kg.configuration import Settings
from kg.progress import Silent
from tests.ingest.conftest import MergeRows
from tests.ingest.rows import fact, nodes_of, rows_of, said

DRUG = {"head_type": "Drug", "tail_type": "Disease"}
COLUMNS = ("id", "type", "name", "node", "rule", "evidence", "sources")


def reconstructed(home: Path, assertions: Iterable[Path]) -> dict[str, set[object]]:
    """The ids and names of each node, from what the sources say and the decisions alone."""
    ids: dict[str, str] = {}
    names: dict[tuple[str, str], str] = {}
    for id_, kind, name, node, *_ in rows_of(home / "merges.parquet", *COLUMNS):
        if name is None:
            ids[id_] = node
        else:
            names[kind, name] = node
    nodes: dict[str, set[object]] = defaultdict(set)
    for row in (row for path in assertions for row in pq.read_table(path).to_pylist()):
        for end in ("head", "tail"):
            id_, kind, name = (row[f"{end}{field}"] for field in ("", "_type", "_name"))
            if id_ is not None and not id_.startswith("MEDKG:"):
                nodes[ids.get(id_, id_)].add(id_)
            elif id_ is None and name is not None and kind and (minted := mint(kind, name)):
                nodes[names.get((kind, name), minted)].add((kind, name))
    return nodes


def decided(home: Path) -> dict[str, set[object]]:
    """The ids and names of each node, as the merge itself resolved them."""
    nodes: dict[str, set[object]] = defaultdict(set)
    for id_, kind, key, node in rows_of(identities_file(home), "id", "type", "key", "node"):
        if id_ is None:
            nodes[node].add((kind, key))
        elif not id_.startswith("MEDKG:"):  # of a name, which stands for itself
            nodes[node].add(id_)
    return nodes


def test_two_spellings_of_one_minted_id_are_listed_with_what_joins_them(
    merge_rows: MergeRows,
) -> None:
    result = merge_rows(
        a=[fact(None, "CONTRAINDICATED_FOR", "MONDO:1", head_name="Warfarin 15 mg", **DRUG)],
        b=[
            fact(None, "CONTRAINDICATED_FOR", "MONDO:2", head_name="warfarin 15mg", **DRUG),
            fact(None, "CONTRAINDICATED_FOR", "MONDO:3", head_name="warfarin 1.5 mg", **DRUG),
        ],
    )
    warfarin = mint("Drug", "warfarin 15 mg")
    assert rows_of(result.quarantine.with_name("merges.parquet"), *COLUMNS) == [
        (warfarin, "Drug", "Warfarin 15 mg", warfarin, "spelling", "warfarin 15 mg", ["a"]),
        (warfarin, "Drug", "warfarin 15mg", warfarin, "spelling", "warfarin 15 mg", ["b"]),
    ]


def test_name_that_met_an_id_is_listed_beside_the_id_that_was_minted_of_it(
    merge_rows: MergeRows,
) -> None:
    result = merge_rows(
        a=[said("MONDO:1", "HAS_NAME", "Gout")],
        b=[fact(None, "HAS_SYMPTOM", "HP:1", head_name="gout")],
    )
    gout = mint("Disease", "gout")
    assert rows_of(result.quarantine.with_name("merges.parquet"), *COLUMNS) == [
        (gout, None, None, "MONDO:1", "name", "gout", ["a", "b"]),
        (gout, "Disease", "gout", "MONDO:1", "spelling", "gout", ["b"]),
    ]


def test_name_that_was_linked_is_listed_with_what_it_is_like(merge_rows: MergeRows) -> None:
    result = merge_rows(
        frozenset({"text"}),
        known=[fact("MONDO:1", "HAS_SYMPTOM", "HP:1", tail_name="Headache")],
        text=[fact("MONDO:1", "HAS_SYMPTOM", None, tail_name="haedache")],
    )
    assert rows_of(result.quarantine.with_name("merges.parquet"), *COLUMNS) == [
        ("HP:1", "Symptom", "haedache", "HP:1", "link", "spelling: Headache", ["text"])
    ]


def test_name_that_shares_nothing_is_in_no_row(merge_rows: MergeRows) -> None:
    result = merge_rows(
        a=[fact(None, "HAS_SYMPTOM", None, head_name="gout", tail_name="tophus")],
        b=[fact(None, "HAS_SYMPTOM", None, head_name="gout", tail_name="podagra")],
    )
    assert len(nodes_of(result, "id")) == 3
    assert rows_of(result.quarantine.with_name("merges.parquet"), *COLUMNS) == []


CONFIGURATION = """
sources:
  - kind: sample
  - kind: table
    name: clinic
    file: clinic.csv
    head: {name: disease, type: Disease}
    relation: HAS_SYMPTOM
    tail: {name: finding, type: Symptom}
  - kind: table
    name: matches
    file: matches.csv
    head: {id: id, type: Disease}
    relation: {column: says, values: {same: HAS_EXACT_MATCH}}
    value: other
  - kind: table
    name: notes
    link: true
    file: notes.csv
    head: {name: disease, type: Disease}
    relation: HAS_SYMPTOM
    tail: {name: finding, type: Symptom}
"""
CLINIC = "disease,finding\ngout,Arthritis\nGOUT,arthritis\nClinic disease 1.5,rash-like\nclinic disease 15,Rash like\n"
NOTES = "disease,finding\ngout,podagraa\ngoutt,Arthralgia\nsomething else,Rash like\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("decisions")
    (folder / "medkg.yaml").write_text(CONFIGURATION)
    (folder / "clinic.csv").write_text(CLINIC)
    (folder / "notes.csv").write_text(NOTES)
    # an id of which nothing is said but that another is the same
    (folder / "matches.csv").write_text("id,says,other\nDOID:13189,same,MONDO:0005393\n")
    settings = Settings(home=folder / "home")
    with kg.connect(None, settings) as store:
        build(read_config(folder / "medkg.yaml"), settings.home, store, Silent(), check=False)
    return settings.home


def test_every_node_can_be_made_again_from_the_decisions(home: Path) -> None:
    assertions = sorted(home.glob("assertions/*/assertions.parquet"))
    assert reconstructed(home, assertions) == decided(home)
