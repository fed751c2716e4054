"""The tables of docs/judging.md, of the files in which judgements were read one by one.

python -m tests.experiments.judging.table
"""

import csv
import sys
from collections import defaultdict
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent
_READ: Final = ("diagnoses.tsv", "history.tsv", "safety.tsv", "replies.tsv")
"""Each with columns language, judge and reading; what was not read again has no judge."""
_NOT_READ: Final = "not read"
"""A reply that the judge gave no score."""


def main() -> None:
    """Print how many of each score the reader gives too, sample by sample."""
    for name in _READ:
        with (_FOLDER / name).open(encoding="utf-8", newline="") as lines:
            rows = [_read(row) for row in csv.DictReader(lines, delimiter="\t") if row["judge"]]
        agreed: dict[tuple[str, str], dict[str, list[bool]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for sample, language, judge, reading in rows:
            agreed[sample, language][judge].append(judge == reading)
        levels = sorted({judge for _, _, judge, _ in rows})
        _say(f"\n{name}\n\n| sample | language | {' | '.join(levels)} |")
        _say("| --- " * (len(levels) + 2) + "|")
        for (sample, language), of in agreed.items():
            cells = " | ".join(_cell(level, of[level]) for level in levels)
            _say(f"| {sample} | {language} | {cells} |")
        scored = [judge == reading for _, _, judge, reading in rows if judge != _NOT_READ]
        _say(f"\n{sum(scored)} of {len(scored)} agree")


def _read(row: dict[str, str]) -> tuple[str, str, str, str]:
    """Sample, language, what the judge gave and what the reader gives; a reply's sample is its letter."""
    return (
        row.get("sample") or row["id"][0],
        row["language"],
        row["judge"],
        row.get("reading") or row["correctness"],
    )


def _cell(level: str, agreed: list[bool]) -> str:
    if level == _NOT_READ:
        return str(len(agreed))
    return f"{sum(agreed)} of {len(agreed)}" if agreed else ""


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
