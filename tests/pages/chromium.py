"""Headless Chromium, from the machine's own packages: nothing is downloaded."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from selenium.common.exceptions import SessionNotCreatedException
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.command import Command

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
DRIVER = "chromedriver"

_ARGUMENTS = (
    "--headless=new",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "--disable-dev-shm-usage",
    "--disable-component-update",
    # pages reach this machine only: what they look like depends on nobody else
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)
_PHONE = 500


class MissingChromiumError(Exception):
    """This machine has no Chromium with its driver."""


@contextmanager
def chromium() -> Iterator[Chrome]:
    """A Chromium with a profile of its own, ended with the block.

    Raises:
        MissingChromiumError: it or its driver is not there, or they do not fit.
    """
    options = ChromeOptions()
    options.binary_location = _found(PROGRAMS)
    for argument in _ARGUMENTS:
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # Chromium refuses its sandbox to root
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    try:
        # with both paths given Selenium looks for no browser to download
        driver = Chrome(options, Service(_found((DRIVER,))))
    except SessionNotCreatedException as e:
        raise MissingChromiumError(str(e.msg).splitlines()[0]) from e
    try:
        yield driver
    finally:
        driver.quit()


def resize(driver: Chrome, width: int, height: int) -> None:
    """Make the page's own area so large, in pixels; a narrow one is a phone's."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < _PHONE}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def log(driver: Chrome, name: str) -> list[dict[str, str]]:
    """What Chromium has noted since the last call."""
    noted: list[dict[str, str]] = driver.execute(Command.GET_LOG, {"type": name})["value"]
    return noted


def _found(names: tuple[str, ...]) -> str:
    for name in names:
        if path := shutil.which(name):
            return path
    raise MissingChromiumError(
        f"no {names[0]} on the PATH; install it (Debian: chromium and chromium-driver)"
    )
