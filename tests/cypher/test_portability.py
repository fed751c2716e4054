"""What the linter finds outside the portable subset, each beside a form that is in it."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.errors import QueryError
from cypher.parser import NotCypherError, parse
from cypher.portability import breaches
from cypher.vocabulary import column_type
from kg.stores.answers import QUERY_VOCABULARY
from tests.conftest import REPOSITORY
from tests.cypher.random_queries import PARAMETERS

TYPES = {name: column_type(type_) for name, (type_, _) in PARAMETERS.items()}


def found(text: str) -> list[str]:
    """What is wrong with a statement."""
    try:
        statement = parse(text)
    except NotCypherError as e:
        return [e.what]
    return [breach.what for breach in breaches(statement, QUERY_VOCABULARY, TYPES)]


def one(condition: str) -> str:
    """The ids of the nodes, or of a node and a relationship's other end, for which it holds."""
    if "r." in condition or "(r)" in condition:
        return f"MATCH (a:Disease)-[r:IS_A]->(b:Disease) WHERE {condition} RETURN a.id AS x, b.id AS y ORDER BY x, y"
    return f"MATCH (e:Entity) WHERE {condition} RETURN e.id AS x ORDER BY x"


def value(expression: str) -> str:
    """A computed column."""
    if "r." in expression or "(r)" in expression:
        return (
            "MATCH (a:Disease)-[r:IS_A]->(b:Disease) "
            f"RETURN a.id AS x, b.id AS y, {expression} AS z ORDER BY x, y"
        )
    return f"MATCH (e:Entity) RETURN e.id AS x, {expression} AS z ORDER BY x"


