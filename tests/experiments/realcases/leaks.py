"""Where the rows of a set name their diagnosis themselves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evalsim.case import DiagnosisCase
from evalsim.cases.imported import naming, sentences
from tests.experiments.realcases.sets import Row


@dataclass(frozen=True)
class Naming:
    """A part of a row that names the diagnosis."""

    row: str
    part: str
    sentence: str
    is_case: bool


def namings(rows: Sequence[Row], cases: Mapping[str, DiagnosisCase]) -> Iterator[Naming]:
    """The first sentence of each part that names it."""
    for row in rows:
        case = cases.get(row.id)
        names_it = naming(row.diagnosis, case)
        for part, text in row.parts.items():
            found = [each for each in sentences(text) if names_it(each)]
            if found:
                yield Naming(row.id, part, found[0], case is not None)
