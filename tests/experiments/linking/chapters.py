"""The experiments by name, in the order of the page."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from tests.experiments.linking.chinese import chinese_noise, chinese_unknown, patients_symptoms
from tests.experiments.linking.experiment import Experiment
from tests.experiments.linking.held_out import held_out_synonyms, lay_synonyms
from tests.experiments.linking.med_mentions import med_mentions
from tests.experiments.linking.medquad import medquad_foci
from tests.experiments.linking.noisy import noisy_names
from tests.experiments.linking.own_sentences import own_sentences

Chapter = Callable[[Path, int], Iterator[Experiment]]
"""Makes experiments of the shared data and a seed."""

CHAPTERS: Final[Mapping[str, Chapter]] = MappingProxyType(
    {
        "sentences": own_sentences,
        "medmentions": med_mentions,
        "medquad": medquad_foci,
        "synonyms": held_out_synonyms,
        "lay": lay_synonyms,
        "noise": noisy_names,
        "chinese-noise": chinese_noise,
        "chinese-unknown": chinese_unknown,
        "dxy": patients_symptoms,
    }
)
