"""Small graphs with something to learn, and models of them that are trained in a moment."""

from pathlib import Path
from typing import Any

import torch
from pykeen.models import ERModel

from kg.embeddings.artifact import Card, SplitSizes
from kg.embeddings.models import make_model
from kg.embeddings.recipe import Recipe
from kg.embeddings.split import split_triples
from kg.embeddings.training import Trained, train
from kg.embeddings.triples import Split, Triples
from tests.kg.embeddings.conftest import make_triples

torch.set_num_threads(1)

DISEASES, SYMPTOMS = 20, 10


def clinic() -> Triples:
    """Diseases D:…, each with three symptoms S:…, in a tree; an entity's name is its id's word."""
    facts = [
        f"D:{at:02} HAS_SYMPTOM S:{symptom % SYMPTOMS:02}"
        for at in range(DISEASES)
        for symptom in (at, at + 1, at + 5)
    ]
    tree = [f"D:{at:02} IS_A D:{at // 2:02}" for at in range(1, DISEASES)]
    found = make_triples(*facts, *tree)
    ids = found.entities.ids
    types = tuple("Disease" if each.startswith("D") else "Symptom" for each in ids)
    names = tuple(each.replace("D:", "disease ").replace("S:", "symptom ") for each in ids)
    return Triples(type(found.entities)(ids, types, names), found.relations, found.rows)


def clinic_split(valid: float = 0.1, test: float = 0.1) -> Split:
    return split_triples(clinic(), valid, test, 0)


def recipe(model: str = "complex", **changes: Any) -> Recipe:  # noqa: ANN401 - of any field
    """One by which a model learns the clinic in a second."""
    plain: dict[str, Any] = {"dim": 16, "batch": 16, "epochs": 12, "evaluate_every": 4}
    plain |= {"learning_rate": 0.02}
    if model in {"complex", "distmult"}:
        plain["arguments"] = {"regularizer": None}
    return Recipe(model=model, **(plain | changes))


def fresh(of: Recipe, graph: Split | None = None, seed: int = 1) -> ERModel:
    """A model before training."""
    graph = graph or clinic_split()
    return make_model(of, graph.train, len(graph.entities), len(graph.relations), seed)


def trained(of: Recipe, folder: Path, graph: Split | None = None, seed: int = 0) -> Trained:
    return train(graph or clinic_split(), of, seed, folder, device="cpu")


def card_of(graph: Split, of: Recipe, **changes: Any) -> Card:  # noqa: ANN401 - of any field
    fields: dict[str, Any] = {
        "name": "small",
        "data": "a test",
        "data_checksum": graph.checksum,
        "entities": len(graph.entities),
        "relations": len(graph.relations),
        "split": SplitSizes(train=len(graph.train), valid=len(graph.valid), test=len(graph.test)),
        "recipe": of,
        "seed": 0,
        "history": (),
        "best_epoch": None,
        "versions": {},
    }
    return Card.model_validate(fields | changes)
