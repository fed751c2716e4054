"""The report of evaluations in Chromium: filters, search, keys, links, and transcripts that would do harm."""

import dataclasses
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from cypher.translation import speaking
from evalsim.dialogue import Judgement, Violation
from evalsim.report import write_report
from evalsim.running.logs import HeldDialogue
from tests.evalsim.report.dialogues import (
    HOSTILE,
    diagnosis_case,
    held,
    judgement,
    run,
    some,
    turn,
)
from tests.pages.chromium import log, resize

DESK, PHONE = 1300, 390
SAID = "\U0001f600 I think it is measles, doctor."


def odd() -> HeldDialogue:
    """A dialogue whose every text would like to be markup."""
    turns = [
        turn(
            1,
            SAID,
            "What makes you think so?",
            judgement("history_taking", 1),
            violations=[Violation(rule="named the target", about="measles", start=16, stop=23)],
        ),
        turn(
            2,
            HOSTILE,
            HOSTILE,
            judgement("correctness", None, HOSTILE, HOSTILE, facts=(HOSTILE,), flags=(HOSTILE,)),
        ),
    ]
    case = diagnosis_case(0).model_copy(
        update={"id": "odd/1", "area": HOSTILE, "kind": "constructor"}
    )
    return held(run(HOSTILE), case, turns, None, failure=HOSTILE, error=HOSTILE)


