"""Draws what the kind everycure-labels reads off labels, to be read one by one.

``python -m tests.experiments.drugs.labels contraindications.tsv --seed 7`` prints a seeded draw of
what labels forbid, with the labels; ``labels.tsv`` has the draw as it was read, by row of the list, and
``--figures`` prints the precision of each sort, with Wilson's interval of 95 %.
"""

import argparse
import csv
import random
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Final

import duckdb

from ingest import sources
from ingest.sources import EveryCureLabelsSource
from kg.linking.measures import Share
from kg.progress import Silent

READ: Final = Path(__file__).with_name("labels.tsv")
SHARES: Final = {"Symptom": 40, "Population": 30, "Drug": 30}
"""So many of each type of tail are drawn."""


def draw(path: Path, seed: int) -> list[tuple[str, ...]]:
    """Statements, each once, ordered by type and row: type, row, drug, what forbids it, label.

    Args:
        path: the list of contraindications.
        seed: of the draw.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "labels"
        source = EveryCureLabelsSource(kind="everycure-labels", contraindications=path)
        sources.read(source, out, Silent())
        stated = duckdb.execute(
            "SELECT tail_type, min(row), head_name, tail_name, min_by(evidence, row)"
            " FROM read_parquet(?) WHERE relation = 'CONTRAINDICATED_FOR' GROUP BY 1, 3, 4"
            " ORDER BY ALL",
            [str(out / "assertions.parquet")],
        ).fetchall()
    chance = random.Random(seed)  # noqa: S311 -- a draw, no secret
    drawn = []
    for kind, count in SHARES.items():
        own = [tuple(map(str, row)) for row in stated if row[0] == kind]
        drawn += chance.sample(own, min(count, len(own)))
    return sorted(drawn, key=lambda row: (row[0], int(row[1]), row))


def figures() -> dict[str, Share]:
    """By type of what forbids: how many of those read are right."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    with READ.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            counts[row["type"]][row["verdict"]] += 1
    return {kind: Share(right=each["right"], of=each.total()) for kind, each in counts.items()}


def main() -> None:
    """Print the draw, or the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path, nargs="?")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--figures", action="store_true")
    given = parser.parse_args()
    if given.figures:
        for kind, share in figures().items():
            low, high = share.interval or (0.0, 0.0)
            sys.stdout.write(f"{kind}\t{share.right} of {share.of}\t{low:.3f}-{high:.3f}\n")
    elif given.path is None:
        parser.error("name the list of contraindications, or ask for --figures")
    else:
        csv.writer(sys.stdout, delimiter="\t").writerows(draw(given.path, given.seed))


if __name__ == "__main__":
    main()
