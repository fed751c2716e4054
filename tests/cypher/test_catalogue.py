from pathlib import Path

import pytest

from cypher import Query, QueryError, load_catalogue
from cypher.catalogue import NOT_ASKED, read_query

HEADER = """\
// Symptoms of
// a disease.
// param  disease: string  CURIE, e.g. MONDO:1
// param  limit: integer = 25  Rows at most
// column symptom_id: string, names: list of string
// order  symptom_id desc

"""
STATEMENT = "MATCH (d:Disease {id: $disease})\nRETURN 1 LIMIT $limit"


def query_of(folder: Path, text: str, name: str = "disease/symptoms.cypher") -> Query:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return read_query(path, folder)


@pytest.fixture
def symptoms(tmp_path: Path) -> Query:
    return query_of(tmp_path, HEADER + STATEMENT)


def test_a_header_is_read_whole(symptoms: Query) -> None:
    assert (symptoms.name, symptoms.topic) == ("disease.symptoms", "disease")
    assert symptoms.title == "Symptoms of a disease."
    assert [(p.name, p.type, p.default, p.example) for p in symptoms.parameters] == [
        ("disease", "string", None, "MONDO:1"),
        ("limit", "integer", 25, None),
    ]
    assert [(c.name, c.type) for c in symptoms.columns] == [
        ("symptom_id", "string"),
        ("names", "list of string"),
    ]
    assert symptoms.order == ("symptom_id desc",)
    assert (symptoms.text, symptoms.first_line) == (STATEMENT, 8)


def test_a_folder_tells_the_engines(tmp_path: Path) -> None:
    text = "// One.\nRETURN 1 AS one"
    folders = ("x", "neo4j_only", "embedded_only")
    found = [query_of(tmp_path, text, f"{name}/a.cypher").engines for name in folders]
    assert found == [{"embedded", "neo4j"}, {"neo4j"}, {"embedded"}]


def test_question_with_a_text_for_each_engine_is_found_by_its_last_name(tmp_path: Path) -> None:
    text = "// One.\nRETURN 1 AS one"
    for folder in ("neo4j_only", "embedded_only"):
        query_of(tmp_path, text, f"{folder}/a.cypher")
    catalogue = load_catalogue(tmp_path)
    for engine in ("neo4j", "embedded"):
        assert catalogue.find("a", engine).engines == {engine}
        assert catalogue.find("neo4j_only.a", engine).engines == {"neo4j"}
    assert catalogue.find("a").name == "embedded_only.a"
    query_of(tmp_path, text, "x/a.cypher")
    with pytest.raises(QueryError, match=r"'a' may be embedded_only.a or neo4j_only.a or x.a;"):
        load_catalogue(tmp_path).find("a", "neo4j")


def test_both_texts_of_a_question_ask_and_tell_the_same() -> None:
    names = [query.name.partition(".") for query in load_catalogue()]
    twins = [name for topic, _, name in names if topic == "embedded_only"]
    assert twins == ["similar_entities"]
    for name in twins:
        one, other = (load_catalogue().find(name, engine) for engine in ("embedded", "neo4j"))
        assert (one.title, one.parameters, one.columns, one.order) == (
            other.title,
            other.parameters,
            other.columns,
            other.order,
        )


def test_arguments_are_in_header_order_with_defaults(symptoms: Query) -> None:
    assert list(symptoms.arguments({"disease": "M:1"}).items()) == [
        ("disease", "M:1"),
        ("limit", 25),
    ]
    assert symptoms.parse({"limit": "3", "disease": "M:1"}) == {"disease": "M:1", "limit": 3}
    assert symptoms.examples() == {"disease": "MONDO:1", "limit": 25}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, r"disease.symptoms needs the parameter disease \(string: CURIE, e.g. MONDO:1\)"),
        ({"disease": "a", "x": "1"}, "has no parameter x; it takes disease, limit"),
        ({"disease": "a", "limit": "b"}, "parameter limit: 'b' is no integer"),
    ],
)
def test_arguments_that_do_not_fit_name_the_parameter(
    symptoms: Query, given: dict[str, str], message: str
) -> None:
    with pytest.raises(QueryError, match=message):
        symptoms.parse(given)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("RETURN 1", "line 1: the header has no title"),
        ("// A.\n", "line 1: there is no statement"),
        ("// A.\nRETURN $x", r"line 1: \$x is used and not declared"),
        ("// A.\n// param x: string\nRETURN 1", "the parameter x is declared and never used"),
        ("// A.\n// param x: text\nRETURN $x", "line 2: 'text' is no type; known are string"),
        ("// A.\n// param x\nRETURN $x", "line 2: 'x' is no parameter"),
        ("// A.\n// param timeout: float\nRETURN $timeout", "line 2: .* called timeout, .* limit"),
        ("// A.\n// param x: integer = a\nRETURN $x", "parameter x: 'a' is no integer"),
        ("// A.\n// column a b\nRETURN 1", "line 2: 'a b' is no column"),
        ("// A.\n// order a\n// more\nRETURN 1", "line 3: 'more' is no header line"),
        ("// A.\n// column a: string, a: string\nRETURN 1", "the column a is declared twice"),
        ("// A.\nRETURN 'a", "line 1: ' is opened and never closed"),
    ],
)
def test_a_malformed_file_is_named_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(QueryError, match=message) as error:
        query_of(tmp_path, text)
    assert str(error.value).startswith(f"{tmp_path / 'disease' / 'symptoms.cypher'}, ")


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.cypher"
    path.write_bytes(b"// \xff\nRETURN 1")
    with pytest.raises(QueryError, match=r"a.cypher: not UTF-8"):
        read_query(path, tmp_path)


def test_find_takes_a_name_or_a_unique_last_part(tmp_path: Path) -> None:
    text = "// One.\nRETURN 1 AS one"
    for name in ("a/one", "b/one", "b/two"):
        query_of(tmp_path, text, f"{name}.cypher")
    catalogue = load_catalogue(tmp_path)
    assert [query.name for query in catalogue] == ["a.one", "b.one", "b.two"]
    assert catalogue.find("two") is catalogue.find("b.two")
    with pytest.raises(QueryError, match=r"'one' may be a.one or b.one; give the whole name"):
        catalogue.find("one")
    with pytest.raises(QueryError, match=r"no query 'b.tow'; the nearest are b.two"):
        catalogue.find("b.tow")
    with pytest.raises(QueryError, match=r"no query 'zzzz'; 'medkg queries' lists them"):
        catalogue.find("zzzz")


def test_the_catalogue_has_no_statement_of_the_loader() -> None:
    catalogue = load_catalogue()
    assert len(catalogue) >= 28
    assert not [query.name for query in catalogue if query.topic.startswith(NOT_ASKED)]


@pytest.mark.parametrize("query", list(load_catalogue()), ids=lambda query: query.name)
def test_every_query_has_an_example_for_each_parameter(query: Query) -> None:
    assert query.arguments(query.examples()) == query.examples()
