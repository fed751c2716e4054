"""Runs experiments: medkg on every gold set, and its rivals on a sample of some."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Final

from kg.linking import Linker
from kg.linking.evaluation import EvaluatedLinker, Evaluation, evaluate
from kg.linking.gold import Gold
from tests.experiments.linking.experiment import Experiment, seeded
from tests.experiments.linking.rivals import rivals

MEDKG: Final = "medkg"

_COMPARED: Final = frozenset(
    {"all", "synonyms and no entity", "one typo", "two typos", "word order"}
)
"""Gold sets on a sample of which the rivals are run."""


@dataclass(frozen=True)
class Result:
    """One linker on one gold set."""

    experiment: str
    gold: str
    linker: str
    evaluation: Evaluation
    seconds: float
    """A mention or text."""


@dataclass(frozen=True)
class Ran:
    """All results of one experiment."""

    experiment: str
    remarks: tuple[str, ...]
    names: int
    thresholds: Mapping[str, float]
    """By language, of the scorer used."""
    whole: tuple[Result, ...]
    """medkg on whole gold sets."""
    sample: tuple[Result, ...]
    """medkg and its rivals on samples."""


def run(experiments: Iterable[Experiment], work: Path, seed: int, sample: int) -> Iterator[Ran]:
    """Run them one after another.

    Args:
        experiments: made when their turn comes.
        work: their files are left there.
        seed: of the samples.
        sample: mentions in a sample; 0: no rivals.
    """
    for experiment in experiments:
        _tell(f"{experiment.name} ...")
        folder = work / "".join(c if c.isalnum() else "-" for c in experiment.name.lower())
        written = experiment.write(folder)
        names = written.names()
        linker = Linker.of_names(names)
        golds = dict(written.sets())
        whole = tuple(_result(experiment, name, MEDKG, linker, g) for name, g in golds.items())
        for result in whole:
            path = folder / f"{result.gold.replace(' ', '-')}.evaluation.json"
            path.write_text(result.evaluation.model_dump_json(indent=1) + "\n", "utf-8")
        compared = {
            name: _sampled(gold, sample, seeded(name, seed))
            for name, gold in golds.items()
            if name in _COMPARED and sample
        }
        linkers: dict[str, EvaluatedLinker] = {MEDKG: linker}
        if compared:
            linkers |= rivals(names)
        yield Ran(
            experiment.name,
            experiment.remarks,
            len(names),
            dict(linker.index.thresholds[linker.options.scorer]),
            whole,
            tuple(
                _result(experiment, name, by, each, gold)
                for name, gold in compared.items()
                for by, each in linkers.items()
            ),
        )


def _result(
    experiment: Experiment, name: str, by: str, linker: EvaluatedLinker, gold: Gold
) -> Result:
    begun = perf_counter()
    evaluation = evaluate(linker, gold)
    seconds = (perf_counter() - begun) / len(gold.texts)
    _tell(f"  {name}: {by}, {len(gold.texts):,} lines, {seconds * 1e3:.1f} ms each")
    return Result(experiment.name, name, by, evaluation, seconds)


def _sampled(gold: Gold, count: int, random: Random) -> Gold:
    texts = random.sample(gold.texts, min(count, len(gold.texts)))
    return gold.model_copy(update={"texts": tuple(texts), "name": f"a sample of {gold.name}"})


def _tell(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
