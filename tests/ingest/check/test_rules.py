"""Which rules are asked, and what becomes of a file that is none."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from cypher import QueryError, load_catalogue
from ingest.check.rules import as_rule, ask_rules, load_rules, rule_name, rules_fingerprint
from kg.errors import CheckError, ConfigurationError
from kg.progress import Silent
from kg.stores.connection import connect
from tests.ingest.check.conftest import RULE, MakeRule
from tests.kg.stores.conftest import write_tables


def write(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.cypher"
    path.write_text(text, encoding="utf-8")
    return path


def names(folder: Path | None = None, without: tuple[str, ...] = ()) -> list[str]:
    return [rule_name(rule) for rule in load_rules(folder, without)]


def test_own_rules_say_what_becomes_of_an_edge() -> None:
    assert "self_loop" in names()
    assert {rule.severity for rule in load_rules()} == {"reject", "warn"}


def test_file_in_a_folder_is_a_rule_more(tmp_path: Path, make_rule: MakeRule) -> None:
    make_rule("house", "a.name = 'house'")
    assert sorted([*names(), "house"]) == names(tmp_path / "rules")


def test_file_of_the_name_of_a_rule_takes_its_place(tmp_path: Path, make_rule: MakeRule) -> None:
    make_rule("self_loop", "a.id = b.id", "warn")
    [own] = [rule for rule in load_rules(tmp_path / "rules") if rule_name(rule) == "self_loop"]
    assert own.severity == "warn"
    assert names(tmp_path / "rules") == names()


def test_rule_can_be_left_out() -> None:
    assert set(names()) - set(names(without=("self_loop",))) == {"self_loop"}


def test_unknown_rule_to_leave_out_is_told_with_a_near_name() -> None:
    with pytest.raises(ConfigurationError, match=r"no rule 'self_lop' to leave out; .*self_loop"):
        names(without=("self_lop",))


def test_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigurationError, match="nowhere: there is no such folder; 'rules' names"
    ):
        names(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "// Nothing.\n// column x: string\nMATCH (a:Entity) RETURN a.id AS x",
            "is no rule; write",
        ),
        (
            RULE.replace("reason: string, facts: string", "reason: string"),
            "a rule has the columns",
        ),
        (RULE.replace("{severity}", "forbid"), "a rule is reject or warn, and not 'forbid'"),
        (
            RULE.replace("// column", "// param  x: string  Name, e.g. gout\n// column"),
            r"has the parameter \$x, but a rule is run without parameters",
        ),
        (RULE.replace("[r]", "[r:MADE_UP]"), "line 5: MADE_UP is no relation type"),
        (RULE.replace("ORDER BY head, relation, tail", ""), "rows without an order"),
        (
            RULE.replace("MATCH", "CREATE (:Entity {{id: 'x'}}) MATCH"),
            "line 5: 'CREATE' is refused",
        ),
    ],
)
def test_file_that_is_no_usable_rule_is_told(tmp_path: Path, text: str, told: str) -> None:
    filled = (
        text.format(
            word="odd", severity="warn", where="a.name = $x" if "$x" in told else "a.id = b.id"
        )
        if "{" in text
        else text
    )
    write(tmp_path / "rules", "odd", filled)
    with pytest.raises(QueryError, match=rf"odd.*{told}"):
        names(tmp_path / "rules")


def test_fingerprint_follows_what_a_rule_does(make_rule: MakeRule) -> None:
    first = rules_fingerprint([make_rule("a", "a.id = b.id")])
    assert rules_fingerprint([make_rule("a", "a.id = b.id")]) == first
    assert rules_fingerprint([make_rule("a", "a.id = b.id", "warn")]) != first
    assert rules_fingerprint([make_rule("a", "a.name = b.name")]) != first


def test_errors_name_the_file_of_a_rule_by_its_whole_path(tmp_path: Path) -> None:
    texts = {
        "is no rule": "// Odd.\n// column x: integer\n// order  x\nRETURN 1 AS x ORDER BY x",
        "has the parameter \\$x": RULE.replace(
            "// column", "// param  x: string  Any, e.g. a\n// column"
        ),
        "line 3": RULE.replace("reason: string", "why: text"),
        "line 5": RULE.replace("[r]", "[r:MADE_UP]"),
        "not UTF-8": "",
    }
    for told, text in texts.items():
        filled = text.format(
            word="odd", severity="warn", where="a.id = $x" if "$" in told else "true"
        )
        file = write(tmp_path / "rules", "odd", filled)
        if not text:
            file.write_bytes(b"// \xff")
        with pytest.raises(QueryError, match=rf"^{re.escape(str(file))}[:,] {told}"):
            names(tmp_path / "rules")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("a.id AS head", "null AS head"), "returns a row without head"),
        (("type(r) AS relation", "'IS' AS relation"), "returns 'IS', which is no relation"),
    ],
)
def test_errors_of_answers_name_the_file_of_the_rule(
    tmp_path: Path, make_rule: MakeRule, change: tuple[str, str], told: str
) -> None:
    rule = make_rule("odd", "true")
    file = re.escape(str(tmp_path / "rules" / "odd.cypher"))
    with connect(str(tmp_path / "graph.lbug")) as store:
        store.load(write_tables(tmp_path / "tables"))
        with pytest.raises(CheckError, match=f"^{file}: {told}"):
            ask_rules(store, [replace(rule, text=rule.text.replace(*change))], Silent())


def test_own_rule_is_named_by_its_path_in_the_library() -> None:
    [own] = [rule for rule in load_rules() if rule_name(rule) == "self_loop"]
    assert own.file == Path("rules/self_loop.cypher")


def test_query_without_a_severity_is_no_rule() -> None:
    with pytest.raises(QueryError, match=r"^disease/symptoms.cypher: is no rule; write"):
        as_rule(load_catalogue().find("disease.symptoms"))
