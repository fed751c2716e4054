"""Names: those of what a case is about, found however they are written; any, as it stands in a sentence."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from evalsim.case import DiagnosisCase, MedicationCase
from evalsim.cases.wording import with_words_for_tumours
from kg.shipped import shipped_table

_HAN: Final = re.compile("[\u3400-\u9fff]")
_ACRONYM: Final = re.compile(r"[A-Z][A-Z0-9-]{1,5}")
_EPONYM: Final = re.compile(
    r"(?P<name>[A-Z][\w-]{3,})(?:['’]?s)? (?:disease|syndrome|disorder|palsy|anomaly|tumou?r)",
    re.UNICODE,
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
_ENGLISH: Final = frozenset(["Best", "Baker", "Down", "Pick", "Still", "Terry"])
"""Eponyms that are words of every day."""
_POSSESSIVE: Final = re.compile("['’]s?$")
_ACRONYM_OR_LETTER: Final = re.compile(r".*[A-Z].*[A-Z]|.*\d|[B-Z]\b|.*\.")
_OWN_CASE: Final = ("MONDO:", "NCBIGene:", "DRUGBANK:", "RxNorm:", "ATC:")
"""Of ids whose names are written as they stand in a sentence; others begin with a capital."""
_SHORTEST: Final = 4
_SHORTEST_HAN: Final = 2


class TargetNames:
    """Finds the names and concepts of a case's target."""

    def __init__(self, names: Iterable[str], cuis: Sequence[str] = ()) -> None:
        """Find some names.

        Args:
            names: in any language; one too short to be told from other words is left out, and
                an acronym is only found in capitals. Of "Paget disease" Paget is a name, and of
                "Still disease" Still, as it is written.
            cuis: UMLS concepts.
        """
        exact_names, folded_names = set(cuis), set()
        for name in with_words_for_tumours(map(str.strip, names)):
            if _ACRONYM.fullmatch(name):
                exact_names.add(name)
            elif _HAN.search(name):
                folded_names |= {name} if len(name) >= _SHORTEST_HAN else set()
            elif len(name) >= _SHORTEST:
                folded_names.add(name)
                if (eponym := _EPONYM.fullmatch(name)) and eponym["name"].lower() not in _COMMON:
                    is_proper = eponym["name"] in _proper() - _ENGLISH
                    (folded_names if is_proper else exact_names).add(eponym["name"])
        self._exact = _expression(exact_names, 0)
        self._folded = _expression(folded_names, re.IGNORECASE)

    @classmethod
    def of_case(
        cls, case: DiagnosisCase | MedicationCase, more_names: Iterable[str] = ()
    ) -> "TargetNames":
        """Find the target of a case, but by names that its own findings go by."""
        target = case.target
        other_things = case.findings if isinstance(case, DiagnosisCase) else ()
        other_names = {name.casefold() for thing in other_things for name in thing.names}
        names = (*target.names, *case.synonyms, *more_names)
        return cls([n for n in names if n and n.casefold() not in other_names], case.cuis)

    def find(self, text: str) -> list[tuple[int, int]]:
        """Start and stop of each name in a text, in code points, none overlapping."""
        spans = [m.span() for e in (self._exact, self._folded) if e for m in e.finditer(text)]
        return sorted(set(spans))


def in_sentence(words: str, id_: str = "") -> str:
    """Words as they stand in an English sentence: in small letters, but for names and abbreviations.

    Args:
        words: a name, or everyday words for a thing; Chinese ones stay as they are.
        id_: of the thing whose name in the graph it is; empty: it is no name of the graph.
    """
    if id_.startswith(_OWN_CASE) or not words[:1].isupper():
        return words
    first_word, *other_words = words.split(" ")
    if other_words and all(word[:1].isupper() for word in other_words):  # "Vision Problems"
        return " ".join(map(_lowered, words.split(" ")))
    return " ".join([_lowered(first_word), *other_words])


def _lowered(word: str) -> str:
    """A word, or words with a stroke between them, in small letters if they are not capital anywhere."""
    parts = word.split("/")
    return "/".join(p if _is_capital(p) else p[:1].lower() + p[1:] for p in parts)


def _is_capital(word: str) -> bool:
    """Whether a word is written with its capital anywhere."""
    stem = _POSSESSIVE.sub("", word.split("-", maxsplit=1)[0])
    return (
        stem in _proper()
        or word == "I"
        or word.startswith("I'")
        or bool(_ACRONYM_OR_LETTER.match(word))
        or (stem != word and "'s" in word)
    )


@cache
def _proper() -> frozenset[str]:
    """Of people and organisms."""
    return frozenset(shipped_table(__package__, "naming.yaml")["proper"].split())


def _expression(names: set[str], flags: re.RegexFlag | int) -> re.Pattern[str] | None:
    if not names:
        return None
    patterns = [_spelt(name) for name in sorted(names, key=lambda n: (-len(n), n))]
    return re.compile("|".join(patterns), flags)


def _spelt(name: str) -> str:
    """A name whose words may stand together, apart, or with hyphens, in the singular or plural."""
    if _HAN.search(name):
        return r"\s?".join(map(re.escape, re.findall(r"\S", name)))
    words = [re.escape(word) for word in re.findall(r"[^\W_]+", name)]
    joined = r"(?:['’]?s)?[\s,\-–/()'’]{0,3}".join(words)  # noqa: RUF001 - people type it
    return rf"(?<![^\W_]){joined}(?:['’]?s|es)?(?![^\W_])"
