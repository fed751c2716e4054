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

    topics: Mapping[str, str]
    """What a section is about, by its normalised heading."""
    questions: Mapping[tuple[str, str], tuple[str, ...]] = field(repr=False)
    """By what the section is about and language; ``{name}`` stands for the disease."""

    @classmethod
    def of_package(cls) -> Self:
        """Those that come with medkg."""
        entries = yaml.safe_load(_FILE.read_text("utf-8"))
        return cls(
            {
                normalise(heading): topic
                for topic, entry in entries.items()
                for heading in entry["headings"]
            },
            {
                (topic, language): tuple(entry[language])
                for topic, entry in entries.items()
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
        topic = self.topics.get(normalise(heading))
        questions = self.questions.get((topic or "", language), ())
        order = np.random.default_rng(seed).permutation(len(questions))[:most]
        return tuple(questions[place].format(name=name) for place in order)
