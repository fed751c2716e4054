"""MedQuAD's answers as records to be found, and its questions in the ways they are asked."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ingest.sources.medquad.documents import BrokenDocumentError, Document, parse
from ingest.sources.medquad.statements import section_id
from kg.text import normalise

_NO_WORD: Final = re.compile(r"[\W_]+")
_FEW: Final = 4
"""Foci that a CUI may have to stand for one disease."""


@dataclass(frozen=True)
class Answered:
    """A question of MedQuAD with its answer."""

    collection: str
    focus: str
    type: str
    question: str
    answer: str
    disease: str
    """The same for all pages of a focus or of a concept of UMLS."""

    @property
    def content(self) -> str:
        """What is indexed: without the question."""
        return f"{self.focus}\n{self.answer}"

    @property
    def frame(self) -> str:
        """The question without its focus."""
        asked, focus = (_NO_WORD.sub(" ", text.casefold()) for text in (self.question, self.focus))
        return " ".join(asked.replace(focus.strip(), "*").split())


def answered(data: Path) -> list[Answered]:
    """Every question that has an answer, in the order of the files.

    Of one question that a file answers twice under one id the first answer is taken.
    """
    documents = list(_documents(data))
    diseases = _diseases(documents)
    found: dict[str, Answered] = {}
    for document, disease in zip(documents, diseases, strict=True):
        about = (document.collection, document.focus)
        for pair in document.pairs:
            if pair.answer:
                row = Answered(*about, pair.type, pair.question, pair.answer, disease)
                found.setdefault(section_id(document, pair), row)
    return list(found.values())


def _documents(data: Path) -> Iterator[Document]:
    for path in sorted((data / "medquad").glob("*/*.xml")):
        try:
            yield parse(path.read_bytes())
        except BrokenDocumentError:
            continue  # the build of the graph tells of it


def _diseases(documents: Sequence[Document]) -> list[str]:
    """For each document a name of what it is about: the first focus of all that hang together.

    Two documents hang together if they have a focus in common, or a CUI of few foci: one of many
    is that of a group, such as syndrome.
    """
    foci: dict[str, set[str]] = defaultdict(set)
    for document in documents:
        for cui in document.cuis:
            foci[cui].add(normalise(document.focus))
    keys = [
        (normalise(d.focus), *(cui for cui in d.cuis if len(foci[cui]) <= _FEW)) for d in documents
    ]
    having: dict[str, list[int]] = defaultdict(list)
    for at, own in enumerate(keys):
        for key in own:
            having[key].append(at)
    names: dict[int, str] = {}
    for at, (focus, *_) in enumerate(keys):
        waiting = [] if at in names else [at]
        while waiting:
            each = waiting.pop()
            if each not in names:
                names[each] = focus
                waiting.extend(other for key in keys[each] for other in having[key])
    return [names[at] for at in range(len(documents))]
