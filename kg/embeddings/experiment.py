"""A whole experiment: one training per seed, evaluation, and the best model saved."""

import hashlib
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kg.embeddings.artifact import (
    Artifact,
    Card,
    SplitSizes,
    check_replaceable,
    save_artifact,
    versions,
)
from kg.embeddings.calibration import calibrate, measured_error
from kg.embeddings.candidates import Known
from kg.embeddings.checkpoints import Epoch
from kg.embeddings.models import usable_device
from kg.embeddings.ranking import rank
from kg.embeddings.recipe import Recipe
from kg.embeddings.report import Data, EvaluationReport, Leak, Measured, Run
from kg.embeddings.scoring import BASELINES, ModelScorer, Scorer
from kg.embeddings.split import split_triples
from kg.embeddings.training import Trained, train
from kg.embeddings.triples import Split, Triples
from kg.errors import EmbeddingError
from kg.progress import Progress, Silent

_SILENT: Final = Silent()

OnEpoch = Callable[[int, Epoch], None]
"""Called with the seed after each epoch."""


@dataclass(frozen=True)
class Source:
    """Where triples come from."""

    name: str
    """A file, or a graph with the relations and types chosen."""
    build_checksum: str | None = None
    """Of the tables that the graph was loaded from."""


@dataclass(frozen=True)
class Shares:
    """How triples are split."""

    valid: float
    test: float
    seed: int = 0


@dataclass(frozen=True)
class Experiment:
    """Everything that a training depends on besides the triples."""

    source: Source
    recipe: Recipe
    seeds: Sequence[int]
    folder: Path
    """Gets the model; until it is written, checkpoints are kept beside it."""
    device: str | None = None
    progress: Progress = _SILENT
    on_epoch: OnEpoch = lambda _seed, _epoch: None

    def run(self, split: Split, leak: Leak | None = None) -> tuple[Card, EvaluationReport]:
        """Train by each seed, measure on the test triples, and save the best model.

        The best has the highest validation MRR. An interrupted call is resumed by the same call.
        Nothing else may train into the folder meanwhile (``writer_lock``).

        Args:
            split: training, validation and test triples.
            leak: what was removed before the split.

        Raises:
            EmbeddingError: as ``train`` and ``save_artifact`` say.
            StoreError: the model or a checkpoint cannot be written.
        """
        check_replaceable(self.folder)
        trained = {seed: self._train(split, seed) for seed in self.seeds}
        report = self._report(split, trained, leak)
        card = self._save(split, trained, report)
        shutil.rmtree(self._checkpoints, ignore_errors=True)
        with suppress(OSError):
            self._checkpoints.parent.rmdir()  # unless another recipe's are there
        return card, report

    def measure_leak(self, triples: Triples, split: Split, shares: Shares, leak: Leak) -> Leak:
        """Train without and with the triples that leak, to say what they would add to the MRR.

        Args:
            triples: with everything that leaks.
            split: of the triples without it.
            shares: of the parts, as the split was made.
            leak: what was removed.

        Raises:
            EmbeddingError: as ``run`` says.
        """
        whole = split_triples(triples, shares.valid, shares.test, shares.seed)
        without, with_them = (
            _measured(
                self.recipe.model,
                ModelScorer(self._train(one, self.seeds[0]).model),
                one,
                Known.of(one.known),
                self.progress,
            ).overall
            for one in (split, whole)
        )
        return leak.model_copy(update={"without": without, "with_them": with_them})

    def _train(self, split: Split, seed: int) -> Trained:
        return train(
            split,
            self.recipe,
            seed,
            self._checkpoints / f"{split.checksum[:12]}-{seed}",
            device=self.device,
            progress=self.progress,
            on_epoch=lambda epoch: self.on_epoch(seed, epoch),
        )

    @property
    def _checkpoints(self) -> Path:
        """Folder of this recipe's checkpoints; a stopped training by another keeps its own."""
        key = hashlib.sha256(self.recipe.model_dump_json().encode()).hexdigest()[:12]
        return self.folder.with_name(f"{self.folder.name}.training") / key

    def _report(
        self, split: Split, trained: dict[int, Trained], leak: Leak | None
    ) -> EvaluationReport:
        known = Known.of(split.known)
        name = self.recipe.model
        runs = [
            Run(
                seed=seed,
                measured=_measured(name, ModelScorer(one.model), split, known, self.progress),
                history=one.history,
            )
            for seed, one in trained.items()
        ]
        return EvaluationReport(
            data=Data.of(split, self.source.name, split.checksum),
            leak=leak,
            recipe_name=name,
            recipe=self.recipe,
            runs=tuple(runs),
            baselines=_baselines(split, known, self.progress),
        )

    def _save(self, split: Split, trained: dict[int, Trained], report: EvaluationReport) -> Card:
        def validation_mrr(seed: int) -> float:
            epoch = trained[seed].best
            return (epoch.mrr or 0.0) if epoch else 0.0

        seed = max(trained, key=validation_mrr)
        best = trained[seed]
        scorer = ModelScorer(best.model)
        curves = calibrate(scorer, split, seed)
        card = Card(
            name=self.folder.name,
            data=self.source.name,
            data_checksum=split.checksum,
            build_checksum=self.source.build_checksum,
            entities=len(split.entities),
            relations=len(split.relations),
            split=SplitSizes(train=len(split.train), valid=len(split.valid), test=len(split.test)),
            recipe=self.recipe,
            seed=seed,
            history=best.history,
            best_epoch=best.best.epoch if best.best else None,
            report=report.model_dump(mode="json"),
            calibration={end: (curve.slope, curve.intercept) for end, curve in curves.items()},
            calibration_error=measured_error(curves, scorer, split, seed),
            versions=versions(),
        )
        return save_artifact(self.folder, card, split, best.model)


def evaluate(
    artifact: Artifact, device: str | None = None, progress: Progress = _SILENT
) -> EvaluationReport:
    """Measure a trained model again, on the test triples that it was saved with.

    Raises:
        EmbeddingError: it has none; there is no such device.
    """
    card, split = artifact.card, artifact.split
    if not len(split.test):
        raise EmbeddingError(
            f"{artifact.folder}: the model has no test triples; train it with --test above 0"
        )
    model = ModelScorer(artifact.model.to(usable_device(device)))
    known = Known.of(split.known)
    own = _measured(card.recipe.model, model, split, known, progress)
    return EvaluationReport(
        data=Data.of(split, card.data, card.data_checksum),
        recipe_name=card.recipe.model,
        recipe=card.recipe,
        runs=(Run(seed=card.seed, measured=own, history=card.history),),
        baselines=_baselines(split, known, progress),
    )


def _baselines(split: Split, known: Known, progress: Progress) -> dict[str, Measured]:
    return {
        name: _measured(name, make(split), split, known, progress)
        for name, make in BASELINES.items()
    }


def _measured(
    name: str, scorer: Scorer, split: Split, known: Known, progress: Progress
) -> Measured:
    ranks = rank(scorer, split.test, known, progress=progress, name=f"Ranking by {name}")
    return Measured.of(ranks, split)
