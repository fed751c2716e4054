import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import kg
from kg.commands import main
from kg.errors import StoreError
from kg.layers import LayerRows, apply_layers, write_layer
from kg.progress import Advance, Silent
from tests.kg.stores.conftest import add_changes, write_tables

pytestmark = pytest.mark.usefixtures("graph_file")


def medkg(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def symptoms() -> list[str]:
    rows = json.loads(medkg("query", "disease.symptoms", "disease=D:2", "--json").stdout)["rows"]
    return [row["symptom_id"] for row in rows]


def listed() -> list[dict[str, object]]:
    return list(json.loads(medkg("layers", "list", "--json").stdout))


def test_a_layer_is_applied_kept_and_removed(layer: Path, tmp_path: Path) -> None:
    result = medkg("layers", "apply", layer)
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (0, "Added: nodes 1, edges 1.")
    assert symptoms() == ["S:1", "S:2", "S:3"]
    kept = tmp_path / ".medkg" / "layers" / "found"
    assert sorted(p.name for p in kept.rglob("*.*")) == sorted(p.name for p in layer.rglob("*.*"))
    applied = {"layer": "found", "applied": True, "kept": True, "waiting": False} | {
        "left_out": 0,
        "checksum": "found",
    }
    assert listed() == [applied]

    result = medkg("layers", "remove", "found")
    assert result.stderr.splitlines()[-1] == "Took out: nodes 1, edges 1."
    assert symptoms() == ["S:1", "S:2"]
    assert listed() == [applied | {"applied": False}]

    assert medkg("layers", "apply", kept).exit_code == 0
    assert listed() == [applied]


def test_edges_that_a_layer_takes_out_and_marks_are_counted(tmp_path: Path) -> None:
    layer = write_tables(tmp_path / "doubts", "doubts", nodes=(), edges=())
    add_changes(
        layer,
        {("D:2", "HAS_SYMPTOM", "S:2"): "rule"},
        {
            ("D:1", "HAS_SYMPTOM", "S:1"): ("odd", None),
            ("D:3", "HAS_SYMPTOM", "S:2"): ("odd", 0.5),
        },
    )
    added = medkg("layers", "apply", layer.folder).stderr.splitlines()[-1]
    assert added == "Added: nodes 0, edges 0, edges taken out 1, edges marked 2."
    assert symptoms() == ["S:1"]
    removed = medkg("layers", "remove", "doubts").stderr.splitlines()[-1]
    assert removed == "Took out: nodes 0, edges 0, edges put back 1, edges unmarked 2."
    assert symptoms() == ["S:1", "S:2"]


def test_vectors_are_counted_that_the_graph_got(tmp_path: Path) -> None:
    vectors = [{"id": name, "embedding": [1.0, 0.5]} for name in ("D:1", "D:2", "D:404")]
    layer = write_layer(tmp_path / "v", "v", LayerRows(vectors=vectors), "test")
    told = medkg("layers", "apply", layer.folder).stderr.splitlines()
    assert told[-1] == "Added: nodes 0, edges 0, vectors 2."
    assert told[-2].startswith("Rows of layer v that do not fit the graph, and were left out: 1; ")
    removed = medkg("layers", "remove", "v").stderr.splitlines()[-1]
    assert removed == "Took out: nodes 0, edges 0, vectors 2."


def test_message_about_a_layer_names_it_and_not_a_copy_of_it(tmp_path: Path) -> None:
    loose = [{"head": "D:1", "tail": "S:404"}]
    layer = write_layer(tmp_path / "x", "x", LayerRows(edges={"HAS_SYMPTOM": loose}), "test")
    told = medkg("layers", "apply", layer.folder).stderr
    assert "layer x, edges/HAS_SYMPTOM.parquet: the edge from D:1 to S:404 does not fit" in told
    assert ".partial" not in told


def test_layer_whose_process_was_killed_after_it_was_applied_is_kept_by_the_next_one(
    graph_file: Path, layer: Path, tmp_path: Path
) -> None:
    kept = tmp_path / ".medkg" / "layers"
    assert medkg("layers", "apply", layer).exit_code == 0
    (kept / "found").rename(kept / ".found.abc.partial")  # as such a process leaves them
    shutil.copytree(layer / "edges", kept / ".half.abc.partial")
    other = write_layer(tmp_path / "y", "y", LayerRows(), "test")
    with kg.connect(str(graph_file)) as store:
        apply_layers([other.folder], store, kept, Silent())
    assert sorted(path.name for path in kept.iterdir()) == ["found", "y"]


def test_what_another_layer_of_the_name_changes_is_not_counted(
    layer: Path, tmp_path: Path
) -> None:
    assert medkg("layers", "apply", layer).exit_code == 0
    kept = tmp_path / ".medkg" / "layers" / "found"
    shutil.rmtree(kept)
    other = write_tables(kept, "found", nodes=(), edges=(), checksum="other")
    add_changes(other, {("D:1", "HAS_SYMPTOM", "S:1"): "rule"})
    removed = medkg("layers", "remove", "found").stderr.splitlines()[-1]
    assert removed == "Took out: nodes 1, edges 1."


def test_layers_are_told_as_json(layer: Path, tmp_path: Path) -> None:
    applied = json.loads(medkg("layers", "--json", "apply", layer).stdout)
    counts = {"nodes": {"Symptom": 1}, "edges": {"HAS_SYMPTOM": 1}}
    assert applied == {"layer": "found", "added": counts, "taken_out": {}, "marked": {}} | {
        "vectors": 0,
        "left_out": [],
    }
    listed_by_group = json.loads(medkg("layers", "--json").stdout)
    assert listed_by_group == listed() == json.loads(medkg("--json", "layers").stdout)
    removed = json.loads(medkg("layers", "remove", "found", "--json").stdout)
    assert removed == {"layer": "found", "taken_out": counts, "put_back": {}, "unmarked": {}} | {
        "vectors": 0,
        "left_out": [],
    }
    loose = [{"head": "D:1", "tail": "S:404"}]
    unfit = write_layer(tmp_path / "x", "x", LayerRows(edges={"HAS_SYMPTOM": loose}), "test")
    refused = medkg("layers", "apply", unfit.folder, "--json")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "does not fit" in json.loads(refused.stderr.splitlines()[-1])["error"]["message"]


def test_rows_that_do_not_fit_are_told_as_json(tmp_path: Path) -> None:
    vectors = [{"id": name, "embedding": [1.0, 0.5]} for name in ("D:1", "D:404")]
    layer = write_layer(tmp_path / "v", "v", LayerRows(vectors=vectors), "test")
    applied = json.loads(medkg("layers", "apply", layer.folder, "--json").stdout)
    (left_out,) = applied["left_out"]
    assert (applied["vectors"], left_out["layer"], left_out["rows"]) == (1, "v", 1)
    assert Path(left_out["file"]).is_file()


def test_without_a_word_layers_are_listed() -> None:
    result = medkg("layers")
    assert (result.exit_code, result.stderr) == (0, "0 rows\n")


def test_a_layer_that_does_not_fit_is_not_kept(layer: Path, tmp_path: Path) -> None:
    assert medkg("layers", "apply", layer).exit_code == 0
    result = medkg("layers", "apply", layer)
    assert result.exit_code == 1
    assert "found" in result.stderr
    assert [path.name for path in (tmp_path / ".medkg" / "layers").iterdir()] == ["found"]


@pytest.mark.parametrize("name", ["../up", "", "a/b", ".hidden"])
def test_a_name_that_is_no_folders_name_is_refused(layer: Path, name: str) -> None:
    summary = layer / "tables.json"
    summary.write_text(summary.read_text().replace('"name": "found"', f'"name": "{name}"'))
    result = medkg("layers", "apply", layer)
    assert result.exit_code == 1
    assert f"{name!r} is no layer name; use letters" in result.stderr


def test_a_folder_without_tables_is_an_error(tmp_path: Path) -> None:
    result = medkg("layers", "apply", tmp_path)
    assert result.exit_code == 1
    assert "there are no graph tables here" in result.stderr


def test_tables_that_cannot_be_copied_are_an_error_and_leave_nothing(
    layer: Path, tmp_path: Path
) -> None:
    (layer / "notes").symlink_to("nowhere")
    result = medkg("layers", "apply", layer)
    assert result.exit_code == 1
    assert f"{layer / 'notes'}: cannot be copied to" in result.stderr
    assert "mistake in medkg" not in result.stderr
    assert list((tmp_path / ".medkg" / "layers").iterdir()) == []


def test_second_application_meanwhile_does_not_disturb_the_first(
    graph_file: Path, layer: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"

    class Meanwhile(Silent):
        @contextmanager
        def step(self, name: str, total: int | None = None) -> Iterator[Advance]:
            with (
                kg.connect(str(graph_file)) as other,
                pytest.raises(StoreError, match="another medkg process is writing"),
            ):
                apply_layers([layer], other, kept, Silent())
            with super().step(name, total) as advance:
                yield advance

    with kg.connect(str(graph_file)) as store:
        assert apply_layers([layer], store, kept, Meanwhile()).changed.added.nodes == {
            "Symptom": 1
        }
    assert [path.name for path in kept.iterdir()] == ["found"]


def test_an_unknown_layer_cannot_be_removed() -> None:
    result = medkg("layers", "remove", "found")
    assert result.exit_code == 1
    assert "found" in result.stderr
