"""Explanations from the files of a build of four small tables and a layer."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from cypher.translation import speaking
from ingest.build import build
from ingest.configuration import read_config
from ingest.explain import explain
from ingest.explanations import EdgeExplanation, MergedId, NodeExplanation, Record
from ingest.identity import mint
from kg import connect
from kg.configuration import Settings
from kg.errors import BuildError, QuestionError
from kg.progress import Silent
from kg.stores.store import Stamp
from kg.tables import GraphTables
from tests.conftest import CommandLine
from tests.kg.stores.conftest import write_tables

CONFIG = """
sources:
- kind: table
  name: findings
  file: findings.csv
  head: {id: disease_id, name: disease, type: Disease}
  relation: HAS_SYMPTOM
  tail: {id: symptom_id, name: symptom, type: {column: type}}
- kind: table
  name: others
  file: others.csv
  head: {id: disease_id, name: disease, type: Disease}
  relation: HAS_SYMPTOM
  tail: {id: symptom_id, name: symptom, type: {column: type}}
- kind: table
  name: matches
  file: matches.csv
  head: {id: id, type: Disease}
  relation: {column: says, values: {same: HAS_EXACT_MATCH}}
  value: other
- kind: table
  name: clinic
  file: clinic.csv
  link: true
  head: {name: disease, type: Disease}
  relation: HAS_SYMPTOM
  tail: {name: finding, type: Symptom}