CASES: list[tuple[str, str, str]] = [
    # what the openCypher TCK showed
    (
        "x of an outer all() inside any()",
        one("all(x IN e.sources WHERE any(y IN e.synonyms WHERE x = y))"),
        one("all(x IN e.sources WHERE any(y IN e.synonyms WHERE y = 'a'))"),
    ),
    (
        "a list with list of integer and list of string",
        one("any(x IN [[1, 2], ['a']] WHERE size(x) = 2)"),
        one("any(x IN [['b', 'c'], ['a']] WHERE size(x) = 2)"),
    ),
    (
        "keys of a map that differ in case alone",
        "WITH {name: 'a', Name: 'b'} AS map RETURN map.Name AS x",
        "WITH {name: 'a', other: 'b'} AS map RETURN map.other AS x",
    ),
    (
        "a blank before a comma of ORDER BY",
        "MATCH (e:Entity) RETURN e.id AS x, e.name AS y ORDER BY y\n, x",
        "MATCH (e:Entity) RETURN e.id AS x , e.name AS y ORDER BY y,\nx",
    ),
    ("no blank between WHERE and (", "MATCH (e:Entity) WHERE(e.id = 'a') RETURN e.id AS x", one("(e.id = 'a')")),
    ("no blank between AND and (", one("e.id = 'a' AND(e.id = 'b')"), one("e.id='a' AND (e.id='b')")),
    ("no blank between ) and AS", "RETURN abs(1)AS x", "RETURN abs(1) AS x"),
    ("no blank between 'a' and AS", "RETURN 'a'AS x", "RETURN 'a' AS x"),
    ("no blank between RETURN and -", "RETURN-1 AS x", "RETURN -1 AS x"),
    ("a comes twice", "RETURN 1 AS a, 2 AS a", "RETURN 1 AS a, 2 AS b"),
    (
        "coalesce() of a node",
        "MATCH (a:Disease)-[:IS_A]->(b:Disease) WITH coalesce(a, b) AS x RETURN x.id AS y ORDER BY y",
        "MATCH (a:Disease)-[:IS_A]->(b:Disease) WITH coalesce(a.id, b.id) AS x RETURN x AS y ORDER BY y",
    ),
    # functions
    ("log() differs", value("log(r.weight)"), value("floor(log10(2.0) * 100.0 + 0.5) / 100.0")),
    ("round() differs", value("round(r.score, 2)"), value("floor(r.score * 100.0 + 0.5) / 100.0")),
    ("substring() differs", value("substring(e.name, 1)"), one("e.name STARTS WITH 'a'")),
    ("left() differs", value("left(e.name, 1)"), one("e.name ENDS WITH 'a'")),
    ("tolower() differs", value("toLower(e.name)"), one("'a' IN e.normal_names")),
    ("id() differs", value("id(e)"), value("e.id")),
    ("keys() differs", value("keys(e)"), value("e.cui")),
    ("labels() differs", value("labels(e)"), value("e.type")),
    ("startnode() differs", value("startNode(r).id"), value("r.weight")),
    ("apoc() is not known", value("apoc(e.name)"), value("e.name")),
    ("a function of one engine", value("apoc.text.clean(e.name)"), value("e.name")),
    ("size() of a text", value("size(e.name)"), value("size(e.synonyms)")),
    ("floor() of an integer", value("floor(size(e.sources))"), value("floor(toFloat(size(e.sources)))")),
    ("type() of a list", value("type(e.sources)"), value("type(r)")),
    (
        "type() of a missing relationship",
        "MATCH (a:Disease) OPTIONAL MATCH (a)-[r:IS_A]->(b:Disease) RETURN a.id AS x, b.id AS y, type(r) AS t ORDER BY x, y",
        "MATCH (a:Disease) OPTIONAL MATCH (a)-[r:IS_A]->(b:Disease) RETURN a.id AS x, b.id AS y, CASE WHEN r IS NOT NULL THEN type(r) END AS t ORDER BY x, y",
    ),
    # clauses
    ("UNION is not portable", "RETURN 1 AS x UNION RETURN 2 AS x", "RETURN 1 AS x"),
    ("CALL { } is not portable", "CALL { RETURN 1 AS x } RETURN x", "RETURN 1 AS x"),
    ("CALL db.labels is not portable", "CALL db.labels() YIELD label RETURN label AS x ORDER BY x", "RETURN 1 AS x"),
    ("CREATE in a query", "CREATE (e:Disease) RETURN 1 AS x", "RETURN 1 AS x"),
    ("FOREACH in a query", "FOREACH (x IN $texts | SET x.a = 1)", "UNWIND $texts AS x RETURN count(*) AS n"),
    ("there is no RETURN", "MATCH (e:Entity)", "MATCH (e:Entity) RETURN count(*) AS n"),
    ("more than one statement", "RETURN 1 AS x;", "RETURN 1 AS x"),
    ("RETURN * gives whole nodes", "MATCH (e:Entity) RETURN *", one("true")),
    ("x is not known here", "RETURN x AS y", "WITH 1 AS x RETURN x AS y"),
    # names
    ("order is a reserved word", "MATCH (e:Entity) RETURN e.id AS order ORDER BY order", one("true")),
    ("end is a reserved word", "MATCH (end:Entity) RETURN count(*) AS n", "MATCH (e:Entity) RETURN count(*) AS n"),
    ("A and a are one variable", "MATCH (a:Disease)-[:IS_A]->(A:Disease) RETURN count(*) AS n", one("true")),
    ("Name is no column", value("e.Name"), value("e.name")),
    ("IS_B is no relation type", "MATCH (a:Disease)-[:IS_B]->(b:Disease) RETURN count(*) AS n", one("true")),
    ("(e) may be a record", "MATCH (e) RETURN count(*) AS n", "MATCH (e:Entity) RETURN count(*) AS n"),
    ("(e) may be a record", "MATCH (e)-[]->(f:Entity) RETURN count(*) AS n", "MATCH (e)-[:IS_A]->(f) RETURN count(*) AS n"),
    # rows and their order
    ("rows without an order", "MATCH (e:Entity) RETURN e.id AS x", one("true")),
    (
        "an order that may have ties, for it does not determine x",
        "MATCH (e:Entity) RETURN e.id AS x, e.name AS y ORDER BY y",
        "MATCH (e:Entity) RETURN e.id AS x, e.name AS y ORDER BY y, x",
    ),
    (
        "an order that may have ties, for it does not determine z",
        "MATCH (a:Disease)-[r:IS_A]-(b:Disease) WHERE a.id <> b.id RETURN a.id AS x, b.id AS y, r.weight AS z ORDER BY x, y",
        "MATCH (a:Drug)-[r:INTERACTS_WITH]-(b:Drug) WHERE a.id <> b.id RETURN a.id AS x, b.id AS y, r.weight AS z ORDER BY x, y",
    ),
    (
        "an order that may have ties, for it does not determine z",
        "MATCH (a:Drug)-[r]->(b:Disease) RETURN a.id AS x, b.id AS y, r.weight AS z ORDER BY x, y",
        "MATCH (a:Drug)-[r]->(b:Disease) RETURN a.id AS x, b.id AS y, type(r) AS t, r.weight AS z ORDER BY x, y, t",
    ),
    (
        "rows without an order",
        "MATCH (e:Entity) WITH e LIMIT 3 RETURN count(*) AS n",
        "MATCH (e:Entity) WITH e ORDER BY e.id LIMIT 3 UNWIND [e.id] AS x RETURN count(*) AS n",
    ),
    (
        "WITH … ORDER BY without LIMIT",
        "MATCH (e:Entity) WITH e.id AS x ORDER BY x RETURN x ORDER BY x",
        "MATCH (e:Entity) WITH e.id AS x ORDER BY x LIMIT 9 RETURN x ORDER BY x",
    ),
    (
        "Ladybug ignores an ORDER BY before an aggregation",
        "MATCH (e:Entity) WITH e.id AS x ORDER BY x LIMIT 15 WITH max(x) AS y RETURN y",
        "MATCH (e:Entity) WITH e.id AS x ORDER BY x LIMIT 15 UNWIND [x] AS z WITH max(z) AS y RETURN y",
    ),
    ("SKIP or LIMIT of an expression", one("true") + " SKIP $number * 2", one("true") + " SKIP $number"),
    (
        "l is returned, and its items are in any order",
        "MATCH (e:Entity) RETURN e.type AS t, collect(e.id) AS l ORDER BY t",
        "MATCH (e:Entity) WITH e.type AS t, e.id AS x ORDER BY t, x LIMIT 1000 RETURN t, collect(x) AS l ORDER BY t",
    ),
    ("ORDER BY of what is no number or text", "MATCH (e:Entity) RETURN e.id AS x, e.sources AS l ORDER BY l, x", one("true")),
    ("ORDER BY of texts that are no columns", "MATCH (e:Entity) UNWIND e.synonyms AS x RETURN x, e.id AS y ORDER BY x, y", "MATCH (e:Entity) UNWIND e.sources AS x RETURN x, e.id AS y ORDER BY x, y"),
    ("COUNT { } of a node that is matched by no type", "MATCH (e:Entity) WHERE COUNT { MATCH (e)-[:IS_A]->(:Entity) } = 0 RETURN count(*) AS n", "MATCH (e:Disease) WHERE COUNT { MATCH (e)-[:IS_A]->(:Entity) } = 0 RETURN count(*) AS n"),
    ("min() of texts that are no columns", "MATCH (e:Entity) RETURN min(coalesce(e.name, '') + '') AS x", "MATCH (e:Entity) RETURN min(e.name) AS x"),
    ("texts that are no columns", "UNWIND $texts AS x WITH x WHERE x < $text RETURN count(*) AS n", one("e.name < $text")),
    ("DISTINCT of a constant", "MATCH (e:Entity) RETURN DISTINCT 1 AS x", "MATCH (e:Entity) RETURN DISTINCT e.type AS x ORDER BY x"),
    (
        "a value beside an aggregate",
        "MATCH (e:Entity) RETURN e.type AS t, count(*) + size(e.sources) AS n ORDER BY t, n",
        "MATCH (e:Entity) RETURN e.type AS t, count(*) AS n ORDER BY t",
    ),
    # patterns
    (
        "Ladybug may take one relationship twice",
        "MATCH (a:Disease)-[:IS_A]->(b)<-[:IS_A]-(c:Disease) RETURN count(*) AS n",
        "MATCH (a:Disease)-[:IS_A]->(b)<-[:IS_A]-(c:Disease) WHERE a.id <> c.id RETURN count(*) AS n",
    ),
    (
        "Ladybug may take one relationship twice",
        "MATCH (a:Disease)-[:IS_A]->(b)<-[:IS_A]-(c:Disease) WHERE a.id <> b.id RETURN count(*) AS n",
        "MATCH (a:Disease)-[q:IS_A]->(b)<-[r:IS_A]-(c:Disease) WHERE q <> r RETURN count(*) AS n",
    ),
    (
        "Ladybug may take one relationship twice",
        "MATCH (a:Disease) WHERE EXISTS { MATCH (a)-[:IS_A]->(b)<-[:IS_A]-(c) } RETURN count(*) AS n",
        "MATCH (a:Disease) WHERE EXISTS { MATCH (a)-[:IS_A]->(b)<-[:IS_A]-(c) WHERE c.id <> a.id } RETURN count(*) AS n",
    ),
    (
        "Ladybug may take one relationship twice",
        "MATCH (a:Disease) OPTIONAL MATCH (a)-[:IS_A]->(b)<-[:IS_A]-(c) RETURN count(*) AS n",
        "MATCH (a:Disease) OPTIONAL MATCH (a)-[:IS_A]->(b) MATCH (b)<-[:IS_A]-(c) RETURN count(*) AS n",
    ),
    (
        "an undirected pattern gives a self-loop twice",
        "MATCH (a:Disease)-[r:IS_A]-(b:Disease) RETURN count(*) AS n",
        "MATCH (a:Disease)-[r:IS_A]-(b:Disease) WHERE a.id <> b.id RETURN count(*) AS n",
    ),
    (
        "a variable length without bounds",
        "MATCH (a:Disease)-[:IS_A*]->(b:Disease) RETURN DISTINCT b.id AS x ORDER BY x",
        "MATCH (a:Disease)-[:IS_A*1..30]->(b:Disease) RETURN DISTINCT b.id AS x ORDER BY x",
    ),
    (
        "paths of variable length are counted differently",
        "MATCH (a:Disease)-[:IS_A*1..3]->(b:Disease) RETURN b.id AS x, count(*) AS n ORDER BY x",
        "MATCH (a:Disease)-[:IS_A*1..3]->(b:Disease) RETURN b.id AS x, count(DISTINCT a.id) AS n ORDER BY x",
    ),
    (
        "n is returned, and a longer way may be counted twice",
        "MATCH p = (a:Disease)-[:IS_A*1..3]->(b:Disease) RETURN b.id AS x, max(length(p)) AS n ORDER BY x",
        "MATCH p = (a:Disease)-[:IS_A*1..3]->(b:Disease) RETURN b.id AS x, min(length(p)) AS n ORDER BY x",
    ),
    ("(a) alone", "MATCH (a:Disease) MATCH (a) RETURN count(*) AS n", one("true")),
    (
        "a computed value in a pattern",
        "MATCH (a:Disease {name: coalesce($text, 'a')}) RETURN count(*) AS n",
        "WITH coalesce($text, 'a') AS x MATCH (a:Disease {name: x}) RETURN count(*) AS n",
    ),
    ("EXISTS { } over untyped relationships", one("EXISTS { MATCH (e)-[]->(f:Entity) }"), one("EXISTS { MATCH (e)-[:IS_A]->(f) }")),
    ("EXISTS { } without MATCH", one("EXISTS { (e)-[:IS_A]->() }"), one("(e)-[:IS_A]->()")),
    (
        "r of the rows inside EXISTS { }",
        "MATCH (a:Disease)-[r:IS_A]->(b) RETURN a.id AS x, b.id AS y, EXISTS { MATCH (a)-[:CAUSED_BY]->(c) WHERE c.name <> r.onset } AS z ORDER BY x, y",
        "MATCH (a:Disease)-[r:IS_A]->(b) RETURN a.id AS x, b.id AS y, EXISTS { MATCH (a)-[:CAUSED_BY]->(c) WHERE c.name <> a.name } AS z ORDER BY x, y",
    ),
    (
        "an OPTIONAL MATCH that has nothing to do with the rows",
        "MATCH (a:Disease) OPTIONAL MATCH (b:Drug {name: $text}) RETURN a.id AS x, b.id AS y ORDER BY x, y",
        "MATCH (a:Disease) OPTIONAL MATCH (b:Drug {name: a.name}) RETURN a.id AS x, b.id AS y ORDER BY x, y",
    ),
    (
        "a MATCH goes on from a, which a SKIP or LIMIT chose",
        "MATCH (a:Disease) WITH a ORDER BY a.id LIMIT 3 MATCH (a)-[:IS_A]->(b:Disease) RETURN count(*) AS n",
        "MATCH (a:Disease) WITH a.id AS i ORDER BY i LIMIT 3 MATCH (a:Disease {id: i})-[:IS_A]->(b:Disease) RETURN count(*) AS n",
    ),
    (
        "a MATCH goes on from b, which a SKIP or LIMIT chose",
        "MATCH (a:Disease) WITH a ORDER BY a.id SKIP $number LIMIT 1000000000 WITH a AS b OPTIONAL MATCH (b)-[:IS_A]->(c:Disease) MATCH (c)-[:IS_A]->(b) RETURN count(*) AS n",
        "MATCH (a:Disease) WITH a ORDER BY a.id LIMIT 1000000000 WITH a AS b OPTIONAL MATCH (b)-[:IS_A]->(c:Disease) MATCH (c)-[:IS_A]->(b) RETURN count(*) AS n",
    ),
    (
        "EXISTS { } inside a computed value",
        value("CASE WHEN EXISTS { MATCH (e)-[:IS_A]->() } THEN 'a' ELSE 'b' END"),
        "MATCH (e:Entity) WITH e, EXISTS { MATCH (e)-[:IS_A]->() } AS narrow RETURN e.id AS x, CASE WHEN narrow THEN 'a' ELSE 'b' END AS z ORDER BY x",
    ),
    ("a pattern as a value", value("(e)-[:IS_A]->()"), value("EXISTS { MATCH (e)-[:IS_A]->() }")),
    # types
    ("CASE with integer and float", value("CASE WHEN r.weight > 1.0 THEN 1 ELSE 0.5 END"), value("CASE WHEN r.weight > 1.0 THEN 1.0 ELSE 0.5 END")),
    ("CASE with integer and float", value("CASE WHEN r.weight IS NULL THEN 0 ELSE r.weight END"), value("CASE WHEN r.weight IS NULL THEN 0.0 ELSE r.weight END")),
    ("coalesce() with float and integer", value("coalesce(r.weight, 0)"), value("coalesce(r.weight, 0.0)")),
    ("a list with integer and float", "UNWIND [1, 2.5] AS x RETURN x ORDER BY x", "UNWIND [1.0, 2.5] AS x RETURN x ORDER BY x"),
    ("integer is compared with string", one("e.name > 5"), one("e.name > '5'")),
    ("a text + null differs", value("'a' + e.name_zh"), value("'a' + coalesce(e.name_zh, '')")),
    ("null as a value", value("coalesce(e.name, null)"), one("e.name_zh IS NULL")),
    ("an empty list", one("e.name IN []"), one("e.name IN $texts")),
    ("null IN an empty list", one("NOT e.name_zh IN $texts"), one("NOT coalesce(e.name_zh, '') IN $texts")),
    ("a string IN a list of integer", one("e.name IN [1, 2]"), one("e.name IN ['1', '2']")),
    ("maps in a list are read by place", "UNWIND [{a: 1, b: 'x'}, {b: 'y', a: 2}] AS m RETURN m.a AS x ORDER BY x", "UNWIND [{a: 1, b: 'x'}, {a: 2, b: 'y'}] AS m RETURN m.a AS x ORDER BY x"),
    ("= of a list", one("e.sources = e.synonyms"), one("size(e.sources) = size(e.synonyms)")),
    ("CONTAINS of a list", one("e.sources CONTAINS 'a'"), one("'a' IN e.sources")),
    ("a search for the empty text", one("e.name CONTAINS ''"), one("e.name CONTAINS 'a'")),
    ("a search for the empty text", one("e.name CONTAINS $text"), one("$text <> '' AND e.name CONTAINS $text")),
    ("a regular expression beyond RE2", one(r"e.name =~ '(?i)é'"), one("e.name =~ '[Ee]'")),
    ("a regular expression beyond RE2", one(r"e.name =~ '\\d+'"), one("e.name =~ '[0-9]+'")),
    ("a regular expression beyond RE2", one("e.name =~ '[[:alpha:]]+'"), one("e.name =~ '[a-z]+'")),
    ("a regular expression beyond RE2", one("e.name =~ '[a-z&&[^b]]'"), one(r"e.name =~ 'a\\.b'")),
    ("any() of what may be null", one("any(x IN e.sources WHERE x = e.name_zh)"), one("any(x IN e.sources WHERE x = e.name)")),
    ("$text inside any()", one("any(x IN e.sources WHERE x = $text)"), "WITH $text AS t MATCH (e:Entity) WHERE any(x IN e.sources WHERE x = t) RETURN e.id AS x ORDER BY x"),
    ("any() over $texts", one("any(x IN $texts WHERE x = e.name)"), one("e.name IN $texts")),
    # numbers
    ("sum() of nothing is null", "MATCH (e:Entity) RETURN sum(size(e.sources)) AS n", "MATCH (e:Entity) RETURN coalesce(sum(size(e.sources)), 0) AS n"),
    ("s is returned, and its last digits", "MATCH (a:Disease)-[r:IS_A]->(b) RETURN coalesce(sum(r.score), 0.0) AS s", "MATCH (a:Disease)-[r:IS_A]->(b) RETURN floor(coalesce(sum(r.score), 0.0) * 1000.0 + 0.5) / 1000.0 AS s"),
    ("sum() of numbers without bounds", "MATCH (a:Disease)-[r:IS_A]->(b) RETURN floor(coalesce(sum(r.weight), 0.0) * 1000.0 + 0.5) / 1000.0 AS s", "MATCH (a:Disease)-[r:IS_A]->(b) RETURN max(r.weight) AS s"),
    ("z is returned, and its last digits", value("log10(r.score)"), value("floor(log10(r.score) * 100.0 + 0.5) / 100.0")),
    ("-0.0 is ordered differently", value("-r.score"), value("0.0 - r.score")),
    ("/ by what may be 0", value("1.0 / r.score"), value("CASE WHEN r.score > 0.0 THEN 1.0 / r.score END")),
    ("arithmetic on $number", value("size(e.sources) + $number"), one("size(e.sources) > $number")),
    ("an operand that the engines bracket differently", one("size(e.sources) + 1 IN [1, 2]"), one("(size(e.sources) + 1) IN [1, 2]")),
    ("a ^ b ^ c", value("floor(2.0 ^ 3.0 ^ r.score * 10.0 + 0.5)"), value("floor((2.0 ^ 3.0) ^ r.score * 10.0 + 0.5)")),
    ("an index or slice", value("e.synonyms[0]"), value("e.synonyms")),
    ("a comprehension is not portable", value("[x IN e.sources WHERE x <> 'a']"), value("e.sources")),
    ("a map projection is not portable", "MATCH (e:Entity) RETURN e {.id} AS x", one("true")),
]  # fmt: skip


