"""What may run as a question: nothing that writes, loads files or shows the server's settings."""

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher import Query, QueryError, check_read_only, load_catalogue, read_query
from cypher.guide import pictures
from cypher.read_only import PROCEDURES
from kg.configuration import Settings
from kg.stores.connection import connect
from kg.stores.store import Store
from tests.kg.stores.conftest import write_tables

pytestmark = pytest.mark.xdist_group("java")

REFUSED = """
COPY (MATCH (e:Entity) RETURN e.id) TO '{file}'
copy Entity FROM '{file}'
LOAD FROM '{file}' RETURN *
LOAD WITH HEADERS (a STRING) FROM '{file}' RETURN a
MATCH (e:Entity) LOAD FROM '{file}' RETURN *
LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line[0] AS a
MATCH (e:Entity) LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line[0] AS a
WITH 0x1 AS a WHERE a = 0x1LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line
WITH 1 AS as WITH as LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line
USING PERIODIC COMMIT LOAD CSV FROM 'file:///etc/passwd' AS line CREATE (n)
EXPORT DATABASE '{file}'
IMPORT DATABASE '{file}'
INSTALL json
LOAD EXTENSION json
LOAD json
ATTACH '{file}' AS other (dbtype lbug)
DETACH other
USE other
USE neo4j MATCH (e:Entity) RETURN e.id
CALL {{ USE neo4j MATCH (e:Entity) RETURN e.id AS a }} RETURN a
SHOW SETTINGS
SHOW DATABASES
SHOW FUNCTIONS
TERMINATE TRANSACTIONS 'a'
EXPLAIN MATCH (e:Entity) RETURN e.id
PROFILE MATCH (e:Entity) RETURN e.id
PROFILE CREATE (:Entity {{id: 'b'}})
CYPHER runtime=slotted CREATE (:Entity {{id: 'b'}})
CREATE (:Entity {{id: 'b'}})
INSERT (:Entity {{id: 'b'}})
MERGE (e:Entity {{id: 'b'}}) RETURN e.id
MATCH (e:Entity) SET e.name = 'b'
MATCH (e:Entity) WITH *SET e.name = 'b'
MATCH (set:Entity) SET set.name = 'b'
MATCH (as:Entity) WITH as SET as.name = 'b'
MATCH (by:Entity) WITH by SET by.name = 'b'
MATCH (with:Entity) WITH with SET with.name = 'b'
MATCH (e:Entity) WITH 1 AS with, e SET e.name = 'b'
MATCH (e:Entity) WITH e WHERE e.with SET e.name = 'b'
MATCH (e:Entity) WITH e, e.as AS a SET e.name = 'b'
MATCH (e:Entity) DELETE e
MATCH (e:Entity) DETACH DELETE e
MATCH (e:Entity) NODETACH DELETE e
MATCH (e:Entity) REMOVE e.name
MATCH (e:Entity) FOREACH (x IN [1] | SET e.name = 'b')
MATCH (e:Entity) CALL {{ WITH e CREATE (:Entity {{id: 'b'}}) }} RETURN e.id
DROP TABLE Entity
DROP INDEX medkg_id
ALTER TABLE Entity ADD y INT64
COMMENT ON TABLE Entity IS 'b'
BEGIN TRANSACTION
COMMIT
ROLLBACK
CHECKPOINT
CALL threads=1
CALL show_tables() RETURN *
CALL dbms.listConfig()
CALL dbms.listConfig() YIELD name RETURN name
CALL `dbms`.listConfig() YIELD name RETURN name
CALL dbms . listConfig ( ) YIELD name RETURN name
MATCH (e:Entity) CALL apoc.export.csv.all('{file}', {{}}) YIELD file RETURN file
RETURN apoc.load.json('{file}') AS a
RETURN `apoc`.load . json('{file}') AS a
RETURN nextval('a') AS a
RETURN 1 AS a; COPY (RETURN 1) TO '{file}'
RETURN 1 AS a; RETURN 2 AS a
RETURN 1 AS a;;
/***/ ' /* */ COPY (RETURN 1) TO "{file}" //'
// a\\rCOPY (RETURN 1) TO '{file}'
RETURN 1 AS a //\\rLOAD CSV FROM 'file:///etc/passwd' AS line
\\u0043OPY (RETURN 1) TO '{file}'
MATCH (e:Entity) \\u0053ET e.name = 'b'
RETURN 1 AS a /* \\u002a/ LOAD CSV FROM 'file:///etc/passwd' AS line /**/
RETURN '\\u0027 AS a LOAD CSV FROM "file:///etc/passwd" AS line //' AS a
\ufeffCOPY (RETURN 1) TO '{file}'
\ufeffMATCH (e:Entity) RETURN e.id
RETURN 1\x00 AS a
MATCH (e:Entity)\u200bSET e.name = 'b'
\uff2dATCH (e:Entity) RETURN e.id
MATCH (e:Entity) \u017fET e.name = 'b'
MATCH (e:Entity) WHERE $1SET e.name = 'b'
RETURN 1AS a
`MATCH` (e:Entity) RETURN e.id
// only a comment
;
"""
"""One a line, the ends of lines inside them written out."""

