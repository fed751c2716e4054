"""Measures the audit of patients on the labelled turns.

    python -m tests.experiments.patients GRAPH_HOME [--part "held out"] [--wrong]

``turns.tsv`` has 200 turns, written by hand; half of them break one rule each. The half called
"mended" was read while the audit was made; the one called "held out" was not.
"""

import argparse
import csv
import os
import sys
import time
from collections import Counter
from pathlib import Path

import kg
from evalsim.auditing.audit import Auditor
from evalsim.dialogue import Turn
from kg.linking import Linker
from tests.experiments.patients.situations import situation


def main() -> None:
    """Print precision and recall for each rule."""
    parser = argparse.ArgumentParser()
    parser.add_argument("home", type=Path)
    parser.add_argument("--part", choices=("mended", "held out"))
    parser.add_argument(
        "--wrong", action="store_true", help="print every turn that is judged wrongly"
    )
    given = parser.parse_args()
    os.environ["MEDKG_HOME"] = str(given.home)
    with kg.connect() as store:
        auditor = Auditor(store, Linker.of_store(store, given.home / "linking"))
        hits: Counter[str] = Counter()
        found: Counter[str] = Counter()
        labelled: Counter[str] = Counter()
        seconds = []
        for row in rows(given.part):
            where = situation(row["situation"], "zh" if row["language"] == "zh" else "en")
            number = len(where.dialogue.turns) + 1
            turn = Turn(number=number, instruction=where.instruction, patient=row["text"])
            start = time.perf_counter()
            rules = {v.rule for v in auditor.audit(where.case, where.dialogue, turn)}
            seconds.append(time.perf_counter() - start)
            expected = {row["rule"]} - {""}
            labelled.update(expected)
            found.update(rules)
            hits.update(rules & expected)
            labelled["any"] += bool(expected)
            found["any"] += bool(rules)
            hits["any"] += bool(rules and expected)
            if given.wrong and rules != expected:
                said = ", ".join(sorted(rules))
                _show(f"{row['id']} {row['text']} | {row['rule'] or '-'} | {said}")
    _show("| rule | turns that break it | found | precision | recall |\n|---|---|---|---|---|")
    for rule in sorted(labelled.keys() | found.keys(), key=lambda r: (r == "any", r)):
        n, m, k = labelled[rule], found[rule], hits[rule]
        _show(f"| {rule} | {n} | {m} | {k / m if m else 1:.2f} | {k / n if n else 1:.2f} |")
    _show(f"\nmedian {1000 * sorted(seconds)[len(seconds) // 2]:.1f} ms a turn")


def rows(part: str | None) -> list[dict[str, str]]:
    """The labelled turns; of one part, if it is given."""
    path = Path(__file__).with_name("turns.tsv")
    with path.open(encoding="utf-8", newline="") as file:
        return [r for r in csv.DictReader(file, delimiter="\t") if part in (None, r["part"])]


def _show(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
