"""Chromium for the tests that look at pages."""

from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome

from tests.pages.chromium import MissingChromiumError, chromium


@pytest.fixture(scope="session")
def driver() -> Iterator[Chrome]:
    """One Chromium for all pages; without one the tests are skipped, in CI too."""
    try:
        with chromium() as started:
            yield started
    except MissingChromiumError as e:
        pytest.skip(f"NO CHROMIUM, so no page is looked at: {e}")
