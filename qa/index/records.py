"""What an index holds: records, made by a collate function for each data set."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from qa.corpus import PASSAGE_WORDS, Document, Unit, passages


@dataclass(frozen=True)
class Record:
    """One thing to be found."""

    id: str
    content: str
    """What is compared with a question."""
    metadata: Mapping[str, str]
    """What a search may filter by. Of a passage: ``document``, ``start``, ``end``, ``title``,
    ``source``, ``language``, and the document's own."""


@dataclass(frozen=True)
class Hit:
    """A record that a search found."""

    record: Record
    score: float
    """BM25; or cosine; or, of both, the sum of the reciprocals of the ranks, weighted."""
    rank: int
    """1 is best."""


class Collate(Protocol):
    """Makes the records of a document; one for each data set."""

    @property
    def id(self) -> str:
        """The same for two that make the same records of every document."""
        ...

    def __call__(self, document: Document, /) -> Iterable[Record]:
        """The records of a document, each with an id that no other document's has."""
        ...


@dataclass(frozen=True)
class Passages:
    """Makes a record of each sentence or passage, with the title before it."""

    unit: Unit = "passage"
    words: int = PASSAGE_WORDS
    """Of a passage, at most about."""
    rewrite: bool = True
    """Abbreviations written out, pronouns replaced."""
    heading: bool = True
    """With the heading and its other wordings. Of MedQuAD that is the question; a measurement that
    asks this very question must do without."""

    @property
    def id(self) -> str:
        """All that decides what the records are, and the number of these rules."""
        return f"passages-2-{self.unit}-{self.words}-{self.rewrite:d}-{self.heading:d}"

    def __call__(self, document: Document) -> Iterable[Record]:
        """The records of a document."""
        heading = document.metadata.get("heading", "") if self.heading else ""
        title = document.title
        if heading and title.casefold() in heading.casefold():
            title = ""
        wordings = document.metadata.get("wordings", "") if self.heading else ""
        prefix = "\n".join(filter(None, (title, heading, wordings)))
        of_document = {
            **document.metadata,
            "document": document.id,
            "title": document.title,
            "source": document.source,
            "language": document.language,
        }
        for passage in passages(document, self.unit, self.words, rewrite=self.rewrite):
            yield Record(
                id=f"{document.id}#{passage.start}-{passage.end}",
                content=f"{prefix}\n{passage.text}",
                metadata={**of_document, "start": str(passage.start), "end": str(passage.end)},
            )
