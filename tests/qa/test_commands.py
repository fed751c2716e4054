import json
from pathlib import Path

import pytest

import kg
from ingest.merge import MergeConfig, merge
from kg.embeddings.artifact import Artifact, save_artifact
from kg.progress import Silent
from tests.conftest import CommandLine
from tests.ingest.rows import fact, write_assertions


def test_control_characters_of_a_source_do_not_reach_the_terminal(
    tmp_path: Path, cli: CommandLine
) -> None:
    escape = "\x1b[31m"
    row = fact(
        "MONDO:1",
        "HAS_SYMPTOM",
        "HP:1",
        head_name="gout",
        tail_name=f"{escape}Arthritis",
        publications=f"{escape}PMID:1",
    )
    path = write_assertions(tmp_path / "s.parquet", "s", [row])
    out = tmp_path / "out"
    out.mkdir()
    result = merge(MergeConfig(assertions={"s": path}, made_by="a test"), out, Silent())
    with kg.connect(str(tmp_path / "g.lbug")) as store:
        store.load(result.tables)
    answer = cli("ask", "symptoms of gout", "--graph", "g.lbug")
    assert answer.code == 0, answer.err
    assert "[1] \\u001b[31mPMID:1" in answer.out
    assert "\x1b" not in answer.out + answer.err


def test_graph_answers_a_triple(cli: CommandLine, triple_graph: Path) -> None:
    answer = cli("ask", "symptoms of gout", "--by", "graph", "--graph", str(triple_graph))
    assert answer.code == 0, answer.err
    assert answer.out.startswith("gout (MONDO:1): symptoms\n")
    assert answer.out.index("Fever") < answer.out.index("Arthritis")
    assert "<MONDO:1, HAS_SYMPTOM, ?>" in answer.out


def test_model_answers_a_triple(
    cli: CommandLine, triple_graph: Path, triple_model: Artifact, tmp_path: Path
) -> None:
    save_artifact(tmp_path / "m", triple_model.card, triple_model.split, triple_model.model)
    given = ("--by", "embedding", "--model-folder", "m", "--limit", "1")
    answer = cli("ask", "causes of gout", *given, "--graph", str(triple_graph), "--json")
    assert answer.code == 0, answer.err
    [row] = json.loads(answer.out)
    assert (row["name"], row["known"]) == ("Hyperuricemia", True)


def test_missing_fact_is_an_error_that_says_what_is_missing(
    cli: CommandLine, triple_graph: Path
) -> None:
    answer = cli("ask", "causes of asthma", "--by", "graph", "--graph", str(triple_graph))
    assert answer.code == 1
    assert "there are no causes of asthma (MONDO:2) in the graph" in answer.err


@pytest.mark.parametrize("wrong", [("--limit", "3"), ("--model-folder", "m")])
def test_options_of_another_way_to_answer_are_refused(
    cli: CommandLine, wrong: tuple[str, str]
) -> None:
    answer = cli("ask", "symptoms of gout", *wrong)
    assert answer.code == 2
    assert "goes with --by" in answer.err
