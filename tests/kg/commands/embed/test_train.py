"""``medkg embed train`` and ``evaluate``: what a training makes of its options, and its report."""

import json
import re
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from kg.stores.disk import writer_lock
from tests.kg.commands.embed.running import QUICK, card, medkg


def test_a_file_is_trained_from_and_the_report_is_json(triples: Path, tmp_path: Path) -> None:
    arguments = ("embed", "train", "--triples", triples, "--out", tmp_path / "m", "--seeds", "2")
    result = medkg(*arguments, "--model", "transe", *QUICK, "--json")
    assert result.exit_code == 0, result.stderr
    report = json.loads(result.stdout)
    assert [run["seed"] for run in report["runs"]] == [0, 1]
    assert report["intervals"]["mrr"]["low"] <= report["intervals"]["mrr"]["high"]
    assert set(report["baselines"]) == {"random", "degree", "relation frequency"}
    assert card(tmp_path / "m")["report"] == report
    assert (tmp_path / "m" / "figures").is_dir()
    assert not (tmp_path / "m.training").exists()
    messages = result.stderr
    assert "triples, which leak others" in messages
    begun, done = (line for line in messages.splitlines() if "seed 1" in line)
    assert begun == "Training transe, seed 1"
    assert re.fullmatch(
        r"Training transe, seed 1: done in \d[\d.]* s, epoch 6 of 6, loss \d\.\d{4}, "
        r"best validation MRR 0\.\d{4}",
        done,
    )
    assert "ask it with 'medkg embed predict'" in messages
    assert "Ranking by transe" in messages


def test_what_a_split_has_already_is_not_asked_for(tmp_path: Path) -> None:
    folder = tmp_path / "given"
    folder.mkdir()
    for name in ("train", "valid", "test"):
        (folder / f"{name}.tsv").write_text("a\tr\tb\n")
    for option in (("--valid", "0.1"), ("--test", "0.1"), ("--keep-leaks",), ("--measure-leaks",)):
        result = medkg("embed", "train", "--triples", folder, *option)
        assert result.exit_code == 2
        assert "is split already" in result.stderr


def test_split_that_loses_an_entity_is_kept_dropped_or_refused(
    triples: Path, tmp_path: Path
) -> None:
    lines, folder = triples.read_text().splitlines(keepends=True), tmp_path / "given"
    folder.mkdir()
    for name, some in (("train", lines[20:]), ("valid", lines[:10]), ("test", lines[10:20])):
        strange = "new:1\tHAS_SYMPTOM\tnew:2\n" if name == "test" else ""
        (folder / f"{name}.tsv").write_text("".join(some) + strange)
    given = ("embed", "train", "--triples", folder, "--out", tmp_path / "m", *QUICK)
    refused = medkg(*given, "--unseen", "refuse")
    assert refused.exit_code == 1
    assert "new:1" in refused.stderr
    for option, outcome, new in (("keep", "stay", True), ("drop", "are left out", False)):
        result = medkg(*given, "--unseen", option)
        assert result.exit_code == 0, result.stderr
        assert (
            f"have entities or relations that train does not have, and {outcome}" in result.stderr
        )
        ids = pq.read_table(tmp_path / "m" / "entities.parquet")["id"].to_pylist()
        assert ("new:1" in ids) == new
    wrong = medkg("embed", "train", "--triples", triples, "--unseen", "drop")
    assert "goes with a folder" in wrong.stderr


