"""The build report in Chromium: on a desk, on a phone, with names as people give them."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from ingest.accounting import AssertionAccount, RowAccount
from ingest.check.check import CheckResult, RuleResult
from ingest.decisions import DecisionCount
from ingest.report import BuildReport, Reason, SourceReport
from tests.pages.chromium import log, resize

LONG = "findings_of_the_university_hospital_" * 4
ODD = '<script>alert(1)</script> & "odd" 痛风'
SECTIONS = [
    "Sources",
    "Node types",
    "Relation types",
    "Nodes by source",
    "Edges by source",
    "Merged ids and names",
    "Consistency rules",
    "Quarantine reasons",
    "Rows: read = asserting + quarantined",
    "Assertions = loaded + merged + quarantined",
    "Checksums",
]


def source(name: str) -> SourceReport:
    return SourceReport(
        name=name,
        kind="table",
        title=ODD,
        licence="https://example.org/" + "licence/" * 12,
        citation=LONG,
        release="2025-01-16" if name == "clinic" else "",
        files={"a.csv": "0" * 32},
        rows=1200,
        assertions=1000,
        loaded=900,
        merged=100,
        quarantined=200,
    )


def report() -> BuildReport:
    return BuildReport(
        version="1.0",
        checksum="c" * 32,
        built=datetime(2026, 11, 23, 3, 5, tzinfo=UTC),
        sources=(source("clinic"), source(LONG)),
        nodes={"Disease": 1000, "Symptom": 500, "PathologicalProcess": 250, "Food": 1},
        edges={"HAS_SYMPTOM": 4000, "HAS_ADVERSE_REACTION": 1000},
        nodes_by_source={"clinic": 800, LONG: 400},
        edges_by_source={"clinic": 4000, LONG: 1000},
        shared_nodes=3,
        shared_edges=2,
        rows=(
            RowAccount(source=LONG, original_relation=LONG, read=3, asserting=2, quarantined=1),
        ),
        assertions=(
            AssertionAccount(
                source=LONG, relation=LONG, assertions=3, loaded=1, merged=1, quarantined=1
            ),
        ),
        reasons=(Reason(source=LONG, stage="read", reason=ODD, count=200),),
        types_in_conflict=0,
        check=CheckResult(
            fingerprint="f",
            rules=tuple(
                RuleResult(rule=name, title=LONG, severity="warn", found=found, samples=())
                for name, found in (("is_a_cycle", 3), ("self_loop", 0), ("sex_of_drug", 0))
            ),
        ),
        decisions=(
            DecisionCount(rule="name", refused=None, count=5, examples=(LONG, ODD)),
            DecisionCount(
                rule="exact match", refused="two ids of one ontology", count=1, examples=(LONG,)
            ),
        ),
    )


@pytest.fixture(scope="module")
def page(driver: Chrome, tmp_path_factory: pytest.TempPathFactory) -> Chrome:
    """A report, written as a build does, on a desk's screen."""
    home = tmp_path_factory.mktemp("home")
    report().write(home)
    return opened(driver, home / "report.html")


def opened(driver: Chrome, path: Path) -> Chrome:
    resize(driver, 1300, 900)
    driver.get("about:blank")
    for name in ("browser", "performance"):
        log(driver, name)  # reading empties it
    driver.get(path.as_uri())
    return driver


def requests(driver: Chrome) -> list[str]:
    messages = [json.loads(entry["message"])["message"] for entry in log(driver, "performance")]
    return [
        m["params"]["request"]["url"]
        for m in messages
        if m["method"] == "Network.requestWillBeSent"
    ]


def bars(driver: Chrome, chart: str) -> dict[str, float]:
    """The width of each bar in pixels, by label."""
    rows = driver.find_elements(By.CSS_SELECTOR, f'table[aria-label="{chart}"] tr')
    return {
        row.find_element(By.TAG_NAME, "td").text: row.find_element(By.CLASS_NAME, "bar").rect[
            "width"
        ]
        for row in rows
    }


