"""A build that checks what it loads, and ``medkg check`` after it."""

import json
from pathlib import Path

import pytest

from kg.stores.embedded import EmbeddedStore
from kg.tables import GraphTables
from tests.conftest import CommandLine
from tests.ingest.check.conftest import RULE

CONFIG = """
rules: rules
sources:
- kind: table
  name: facts
  file: facts.csv
  head: {id: disease_id, name: disease, type: Disease}
  relation: {column: relation, values: {symptom: HAS_SYMPTOM}}
  tail: {id: symptom_id, name: symptom, type: Symptom}
"""
FACTS = """disease_id,disease,relation,symptom_id,symptom
MONDO:0005393,gout,symptom,HP:0001369,Arthritis
MONDO:0005393,gout,symptom,HP:0001945,Fever
MONDO:0005812,influenza,symptom,HP:0001945,Fever
"""
GOUT = ("MONDO:0005393", "HAS_SYMPTOM", "HP:0001945")


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A folder of rules with one that rejects fever in gout."""
    folder = tmp_path / "rules"
    folder.mkdir()
    write_rule(folder, "reject")
    (tmp_path / "facts.csv").write_text(FACTS, encoding="utf-8")
    (tmp_path / "build.yaml").write_text(CONFIG, encoding="utf-8")
    return folder


def write_rule(folder: Path, severity: str, name: str = "cold", before: str = "") -> None:
    where = "a.name = 'gout' AND b.name = 'Fever'"
    text = RULE.format(word=name, where=where, severity=severity)
    written = text.replace("MATCH", f"{before}MATCH", 1)
    (folder / f"{name}.cypher").write_text(written, encoding="utf-8")


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


def found(cli: CommandLine, *options: str) -> tuple[int, str, bool]:
    run = cli("check", "--json", *options)
    assert run.code == 0, run.err
    result = json.loads(run.out)
    [rule] = [each for each in result["rules"] if each["rule"] == "cold"]
    return rule["found"], rule["severity"], result["applied"]


def diseases_with_fever(cli: CommandLine) -> list[str]:
    run = cli("query", "symptom.diseases", "symptom=HP:0001945", "--json")
    return sorted(row["disease_id"] for row in json.loads(run.out)["rows"])


@pytest.mark.usefixtures("rules")
def test_build_takes_out_what_a_rule_of_the_configuration_rejects(
    tmp_path: Path, cli: CommandLine
) -> None:
    run = cli("build", "build.yaml")
    assert run.code == 0, run.err
    assert (
        "1 edges that rules reject are taken out, 0 are flagged, "
        "2 edges from a disease to a symptom have a score;"
    ) in run.out
    assert diseases_with_fever(cli) == ["MONDO:0005812"]
    assert found(cli) == (1, "reject", True)
    explained = json.loads(cli("explain", *GOUT, "--json").out)
    assert explained["rejected"] == [{"layer": "check", "rule": "cold", "reason": "cold"}]
    assert "cold" in cli("report").out
    page = tmp_path / cli("report", "--html").out.strip()
    assert json.loads(cli("report", "--html", "--json").out) == {
        "page": cli("report", "--html").out.strip()
    }
    pictures = json.loads(cli("report", "--clinical-picture", "--json").out)
    assert [each["type"] for each in pictures] == ["Disease", "Drug"]
    assert "cold</td><td>reject</td>" in page.read_text(encoding="utf-8")


@pytest.mark.usefixtures("rules")
def test_edge_is_explained_as_out_only_of_the_graph_that_it_is_out_of(
    tmp_path: Path, cli: CommandLine
) -> None:
    cli("build", "build.yaml")
    other = tmp_path / "other.lbug"
    with EmbeddedStore(other) as store:
        store.load(GraphTables(tmp_path / ".medkg" / "tables"))
    out, there = cli("explain", *GOUT), cli("explain", *GOUT, "--graph", other)
    assert "Taken out of the graph\n" in out.out
    assert "Taken out" not in there.out
    assert "taken as applied" not in out.err + there.err
    unknown = cli("explain", *GOUT, "--graph", tmp_path / "none.lbug")
    assert "Taken out of the graph, where the layer is applied" in unknown.out
    assert "none.lbug: holds no whole graph." in unknown.err
    marks = [json.loads(cli("explain", *GOUT[:2], "HP:0001369", "--json", *more).out)["properties"]
             for more in ((), ("--graph", other))]  # fmt: skip
    assert ["discrimination" in properties for properties in marks] == [True, False]


@pytest.mark.usefixtures("rules")
def test_undone_check_stays_undone_until_it_is_applied_again(cli: CommandLine) -> None:
    cli("build", "build.yaml")
    run = cli("check", "--undo")
    assert (run.code, "Put back 1 edge; 2 more lost" in run.err) == (0, True), run.err
    assert diseases_with_fever(cli) == ["MONDO:0005393", "MONDO:0005812"]
    assert json.loads(cli("report", "--json").out)["check"] is None
    assert "Nothing has changed" in cli("build", "build.yaml").err
    assert found(cli) == (1, "reject", False)
    assert found(cli, "--apply") == (1, "reject", True)
    assert diseases_with_fever(cli) == ["MONDO:0005812"]
    assert cli("check", "--undo").code == 0
    again = cli("check", "--undo")
    assert (again.code, "no layer check is applied" in again.err) == (1, True)


def test_undone_check_tells_what_came_back_as_json(cli: CommandLine, rules: Path) -> None:
    assert rules.is_dir()
    cli("build", "build.yaml")
    run = cli("check", "--undo", "--json")
    assert (run.code, json.loads(run.out)) == (
        0,
        {"put_back": {"HAS_SYMPTOM": 1}, "unmarked": {"HAS_SYMPTOM": 2}},
    )


@pytest.mark.usefixtures("rules")
def test_check_taken_off_as_a_layer_is_undone(tmp_path: Path, cli: CommandLine) -> None:
    cli("build", "build.yaml")
    run = cli("layers", "remove", "check")
    assert (run.code, "Put back 1 edge; 2 more lost flags and scores." in run.err) == (0, True)
    assert diseases_with_fever(cli) == ["MONDO:0005393", "MONDO:0005812"]
    assert not (tmp_path / ".medkg" / "layers" / "check").exists()
    assert json.loads(cli("report", "--json").out)["check"] is None
    again = cli("layers", "remove", "check")
    assert (again.code, "no layer check is applied" in again.err) == (1, True)


def test_application_without_the_answer_of_a_rule_that_rejects_fails(
    rules: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("build", "build.yaml", "--no-check")
    digits = [f"UNWIND [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] AS x{n}" for n in range(12)]
    total = " + ".join(f"x{n}" for n in range(12))
    endless = f"{' '.join(digits)} WITH max({total}) AS z "
    write_rule(rules, "reject", "slow", endless)
    monkeypatch.setenv("MEDKG_QUERY_TIMEOUT", "2")
    asked = cli("check", "--json")
    assert (asked.code, json.loads(asked.out)["applied"]) == (0, False)
    run = cli("check", "--apply", "--json")
    assert (run.code, json.loads(run.out)["applied"]) == (1, True)
    assert (
        "the graph still has what slow would take out, since the query got no answer;" in run.err
    )
    assert diseases_with_fever(cli) == ["MONDO:0005812"]
    write_rule(rules, "warn", "slow", endless)
    assert cli("check", "--apply").code == 0


def test_changed_rule_is_asked_by_the_next_build(rules: Path, cli: CommandLine) -> None:
    cli("build", "build.yaml")
    write_rule(rules, "warn")
    run = cli("build", "build.yaml")
    assert "Nothing has changed" not in run.err
    assert diseases_with_fever(cli) == ["MONDO:0005393", "MONDO:0005812"]
    rows = json.loads(cli("query", "disease.symptoms", f"disease={GOUT[0]}", "--json").out)["rows"]
    assert {row["symptom_id"]: row["flags"] for row in rows}[GOUT[2]] == "cold"
    assert "Nothing has changed" in cli("build", "build.yaml").err


@pytest.mark.usefixtures("rules")
def test_build_can_go_without_the_check(cli: CommandLine) -> None:
    run = cli("build", "build.yaml", "--no-check")
    assert run.code == 0, run.err
    assert diseases_with_fever(cli) == ["MONDO:0005393", "MONDO:0005812"]
    assert "Consistency rules" not in run.out
    assert "The consistency rules are not applied; 'medkg check --apply'" in run.err
    assert found(cli) == (1, "reject", False)


def test_samples_are_shown_with_what_clashes(rules: Path, cli: CommandLine) -> None:
    cli("build", "build.yaml", "--no-check")
    run = cli("check", "--rules", rules)
    assert "cold (reject): Names that are cold" in run.out
    assert "gout (MONDO:0005393)" in run.out
    assert "The graph is unchanged; 'medkg check --apply'" in run.out


def test_broken_rule_stops_the_build_before_it_reads(rules: Path, cli: CommandLine) -> None:
    (rules / "odd.cypher").write_text("// Odd.\nMATCH (a) RETURN a.id AS id", encoding="utf-8")
    run = cli("build", "build.yaml")
    assert (run.code, run.out) == (1, "")
    assert "odd.cypher: is no rule; write '// rule reject'" in run.err


@pytest.mark.usefixtures("rules")
def test_check_says_which_of_two_it_is_to_do(cli: CommandLine) -> None:
    run = cli("check", "--apply", "--undo")
    assert (run.code, "give --apply or --undo, not both" in run.err) == (2, True)


def test_check_of_no_graph_says_what_to_do(cli: CommandLine) -> None:
    run = cli("check")
    assert (run.code, "medkg build" in run.err) == (1, True), run.err


@pytest.mark.parametrize(
    "statement",
    ["COPY (RETURN 1 AS a) TO '{file}'", "MATCH (a:Entity) LOAD FROM '{file}' RETURN *"],
)
@pytest.mark.usefixtures("rules")
def test_rule_that_reads_or_writes_a_file_is_refused_and_the_file_stays(
    tmp_path: Path, cli: CommandLine, statement: str
) -> None:
    assert cli("build", "build.yaml").code == 0
    file = tmp_path / "kept.csv"
    file.write_text("kept", encoding="utf-8")
    mine = tmp_path / "mine"
    mine.mkdir()
    header = RULE.partition("MATCH")[0].format(word="odd", severity="reject")
    (mine / "odd.cypher").write_text(header + statement.format(file=file), encoding="utf-8")
    run = cli("check", "--rules", mine)
    assert (run.code, run.out, file.read_text(encoding="utf-8")) == (1, "", "kept")
    assert run.err.startswith(f"Error: {mine / 'odd.cypher'}, line 5: ")
    assert "is refused, for a question only reads the graph" in run.err
