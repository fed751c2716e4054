"""The questions of our own by which the answers of ``medkg ask`` are graded by hand."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Final, Literal, NamedTuple

Part = Literal[
    "dev", "test", "fresh", "blind", "unseen", "new", "later", "last", "eighth", "ninth"
]

_FOLDER: Final = Path(__file__).parent
FILE: Final = _FOLDER / "questions.tsv"
"""The first 300, parts dev and test."""
LATER_FILES: Final[Mapping[Part, Path]] = {
    part: _FOLDER / f"questions-{part}.tsv"
    for part in ("fresh", "blind", "unseen", "new", "later", "last", "eighth", "ninth")
}
"""Of each later part, in the order in which they were written."""
_SEED: Final = 21


class Asked(NamedTuple):
    """A line of such a file; docs/answers-gold.md says what the columns hold."""

    id: str
    language: str
    """en or zh."""
    kind: str
    part: str
    """dev: those who build may read it; the others: asked once, when the work was over."""
    before: str
    """What was asked before it, of a follow-up; else empty."""
    question: str
    expected: str
    """answer, refuse or emergency."""
    subject: str
    must_say: str
    """What a right answer says, in the language of the question."""


def read(file: Path = FILE) -> list[Asked]:
    """All questions, in the order of the file.

    Raises:
        ValueError: its header is not that of ``Asked``, or a line has more or fewer cells.
    """
    with file.open(encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    if tuple(header) != Asked._fields:
        raise ValueError(f"{file.name}: its columns are {header}, not {list(Asked._fields)}")
    for number, row in enumerate(rows, 2):
        if len(row) != len(header):
            raise ValueError(f"{file.name}, line {number}: {len(row)} cells, not {len(header)}")
    return [Asked._make(row) for row in rows]


def of_part(part: Part) -> list[Asked]:
    """The questions of a part, in the order of its file."""
    return [each for each in read(LATER_FILES.get(part, FILE)) if each.part == part]


def drawn(questions: Sequence[Asked], seed: int = _SEED) -> dict[str, Part]:
    """Dev or test for each question by its id: by turns over a drawn order of each kind and language.

    So the halves of the whole, of a kind and of a language in it differ by one question at most.
    """
    random = Random(seed)  # noqa: S311 -- draws questions, no secret
    order: list[str] = []
    for kind in sorted({(each.kind, each.language) for each in questions}):
        ids = sorted(each.id for each in questions if (each.kind, each.language) == kind)
        random.shuffle(ids)
        order += ids
    return {name: "test" if at % 2 else "dev" for at, name in enumerate(order)}
