"""Hyperparameter search: Optuna, within the ranges that PyKEEN gives a model.

The search is kept in an SQLite file, so that one that was stopped can be resumed, and Optuna's own
tools can read its trials.
"""

import hashlib
import json
import shutil
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import optuna
from optuna.trial import TrialState
from pykeen.hpo.hpo import suggest_kwargs

from kg.embeddings.checkpoints import Epoch
from kg.embeddings.memory import TooLittleMemoryError
from kg.embeddings.models import usable_device
from kg.embeddings.objectives import takes_smoothing
from kg.embeddings.recipe import Recipe, model_class
from kg.embeddings.training import train
from kg.embeddings.triples import Split
from kg.errors import EmbeddingError
from kg.progress import Progress, Silent
from kg.stores.disk import disk_errors

_SILENT: Final = Silent()
_PLACE: Final = "place"
"""Attribute of a trial: its number in the search, from 0; one that is repeated keeps it."""
_ERROR: Final = "error"
"""Attribute of a trial that failed."""
_AGAIN: Final = "again"
"""Attribute of a trial that failed for lack of memory, of which there may be more next time."""
_DONE: Final = (TrialState.COMPLETE, TrialState.PRUNED)
_BATCHES: Final = (64, 128, 256, 512, 1024)


def search(
    split: Split,
    recipe: Recipe,
    trials: int,
    seed: int,
    folder: Path,
    *,
    device: str | None = None,
    progress: Progress = _SILENT,
) -> Recipe:
    """Search for the recipe with the highest validation MRR.

    Varied are learning rate, batch, length of vectors, the arguments of the model that PyKEEN has
    ranges for, and label smoothing in 1-N scoring where the loss takes it. A trial that stays
    below the median of those before it is stopped early. One that failed for lack of memory is
    repeated by the next search of this folder.

    Args:
        split: its validation triples decide.
        recipe: everything that is not varied.
        trials: how many in all, those of earlier searches of this folder counted.
        seed: of the search and of each training.
        folder: gets ``search.sqlite`` and ``search.json``.
        device: of PyTorch; None: CUDA if it is available.
        progress: shown meanwhile, in trials.

    Raises:
        EmbeddingError: PyKEEN has no such model, there is no such device, or no trial was
            completed.
        StoreError: the folder cannot be written.
    """
    model_class(recipe.model)
    device = usable_device(device)
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    optuna.logging.set_verbosity(optuna.logging.CRITICAL)  # it would show each failed trial whole
    study = _study(split, recipe, seed, folder)
    validation_mrr = _ValidationMRR(split, recipe, seed, folder, device)
    with progress.step("Searching", trials) as advance:
        done = {place for place, trial in _ended(study).items() if _AGAIN not in trial.user_attrs}
        left = [place for place in range(trials) if place not in done]
        advance(trials - len(left))
        for place in left:
            study.sampler = optuna.samplers.TPESampler(seed=_trial_seed(seed, place))
            study.optimize(partial(validation_mrr, place), n_trials=1, catch=(EmbeddingError,))
            _write(study, folder / "search.json")
            advance(1)
    _write(study, folder / "search.json")
    ended = _ended(study).values()
    if not any(trial.state == TrialState.COMPLETE for trial in ended):
        first = next(iter(ended)).user_attrs[_ERROR]
        raise EmbeddingError(
            f"{folder}: none of {trials} trials was completed ('search.json' there has all); the "
            f"error of the first: {first}"
        )
    return recipe.changed(study.best_trial.user_attrs["recipe"])


def _study(split: Split, recipe: Recipe, seed: int, folder: Path) -> optuna.Study:
    """The study of this search; the file may have those of others."""
    key = f"{split.checksum} {recipe.model_dump_json()} {seed}"
    return optuna.create_study(
        study_name=f"{recipe.model} {hashlib.sha256(key.encode()).hexdigest()[:12]}",
        storage=f"sqlite:///{folder / 'search.sqlite'}",
        direction="maximize",
        pruner=optuna.pruners.MedianPruner(n_startup_trials=5),
        load_if_exists=True,
    )


def _ended(study: optuna.Study) -> dict[int, optuna.trial.FrozenTrial]:
    """Trials that were completed, pruned or failed, by number; not those that were interrupted.

    Of one that was repeated, the last.
    """
    ended = {
        trial.user_attrs[_PLACE]: trial
        for trial in study.trials
        if _PLACE in trial.user_attrs and (trial.state in _DONE or _ERROR in trial.user_attrs)
    }
    return dict(sorted(ended.items()))


def _trial_seed(seed: int, place: int) -> int:
    """A seed for one trial, so that a resumed search samples as one that was not stopped."""
    return int(np.random.SeedSequence([seed, place]).generate_state(1)[0])


@dataclass(frozen=True)
class _ValidationMRR:
    """Optuna's objective: trains by a varied recipe; the MRR on the validation triples."""

    split: Split
    recipe: Recipe
    seed: int
    folder: Path
    device: str

    def __call__(self, place: int, trial: optuna.Trial) -> float:
        trial.set_user_attr(_PLACE, place)
        recipe = self._varied(trial)
        trial.set_user_attr("recipe", recipe.model_dump(mode="json"))
        checkpoint = self.folder / f"trial-{trial.number}"

        def report(epoch: Epoch) -> None:
            if epoch.mrr is not None:
                trial.report(epoch.mrr, epoch.epoch)
                if trial.should_prune():
                    raise optuna.TrialPruned

        shutil.rmtree(checkpoint, ignore_errors=True)
        try:
            trained = train(
                self.split, recipe, self.seed, checkpoint, device=self.device, on_epoch=report
            )
        except EmbeddingError as e:
            trial.set_user_attr(_ERROR, str(e))
            if isinstance(e, TooLittleMemoryError):
                trial.set_user_attr(_AGAIN, True)
            raise
        finally:
            shutil.rmtree(checkpoint, ignore_errors=True)
        return (trained.best.mrr or 0.0) if trained.best else 0.0

    def _varied(self, trial: optuna.Trial) -> Recipe:
        ranges = dict(model_class(self.recipe.model).hpo_default)
        ranges.pop("embedding_dim", None)
        changes: dict[str, Any] = {
            "learning_rate": trial.suggest_float("learning_rate", 1e-4, 0.3, log=True),
            "batch": trial.suggest_categorical("batch", _BATCHES),
            "dim": trial.suggest_int("dim", 32, 256, step=32),
            "arguments": dict(suggest_kwargs(trial, "arguments", ranges, self.recipe.arguments)),
        }
        if self.recipe.negatives is None and takes_smoothing(self.recipe):
            changes["label_smoothing"] = trial.suggest_float("label_smoothing", 0.0, 0.2)
        return self.recipe.changed(changes)


def _write(study: optuna.Study, path: Path) -> None:
    """Write the trials that ended, in their order."""
    rows = [
        {
            "trial": place,
            "state": trial.state.name.lower(),
            "mrr": trial.value,
            "epochs": max(trial.intermediate_values, default=None),
            "recipe": trial.user_attrs.get("recipe"),
            "error": trial.user_attrs.get(_ERROR),
        }
        for place, trial in _ended(study).items()
    ]
    with disk_errors(path):
        path.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
