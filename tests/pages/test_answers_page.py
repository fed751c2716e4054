"""The page of answers in Chromium: on a desk, on a phone, by mouse and by keyboard."""

from collections.abc import Iterator

import pytest
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests.pages.chromium import log, resize
from tests.qa.page.served import ODD, Server, build, rows, serving, write_texts

SYMPTOMS = "What are the symptoms of gout?"
DESK, PHONE = 1280, 400


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("page")
    build(home, rows())
    write_texts(home)
    with serving(home) as started:
        yield started


@pytest.fixture
def page(driver: Chrome, server: Server) -> Chrome:
    """The page as it is opened on a desk."""
    resize(driver, DESK, 900)
    driver.get("about:blank")
    log(driver, "browser")  # reading empties it
    driver.get(server.address)
    return driver


def wait(page: Chrome) -> WebDriverWait[Chrome]:
    """For what the page is about to show; what it shows now may go meanwhile."""
    return WebDriverWait(page, 30, ignored_exceptions=[StaleElementReferenceException])


def ask(page: Chrome, question: str) -> None:
    box = page.find_element(By.ID, "question")
    box.clear()
    box.send_keys(question + Keys.ENTER)
    wait(page).until(lambda d: d.title == question)


def drawing(page: Chrome) -> WebElement:
    """The one that is seen."""
    (seen,) = [each for each in page.find_elements(By.TAG_NAME, "svg") if each.is_displayed()]
    return seen


def node(page: Chrome, name: str) -> WebElement:
    return drawing(page).find_element(By.CSS_SELECTOR, f'a[aria-label^="{name} ("]')


def dialog(page: Chrome) -> WebElement:
    """What is told of a thing, once it is there."""
    found = page.find_element(By.ID, "thing")
    wait(page).until(lambda _: found.is_displayed())
    return found


def test_question_is_typed_and_answered_without_an_error_or_another_server(
    page: Chrome, server: Server
) -> None:
    assert page.switch_to.active_element.get_attribute("id") == "question"
    ask(page, SYMPTOMS)
    assert page.find_element(By.TAG_NAME, "h1").text == "gout (MONDO:1): symptoms"
    assert "- fever" in page.find_element(By.CLASS_NAME, "prose").text
    loaded = page.execute_script(
        "return performance.getEntriesByType('resource').map(each => each.name)"
    )
    assert loaded
    assert all(each.startswith(server.address) for each in loaded)
    assert log(page, "browser") == []


def test_sentence_leads_to_where_it_stands(page: Chrome) -> None:
    ask(page, SYMPTOMS)
    page.find_element(By.CSS_SELECTOR, ".prose sup a").click()
    mark = page.switch_to.active_element
    assert mark.tag_name == "mark"
    assert mark.text == page.find_element(By.CSS_SELECTOR, ".prose span").text
    folded = page.find_element(By.CLASS_NAME, "edges")
    assert not folded.is_displayed()
    page.execute_script("location.hash = 'part-1-edge-1'")
    wait(page).until(lambda _: folded.is_displayed())


def test_node_shows_what_it_is_and_can_be_asked_about(page: Chrome) -> None:
    ask(page, SYMPTOMS)
    node(page, "Fever").click()
    told = dialog(page)
    assert told.find_element(By.TAG_NAME, "h1").text == "Fever"
    assert "symptom · HP:9" in told.text
    told.find_element(By.LINK_TEXT, "gout").click()  # from one thing to the next
    wait(page).until(lambda _: told.find_element(By.TAG_NAME, "h1").text == "gout")
    assert "podagra <b>" in told.text
    told.find_element(By.LINK_TEXT, SYMPTOMS).click()
    wait(page).until(lambda d: d.title == SYMPTOMS)
    assert log(page, "browser") == []


def test_keyboard_alone_reaches_nodes_and_comes_back(page: Chrome) -> None:
    ask(page, SYMPTOMS)
    label = ""
    for _ in range(60):
        ActionChains(page).send_keys(Keys.TAB).perform()
        label = page.switch_to.active_element.get_attribute("aria-label") or ""
        if label == "Fever (symptom)":
            break
    assert label == "Fever (symptom)"
    ActionChains(page).send_keys(Keys.ENTER).perform()
    told = dialog(page)
    assert "HP:9" in told.text
    ActionChains(page).send_keys(Keys.ESCAPE).perform()
    wait(page).until(lambda _: not told.is_displayed())
    assert page.switch_to.active_element.get_attribute("aria-label") == label


@pytest.mark.parametrize("width", [320, PHONE, 768, DESK])
def test_page_is_no_wider_than_the_screen_and_draws_for_it(page: Chrome, width: int) -> None:
    ask(page, "What are the symptoms of psoriasis?")
    resize(page, width, 844)
    assert page.execute_script("return document.documentElement.scrollWidth") == width
    seen = drawing(page)
    assert (seen.get_attribute("class") == "for-phone") == (width <= PHONE)
    assert seen.rect["width"] <= width
    assert len(seen.find_elements(By.TAG_NAME, "a")) == 40
    assert "and 11 others" in page.find_element(By.CLASS_NAME, "graph").text


def test_follow_up_keeps_what_it_is_about(page: Chrome) -> None:
    ask(page, SYMPTOMS)
    ask(page, "and its causes?")
    said = page.find_element(By.TAG_NAME, "main").text
    assert f"Understood as a follow-up question: {SYMPTOMS}" in said
    assert "gout" in page.find_element(By.TAG_NAME, "h1").text


def test_names_and_questions_that_are_html_are_shown_as_they_are(page: Chrome) -> None:
    ask(page, f"asthma symptoms {ODD}")
    assert ODD in page.find_element(By.TAG_NAME, "main").text
    assert ODD in str(page.find_element(By.ID, "question").get_attribute("value"))
    link = page.find_element(By.PARTIAL_LINK_TEXT, "Wheezing")
    link.click()
    assert dialog(page).find_element(By.TAG_NAME, "h1").text == f"Wheezing {ODD}"
    assert log(page, "browser") == []


def test_it_is_chinese_for_a_chinese_question_and_english_by_a_click(page: Chrome) -> None:
    ask(page, "痛风有什么症状")
    assert page.find_element(By.TAG_NAME, "h1").text == "痛风（MONDO:1）：症状"
    assert page.find_element(By.CSS_SELECTOR, "header button").text == "提问"
    page.find_element(By.LINK_TEXT, "English").click()
    wait(page).until(
        lambda d: d.find_element(By.TAG_NAME, "h1").text == "gout (MONDO:1): symptoms"
    )


def test_without_javascript_a_node_is_a_page(page: Chrome) -> None:
    page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        ask(page, SYMPTOMS)
        page.find_element(By.LINK_TEXT, "Fever").click()
        wait(page).until(lambda d: d.title == "Fever")
    finally:
        page.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_on_a_dark_screen_its_text_is_light(page: Chrome) -> None:
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    try:
        body = page.find_element(By.TAG_NAME, "body")
        assert body.value_of_css_property("background-color") == "rgba(20, 25, 31, 1)"
        assert body.value_of_css_property("color") == "rgba(228, 233, 238, 1)"
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
