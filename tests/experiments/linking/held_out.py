"""Synonyms taken out of a table of names, to be linked back to their entities."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

from kg.text import normalise
from tests.experiments.linking.experiment import Experiment, Line, seeded, whole
from tests.experiments.linking.vocabularies import (
    Entity,
    diseases_in_chinese,
    doid,
    efo,
    hpo,
    lay_names,
    mondo,
    names_table,
)

_REMOVED: Final = 0.1
"""Of the entities, whole."""
_HELD_OUT: Final = 0.2
"""Of the synonyms of the others."""

_VOCABULARIES: Final[dict[str, Callable[[Path], list[Entity]]]] = {
    "MONDO": mondo,
    "DOID": doid,
    "HPO": hpo,
    "EFO": efo,
    "Chinese diseases": diseases_in_chinese,
}


def held_out_synonyms(data: Path, seed: int) -> Iterator[Experiment]:
    """20 % of the synonyms of entities with two names at least, and 10 % of all entities."""
    for name, read in _VOCABULARIES.items():
        yield split(f"{name}, held-out synonyms", read(data), seeded(name, seed))


def lay_synonyms(data: Path, seed: int) -> Iterator[Experiment]:
    """HPO's lay names: a fifth of them taken out, or all."""
    entities = hpo(data)
    lay: dict[str, set[str]] = defaultdict(set)
    for term, name in lay_names(data):
        lay[term].add(normalise(name))
    for title, share in (("a fifth", _HELD_OUT), ("all", 1.0)):
        random = seeded("lay", seed)
        out = {
            (e.id, name)
            for e in entities
            for name in e.names[1:]
            if normalise(name) in lay[e.id] and random.random() < share
        }
        yield _without(f"HPO, {title} of the lay names held out", entities, out, ())


def split(name: str, entities: Sequence[Entity], random: Random) -> Experiment:
    """Entities and synonyms taken out of a vocabulary by chance."""
    removed = {e.id for e in entities if random.random() < _REMOVED}
    out = {
        (e.id, synonym)
        for e in entities
        if e.id not in removed
        for synonym in dict.fromkeys(e.names[1:])
        if synonym != e.names[0] and random.random() < _HELD_OUT
    }
    return _without(name, entities, out, removed)


def _without(
    name: str, entities: Sequence[Entity], out: set[tuple[str, str]], removed: Iterable[str]
) -> Experiment:
    """The vocabulary without those, and those that are then no exact name as gold lines."""
    gone = set(removed)
    kept = [
        replace(e, names=tuple(name for name in e.names if (e.id, name) not in out))
        for e in entities
        if e.id not in gone
    ]
    bearers: dict[str, set[str]] = defaultdict(set)
    for e in kept:
        for each in e.names:
            bearers[normalise(each)].add(e.id)
    held: dict[str, set[str]] = defaultdict(set)
    for id_, synonym in out:
        held[normalise(synonym)].add(id_)
    of_type = {e.id: e.type for e in entities}
    lines = [
        whole(synonym, held[normalise(synonym)], of_type[id_])
        for id_, synonym in sorted(out)
        if normalise(synonym) and not bearers[normalise(synonym)]
    ]
    gone_lines = _gone(entities, gone, bearers, held)
    same = len(out) - len(lines)
    return Experiment(
        name,
        names_table(kept),
        {"synonyms": lines, **({"synonyms and no entity": lines + gone_lines} if gone else {})},
        (f"{same:,} of {len(out):,} held-out synonyms are still a name and were left out",),
    )


def _gone(
    entities: Sequence[Entity],
    gone: set[str],
    bearers: dict[str, set[str]],
    held: dict[str, set[str]],
) -> list[Line]:
    """The preferred names of what was removed, unless something else goes by them."""
    return [
        whole(e.names[0], (), e.type)
        for e in entities
        if e.id in gone
        and not bearers.get(normalise(e.names[0]))
        and not held.get(normalise(e.names[0]))
    ]
