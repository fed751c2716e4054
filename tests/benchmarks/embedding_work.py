"""Trains and measures embeddings, by medkg and by PyKEEN alone; each function in its own process."""

import logging
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch
from pykeen.evaluation import RankBasedEvaluator
from pykeen.models import model_resolver
from pykeen.training import LCWATrainingLoop, SLCWATrainingLoop
from pykeen.triples import CoreTriplesFactory

from kg.embeddings.candidates import Known
from kg.embeddings.metrics import summarise
from kg.embeddings.models import make_model
from kg.embeddings.ranking import rank
from kg.embeddings.reading import read_split
from kg.embeddings.recipe import Recipe, good
from kg.embeddings.scoring import ModelScorer
from kg.embeddings.split import split_triples
from kg.embeddings.training import train
from kg.embeddings.triples import Split, number
from kg.tables import GraphTables

LARGE: Final = Recipe(
    model="complex",
    arguments={"regularizer": None},
    dim=64,
    negatives=128,
    batch=8_192,
    epochs=1,
    optimizer="adagrad",
    learning_rate=0.1,
    init=1e-2,
)
"""For a graph of PrimeKG's size."""


def reach(folder: str, model: str) -> dict[str, float]:
    """Train a preset on a published split; its test MRR and the seconds of the training."""
    split = read_split(Path(folder), unseen="keep").split
    recipe = good(model, len(split.entities))
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as kept:
        trained = train(split, recipe, 0, Path(kept) / "run")
    seconds = time.perf_counter() - begun
    measured = summarise(rank(ModelScorer(trained.model), split.test, split.known)).both
    return {
        "mrr": measured.mrr,
        "hits_at_10": measured.hits_at_10,
        "seconds": seconds,
        "epochs": len(trained.history),
    }


def reach_by_pykeen(folder: str, model: str) -> dict[str, float]:
    """Train the same recipe by PyKEEN's own loop, as many epochs, and measure by its evaluator."""
    logging.disable(logging.WARNING)
    split = read_split(Path(folder), unseen="keep").split
    recipe = good(model, len(split.entities))
    factory = _factory(split, split.train)
    torch.manual_seed(0)
    made = model_resolver.make(
        model,
        triples_factory=factory,
        embedding_dim=recipe.dim,
        random_seed=0,
        loss=recipe.loss,
        **recipe.arguments,
    )
    optimiser = torch.optim.Adam(made.parameters(), lr=recipe.learning_rate)
    loop = LCWATrainingLoop(model=made, triples_factory=factory, optimizer=optimiser)
    begun = time.perf_counter()
    loop.train(
        factory,
        num_epochs=recipe.epochs,
        batch_size=recipe.batch,
        label_smoothing=recipe.label_smoothing,
        use_tqdm=False,
    )
    seconds = time.perf_counter() - begun
    found = _evaluate(made, split, split.test)
    return {
        "mrr": found.get_metric("both.realistic.inverse_harmonic_mean_rank"),
        "seconds": seconds,
    }


def train_large(tables: str, out: str) -> dict[str, float]:
    """One epoch over a graph of PrimeKG's size: triples a second."""
    split = _large(tables)
    trained = train(split, LARGE, 0, Path(out) / "run")
    return {
        "triples": len(split.train),
        "entities": len(split.entities),
        "per_second": len(split.train) / trained.history[0].seconds,
    }


def train_large_by_pykeen(tables: str, triples: int) -> float:
    """PyKEEN's default loop, one negative a triple, over some of the triples: triples a second."""
    logging.disable(logging.WARNING)
    split = _large(tables)
    factory = _factory(split, split.train[:triples], inverse=False)
    made = model_resolver.make(
        "complex", triples_factory=factory, embedding_dim=LARGE.dim, random_seed=0
    )
    optimiser = torch.optim.Adagrad(made.parameters(), lr=LARGE.learning_rate)
    loop = SLCWATrainingLoop(model=made, triples_factory=factory, optimizer=optimiser)
    begun = time.perf_counter()
    loop.train(factory, num_epochs=1, batch_size=LARGE.batch, use_tqdm=False)
    return triples / (time.perf_counter() - begun)


def rank_large(tables: str, triples: int, sample: int) -> dict[str, Any]:
    """Filtered ranks of both ends at PrimeKG's size: triples a second, and whether PyKEEN's."""
    split = _large(tables)
    model = make_model(LARGE, split.train[:1000], len(split.entities), len(split.relations), 0)
    known = Known.of(split.known)
    scorer = ModelScorer(model)
    begun = time.perf_counter()
    ranks = rank(scorer, split.test[:triples], known)
    seconds = time.perf_counter() - begun
    begun = time.perf_counter()
    theirs = _evaluate(model, split, split.test[:sample], batch=4)
    slow = time.perf_counter() - begun
    heads, tails = (np.concatenate(theirs.ranks[side, "realistic"]) for side in ("head", "tail"))
    own = ranks.realistic[:sample]
    return {
        "per_second": triples / seconds,
        "theirs": sample / slow,
        "equal": float((own == np.stack([heads, tails], axis=1)).mean()),
    }


def _large(folder: str) -> Split:
    """Every edge of graph tables; a thousandth is held out."""
    tables = GraphTables(Path(folder))
    parts = []
    for relation in tables.summary().edges:
        ends = pq.read_table(tables.edges(relation), columns=["head", "tail"])
        names = pa.array([relation] * len(ends))
        parts.append(pa.table({"head": ends["head"], "relation": names, "tail": ends["tail"]}))
    found = pa.concat_tables(parts)
    triples = number(*(found[name] for name in ("head", "relation", "tail")))
    return split_triples(triples, 0.0005, 0.0005, 0)


def _factory(split: Split, rows: Any, inverse: bool = True) -> CoreTriplesFactory:  # noqa: ANN401
    return CoreTriplesFactory(
        torch.from_numpy(rows),
        len(split.entities),
        len(split.relations),
        create_inverse_triples=inverse,
    )


def _evaluate(model: Any, split: Split, rows: Any, batch: int | None = None) -> Any:  # noqa: ANN401
    evaluator = RankBasedEvaluator(clear_on_finalize=False)
    found = evaluator.evaluate(
        model,
        torch.from_numpy(rows),
        batch_size=batch,
        use_tqdm=False,
        additional_filter_triples=[torch.from_numpy(split.known)],
    )
    return evaluator if batch else found
