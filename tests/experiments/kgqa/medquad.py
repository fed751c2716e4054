"""Questions of MedQuAD, with the entities that its answers name."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Final

from ingest.sources.medquad.documents import BrokenDocumentError, parse
from kg.linking import Linker, LinkOptions
from tests.experiments.kgqa.asked import FACTUAL, LONG, NONE, Asked, Gold

CONDITION: Final = ("Disease", "Symptom")
EXPLAINED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "symptoms": CONDITION,
        "causes": (*CONDITION, "Exposure", "Organism", "Behavior", "Food", "Drug", "Gene"),
        "treatment": ("Drug", "Procedure", "Behavior", "Food", "Exposure"),
        "exams and tests": ("Test", "Procedure", "Symptom"),
        "prevention": ("Drug", "Procedure", "Behavior", "Food", "Exposure", "Test", "Precaution"),
        "complications": CONDITION,
        "susceptibility": (*CONDITION, "Exposure", "Behavior", "Food", "Population", "Gene"),
    }
)
"""Types of question that want an explanation, and the node types that it is made of."""

UNSAYABLE: Final = (
    "information",
    "outlook",
    "frequency",
    "research",
    "considerations",
    "stages",
)
"""Types of question that no relation of the vocabulary answers."""

FEWEST: Final = 3
"""Entities that an explanation must name; a question with fewer is left out."""

COMMON: Final = 0.1
"""An entity that more of the explanations of a type name says nothing of a disease."""

_SYMBOL: Final = re.compile(
    r"\b([A-Z][A-Z0-9-]*[A-Z0-9])\b(?=(?:,? (?:and|or) [A-Z0-9-]+)? genes?\b)"
)
_MODES: Final = (
    ("autosomal dominant", "HP:0000006"),
    ("autosomal recessive", "HP:0000007"),
    ("X-linked recessive", "HP:0001419"),
    ("X-linked dominant", "HP:0001423"),
    ("X-linked", "HP:0001417"),
    ("mitochondrial pattern", "HP:0001427"),
)
_BORROWED: Final = "Human Phenotype Ontology"
"""An answer with these words is HPO's own list, of which the graph was built."""


@dataclass(frozen=True)
class Page:
    """A question with its answer."""

    id: str
    question: str
    answer: str
    focus: str


def questions(data: Path, linker: Linker, each: int, seed: int) -> Iterator[Asked]:
    """Questions whose answers name something that the graph has a name for.

    Args:
        data: the public data.
        linker: of the graph; reads the answers.
        each: questions of a type at most.
        seed: draws them.
    """
    pages = _pages(data)
    reader = Linker(linker.index, LinkOptions(fuzzy=False, limit=20))
    facts: dict[str, Callable[[str], tuple[Gold, ...]]] = {
        "genetic changes": lambda answer: _genes(answer, reader),
        "inheritance": _modes,
    }
    for name, golds in facts.items():
        drawn = _drawn(pages[name], seed)
        told = (Asked(p.id, FACTUAL, name, p.question, golds(p.answer)) for p in drawn)
        yield from [asked for asked in told if asked.golds][:each]
    for name, types in EXPLAINED.items():
        drawn = _drawn(pages[name], seed)[: 4 * each]
        yield from _explained(name, drawn, reader, types)[:each]
    for name in UNSAYABLE:
        for page in _drawn(pages[name], seed)[: each // 2]:
            yield Asked(page.id, NONE, name, page.question, ())


def _pages(data: Path) -> Mapping[str, list[Page]]:
    """Answered questions by their type, in the order of the files."""
    found: dict[str, list[Page]] = defaultdict(list)
    for path in sorted((data / "medquad").glob("*/*.xml")):
        try:
            document = parse(path.read_bytes())
        except BrokenDocumentError:
            continue  # the build of the graph tells of it
        for pair in document.pairs:
            if pair.answer and _BORROWED not in pair.answer:
                id_ = f"{document.collection} {pair.id}"
                found[pair.type].append(Page(id_, pair.question, pair.answer, document.focus))
    return found


def _drawn(pages: list[Page], seed: int) -> list[Page]:
    """All, in an order of chance."""
    return Random(seed).sample(pages, len(pages))  # noqa: S311 -- a draw, no secret


def _genes(answer: str, reader: Linker) -> tuple[Gold, ...]:
    golds = []
    for symbol in dict.fromkeys(_SYMBOL.findall(answer)):
        found = reader.resolve(symbol, types=("Gene",)).candidates
        if ids := frozenset(c.id for c in found if c.score == 1.0):
            golds.append(Gold(ids, symbol))
    return tuple(golds)


def _modes(answer: str) -> tuple[Gold, ...]:
    """Modes of inheritance that an answer names; the more special one of two."""
    golds = []
    for words, id_ in _MODES:
        if words in answer:
            golds.append(Gold(frozenset([id_]), words))
            answer = answer.replace(words, "")
    return tuple(golds)


def _explained(
    name: str, pages: list[Page], reader: Linker, types: tuple[str, ...]
) -> list[Asked]:
    named = {page.id: _named(page, reader, types) for page in pages}
    counts = Counter(gold.ids for golds in named.values() for gold in golds)
    common = {ids for ids, count in counts.items() if count > COMMON * len(pages)}
    made = (
        Asked(
            page.id,
            LONG,
            name,
            page.question,
            tuple(gold for gold in named[page.id] if gold.ids not in common),
        )
        for page in pages
    )
    return [asked for asked in made if len(asked.golds) >= FEWEST]


def _named(page: Page, reader: Linker, types: tuple[str, ...]) -> tuple[Gold, ...]:
    """What an answer names by the letter and does not deny, the focus left out."""
    told = f"{page.focus} . {page.question}"
    own = {c.id for mention in reader.link(told) for c in mention.candidates}
    golds: dict[frozenset[str], Gold] = {}
    for mention in reader.link(page.answer):
        best = [c for c in mention.candidates if c.score == mention.candidates[0].score]
        ids = frozenset(c.id for c in best if c.type in types)
        if ids and not ids & own and not (mention.negated or mention.family):
            golds.setdefault(ids, Gold(ids, mention.text))
    return tuple(golds.values())