@pytest.mark.parametrize(("what", "bad", "good"), CASES, ids=[case[1][:60] for case in CASES])
def test_the_bad_form_is_found_and_the_good_one_is_portable(
    what: str, bad: str, good: str
) -> None:
    assert [each for each in found(bad) if each.startswith(what)], found(bad)
    assert found(good) == []


OPTIONAL = "MATCH (a:Disease) OPTIONAL MATCH (a)-[r:IS_A]->(b:Disease)"
DIFFERENCES = [
    "MATCH (e:Entity) RETURN e.name AS x, e.id AS y ORDER BY x SKIP 2",
    "MATCH (a:Disease) OPTIONAL MATCH (a)-[r:IS_A]->(b) RETURN a.id AS x, type(r) AS t ORDER BY x, t",
    "MATCH (a:Disease)-[:IS_A]->(b)<-[:IS_A]-(c) WHERE a.name <> c.name RETURN count(*) AS n",
    value("coalesce(r.weight, 0)"),
    value("[1, 2.5]"),
    "UNWIND [{a: 1, b: 2}, {b: 3, a: 4}] AS m RETURN m.a AS x ORDER BY x",
    value("e.NAME"),
    value("e.name_zh + e.name"),
    one("e.synonyms CONTAINS 'a'"),
    one("e.name =~ '[[:alpha:]]'"),
    one("e.name =~ '(?i)é'"),
    one("e.name > 5"),
    "MATCH (e:Entity) WITH e LIMIT 5 RETURN e.id AS x ORDER BY x",
    "MATCH p = (a:Disease)-[:IS_A*1..3]-(b:Disease) WHERE a.id <> b.id RETURN b.id AS x, max(length(p)) AS n ORDER BY x",
    "MATCH (a:Disease)-[r:IS_A]->(b) RETURN avg(r.score) AS x",
    value("round(r.score)"),
    value("round(r.score, 1)"),
    value("floor(size(e.sources))"),
    value("r.score / r.weight"),
    *(
        value(f"{name}(e.name)")
        for name in ("size", "reverse", "lower", "upper", "trim", "toLower")
    ),
    value("left(e.name, 1)"),
    value("replace(e.name, 'a', '')"),
    one("null IN []"),
    "MATCH (e) RETURN count(e) AS n",
    *(value(f"{name}(e.id)") for name in ("toString", "toInteger")),
    value("split(e.name, ',')"),
    *(value(f"{name}(e.sources)") for name in ("head", "last")),
    one("1 < size(e.sources) < 3"),
    value("0x1F"),
    # found by a reader who tried to break the linter
    f"{OPTIONAL} WITH DISTINCT r RETURN count(*) AS n",
    "MATCH (a:Disease) OPTIONAL MATCH (a)-[:IS_A]->(b) WHERE a.id = 'x' RETURN DISTINCT a.id AS x",
    "MATCH (a:Entity) WITH a.type AS t, collect({i: a.id}) AS l UNWIND l AS m UNWIND l AS n WITH t, m.i AS x, n.i AS y, count(*) AS c RETURN t, x, y ORDER BY t, x",
    f"{OPTIONAL} RETURN a.id AS x, b.id AS y, CASE WHEN r.score = 0.0 THEN 'none' ELSE type(r) END AS t ORDER BY x, y",
    one("e.name <> '0' AND 'gout' CONTAINS e.name"),
    "MATCH (a:Entity) WITH a, CASE WHEN a.name < 'g' THEN {k: a.name} END AS m RETURN a.id AS x, m.k + '!' AS y ORDER BY x",
    "MATCH (a:Disease)-[r:IS_A]->(b) WITH b, avg(r.score) AS f WITH {f: f} AS m, count(*) AS n RETURN n ORDER BY n",
    value("CASE WHEN e.name = 'gout' THEN sqrt(4) ELSE 0 END"),
    "MATCH (a:Disease)-[r:IS_A]->(b) RETURN floor(avg(r.frequency) * 1e17 + 0.5) AS x",
    "MATCH (a:Disease)-[r:IS_A]->(b) RETURN r.score * -1.0 AS z, a.id AS x, b.id AS y ORDER BY z, x, y",
    "UNWIND [-0.3, 0.0] AS f RETURN ceil(f) AS z ORDER BY z",
    one("$number = 9007199254740992.0"),
    one("'\uff8e' < $text"),
    "MATCH (j:Judgement)-[:JUDGES]->(x) RETURN DISTINCT x.id AS i, x.role AS r ORDER BY i, r",
    *(
        one(f"e.name =~ '{p}'")
        for p in (".*+", "[a[^b]]*", "(", "{", "*a", "a**", "a{,2}", "[z-a]")
    ),
    "UNWIND [1, 2] AS u RETURN coalesce(sum($number), 0) AS x",
    *(one(f"e.name = '{escape}'") for escape in ("\\U0001F600", "\\a", "\\0", "\\%")),
    one("true") + " LIMIT 9223372036854775807",
    one("size(e.sources) > 0 AND 2 / size(e.sources) = 1"),
    "WITH $number AS n RETURN n * n AS x",
    "WITH $texts AS l RETURN l",
    one("e.sources"),
    "MATCH (e:Entity) WITH e.type AS t, count(*) AS n WHERE count(*) > 1 RETURN t ORDER BY t",
    one("any(e IN e.sources WHERE e = 'a')"),
    *(value(number) for number in ("+1", "- -1", "1e+5", "1e400", "{}")),
    value("9223372036854775808"),
    "MATCH (a:Disease)<-[x:IS_A]->(b:Disease) WHERE a.id <> b.id RETURN count(*) AS n",
    one("'Disease' IN labels(e)"),
    one("e.name < date('2020-01-01')"),
]
"""What was found to differ between Neo4j 5.26 and Ladybug 0.22, silently or loudly."""


