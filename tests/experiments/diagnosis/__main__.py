"""Diagnoses cases: ``python -m tests.experiments.diagnosis HOME --data DIR --write FILE``."""

import argparse
import sys
import tempfile
from pathlib import Path

from kg.discrimination import score
from kg.stores.embedded import EmbeddedStore
from tests.experiments.diagnosis.cases import Reader
from tests.experiments.diagnosis.graphs import AS_BUILT, graphs
from tests.experiments.diagnosis.page import page
from tests.experiments.diagnosis.pathognomonic import standings
from tests.experiments.diagnosis.ranking import Ranker, Ranks


def main() -> None:
    """Write the page; cases are read with the names of the graph as it was built."""
    given = _arguments()
    ranks: list[Ranks] = []
    with tempfile.TemporaryDirectory(prefix="medkg-diagnosis-") as work:
        for name, file in graphs(given.home, Path(work)):
            sys.stderr.write(f"{name} ...\n")
            with EmbeddedStore(file) as store:
                ranker = Ranker(name, store)
                if name == AS_BUILT:
                    cases = list(Reader(store).cases(given.data))
                    standing = list(standings(store, score(store)))
                    used = [c for c in cases if c.present and ranker.described(c.golds)]
                ranks += ranker.rank(used)
    text = page(cases, used, ranks, standing)
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
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page, as Markdown")
    return parser.parse_args()


if __name__ == "__main__":
    main()
