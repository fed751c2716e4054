"""``medkg embed write``: vectors, and accepted predictions, as layers of the graph."""

import json
import shutil
from pathlib import Path

import pytest

from kg.embeddings.proposals import COLUMNS
from tests.kg.commands.embed.running import card, medkg
from tests.kg.embeddings.small import (
    clinic,
)


@pytest.mark.usefixtures("store")
def test_vectors_and_accepted_predictions_are_written_as_layers(
    model: Path, tmp_path: Path
) -> None:
    given = ("--model-folder", model)
    written = medkg("embed", "write", *given)
    assert written.exit_code == 0, written.stderr
    assert "Applied the layer embeddings:" in written.stderr
    near = medkg("query", "similar_entities", "entity=D:03", "--json")
    assert len(json.loads(near.stdout)["rows"]) == 10
    told = json.loads(medkg("embed", "--json", "write", *given).stdout)
    assert told == {"layer": "embeddings", "replaced": True, "vectors": 30, "edges": {}}
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
    found = json.loads(medkg("query", "entity.predictions", "entity=D:01", "--json").stdout)[
        "rows"
    ]
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
def test_vectors_of_another_build_are_written_with_a_warning(model: Path, tmp_path: Path) -> None:
    warning = "The model clinic was trained on clinic.tsv, not on this build of the graph; if"
    assert warning in medkg("embed", "write", "--model-folder", model).stderr
    same = tmp_path / "same"
    shutil.copytree(model, same)
    (same / "card.json").write_text(json.dumps(card(model) | {"build_checksum": "abc"}), "utf-8")
    assert "was trained on" not in medkg("embed", "write", "--model-folder", same).stderr
