"""Noise on names that the table has."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from kg.text import normalise
from tests.experiments.linking.experiment import Experiment, Line, seeded, whole
from tests.experiments.linking.noise import NOISES, Noise
from tests.experiments.linking.vocabularies import Entity, hpo, mondo, names_table

_OF_EACH: Final = 1000
"""Mentions of each kind of noise."""


def noisy_names(data: Path, seed: int) -> Iterator[Experiment]:
    """1,000 names of MONDO and HPO with each kind of noise."""
    yield with_noise("MONDO and HPO, noisy names", [*mondo(data), *hpo(data)], NOISES, seed)


def with_noise(
    title: str, entities: Sequence[Entity], noises: Mapping[str, Noise], seed: int
) -> Experiment:
    """Names drawn by chance, each with one kind of noise; none that is then another's name."""
    bearers: dict[str, set[str]] = defaultdict(set)
    for e in entities:
        for name in e.names:
            bearers[normalise(name)].add(e.id)
    drawn = [(e.type, name) for e in entities for name in e.names]
    golds, clashes = {}, 0
    for kind, noise in noises.items():
        random = seeded(kind, seed)
        random.shuffle(drawn)
        lines: list[Line] = []
        for type_, name in drawn:
            changed = noise(name, random)
            ids = bearers[normalise(name)]
            if changed is None or changed == name:
                continue
            if not bearers.get(normalise(changed), ids) <= ids:
                clashes += 1
                continue
            lines.append(whole(changed, ids, type_))
            if len(lines) == _OF_EACH:
                break
        golds[kind] = lines
    said = f"{clashes:,} noisy names are another entity's name and were left out"
    return Experiment(title, names_table(entities), golds, (said,))