def alone() -> HeldDialogue:
    """A dialogue without a director, with a turn that has nothing to score."""
    nothing = Judgement(
        judge="j", metric="history_taking", score=None, reason="it is the end", applies=False
    )
    of_run = dataclasses.replace(
        run("alone", id_="alone"), director=None, settings={"director": False}
    )
    return held(
        of_run,
        diagnosis_case(0),
        [turn(1, "I feel hot.", "It is measles.", judgement("correctness", 3), nothing)],
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Reports in both languages."""
    made = tmp_path_factory.mktemp("report")
    dialogues = [*some(), odd(), alone()]
    for code in ("en", "zh"):
        with speaking(code):
            write_report(dialogues, made / code)
    return made


@pytest.fixture
def show(driver: Chrome, folder: Path) -> Callable[..., Chrome]:
    """Opens the page anew."""

    def opened(hash_: str = "", code: str = "en", width: int = DESK) -> Chrome:
        resize(driver, width, 900)
        driver.get("about:blank")
        for name in ("browser", "performance"):
            log(driver, name)  # reading empties it
        driver.get((folder / code / "report.html").as_uri() + hash_)
        until(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "body.ready"))
        return driver

    return opened


def until(driver: Chrome, holds: Callable[[], object]) -> None:
    # what is looked at may be drawn anew between being found and being read
    ignored = (StaleElementReferenceException,)
    WebDriverWait(driver, 30, 0.05, ignored).until(lambda _: holds())


def count(page: Chrome) -> str:
    return page.find_element(By.ID, "count").text


def row(page: Chrome, at: int) -> WebElement:
    return page.find_element(By.ID, f"row-{at}")


def heading(page: Chrome) -> str:
    found = page.find_elements(By.ID, "opened")
    return found[0].text if found else ""


def choose(page: Chrome, name: str, value: str) -> None:
    if not page.find_element(By.ID, "facets").is_displayed():
        page.find_element(By.CSS_SELECTOR, "#filters summary").click()
    Select(page.find_element(By.NAME, name)).select_by_value(value)


def seek(page: Chrome, text: str, shown: str) -> None:
    box = page.find_element(By.ID, "search")
    box.clear()
    box.send_keys(text)
    until(page, lambda: count(page) == shown)


def test_it_asks_nobody_for_anything_and_has_no_error(show: Callable[..., Chrome]) -> None:
    page = show("#dialogues")
    row(page, 0).click()
    until(page, lambda: heading(page))
    messages = [json.loads(entry["message"])["message"] for entry in log(page, "performance")]
    asked = [
        m["params"]["request"]["url"]
        for m in messages
        if m["method"] == "Network.requestWillBeSent"
    ]
    assert {url.partition("#")[0] for url in asked} == {page.current_url.partition("#")[0]}
    assert log(page, "browser") == []


def test_the_results_stand_first_and_lead_to_the_dialogues_behind_them(
    show: Callable[..., Chrome],
) -> None:
    page = show()
    assert page.find_element(By.ID, "results").is_displayed()
    assert not page.find_element(By.ID, "dialogues").is_displayed()
    table = page.find_element(By.XPATH, "//table[caption='Ends']")
    table.find_element(
        By.XPATH, ".//tr[th='openai/gpt-4o'][td='medication, Chinese']/td[2]/a"
    ).click()
    until(page, lambda: count(page) == "4 of 98 dialogues")
    assert row(page, 0).find_element(By.CLASS_NAME, "what").text == "萘普生"
    page.back()
    until(page, lambda: page.find_element(By.ID, "results").is_displayed())


def test_a_dialogue_shows_its_words_scores_reasons_and_facts(show: Callable[..., Chrome]) -> None:
    page = show("#dialogues&language=zh&task=medication")
    row(page, 0).click()
    until(page, lambda: heading(page) == "萘普生")
    first, second = page.find_elements(By.CLASS_NAME, "turn")
    assert "腰疼可以吃萘普生吗？" in first.text
    assert "naproxen: indicated for: back pain" in first.text
    assert "correctness" in second.text
    first.find_element(By.TAG_NAME, "summary").click()
    assert "asks about indication: Back pain (背痛)" in first.text
    page.find_element(By.XPATH, "//summary[.='what the graph says of the drug']").click()
    facts = page.find_elements(By.CSS_SELECTOR, "article > details table tbody tr")
    assert [each.text for each in facts] == [
        "indication Back pain (背痛) drugcentral",
        "contraindication asthma (哮喘) drugcentral",
    ]


def test_what_was_told_when_and_what_was_left_out_is_said(show: Callable[..., Chrome]) -> None:
    page = show("#dialogues&task=diagnosis&sort=-turns")
    row(page, 0).click()
    until(page, lambda: heading(page))
    page.find_element(By.XPATH, "//summary[contains(., 'what was told of it')]").click()
    rows = page.find_elements(By.CSS_SELECTOR, "article > details table tbody tr")
    said = [[cell.text for cell in each.find_elements(By.TAG_NAME, "td")[1:4]] for each in rows]
    assert said == [
        ["turn 1, unasked", "0.90", "0.20"],
        ["not told", "0.70", "0.40"],
        ["turn 2, when asked", "0.50", "0.60"],
        ["not in this patient", "0.30", "0.80"],
    ]


def test_a_broken_rule_is_marked_where_it_was_broken(show: Callable[..., Chrome]) -> None:
    page = show("#dialogues&rule=named+the+target")
    assert count(page) == "1 of 98 dialogues"
    row(page, 0).click()
    until(page, lambda: heading(page) == "measles")
    (mark,) = page.find_elements(By.CSS_SELECTOR, "mark.violation")
    assert (mark.text, mark.get_attribute("title")) == ("measles", "named the target")
    text = page.find_element(By.CSS_SELECTOR, ".patient .text")
    assert text.get_property("textContent") == SAID


def test_what_a_rule_was_broken_about_has_its_name(show: Callable[..., Chrome]) -> None:
    page = show("#dialogues&rule=told+what+was+not+released&language=zh")
    row(page, 0).click()
    until(page, lambda: heading(page))
    told = page.find_element(By.CSS_SELECTOR, ".broken li")
    assert told.text == "told what was not released: Skin rash (皮疹)"


def test_without_a_director_it_is_told_what_the_patient_said_and_not_what_was_let_out(
    show: Callable[..., Chrome],
) -> None:
    page = show("#dialogues&run=alone")
    row(page, 0).click()
    until(page, lambda: heading(page))
    summaries = [each.text for each in page.find_elements(By.CSS_SELECTOR, "article summary")]
    assert summaries == [
        "who the patient is",
        "what the disease has, and what was told of it",
        "who played",
    ]
    page.find_element(By.XPATH, "//summary[contains(., 'what was told of it')]").click()
    told = [
        each.text
        for each in page.find_elements(By.CSS_SELECTOR, "article > details td:nth-child(2)")
    ]
    assert told == ["turn 1, unasked", "not told", "not told", "not in this patient"]


def test_hostile_words_are_shown_and_do_nothing(show: Callable[..., Chrome]) -> None:
    page = show("#dialogues&end=cut+off")
    row(page, 0).click()
    until(page, lambda: heading(page) == "measles")
    page.execute_script(
        "document.querySelectorAll('details').forEach(each => { each.open = true; })"
    )
    texts = page.find_elements(By.CSS_SELECTOR, ".turn:last-child .text, .turn:last-child .reason")
    assert [each.get_property("textContent") for each in texts] == [HOSTILE, HOSTILE, HOSTILE]
    assert page.find_elements(By.CSS_SELECTOR, "img, #dialogues b b, #transcript script") == []
    assert page.title == "Evaluation of clinical models in conversation"
    assert log(page, "browser") == []


def test_filters_narrow_the_list_and_say_how_many_each_choice_leaves(
    show: Callable[..., Chrome],
) -> None:
    page = show("#dialogues")
    assert count(page) == "98 of 98 dialogues"
    choose(page, "language", "zh")
    until(page, lambda: count(page) == "48 of 98 dialogues")
    choose(page, "difficulty", "hard")
    until(page, lambda: count(page) == "9 of 98 dialogues")
    offered = [option.text for option in Select(page.find_element(By.NAME, "language")).options]
    assert offered == ["all", "English (9)", "Chinese (9)"]
    assert "language=zh&difficulty=hard" in page.current_url
    page.find_element(By.CSS_SELECTOR, "button[type=reset]").click()
    until(page, lambda: count(page) == "98 of 98 dialogues")


def test_dialogues_are_found_by_score_and_put_in_order(show: Callable[..., Chrome]) -> None:
    page = show("#dialogues&metric=correctness&low=0.9&sort=-score&task=diagnosis")
    scores = [
        each.text for each in page.find_elements(By.CSS_SELECTOR, "#rows .score:first-child")
    ]
    assert scores == sorted(scores, reverse=True)
    assert {float(each) >= 0.9 for each in scores} == {True}
    choose(page, "sort", "score")
    assert [
        each.text for each in page.find_elements(By.CSS_SELECTOR, "#rows .score:first-child")
    ] == scores[::-1]


def test_words_of_transcripts_are_searched_and_marked(show: Callable[..., Chrome]) -> None:
    page = show("#dialogues")
    seek(page, 'RASH "besides the fever"', shown := count_of("besides the fever"))
    row(page, 0).click()
    until(page, lambda: heading(page))
    marks = {each.text.lower() for each in page.find_elements(By.CSS_SELECTOR, "mark.hit")}
    assert marks == {"rash", "besides the fever"}
    assert not shown.startswith(("0", "98"))
    seek(page, "咳嗽吗", count_of("咳嗽吗"))
    seek(page, "[.*(", "0 of 98 dialogues")
    assert page.find_element(By.ID, "none").is_displayed()


def count_of(text: str) -> str:
    """What the page is to say that it found."""
    members = [*some(), odd(), alone()]
    hits = sum(
        any(text in f"{each.patient}\n{each.doctor}".lower() for each in one.dialogue.turns)
        for one in members
    )
    return f"{hits} of 98 dialogues"


def test_an_address_opens_its_dialogue_and_one_of_no_dialogue_says_so(
    show: Callable[..., Chrome],
) -> None:
    page = show("#dialogues&task=medication")
    row(page, 2).click()
    until(page, lambda: heading(page))
    address, text = page.current_url, page.find_element(By.ID, "transcript").text
    page = show("#" + address.partition("#")[2])
    until(page, lambda: heading(page))
    assert page.find_element(By.ID, "transcript").text == text
    assert row(page, 2).get_attribute("aria-selected") == "true"
    page = show("#dialogues&open=nowhere")
    assert (
        "no dialogue of this report has this address"
        in page.find_element(By.ID, "transcript").text
    )


def press(page: Chrome, keys: str) -> None:
    """Whatever has the focus gets the keys, even if the page has just put another in its place."""
    ActionChains(page).send_keys(keys).perform()


def test_it_is_read_by_keys_alone(show: Callable[..., Chrome]) -> None:
    page = show()
    body = page.find_element(By.TAG_NAME, "body")
    body.send_keys("2")
    until(page, lambda: page.find_element(By.ID, "list").is_displayed())
    body.send_keys("j")
    until(page, lambda: heading(page) == "measles")
    press(page, "j")
    until(page, lambda: heading(page) == "common cold")
    press(page, "k")
    until(page, lambda: heading(page) == "measles")
    body.send_keys("/")
    until(page, lambda: page.switch_to.active_element.get_attribute("id") == "search")
    press(page, "gout")
    until(page, lambda: not count(page).startswith("98"))
    press(page, Keys.ESCAPE)
    listed = page.find_element(By.ID, "list")
    listed.send_keys(Keys.ARROW_DOWN)
    until(page, lambda: heading(page) == "gout")
    listed.send_keys(Keys.END)
    until(page, lambda: heading(page) == "痛风")
    listed.send_keys(Keys.ESCAPE)
    until(page, lambda: not heading(page))
    listed.send_keys("?")
    assert page.find_element(By.ID, "keys").is_displayed()


@pytest.mark.parametrize("width", [320, PHONE, 768, DESK])
def test_the_page_is_no_wider_than_the_screen(show: Callable[..., Chrome], width: int) -> None:
    page = show("#leaderboard", width=width)
    assert page.execute_script("return document.documentElement.scrollWidth") == width
    page = show("#dialogues", width=width)
    row(page, 0).click()
    until(page, lambda: heading(page))
    assert page.execute_script("return document.documentElement.scrollWidth") == width


def test_on_a_phone_a_dialogue_takes_the_place_of_the_list_and_leads_back(
    show: Callable[..., Chrome],
) -> None:
    page = show("#dialogues", width=PHONE)
    row(page, 1).click()
    until(page, lambda: heading(page) == "common cold")
    assert not page.find_element(By.ID, "list").is_displayed()
    page.find_element(By.ID, "back").click()
    until(page, lambda: page.find_element(By.ID, "list").is_displayed())


def test_what_the_page_calls_things_is_chinese_on_a_chinese_one(
    show: Callable[..., Chrome],
) -> None:
    page = show("#dialogues&language=zh&task=diagnosis&sort=-turns", code="zh")
    row(page, 0).click()
    until(page, lambda: heading(page))
    labels = page.find_elements(
        By.CSS_SELECTOR,
        "summary, thead th, h1, h2, h3, .who, .plain b, .said details li, button, .contents a, .text p, caption, .cards div",
    )
    assert len(labels) > 100
    names = r"\S+/\S+|MedKG\S*|medkg|McNemar|Holm|AC2|Cohen|Krippendorff|Gwet|--prices|Fever|Cough|Pruritus|alone|BGE-M3|words|Benjamini-Hochberg"
    said = {str(each.get_property("textContent")).replace(HOSTILE, "") for each in labels}
    assert [text for text in said if re.search("[A-Za-z]{3}", re.sub(names, "", text))] == []


def test_on_a_dark_screen_its_text_is_light(show: Callable[..., Chrome]) -> None:
    page = show()
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    try:
        body = page.find_element(By.TAG_NAME, "body")
        assert body.value_of_css_property("background-color") == "rgba(20, 25, 31, 1)"
        assert body.value_of_css_property("color") == "rgba(228, 233, 238, 1)"
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_in_print_the_dialogue_stands_without_the_list(show: Callable[..., Chrome]) -> None:
    page = show("#dialogues")
    row(page, 0).click()
    until(page, lambda: heading(page))
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert not page.find_element(By.ID, "list").is_displayed()
        assert page.find_element(By.CLASS_NAME, "turn").is_displayed()
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
