"""The names of what a case is about, found in any text however they are written."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from evalsim.case import DiagnosisCase, MedicationCase

_HAN: Final = re.compile("[\u3400-\u9fff]")
_ACRONYM: Final = re.compile(r"[A-Z][A-Z0-9-]{1,5}")
_EPONYM: Final = re.compile(
    r"([A-Z][\w-]{3,})(?:['’]?s)? (?:disease|syndrome|disorder|palsy|anomaly|tumou?r)", re.UNICODE
)
_EPONYM_ZH: Final = re.compile("([\u3400-\u9fff]{2,})(?:氏|综合征|氏病)")
_COMMON: Final = frozenset(
    [
        "acute",
        "chronic",
        "adult",
        "infantile",
        "juvenile",
        "congenital",
        "familial",
        "primary",
        "secondary",
        "hereditary",
        "idiopathic",
        "severe",
        "isolated",
        "metabolic",
        "inflammatory",
        "infectious",
        "genetic",
        "autoimmune",
    ]
)
_SHORTEST: Final = 4
_SHORTEST_HAN: Final = 2


class TargetNames:
    """Finds the names and concepts of a case's target."""

    def __init__(self, names: Iterable[str], cuis: Sequence[str] = ()) -> None:
        """Find some names.

        Args:
            names: in any language; one too short to be told from other words is left out, and
                an acronym is only found in capitals. Of "Paget disease" Paget is a name.
            cuis: UMLS concepts.
        """
        exact, folded = set(cuis), set()
        for name in map(str.strip, names):
            if _ACRONYM.fullmatch(name):
                exact.add(name)
            elif _HAN.search(name):
                folded |= {name} if len(name) >= _SHORTEST_HAN else set()
            elif len(name) >= _SHORTEST:
                folded.add(name)
                if (eponym := _EPONYM.fullmatch(name)) and eponym[1].lower() not in _COMMON:
                    folded.add(eponym[1])
        self._exact = _expression(exact, 0)
        self._folded = _expression(folded, re.IGNORECASE)

    @classmethod
    def of_case(
        cls, case: DiagnosisCase | MedicationCase, more: Iterable[str] = ()
    ) -> "TargetNames":
        """Find the target of a case, but by names that its own findings go by."""
        target = case.target
        others = case.findings if isinstance(case, DiagnosisCase) else ()
        said = {
            name.casefold()
            for thing in others
            for name in (thing.name, thing.name_zh or "", *thing.words)
        }
        names = (target.name, target.name_zh or "", *target.words, *case.synonyms, *more)
        return cls([n for n in names if n and n.casefold() not in said], case.cuis)

    def find(self, text: str) -> list[tuple[int, int]]:
        """Start and stop of each name in a text, in code points, none overlapping."""
        found = [m.span() for e in (self._exact, self._folded) if e for m in e.finditer(text)]
        return sorted(set(found))


def _expression(names: set[str], flags: re.RegexFlag | int) -> re.Pattern[str] | None:
    if not names:
        return None
    each = [_spelt(name) for name in sorted(names, key=lambda n: (-len(n), n))]
    return re.compile("|".join(each), flags)


def _spelt(name: str) -> str:
    """A name whose words may stand together, apart, or with hyphens, in the singular or plural."""
    if _HAN.search(name):
        return r"\s?".join(map(re.escape, re.findall(r"\S", name)))
    words = [re.escape(word) for word in re.findall(r"[^\W_]+", name)]
    joined = r"(?:['’]?s)?[\s,\-–/()'’]{0,3}".join(words)  # noqa: RUF001 - people type it
    return rf"(?<![^\W_]){joined}(?:['’]?s|es)?(?![^\W_])"
