"""A whole experiment: one training a seed, the best kept, and what was stopped gone on with."""

from pathlib import Path

import pytest

from kg.embeddings.artifact import load_artifact
from kg.embeddings.checkpoints import Epoch
from kg.embeddings.experiment import Experiment, Source, evaluate
from kg.errors import EmbeddingError
from tests.kg.embeddings.small import clinic_split, recipe


def test_the_model_of_the_seed_that_is_best_on_validation_is_kept(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    experiment = Experiment(
        Source("clinic"),
        recipe("transe"),
        range(3, 6),
        tmp_path / "random",  # a name that a baseline has too
        device="cpu",
        on_epoch=lambda seed, epoch: seen.append((seed, epoch.epoch)),
    )
    card, report = experiment.run(clinic_split())
    best = {run.seed: max(epoch.mrr or 0 for epoch in run.history) for run in report.runs}
    assert list(best) == [3, 4, 5]
    assert best[card.seed] == max(best.values())
    assert seen[0] == (3, 1)
    assert seen[-1][0] == 5
    artifact = load_artifact(tmp_path / "random")
    again = evaluate(artifact, "cpu")
    own = next(run for run in report.runs if run.seed == card.seed)
    assert again.runs[0].measured == own.measured
    assert again.baselines == report.baselines
    assert set(card.calibration) == {"heads", "tails"}
    assert card.calibration_error is not None
    assert 0 <= card.calibration_error < 0.5


def test_an_experiment_that_was_stopped_goes_on(tmp_path: Path) -> None:
    def stop(seed: int, epoch: Epoch) -> None:
        if (seed, epoch.epoch) == (1, 6):
            raise KeyboardInterrupt

    def experiment(name: str) -> Experiment:
        return Experiment(Source("clinic"), recipe(), [0, 1], tmp_path / name, device="cpu")

    stopped = Experiment(
        Source("clinic"), recipe(), [0, 1], tmp_path / "parts", device="cpu", on_epoch=stop
    )
    with pytest.raises(KeyboardInterrupt):
        stopped.run(clinic_split())
    _, parts = experiment("parts").run(clinic_split())
    _, whole = experiment("whole").run(clinic_split())
    assert [run.measured for run in parts.runs] == [run.measured for run in whole.runs]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["parts", "whole"]


def test_a_folder_of_something_else_is_refused_before_anything_is_trained(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    seen: list[int] = []
    experiment = Experiment(
        Source("clinic"),
        recipe(),
        [0],
        tmp_path,
        "cpu",
        on_epoch=lambda seed, _: seen.append(seed),
    )
    with pytest.raises(EmbeddingError, match="holds something that is no model"):
        experiment.run(clinic_split())
    assert seen == []
    with pytest.raises(EmbeddingError, match="there is no trained model"):
        load_artifact(tmp_path)
