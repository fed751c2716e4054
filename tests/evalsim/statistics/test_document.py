"""What docs/statistics.md shows is what the functions give."""

import doctest
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "statistics.md"


def test_examples_of_the_document_give_what_it_shows() -> None:
    failed, tried = doctest.testfile(str(DOCUMENT), module_relative=False, encoding="utf-8")
    assert (failed, tried) == (0, 6)
