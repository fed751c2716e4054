import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from kg.commands import main


def completed(*words: str) -> list[str]:
    """What may stand for the last of the words."""
    shell = ShellComplete(main, {}, "medkg", "_MEDKG_COMPLETE")
    return [item.value for item in shell.get_completions(list(words[:-1]), words[-1])]


def test_commands_queries_parameters_kinds_and_layers_are_completed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "layers" / "cui").mkdir(parents=True)
    monkeypatch.setenv("MEDKG_HOME", str(tmp_path))
    assert completed("cyp") == ["cypher"]
    assert completed("query", "disease.sy") == ["disease.symptoms"]
    assert completed("queries", "disease.sim") == ["disease.similar"]
    assert completed("query", "disease.similar", "") == ["disease=", "limit="]
    assert completed("query", "disease.similar", "disease=D:1", "") == ["limit="]
    assert completed("query", "no.such", "") == []
    assert completed("sources", "primekg-") == ["primekg-plus"]
    assert completed("layers", "remove", "c") == ["cui"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_installed_where_the_shell_looks(
    shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    said = CliRunner().invoke(main, ["completion"]).stdout
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert f"Wrote {file}; open a new shell." in said
    assert "_MEDKG_COMPLETE" in file.read_text()
    printed = CliRunner().invoke(main, ["completion", shell, "--print"]).stdout
    assert printed.strip() == file.read_text().strip()


def test_an_unknown_shell_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    said = CliRunner().invoke(main, ["completion"])
    assert (said.exit_code, "name one of bash, fish, zsh" in said.stderr) == (1, True)


@pytest.mark.skipif(shutil.which("bash") is None, reason="this machine has no bash")
def test_bash_completes_by_the_installed_command() -> None:
    medkg = Path(sys.executable).with_name("medkg")
    env = os.environ | {
        "_MEDKG_COMPLETE": "bash_complete",
        "COMP_WORDS": "medkg query disease.sy",
        "COMP_CWORD": "2",
    }
    found = subprocess.run([medkg], env=env, capture_output=True, text=True, check=True)
    assert found.stdout == "plain,disease.symptoms\n"


STUBS = {
    "bash": """
compopt() { echo compopt "$@"; }
source $SCRIPT
COMP_WORDS=(medkg $WORDS) COMP_CWORD=3
_medkg_completion medkg
echo "${COMPREPLY[@]}"
""",
    "zsh": """
compdef() { :; }
_describe() { shift 3; [[ "$*" == "-U -S " ]] && echo "no space"; }
source $SCRIPT
words=(medkg ${=WORDS}) CURRENT=4
_medkg_completion
""",
}
"""Each shell's completion of the third word, with what only a prompt has stubbed."""


@pytest.mark.parametrize(
    ("shell", "words", "said"),
    [
        ("bash", "query disease.similar dis", ["compopt -o nospace", "disease="]),
        ("bash", "layers remove zz", [""]),
        ("zsh", "query disease.similar dis", ["no space"]),
        ("zsh", "query disease.similar zz", []),
    ],
)
def test_no_space_follows_the_name_of_a_parameter(
    shell: str, words: str, said: list[str], tmp_path: Path
) -> None:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"this machine has no {shell}")
    script = tmp_path / "script"
    script.write_text(CliRunner().invoke(main, ["completion", shell, "--print"]).stdout)
    folder = Path(sys.executable).parent
    env = {"SCRIPT": str(script), "WORDS": words, "PATH": f"{folder}:{os.environ['PATH']}"}
    done = subprocess.run(
        [found, "-c", STUBS[shell]],
        env=os.environ | env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.splitlines(), done.stderr) == (said, "")


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["qurey"], "Did you mean 'query'?"),
        (["layers", "aply"], "Did you mean 'apply'?"),
        (["query", "x", "--jsno"], "'--json'"),
        (["sources", "primkg"], "did you mean primekg"),
        (["query", "disease.symptom", "disease=x"], "the nearest are disease.symptoms"),
    ],
)
def test_what_is_misspelt_is_answered_with_the_nearest(words: list[str], hint: str) -> None:
    said = CliRunner().invoke(main, words)
    assert said.exit_code in (1, 2)
    assert hint in said.stderr