def test_what_a_folder_holds_beside_a_model_is_not_lost(
    triples: Path, model: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "m"
    shutil.copytree(model, folder)
    given = ("embed", "train", "--triples", triples, "--out", folder, *QUICK)
    again = medkg(*given)
    assert again.exit_code == 0, again.stderr
    assert "will be replaced in the end" in again.stderr
    (folder / "reviewed.csv").write_text("yes")
    result = medkg(*given)
    assert result.exit_code == 1
    assert "reviewed.csv is no part of the model there" in result.stderr
    assert (folder / "reviewed.csv").read_text() == "yes"


def test_two_trainings_into_one_folder_do_not_meet(triples: Path, tmp_path: Path) -> None:
    with writer_lock(tmp_path / "m"):
        result = medkg("embed", "train", "--triples", triples, "--out", tmp_path / "m", *QUICK)
    assert result.exit_code == 1
    assert "another medkg process is writing it" in result.stderr


@pytest.mark.usefixtures("store")
def test_the_graph_is_trained_from_and_asked_by_name(tmp_path: Path) -> None:
    result = medkg("embed", "train", "--relations", "HAS_SYMPTOM,CAUSED_BY", *QUICK)
    assert result.exit_code == 0, result.stderr
    saved = card(tmp_path / ".medkg" / "embeddings" / "complex")
    assert (saved["relations"], saved["build_checksum"]) == (1, "abc")
    assert saved["data"] == "embedded graph, relations HAS_SYMPTOM"
    assert "The graph has no fact of CAUSED_BY; the model is trained without" in result.stderr
    asked = ("embed", "predict", "--head", "Disease 03", "--relation", "HAS_SYMPTOM", "--json")
    answers = json.loads(medkg(*asked).stdout)
    assert {answer["type"] for answer in answers} == {"Symptom"}
    assert {answer["known"] for answer in answers} == {True, False}


def test_the_measures_come_out_again(model: Path, tmp_path: Path) -> None:
    asked = ("embed", "evaluate", "--model-folder", model, "--device", "cpu")
    report = json.loads(medkg(*asked, "--json").stdout)
    saved = card(model)["report"]
    assert report["runs"][0]["measured"] == saved["runs"][0]["measured"]
    assert report["baselines"] == saved["baselines"]
    result = medkg(*asked, "--figures", tmp_path / "figures")
    assert "relation frequency" in result.stdout
    assert list((tmp_path / "figures").iterdir())
    assert medkg(*asked, "--markdown").stdout.count("|") > 20


def test_what_leaks_add_is_measured_when_it_is_asked(triples: Path, tmp_path: Path) -> None:
    leaky = tmp_path / "leaky.tsv"
    text = triples.read_text()
    inverses = [line.split("\t") for line in text.splitlines() if "HAS_SYMPTOM" in line]
    leaky.write_text(text + "".join(f"{tail}\tSYMPTOM_OF\t{head}\n" for head, _, tail in inverses))
    arguments = ("embed", "train", "--triples", leaky, "--out", tmp_path / "m", *QUICK)
    leak = json.loads(medkg(*arguments, "--measure-leaks", "--json").stdout)["leak"]
    assert leak["removed"] == len(inverses)
    assert leak["added"] == pytest.approx(
        leak["with_them"]["both"]["mrr"] - leak["without"]["both"]["mrr"]
    )
    kept = json.loads(medkg(*arguments, "--keep-leaks", "--json").stdout)
    assert (kept["leak"], kept["data"]["relations"]) == (None, 3)


def test_a_search_gives_the_recipe(triples: Path, tmp_path: Path) -> None:
    arguments = ("embed", "train", "--triples", triples, "--out", tmp_path / "m", *QUICK)
    result = medkg(
        *arguments, "--hpo", "1", "--model", "distmult", "--argument", "regularizer=null"
    )
    assert result.exit_code == 0, result.stderr
    [row] = json.loads((tmp_path / "m.search" / "search.json").read_text())
    assert card(tmp_path / "m")["recipe"] == row["recipe"]


def test_options_reach_the_recipe(triples: Path, tmp_path: Path) -> None:
    arguments = ("embed", "train", "--triples", triples, "--out", tmp_path / "m")
    result = medkg(
        *(*arguments, "--model", "TransE", "--preset", "paper", "--epochs", "1"),
        *("--negatives", "5", "--optimizer", "adagrad", "--argument", "scoring_fct_norm=1"),
        *("--valid", "0.2", "--seed", "7", "--device", "cpu"),
    )
    assert result.exit_code == 0, result.stderr
    saved = card(tmp_path / "m")
    trained_by = saved["recipe"]
    assert (trained_by["model"], trained_by["batch"], trained_by["epochs"]) == ("transe", 10, 1)
    assert (trained_by["negatives"], trained_by["optimizer"]) == (5, "adagrad")
    assert trained_by["arguments"] == {"scoring_fct_norm": 1}
    assert (saved["seed"], saved["split"]["valid"], saved["split"]["test"]) == (7, 16, 8)
