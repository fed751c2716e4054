"""Grades the KG-only answerer: ``python -m tests.experiments.kgqa HOME --model DIR --data DIR``."""

import argparse
import sys
from pathlib import Path

from kg.embeddings.artifact import load_artifact
from kg.linking import Linker
from kg.stores.embedded import EmbeddedStore
from tests.experiments.kgqa import held_out, medquad
from tests.experiments.kgqa.answerers import graded
from tests.experiments.kgqa.page import page


def main() -> None:
    """Write the page."""
    given = _arguments()
    artifact = load_artifact(given.model)
    with EmbeddedStore(given.home / "graph.lbug") as store:
        linker = Linker.of_store(store, given.index)
        questions = [
            *medquad.questions(given.data, linker, given.each, given.seed),
            *held_out.questions(artifact.split, given.each // 4, given.seed),
        ]
        sys.stderr.write(f"{len(questions)} questions ...\n")
        results = list(graded(questions, store, linker, artifact))
    text = page(results, artifact.card, (given.each, given.seed))
    if given.write:
        given.write.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.experiments.kgqa", description=__doc__)
    parser.add_argument("home", type=Path, help="of a build of tests/everything")
    parser.add_argument("--model", type=Path, required=True, metavar="DIR", help="trained on it")
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the public data")
    parser.add_argument("--index", type=Path, metavar="DIR", help="keeps the index of names")
    parser.add_argument("--each", type=int, default=60, help="questions of a type (default: 60)")
    parser.add_argument("--seed", type=int, default=0, help="draws the questions")
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page, as Markdown")
    return parser.parse_args()


if __name__ == "__main__":
    main()
