import re

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from cypher import QueryError, rewrite

TYPES = ("Disease", "Symptom", "Drug")


@pytest.mark.parametrize(
    ("text", "rewritten"),
    [
        ("MATCH (d:Disease)", "MATCH (d:Entity {type: 'Disease'})"),
        ("MATCH (:Drug)", "MATCH (:Entity {type: 'Drug'})"),
        ("MATCH (d:Disease {id: $id})", "MATCH (d:Entity {type: 'Disease', id: $id})"),
        ("MATCH (d:Disease {})", "MATCH (d:Entity {type: 'Disease'})"),
        ("MATCH ( d : Disease )", "MATCH ( d : Entity {type: 'Disease'} )"),
        ("MATCH (`d`:Disease)", "MATCH (`d`:Entity {type: 'Disease'})"),
        (
            "MATCH (d:Disease)-[:HAS_SYMPTOM]->(:Symptom {x: {type: 1}})",
            "MATCH (d:Entity {type: 'Disease'})-[:HAS_SYMPTOM]->(:Entity {type: 'Symptom', x: {type: 1}})",
        ),
        ("MATCH (a), (b:Drug)", "MATCH (a), (b:Entity {type: 'Drug'})"),
        ("MATCH p = (b:Drug)", "MATCH p = (b:Entity {type: 'Drug'})"),
        (
            "WHERE NOT (a)-[:IS_A]->(:Drug) AND (b:Drug)--(c)",
            "WHERE NOT (a)-[:IS_A]->(:Entity {type: 'Drug'}) AND (b:Entity {type: 'Drug'})--(c)",
        ),
        (
            "WHERE EXISTS { MATCH (a)-[:IS_A]->(b:Drug) }",
            "WHERE EXISTS { MATCH (a)-[:IS_A]->(b:Entity {type: 'Drug'}) }",
        ),
        (
            "MATCH p = shortestPath((a:Drug)-[*]-(b:Drug))",
            "MATCH p = shortestPath((a:Entity {type: 'Drug'})-[*]-(b:Entity {type: 'Drug'}))",
        ),
    ],
)
def test_a_type_label_becomes_a_property(text: str, rewritten: str) -> None:
    assert rewrite(text, TYPES) == rewritten


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (e:Entity {type: 'Disease', id: $id})-[r:HAS_SYMPTOM|IS_A*1..3]->(s)",
        "RETURN '(d:Disease)' AS text // (d:Disease)",
        'RETURN "(d:Disease)" /* (d:Disease) */',
        "UNWIND $rows AS row RETURN {Disease: 1, id: row.id} AS map",
        "MATCH (`d:Disease`) RETURN $`(d:Disease)` AS x",
        "WHERE d.name IS NOT NULL AND (d IS NULL)",
    ],
)
def test_everything_else_stays_as_it_is(text: str) -> None:
    assert rewrite(text, TYPES) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("MATCH (d:Diseese)", "Diseese is not a node type; write Disease"),
        ("MATCH (d:Zzz)", "Zzz is not a node type; write one of Disease, Symptom, Drug"),
        ("MATCH (d:disease)", "disease is not a node type"),
        ("MATCH (d:Disease {type: 'Drug'})", "type: beside a type label"),
        ("MATCH (d:Disease {id: 1, `Type`: 'Drug'})", "type: beside a type label"),
        ("MATCH (d:Disease $map)", "not a plain type label"),
        ("MATCH (d:`Disease`)", "not a plain type label"),
        ("MATCH (d:Disease:Drug)", "not a plain type label"),
        ("MATCH (d:Disease|Drug)", "not a plain type label"),
        ("MATCH (d:Disease&Drug)", "not a plain type label"),
        ("MATCH (d:!Disease)", "not a plain type label"),
        ("MATCH (d:$(label))", "not a plain type label"),
        ("MATCH (d:Disease WHERE d.id = 1)", "not a plain type label"),
        ("MATCH (d IS Disease)", "a label outside a node pattern"),
        ("MATCH (d) WHERE d:Disease", "a label outside a node pattern"),
        ("MATCH (d) WHERE (d:Disease)", "a label outside a node pattern"),
        ("RETURN count(d:Disease)", "a label outside a node pattern"),
        ("RETURN [x IN y WHERE x:Disease]", "a label outside a node pattern"),
        ("RETURN (d:Disease)", "a label outside a node pattern"),
        ("SET d:Disease", "a label outside a node pattern"),
        ("MATCH ()-[r]->() WHERE r:IS_A", "a label outside a node pattern"),
    ],
)
def test_every_other_label_form_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(QueryError, match=re.escape(message)) as refusal:
        rewrite(f"// first\n{text}", TYPES)
    assert str(refusal.value).startswith("line 2, at ")


names = st.sampled_from(["", "d", "a1", "`x y`"])
keys = st.sampled_from(["id", "name", "`k`", "Types", "typed"])
values = st.sampled_from(
    ["$id", "1", "'(x:Drug {type: 1})'", '"a\\"b:"', "{type: 'Drug'}", "[1, 2]", "left($x, 3)"]
)
maps = st.lists(st.tuples(keys, values), max_size=3)
space = st.sampled_from(["", " ", "\n", " /* (n:Drug) */ "])


@given(names, st.sampled_from(TYPES), maps, space, space)
def test_rewriting_adds_the_type_and_keeps_all_else(
    name: str, type_: str, pairs: list[tuple[str, str]], before: str, after: str
) -> None:
    inner = ", ".join(f"{key}: {value}" for key, value in pairs)
    pattern = f"({before}{name}:{type_}{after}{{{inner}}}{before})"
    rewritten = rewrite(f"MATCH {pattern} RETURN 1", TYPES)
    comma = ", " if pairs else ""
    expected = f"({before}{name}:Entity{after}{{type: '{type_}'{comma}{inner}}}{before})"
    assert rewritten == f"MATCH {expected} RETURN 1"


@given(st.text(alphabet=st.sampled_from("(){}[]:,.-<>|='\"`$/* \nabDrugMATCHIS"), max_size=40))
def test_any_text_is_rewritten_or_refused(text: str) -> None:
    try:
        rewritten = rewrite(text, ("Drug",))
    except QueryError:
        reject()
    assert rewrite(rewritten, ("Drug",)) == rewritten


@given(
    st.lists(
        st.sampled_from([
            "(d:Drug)", "(:Drug {id: $id})", "-[:IS_A]->", "--", "(e:Entity)", "MATCH", "WHERE",
            "'(x:Drug)'", ",", "RETURN", "NOT", "EXISTS {", "}", "[r:A|B*1..2]", "{a: 1}", "$b",
        ]),
        max_size=12,
    )
)  # fmt: skip
def test_a_rewritten_text_has_no_type_label_left(parts: list[str]) -> None:
    try:
        rewritten = rewrite(" ".join(parts), ("Drug",))
    except QueryError:
        reject()
    assert "Drug" not in re.findall(r":\s*(\w+)", re.sub(r"'[^']*'", "''", rewritten))
