from pathlib import Path

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from cypher import Query, load_catalogue
from cypher.catalogue import read_query
from cypher.errors import QueryError
from cypher.lint import Finding, lint
from cypher.vocabulary import nearest
from kg.stores.answers import QUERY_VOCABULARY as VOCABULARY

HEADER = """\
// Symptoms.
// column symptom_id: string, shown: string
// order  symptom_id
"""
GOOD = """\
MATCH (d:Disease)-[r:HAS_SYMPTOM]->(s)
RETURN s.id AS symptom_id, s.name AS shown
ORDER BY symptom_id"""


def findings(folder: Path, text: str, topic: str = "disease") -> list[Finding]:
    path = folder / topic / "a.cypher"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return lint(read_query(path, folder), VOCABULARY)


@pytest.mark.parametrize("query", list(load_catalogue()), ids=lambda query: query.name)
def test_every_query_of_the_catalogue_is_clean(query: Query) -> None:
    assert [str(finding) for finding in lint(query, VOCABULARY)] == []


def test_a_good_query_has_no_findings(tmp_path: Path) -> None:
    assert findings(tmp_path, HEADER + GOOD) == []


def test_a_finding_names_file_line_what_and_the_portable_form(tmp_path: Path) -> None:
    (finding,) = findings(tmp_path, HEADER + GOOD.replace("s.name", "s.synonyms[0]"))
    what = "an index or slice counts from 1 on Ladybug; write UNWIND, or Python"
    assert str(finding) == f"{tmp_path}/disease/a.cypher, line 5: {what}"


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("Disease", "Diseases", 4, "Diseases is not a node type"),
        ("HAS_SYMPTOM", "HAS_SYMPTON", 4, "HAS_SYMPTON is no relation type"),
        ("s.name", "s.Name", 5, "Name is no column"),
        ("AS shown", "AS seen", 5, "RETURN gives symptom_id, seen; the header says"),
        ("s.name AS", "s AS", 5, "shown is a node, relationship or path"),
        ("s.name AS", "coalesce(s, s) AS", 5, "shown is a node, relationship or path"),
        ("s.id AS symptom_id, s.name AS shown", "*", 5, "RETURN * gives whole nodes"),
        ("ORDER BY symptom_id", "", 5, "rows without an order"),
        ("ORDER BY symptom_id", "ORDER BY shown", 6, "ORDER BY is shown; the header says"),
        ("ORDER BY symptom_id", "ORDER BY symptom_id DESC", 6, "ORDER BY is symptom_id desc"),
        ("MATCH (d", "MATCH (shown), (d", 5, "the alias shown is a variable too"),
        ("ORDER BY symptom_id", "ORDER BY symptom_id;", 6, "more than one statement"),
        ("RETURN", "WITH", 6, "there is no RETURN"),
    ],
)
def test_what_no_query_may_do(tmp_path: Path, old: str, new: str, line: int, what: str) -> None:
    for topic in ("disease", "neo4j_only"):
        found = findings(tmp_path, HEADER + GOOD.replace(old, new), topic)
        assert [f for f in found if f.line == line and f.what.startswith(what)]


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("TREATS", "TREATED_BY"),
        ("CAUSES", "CAUSED_BY"),
        ("treated_by", "TREATED_BY"),
        ("HAS_SYMPTON", "HAS_SYMPTOM"),
        ("IS_B", "IS_A"),
        ("xyz", None),
    ],
)
def test_nearest_relation_is_one_of_the_same_verb(word: str, near: str | None) -> None:
    known = ("CAUSED_BY", "HAS_SYMPTOM", "HAS_SECTION", "IS_A", "REGULATES", "TREATED_BY")
    assert nearest(word, known) == near


@pytest.mark.parametrize(
    ("old", "new", "instead"),
    [
        ("HAS_SYMPTOM", "has_symptm", "HAS_SYMPTOM"),
        ("HAS_SYMPTOM", "XYZ", "one that ':schema' in 'medkg cypher' lists"),
        ("s.name", "s.Nmae", "name"),
    ],
)
def test_what_is_misspelt_is_to_be_written_as_the_nearest(
    tmp_path: Path, old: str, new: str, instead: str
) -> None:
    found = findings(tmp_path, HEADER + GOOD.replace(old, new))
    assert [f.instead for f in found] == [instead]


