"""Measures the reading of doctors' replies on public dialogues.

    python -m tests.experiments.patients.reading GRAPH_HOME DATA

Of DXY (Chinese), each question of the doctor asks for one finding that the set names, and the last line gives
the diagnosis. Of ChatDoctor (English), a reply that names one disease of the set, which the patient has not
named, gives it as the diagnosis.
"""

import argparse
import csv
import json
import os
import re
import sys
import time
from collections import Counter
from pathlib import Path

import kg
from evalsim.reading.replies import Reader
from kg.linking import Linker


def main() -> None:
    """Print how often what a reply asks for and diagnoses is found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("home", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--most", type=int, default=1000, help="replies of each kind")
    parser.add_argument("--wrong", action="store_true", help="print every reply that is misread")
    given = parser.parse_args()
    os.environ["MEDKG_HOME"] = str(given.home)
    counts: Counter[tuple[str, str]] = Counter()
    start = time.perf_counter()
    with kg.connect() as store:
        linker = Linker.of_store(store, given.home / "linking")
        reader = Reader(store, linker)
        for kind, text, expected in [
            *_chinese(given.data / "dxy_dialog/dialogs_train.jsonl", given.most),
            *_english(given.data / "chatdoctor", given.most),
        ]:
            reading = reader.read(text)
            entity = linker.resolve(expected).entity
            things = reading.asked if "asks" in kind else reading.diagnoses
            names = {w for t in things for w in (t.name, t.name_zh or "", *t.words)}
            hit = expected in names or (entity is not None and entity.id in {t.id for t in things})
            said = (
                "diagnoses" in kind and (reading.said_diagnosis or "").lower() == expected.lower()
            )
            outcome = "found" if hit or said else "other" if things else "nothing"
            known = "known to the graph" if entity else "not known"
            counts[f"{kind}, {known}", outcome] += 1
            if given.wrong and outcome != "found" and entity:
                _show(f"{kind} | {text[:200]!r} | {expected} | {sorted(names)}")
    _show("| replies | n | found | something else | nothing |\n|---|---|---|---|---|")
    for kind in sorted({kind for kind, _ in counts}):
        found, other, nothing = (counts[kind, each] for each in ("found", "other", "nothing"))
        n = found + other + nothing
        _show(f"| {kind} | {n} | {found / n:.1%} | {other / n:.1%} | {nothing / n:.1%} |")
    _show(f"\n{1000 * (time.perf_counter() - start) / sum(counts.values()):.1f} ms a reply")


def _chinese(path: Path, most: int) -> list[tuple[str, str, str]]:
    """The doctor's lines, with the one finding or the disease of each."""
    replies = []
    for line in path.read_text("utf-8").splitlines():
        dialogue = json.loads(line)
        findings = [*dialogue["implicit"], *dialogue["explicit"]]
        for said in dialogue["dialog"][1::2]:
            asked = [name for name in findings if name in said]
            if dialogue["disease"] in said:
                replies.append(("zh, diagnoses", said, dialogue["disease"]))
            elif len(asked) == 1:
                replies.append(("zh, asks", said, asked[0]))
    questions = [r for r in replies if r[0] == "zh, asks"][:most]
    return questions + [r for r in replies if r[0] == "zh, diagnoses"][:most]


def _english(folder: Path, most: int) -> list[tuple[str, str, str]]:
    """Replies that name one disease of the set, which the patient has not named."""
    with (folder / "format_dataset.csv").open(encoding="utf-8") as file:
        diseases = {row["disease"].strip().lower() for row in csv.DictReader(file)}
    names = re.compile(
        r"\b(?:" + "|".join(map(re.escape, sorted(diseases, key=len, reverse=True))) + r")\b",
        re.IGNORECASE,
    )
    replies = []
    for row in json.loads((folder / "chatdoctor5k.json").read_text("utf-8")):
        named = {name.lower() for name in names.findall(row["output"])}
        if len(named) == 1 and not names.search(row["input"]):
            replies.append(("en, diagnoses", row["output"], named.pop()))
    return replies[:most]


def _show(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