def page_width(driver: Chrome) -> int:
    """In pixels; a phone's browser would shrink a page that is wider than its screen."""
    return int(driver.execute_script("return document.documentElement.scrollWidth"))


def test_it_asks_nobody_for_anything_and_has_no_error(page: Chrome) -> None:
    assert requests(page) == [page.current_url]
    assert log(page, "browser") == []


def test_it_has_its_sections(page: Chrome) -> None:
    assert [heading.text for heading in page.find_elements(By.TAG_NAME, "h2")] == SECTIONS


def test_it_leads_to_itself_in_chinese_and_back(page: Chrome) -> None:
    resize(page, 390, 844)
    page.find_element(By.LINK_TEXT, "中文").click()
    try:
        assert page.current_url.endswith("/report.zh.html")
        headings = [heading.text for heading in page.find_elements(By.TAG_NAME, "h2")]
        assert headings[:3] == ["来源", "节点类型", "关系类型"]
        assert len(headings) == len(SECTIONS)
        assert not [text for text in headings if text in SECTIONS]
        assert page_width(page) == 390
        assert ODD in page.find_element(By.TAG_NAME, "body").text
    finally:
        page.find_element(By.LINK_TEXT, "English").click()
    assert page.current_url.endswith("/report.html")
    resize(page, 1300, 900)


def test_the_contents_lead_to_every_section(page: Chrome) -> None:
    links = page.find_elements(By.CSS_SELECTOR, "nav a")
    assert [link.text for link in links] == SECTIONS
    anchors = [page.find_element(By.ID, str(link.get_dom_attribute("href"))[1:]) for link in links]
    assert [anchor.text for anchor in anchors] == SECTIONS


def test_it_says_when_and_of_which_releases_it_was_built_and_hides_checksums(page: Chrome) -> None:
    body = page.find_element(By.TAG_NAME, "body")
    assert "Built on 2026-11-23 at 03:05 UTC, by medkg 1.0, from 2 sources" in body.text
    cells = page.find_elements(By.CSS_SELECTOR, "h2#sources + .wide tr td:first-child")
    assert [cell.text for cell in cells] == [
        "clinic\nrelease 2025-01-16",
        f"{LONG}\nno release stated",
    ]
    assert "0" * 32 not in body.text
    assert body.text.index("c" * 32) > body.text.index(
        "Checksums", body.text.index("Rows: read =")
    )


def test_rules_that_find_nothing_are_folded(page: Chrome) -> None:
    shown = page.find_element(By.CSS_SELECTOR, 'table[aria-label="Consistency rules"]').text
    assert ("is_a_cycle" in shown, "self_loop" in shown) == (True, False)
    folded = page.find_element(By.CSS_SELECTOR, 'table[aria-label="Rules that find nothing"]')
    assert not folded.is_displayed()
    page.find_element(By.XPATH, "//summary[text()='2 rules find nothing']").click()
    assert "self_loop" in folded.text
    page.find_element(By.XPATH, "//summary[text()='2 rules find nothing']").click()


def test_bars_are_as_long_as_their_counts_say(page: Chrome) -> None:
    widths = bars(page, "Node types")
    longest = widths["Disease"]
    assert longest > 100
    assert widths["Symptom"] == pytest.approx(longest / 2, abs=1)
    assert widths["PathologicalProcess"] == pytest.approx(longest / 4, abs=1)
    assert widths["Food"] >= 4


def test_names_are_shown_as_they_are(page: Chrome) -> None:
    assert ODD in page.find_element(By.TAG_NAME, "body").text


@pytest.mark.parametrize("width", [320, 390, 768, 1300])
def test_the_page_is_no_wider_than_the_screen(page: Chrome, width: int) -> None:
    resize(page, width, 844)
    assert page_width(page) == width
    assert min(bars(page, "Edges by source").values()) > 10


def test_on_a_dark_screen_its_text_is_light(page: Chrome) -> None:
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    body = page.find_element(By.TAG_NAME, "body")
    assert body.value_of_css_property("background-color") == "rgba(20, 25, 31, 1)"
    assert body.value_of_css_property("color") == "rgba(228, 233, 238, 1)"
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
