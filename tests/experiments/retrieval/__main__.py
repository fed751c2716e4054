"""Measures the retriever before and after: ``python -m tests.experiments.retrieval DATA``."""

import argparse
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import torch
from sentence_transformers import SentenceTransformer

from kg.commands import Bars
from qa.finetuning.training import Recipe
from qa.index.models import SentenceModel
from tests.experiments.retrieval import fusion, run
from tests.experiments.retrieval.medquad import answered
from tests.experiments.retrieval.page import page


def main() -> None:
    """Measure what was not measured before, and write the page."""
    given = _arguments()
    torch.set_num_threads(given.threads)
    work, bars = given.work, Bars()
    work.mkdir(parents=True, exist_ok=True)
    parts = run.split(answered(given.data), given.seed)
    asked = run.sets(parts, given.data, given.seed)
    pairs = run.learned(parts, given.pairs, given.seed)
    recipe = Recipe(
        epochs=given.epochs,
        max_tokens=given.train_tokens,
        learning_rate=given.learning_rate,
        seed=given.seed,
    )
    results: dict[str, Any] = {}

    def once(name: str, measure: Callable[[], dict[str, Any]]) -> None:
        path = work / f"{name}.json"
        if not path.is_file():
            sys.stderr.write(f"{datetime.now(UTC):%H:%M:%S} {name} ...\n")
            draft = path.with_suffix(".draft")
            draft.write_text(json.dumps(measure(), indent=1), "utf-8")
            draft.replace(path)
        results[name] = json.loads(path.read_text("utf-8"))
        for kind, each in results[name].get("figures", {}).items():
            sys.stderr.write(f"  {name}, {kind}: {each}\n")

    def encoder() -> SentenceTransformer:
        loaded = SentenceModel.find(given.base, given.device).encoder
        loaded.max_seq_length = given.max_tokens
        return loaded

    def after(name: str) -> dict[str, Any]:
        loaded, folder = encoder(), work / name.replace(" ", "-").replace("'", "")
        took = run.tuned(loaded, pairs[name], recipe, folder, bars)
        loaded.max_seq_length = given.max_tokens
        cache = folder.with_name(f"{folder.name}-vectors")
        return run.by_encoder(loaded, asked, cache, given.vectors, bars) | took

    def fitted() -> dict[str, Any]:
        dev = run.of_medquad(parts, parts.dev, given.seed)
        test = [asked[0], asked[2]]
        cache = work / "untuned-vectors"
        return fusion.fit(encoder(), dev, test, cache, bars, numbers=given.vectors)

    once("BM25", lambda: run.by_words(asked))
    once(
        "untuned",
        lambda: run.by_encoder(encoder(), asked, work / "untuned-vectors", given.vectors, bars),
    )
    once("fusion", fitted)
    together = results.pop("fusion")
    for name in list(pairs)[: given.systems]:
        once(name, partial(after, name))
    command = "python -m tests.experiments.retrieval ../shared/data --work DIR"
    for option in (
        "systems",
        "pairs",
        "epochs",
        "train_tokens",
        "max_tokens",
        "learning_rate",
        "vectors",
    ):
        command += f" --{option.replace('_', '-')} {getattr(given, option)}"
    text = page(
        results,
        together,
        parts,
        asked,
        command=f"{command} --write docs/retrieval.md",
        seed=given.seed,
        threads=given.threads,
        vectors=given.vectors,
        tokens=given.max_tokens,
        model=SentenceModel.find(given.base).name,
    )
    if given.write:
        given.write.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.experiments.retrieval", description=__doc__
    )
    parser.add_argument("data", type=Path, help="the public data")
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="keeps results")
    parser.add_argument("--base", default="minilm", help="the encoder (default: minilm)")
    parser.add_argument("--pairs", type=int, default=3200, help="to train on (default: 3200)")
    parser.add_argument("--epochs", type=int, default=1, help="of training (default: 1)")
    parser.add_argument("--train-tokens", type=int, default=64, help="of a text (default: 64)")
    parser.add_argument("--max-tokens", type=int, default=128, help="in search (default: 128)")
    parser.add_argument(
        "--systems", type=int, choices=(1, 2), default=2, help="1: without template questions"
    )
    parser.add_argument("--learning-rate", type=float, default=5e-5, help="(default: 5e-5)")
    parser.add_argument("--vectors", default="float32", help="or bfloat16, half as slow on a CPU")
    parser.add_argument("--device", help="of PyTorch")
    parser.add_argument("--threads", type=int, default=2, help="(default: 2)")
    parser.add_argument("--seed", type=int, default=0, help="of the split and the training")
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page, as Markdown")
    return parser.parse_args()


if __name__ == "__main__":
    main()
