"""Training: what is kept, what goes on after a kill, and what is refused."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from pykeen.models import ERModel

from kg.embeddings.checkpoints import State, read_state
from kg.embeddings.memory import check_step, memory_errors
from kg.embeddings.metrics import summarise
from kg.embeddings.objectives import step_form
from kg.embeddings.ranking import rank
from kg.embeddings.reading import read_split
from kg.embeddings.recipe import FEW, Recipe, good, paper
from kg.embeddings.scoring import ModelScorer, RelationFrequency, weights
from kg.embeddings.split import split_triples
from kg.embeddings.training import Trained, train
from kg.errors import EmbeddingError
from tests.kg.embeddings.conftest import make_triples
from tests.kg.embeddings.small import clinic_split, fresh, recipe, trained

SLOWLY = """
import sys, time
from pathlib import Path
from kg.embeddings.recipe import Recipe
from tests.kg.embeddings.small import clinic_split
from kg.embeddings.training import train

def on_epoch(epoch):
    print(epoch.epoch, flush=True)
    time.sleep(0.05)

of = Recipe.model_validate_json(sys.argv[1])
train(clinic_split(), of, 0, Path(sys.argv[2]), device="cpu", on_epoch=on_epoch)
"""


def same(one: ERModel, other: ERModel) -> bool:
    theirs = other.state_dict()
    return all(torch.equal(value, theirs[name]) for name, value in one.state_dict().items())


def course(found: Trained) -> list[dict[str, Any]]:
    return [epoch.model_dump(exclude={"seconds"}) for epoch in found.history]


@pytest.mark.parametrize(
    "of",
    [
        recipe("conve", dropout=0.1, loss="bcewithlogits", label_smoothing=0.1),
        recipe("complex", negatives=6, optimizer="adagrad", schedule="linear"),
        recipe("compgcn", epochs=4),
        recipe("rescal", epochs=4),
    ],
    ids=lambda of: of.model,
)
def test_a_training_that_is_gone_on_with_is_that_which_was_never_stopped(
    of: Recipe, tmp_path: Path
) -> None:
    class StopError(Exception):
        pass

    def stop(epoch: Any) -> None:  # noqa: ANN401 - as training tells
        if epoch.epoch == of.epochs - 1:
            raise StopError

    with pytest.raises(StopError):
        train(clinic_split(), of, 0, tmp_path / "stopped", device="cpu", on_epoch=stop)
    whole, gone_on = (trained(of, tmp_path / name) for name in ("whole", "stopped"))
    assert same(whole.model, gone_on.model)
    assert course(whole) == course(gone_on)
    assert not same(whole.model, trained(of, tmp_path / "other", seed=1).model)


def test_a_training_that_was_killed_ends_as_that_which_was_not(tmp_path: Path) -> None:
    of = recipe("conve", epochs=60, evaluate_every=2, patience=60)
    root = str(Path(__file__).parents[3])
    with subprocess.Popen(
        [sys.executable, "-c", SLOWLY, of.model_dump_json(), tmp_path / "killed"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": root, "PYTHONHASHSEED": "7"},
    ) as process:
        assert process.stdout
        for line in process.stdout:
            if int(line) >= 7:
                process.send_signal(signal.SIGKILL)
                break
        process.wait()
    assert process.returncode == -signal.SIGKILL
    state = read_state(tmp_path / "killed")
    assert state is not None
    assert 6 <= len(state.history) < 60
    whole, gone_on = (trained(of, tmp_path / name) for name in ("whole", "killed"))
    assert same(whole.model, gone_on.model)
    assert course(whole) == course(gone_on)


def test_a_kill_between_two_renames_loses_nothing(tmp_path: Path) -> None:
    of = recipe(epochs=8)
    whole = trained(of, tmp_path / "run")
    (tmp_path / "run").rename(tmp_path / "run.old")
    (tmp_path / "run.partial").mkdir()
    (tmp_path / "run.partial" / "state.json").write_text("{")
    epochs: list[int] = []
    again = train(
        clinic_split(),
        of,
        0,
        tmp_path / "run",
        device="cpu",
        on_epoch=lambda e: epochs.append(e.epoch),
    )
    assert same(whole.model, again.model)
    assert epochs == [*range(1, 9)]


@pytest.mark.parametrize("other", ["recipe", "seed", "data"])
def test_a_folder_of_another_training_is_refused(other: str, tmp_path: Path) -> None:
    trained(recipe(epochs=4), tmp_path / "run")
    of, graph = recipe(epochs=4, dim=17 if other == "recipe" else 16), clinic_split()
    if other == "data":
        graph = clinic_split(valid=0.2)
    with pytest.raises(EmbeddingError, match=r"run: holds the checkpoint of another.*delete it"):
        trained(of, tmp_path / "run", graph, seed=1 if other == "seed" else 0)


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        (
            "state.json",
            "{",
            r"(?s)state\.json: is no state of a training run .*; delete .*run to train from the",
        ),
        (
            "weights.safetensors",
            "no",
            r"weights\.safetensors: does not have the weights .*; delete .*run to train from",
        ),
        (
            "best.safetensors",
            "no",
            r"best\.safetensors: does not have the weights .*; delete .*run to train from",
        ),
        (
            "optimiser.safetensors",
            "no",
            r"optimiser\.safetensors: does not have the state .*; delete .*run to train from",
        ),
    ],
)
def test_a_checkpoint_that_is_broken_is_refused(
    file: str, content: str, message: str, tmp_path: Path
) -> None:
    trained(recipe(epochs=4), tmp_path / "run")
    (tmp_path / "run" / file).write_text(content)
    with pytest.raises(EmbeddingError, match=message):
        trained(recipe(epochs=4), tmp_path / "run")


def test_a_checkpoint_is_on_the_disk_before_it_takes_the_place_of_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: set[int] = set()
    renamed, rename = [], Path.rename

    def checked(path: Path, target: Path) -> Path:
        renamed.append(path.name)
        assert {each.stat().st_ino for each in (path, *path.iterdir())} <= kept
        return rename(path, target)

    monkeypatch.setattr(os, "fsync", lambda handle: kept.add(os.fstat(handle).st_ino))
    monkeypatch.setattr(Path, "rename", checked)
    trained(recipe(epochs=8), tmp_path / "run")
    assert renamed == ["run.partial", "run", "run.partial"]
    assert tmp_path.stat().st_ino in kept


def test_nothing_in_a_checkpoint_is_pickled(tmp_path: Path) -> None:
    trained(recipe(epochs=4), tmp_path / "run")
    assert {path.suffix for path in (tmp_path / "run").iterdir()} == {".safetensors", ".json"}
    assert State.model_validate_json((tmp_path / "run" / "state.json").read_text()).history


def test_training_stops_when_validation_is_no_better_and_keeps_the_best(tmp_path: Path) -> None:
    of = recipe("complex", epochs=200, evaluate_every=2, patience=3, learning_rate=0.3)
    graph = clinic_split()
    found = trained(of, tmp_path / "run", graph)
    validated = [epoch for epoch in found.history if epoch.mrr is not None]
    assert found.best is not None
    assert found.best.mrr == max(epoch.mrr or 0 for epoch in validated)
    assert len(found.history) == found.best.epoch + 3 * 2 < 200
    reached = summarise(rank(ModelScorer(found.model), graph.valid, graph.known)).both.mrr
    assert reached == found.best.mrr


def test_without_validation_the_last_weights_are_kept(tmp_path: Path) -> None:
    graph = clinic_split()
    bare = type(graph)(
        graph.entities, graph.relations, graph.train, graph.valid[:0], graph.test[:0]
    )
    found = trained(recipe(epochs=5), tmp_path / "run", bare)
    assert found.best is None
    assert [epoch.mrr for epoch in found.history] == [None] * 5


def test_a_linear_schedule_falls_as_much_each_epoch(tmp_path: Path) -> None:
    found = trained(recipe(epochs=8, schedule="linear", patience=99), tmp_path / "run")
    rates = [epoch.learning_rate for epoch in found.history]
    assert rates == pytest.approx([0.02 * (8 - at) / 8 for at in range(8)])


def test_one_relation_is_enough(tmp_path: Path) -> None:
    facts = [f"a{at:02} NEXT a{(at + step) % 20:02}" for at in range(20) for step in (1, 2, 3)]
    graph = split_triples(make_triples(*facts), 0.1, 0.1, 0)
    found = trained(recipe(epochs=30), tmp_path / "run", graph)
    assert found.history[-1].loss < found.history[0].loss


# --- what cannot be ------------------------------------------------------------------------


def test_a_loss_that_is_no_number_stops_and_tells_epoch_and_rate(tmp_path: Path) -> None:
    of = recipe("transe", loss="mse", learning_rate=1e30, arguments={"entity_constrainer": None})
    with pytest.raises(
        EmbeddingError, match=r"of epoch 1 became infinite or NaN at learning rate 1e\+30; lower"
    ):
        trained(of, tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dim": 10**10}, r"more memory .*GiB are free\); lower --batch \(16\) or --dim \(1000"),
        ({"batch": 10**10}, r"more memory .*lower --batch \(1000.*sample negatives with --negat"),
        ({"model": "tucker", "batch": 10**9}, "more memory"),
        (
            {"batch": 10**10, "negatives": 20},
            r"more memory .*lower --batch \(1000.*or lower --negatives \(20\)",
        ),
    ],
)
def test_what_needs_more_memory_than_there_is_says_what_to_lower(
    changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(EmbeddingError, match=message):
        trained(recipe().changed(changes | {"arguments": {}}), tmp_path / "run")


@pytest.mark.parametrize(("regulariser", "fits"), [("lp", False), (None, True)])
def test_memory_is_asked_for_as_a_step_scores(
    regulariser: str | None, fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # four arrays of (batch, entities) take 480 MB; by PyKEEN two of (batch, entities, 16) more
    monkeypatch.setattr("kg.embeddings.memory._free", lambda _: 10**9)
    of = recipe("distmult", arguments={"regularizer": regulariser}, batch=10**6)
    model = fresh(of)
    assert (step_form(model) is not None) == fits
    if fits:
        check_step(of, model, 30)
    else:
        with pytest.raises(EmbeddingError, match="more memory"):
            check_step(of, model, 30)


def test_an_allocation_that_is_refused_says_what_to_lower() -> None:
    with pytest.raises(EmbeddingError, match="lower --batch"), memory_errors(recipe()):
        torch.empty(10**17)
    with pytest.raises(EmbeddingError, match="lower --batch"), memory_errors(recipe()):
        raise torch.OutOfMemoryError
    with pytest.raises(RuntimeError, match="size"), memory_errors(recipe()):
        torch.ones(2) @ torch.ones(3)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model": "complx"}, r"no model 'complx' .* nearest are complex"),
        ({"model": "rgcn", "arguments": {}}, r"RGCN cannot be made of triples alone"),
        (
            {"model": "distmultliteral", "arguments": {}},
            r"DistMultLiteral cannot be made of triples alone: it needs numbers of the entities",
        ),
        (
            {"model": "nodepiece", "arguments": {"interaction": 3}},
            r"interaction=3 is no name of an interaction of PyKEEN, such as distmult",
        ),
        ({"loss": "crossentropi"}, r"no loss 'crossentropi'; the nearest are crossentropy"),
        ({"loss": "nssa", "loss_arguments": {"margn": 1}}, r"nssa does not take \{'margn': 1\}"),
        ({"arguments": {"embeding_dim": 3}}, r"ComplEx takes no argument 'embeding_dim'; "),
        ({"arguments": {"entity_initialiser": "x"}}, r"the nearest are entity_initializer"),
        ({"arguments": {"entity_initializer": "x"}}, r"entity_initializer='x' and --dim 16 \("),
        ({"loss": "marginranking", "label_smoothing": 0.1}, "set --label-smoothing 0"),
        ({"model": "conve", "batch": 1, "arguments": {}}, "set --batch 2 or more"),
    ],
)
def test_what_pykeen_has_not_is_refused(
    changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(EmbeddingError, match=message):
        trained(recipe().changed(changes), tmp_path / "run")


def test_a_device_that_is_not_there_is_refused(tmp_path: Path) -> None:
    for device in ("gpu", "cuda:99"):
        with pytest.raises(EmbeddingError, match=rf"device '{device}' cannot be used .*--device"):
            train(clinic_split(), recipe(), 0, tmp_path / "run", device=device)


@pytest.mark.parametrize(
    ("field", "value"),
    [("dim", 0), ("learning_rate", -1), ("optimizer", "sgd"), ("label_smoothing", 1), ("x", 1)],
)
def test_a_recipe_refuses_what_a_field_cannot_be(field: str, value: object) -> None:
    with pytest.raises(EmbeddingError, match=rf"recipe for complex: {field} is .*another value"):
        recipe().changed({field: value})


@pytest.mark.parametrize("facts", [["a R b"], ["a R b", "c R d", "e S f"]])
def test_a_graph_of_which_nothing_can_be_spared_is_refused(facts: list[str]) -> None:
    with pytest.raises(EmbeddingError, match=r"can be spared .*; take more relations"):
        split_triples(make_triples(*facts), 0.1, 0.1, 0)


@pytest.mark.parametrize("entities", [FEW, FEW + 1])
@pytest.mark.parametrize("model", ["conve", "transe", "complex", "distmult"])
def test_a_preset_trains_by_the_closed_form(model: str, entities: int) -> None:
    for of in (good(model, entities), paper(model)):
        assert step_form(fresh(of)) is not None


def test_a_preset_is_found_by_any_spelling() -> None:
    for spelling in ("TransE", "trans-e", "TRANS_E"):
        assert good(spelling, 10) == good("transe", 10)
        assert paper(spelling) == paper("transe")
    assert good("Tuck-ER", 10).model == "tucker"
    with pytest.raises(EmbeddingError, match="no model 'transee'"):
        good("transee", 10)


@pytest.mark.parametrize("name", ["complex", "simple", "conve"])
def test_every_vector_starts_with_the_deviation_that_the_recipe_says(name: str) -> None:
    model, plain = fresh(recipe(name, init=1e-3)), fresh(recipe(name))
    for part in ("entity_representations", "relation_representations"):
        for table, before in zip(getattr(model, part), getattr(plain, part), strict=True):
            if table.shape:
                assert weights(table).std().item() == pytest.approx(1e-3, rel=0.3)
            else:  # a bias
                assert torch.equal(weights(table), weights(before))


def test_a_model_without_a_table_of_vectors_takes_no_deviation() -> None:
    with pytest.raises(
        EmbeddingError, match=r"CompGCN computes its vectors from others.*init=0\.001"
    ):
        fresh(recipe("compgcn", init=1e-3))


# --- real data -----------------------------------------------------------------------------


def test_umls_is_learned_far_better_than_relation_frequency(
    shared_data: Path, tmp_path: Path
) -> None:
    graph = read_split(shared_data / "kge" / "umls").split
    of = good("complex", len(graph.entities)).changed({"dim": 50, "epochs": 20})
    found = trained(of, tmp_path / "run", graph)
    ours = summarise(rank(ModelScorer(found.model), graph.test, graph.known)).both
    frequent = RelationFrequency(graph.train, len(graph.entities))
    theirs = summarise(rank(frequent, graph.test, graph.known)).both
    assert ours.mrr > max(0.85, theirs.mrr + 0.15)
