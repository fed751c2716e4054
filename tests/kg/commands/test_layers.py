import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kg.commands import main

pytestmark = pytest.mark.usefixtures("graph_file")


def medkg(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def symptoms() -> list[str]:
    rows = json.loads(medkg("query", "disease.symptoms", "disease=D:2", "--json").stdout)
    return [row["symptom_id"] for row in rows]


def listed() -> list[dict[str, object]]:
    return list(json.loads(medkg("layers", "list", "--json").stdout))


def test_a_layer_is_applied_kept_and_removed(layer: Path, tmp_path: Path) -> None:
    result = medkg("layers", "apply", layer)
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (0, "Added 1 node and 1 edge.")
    assert symptoms() == ["S:1", "S:2", "S:3"]
    kept = tmp_path / ".medkg" / "layers" / "found"
    assert sorted(p.name for p in kept.rglob("*.*")) == sorted(p.name for p in layer.rglob("*.*"))
    applied = {"layer": "found", "applied": True, "kept": True, "checksum": "found"}
    assert listed() == [applied]

    result = medkg("layers", "remove", "found")
    assert result.stderr.splitlines()[-1] == "Took out 1 node and 1 edge."
    assert symptoms() == ["S:1", "S:2"]
    assert listed() == [applied | {"applied": False}]

    assert medkg("layers", "apply", kept).exit_code == 0
    assert listed() == [applied]


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


def test_an_unknown_layer_cannot_be_removed() -> None:
    result = medkg("layers", "remove", "found")
    assert result.exit_code == 1
    assert "found" in result.stderr
