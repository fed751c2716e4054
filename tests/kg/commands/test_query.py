import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cypher import load_catalogue
from cypher.catalogue import FOLDER
from kg.commands import main
from kg.commands.query import what_to_try


def medkg(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_queries_lists_name_answer_and_parameters() -> None:
    lines = medkg("queries").stdout.splitlines()
    (at,) = [n for n, line in enumerate(lines) if "symptom.differential" in line]
    assert " ".join(lines[at : at + 2]).split() == [  # the parameters take two lines
        *("symptom.differential", "Diseases", "that", "findings", "point", "to,", "the"),
        *("likeliest", "first,", "with", "what", "speaks", "for", "and", "against", "each."),
        *("present=LIST_OF_STRING", "[absent=[]]", "[age=-1.0]", "[sex=unknown]"),
        *("[prior=prevalence]", "[among=[]]", "[limit=25]"),
    ]


def test_queries_as_json_says_all_of_a_header() -> None:
    described = json.loads(medkg("queries", "--json").stdout)
    assert [query["name"] for query in described] == [query.name for query in load_catalogue()]
    (similar,) = json.loads(medkg("queries", "similar", "--json").stdout)
    assert similar["parameters"][1] == {
        "name": "limit",
        "type": "integer",
        "about": "Rows at most",
        "default": 25,
        "example": None,
    }
    assert similar["order"] == ["shared desc", "disease_id"]
    assert similar["engines"] == ["embedded", "neo4j"]


def test_queries_name_shows_the_file() -> None:
    shown = medkg("queries", "symptoms").stdout
    assert shown == (FOLDER / "disease" / "symptoms.cypher").read_text(encoding="utf-8")


def test_queries_check_is_clean() -> None:
    result = medkg("queries", "--check")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"{len(load_catalogue())} queries checked, 0 findings\n"


def test_queries_check_as_json_is_json() -> None:
    expected = {"queries": len(load_catalogue()), "findings": []}
    assert json.loads(medkg("queries", "--check", "--json").stdout) == expected


@pytest.mark.parametrize("other", [("--markdown",), ("--guide", "0")])
def test_a_page_or_a_guide_is_not_made_as_json(other: tuple[str, ...]) -> None:
    refused = medkg("queries", *other, "--json")
    assert (refused.exit_code, refused.stdout) == (2, "")
    message = json.loads(refused.stderr)["error"]["message"]
    assert message == f"--json and {other[0]} exclude each other; give one"


def test_a_limit_below_zero_is_refused() -> None:
    refused = medkg("query", "disease.similar", "disease=MONDO:1", "limit=-1")
    assert refused.exit_code == 1
    assert refused.stderr == "Error: parameter limit: -1 is less than 0; give 0 or more\n"


def test_a_finding_is_printed_and_exit_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.cypher").write_text("// A.\n// column x: integer\nRETURN sum(1) AS x")
    monkeypatch.setattr("cypher.load_catalogue", lambda: load_catalogue(tmp_path))
    result = medkg("queries", "--check")
    found = "a.cypher, line 3: sum() of nothing is null on Ladybug; write coalesce(sum(x), 0)"
    assert (result.exit_code, result.stdout) == (1, f"{tmp_path}/{found}\n")


@pytest.mark.usefixtures("graph_file")
def test_query_prints_rows_as_json() -> None:
    result = medkg("query", "disease.similar", "disease=D:2", "--json")
    assert [(row["disease_id"], row["shared"]) for row in json.loads(result.stdout)["rows"]] == [
        ("D:1", 1),
        ("D:3", 1),
    ]


@pytest.mark.usefixtures("graph_file")
def test_query_prints_rows_as_csv() -> None:
    result = medkg("query", "symptom.differential", "present=S:1,S:2", "--csv")
    # a finding that two diseases have, each in 3 of 10 patients as nobody says how many:
    # log2(1 + 10 * 0.3 / (0.6 / 32768)) bits; a chance of 2^(0.45 * bits)
    columns = "disease_id,disease_name,disease_name_zh,score,chance,prior,matched"
    assert result.stdout.splitlines() == [
        f"{columns},supporting,against,weights",
        "D:2,flu,,34.6439,0.9911,0.0,2,S:1 pain|S:2 cough,,17.3219|17.3219",
        "D:1,gout,,17.3219,0.0045,0.0,1,S:1 pain,,17.3219",
        "D:3,asthma,,17.3219,0.0045,0.0,1,S:2 cough,,17.3219",
    ]


def test_query_takes_another_graph(graph_file: Path) -> None:
    moved = graph_file.rename(graph_file.parent.parent / "other.lbug")
    result = medkg("query", "graph.node_counts", "--csv", "--graph", str(moved))
    assert result.stdout.splitlines()[1:] == ["Disease,3", "Symptom,2"]


@pytest.mark.usefixtures("graph_file")
@pytest.mark.parametrize("query", [("disease.similar", "disease=D:2"), ("graph.node_counts",)])
def test_limit_cuts_any_query(query: tuple[str, ...]) -> None:
    answer = json.loads(medkg("query", *query, "--limit", "1", "--json").stdout)
    assert (len(answer["rows"]), answer["truncated"], answer["total"]) == (1, True, 2)
    drawn = medkg("query", *query, "--limit", "1").stderr
    assert "the first 1 of 2 rows; " in drawn
    whole = json.loads(medkg("query", *query, "--limit", "2", "--json").stdout)
    assert (len(whole["rows"]), whole["truncated"], whole["total"]) == (2, False, 2)


@pytest.mark.usefixtures("graph_file")
def test_json_says_what_was_asked() -> None:
    answer = json.loads(medkg("query", "similar", "disease=D:2", "--json").stdout)
    assert answer["query"] == "disease.similar"
    assert answer["arguments"] == {"disease": "D:2", "limit": 25}
    assert answer["columns"] == [*answer["rows"][0]]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["no.such"], 1, "there is no query 'no.such'"),
        (["disease.symptom"], 1, "the nearest are disease.symptoms"),
        (["disease.symptoms"], 1, "disease.symptoms needs the parameter disease (string: CURIE"),
        (["symptoms", "disease=a", "b=c"], 1, "disease.symptoms has no parameter b; it takes"),
        (["similar", "disease=a", "limit=x"], 1, "parameter limit: 'x' is no integer; give"),
        (["symptoms", "a"], 2, "'a' is no parameter; write disease=a"),
        (["path", "a"], 2, "'a' is no parameter; write KEY=VALUE"),
        (["symptoms", "=a"], 2, "'=a' is no parameter; write KEY=VALUE"),
        (["symptoms", "disease=a", "disease=b"], 2, "disease is given twice"),
        (["symptoms", "disease=a", "--json", "--csv"], 2, "--json and --csv exclude each other"),
        (["symptoms", "disease=a", "--limit", "0"], 2, "--limit"),
        (
            ["full_text", "words=a"],
            1,
            "neo4j only, and this graph is in the embedded engine; give a graph in neo4j with --graph",
        ),
    ],
)
def test_wrong_words_are_one_sentence(
    graph_file: Path, arguments: list[str], code: int, message: str
) -> None:
    result = medkg("query", *arguments, "--graph", str(graph_file))
    assert result.exit_code == code
    assert message in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        (
            "disease.genes",
            {"disease": "D:1"},
            "'medkg query entity.neighbours entity=D:1' shows what the graph has about it",
        ),
        (
            "entity.neighbours",
            {"entity": "D:1"},
            "'medkg queries entity.neighbours' shows the query; try other values, or fewer",
        ),
        (
            "evaluation.lowest_dialogues",
            {"run": "x", "metric": "y", "limit": 1},
            (
                "run=x: 'medkg query evaluation.runs' lists those that there are; "
                "metric=y: 'medkg query evaluation.scores_by_kind' lists those that there are"
            ),
        ),
        (
            "entity.find",
            {"text": "x", "limit": 1},
            "'medkg queries entity.find' shows the query; try other values, or fewer",
        ),
    ],
)
def test_what_to_try_where_a_query_gives_no_row(
    name: str, given: dict[str, str | int], told: str
) -> None:
    assert what_to_try(load_catalogue().find(name), given) == told
