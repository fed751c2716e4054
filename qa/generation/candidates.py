"""What every generator makes: a candidate for an answer, with what its sentences rest on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from kg.text.sentences import sentences
from qa.corpus import Document
from qa.index.records import Hit
from qa.metrics.readability import words

AVERAGE_WORDS: Final = 120
LEAST_WORDS: Final = 40
MOST_WORDS: Final = 150
"""Words of an answer (paper, section 3.3.4 and table D1)."""

_CLOSING: Final = "\"')]\u201d\u2019\u300d\u300f\uff09"
_FINISHED: Final = tuple(".!?。！？")

Documents = Callable[[str], Document]
"""A document by its id."""


@dataclass(frozen=True)
class Sentence:
    """A sentence of a candidate."""

    text: str
    document: str | None
    """Id of the document where it stands: ``document.text[start:end] == text``. None: a model
    wrote it, and no text says just that."""
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class Candidate:
    """A text that may answer a question."""

    text: str
    hit: Hit
    """What it was made from."""
    sentences: tuple[Sentence, ...]


class Generator(Protocol):
    """Writes candidates from passages."""

    def candidates(
        self, question: str, hits: Sequence[Hit], documents: Documents
    ) -> list[Candidate]:
        """One candidate for each hit from which one can be made, in their order.

        Args:
            question: as a person asked.
            hits: passages, the best first.
            documents: gives the documents that they were cut from.

        Raises:
            ModelError: the model failed.
        """
        ...


@dataclass(frozen=True)
class Context:
    """The stretch of a document that was found."""

    document: Document
    start: int
    end: int

    @classmethod
    def of(cls, hit: Hit, documents: Documents) -> "Context":
        """Where a hit stands."""
        metadata = hit.record.metadata
        return cls(documents(metadata["document"]), int(metadata["start"]), int(metadata["end"]))

    @property
    def text(self) -> str:
        """As its publisher wrote it."""
        return self.document.text[self.start : self.end]


def candidate_of_text(text: str, hit: Hit, context: Context) -> Candidate | None:
    """The candidate that a model wrote: whole sentences of at most 150 words.

    A last sentence that was cut off is left out, and so is what follows the 150th word. A
    sentence rests on the context's document if it stands there, whole and word for word. None: not
    one whole sentence is left.
    """
    spans: list[tuple[int, int]] = []
    size = 0
    for start, end in sentences(text):
        length = len(words(text[start:end]))
        if size + length > MOST_WORDS:
            break
        if length:
            size += length
            spans.append((start, end))
    while spans:
        (first_start, _), (_, last_end) = spans[0], spans[-1]
        if text[:last_end].rstrip(_CLOSING).endswith(_FINISHED):
            break
        spans.pop()
    else:
        return None
    span_of_sentence = {
        context.document.text[start:end]: (start, end)
        for start, end in reversed(sentences(context.document.text))
    }
    written_sentences = []
    for start, end in spans:
        sentence = text[start:end]
        span = span_of_sentence.get(sentence)
        written_sentences.append(
            Sentence(sentence, context.document.id, *span) if span else Sentence(sentence, None)
        )
    return Candidate(text[first_start:last_end], hit, tuple(written_sentences))
