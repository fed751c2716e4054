"""``medkg embed predict`` and ``complete``: what a model says that the graph lacks."""

import csv
import io
import json
from pathlib import Path
from typing import Any

from kg.embeddings.artifact import save_artifact
from tests.kg.commands.embed.running import medkg
from tests.kg.embeddings.small import (
    card_of,
    clinic_split,
    fresh,
    recipe,
)


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


def test_a_type_that_was_not_seen_at_an_end_gives_a_warning(tmp_path: Path) -> None:
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
