"""The demo as a person runs it: real HPO, the sample and the lists, in both engines, through the
command line."""

import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import kg
from cypher import Query, load_catalogue
from ingest.accounting import prove
from ingest.report import read_report
from kg.commands.demo import LINES, next_steps
from kg.configuration import Settings
from kg.discrimination import score
from kg.linking import Linker
from kg.linking.mention import Mention
from kg.stores.store import Store
from kg.tables import GraphTables
from tests.experiments.diagnosis.pathognomonic import in_top, standings
from tests.ingest.sample_files import names
from tests.readme import README, Excerpt, excerpts, printed

EVERYDAY = Path(__file__).parent / "everyday"
PORTABLE = [query for query in load_catalogue() if len(query.engines) == 2]


def medkg(*arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Run the installed command in ``home``, without any settings of the developer's."""
    settings = ("NEO4J_", "MEDKG_")
    return subprocess.run(
        [Path(sys.executable).with_name("medkg"), *arguments],
        cwd=home,
        env={name: value for name, value in os.environ.items() if not name.startswith(settings)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder in which the demo ran, and what it printed."""
    home = tmp_path_factory.mktemp("demo")
    done = medkg("demo", home=home)
    assert done.returncode == 0, done.stderr
    return home, done.stdout


@pytest.fixture(scope="module")
def embedded(demo: tuple[Path, str]) -> Iterator[Store]:
    with kg.connect(str(demo[0] / ".medkg" / "graph.lbug")) as store:
        yield store


@pytest.fixture(scope="module")
def linker(embedded: Store) -> Linker:
    """Links with the names in the demo's graph."""
    return Linker.of_store(embedded)


@pytest.fixture(scope="module")
def counterparts(embedded: Store) -> set[tuple[str, str]]:
    """The diseases and the findings that they are, in both directions."""
    pairs = embedded.cypher(
        "MATCH (a:Disease)-[:CLOSE_MATCH]-(b:Symptom) RETURN a.id AS disease, b.id AS finding"
    ).dicts()
    ids = [(str(each["disease"]), str(each["finding"])) for each in pairs]
    return {*ids, *((finding, disease) for disease, finding in ids)}


@pytest.fixture(scope="module")
def unchecked(demo: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The demo's graph tables in the embedded engine, without the layer of the rules."""
    with kg.connect(str(tmp_path_factory.mktemp("unchecked") / "graph.lbug")) as store:
        store.load(GraphTables(demo[0] / ".medkg" / "tables"))
        yield store


@pytest.fixture(scope="module")
def in_neo4j(demo: tuple[Path, str], neo4j_settings: Settings) -> Iterator[Store]:
    """The demo's graph tables, loaded into the server too."""
    with kg.connect(None, neo4j_settings) as store:
        store.load(GraphTables(demo[0] / ".medkg" / "tables"))
        store.indexes()
        yield store


@pytest.mark.parametrize(
    "excerpt", [*excerpts(README.read_text("utf-8"))], ids=lambda e: e.command
)
def test_the_readme_shows_what_commands_print(excerpt: Excerpt, demo: tuple[Path, str]) -> None:
    assert excerpt.shown == printed(excerpt.command, demo[0])


def test_demo_prints_each_command_before_it_runs(demo: tuple[Path, str]) -> None:
    lines = demo[1].splitlines()
    commands = [line for line in lines if line.startswith("$ medkg ")]
    assert commands == [f"$ {line}" for line in LINES]
    assert sum(line.startswith("$ medkg ask ") for line in commands) == 3
    assert any("medkg db up" in line for line in lines[lines.index(commands[-1]) :])
    assert demo[1].endswith(f"{next_steps()}\n")


def test_demo_shows_its_report_once_and_then_where_the_page_is(demo: tuple[Path, str]) -> None:
    assert demo[1].splitlines().count("Consistency rules") == 1
    assert ".medkg/report.html\n" in demo[1].partition("$ medkg report --html")[2]


def test_demo_answers_with_facts_and_their_references(demo: tuple[Path, str]) -> None:
    answer = demo[1].partition("What are the symptoms of gout?")[2].partition("$ medkg")[0]
    assert "HP:0001369" in answer
    assert "Arthritis" in answer
    assert re.search(r"\[\d\] MedlinePlus: Gout https", answer)
    assert "Propranolol" in demo[1].partition("avoided in asthma?")[2].partition("$ medkg")[0]


def test_graph_of_the_demo_is_hpo_and_the_sample_with_the_names_of_the_lists(
    demo: tuple[Path, str],
) -> None:
    assert (demo[0] / ".medkg" / "graph.lbug").is_file()
    report = read_report(demo[0] / ".medkg")
    prove([*report.rows, *report.assertions])
    assert set(report.nodes_by_source) == {"hpo", "sample", "diseases", "drugs", "findings"}
    assert report.edges["HAS_SYMPTOM"] > 200_000
    assert report.edges["LACKS_SYMPTOM"] > 2_000
    assert report.shared_nodes > 300


def test_lists_say_chinese_and_brand_names_in_the_demo(demo: tuple[Path, str]) -> None:
    linked = medkg("link", "--json", "发烧肚子疼，服泰诺林、络活喜; takes Lipitor", home=demo[0])
    mentions = json.loads(linked.stdout)["mentions"]
    found = [(each["text"], each["entity"]["name"]) for each in mentions]
    assert found == [
        ("发烧", "Fever"),
        ("肚子疼", "Abdominal pain"),
        ("泰诺林", "Acetaminophen"),
        ("络活喜", "Amlodipine"),
        ("Lipitor", "Atorvastatin"),
    ]


def everyday(name: str) -> list[dict[str, str]]:
    with (EVERYDAY / f"{name}.tsv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True))


def whole(linker: Linker, text: str) -> Mention | None:
    """The mention that is the whole text, if it is one."""
    return next((each for each in linker.link(text) if each.text == text), None)


def test_everyday_words_and_brands_are_found(
    linker: Linker, counterparts: set[tuple[str, str]]
) -> None:
    expected = everyday("found")
    wrong = []
    for row in expected:
        mention = whole(linker, row["word"])
        linked = mention.entity.id if mention and mention.entity else None
        if linked != row["id"] and (row["id"], linked) not in counterparts:
            wrong.append((row["word"], row["id"], linked))
    assert wrong == []
    assert len(expected) >= 150


def test_words_with_other_or_several_meanings_are_not_linked(linker: Linker) -> None:
    texts = everyday("other")
    linked = {row["text"]: [m for m in linker.link(row["text"]) if m.linked] for row in texts}
    assert [text for text, mentions in linked.items() if mentions] == []
    unsure = [row["text"] for row in texts if row["linked"] == "unsure"]
    assert [text for text in unsure if whole(linker, text) is None] == []
    assert len(texts) >= 40


def test_every_name_of_the_sample_leads_to_its_thing(
    linker: Linker, counterparts: set[tuple[str, str]]
) -> None:
    wrong = []
    for each in names():
        mention = whole(linker, each.name)
        found = {candidate.id for candidate in mention.candidates} if mention else set()
        meant = {each.id, *(other for one, other in counterparts if one == each.id)}
        meant.update(candidate.id for candidate in linker.candidates(each.term, limit=1))
        if found.isdisjoint(meant):
            wrong.append((each.name, each.term, found))
    assert wrong == []


@pytest.mark.parametrize(
    ("question", "entity"),
    [
        ("What are the side effects of Lipitor?", "DRUGBANK:DB01076"),
        ("芬必得有哪些禁忌", "DRUGBANK:DB01050"),
        ("How is DM2 treated?", "MONDO:0005148"),
        ("What are the symptoms of high blood pressure?", "MONDO:0005044"),
        ("什么病会拉肚子", "HP:0002014"),
        ("羊角风怎么治疗", "MONDO:0005027"),
    ],
)
def test_question_in_everyday_words_is_answered(
    demo: tuple[Path, str], question: str, entity: str
) -> None:
    answer = medkg("ask", "--json", question, home=demo[0])
    [told] = json.loads(answer.stdout)["parts"]
    assert told["entities"][0]["id"] == entity  # before what else goes by the name
    assert {each["name"].casefold() for each in told["entities"][1:]} <= {"hypertension"}
    assert told["rows"]


def test_explanation_says_where_a_name_was_read(demo: tuple[Path, str]) -> None:
    told = json.loads(medkg("explain", "--json", "DRUGBANK:DB00316", home=demo[0]).stdout)
    read = {each["tail"]: each["references"] for each in told["records"] if each["references"]}
    assert read["Tylenol"] == (
        "US Food and Drug Administration: Global Substance Registration System, UNII 362O9ITL9D "
        "https://precision.fda.gov/uniisearch/srs/unii/362O9ITL9D"
    )


def test_second_build_says_that_nothing_has_changed(demo: tuple[Path, str]) -> None:
    again = medkg("build", "--json", home=demo[0])
    assert "Nothing has changed" in again.stderr
    assert json.loads(again.stdout) == json.loads(medkg("report", "--json", home=demo[0]).stdout)


@pytest.mark.neo4j
@pytest.mark.parametrize("query", PORTABLE, ids=lambda query: query.name)
def test_real_graph_answers_alike_on_both_engines(
    query: Query, unchecked: Store, in_neo4j: Store
) -> None:
    arguments = query.examples()
    assert unchecked.query(query.name, **arguments) == in_neo4j.query(query.name, **arguments)


@pytest.mark.neo4j
def test_real_graph_has_the_same_counts_on_both_engines(unchecked: Store, in_neo4j: Store) -> None:
    assert unchecked.counts() == in_neo4j.counts()


def test_textbook_signs_stand_far_above_chance(embedded: Store) -> None:
    found = list(standings(embedded, score(embedded)))
    known = [each for each in found if each.rank is not None]
    by_chance = sum(3 / max(each.findings, 3) for each in known) / len(known)
    assert len(known) >= 30
    assert in_top(known) / len(known) > 3 * by_chance
    assert in_top(known, 10) / len(known) > 0.5
