"""A small graph, and a model of it that was trained for a moment."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest

import kg
from ingest.merge import MergeConfig, merge
from kg.embeddings.artifact import Artifact, Card, SplitSizes
from kg.embeddings.reading import read_store
from kg.embeddings.recipe import Recipe
from kg.embeddings.training import train
from kg.embeddings.triples import Split
from kg.linking import Linker
from kg.progress import Silent
from kg.stores.store import Store
from tests.conftest import CommandLine
from tests.ingest.rows import fact, said, write_assertions

ROWS = [
    said("MONDO:1", "HAS_NAME", "gout"),
    said("MONDO:1", "HAS_NAME", "痛风", language="zh"),
    said("MONDO:2", "HAS_NAME", "asthma"),
    said("MONDO:5", "HAS_NAME", "lung cancer"),
    said("MONDO:6", "HAS_NAME", "hereditary ataxia"),
    said("MONDO:7", "HAS_NAME", "nicotine dependence"),
    said("MONDO:7", "HAS_SYNONYM", "smoking"),
    said("HP:9", "HAS_NAME", "Fever", head_type="Symptom"),
    said("HP:9", "HAS_NAME", "发热", head_type="Symptom", language="zh"),
    fact("MONDO:1", "HAS_SYMPTOM", "HP:1", tail_name="Arthritis", frequency=0.4),
    fact("MONDO:1", "HAS_SYMPTOM", "HP:9", frequency=0.9),
    fact("MONDO:2", "HAS_SYMPTOM", "HP:9", frequency=0.1),
    fact("MONDO:2", "HAS_SYMPTOM", "HP:2", tail_name="Wheezing"),
    fact("MONDO:1", "CAUSED_BY", "HP:3", tail_name="Hyperuricemia"),
    fact("MONDO:1", "TREATED_BY", "MEDKG:p", tail_type="Procedure", tail_name="Icing"),
    fact("MONDO:1", "TREATED_BY", "DRUGBANK:1", tail_type="Drug", tail_name="Allopurinol"),
    fact(
        "DRUGBANK:3",
        "INDICATED_FOR",
        "MONDO:1",
        head_type="Drug",
        head_name="Colchicine",
        tail_type="Disease",
    ),
    fact("MONDO:5", "HAS_RISK_FACTOR", "MEDKG:e", tail_type="Exposure", tail_name="Smoking"),
    fact("MONDO:5", "CAUSED_BY", "MEDKG:e", tail_type="Exposure"),
    fact("MONDO:1", "HAS_INHERITANCE", "HP:7", tail_type="Inheritance", tail_name="Recessive"),
    fact(
        "NCBIGene:9",
        "ASSOCIATED_WITH",
        "MONDO:1",
        head_type="Gene",
        head_name="WAS",
        tail_type="Disease",
    ),
    said("MONDO:8", "HAS_NAME", "arthropathy"),
    said("MONDO:9", "HAS_NAME", "septic arthritis"),
    fact("MONDO:1", "IS_A", "MONDO:8", tail_type="Disease"),
    fact("MONDO:9", "IS_A", "MONDO:8", tail_type="Disease"),
    fact("MONDO:9", "HAS_SYMPTOM", "HP:1"),
    fact("MONDO:8", "HAS_SYMPTOM", "HP:4", tail_name="Swelling"),
]


@pytest.fixture
def cli(cli_here: CommandLine) -> CommandLine:
    return cli_here


@pytest.fixture(scope="session")
def triple_graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """File of the graph."""
    folder = tmp_path_factory.mktemp("triples")
    path = write_assertions(folder / "s.parquet", "s", ROWS)
    config = MergeConfig(assertions={"s": path}, made_by="a test")
    result = merge(config, Path(mkdtemp(dir=folder)), Silent())
    with kg.connect(str(folder / "g.lbug")) as graph:
        graph.load(result.tables)
    return folder / "g.lbug"


@pytest.fixture
def triple_store(triple_graph: Path) -> Iterator[Store]:
    with kg.connect(str(triple_graph)) as store:
        yield store


@pytest.fixture(scope="session")
def triple_linker(triple_graph: Path) -> Linker:
    with kg.connect(str(triple_graph)) as store:
        return Linker.of_store(store)


@pytest.fixture(scope="session")
def triple_model(triple_graph: Path, tmp_path_factory: pytest.TempPathFactory) -> Artifact:
    """A model that has learned the small graph by heart; in no folder yet."""
    with kg.connect(str(triple_graph)) as store:
        triples = read_store(store)
    none = np.empty((0, 3), dtype=np.int64)
    split = Split(triples.entities, triples.relations, triples.rows, none, none)
    recipe = Recipe(model="complex", dim=16, epochs=60, learning_rate=0.05, batch=8)
    trained = train(split, recipe, 0, tmp_path_factory.mktemp("model"), device="cpu")
    card = Card(
        name="small",
        data="a test",
        data_checksum=split.checksum,
        entities=len(split.entities),
        relations=len(split.relations),
        split=SplitSizes(train=len(triples), valid=0, test=0),
        recipe=recipe,
        seed=0,
        history=trained.history,
        best_epoch=None,
        versions={},
    )
    return Artifact(Path(), card, split, trained.model)
