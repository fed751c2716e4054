"""``medkg embed`` used wrongly: one sentence, and the exit code that says whose fault it is."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kg.commands.embed.running import medkg


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
        "Error: torch, pykeen, optuna, scipy, safetensors, matplotlib cannot be imported; "
        "install what is missing with \"pip install 'medkg[embeddings]'\"\n"
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
