"""``medkg cypher`` and its shell, and ``medkg query`` with a file."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

import kg
from kg.commands import main
from kg.commands.shell import Shell
from kg.stores.store import Store
from tests.kg.stores.conftest import write_tables


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cypher")
    with kg.connect(str(folder / "graph.lbug")) as store:
        store.load(write_tables(folder / "tables"))
    return folder / "graph.lbug"


@pytest.fixture
def store(graph: Path) -> Iterator[Store]:
    with kg.connect(str(graph)) as store:
        yield store


def medkg(graph: Path, *arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, [*arguments, "--graph", str(graph)], input=stdin)


NAME = "MATCH (d:Disease {id: $id}) RETURN d.name AS name"


def test_a_statement_with_a_parameter(graph: Path) -> None:
    found = medkg(graph, "cypher", NAME, "id=MONDO:1", "--json")
    assert json.loads(found.stdout) == {
        "columns": ["name"],
        "rows": [{"name": "gout"}],
        "truncated": False,
        "total": 1,
    }
    assert found.exit_code == 0


@pytest.mark.parametrize("first", [("-",), ()])
def test_a_statement_from_standard_input(graph: Path, first: tuple[str, ...]) -> None:
    found = medkg(graph, "cypher", *first, "id=MONDO:1", "--csv", stdin=f"{NAME};\n")
    assert found.stdout == "name\ngout\n"


def test_a_statement_from_a_file(graph: Path, tmp_path: Path) -> None:
    file = tmp_path / "name.cypher"
    file.write_text(f"// its name\n{NAME}\n", encoding="utf-8-sig")
    assert medkg(graph, "cypher", str(file), "id=MONDO:1", "--csv").stdout == "name\ngout\n"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", "12"),
        ("0.5", "0.5"),
        ("true", "True"),
        ('"12"', "12"),
        ("HP:1", "HP:1"),
        ("nan", "nan"),
        ("null", "null"),
        ("痛风", "痛风"),
    ],
)
def test_a_value_is_read_as_json_or_else_it_is_the_text(
    graph: Path, text: str, value: str
) -> None:
    found = medkg(graph, "cypher", "RETURN $x AS x", f"x={text}", "--csv", "--as-is")
    assert found.stdout == f"x\n{value}\n"


def test_what_is_not_portable_is_refused_with_each_form_to_write(graph: Path) -> None:
    found = medkg(graph, "cypher", "MATCH (s:Symptom)\nRETURN s LIMIT 1")
    assert (found.exit_code, found.stdout) == (1, "")
    first, second, error = found.stderr.splitlines()
    assert first == (
        "line 2: not known to be portable: rows without an order; "
        "write ORDER BY what tells all rows apart"
    )
    assert second.startswith("line 2: not known to be portable: s is a node")
    assert error.startswith("Error: ")
    assert "--as-is" in error


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "MATCH (d:Disease RETURN d.id",
            (
                "MATCH (d:Disease RETURN d.id\n"
                "                 ^\n"
                "Error: line 1, column 18: syntax error: 'RETURN' is not expected; write ')' here\n"
            ),
        ),
        (
            "MATCH (d {name: '痛风'})\nRETURN '痛' + d.id ODER BY d.id",
            (
                "RETURN '痛' + d.id ODER BY d.id\n"
                "                   ^\n"
                "Error: line 2, column 19: syntax error: 'ODER' is not expected; write ORDER\n"
            ),
        ),
        (
            "MATCH (d)",
            (
                "MATCH (d)\n"
                "         ^\n"
                "Error: line 1, column 10: syntax error: there is no RETURN; write one at the end\n"
            ),
        ),
        (
            "MATCH (d) WHERE d.id != 'x' RETURN d.id",
            (
                "MATCH (d) WHERE d.id != 'x' RETURN d.id\n"
                "                     ^\n"
                "Error: line 1, column 22: syntax error: '!=' is not expected; write <>\n"
            ),
        ),
        ("MTCH (d) RETURN d.id", "Error: line 1: there is no clause 'MTCH'; write MATCH\n"),
    ],
)
def test_a_syntax_error_is_called_so_and_its_place_is_shown(
    graph: Path, text: str, shown: str
) -> None:
    found = medkg(graph, "cypher", text)
    assert (found.exit_code, found.stdout, found.stderr) == (1, "", shown)


def test_a_syntax_error_as_json_tells_its_place(graph: Path) -> None:
    found = medkg(graph, "cypher", "MATCH (d)\nRETRN d.id", "--json")
    assert json.loads(found.stderr)["error"] == {
        "type": "NotCypher",
        "message": "line 2, column 1: syntax error: 'RETRN' is not expected; write RETURN",
        "line": 2,
        "column": 1,
    }


def test_errors_are_json_where_answers_are(graph: Path) -> None:
    found = medkg(graph, "cypher", "MATCH (s:Symptom)\nRETURN s.id LIMIT 1", "--json")
    error = json.loads(found.stderr)["error"]
    assert (found.exit_code, found.stdout, error["type"]) == (1, "", "NotPortable")
    (finding,) = error["findings"]
    assert finding["line"] == 2
    assert finding["what"] == "rows without an order"
    unknown = medkg(graph, "query", "disease.nothing", "--json")
    assert json.loads(unknown.stderr)["error"]["type"] == "QueryError"
    usage = medkg(graph, "query", "disease.symptoms", "--json", "--colour")
    assert (usage.exit_code, json.loads(usage.stderr)["error"]["type"]) == (2, "NoSuchOption")


def test_as_is_runs_it_and_says_what_may_differ(graph: Path) -> None:
    text = "MATCH (s:Symptom {id: 'HP:1'}) RETURN s LIMIT 1"
    found = medkg(graph, "cypher", text, "--as-is", "--json")
    assert json.loads(found.stdout)["rows"][0]["s"]["name"] == "arthritis"
    assert "line 1: may differ from Neo4j: s is a node" in found.stderr
    drawn = medkg(graph, "cypher", text, "--as-is").stdout
    assert '"name": "arthritis"' in drawn
    listed = medkg(graph, "cypher", text, "--as-is", "--csv").stdout
    assert '""name"": ""arthritis""' in listed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("MATCH (d) DETACH DELETE d",), "DETACH is refused"),
        (("nothing.cypher",), "neither a statement nor a file"),
        ((NAME,), "needs the parameter id"),
        ((NAME, "id=1", "id=2"), "id is given twice"),
        ((NAME, "id"), "'id' is no parameter; write KEY=VALUE"),
        ((NAME, "id=[1, {}]"), "no value of a query"),
        (("RETURN 1 AS x", "--json", "--csv"), "exclude each other"),
        (("",), "there is no statement"),
    ],
)
def test_bad_input_is_one_line(graph: Path, arguments: tuple[str, ...], message: str) -> None:
    found = medkg(graph, "cypher", *arguments)
    assert found.exit_code in (1, 2)
    assert message in found.stderr
    assert found.stdout == ""


def test_a_file_that_is_no_text_is_refused(graph: Path, tmp_path: Path) -> None:
    (tmp_path / "x.cypher").write_bytes(b"RETURN '\xff' AS x")
    found = medkg(graph, "cypher", str(tmp_path / "x.cypher"))
    assert "not UTF-8" in found.stderr


def test_limit_says_how_many_rows_there_are(graph: Path) -> None:
    found = medkg(graph, "cypher", "MATCH (s:Symptom) RETURN s.id", "--limit", "1", "--csv")
    assert len(found.stdout.splitlines()) == 2
    assert found.stderr == "the first 1 of 2 rows; --limit 2 gives all\n"


HEADED = """// Names of symptoms.
// param  least: string = HP:0  ids after it
// column symptom_id: string
// order  symptom_id
MATCH (s:Symptom) WHERE s.id > $least RETURN s.id AS symptom_id ORDER BY symptom_id
"""


def test_query_runs_a_file_with_a_header(graph: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.cypher"
    file.write_text(HEADED)
    assert medkg(graph, "query", str(file), "--csv").stdout == "symptom_id\nHP:1\nHP:2\n"
    found = medkg(graph, "query", str(file), "least=HP:1", "--csv")
    assert found.stdout == "symptom_id\nHP:2\n"


def test_query_refuses_a_file_that_is_not_portable(graph: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.cypher"
    file.write_text(HEADED.replace("ORDER BY symptom_id", "LIMIT 1"))
    found = medkg(graph, "query", str(file))
    assert (found.exit_code, found.stdout) == (1, "")
    assert "line 5: not known to be portable: rows without an order" in found.stderr
    assert medkg(graph, "query", str(file), "--as-is", "--csv").exit_code == 0
    file.write_text("// Names.\nMATCH (d:Disease) RETURN d.name AS name ORDER BY name")
    bare = medkg(graph, "query", str(file)).stderr
    assert "no header that names the columns; write '// column name: string' above" in bare
    absent = medkg(graph, "query", str(tmp_path / "absent.cypher"))
    assert "no such file" in absent.stderr


def test_the_shell_answers_statements_and_commands(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = Shell(store, {})
    shell.answer("MATCH (d:Disease)\nRETURN d.name AS name;")
    assert "gout" in capsys.readouterr().out
    shell.answer(":param id=MONDO:1")
    shell.answer(NAME)
    assert "gout" in capsys.readouterr().out
    shell.answer(":params")
    assert "$id" in capsys.readouterr().out
    shell.answer(":queries differential")
    assert "symptom.differential" in capsys.readouterr().out
    shell.answer(":query disease.symptoms disease=MONDO:1")
    assert "arthritis" in capsys.readouterr().out
    shell.answer(":schema")
    assert "(:Disease|Symptom)-[:HAS_SYMPTOM]->(:Disease|Symptom)" in capsys.readouterr().out
    shell.answer(":help")
    assert ":quit" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (":nothing", "there is no command :nothing"),
        (":schem", "there is no command :schem; did you mean :schema? :help lists them"),
        (":query", ":queries lists the names"),
        (":query disease.nothing", "there is no query"),
        (":param", "write :param KEY=VALUE"),
        (":as-is perhaps", "write :as-is on"),
        ("MATCH (d) DELETE d;", "DELETE is refused"),
        ("MATCH (d:Diseas) RETURN count(*) AS n", "Diseas is not a node type; write Disease"),
        ("MATCH (s:Symptom) RETURN s.id LIMIT 1", "run it with :as-is on"),
    ],
)
def test_the_shell_goes_on_after_a_mistake(
    store: Store, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    shell = Shell(store, {})
    shell.answer(text)
    said = capsys.readouterr()
    assert (message in said.err, said.out) == (True, "")
    shell.answer("RETURN 1 AS x;")
    assert "1" in capsys.readouterr().out


def test_as_is_can_be_turned_on_in_the_shell(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = Shell(store, {})
    shell.answer(":as-is on")
    shell.answer("MATCH (s:Symptom {id: 'HP:1'}) RETURN s LIMIT 1;")
    said = capsys.readouterr()
    assert '"name": "arthritis"' in said.out
    assert "may differ from Neo4j" in said.err


def test_a_value_once_given_leaves_statements_without_it_alone(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = Shell(store, {"id": "MONDO:1"})
    shell.answer("RETURN 7 AS x;")
    said = capsys.readouterr()
    assert ("7" in said.out, said.err) == (True, "1 row\n")
    shell.answer(NAME)
    assert "gout" in capsys.readouterr().out


@pytest.fixture
def keyboard() -> Iterator[PipeInput]:
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        yield keys


def test_the_shell_reads_lines_until_a_semicolon_and_keeps_a_history(
    store: Store,
    keyboard: PipeInput,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MEDKG_HOME", str(tmp_path / "home"))
    keyboard.send_text("MATCH (d:Disease)\rRETURN d.name AS name;\r:quit\r")
    Shell(store, {}).run()
    assert "gout" in capsys.readouterr().out
    assert "RETURN d.name AS name;" in (tmp_path / "home" / "cypher_history").read_text()


@pytest.mark.parametrize("leave", ["exit", "quit;", ":exit"])
def test_a_command_or_a_query_needs_no_colon(
    store: Store, keyboard: PipeInput, capsys: pytest.CaptureFixture[str], leave: str
) -> None:
    keyboard.send_text(f"help\rdisease.symptoms disease=MONDO:1\r{leave}\r")
    Shell(store, {}).run()
    said = capsys.readouterr()
    assert "leave; Ctrl-D does, too" in said.out
    assert "HP:1" in said.out


def test_ctrl_c_clears_a_line_and_ctrl_d_leaves(
    store: Store, keyboard: PipeInput, capsys: pytest.CaptureFixture[str]
) -> None:
    keyboard.send_text("MATCH (d\x03RETURN 7 AS x;\r\x04")
    Shell(store, {}).run()
    assert "7" in capsys.readouterr().out