ALLOWED = """
MATCH (e:Entity) RETURN e.id AS a ORDER BY a
match (e:Entity) return e.id AS a
OPTIONAL MATCH (e:Entity) RETURN e.id AS a
// COPY (RETURN 1) TO 'x'\\nRETURN 1 AS a
/* CREATE (n); */ RETURN 1 AS a
RETURN 'CREATE (n); COPY \\' SET' AS a
RETURN "LOAD CSV" AS a;
\u3000RETURN\u00a01 AS a
RETURN\\t1\\r\\nAS a
UNWIND [1, 2] AS `load` RETURN `load` AS `set`
WITH {{load: 1, copy: 2, set: 3}} AS a RETURN a.load + a.copy + a.set AS `create`
MATCH (set:Entity) RETURN set.id AS copy ORDER BY copy
MATCH (load:Entity {{id: 'MONDO:1'}}) RETURN load.id AS show, load.name AS `create`
MATCH (e:Entity) RETURN e.id AS show ORDER BY show
MATCH (e:Entity) WITH e.id AS detach, e.name AS attach RETURN detach, attach ORDER BY detach
MATCH (e:Entity) WHERE e.id <> 'x' WITH count(e) AS set WHERE set > 0 RETURN set
MATCH (e:Entity) WHERE e.name <> 'SET' AND e.id <> 'CALL' RETURN e.id AS call
RETURN '\u017fET' AS a
RETURN '病 U+202E \u202e' AS a
RETURN 1 AS 病
"""


def _lines(text: str) -> list[str]:
    lines = text.strip("\n").split("\n")
    return [reduce(lambda line, end: line.replace(*end), ENDS, line) for line in lines]


ENDS = (("\\r", "\r"), ("\\n", "\n"), ("\\t", "\t"))


FOUND = load_catalogue().find("graph.node_counts")


def _question(text: str) -> Query:
    return replace(FOUND, text=text, path=Path("mine.cypher"), first_line=1)


@pytest.mark.parametrize("text", _lines(REFUSED))
def test_what_does_more_than_read_the_graph_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(QueryError, match=r"^line [12]: .+"):
        check_read_only(text.format(file="x.csv"))


@pytest.mark.parametrize("text", _lines(ALLOWED))
def test_keywords_as_names_and_in_quotes_are_allowed(text: str) -> None:
    check_read_only(text.format())


