import pytest

from cypher import portability
from cypher.portability import RULES, Rule
from cypher.statement import Statement

CASES: list[tuple[Rule, str, str]] = [
    (portability.functions, "RETURN log(x.weight) AS y", "RETURN log10(x.weight) AS y"),
    (portability.functions, "RETURN substring(e.name, 1) AS y", "RETURN left(e.name, 3) AS y"),
    (portability.functions, "RETURN id(e) AS y", "RETURN e.id AS y"),
    (portability.collected, "RETURN collect(e.id) AS y", "WITH collect(e.id) AS y RETURN 1 AS x"),
    (portability.functions, "RETURN keys(e) AS y", "RETURN e.keys AS y"),
    (portability.keywords, "RETURN 1 AS x UNION RETURN 2 AS x", "RETURN e.union AS x"),
    (portability.keywords, "CALL db.labels() YIELD label RETURN label", "RETURN 1 AS x"),
    (portability.keywords, "CALL { RETURN 1 AS x } RETURN x", "RETURN 1 AS x"),
    (portability.keywords, "MATCH (e) REMOVE e.name", "MATCH (e) SET e.name = null"),
    (portability.keywords, "FOREACH (x IN $l | SET x.a = 1)", "UNWIND $l AS x RETURN x"),
    (portability.reserved_words, "RETURN e.id AS order", "RETURN e.order AS place"),
    (portability.reserved_words, "MATCH (end:Entity) RETURN 1", "MATCH (e) RETURN e.end AS x"),
    (portability.reserved_words, "MATCH (group) RETURN 1", "RETURN any(x IN y WHERE x = 1) AS z"),
    (portability.reserved_words, "RETURN $limit_, $table AS x", "RETURN $limit_ AS x"),
    (portability.reserved_words, "RETURN {column: 1} AS x", "RETURN {colour: 1} AS x"),
    (portability.reserved_words, "MATCH ()-[ON:IS_A]->() RETURN 1", "MATCH ()-[o:IS_A]->()"),
    (
        portability.reused_relationship,
        "MATCH (a)-[:IS_A]->(b)<-[:IS_A]-(c) RETURN 1",
        "MATCH (a)-[:IS_A]->(b)<-[:IS_A]-(c) WHERE a.id <> c.id RETURN 1",
    ),
    (
        portability.reused_relationship,
        "MATCH (a)-->(b), (c)-[:IS_A]->(d) RETURN 1",
        "MATCH (a)-->(b) MATCH (c)-[:IS_A]->(d) RETURN 1",
    ),
    (
        portability.reused_relationship,
        "MATCH (a)-[:IS_A]->(b)<-[r]-(c) RETURN 1",
        "MATCH (a)-[:IS_A]->(b)-[:HAS_CUI]->(c) RETURN 1",
    ),
    (
        portability.reused_relationship,
        "MATCH (a)-[:IS_A]->(b)<-[:IS_A]-(c) WHERE a.id <> b.id RETURN 1",
        "MATCH (a)-[q:IS_A]->(b)<-[r:IS_A]-(c) WHERE b.type = 'Drug' AND q <> r RETURN 1",
    ),
    (
        portability.reused_relationship,
        "MATCH (a)-[:IS_A]->(b)<-[:IS_A]-(c) WHERE a.id <> $id RETURN 1",
        "MATCH (a)-[:IS_A]->(b)<-[:IS_A]-(c) WHERE a.id < c.id AND c.name <> $name RETURN 1",
    ),
    (
        portability.reused_relationship,
        "MATCH (a)-[:IS_A]->(b)<-[:IS_A]-(c) WHERE a.id <> c.id OR c.id = $id RETURN 1",
        "MATCH (a)-[:IS_A]->()<-[:IS_A]-(c) WHERE c.id <> a.id RETURN 1",
    ),
    (
        portability.reused_relationship,
        "MATCH (a)-[q]->(b)<-[r]-(c), (c)-[t]->(d) WHERE a.id <> c.id AND q <> t RETURN 1",
        "MATCH (a)-->(b)<--(c), (c)-->(d) WHERE a.id <> c.id AND b.id <> d.id RETURN 1",
    ),
    (
        portability.reused_relationship,
        "MATCH (a)-->(b), (c)<--(d) WHERE a.id <> c.id RETURN 1",
        "MATCH (a)-->(b), (c)<--(d) WHERE a.id <> d.id RETURN 1",
    ),
    (
        portability.reused_relationship,
        "MATCH (a)-[:RESEMBLES]-(b), (c)-[:RESEMBLES]-(d) WHERE a.id <> c.id RETURN 1",
        "MATCH (a)-[:RESEMBLES]-(b)-[:RESEMBLES]-(c) WHERE a.id <> c.id RETURN 1",
    ),
    (
        portability.reused_relationship,
        "MATCH (a)-[:IS_A*1..3]->(b)<-[:IS_A]-(c) WHERE a.id <> c.id RETURN 1",
        "MATCH (a)-[:IS_A*1..3]->(b) MATCH (b)<-[:IS_A]-(c) WHERE a.id <> c.id RETURN 1",
    ),
    (
        portability.undirected,
        "MATCH (a)<-[r]->(b) RETURN 1",
        "MATCH (a)<-[r]-(b) RETURN 1",
    ),
    (
        portability.undirected,
        "MATCH (a)-[r]-(b) RETURN 1",
        "MATCH (a)-[r]-(b) WHERE r.weight > 1 AND b.id <> a.id RETURN 1",
    ),
    (portability.undirected, "MATCH (a)--(b) RETURN 1", "MATCH (a)<--(b)-->(c) RETURN 1"),
    (
        portability.undirected,
        "MATCH (a:Drug)-[r]-(b:Drug) RETURN 1",
        "MATCH (a:Drug {id: $a})-[r]-(b:Disease) RETURN 1",
    ),
    (
        portability.undirected,
        "MATCH (a)-[r]->(b) OPTIONAL MATCH (b)-[q]-(c) WHERE a.id <> b.id RETURN 1",
        "MATCH (a)-[r]->(b) OPTIONAL MATCH (b)-[q]-(c) WHERE c.id <> b.id RETURN 1",
    ),
    (
        portability.undirected_delete,
        "MATCH (a)-[r]-(b) DELETE r",
        "MATCH (a)-[r]->(b) DELETE r",
    ),
    (
        portability.variable_length,
        "MATCH (a)-[:IS_A*]->(b) RETURN DISTINCT b.id AS x",
        "MATCH (a)-[:IS_A*1..30]->(b) RETURN DISTINCT b.id AS x",
    ),
    (
        portability.variable_length,
        "MATCH (a)-[:IS_A*0..3]->(b) RETURN DISTINCT b.id AS x",
        "MATCH p = (a)-[:IS_A*1..3]->(b) RETURN b.id AS x, min(length(p)) AS n",
    ),
    (
        portability.variable_length,
        "MATCH (a)-[:IS_A*1..31]->(b) RETURN DISTINCT b.id AS x",
        "MATCH (a)-[*1..2]-(b) RETURN DISTINCT b.id AS x",
    ),
    (
        portability.variable_length,
        "MATCH (a)-[*1..3]-(b) RETURN DISTINCT b.id AS x",
        "MATCH (a)-[:IS_A*1..3]-(b) RETURN DISTINCT b.id AS x",
    ),
    (
        portability.variable_length,
        "MATCH (a)-[:IS_A*1..3]->(b) RETURN b.id AS x",
        "MATCH (a)-[:IS_A*1..3]->(b) RETURN DISTINCT b.id AS x, count(DISTINCT a.id) AS n",
    ),
    (
        portability.variable_length,
        "MATCH (a)-[:IS_A*1..3]->(b) RETURN DISTINCT b.id AS x, count(*) AS n",
        "MATCH (a)-[:IS_A]->(b) RETURN b.id AS x, count(*) AS n",
    ),
    (
        portability.case_branches,
        "RETURN CASE WHEN a THEN 1 ELSE 0.5 END AS x",
        "RETURN CASE WHEN a THEN 1.0 ELSE 0.5 END AS x",
    ),
    (
        portability.concatenation,
        "RETURN 'a' + e.name AS x",
        "RETURN 'a' + coalesce(e.name, '') AS x",
    ),
    (portability.concatenation, "RETURN e.name + ', ' AS x", "RETURN r.weight + 1.0 AS x"),
    (portability.empty_search, "WHERE e.name CONTAINS ''", "WHERE e.name CONTAINS $part"),
    (portability.empty_search, "WHERE e.name STARTS WITH ''", "WHERE e.name STARTS WITH 'a'"),
    (portability.indexing, "RETURN e.synonyms[0] AS x", "UNWIND e.synonyms AS x RETURN x"),
    (portability.indexing, "RETURN $list[1..2] AS x", "RETURN 1 IN [1, 2] AS x"),
    (portability.indexing, "RETURN labels(e)[0] AS x", "MATCH (a)-[r]->(b) RETURN 1 AS x"),
    (portability.sums, "RETURN sum(r.weight) AS x", "RETURN coalesce(sum(r.weight), 0) AS x"),
    (portability.lists_with_null, "WHERE 3 IN [1, null]", "WHERE 3 IN [1, 2] OR x IS NULL"),
    (portability.regular_expressions, r"WHERE e.id =~ '\\bHP'", "WHERE e.id =~ 'HP:[0-9]+'"),
    (portability.regular_expressions, "WHERE e.id =~ '(?i)é'", "WHERE e.id =~ $pattern"),
    (portability.rounding, "RETURN round(x) AS y", "RETURN round(x, 6) AS y"),
    (portability.dates, "WHERE e.day < date('2020-01-01')", "WHERE e.day < date($day)"),
    (
        portability.comprehensions,
        "RETURN [x IN e.sources WHERE x <> 'a'] AS y",
        "UNWIND e.sources AS x RETURN x IN ['a', 'b'] AS y",
    ),
    (
        portability.comprehensions,
        "RETURN [(a)-->(b) | b.id] AS y",
        "MATCH (a)-[:IS_A|HAS_CUI]->(b) RETURN b.id AS y",
    ),
    (portability.comprehensions, "RETURN e {.id} AS x", "MATCH (e {id: 1}) RETURN e.id AS x"),
    (
        portability.subqueries,
        "WHERE EXISTS { (a)-[:IS_A]->(b) }",
        "WHERE EXISTS { MATCH (a)-[:IS_A]->(b) }",
    ),
    (
        portability.subqueries,
        "WHERE COUNT { MATCH (a)-->(b) } > 1",
        "WHERE COUNT { MATCH (a)-[:IS_A]->(b) } > 1",
    ),
    (
        portability.ordered_with,
        "MATCH (e) WITH e.id AS x ORDER BY x RETURN x",
        "MATCH (e) WITH e.id AS x ORDER BY x LIMIT 1000000000 RETURN x",
    ),
    (
        portability.lost_order,
        "MATCH (e) WITH e.id AS x ORDER BY x LIMIT 15 WITH max(x) AS y RETURN y",
        "MATCH (e) WITH e.id AS x ORDER BY x LIMIT 15 UNWIND [x] AS z WITH max(z) AS y RETURN y",
    ),
    (
        portability.lost_order,
        "MATCH (e) WITH e.id AS x ORDER BY x SKIP 5 LIMIT $n RETURN count(*) AS n, min(x) AS y",
        "MATCH (e) WITH e.id AS x ORDER BY x LIMIT $n RETURN x ORDER BY x",
    ),
    (
        portability.lost_order,
        "WITH a AS x ORDER BY x LIMIT 1000000000 WITH collect(x) AS y RETURN 1 AS z",
        "WITH a AS x, b AS t ORDER BY x LIMIT 1000000000 WITH t, collect(x) AS y RETURN t",
    ),
    (
        portability.lost_order,
        "WITH a AS x ORDER BY x LIMIT 9 WHERE x <> 'a' WITH x + 'b' AS z RETURN max(z) AS y",
        "WITH a AS x ORDER BY x LIMIT 9 WITH DISTINCT x WITH max(x) AS y RETURN y",
    ),
    (
        portability.lost_order,
        "WITH a AS x ORDER BY x LIMIT 9 WHERE EXISTS { MATCH (a)-[:IS_A]->() } RETURN max(x) AS y",
        "WITH a AS x ORDER BY x LIMIT 9 MATCH (f {id: x}) WITH max(f.name) AS y RETURN y",
    ),
    (
        portability.parameters,
        "RETURN e.id AS x SKIP $page * $size",
        "RETURN e.id AS x SKIP $from_row",
    ),
    (portability.parameters, "WHERE $t IS NULL OR e.name = $t", "WHERE e.name IS NULL"),
    (
        portability.parameters,
        "WHERE any(x IN e.sources WHERE x = $t)",
        "WITH $t AS t MATCH (e) WHERE any(x IN e.sources WHERE x = t)",
    ),
    (portability.spellings, "MATCH (a)-[:IS_A]->(A) RETURN 1", "MATCH (a)-[:IS_A]->(b)"),
    (portability.map_updates, "MATCH (e) SET e += $map", "MATCH (e) SET e.name = $name"),
]


@pytest.mark.parametrize(("rule", "bad", "good"), CASES)
def test_a_rule_finds_the_bad_form_and_not_the_good(rule: Rule, bad: str, good: str) -> None:
    found = list(rule(Statement(bad)))
    assert found
    assert all(what and instead for _, what, instead in found)
    assert not list(rule(Statement(good)))


def test_every_rule_has_a_case() -> None:
    assert {rule for rule, _, _ in CASES} == set(RULES)
