"""The commands ``medkg embed``: a model is trained, measured, and asked."""

import csv
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

import kg
from kg.commands import main
from kg.embeddings.artifact import save_artifact
from kg.embeddings.proposals import COLUMNS
from kg.stores.disk import writer_lock
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, GraphTables, TableSummary, arrow_table
from tests.kg.embeddings.small import (
    DISEASES,
    SYMPTOMS,
    card_of,
    clinic,
    clinic_split,
    fresh,
    recipe,
)

QUICK = ("--dim", "16", "--epochs", "6", "--evaluate-every", "3", "--device", "cpu")


def medkg(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


@pytest.fixture(scope="module")
def triples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The clinic as a file."""
    graph, path = clinic(), tmp_path_factory.mktemp("files") / "clinic.tsv"
    ids, relations = graph.entities.ids, graph.relations
    lines = (f"{ids[h]}\t{relations[r]}\t{ids[t]}\n" for h, r, t in graph.rows)
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def model(triples: Path) -> Path:
    """A model of the file."""
    folder = triples.parent / "models" / "clinic"
    result = medkg("embed", "train", "--triples", triples, "--out", folder, *QUICK)
    assert result.exit_code == 0, result.stderr
    return folder


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """The clinic as the embedded store of the default home, with types and names."""
    graph, tables = clinic(), GraphTables(tmp_path / ".medkg" / "tables")
    (tables.folder / "edges").mkdir(parents=True)
    known = graph.entities
    nodes = [
        {"id": each, "type": of, "name": name}
        for each, of, name in zip(known.ids, known.types or (), known.names or (), strict=True)
    ]
    pq.write_table(arrow_table(NODE_COLUMNS, nodes), tables.nodes)
    counts = {}
    for at, relation in enumerate(graph.relations):
        edges = [{"head": known.ids[h], "tail": known.ids[t]} for h, r, t in graph.rows if r == at]
        pq.write_table(arrow_table(EDGE_COLUMNS, edges), tables.edges(relation))
        counts[relation] = len(edges)
    nodes_by_type = {"Disease": DISEASES, "Symptom": SYMPTOMS}
    tables.write_summary(
        TableSummary(
            name="medkg", checksum="abc", nodes=nodes_by_type, edges=counts, made_by="tests"
        )
    )
    file = tmp_path / ".medkg" / "graph.lbug"
    with kg.connect(str(file)) as opened:
        opened.load(tables)
    return file


def card(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "card.json").read_text()))


# --- train and evaluate --------------------------------------------------------------------


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
    told = result.stderr
    assert "that would give others away" in told
    assert "seed 1, epoch 6: loss" in told
    assert "validation MRR" in told
    assert "ask it with 'medkg embed predict'" in told
    assert "Ranking by transe" in told


def test_what_a_split_has_already_is_not_asked_for(tmp_path: Path) -> None:
    folder = tmp_path / "given"
    folder.mkdir()
    for name in ("train", "valid", "test"):
        (folder / f"{name}.tsv").write_text("a\tr\tb\n")
    for option in (("--valid", "0.1"), ("--test", "0.1"), ("--keep-leaks",), ("--measure-leaks",)):
        result = medkg("embed", "train", "--triples", folder, *option)
        assert result.exit_code == 2
        assert "is split already" in result.stderr


def test_split_that_loses_an_entity_is_told_kept_dropped_or_refused(
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
    for option, told, new in (("keep", "stay", True), ("drop", "are left out", False)):
        result = medkg(*given, "--unseen", option)
        assert result.exit_code == 0, result.stderr
        assert f"have what train has not and {told}" in result.stderr
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
    said = card(tmp_path / ".medkg" / "embeddings" / "complex")
    assert (said["relations"], said["build_checksum"]) == (1, "abc")
    assert said["data"] == "embedded graph, relations HAS_SYMPTOM"
    assert "The graph has no fact of CAUSED_BY that fits" in result.stderr
    asked = ("embed", "predict", "--head", "Disease 03", "--relation", "HAS_SYMPTOM", "--json")
    answers = json.loads(medkg(*asked).stdout)
    assert {answer["type"] for answer in answers} == {"Symptom"}
    assert {answer["known"] for answer in answers} == {True, False}


@pytest.mark.usefixtures("store")
def test_vectors_and_accepted_predictions_are_written_as_layers(
    model: Path, tmp_path: Path
) -> None:
    given = ("--model-folder", model)
    written = medkg("embed", "write", *given)
    assert written.exit_code == 0, written.stderr
    assert "Applied the layer embeddings:" in written.stderr
    near = medkg("query", "similar_entities", "entity=D:03", "--json")
    assert len(json.loads(near.stdout)) == 10
    again = medkg("embed", "write", *given)
    assert again.exit_code == 0, again.stderr
    assert "Replaced the layer embeddings: 30 vectors; before 30 vectors." in again.stderr
    table = tmp_path / "proposed.csv"
    asked = ("embed", "complete", "--relation", clinic().relations[0], "--min-score", "0", *given)
    medkg(*asked, "--out", table)
    lines = table.read_text("utf-8").splitlines()
    table.write_text("\n".join([lines[0], f"{lines[1]}yes", *lines[2:]]), "utf-8")
    reviewed = table.read_bytes()
    refused = medkg(*asked, "--out", table)
    assert (refused.exit_code, table.read_bytes()) == (1, reviewed)
    assert "has 1 verdict, which would be lost; name another file" in refused.stderr
    written = medkg("embed", "write", "--predictions", table)
    assert written.exit_code == 0, written.stderr
    assert "Applied the layer predictions: 1 edge." in written.stderr
    layers = json.loads(medkg("layers", "list", "--json").stdout)
    assert [layer["layer"] for layer in layers] == ["embeddings", "predictions"]


def accepted(path: Path, *rows: tuple[str, str, str, str]) -> Path:
    """A table with these heads, relations, tails and models, all of them accepted."""
    lines = (f"{h},,{r},{t},,1.5,0.75,1,{model},yes" for h, r, t, model in rows)
    path.write_text("\n".join([",".join(COLUMNS), *lines]), "utf-8")
    return path


@pytest.mark.usefixtures("store")
def test_accepted_rows_of_all_tables_become_one_layer_with_their_models(tmp_path: Path) -> None:
    fact = ("D:01", "HAS_SYMPTOM", "S:01", "complex")
    symptoms = accepted(tmp_path / "a.csv", fact, ("D:01", "HAS_SYMPTOM", "S:09", "complex"))
    tree = accepted(tmp_path / "b.csv", ("D:01", "IS_A", "D:19", "conve"))
    written = medkg("embed", "write", "--predictions", symptoms, "--predictions", tree)
    assert written.exit_code == 0, written.stderr
    assert "Applied the layer predictions: 2 edges." in written.stderr
    assert "Skipped 1 of 3 accepted rows, which are facts of the graph by now." in written.stderr
    found = json.loads(medkg("query", "entity.predictions", "entity=D:01", "--json").stdout)
    assert [(row["relation"], row["other_id"], row["method"]) for row in found] == [
        ("IS_A", "D:19", "conve"),
        ("HAS_SYMPTOM", "S:09", "complex"),
    ]
    written = medkg("embed", "write", "--predictions", tree)
    assert "Replaced the layer predictions: 1 edge; before 2 edges." in written.stderr
    refused = medkg("embed", "write", "--predictions", accepted(tmp_path / "c.csv", fact))
    assert refused.exit_code == 1
    assert "has all that was accepted as facts" in refused.stderr
    layers = json.loads(medkg("layers", "list", "--json").stdout)
    assert [(layer["layer"], layer["applied"]) for layer in layers] == [("predictions", True)]


@pytest.mark.usefixtures("store")
def test_vectors_of_another_build_are_told(model: Path, tmp_path: Path) -> None:
    told = "The model clinic learned from clinic.tsv, not from this build of the graph; if"
    assert told in medkg("embed", "write", "--model-folder", model).stderr
    same = tmp_path / "same"
    shutil.copytree(model, same)
    (same / "card.json").write_text(json.dumps(card(model) | {"build_checksum": "abc"}), "utf-8")
    assert "learned from" not in medkg("embed", "write", "--model-folder", same).stderr


def test_the_measures_come_out_again(model: Path, tmp_path: Path) -> None:
    asked = ("embed", "evaluate", "--model-folder", model, "--device", "cpu")
    report = json.loads(medkg(*asked, "--json").stdout)
    said = card(model)["report"]
    assert report["runs"][0]["measured"] == said["runs"][0]["measured"]
    assert report["baselines"] == said["baselines"]
    result = medkg(*asked, "--figures", tmp_path / "figures")
    assert "relation frequency" in result.stdout
    assert list((tmp_path / "figures").iterdir())
    assert medkg(*asked, "--markdown").stdout.count("|") > 20


def test_what_leaks_add_is_measured_when_it_is_asked(triples: Path, tmp_path: Path) -> None:
    leaky = tmp_path / "leaky.tsv"
    text = triples.read_text()
    turned = [line.split("\t") for line in text.splitlines() if "HAS_SYMPTOM" in line]
    leaky.write_text(text + "".join(f"{tail}\tSYMPTOM_OF\t{head}\n" for head, _, tail in turned))
    arguments = ("embed", "train", "--triples", leaky, "--out", tmp_path / "m", *QUICK)
    leak = json.loads(medkg(*arguments, "--measure-leaks", "--json").stdout)["leak"]
    assert leak["removed"] == len(turned)
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
    said = card(tmp_path / "m")
    told = said["recipe"]
    assert (told["model"], told["batch"], told["epochs"]) == ("transe", 10, 1)
    assert (told["negatives"], told["optimizer"]) == (5, "adagrad")
    assert told["arguments"] == {"scoring_fct_norm": 1}
    assert (said["seed"], said["split"]["valid"], said["split"]["test"]) == (7, 16, 8)


# --- ask -----------------------------------------------------------------------------------


def test_all_three_forms_are_answered(model: Path) -> None:
    def asked(*arguments: str) -> list[dict[str, Any]]:
        result = medkg("embed", "predict", *arguments, "--model-folder", model, "--json")
        assert result.exit_code == 0, result.stderr
        return list(json.loads(result.stdout))

    tails = asked("--head", "D:03", "--relation", "HAS_SYMPTOM", "--limit", "3")
    assert [each["rank"] for each in tails] == [1, 2, 3]
    assert len(asked("--relation", "HAS_SYMPTOM", "--tail", "S:03")) == 10
    between = asked("--head", "D:03", "--tail", "S:03")  # a file tells of no types
    assert {each["id"] for each in between} == {"HAS_SYMPTOM", "IS_A"}
    assert next(each["known"] for each in between if each["id"] == "HAS_SYMPTOM") is True
    assert all(each["known"] or 0 <= each["probability"] <= 1 for each in tails)


def test_an_end_where_no_such_type_stands_is_told_of(tmp_path: Path) -> None:
    graph, of = clinic_split(), recipe()
    folder = tmp_path / "typed"
    save_artifact(
        folder,
        card_of(graph, of, calibration={"tails": (1.0, 0.0), "heads": (1.0, 0.0)}),
        graph,
        fresh(of, graph),
    )
    asked = ("embed", "predict", "--relation", "HAS_SYMPTOM", "--model-folder", folder, "--json")
    result = medkg(*asked, "--head", "S:03")
    assert result.exit_code == 0, result.stderr
    assert {each["probability"] for each in json.loads(result.stdout)} == {None}
    assert "S:03 is of type Symptom, of which none is a head of HAS_SYMPTOM" in result.stderr
    assert "of type Disease, of which none is a tail" in medkg(*asked, "--tail", "D:03").stderr
    assert "is of type" not in medkg(*asked, "--head", "D:03").stderr


def test_answers_are_a_table_or_csv(model: Path) -> None:
    asked = ("embed", "predict", "--head", "D:03", "--relation", "IS_A", "--model-folder", model)
    columns = ["rank", "id", "name", "type", "score", "probability", "known"]
    assert medkg(*asked).stdout.split()[:7] == columns
    assert next(csv.reader(io.StringIO(medkg(*asked, "--csv").stdout))) == columns


def test_missing_edges_are_proposed_and_nothing_is_written(model: Path, tmp_path: Path) -> None:
    asked = ("embed", "complete", "--relation", "HAS_SYMPTOM", "--model-folder", model)
    rows = json.loads(medkg(*asked, "--min-score", "0", "--limit", "3", "--json").stdout)
    assert [row["accept"] for row in rows] == [""] * 3
    path = tmp_path / "proposed.csv"
    result = medkg(*asked, "--min-score", "0", "--limit", "3", "--out", path)
    assert (result.stdout, "3 proposed edges" in result.stderr) == ("", True)
    with path.open(encoding="utf-8") as file:
        assert [row["head"] for row in csv.DictReader(file)] == [row["head"] for row in rows]
    assert medkg(*asked, "--min-score", "1", "--json").stdout.strip() == "[]"
    assert not (tmp_path / ".medkg").exists()


# --- wrong use -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("predict",),
        ("predict", "--head", "a"),
        ("predict", "--head", "a", "--relation", "b", "--tail", "c"),
        ("predict", "--head", "a", "--relation", "b", "--limit", "0"),
        ("complete",),
        ("complete", "--relation", "a", "--min-score", "2"),
        ("train", "--triples", "nowhere.tsv"),
        ("train", "--triples", ".", "--types", "Disease"),
        ("train", "--epochs", "0"),
        ("train", "--preset", "best"),
        ("train", "--argument", "norm"),
        ("train", "--relations", ","),
        ("write", "--predictions", __file__, "--model-folder", "."),
        ("evaluate", "--nothing"),
        ("nothing",),
    ],
)
def test_wrong_use_is_exit_2(arguments: tuple[str, ...]) -> None:
    result = medkg("embed", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: " in result.stderr


def test_what_the_user_can_put_right_is_one_line(model: Path, triples: Path) -> None:
    for arguments, message in (
        (("predict", "--head", "D:3", "--tail", "S:1", "--model-folder", model), "nearest"),
        (("complete", "--relation", "HAS", "--model-folder", model), "nearest are HAS_SYMPTOM"),
        (("evaluate", "--model-folder", triples.parent), "no trained model"),
        (("evaluate", "--model-folder", model, "--device", "gpu"), "device 'gpu'"),
        (("train", "--triples", triples, "--model", "transf1"), "no model 'transf1'"),
        (("train", "--triples", triples, "--learning-rate", "-1"), "learning_rate is -1.0"),
        (("train", "--triples", triples, "--valid", "0.9", "--test", "0.9"), "together below 1"),
        (("train", "--triples", triples, "--out", triples.parent), "is no model of medkg"),
    ):
        result = medkg("embed", *arguments)
        assert (result.exit_code, result.stdout) == (1, "")
        [line] = [each for each in result.stderr.splitlines() if each.startswith("Error: ")]
        assert message in line


def test_which_model_is_meant_is_asked_where_there_are_several(
    model: Path, tmp_path: Path
) -> None:
    asked = ("embed", "predict", "--head", "D:03", "--relation", "IS_A")
    assert "there is no trained model; make one with" in medkg(*asked).stderr
    home = tmp_path / ".medkg" / "embeddings"
    home.mkdir(parents=True)
    (home / "one").symlink_to(model)
    assert medkg(*asked).exit_code == 0
    (home / "two").symlink_to(model)
    assert "several models (one, two); name one with --model-folder" in medkg(*asked).stderr


def test_what_a_kill_left_of_a_model_is_none(model: Path, tmp_path: Path) -> None:
    home = tmp_path / ".medkg" / "embeddings"
    shutil.copytree(model, home / "one")
    shutil.copytree(model, home / ".one.partial")
    asked = medkg("embed", "predict", "--head", "D:03", "--relation", "HAS_SYMPTOM", "--json")
    assert asked.exit_code == 0, asked.stderr


def test_missing_libraries_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    result = medkg("embed", "evaluate")
    assert result.exit_code == 1
    assert result.stderr == (
        "Error: torch and pykeen cannot be imported; install them with "
        "\"pip install 'medkg[embeddings]'\"\n"
    )


@pytest.mark.parametrize("arguments", [["--help"], ["embed", "--help"], ["embed", "train", "-h"]])
def test_help_needs_no_torch(arguments: list[str]) -> None:
    code = (
        "import sys; from click.testing import CliRunner; from kg.commands import main; "
        f"result = CliRunner().invoke(main, {arguments}); "
        "print(result.exit_code, sorted({'torch', 'pykeen', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0 []\n"
