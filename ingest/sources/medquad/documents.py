"""One XML file of MedQuAD: the focus with its annotations, and the questions with answers.

Three forms are in use: ``Document`` (nearly all files), ``DiseaseFile``, and ``doc`` with
element names of its own. A file with a document type declaration is refused: MedQuAD has
none, and entities declared there could grow without bound or name other files.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

_CHUNK: Final = 64 * 1024
_BLANKS: Final = re.compile(r"\s+")
_ROOTS: Final = ("Document", "DiseaseFile", "doc")
_NAMES: Final = {
    "doctitle-focus": "Focus",
    "cui": "CUI",
    "semanticType": "SemanticType",
    "semanticGroup": "SemanticGroup",
    "pair": "QAPair",
    "question": "Question",
    "answer": "Answer",
}
"""What the elements of ``doc`` are called elsewhere."""


class BrokenDocumentError(ValueError):
    """A file that is no MedQuAD document; the message says why."""


@dataclass(frozen=True)
class Pair:
    """A question and its answer."""

    id: str
    type: str
    """``qtype``; empty where it has none."""
    question: str
    answer: str
    """Empty where there is none."""


@dataclass(frozen=True)
class Document:
    """The contents of a file."""

    collection: str
    """``source``, such as GARD."""
    id: str
    url: str
    focus: str
    semantic_types: tuple[str, ...]
    """Such as T047."""
    semantic_groups: tuple[str, ...]
    categories: tuple[str, ...]
    cuis: tuple[str, ...]
    synonyms: tuple[str, ...]
    pairs: tuple[Pair, ...]


def parse(data: bytes) -> Document:
    """Read a file.

    Raises:
        BrokenDocumentError: it is not XML, not MedQuAD's, or declares entities.
    """
    root = _tree(data)
    if root.tag not in _ROOTS:
        raise BrokenDocumentError(f"the root element is {root.tag[:100]!r}, not 'Document'")
    elements = list(root.iter())
    for element in elements:
        element.tag = _NAMES.get(element.tag, element.tag)

    def texts(tag: str) -> tuple[str, ...]:
        return tuple(filter(None, (_line(_text(e)) for e in elements if e.tag == tag)))

    return Document(
        collection=root.get("source") or root.get("corpus") or "",
        id=root.get("id") or root.get("fid") or root.get("docid") or "",
        url=(root.get("url") or "").strip(),
        focus=" ".join(texts("Focus")[:1]),
        semantic_types=texts("SemanticType"),
        semantic_groups=texts("SemanticGroup"),
        categories=texts("Category"),
        cuis=texts("CUI"),
        synonyms=texts("Synonym"),
        pairs=tuple(_pairs(root)),
    )


def _pairs(root: Element) -> Iterator[Pair]:
    for element in root.iter("QAPair"):
        question = element.find("Question")
        attributes = {} if question is None else question.attrib
        yield Pair(
            id=attributes.get("qid") or element.get("pid") or "",
            type=_line(attributes.get("qtype")),
            question=_line(_text(question)),
            answer=_paragraphs(_text(element.find("Answer"))),
        )


def _tree(data: bytes) -> Element:
    builder = TreeBuilder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = _refuse
    try:
        for start in range(0, len(data), _CHUNK):
            parser.Parse(data[start : start + _CHUNK], False)
        parser.Parse(b"", True)
        return builder.close()
    except expat.ExpatError as e:
        raise BrokenDocumentError(f"not XML: {e}") from e
    except (LookupError, AssertionError) as e:  # an encoding unknown; no element
        raise BrokenDocumentError(f"not XML: {e}") from e


def _refuse(*_: object) -> None:
    raise BrokenDocumentError("the file has a document type declaration, which may be an attack")


def _text(element: Element | None) -> str:
    """All that stands in an element, that of elements within it too."""
    return "" if element is None else "".join(element.itertext())


def _line(text: str | None) -> str:
    return _BLANKS.sub(" ", text or "").strip()


def _paragraphs(text: str) -> str:
    """A text without the indentation of the file: its lines, each without blanks around it."""
    return "\n".join(filter(None, map(_line, text.splitlines())))