SAID = """
MATCH (e)\\nSET e.a = 1
line 8: SET is refused, for a question only reads the graph; take it out, or write `SET` in backticks where it is a name
COPY (RETURN 1) TO 'a'
line 7: 'COPY' is refused, for a question only reads the graph; begin with MATCH, OPTIONAL MATCH, UNWIND, WITH, RETURN or CALL
CALL dbms.listConfig()
line 7: CALL of dbms.listConfig is refused; a question may call db.index.fulltext.queryNodes and db.index.vector.queryNodes
RETURN 1 ;\\n RETURN 2
line 8: there is something behind ';'; ask one statement at a time
RETURN apoc.a(1)
line 7: the function apoc.a is refused; ask without it
RETURN 1\\n\u200b AS a
line 8: the character U+200B is refused outside strings and comments; take it out
RETURN 0x1LOAD
line 7: 0x1LOAD may be read in two ways; put a space behind the number
"""
"""A text, and below it what is said of it."""


@pytest.mark.parametrize(
    ("text", "says"), list(zip(_lines(SAID)[::2], _lines(SAID)[1::2], strict=True))
)
def test_a_refusal_says_what_where_and_what_to_do(text: str, says: str) -> None:
    with pytest.raises(QueryError) as error:
        check_read_only(text, first_line=7)
    assert str(error.value) == says


def test_a_file_that_writes_is_refused_as_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.cypher"
    path.write_text("// Mine.\n// column a: string\n\nMATCH (e:Entity)\nSET e.a = 1\n")
    with pytest.raises(QueryError, match=r"mine.cypher, line 5: SET is refused, .+ take it out"):
        read_query(path, tmp_path)


def test_a_file_that_begins_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.cypher"
    path.write_text("\ufeff// Mine.\n// column a: integer\nRETURN 1 AS a\n", encoding="utf-8")
    assert read_query(path, tmp_path).text == "RETURN 1 AS a"


SPACE = st.sampled_from(
    [" ", "\n", "\t", "\r\n", "\u3000", "/**/", "/* ' */", '// "`\n', "/* \\ */", " // '\n"]
)
WRITES = st.sampled_from([
    ["CREATE", "(", ":", "X", ")"],
    ["MERGE", "(", "y", ")"],
    ["SET", "x", ".", "a", "=", "1"],
    ["DETACH", "DELETE", "x"],
    ["DELETE", "x"],
    ["REMOVE", "x", ".", "a"],
    ["FOREACH", "(", "y", "IN", "[", "1", "]", "|", "SET", "x", ".", "a", "=", "1", ")"],
    ["LOAD", "CSV", "FROM", "'a'", "AS", "y"],
    ["LOAD", "FROM", "'a'"],
    ["CALL", "dbms", ".", "listConfig", "(", ")"],
])  # fmt: skip
READS = st.sampled_from([
    ["MATCH", "(", "x", ")"],
    ["MATCH", "(", "x", ")", "WHERE", "x", ".", "set", "=", "'\\''"],
    ["MATCH", "(", "as", ")", "WITH", "*", ",", "as", "AS", "x"],
    ["MATCH", "(", "x", ")", "WITH", "x", ",", "{", "load", ":", "1", "}", "AS", "y"],
    ["WITH", "1", "AS", "as", "WITH", "as"],
    ["WITH", "1", "AS", "by", "WITH", "by"],
    ["WITH", "1", "AS", "x", "WITH", "*"],
    ["UNWIND", "[", "1", "]", "AS", "create"],
    ["WITH", "$a", "AS", "x", "WHERE", "x", ".", "by", "IN", "$b"],
    ["MATCH", "(", "x", ")", "WITH", "x", "ORDER", "BY", "x", ".", "a"],
])  # fmt: skip


def _written(data: st.DataObject, words: list[str]) -> str:
    """Words with all sorts of space between, and letters of either case or as escapes."""
    text = ""
    for word in words:
        spelt = word
        if word.isalpha():
            spelt = "".join(
                data.draw(st.sampled_from([c, c.lower(), f"\\u{ord(c):04x}"])) for c in word
            )
        text += spelt + data.draw(SPACE)
    return text


