"""medkg's own sample: common diseases and drugs in English and Chinese, and pages on diseases.

``diseases/*.yaml`` and ``drugs/*.yaml`` hold one thing each with its names,
references and facts, ``symptoms/*.yaml`` the everyday names of one; ``names/diseases.tsv``,
``drugs.tsv`` and ``symptoms.tsv`` everyday words, brands, international and American names with
where each was read; ``pages/*.md`` hold eight sections on one disease. A row is one statement of a
file: the name, a synonym, the CUI, a fact, a line of a table of names, a section. ``publications``
of an edge or a name are its references, each as ``Publisher: Title`` with the address where there
is one.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from cypher.translation import translate
from ingest.reading import text_lines
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.kind import SourceKind
from ingest.sources.sample.files import (
    FOLDERS,
    entity_statements,
    name_statements,
    page_statements,
)
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, Row, numbered, published, write_rows
from kg.errors import SourceError
from kg.progress import Progress

_READERS: Final = {".yaml": entity_statements, ".tsv": name_statements, ".md": page_statements}


class SampleSource(SourceSettings, frozen=True):
    """The sample, or a folder written like it."""

    kind: Literal["sample"]
    name: SourceName = "sample"
    folder: Path | None = None
    """Holds diseases/, drugs/, symptoms/, names/ and pages/; the sample of medkg if not given."""


def files(source: SampleSource) -> tuple[Path, ...]:
    """The input files, in a fixed order.

    Raises:
        SourceError: the folder has none.
    """
    folder = _folder(source)
    paths = [path for name in FOLDERS for path in sorted((folder / name).glob("*.yaml"))]
    paths += [path for name in FOLDERS if (path := folder / "names" / f"{name}.tsv").exists()]
    paths += sorted((folder / "pages").glob("*.md"))
    if not paths:
        raise SourceError(
            f"{folder}: no diseases/*.yaml, drugs/*.yaml, symptoms/*.yaml, names/*.tsv or pages/*.md "
            "is in it; correct the source's folder in the configuration"
        )
    return tuple(paths)


def read(
    source: SampleSource, out: Path, progress: Progress, _: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``; no table work is needed.

    Raises:
        SourceError: a file is not YAML or lacks what the whole of it needs, or
            ``out`` cannot be written.
    """
    paths, folder = files(source), _folder(source)

    def rows() -> Iterator[Row]:
        for path in paths:
            yield from numbered(_statements(path, path.relative_to(folder).as_posix()))
            advance(1)

    with (
        published(out, source.name) as part,
        progress.step(translate("read {source}", source=source.name), len(paths)) as advance,
    ):
        return write_rows(rows(), source.name, part)


def _folder(source: SampleSource) -> Path:
    return source.folder or Path(__file__).parents[2] / "sample"


def _statements(path: Path, file: str) -> Iterator[Row]:
    with text_lines(path) as lines:
        text = lines.read()
    yield from _READERS[path.suffix](path, file, text)


KIND: Final = SourceKind(
    title="medkg's sample of common diseases and drugs, in English and Chinese",
    licence="that of medkg; every fact names the reference it was taken from",
    citation="medkg",
    needs=(),
    obtained="nothing to do: it comes with medkg",
    files=files,
    read=read,
)
