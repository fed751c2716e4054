"""Ranks the listed drugs: ``python -m tests.experiments.drugs DATA > commonest.tsv``."""

import argparse
import csv
import sys
from pathlib import Path

from tests.experiments.drugs.ranking import HOW_MANY, lines, rank


def main() -> None:
    """Write the commonest as a table to stdout."""
    parser = argparse.ArgumentParser(prog="python -m tests.experiments.drugs", description=__doc__)
    parser.add_argument("data", type=Path, metavar="DATA", help="the folder of the public data")
    parser.add_argument("--all", action="store_true", help="those beyond the 500 as well")
    given = parser.parse_args()
    ranked = rank(lines(), given.data)
    out = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n")
    out.writerow(("rank", "id", "name_en", "name_zh", "texts", "products", "indications", "score"))
    for at, drug in enumerate(ranked if given.all else ranked[:HOW_MANY], 1):
        row = (drug.id, drug.name_en, drug.name_zh, drug.texts, drug.products, drug.indications)
        out.writerow((at, *row, f"{drug.score:.3f}"))


if __name__ == "__main__":
    main()
