"""Where the rows of a set name their diagnosis themselves."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evalsim.case import DiagnosisCase
from evalsim.cases.wording import Names
from tests.experiments.realcases.sets import Row

_BRACKETS: Final = re.compile(r"\s*\(([^()]*)\)\s*$")
_ACRONYM: Final = re.compile(r"[A-Z][A-Z0-9]{1,5}")


@dataclass(frozen=True)
class Naming:
    """A part of a row that names the diagnosis."""

    row: str
    part: str
    diagnosis: str
    sentence: str
    is_case: bool


def namings(rows: Sequence[Row], cases: Mapping[str, DiagnosisCase]) -> Iterator[Naming]:
    """By name, by a synonym of the graph, or by an abbreviation as it is written."""
    for row in rows:
        case = cases.get(row.id)
        known = [case.target.name, case.target.name_zh or "", *case.synonyms] if case else []
        bracket = _BRACKETS.search(row.diagnosis)
        called = [row.diagnosis, _BRACKETS.sub("", row.diagnosis), *known]
        called += [bracket[1]] if bracket else []
        names = Names(called)
        short = [re.escape(name) for name in called if _ACRONYM.fullmatch(name)]
        acronyms = re.compile(rf"\b(?:{'|'.join(short)})\b") if short else None
        for part, text in row.parts.items():
            for sentence in re.split(r"(?<=[。！？!?\n])|(?<=\.)\s", text):
                if names.within(sentence) or (acronyms and acronyms.search(sentence)):
                    yield Naming(row.id, part, row.diagnosis, sentence.strip(), case is not None)
                    break
