from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
from torch import Tensor

from kg.errors import RetrievalError
from kg.progress import Advance
from qa.finetuning import training
from qa.finetuning.pairs import Pair
from qa.finetuning.training import Recipe, batches, learning_rate, train, weights_checksum

RECIPE = Recipe(epochs=3, batch=4, learning_rate=1e-2, warmup=0.0)


def load(folder: Path) -> SentenceTransformer:
    return SentenceTransformer(str(folder), local_files_only=True, device="cpu")


class Killed(Exception):  # noqa: N818 - it stands for the end of the process
    pass


class KillAt:
    """Progress that ends the process after some steps."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator[Advance]:
        del name, total

        def advance(units: int) -> None:
            self._left -= units
            if self._left < 0:
                raise Killed

        yield advance


def test_training_brings_questions_nearer_to_their_own_passages(
    encoder_folder: Path, pairs: list[Pair], tmp_path: Path
) -> None:
    encoder = load(encoder_folder)
    recipe = RECIPE.model_copy(update={"epochs": 20})
    history = train(encoder, pairs, recipe, tmp_path / "training")
    assert [epoch.epoch for epoch in history] == list(range(1, 21))
    assert history[-1].loss < 0.5 * history[0].loss


def test_loss_of_a_step_is_that_of_sentence_transformers(
    encoder_folder: Path, pairs: list[Pair], tmp_path: Path
) -> None:
    recipe = RECIPE.model_copy(update={"epochs": 1, "batch": 8})
    [order] = batches(pairs, 8, recipe.seed, 1)
    encoder = load(encoder_folder)
    for module in encoder.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    loss = MultipleNegativesRankingLoss(encoder)
    columns: list[dict[str, Tensor]] = [
        encoder.preprocess([getattr(pairs[at], column) for at in order])
        for column in ("question", "passage")
    ]
    expected = loss(columns, torch.empty(0)).item()
    [epoch] = train(encoder, pairs, recipe, tmp_path / "training")
    assert epoch.loss == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("steps", [1, 2, 3, 5])
def test_resumed_training_ends_with_the_same_weights(
    encoder_folder: Path,
    pairs: list[Pair],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    steps: int,
) -> None:
    monkeypatch.setattr(training, "CHECKPOINT_SECONDS", -1.0)
    whole = load(encoder_folder)
    expected = train(whole, pairs, RECIPE, tmp_path / "whole")
    with pytest.raises(Killed):
        train(load(encoder_folder), pairs, RECIPE, tmp_path / "cut", progress=KillAt(steps))
    resumed = load(encoder_folder)
    history = train(resumed, pairs, RECIPE, tmp_path / "cut")
    assert weights_checksum(resumed) == weights_checksum(whole)
    assert weights_checksum(whole) != weights_checksum(load(encoder_folder))
    assert [epoch.loss for epoch in history] == [epoch.loss for epoch in expected]


def test_training_that_had_ended_is_not_done_again(
    encoder_folder: Path, pairs: list[Pair], tmp_path: Path
) -> None:
    first, second = load(encoder_folder), load(encoder_folder)
    history = train(first, pairs, RECIPE, tmp_path / "training")
    told: list[int] = []
    again = train(
        second, pairs, RECIPE, tmp_path / "training", on_epoch=lambda e: told.append(e.epoch)
    )
    assert again == history
    assert told == [1, 2, 3]
    assert weights_checksum(first) == weights_checksum(second)


def test_other_seed_gives_other_weights(
    encoder_folder: Path, pairs: list[Pair], tmp_path: Path
) -> None:
    found = set()
    for seed in (0, 1):
        encoder = load(encoder_folder)
        train(encoder, pairs, RECIPE.model_copy(update={"seed": seed}), tmp_path / str(seed))
        found.add(weights_checksum(encoder))
    assert len(found) == 2


def test_no_batch_has_a_text_twice_and_each_pair_comes_once() -> None:
    pairs = [Pair(question=f"q{n % 5}", passage=f"p{n % 7}") for n in range(35)]
    made = batches(pairs, 4, 0, 1)
    for batch in made:
        assert len({pairs[at].question for at in batch}) == len(batch)
        assert len({pairs[at].passage for at in batch}) == len(batch)
    places = [at for batch in made for at in batch]
    assert len(places) == len(set(places)) >= 30
    assert made != batches(pairs, 4, 0, 2)
    assert made == batches(pairs, 4, 0, 1)


def test_learning_rate_rises_and_falls() -> None:
    recipe = Recipe(learning_rate=1.0, warmup=0.25)
    assert [learning_rate(recipe, step, 8) for step in range(8)] == pytest.approx(
        [0.5, 1.0, 1.0, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6]
    )


def test_pairs_that_are_all_alike_are_too_few(encoder_folder: Path, tmp_path: Path) -> None:
    same = [Pair(question="q", passage=f"p{n}") for n in range(9)]
    with pytest.raises(
        RetrievalError, match=r"9 pairs are too few to train on; give at least two"
    ):
        train(load(encoder_folder), same, RECIPE, tmp_path / "training")


def test_checkpoint_of_another_training_is_refused(
    encoder_folder: Path, pairs: list[Pair], tmp_path: Path
) -> None:
    train(load(encoder_folder), pairs, RECIPE, tmp_path / "training")
    message = r"training: holds the checkpoint of another training .*; delete .* or train into"
    with pytest.raises(RetrievalError, match=message):
        train(load(encoder_folder), pairs[:-1], RECIPE, tmp_path / "training")
    with pytest.raises(RetrievalError, match=message):
        train(
            load(encoder_folder),
            pairs,
            RECIPE.model_copy(update={"seed": 1}),
            tmp_path / "training",
        )


def test_checkpoint_of_another_encoder_is_refused(
    encoder_folder: Path, pairs: list[Pair], tmp_path: Path
) -> None:
    train(load(encoder_folder), pairs, RECIPE, tmp_path / "training")
    other = load(encoder_folder)
    with torch.no_grad():
        next(other.parameters()).mul_(2)
    with pytest.raises(RetrievalError, match=r"another training \(another encoder, .*; delete"):
        train(other, pairs, RECIPE, tmp_path / "training")


@pytest.mark.parametrize("name", ["state.json", "weights.safetensors", "optimiser.safetensors"])
def test_broken_checkpoint_is_refused(
    encoder_folder: Path, pairs: list[Pair], tmp_path: Path, name: str
) -> None:
    train(load(encoder_folder), pairs, RECIPE, tmp_path / "training")
    (tmp_path / "training" / name).write_bytes(b"{")
    with pytest.raises(RetrievalError, match=r"delete .*training to train from the start"):
        train(load(encoder_folder), pairs, RECIPE, tmp_path / "training")


def test_loss_that_is_no_number_stops_the_training(
    encoder_folder: Path, pairs: list[Pair], tmp_path: Path
) -> None:
    recipe = RECIPE.model_copy(update={"learning_rate": 1e30, "epochs": 5})
    with pytest.raises(
        RetrievalError, match=r"became infinite or NaN at learning rate .*lower it"
    ):
        train(load(encoder_folder), pairs, recipe, tmp_path / "training")


def test_texts_longer_than_the_encoder_takes_are_refused(
    encoder_folder: Path, pairs: list[Pair], tmp_path: Path
) -> None:
    recipe = RECIPE.model_copy(update={"max_tokens": 33})
    message = r"the encoder takes 32 tokens of a text and not 33; give --max-tokens 32 or less"
    with pytest.raises(RetrievalError, match=message):
        train(load(encoder_folder), pairs, recipe, tmp_path / "training")
