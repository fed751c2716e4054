"""Texts to answer from: sections of the graph, MedQuAD's answers, folders of pages.

A reader yields a ``Document`` for each text and a ``LeftOut`` for whatever is none, with its reason,
so that every record of a corpus is accounted for. A document is cut into whole sentences, or into
passages of several, each of which knows where it stands in the text. What an index holds of one is
rewritten as ``ingest`` rewrites pages: abbreviations written out, pronouns replaced.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, cast

from kg.errors import SourceError
from kg.progress import Progress, Silent
from kg.stores.store import Store
from kg.text.edits import Edit, Edited
from kg.text.phrases import is_chinese
from kg.text.sentences import sentences
from kg.text.words import HAN

if TYPE_CHECKING:
    from ingest.sources.pages.headings import Headings
    from ingest.sources.pages.page import Page

# The readers of ingest are imported where texts are read: a search does without them, and with
# them would wait a second longer.

Unit = Literal["sentence", "passage"]

PASSAGE_WORDS: Final = 100
"""Words of a passage, about (Karpukhin et al. 2020, "Dense passage retrieval", section 4.1)."""
UNKNOWN_LICENCE: Final = "not stated"
GRAPH: Final = "graph"
"""Name of the corpus that the graph's sections are."""
MEDQUAD_CORPUS: Final = "medquad"
QUESTIONS: Final = "questions"
"""Category of texts that answer one question each: their heading, in some wordings."""

_HAN: Final = re.compile(f"[{HAN}]")
_WORD: Final = re.compile(r"\w+")
_HAN_A_WORD: Final = 2
"""Han characters that count as one word."""
_TEXT_FILE: Final = ".txt"


