"""The page about linking: how it works, its figures, and where it fails."""

import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from types import MappingProxyType
from typing import Final

from tests.experiments.linking.figures import abstaining, accuracy, compared, groups, running
from tests.experiments.linking.prose import ABOUT, FAILS, HOW, READING
from tests.experiments.linking.run import Ran

_LIBRARIES: Final = ("rapidfuzz", "fuzzywuzzy", "numpy", "pyarrow", "opencc")
_COMMAND: Final = "python -m tests.experiments.linking {name} --data ../shared/data"
_TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "sentences": "Running text: our own sentences",
        "medmentions": "Running text: abstracts",
        "medquad": "Topics of health pages",
        "synonyms": "Synonyms that the table does not have",
        "lay": "Lay names that the table does not have",
        "noise": "Misspelt and varied names",
        "chinese-noise": "Chinese names written in other ways",
        "chinese-unknown": "Chinese names of nothing in the table",
        "dxy": "What Chinese patients complain of",
    }
)


def page(parts: Sequence[str], seed: int, sample: int) -> str:
    """The whole page, from the parts of its chapters."""
    libraries = ", ".join(f"{name} {version(name)}" for name in _LIBRARIES)
    made = (
        f"Made by `python -m tests.experiments.linking --data ../shared/data --seed {seed} "
        f"--sample {sample} --write docs/linking.md` with medkg {version('medkg')}, "
        f"Python {platform.python_version()}, {libraries}."
    )
    return "\n\n".join(("# Linking", HOW, "## Figures", made, READING, *parts, FAILS)) + "\n"


def chapter_page(name: str, ran: Sequence[Ran]) -> str:
    """What one chapter found."""
    parts = [f"### {_TITLES[name]}", ABOUT[name], f"`{_COMMAND.format(name=name)}`"]
    for each in ran:
        parts += _experiment(each)
    return "\n\n".join(part for part in parts if part)


def _experiment(ran: Ran) -> list[str]:
    thresholds = ", ".join(f"{language} {value:.3f}" for language, value in ran.thresholds.items())
    remarks = "".join(f"; {remark}" for remark in ran.remarks)
    unknown = [r for r in ran.whole if (g := r.evaluation.of()) and g.decisions.abstained.of]
    return [
        f"**{ran.experiment}**: {ran.names:,} names, threshold used {thresholds}{remarks}.",
        *(running(result) for result in ran.whole),
        accuracy(ran),
        groups(ran.whole),
        *(["Abstaining, by the threshold alone:", abstaining(unknown)] if unknown else ()),
        *(["Beside rivals:", compared(ran.sample)] if ran.sample else ()),
    ]