@pytest.mark.parametrize("text", DIFFERENCES)
def test_what_was_found_to_differ_is_refused(text: str) -> None:
    assert found(text)


@pytest.mark.parametrize(
    "text",
    [
        f"RETURN {'(' * 5000}1{')' * 5000} AS x",
        f"RETURN {'[' * 5000}1{']' * 5000} AS x",
        f"RETURN {'NOT ' * 5000}true AS x",
        f"RETURN 1{' + 1' * 20000} AS x",
        f"MATCH (e:Entity) WHERE {'e.id = 1 OR ' * 20000} true RETURN count(*) AS n",
    ],
)
def test_what_is_nested_too_deeply_is_refused(text: str) -> None:
    assert found(text) == ["expressions nested too deeply"]


def test_a_variable_inside_a_subquery_is_no_false_alarm() -> None:
    inside = "MATCH (e)-[r:IS_A]->(f:Entity) WHERE r.weight > 1.0 AND f.name <> e.name"
    assert found(f"MATCH (e:Disease) RETURN e.id AS x, COUNT {{ {inside} }} AS n ORDER BY x") == []


CORRELATED = [
    ("a.definition IS NULL", True),
    ("a.definition > 'x' OR b.id > 'x'", True),
    ("NOT a.definition IS NOT NULL", True),
    ("a.definition <> b.definition OR b.id > 'x'", True),
    ("a IS NOT NULL", True),
    ("a.definition IS NOT NULL", False),
    ("a.definition > 'x' AND b.id > 'x'", False),
    ("a.id > 'x' OR b.id > 'x'", False),
    ("b.definition IS NULL", False),
]
"""Conditions on a node of the rows before (a) and on one that is matched (b): whether they read what
may be null of the first, where the embedded engine finds nothing."""


