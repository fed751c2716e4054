"""Documents and hits that tests make."""

from collections.abc import Callable

from qa.corpus import Document
from qa.generation.candidates import Candidate, Sentence
from qa.index import Hit, Record


def document(text: str, name: str = "d") -> Document:
    return Document(name, "Gout", text, "a source", "en")


def hit(of: Document, passage: str | None = None, rank: int = 1) -> Hit:
    """The hit of a passage that stands in the document; None: of all of it."""
    start = 0 if passage is None else of.text.index(passage)
    end = len(of.text) if passage is None else start + len(passage)
    metadata = {"document": of.id, "start": str(start), "end": str(end), "title": of.title}
    return Hit(Record(f"{of.id}#{start}", of.text[start:end], metadata), 1.0 / rank, rank)


def library(*documents: Document) -> Callable[[str], Document]:
    return {each.id: each for each in documents}.__getitem__


def candidate(text: str, rank: int = 1) -> Candidate:
    """One whose only sentence is a document of its own."""
    of = document(text, f"d{rank}")
    return Candidate(text, hit(of, rank=rank), (Sentence(text, of.id, 0, len(text)),))