def test_a_column_that_is_like_none_is_answered_with_all(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, HEADER + GOOD.replace("s.name", "s.colour"))
    assert found.what == "colour is no column"
    assert found.instead.startswith("one of ")
    assert {"id", "name", "synonyms"} <= set(found.instead.removeprefix("one of ").split(", "))


def test_an_order_by_a_list_is_found(tmp_path: Path) -> None:
    header = HEADER.replace("shown: string", "shown: list of string")
    header = header.replace("order  symptom_id", "order  shown, symptom_id")
    text = GOOD.replace("s.name", "s.sources").replace("BY symptom_id", "BY shown, symptom_id")
    assert "ORDER BY of what is no number or text" in [
        f.what for f in findings(tmp_path, header + text)
    ]


def test_groups_may_be_ordered_by_all_their_keys(tmp_path: Path) -> None:
    header = "// A.\n// column source: string, facts: integer\n// order facts desc, source\n"
    text = (
        "MATCH (e:Entity)\nRETURN e.name AS source, count(*) AS facts\nORDER BY facts DESC, source"
    )
    assert findings(tmp_path, header + text) == []
    ties = header.replace(", source\n", "\n") + text.replace("DESC, source", "DESC")
    assert [f.what for f in findings(tmp_path, ties)] == [
        "an order that may have ties, for it does not determine source"
    ]


def test_one_row_needs_no_order(tmp_path: Path) -> None:
    text = "// A.\n// column entities: integer\nMATCH (e:Entity)\nRETURN count(*) AS entities"
    assert findings(tmp_path, text) == []


def test_a_column_may_not_be_a_reserved_word(tmp_path: Path) -> None:
    text = "// A.\n// column table: integer\nMATCH (e:Entity)\nRETURN count(*) AS table"
    assert {f.what for f in findings(tmp_path, text)} == {
        "table is a reserved word of Ladybug",
        "the column table is a reserved word of Ladybug",
    }


def test_neo4j_only_files_need_not_be_portable(tmp_path: Path) -> None:
    text = HEADER + GOOD.replace("s.name", "s.synonyms[0]")
    assert findings(tmp_path, text, "neo4j_only") == []


def test_vectors_are_in_another_place_on_each_engine(tmp_path: Path) -> None:
    for topic, expected in (
        ("disease", ["vectors are not portable"]),
        ("neo4j_only", []),
        ("embedded_only", []),
    ):
        text = HEADER + GOOD.replace("RETURN", "WHERE s.embedding IS NOT NULL\nRETURN")
        assert [f.what for f in findings(tmp_path, text, topic)] == expected
    table = HEADER + GOOD.replace("(s)", "(s:Vector)").replace("s.name", "s.id")
    assert findings(tmp_path, table, "embedded_only") == []
    (finding,) = findings(tmp_path, table, "neo4j_only")
    assert finding.what == "Vector is a table of the embedded engine"


PIECES = [
    "MATCH", "OPTIONAL MATCH", "WHERE", "RETURN", "WITH", "ORDER BY", "LIMIT", "UNWIND", "AS",
    "(a:Drug)", "(b)", "(", ")", "-[r:IS_A*1..3]->", "-[]-", "--", "-->", "<-[", "]", "{", "}",
    "x", "a.id", "<>", "EXISTS {", "CASE", "THEN", "END", "1", "0.5", "'a'", "$p", "+", ",", "*",
    "sum(", "any(", "IN", "[", "null", "|", ":", "..", "CALL", ";",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=15))
def test_the_linter_reads_any_text(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.cypher"
    path.write_text(f"// Any.\n// param p: string\nRETURN $p {' '.join(parts)}", encoding="utf-8")
    try:
        query = read_query(path, path.parent)
    except QueryError:
        reject()
    for finding in lint(query, VOCABULARY):
        assert finding.line >= 3
