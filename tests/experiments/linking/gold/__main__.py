"""Measures linking on case texts: ``python -m tests.experiments.linking.gold --graph HOME``."""

import argparse
import sys
from importlib.metadata import version
from pathlib import Path

import kg
from kg.errors import MedKGError
from kg.linking import Linker
from tests.experiments.linking.gold.findings import (
    AGAIN,
    NO_NODE,
    Finding,
    agreement,
    findings,
)
from tests.experiments.linking.gold.page import page
from tests.experiments.linking.gold.scoring import Linked, Nodes, Scored, score
from tests.experiments.linking.gold.texts import contents, texts


def main() -> None:
    """Link the texts as ``medkg link`` does, tell what was missed and wrong, write the page."""
    given = _arguments()
    try:
        every = texts()
        asked = [text for text in every if text.split in given.split]
        there = findings(every)
        said = contents(asked, given.data)
        with kg.connect(given.graph) as store:
            linker = Linker.of_store(store, given.index)
            scored = list(score(asked, said, there, linker.link, Nodes(store)))
    except MedKGError as e:
        sys.exit(f"{e}")
    for each in scored:
        _tell(each, said[each.text.key])
    second = {key: some for key, some in findings(every, AGAIN).items() if some}
    scored.sort(key=lambda each: given.split.index(each.text.split))
    splits = " ".join(f"--split {split}" for split in given.split)
    made = (
        f"Made by `python -m tests.experiments.linking.gold --graph HOME --data ../shared/data "
        f"{splits} --write FILE` with medkg {version('medkg')} and "
        f"{len(linker.index.names.name):,} names of {len(linker.index.entities.id):,} entities."
    )
    text = page(made, every, there, scored, (len(second), *agreement(there, second)))
    if given.write:
        given.write.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


def _tell(scored: Scored, said: str) -> None:
    """What was missed and what is wrong, with its words: for whoever mends the linker."""
    wrong = [each for each in scored.linked if each.told and not each.right]
    missed = [each.finding for each in scored.found if not each.exact]
    turned = [
        (each.finding, each.by)
        for each in scored.found
        if each.by is not None and each.by.polarity != each.finding.polarity
    ]
    lines = [
        *(f"  missed {_said(f, said)}" for f in missed),
        *(f"  wrong {_link(each, said)}" for each in wrong),
        *(f"  polarity {_said(f, said)}: told {by.polarity}" for f, by in turned),
    ]
    if lines:
        sys.stdout.write("\n".join((f"{scored.text.key} ({scored.text.split})", *lines)) + "\n")


def _said(finding: Finding, said: str) -> str:
    ids = "|".join(sorted(finding.ids)) or NO_NODE
    words = said[finding.start : finding.end]
    return f"{finding.start}-{finding.end} {words!r}: {ids}, {finding.polarity}, {finding.kind}"


def _link(link: Linked, said: str) -> str:
    namesake = ", a namesake" if link.namesake else ""
    words = said[link.start : link.end]
    return f"{link.start}-{link.end} {words!r}: {link.entity} {link.name}{namesake}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.experiments.linking.gold", description=__doc__
    )
    parser.add_argument("--graph", required=True, metavar="HOME", help="a graph, or its home")
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the public data")
    parser.add_argument(
        "--split",
        action="append",
        choices=("work", "held-out"),
        help="which half; may be given twice (default: work; the other is looked at once)",
    )
    parser.add_argument("--index", type=Path, metavar="DIR", help="keeps the index of names")
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page, as Markdown")
    given = parser.parse_args()
    given.split = given.split or ["work"]
    return given


if __name__ == "__main__":
    main()
