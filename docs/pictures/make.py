"""Make the pictures of the README from the real thing; 'make pictures' runs this."""  # noqa: INP001 - a script

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from selenium.webdriver import Chrome

from cypher.guide import pictures, style
from kg.server import Ports
from tests.pages.chromium import chromium, resize
from tests.pages.neo4j_browser import Neo4jBrowser

HERE = Path(__file__).resolve().parent
MEDKG = Path(sys.executable).with_name("medkg")

STATEMENT = """\
MATCH p = (:Disease {name: "gout"})-->(o) WHERE NOT o:Section AND NOT o:Concept RETURN p"""
"""Gout with all that is said of it, but for its texts and its CUI; fits Browser's line."""

LEGEND = 130
"""Pixels by which the graph is pulled out from under the legend."""


def main() -> None:
    """Build the demo's graph in a folder that is gone afterwards, and photograph it."""
    with tempfile.TemporaryDirectory() as name, chromium() as driver:
        folder = Path(name)
        medkg(folder, "build")
        photograph_report(driver, folder / ".medkg" / "report.html")
        medkg(folder, "qa", "index")
        photograph_answer(driver, folder)
        medkg(folder, "db", "import", "--no-check")
        with server(folder) as (address, bolt, login):
            photograph_graph(driver, address, login, STATEMENT, "browser.png")
            statement = dialogue(folder, bolt)
            photograph_graph(driver, address, login, statement, "dialogue.png")


def medkg(folder: Path, *arguments: str) -> str:
    """What one run of medkg in ``folder`` prints; raises CalledProcessError when it fails."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("NEO4J_", "MEDKG_HOME"))}
    done = subprocess.run(  # noqa: S603 - our own program
        [MEDKG, *arguments], cwd=folder, env=env, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


@contextmanager
def server(folder: Path) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """Browser's address, that of Bolt, user and password of a Neo4j that ends with the block."""
    ports = Ports.free()
    at = (f"--bolt-port={ports.bolt}", f"--http-port={ports.http}")
    status = json.loads(medkg(folder, "db", "up", *at, "--json"))
    try:
        password = (folder / status["password_file"]).read_text(encoding="utf-8").strip()
        yield status["browser"], status["bolt"], (status["user"], password)
    finally:
        medkg(folder, "db", "down")


def photograph_report(driver: Chrome, page: Path) -> None:
    """The upper part of the report."""
    resize(driver, 1300, 1060)
    driver.get(page.as_uri())
    driver.save_screenshot(HERE / "report.png")


def photograph_answer(driver: Chrome, folder: Path) -> None:
    """The page of answers with the answer to a question."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("NEO4J_", "MEDKG_HOME"))}
    arguments = [MEDKG, "qa", "serve", "--port", "0"]
    with subprocess.Popen(  # noqa: S603 - our own program
        arguments, cwd=folder, env=env, stdout=subprocess.PIPE, text=True
    ) as page:
        try:
            assert page.stdout is not None  # noqa: S101 - it is a pipe
            address = next(word for word in page.stdout.readline().split() if "://" in word)
            resize(driver, 1280, 1230)
            driver.get(f"{address}?{urlencode({'question': 'How is asthma treated?'})}")
            driver.save_screenshot(HERE / "answer.png")
        finally:
            page.terminate()


def dialogue(folder: Path, graph: str) -> str:
    """Have a doctor that medkg plays find a disease, lay that over the graph, and ask for it."""
    medkg(folder, "eval", "cases", "-n", "20", "--to", "cases.jsonl")
    players = ("--preset", "offline", "--doctor", "medkg/doctor-differential")
    medkg(folder, "eval", "medkgeval", "--cases", "cases.jsonl", "--out", "run", *players)
    medkg(folder, "eval", "layer", "run", "--graph", graph)
    ((run, *_),) = rows(folder, "evaluation.runs", graph)
    dialogues = rows(
        folder, "evaluation.lowest_dialogues", graph, f"run={run}", "metric=history_taking"
    )
    query = next(query for query in pictures() if query.name == "guides.dialogue")
    return " ".join(query.text.split()).replace("$dialogue", json.dumps(dialogues[-1][0]))


def rows(folder: Path, query: str, graph: str, *arguments: str) -> list[list[str]]:
    """What a query answers."""
    told = medkg(folder, "query", query, *arguments, "--graph", graph, "--json")
    return [list(row.values()) for row in json.loads(told)["rows"]]


def photograph_graph(
    driver: Chrome, address: str, login: tuple[str, str], statement: str, picture: str
) -> None:
    """Browser with the graph of a statement over the whole page."""
    resize(driver, 1400, 900)
    browser = Neo4jBrowser(driver, address, login)
    colours = " ".join(style().decode().split())
    browser.run(":config {autoComplete: false}")  # no edges that were not asked for
    browser.run(f":style {colours}")
    browser.clear()
    browser.run(statement)
    browser.graph()
    browser.click('[title="Fullscreen"]')
    browser.graph()
    browser.click('[aria-label="zoom-to-fit"]')
    browser.pull_graph_left(LEGEND)
    driver.save_screenshot(HERE / picture)


if __name__ == "__main__":
    main()
