"""Neo4j Browser as a person uses it: connect, type, click, look."""

import time
from collections.abc import Callable
from typing import TypeVar

from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

Seen = TypeVar("Seen")

PATIENCE = 30.0
"""Seconds that the page may take for one step."""

_STILL = 1.0


def named(name: str) -> str:
    """The CSS selector of what Browser itself calls by that name."""
    return f'[data-testid="{name}"]'


class Neo4jBrowser:
    """The page of one server, connected."""

    def __init__(self, driver: Chrome, address: str, login: tuple[str, str]) -> None:
        """Open and connect.

        Args:
            driver: shows the page.
            address: of the page, without a path.
            login: user and password.
        """
        self._driver = driver
        driver.get(f"{address}/browser/")
        self.wait(lambda: self.part("connect").is_displayed())
        for name, text in zip(("username", "password"), login, strict=True):
            self.part(name).send_keys(text)
        self.click(named("connect"))
        self.wait(lambda: self.commands()[0] == ":play start")  # what it does when connected

    def wait(self, look: Callable[[], Seen]) -> Seen:
        """What ``look`` gives once that is true; a page in change may refuse looks."""
        waiting = WebDriverWait(
            self._driver, PATIENCE, ignored_exceptions=[WebDriverException, IndexError]
        )
        return waiting.until(lambda _: look())

    def part(self, name: str) -> WebElement:
        """The first part of the page with Browser's own name for it."""
        return self.parts(named(name))[0]

    def parts(self, selector: str) -> list[WebElement]:
        """The parts that a CSS selector finds."""
        return self._driver.find_elements(By.CSS_SELECTOR, selector)

    def click(self, selector: str) -> None:
        """Click the first part that a CSS selector finds, as soon as it can be clicked."""

        def clicked() -> bool:
            self.parts(selector)[0].click()
            return True

        self.wait(clicked)

    def commands(self) -> list[str]:
        """What was run, newest first, each on one line."""
        return [part.text for part in self.parts(named("frameCommand"))]

    def run(self, text: str) -> None:
        """Put a statement or command into the editor and run it."""
        self.click(f"{named('activeEditor')} textarea")
        # typed letter by letter the editor would add brackets of its own
        self._driver.execute_cdp_cmd("Input.insertText", {"text": text})
        self.run_editor()

    def run_editor(self) -> None:
        """Run what stands in the editor, which is emptied when it has been taken."""
        self.wait(self.edited)
        self.click(named("editor-Run"))
        self.wait(lambda: not self.edited())

    def edited(self) -> str:
        """What stands in the editor."""
        return self.parts(f"{named('activeEditor')} .view-lines")[0].text.strip()

    def clear(self) -> None:
        """Close all frames."""
        self.run(":clear")
        self.wait(lambda: not self.commands())

    def graph(self) -> list[str]:
        """The captions in the picture of a graph, the only one shown, when it has come to rest."""
        nodes = "svg.neod3viz g.node"
        self.wait(lambda: self.parts(nodes))
        self.rest(nodes)
        return [node.text for node in self.parts(f"{nodes} text.caption:first-of-type")]

    def rest(self, selector: str) -> None:
        """Wait until those parts of a picture have not moved for a second."""
        script = (
            "return [...document.querySelectorAll(arguments[0])]"
            ".map(n => n.getAttribute('transform')).join()"
        )
        deadline = time.monotonic() + PATIENCE
        before, now = None, self._driver.execute_script(script, selector)
        while now != before and time.monotonic() < deadline:
            time.sleep(_STILL)
            before, now = now, self._driver.execute_script(script, selector)

    def pull_graph_left(self, pixels: int) -> None:
        """Pull that picture by an empty place near its upper edge."""
        canvas = self.parts("svg.neod3viz")[0]
        left, up = pixels + 20 - canvas.rect["width"] / 2, 20 - canvas.rect["height"] / 2
        mouse = ActionChains(self._driver).move_to_element_with_offset(canvas, int(left), int(up))
        mouse.click_and_hold().move_by_offset(-pixels, 0).release().perform()
