"""Diagnoses cases: ``python -m tests.experiments.diagnosis HOME --data DIR --write FILE``."""

import argparse
import sys
from pathlib import Path

from kg.discrimination import score
from kg.stores.embedded import EmbeddedStore
from tests.experiments.diagnosis.cases import Reader
from tests.experiments.diagnosis.page import page
from tests.experiments.diagnosis.pathognomonic import standings
from tests.experiments.diagnosis.ranking import Ranker
from tests.experiments.diagnosis.simulated import patients


def main() -> None:
    """Write the page; whoever changes the differential looks at ``--chosen`` alone."""
    given = _arguments()
    with EmbeddedStore(given.home / "graph.lbug") as store:
        ranker = Ranker(store)
        cases = [*Reader(store).cases(given.data), *patients(store, given.home, given.data)]
        used = [c for c in cases if c.present and ranker.described(c.golds)]
        placed = list(ranker.rank([c for c in used if c.chosen or not given.chosen]))
        standing = list(standings(store, score(store)))
    text = page(cases, used, placed, standing)
    if given.write:
        given.write.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.experiments.diagnosis", description=__doc__
    )
    parser.add_argument("home", type=Path, help="of a build of tests/everything")
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the public data")
    parser.add_argument("--chosen", action="store_true", help="leave out what is held out")
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page, as Markdown")
    return parser.parse_args()


if __name__ == "__main__":
    main()
