"""What 'medkg eval medkgeval --plan' says before a run, and where its cases are."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from evalsim.statistics import plan
from kg.commands import main
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
