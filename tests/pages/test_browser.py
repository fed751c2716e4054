"""Neo4j Browser over a real server, and the guide that medkg gives it."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

import kg
from cypher import load_catalogue
from cypher.guide import PAGE, STYLE, standalone, style
from kg.configuration import Settings
from kg.stores.store import Stamp
from tests.conftest import LocalNeo4j
from tests.cypher.conftest import write_small_graph
from tests.pages.chromium import resize
from tests.pages.neo4j_browser import Neo4jBrowser, named

pytestmark = pytest.mark.neo4j


@pytest.fixture(scope="module")
def address(neo4j_server: LocalNeo4j) -> str:
    """Where the server itself says that its pages are."""
    setting = "server.http.advertised_address"
    auth = (neo4j_server.user, neo4j_server.password)
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=auth) as server:
        shown = server.execute_query("SHOW SETTINGS $name YIELD value", name=setting)
    return f"http://{shown.records[0]['value']}"


@pytest.fixture(scope="module")
def browser(
    driver: Chrome,
    neo4j_server: LocalNeo4j,
    address: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Neo4jBrowser:
    """Browser, connected to a server that holds a small graph."""
    login = (neo4j_server.user, neo4j_server.password)
    tables = write_small_graph(tmp_path_factory.mktemp("graph") / "small")
    settings = Settings(
        neo4j_uri=neo4j_server.uri, neo4j_username=login[0], neo4j_password=login[1]
    )
    with kg.connect(None, settings) as store:
        if store.stamp() != Stamp(tables.summary().checksum):
            store.load(tables)
    resize(driver, 1400, 900)
    return Neo4jBrowser(driver, address, login)


@pytest.fixture
def guide_address() -> Iterator[str]:
    """Where ``medkg queries --guide`` serves, by its own word."""
    medkg = Path(sys.executable).with_name("medkg")
    with subprocess.Popen(
        [medkg, "queries", "--guide", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as serving:
        assert serving.stdout
        yield serving.stdout.readline().rpartition(" ")[2].strip()
        serving.terminate()


def test_a_query_of_the_catalogue_shows_its_rows(browser: Neo4jBrowser) -> None:
    browser.clear()
    browser.run(standalone(load_catalogue().find("disease.symptoms")))
    table = browser.wait(lambda: browser.part("frame").find_element(By.TAG_NAME, "table").text)
    assert "symptom_name" in table
    assert "Joint swelling" in table
    assert "关节肿胀" in table


def test_the_guide_opens_and_its_picture_is_drawn_with_names(
    browser: Neo4jBrowser, guide_address: str
) -> None:
    browser.clear()
    browser.run(f":guide {guide_address}")
    browser.click(named("guideNextSlide"))
    browser.click("pre.runnable")
    browser.run_editor()
    # what is wider than its circle is cut, where depends on the fonts of the machine
    captions = tuple(caption.strip().rstrip("…") for caption in browser.graph())
    for name in ("gout", "Arthritis", "Colchicine"):
        assert any(name.startswith(caption) for caption in captions if caption[2:]), captions


def test_statements_of_the_guide_have_room_their_sign_is_whole_and_no_word_is_cut(
    browser: Neo4jBrowser, guide_address: str, driver: Chrome
) -> None:
    browser.clear()
    browser.run(f":guide {guide_address}")
    browser.click(named("guideNextSlide"))
    browser.wait(lambda: browser.parts("pre.runnable i"))
    script = (
        "const [drawer, pre, sign] = ['[data-testid=guidesDrawer]', 'pre.runnable', "
        "'pre.runnable i'].map(s => document.querySelector(s).getBoundingClientRect());"
        "const style = getComputedStyle(document.querySelector('pre.runnable'));"
        "return [pre.left - drawer.left, drawer.right - pre.right, sign.left - pre.left,"
        " style.wordBreak, style.whiteSpace]"
    )
    left, right, inside, breaking, spaces = driver.execute_script(script)
    assert min(left, right) >= 10
    assert inside >= 5
    assert (breaking, spaces) == ("normal", "pre-wrap")


CUT_WORDS = """
const cut = [];
for (const pre of document.querySelectorAll('pre.runnable')) {
  const texts = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    for (const word of texts.currentNode.data.matchAll(/[A-Za-z_]{2,}/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, word.index);
      range.setEnd(texts.currentNode, word.index + word[0].length);
      if (range.getClientRects().length > 1) cut.push(word[0]);
    }
}
return cut
"""
"""The words of the statements in sight that are in two lines."""


def test_no_relation_in_the_guide_is_in_two_lines(
    browser: Neo4jBrowser, guide_address: str, driver: Chrome
) -> None:
    browser.clear()
    browser.run(f":guide {guide_address}")
    seen = set()
    for _ in range(6):  # pictures, disease, drug, entity, evaluation, gene
        browser.click(named("guideNextSlide"))
        shown = browser.wait(lambda: [pre.text for pre in browser.parts("pre.runnable")])
        seen |= {"METABOLISED_BY" in text for text in shown}
        assert driver.execute_script(CUT_WORDS) == []
    assert True in seen


def test_the_style_of_the_guide_colours_types(
    browser: Neo4jBrowser, guide_address: str, driver: Chrome
) -> None:
    browser.clear()
    browser.run(f":style {guide_address.replace(PAGE, STYLE)}")
    browser.run('MATCH (d:Disease {id: "MONDO:0005393"}) RETURN d')
    browser.graph()
    [colour] = re.findall(r"node\.Disease \{[^}]*?[^-]color: (#\w+)", style().decode())
    assert driver.find_elements(By.CSS_SELECTOR, f'circle[fill="{colour}"]')
