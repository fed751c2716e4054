"""The tables of docs/judging.md, of the files in which judgements were read one by one.

python -m tests.experiments.judging.table
"""

import csv
import sys
from collections import defaultdict
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent
_READ: Final = ("diagnoses.tsv", "history.tsv", "safety.tsv")
"""Each with columns sample, language, judge and reading, and metric where there are several."""


def main() -> None:
    """Print how many of each score the reader gives too."""
    for name in _READ:
        with (_FOLDER / name).open(encoding="utf-8") as lines:
            rows = list(csv.DictReader(lines, delimiter="\t"))
        agreed: dict[tuple[str, str], dict[str, list[bool]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for row in rows:
            agreed[row["sample"], row["language"]][row["judge"]].append(
                row["judge"] == row["reading"]
            )
        levels = sorted({row["judge"] for row in rows})
        _say(f"\n{name}\n\n| sample | language | {' | '.join(levels)} |")
        _say("| --- " * (len(levels) + 2) + "|")
        for (sample, language), of in agreed.items():
            cells = (
                f"{sum(of[level])} of {len(of[level])}" if of[level] else "" for level in levels
            )
            _say(f"| {sample} | {language} | {' | '.join(cells)} |")
        total = [row["judge"] == row["reading"] for row in rows]
        _say(f"\n{sum(total)} of {len(total)} agree")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
