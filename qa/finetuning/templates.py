"""Questions from templates, the stand-in where no query generator is at hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

import numpy as np
import yaml

from kg.text import normalise

_FILE: Final = Path(__file__).with_name("templates.yaml")


@dataclass(frozen=True)
class Templates:
    """What may be asked of a section, by its heading and language."""

    kinds: Mapping[str, str]
    """What a section is about, by its normalised heading."""
    questions: Mapping[tuple[str, str], tuple[str, ...]] = field(repr=False)
    """By what the section is about and language; ``{name}`` stands for the disease."""

    @classmethod
    def of_package(cls) -> Self:
        """Those that come with medkg."""
        read = yaml.safe_load(_FILE.read_text("utf-8"))
        return cls(
            {normalise(h): kind for kind, entry in read.items() for h in entry["headings"]},
            {
                (kind, language): tuple(entry[language])
                for kind, entry in read.items()
                for language in ("en", "zh")
            },
        )

    def ask(
        self, name: str, heading: str, language: str, most: int, seed: tuple[int, ...]
    ) -> tuple[str, ...]:
        """Questions about a disease that a section answers, drawn by a seed.

        Args:
            name: of the disease, in the language.
            heading: of the section, as its source has it.
            language: ``en`` or ``zh``.
            most: questions, at most.
            seed: of the draw.

        Returns:
            Empty where there are no templates for such a heading.
        """
        kind = self.kinds.get(normalise(heading))
        questions = self.questions.get((kind or "", language), ())
        order = np.random.default_rng(seed).permutation(len(questions))[:most]
        return tuple(questions[at].format(name=name) for at in order)