@dataclass(frozen=True)
class Document:
    """A text as its publisher wrote it."""

    id: str
    """Of a section of the graph, the node's."""
    title: str
    """What it is about: a disease, the title of a page."""
    text: str
    source: str
    """Who says it, as the graph names sources: ``medquad``."""
    language: str
    """``en`` or ``zh``."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """``corpus`` (where it was read from) and ``licence``; where known ``heading`` (of a section,
    or the question that the text answers), ``category`` (the source's word for what is said),
    ``disease`` (id of the node), ``wordings`` (other words for the heading, a line each) and ``url``."""


@dataclass(frozen=True)
class LeftOut:
    """A record of a corpus that is no text."""

    corpus: str
    place: str
    reason: str


@dataclass(frozen=True)
class Passage:
    """A stretch of a document."""

    document: str
    """Its id."""
    start: int
    end: int
    """``document.text[start:end]`` is what it was cut from, in code points."""
    text: str
    """Rewritten, or as it stands."""


def graph_documents(
    store: Store, licences: Mapping[str, str] | None = None
) -> Iterator[Document | LeftOut]:
    """The sections of the graph, in the order of their ids.

    Args:
        store: the graph.
        licences: of its sources, by their names.

    Raises:
        StoreError: the store failed.
    """
    licences = licences or {}
    for row in store.query("graph.sections").dicts():
        name, text = (str(row[column] or "") for column in ("section_name", "section_text"))
        if not text.strip():
            yield LeftOut(GRAPH, str(row["section_id"]), "the section has no text")
            continue
        language = (
            "zh" if is_chinese(text) or (row["section_name_zh"] and not _latin(text)) else "en"
        )
        wordings = {
            "en": cast("list[str]", row["section_synonyms"]),
            "zh": cast("list[str]", row["section_synonyms_zh"]),
        }
        name_in_language = row["entity_name_zh"] if language == "zh" else row["entity_name"]
        sources = cast("list[str]", row["sources"])
        yield _document(
            str(row["section_id"]),
            title=str(
                name_in_language or row["entity_name"] or row["entity_name_zh"] or row["entity_id"]
            ),
            text=text,
            source=sources[0],
            language=language,
            corpus=GRAPH,
            licence=licences.get(sources[0], UNKNOWN_LICENCE),
            heading=name,
            wordings="\n".join(wordings[language]),
            category=str(row["original_relation"] or ""),
            disease=str(row["entity_id"]),
            url=str(row["publications"] or ""),
        )


def _latin(text: str) -> bool:
    """Whether a text has letters, and none is a Han character."""
    return _HAN.search(text) is None and any(map(str.isalpha, text))


def medquad_documents(
    folder: Path, progress: Progress | None = None
) -> Iterator[Document | LeftOut]:
    """The answers in a folder of MedQuAD, each with the id that its section has in a graph.

    Of one question that is answered twice under one id in one file the first answer is taken.

    Raises:
        SourceError: no XML file is there, or one may not be read.
    """
    from ingest.assertions import Quarantined  # noqa: PLC0415
    from ingest.sources.medquad.source import KIND, parsed  # noqa: PLC0415
    from ingest.sources.medquad.statements import section_id  # noqa: PLC0415

    ids_seen: set[str] = set()
    for file, document in parsed(folder, "MedQuAD", progress or Silent()):
        if isinstance(document, Quarantined):
            yield LeftOut(MEDQUAD_CORPUS, file, document.reason)
            continue
        for pair in document.pairs:
            place = f"{file}, question {pair.id}"
            if not pair.answer:
                yield LeftOut(MEDQUAD_CORPUS, place, "the question has no answer")
                continue
            identity = section_id(document, pair)
            if identity in ids_seen:
                yield LeftOut(MEDQUAD_CORPUS, place, "the question is in the corpus already")
                continue
            ids_seen.add(identity)
            yield _document(
                identity,
                title=document.focus or pair.question,
                text=pair.answer,
                source="medquad",
                language="en",
                corpus=MEDQUAD_CORPUS,
                licence=KIND.licence,
                heading=pair.question,
                category=pair.type,
                url=document.url,
            )


def page_documents(
    path: Path, name: str, encoding: str = "utf-8", licence: str | None = None
) -> Iterator[Document | LeftOut]:
    """The sections of the pages in a folder: HTML, Markdown, JSON and plain text.

    Args:
        path: a page, or a folder with pages in it and in its folders.
        name: of the corpus, which is the documents' source.
        encoding: of all files.
        licence: of all pages; None: what ``medkg sources pages`` says of pages.

    Raises:
        SourceError: there is no page, a file's name is not UTF-8, or a file is not what its ending
            says.
    """
    from ingest.sources.pages.headings import Headings  # noqa: PLC0415
    from ingest.sources.pages.source import KIND  # noqa: PLC0415
    from ingest.sources.relations import RelationMap  # noqa: PLC0415

    headings = Headings(RelationMap.of("ingest.sources.pages"))
    root = path if path.is_dir() else path.parent
    for file in _page_files(path):
        place = file.relative_to(root).as_posix()
        for page in _pages(file, encoding, headings):
            page_place = f"{place} {page.place}".strip()
            title = page.name or Path(file.name.removesuffix(".gz")).stem
            for odd_part in page.odd:
                yield LeftOut(name, page_place, odd_part.reason)
            for number, section in enumerate(page.sections, 1):
                if not section.text.strip():
                    yield LeftOut(name, f"{page_place}, {section.heading}", "the section is empty")
                    continue
                yield _document(
                    f"{name}:{page_place}#{number}",
                    title=title,
                    text=section.text,
                    source=name,
                    language="zh" if is_chinese(section.text) else "en",
                    corpus=name,
                    licence=licence or KIND.licence,
                    heading=section.heading,
                    disease=page.id or "",
                    url=page.publications or "",
                )


def _page_files(path: Path) -> tuple[Path, ...]:
    """A page, or those of a folder and its folders, in a fixed order.

    Raises:
        SourceError: there is none, or its name is not UTF-8.
    """
    from ingest.reading import ending  # noqa: PLC0415
    from ingest.sources.pages.files import is_page_file  # noqa: PLC0415

    candidates = sorted(path.rglob("*")) if path.is_dir() else [path]
    files = tuple(
        file
        for file in candidates
        if (is_page_file(file) or ending(file) == _TEXT_FILE) and not file.is_dir()
    )
    if not files:
        raise SourceError(
            f"{path}: no page is there (.html, .md, .txt, .json, .jsonl; also with .gz); name a page "
            "or the folder that has them"
        )
    for file in files:
        try:
            str(file).encode()
        except UnicodeEncodeError as e:
            raise SourceError(f"{str(file)!r}: the file's name is not UTF-8; rename it") from e
    return files


def _pages(file: Path, encoding: str, headings: "Headings") -> Iterator["Page"]:
    from ingest.reading import ending, text_lines  # noqa: PLC0415
    from ingest.sources.pages.files import pages_of  # noqa: PLC0415
    from ingest.sources.pages.page import Page, PageSection  # noqa: PLC0415

    if ending(file) != _TEXT_FILE:
        yield from pages_of(file, encoding, headings)
        return
    with text_lines(file, encoding) as lines:
        text = lines.read().strip()
    yield Page(place="", name=None, sections=(PageSection("", text),))


def _document(
    identity: str, *, title: str, text: str, source: str, language: str, **metadata: str
) -> Document:
    """A document whose metadata have no empty value, in a fixed order."""
    filled = {key: value for key, value in sorted(metadata.items()) if value}
    return Document(identity, title, text, source, language, filled)


def passages(
    document: Document, unit: Unit = "passage", words: int = PASSAGE_WORDS, *, rewrite: bool = True
) -> list[Passage]:
    """The sentences or the passages of a document, in its order; no sentence is cut.

    The passages of a document are about equally long. A sentence of more words than a passage
    has is a passage of its own. Two Han characters count as a word.

    Args:
        document: any.
        unit: what it is cut into.
        words: of a passage at most, unless one sentence has more.
        rewrite: whether abbreviations are written out and pronouns replaced.
    """
    text = document.text
    spans = sentences(text)
    if unit == "passage":
        spans = _joined(spans, [_words(text[start:end]) for start, end in spans], words)
    edits = _edits(document) if rewrite else ()
    return [
        Passage(document.id, start, end, _edited(text, start, end, edits)) for start, end in spans
    ]


def _joined(
    spans: list[tuple[int, int]], lengths: list[float], most: int
) -> list[tuple[int, int]]:
    """Neighbouring spans joined to passages of about one length, at most ``most`` words."""
    total = sum(lengths)
    share_count = max(1, math.ceil(total / most))
    joined: list[tuple[int, int]] = []
    size, words_before, last_share = 0.0, 0.0, -1
    for (start, end), length in zip(spans, lengths, strict=True):
        # which of the equal shares of the text the middle of this sentence lies in
        share = int((words_before + length / 2) * share_count / total) if total else 0
        if share == last_share and size + length <= most:
            joined[-1] = (joined[-1][0], end)
            size += length
        else:
            joined.append((start, end))
            size, last_share = length, share
        words_before += length
    return joined


def _words(text: str) -> float:
    if text.isascii():
        return len(text.split())
    return len(_WORD.findall(_HAN.sub(" ", text))) + len(_HAN.findall(text)) / _HAN_A_WORD


def _edits(document: Document) -> tuple[Edit, ...]:
    """What rewriting changes in a document, which is taken for a page of one section."""
    from ingest.sources.pages.page import Page, PageSection  # noqa: PLC0415
    from ingest.sources.pages.rewriting import Rewriter  # noqa: PLC0415

    section = PageSection(document.metadata.get("heading", ""), document.text)
    page = Page(place="", name=document.title, sections=(section,))
    return Rewriter("medkg").of_page(page)(document.text).edits


def _edited(text: str, start: int, end: int, edits: tuple[Edit, ...]) -> str:
    edits_inside = [
        edit._replace(start=edit.start - start, end=edit.end - start)
        for edit in edits
        if start <= edit.start and edit.end <= end
    ]
    return Edited.of(text[start:end], edits_inside).text