@given(st.data(), READS, WRITES)
def test_no_spelling_hides_a_clause_that_writes(
    data: st.DataObject, read: list[str], write: list[str]
) -> None:
    text = _written(data, [*read, *write, "RETURN", "1", "AS", "a"])
    with pytest.raises(QueryError, match=r"^line \d+: .+"):
        check_read_only(text)


WORDS = st.sampled_from([
    "create", "SET", "Delete", "load", "call", "copy", "show", "use", "merge", "attach", "remove",
])  # fmt: skip


@given(SPACE, WORDS, st.sampled_from([
    "MATCH (x:Y) RETURN x.{0} AS a",
    "MATCH (x:Y) RETURN x.{0} AS {0}",
    "MATCH (x:{0}) RETURN x.a AS {0} ORDER BY {0}",
    "MATCH (x)-[:{0}]->(y) RETURN y.id AS {0}, x.id AS b",
    "MATCH (x)-[:A|{0}]->(y) WHERE x.{0} = y.{0} RETURN count(*) AS {0}",
    "MATCH (x:Y {{{0}: 1, b: 2}}) RETURN 1 AS a",
    "MATCH ({0}:Y) RETURN {0}.id AS a",
    "MATCH ({0}) WHERE {0}.a > 1 RETURN count({0}) AS a",
    "MATCH ({0} {{a: 1}}) RETURN {0}.a + 1 AS {0} ORDER BY {0}",
    "WITH '{0}' AS a, \"{0}\" AS b RETURN a AS `{0}`",
    "RETURN [{0} IN [1] | {0}] AS a, {0}[0] AS b",
    "WITH 1 AS a WHERE a = $set RETURN 1 AS {0}",
    "MATCH ({0}) WITH {0} MATCH ({0})-->(y:Y) RETURN y.id AS a",
]))  # fmt: skip
def test_no_name_that_is_spelt_as_a_keyword_is_refused(space: str, word: str, text: str) -> None:
    check_read_only(text.format(word).replace(" ", space))


@given(st.text())
def test_any_text_is_refused_or_begins_as_a_question_does(text: str) -> None:
    try:
        check_read_only(text)
    except QueryError:
        return
    assert text.upper().lstrip().startswith(("MATCH", "UNWIND", "WITH", "RETURN", "CALL", "/"))


def test_every_query_of_the_library_may_run() -> None:
    for query in [*load_catalogue(), *pictures()]:
        check_read_only(query.text, query.first_line)


@pytest.fixture(
    scope="module", params=["embedded", pytest.param("neo4j", marks=pytest.mark.neo4j)]
)
def filled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """A store of either engine with three nodes."""
    folder = tmp_path_factory.mktemp("graph")
    if request.param == "neo4j":
        settings: Settings = request.getfixturevalue("neo4j_settings")
        opened = connect(settings=settings)
    else:
        opened = connect(str(folder / "graph.lbug"))
    with opened:
        opened.load(write_tables(folder / "tables"))
        yield opened


def test_no_engine_sees_what_is_refused(filled: Store, tmp_path: Path) -> None:
    file = tmp_path / "kept.csv"
    file.write_text("kept")
    before = filled.counts()
    for text in _lines(REFUSED):
        with pytest.raises(QueryError, match=r"^mine.cypher, line [12]: "):
            filled.query(_question(text.format(file=file)))
    assert (file.read_text(), list(tmp_path.iterdir())) == ("kept", [file])
    assert filled.counts() == before


def test_both_engines_answer_what_is_allowed(filled: Store) -> None:
    for text in _lines(ALLOWED):
        assert len(filled.query(_question(text.format())).rows) > 0, text


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_procedures_that_questions_call_are_allowed(procedure: str) -> None:
    check_read_only(f"CALL {procedure}('a', $b) YIELD node, score RETURN node.id AS a")