"""
FILES = {
    "findings.csv": (
        "disease_id,disease,symptom_id,symptom,type\n"
        "MONDO:0005393,gout,HP:0001369,Arthritis,Symptom\n"
        "DOID:13189,,HP:0001945,Fever,Symptom\n"
        "MONDO:0005578,arthritis,HP:0012531,Pain,Symptom\n"
    ),
    "others.csv": (
        "disease_id,disease,symptom_id,symptom,type\n"
        "MONDO:0005812,influenza,HP:0001945,Fever,Disease\n"
        "MONDO:0005812,influenza,UBERON:0002097,skin,Anatomy\n"
    ),
    "matches.csv": (
        "id,says,other\nMONDO:0005393,same,DOID:13189\nMONDO:0005393,same,MONDO:0005578\n"
    ),
    "clinic.csv": "disease,finding\ngout,feverr\nGout,tophus\n",
}
GOUT, ARTHRITIS, FEVER = "MONDO:0005393", "HP:0001369", "HP:0001945"
SAME = MergedId(
    id="DOID:13189",
    node=GOUT,
    rule="exact match",
    evidence="MONDO:0005393 same DOID:13189 (matches.csv, row 1)",
    sources=("matches",),
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    config = folder / "medkg.yaml"
    config.write_text(CONFIG, encoding="utf-8")
    home = folder / ".medkg"
    with connect(None, Settings(home=home)) as store:
        build(read_config(config), home, store, Silent())
    predicted = ((GOUT, "CAUSED_BY", ARTHRITIS),)
    write_tables(home / "layers" / "guesses", name="guesses", nodes=(), edges=predicted)
    return home


def node(asked: str, home: Path) -> NodeExplanation:
    explanation = explain(asked, home)
    assert isinstance(explanation, NodeExplanation)
    return explanation


def edge(asked: str, home: Path) -> EdgeExplanation:
    explanation = explain(asked, home)
    assert isinstance(explanation, EdgeExplanation)
    return explanation


def record(source: str, row: int, head: str, tail: str, **other: str) -> Record:
    says: dict[str, Any] = {"relation": "HAS_SYMPTOM", "original_relation": "HAS_SYMPTOM"}
    given = {"source": source, "file": f"{source}.csv", "row": row, "head": head, "tail": tail}
    return Record(**(says | given | other))


def test_node_tells_its_records_in_the_words_of_their_sources(home: Path) -> None:
    match = {"relation": "HAS_EXACT_MATCH", "original_relation": "same"}
    assert node(GOUT, home).records == (
        record("clinic", 1, "gout", "feverr"),
        record("clinic", 2, "Gout", "tophus"),
        record("findings", 1, GOUT, ARTHRITIS),
        record("findings", 2, "DOID:13189", FEVER),
        record("matches", 1, GOUT, "DOID:13189", **match),
        record("matches", 2, GOUT, "MONDO:0005578", **match),
    )


def test_node_tells_what_was_merged_and_what_was_refused(home: Path) -> None:
    gout = node("gout", home)
    assert [(m.id, m.name, m.rule, m.evidence) for m in gout.merged] == [
        ("DOID:13189", None, SAME.rule, SAME.evidence),
        (GOUT, "Gout", "link", "exact: gout"),
        (GOUT, "gout", "link", "exact: gout"),
    ]
    assert [(r.rule, r.conflict, r.evidence) for r in gout.refused] == [
        (
            "exact match",
            "MONDO:0005393 and MONDO:0005578",
            "MONDO:0005393 same MONDO:0005578 (matches.csv, row 2)",
        )
    ]
    assert node("MONDO:0005578", home).refused == gout.refused


def test_id_that_was_merged_leads_to_its_node(home: Path) -> None:
    assert node("DOID:13189", home).node.id == GOUT


def test_node_tells_the_types_that_sources_give_it(home: Path) -> None:
    fever = node(FEVER, home)
    assert fever.node.type == "Symptom"
    assert fever.types == {"Disease": ("others",), "Symptom": ("clinic", "findings")}


def test_node_tells_the_names_that_were_linked_with_it(home: Path) -> None:
    [link] = node("fever", home).links
    assert (link.source, link.name, link.method, link.matched) == (
        "clinic",
        "feverr",
        "spelling",
        "Fever",
    )
    assert record("clinic", 1, "gout", "feverr") in node(FEVER, home).records


def test_record_in_quarantine_says_why(home: Path) -> None:
    reasons = [each.quarantined for each in node("influenza", home).records]
    assert reasons == [
        None,
        "ends that the relation does not connect (Disease HAS_SYMPTOM Anatomy)",
    ]


def test_edge_tells_its_records_and_how_its_ends_were_merged(home: Path) -> None:
    explanation = edge(f"Gout HAS_SYMPTOM {FEVER}", home)
    assert explanation.records == (
        record("clinic", 1, "gout", "feverr"),
        record("findings", 2, "DOID:13189", FEVER),
    )
    assert explanation.properties["sources"] == ["clinic", "findings"]
    assert SAME in explanation.merged


def test_tables_are_in_the_language_that_is_spoken(home: Path) -> None:
    gout = node("gout", home)
    named = gout.model_copy(update={"node": gout.node.model_copy(update={"name_zh": "痛风"})})
    with speaking("zh"):
        tables = {each.title: each.rows for each in named.sections()}
    assert tables["Node"] == [(GOUT, "疾病", "痛风", "clinic, findings, matches")]
    assert [row[1] for row in tables["Merges that were refused"]] == ["来源声明等同"]
    assert {row[2] for row in tables["Ids and names that were merged"]} == {
        "来源声明等同",
        "名称链接",
    }


def test_references_of_an_edge_are_apart_as_those_of_its_records(home: Path) -> None:
    explanation = edge(f"Gout HAS_SYMPTOM {FEVER}", home)
    cited = explanation.model_copy(update={"properties": {"publications": "PMID:1|PMID:2"}})
    [rows] = [each.rows for each in cited.sections() if each.title == "Properties"]
    assert [value for _, value in rows] == ["PMID:1; PMID:2"]


def test_edge_of_a_layer_says_so(home: Path) -> None:
    explanation = edge("gout CAUSED_BY arthritis", home)
    assert explanation.layer == "guesses"
    assert explanation.records == ()
    assert explanation.tail.id == ARTHRITIS


def test_names_of_an_edge_mean_the_nodes_that_it_connects(home: Path) -> None:
    assert edge("gout HAS_SYMPTOM arthritis", home).tail.id == ARTHRITIS


def test_name_of_several_nodes_lists_them(home: Path) -> None:
    with pytest.raises(
        QuestionError, match=r"'arthritis' may be 2 nodes, HP:0001369 \(Symptom.*one of these ids"
    ):
        explain("arthritis", home)


def test_what_nobody_knows_is_one_sentence_with_near_names(home: Path) -> None:
    with pytest.raises(QuestionError, match="'goutt'; similar names are 'gout'"):
        explain("goutt", home)


@pytest.mark.parametrize(
    ("query", "hint"),
    [
        ("rthrit", "similar names are 'arthritis'"),
        ("UBERON:0002097", "the record that has it is in quarantine (others, others.csv, row 2: "),
        ("zzz yyy", "no name in it is like that or has it in it"),
        ("MONDO:9999999", "no name in it is like that or has it in it"),
        ("gout HAS_SYMPTON Arthritis", "HAS_SYMPTON is no relation; perhaps HAS_SYMPTOM or "),
        ("gout HAS_SYMPTOM", "an edge is asked for by its two ends, as HEAD HAS_SYMPTOM TAIL"),
    ],
)
def test_what_is_not_found_says_only_what_is_true(home: Path, query: str, hint: str) -> None:
    with pytest.raises(QuestionError) as told:
        explain(query, home)
    assert f"nothing in the graph has the id or name {query!r}; {hint}" in str(told.value)


def test_names_that_a_hint_suggests_can_be_explained(home: Path) -> None:
    for query in ("goutt", "out", "arthriti", "rthrit"):
        with pytest.raises(QuestionError) as told:
            explain(query, home)
        for name in re.findall("'([^']+)'", str(told.value).partition("similar names are")[2]):
            try:
                explain(name, home)
            except QuestionError as e:
                assert "ask by one of these ids" in str(e)  # noqa: PT017 -- either is true


def test_edge_that_is_not_there_tells_what_connects_its_ends(home: Path) -> None:
    with pytest.raises(
        QuestionError,
        match="no edge gout IS_A Arthritis; it has "
        "MONDO:0005393 HAS_SYMPTOM HP:0001369, MONDO:0005393 CAUSED_BY HP:0001369",
    ):
        explain("gout IS_A Arthritis", home)
    with pytest.raises(
        QuestionError,
        match="no edge Arthritis HAS_SYMPTOM gout; it has MONDO:0005393 HAS_SYMPTOM HP:0001369",
    ):
        explain("Arthritis has_symptom gout", home)
    with pytest.raises(
        QuestionError, match="no edge influenza HAS_SYMPTOM tophus; it has no edge"
    ):
        explain("influenza HAS_SYMPTOM tophus", home)


def test_minted_id_is_explained_by_its_name(home: Path) -> None:
    tophus = node("tophus", home)
    assert tophus.node.id == mint("Symptom", "tophus")
    assert tophus.records == (record("clinic", 2, "Gout", "tophus"),)


def test_home_without_a_build_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="run 'medkg build'"):
        explain("gout", tmp_path)


def stamp(home: Path, **layers: str) -> Stamp:
    return Stamp(GraphTables(home / "tables").summary().checksum, tuple(layers.items()))


def test_layer_that_the_graph_has_not_got_counts_for_nothing(home: Path) -> None:
    guessed = f"{GOUT} CAUSED_BY {ARTHRITIS}"
    told = explain(guessed, home, stamp(home, guesses="sum"))
    assert isinstance(told, EdgeExplanation)
    assert (told.layer, told.caveats) == ("guesses", ())
    for other in (stamp(home), stamp(home, guesses="others of that name")):
        with pytest.raises(QuestionError, match="the graph has no edge"):
            explain(guessed, home, other)


def test_what_is_not_known_of_the_graph_is_told(home: Path) -> None:
    assert "It is not known which layers the graph has; all layers" in node(GOUT, home).caveats[0]
    known = explain(GOUT, home, stamp(home, guesses="sum", check="x"))
    assert known.caveats == (
        "The graph has the layer check, but its tables are not kept; it is not explained.",
    )
    other = explain(GOUT, home, Stamp("other", ()))
    assert other.caveats == (
        f"The graph was not loaded from the tables in {home}; the explanation is of these tables.",
    )


def test_kept_tables_that_are_not_whole_count_for_nothing(home: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(home, tmp_path / "home")
    (copy / "layers" / "guesses" / "tables.json").write_text("{}", encoding="utf-8")
    (caveat,) = explain(GOUT, copy, stamp(home, guesses="sum")).caveats
    assert "the layer guesses, but its tables are not kept" in caveat


def test_command_asks_the_graph_which_layers_it_has(
    home: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MEDKG_HOME", str(home))
    guessed = (GOUT, "CAUSED_BY", ARTHRITIS)
    without = cli("explain", *guessed)
    assert (without.code, "the graph has no edge" in without.err) == (1, True)
    graphs = {
        str(tmp_path / "none.lbug"): "none.lbug: holds no whole graph.",
        "bolt://localhost:1": "bolt://localhost:1: ",
    }
    for graph, said in graphs.items():
        told = cli("explain", *guessed, "--graph", graph)
        assert told.code == 0, told.err
        assert "added by layer guesses" in told.out
        assert said in told.err
        assert "all layers in the home are taken as applied" in told.err
    wrong = cli("explain", *guessed, "--graph", "http://localhost")
    assert (wrong.code, "not an address of a graph" in wrong.err) == (1, True)


def test_command_shows_tables_or_json(
    home: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEDKG_HOME", str(home))
    shown = cli("explain", "gout")
    assert shown.code == 0, shown.err
    for text in (
        "Ids and names that were merged",
        "DOID:13189",
        "Merges that were refused",
        "matches.csv",
    ):
        assert text in shown.out
    told = json.loads(cli("explain", "gout", "HAS_SYMPTOM", "Fever", "--json").out)
    assert told["relation"] == "HAS_SYMPTOM"
    unknown = cli("explain", "goutt")
    assert unknown.code == 1
    assert unknown.err.startswith("Error: nothing in the graph")


def test_edge_tells_how_several_numbers_became_one(tmp_path: Path) -> None:
    rows = "disease,finding,patients\ngout,Arthritis,354\nGout,arthritis,90\n"
    (tmp_path / "clinic.csv").write_text(rows, encoding="utf-8")
    config = tmp_path / "medkg.yaml"
    config.write_text(
        "combine: {weight: sum}\nsources:\n- {kind: table, name: clinic, file: clinic.csv, "
        "head: {name: disease, type: Disease}, relation: HAS_SYMPTOM, "
        "tail: {name: finding, type: Symptom}, weight: patients}\n",
        encoding="utf-8",
    )
    home = tmp_path / ".medkg"
    with connect(None, Settings(home=home)) as store:
        build(read_config(config), home, store, Silent(), check=False)
    explanation = edge("gout HAS_SYMPTOM arthritis", home)
    assert explanation.properties["weight"] == 444
    assert explanation.properties["weight_text"] == "354|90"
    assert explanation.combined == {"weight": "sum"}
    assert [record.numbers for record in explanation.records] == ["weight 354", "weight 90"]
    shown = {section.title: section.rows for section in explanation.sections()}
    assert ("weight", "444.0 (sum of the records)") in shown["Properties"]


CROSSED = """
sources:
- kind: table
  name: facts
  file: facts.csv
  head: {id: id, name: name, type: {column: type}}
  relation: {column: says, values: {xref: HAS_XREF, called: HAS_SYNONYM}}
  value: other
"""


@pytest.mark.parametrize(
    "crossed", ["MONDO:1,gout,Disease,xref,HP:1", "HP:1,Podagra,Symptom,xref,MONDO:1"]
)
def test_close_match_tells_the_records_that_it_is_made_of(tmp_path: Path, crossed: str) -> None:
    (tmp_path / "facts.csv").write_text(
        "id,name,type,says,other\n"
        "MONDO:1,gout,Disease,called,gouty arthritis\n"
        f"{crossed}\n"
        "HP:1,Podagra,Symptom,called,sore toe\n"
        "HP:1,Podagra,Symptom,xref,SCTID:2\n",
        encoding="utf-8",
    )
    (tmp_path / "medkg.yaml").write_text(CROSSED, encoding="utf-8")
    with connect(None, Settings(home=tmp_path / ".medkg")) as store:
        build(read_config(tmp_path / "medkg.yaml"), tmp_path / ".medkg", store, Silent())
    records = edge("MONDO:1 CLOSE_MATCH HP:1", tmp_path / ".medkg").records
    assert [(each.relation, each.row) for each in records] == [("HAS_XREF", 2)]
