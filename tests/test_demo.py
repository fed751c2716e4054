"""The demo as a person runs it: real HPO, the sample and the lists, in both engines, through the
command line."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import kg
from cypher import Query, load_catalogue
from ingest.accounting import prove
from ingest.report import read_report
from kg.commands.demo import LINES, NEXT
from kg.configuration import Settings
from kg.discrimination import score
from kg.stores.store import Store
from kg.tables import GraphTables
from tests.experiments.diagnosis.pathognomonic import in_top, standings
from tests.readme import README, Excerpt, excerpts, printed

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
    assert demo[1].endswith(f"{NEXT}\n")


def test_demo_answers_with_facts_and_their_references(demo: tuple[Path, str]) -> None:
    answer = demo[1].partition("What are the symptoms of gout?")[2].partition("$ medkg")[0]
    assert "HP:0001369" in answer
    assert "Arthritis" in answer
    assert "[1] MedlinePlus: Gout" in answer
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
