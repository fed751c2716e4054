"""Which rules are asked, and what becomes of a file that is none."""

from pathlib import Path

import pytest

from cypher import QueryError
from ingest.check.rules import load_rules, rule_name, rules_fingerprint
from kg.errors import ConfigurationError
from tests.ingest.check.conftest import RULE, MakeRule


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
            r"asks for \$x, and nobody gives a rule its parameters",
        ),
        (RULE.replace("[r]", "[r:MADE_UP]"), "line 5: MADE_UP is no relation type"),
        (RULE.replace("ORDER BY head, relation, tail", ""), "rows without an order"),
        (
            RULE.replace("MATCH", "CREATE (:Entity {{id: 'x'}}) MATCH"),
            "line 5: CREATE in a question",
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
