import json
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from kg.commands import Root, main
from kg.commands.demo import BEFORE, LINES, NEXT
from kg.errors import StoreError


def test_every_line_that_is_run_or_suggested_is_a_command() -> None:
    suggested = [line for commands in NEXT.values() for line in commands]
    context = click.Context(main)
    for line in [*LINES, *suggested]:
        program, *arguments = shlex.split(line)
        _, command, rest = main.resolve_command(context, arguments)
        assert (program, bool(command)) == ("medkg", True)
        while isinstance(command, click.Group):
            _, command, rest = command.resolve_command(context, rest)
        assert command is not None
        command.make_context("medkg", rest)


def demo(*options: str) -> tuple[int, str]:
    """Runs the demo with commands that only print what they are given."""

    class Echo(Root):
        def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
            if cmd_name == "demo":
                return super().get_command(ctx, cmd_name)

            @click.command(cmd_name, context_settings={"ignore_unknown_options": True})
            @click.argument("rest", nargs=-1)
            def echo(rest: tuple[str, ...]) -> None:
                click.echo(f"{cmd_name} got {list(rest)}")
                if cmd_name == "query":
                    raise StoreError("no graph")

            return echo

    result = CliRunner().invoke(Echo("medkg"), [*options, "demo"])
    return result.exit_code, result.output


def test_each_line_is_printed_before_it_runs_and_a_failure_ends_the_demo() -> None:
    code, output = demo()
    lines = [line for line in output.splitlines() if line]
    assert lines[: len(BEFORE) + 6] == [
        *BEFORE,
        "$ medkg build",
        "build got []",
        "$ medkg qa index",
        "qa got ['index']",
        '$ medkg ask "What are the symptoms of gout?"',
        "ask got ['What are the symptoms of gout?']",
    ]
    assert lines[-2:] == [
        "query got ['disease.similar', 'disease=MONDO:0005393', 'limit=5']",
        "Error: no graph",
    ]
    assert code == 1


def test_a_server_in_the_settings_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://example.org")
    monkeypatch.setenv("MEDKG_HOME", str(tmp_path / "my home"))
    _, output = demo()
    assert f"build got ['--graph', '{tmp_path}/my home/graph.lbug']" in output


def test_demo_as_json_is_each_command_with_its_answer(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("kg.commands.demo.LINES", ("medkg queries disease.symptoms",))
    done = CliRunner().invoke(main, ["demo", "--json"])
    assert done.exit_code == 0, done.stderr
    (only,) = json.loads(done.stdout)
    assert only["command"].startswith("medkg queries disease.symptoms")
    assert only["answer"][0]["name"] == "disease.symptoms"
    assert not [*tmp_path.iterdir()]
    monkeypatch.setattr("kg.commands.demo.LINES", ("medkg query no.such",))
    failed = CliRunner().invoke(main, ["demo", "--json"])
    assert (failed.exit_code, failed.stdout) == (1, "")
    assert json.loads(failed.stderr.splitlines()[-1])["error"]["type"] == "QueryError"


@pytest.mark.parametrize("place", [("--lang", "zh", "demo"), ("demo", "--lang", "zh")])
def test_what_the_demo_runs_speaks_the_language_that_is_given(
    place: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.commands.demo.LINES", ("medkg queries",))
    assert "回答的问题" in CliRunner().invoke(main, [*place]).stdout
