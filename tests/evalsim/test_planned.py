"""What 'medkg eval medkgeval --plan' says before a run, and where its cases are."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from evalsim.metrics import pilots
from evalsim.running.logs import find_logs, read_dialogues
from evalsim.statistics import plan
from kg.commands import main
from kg.stores.store import Store
from tests.evalsim.clinic import write_clinic_cases


def said(*options: str) -> str:
    result = CliRunner().invoke(main, ["eval", "medkgeval", "--plan", *options])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_repeats_of_a_case_are_no_independent_dialogues(tmp_path: Path) -> None:
    file = str(write_clinic_cases(tmp_path / "c.jsonl"))
    given = ("--cases", file, "--repeats", "4", "--sd", "0.2")
    assert "tell as much as 8 independent ones" in said(*given, "--icc", "0.5")
    assert "tell as much as 20 independent ones" in said(*given, "--icc", "0")
    found = json.loads(said(*given, "--icc", "0.5", "--json"))
    planned = plan(5, sd=0.2, icc=0.5, repeats=4)
    assert found["design_effect"] == planned.design_effect == 2.5
    assert found["detectable"] == planned.detectable


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "No difference between two doctors could be shown with a power of 80%"),
        ("zh", "无法以 80% 的检验效能发现两位医生之间的任何差异"),
    ],
)
def test_a_difference_above_1_cannot_be_shown(tmp_path: Path, language: str, told: str) -> None:
    file = str(write_clinic_cases(tmp_path / "c.jsonl"))
    given = ("--cases", file, "--limit", "2")
    assert told in said(*given, "--lang", language)
    assert json.loads(said(*given, "--json"))["detectable"] is None


def test_a_pilot_measures_what_is_else_assumed(tmp_path: Path, practice: Store) -> None:
    file = write_clinic_cases(tmp_path / "c.jsonl")
    for doctor in ("oracle", "greedy"):
        given = ["--preset", "offline", "--doctor", f"medkg/doctor-{doctor}", "--repeats", "2"]
        where = ["--cases", str(file), "--out", str(tmp_path / doctor), "--graph", practice.uri]
        result = CliRunner().invoke(main, ["eval", "medkgeval", *given, *where])
        assert result.exit_code == 0, result.output
    logs = ("--pilot", str(tmp_path / "oracle"), "--pilot", str(tmp_path / "greedy"))
    held = read_dialogues(find_logs([tmp_path / "oracle", tmp_path / "greedy"]))
    (correctness, history) = pilots([each.played for each in held])
    shown = {row["metric"]: row for row in json.loads(said("--cases", str(file), *logs, "--json"))}
    row = shown["history-taking"]
    assert (row["sd"], row["icc"]) == (history.pilot.sd, history.pilot.icc)
    planned = plan(5, sd=history.pilot.sd, icc=history.pilot.icc)
    assert row["effective"] == planned.effective
    assert shown["correctness"]["sd"] == correctness.pilot.sd
    assert "相关系数" in said("--cases", str(file), *logs, "--lang", "zh")
    assert "greedy" in said("--cases", str(file), *logs)


def test_a_pilot_needs_two_doctors(tmp_path: Path, practice: Store) -> None:
    file = write_clinic_cases(tmp_path / "c.jsonl")
    given = ["--preset", "offline", "--doctor", "medkg/doctor-greedy", "--cases", str(file)]
    where = ["--out", str(tmp_path / "run"), "--graph", practice.uri]
    assert CliRunner().invoke(main, ["eval", "medkgeval", *given, *where]).exit_code == 0
    plan_of = ["--plan", "--cases", str(file), "--pilot", str(tmp_path / "run")]
    result = CliRunner().invoke(main, ["eval", "medkgeval", *plan_of])
    assert result.exit_code == 1
    assert "no two doctors have two dialogues of the task diagnosis in common" in result.stderr


@pytest.mark.parametrize("option", ["--sd=0.3", "--icc=0.2", "--comparisons=2"])
def test_what_belongs_to_a_plan_is_refused_without_one(tmp_path: Path, option: str) -> None:
    file = str(write_clinic_cases(tmp_path / "c.jsonl"))
    result = CliRunner().invoke(main, ["eval", "medkgeval", "--cases", file, option])
    assert result.exit_code == 2
    assert f"{option.partition('=')[0]} belongs to --plan; add --plan, or" in result.stderr


def test_a_file_has_a_language_of_its_own(tmp_path: Path) -> None:
    file = str(write_clinic_cases(tmp_path / "c.jsonl"))
    given = ["eval", "medkgeval", "--plan", "--cases", file, "--language", "zh"]
    result = CliRunner().invoke(main, given)
    assert result.exit_code == 2
    assert "--language chooses among the cases that medkg drew" in result.stderr


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            "run 'medkg eval cases --task medication --language zh', or name a file with --cases",
        ),
        ("zh", "请运行 'medkg eval cases --task medication --language zh'"),
    ],
)
def test_cases_that_nobody_drew_are_said_to_be_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, told: str
) -> None:
    monkeypatch.setenv("MEDKG_HOME", str(tmp_path))
    options = ["--task", "medication", "--language", "zh", "--lang", language]
    result = CliRunner().invoke(main, ["eval", "medkgeval", *options])
    assert result.exit_code == 1
    assert f"{tmp_path / 'cases' / 'medication-zh.jsonl'}" in result.stderr
    assert told in result.stderr
