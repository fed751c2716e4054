"""Measures the answers, gold excluded: ``python -m tests.experiments.selection HOME DATA``."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import torch

import kg
from kg.commands import Bars
from kg.linking import Linker
from qa.corpus import Document, medquad_documents
from qa.evaluation.cases import Finder
from qa.evaluation.figures import draw as draw_figure
from qa.evaluation.questions import GoldQuestion
from qa.evaluation.run import Row, find_cases, measure, retrieve, state
from qa.evaluation.scoring import Judges
from qa.evaluation.summary import json_of, ranks, summarise
from qa.generation.extractive import EXTRACTIVE, Extractive
from qa.index import Index, Passages
from qa.index.building import Change, change_index
from qa.index.models import SentenceModel
from qa.metrics.similarity import BertScore
from qa.selection import WEIGHTS
from tests.experiments.selection.design import Designed, design
from tests.experiments.selection.page import page
from tests.experiments.selection.parts import parted


def main() -> None:
    """Measure what was not measured before, and write the page."""
    given = _arguments()
    torch.set_num_threads(given.threads)
    bars = Bars()
    medquad = given.data / "medquad"
    documents = [each for each in medquad_documents(medquad, bars) if isinstance(each, Document)]
    parts = parted(documents, given.data, given.design, given.questions, given.seed)
    given.work.mkdir(parents=True, exist_ok=True)
    texts = given.work / "texts"
    change = Change(documents, collate=Passages(heading=False), corpora={"medquad": "MedQuAD"})
    change_index(texts, change, bars)
    index = Index.open(texts)
    with kg.connect(str(given.home / "graph.lbug")) as store:
        stamp = store.stamp()
        state(
            given.work,
            {
                "index": index.manifest.checksum,
                "graph": stamp.checksum if stamp else None,
                "parts": [given.seed, given.design, given.questions],
                "models": [given.encoder, given.bertscore],
            },
        )
        linker = Linker.of_store(store, given.work / "linking", progress=bars)
        finder = Finder(store, linker, index, {EXTRACTIVE: Extractive()})
        cases = {
            name: find_cases(asked, finder, given.work / name, bars)
            for name, asked in parts.items()
        }
    designed = design(parts["design"], cases["design"])
    if given.fit:
        sys.stdout.write(json.dumps(json_of(designed), indent=1) + "\n")
        return
    model = None if given.encoder == "none" else SentenceModel.find(given.encoder)

    def rows(name: str, asked: Sequence[GoldQuestion], bert: BertScore | None) -> list[Row]:
        judges = Judges(given.work, model, bert)
        return measure(
            asked,
            cases[name],
            judges,
            given.work / name,
            weights=WEIGHTS,
            seed=given.seed,
            progress=bars,
        )

    tested = rows("test", parts["test"], None)
    bert = BertScore(given.bertscore) if given.bertscore else None
    chronic = rows("chronic", parts["chronic"], bert)
    present = ranks(retrieve(parts["test"], index, "bm25", given.work / "test", bars))
    summaries = {
        "test": summarise(tested, seed=given.seed),
        "chronic": summarise(chronic, seed=given.seed),
    }
    _write(given, designed, summaries["test"], tested)
    text = page(
        designed,
        {"test": tested, "chronic": chronic},
        summaries,
        {"bm25": present},
        models=(given.encoder, given.bertscore),
        seed=given.seed,
    )
    if given.write:
        given.write.write_text(text, encoding="utf-8")
        draw_figure(tested, given.write.parent / "pictures" / "answers.png")
    else:
        sys.stdout.write(text)


def _write(
    given: argparse.Namespace, designed: Designed, summary: object, rows: Sequence[Row]
) -> None:
    """All figures, and the answers that they are of."""
    told = {"design": json_of(designed), "summary": json_of(summary), "questions": len(rows)}
    (given.work / "report.json").write_text(json.dumps(told, indent=1), "utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.experiments.selection", description=__doc__
    )
    parser.add_argument("home", type=Path, help="of a build of tests/everything")
    parser.add_argument("data", type=Path, help="the public data")
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="keeps results")
    parser.add_argument("--questions", type=int, default=1000, help="(default: 1000)")
    parser.add_argument("--design", type=int, default=700, help="for the design (default: 700)")
    parser.add_argument("--encoder", default="minilm", help="of STS (default: minilm)")
    parser.add_argument(
        "--bertscore",
        metavar="MODEL",
        help="of BERTScore, which takes long: chronic diseases only",
    )
    parser.add_argument("--fit", action="store_true", help="only fit the weights")
    parser.add_argument("--threads", type=int, default=2, help="(default: 2)")
    parser.add_argument("--seed", type=int, default=0, help="of all draws (default: 0)")
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page, as Markdown")
    return parser.parse_args()


if __name__ == "__main__":
    main()