@pytest.mark.parametrize(("condition", "refused"), CORRELATED)
@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a:Disease) OPTIONAL MATCH (a)-[:IS_A]->(b:Disease) WHERE {} RETURN count(b) AS n",
        "MATCH (a:Disease) WHERE EXISTS {{ MATCH (a)-[:IS_A]->(b:Disease) WHERE {} }} RETURN count(a) AS n",
        "MATCH (a:Disease) RETURN a.id AS x, COUNT {{ MATCH (a)-[:IS_A]->(b:Disease) WHERE {} }} AS n ORDER BY x",
    ],
)
def test_what_may_be_null_of_the_rows_before_is_not_read_inside(
    text: str, condition: str, refused: bool
) -> None:
    assert bool(found(text.format(condition))) == refused


def forms() -> list[tuple[str, str, str]]:
    """The rows of the tables "From Neo4j to portable": section, not portable, portable."""
    section, rows = "", []
    for line in (REPOSITORY / "docs" / "portable.md").read_text(encoding="utf-8").splitlines():
        section = (
            line.split()[1] if line.startswith(("A `WHERE`", "A value", "A whole")) else section
        )
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| `"):
            rows.append((section, cells[0].strip("`"), cells[-1].strip("`")))
    return rows


@pytest.mark.parametrize(("section", "neo4j", "portable"), forms())
def test_the_documented_forms_are_what_the_linter_says(
    section: str, neo4j: str, portable: str
) -> None:
    write: Callable[[str], str] = {"`WHERE`": one, "value": value}.get(section, str)
    assert found(write(neo4j)) != []
    assert found(write(portable)) == []


PIECES = [
    "MATCH", "OPTIONAL MATCH", "WHERE", "RETURN", "WITH", "ORDER BY", "LIMIT", "UNWIND", "AS",
    "(a:Drug)", "(b)", "(", ")", "-[r:IS_A*1..3]->", "-[]-", "--", "-->", "<-[", "]", "{", "}",
    "x", "a.id", "<>", "EXISTS {", "CASE", "THEN", "END", "1", "0.5", "'a'", "$text", "+", ",",
    "*", "sum(", "any(", "IN", "[", "null", "|", ":", "..", "CALL", ";", "NOT", "IS", "count(*)",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=15).map(" ".join) | st.text(max_size=40))
def test_any_text_is_read_or_refused_with_a_sentence(text: str) -> None:
    try:
        statement = parse(f"RETURN {text}")
    except NotCypherError as e:
        assert e.what  # noqa: PT017 - most texts are refused, some are not
        assert e.instead  # noqa: PT017
        assert e.line >= 1  # noqa: PT017
    except QueryError as e:
        assert "never closed" in str(e)  # noqa: PT017
    else:
        breaches(statement, QUERY_VOCABULARY, TYPES)
