"""Chinese names: HPO's, in Traditional characters and misspelt, and what patients say."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from kg.text import normalise
from tests.experiments.linking.experiment import Experiment, Line, seeded, whole
from tests.experiments.linking.noisy import with_noise
from tests.experiments.linking.patients import SYMPTOMS, symptom_names
from tests.experiments.linking.vocabularies import (
    diseases_in_chinese,
    hpo,
    hpo_in_chinese,
    names_table,
)

_LONG: Final = 4
_REMOVED: Final = 0.1


def chinese_noise(data: Path, seed: int) -> Iterator[Experiment]:
    """HPO's Chinese names and those of a health site, written in other ways."""
    noises = {
        "Traditional": _converted("s2t"),
        "Traditional, Taiwan": _converted("s2tw"),
        "Traditional, Hong Kong": _converted("s2hk"),
        "one character left out": _left_out,
        "one character exchanged": _exchanged,
        "two characters traded": _traded,
    }
    yield with_noise("HPO in Chinese, noisy names", hpo_in_chinese(data), noises, seed)
    yield with_noise("Chinese diseases, noisy names", diseases_in_chinese(data), noises, seed)


def chinese_unknown(data: Path, seed: int) -> Iterator[Experiment]:
    """HPO in Chinese with a tenth of it taken out: abstaining is right."""
    random = seeded("HPO zh", seed)
    entities = hpo_in_chinese(data)
    gone = [e for e in entities if random.random() < _REMOVED]
    gone_ids = {e.id for e in gone}
    kept = [e for e in entities if e.id not in gone_ids]
    names = {normalise(name) for e in kept for name in e.names}
    lines = [whole(e.names[0], (), e.type) for e in gone if normalise(e.names[0]) not in names]
    yield Experiment("HPO in Chinese, a tenth taken out", names_table(kept), {"no entity": lines})


def patients_symptoms(data: Path, seed: int) -> Iterator[Experiment]:
    """What patients complain of in a dialogue data set, against HPO in Chinese."""
    del seed
    table = [*hpo(data), *hpo_in_chinese(data)]
    named = symptom_names(data)
    exact = {normalise(name) for e in table for name in e.names}
    lines: list[Line] = [whole(name, SYMPTOMS[name], "Symptom") for name in named]
    known = [line for line in lines if normalise(line["mention"]) not in exact]
    yield Experiment(
        "Patients' symptoms (DXY) in HPO",
        names_table(table),
        {"all": lines, "no exact name": known},
        (
            f"{len(lines)} symptom names, {len(lines) - len(known)} of them names of HPO",
            f"{sum(not line['ids'] for line in lines)} have no entity there, by our reading",
        ),
    )


def _converted(how: str) -> Any:  # noqa: ANN401 -- a Noise; OpenCC has no types
    from opencc import OpenCC  # noqa: PLC0415 -- only what is Chinese needs it

    convert = OpenCC(how).convert

    def noise(name: str, random: Random) -> str | None:
        del random
        changed = str(convert(name))
        return None if changed == name else changed

    return noise


def _left_out(name: str, random: Random) -> str | None:
    if len(name) < _LONG:
        return None
    at = random.randrange(len(name))
    return name[:at] + name[at + 1 :]


def _exchanged(name: str, random: Random) -> str | None:
    """Another character of common use in its place."""
    if len(name) < _LONG:
        return None
    at = random.randrange(len(name))
    return name[:at] + chr(random.randrange(0x4E00, 0x9FA5)) + name[at + 1 :]


def _traded(name: str, random: Random) -> str | None:
    if len(name) < _LONG:
        return None
    at = random.randrange(len(name) - 1)
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]
