"""Counts what is one node in both languages: ``python -m tests.experiments.bridges HOME``."""

import argparse
import sys
from pathlib import Path

from kg.errors import MedKGError
from tests.experiments.bridges.page import Measured, page
from tests.experiments.bridges.standing import BuiltGraph, readings


def main() -> None:
    """Write the page of a build of the graph of everything."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.experiments.bridges", description=__doc__
    )
    parser.add_argument("home", type=Path, help="of a build of tests/everything")
    parser.add_argument("--before", type=Path, metavar="HOME", help="of a build to compare with")
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page")
    given = parser.parse_args()
    try:
        text = page(_measured(given.home), _measured(given.before) if given.before else None)
    except MedKGError as error:
        parser.error(str(error))
    if given.write:
        given.write.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


def _measured(home: Path) -> Measured:
    graph = BuiltGraph(home)
    return Measured(
        symptoms=graph.standings(readings("symptoms"), "symptom"),
        diseases=graph.standings(readings("diseases"), "disease"),
        edges=graph.symptom_edges(),
        namesakes=graph.english_namesakes(),
        different=graph.joined_though_different(),
        related=graph.joined_though_related(),
    )


if __name__ == "__main__":
    main()
