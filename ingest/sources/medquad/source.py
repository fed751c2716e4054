"""MedQuAD: a folder tree of XML files, one on each focus (Ben Abacha and Demner-Fushman 2019).

The rows of a file are the focus itself (``focus``), its UMLS concepts (``CUI``), its synonyms
(``synonym``), and the questions with answers, whose ``original_relation`` is the type of the
question. Elements without text are no rows. The answers of three collections were removed for
copyright; their questions are quarantined, while what is said of the focus stands.

A focus has a name and no id. Where it has several concepts, those of a long name are often
concepts of its parts; all are kept.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from cypher.translation import translate
from ingest.assertions import Quarantined
from ingest.reading import decoding_errors
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.kind import SourceKind
from ingest.sources.medquad.documents import BrokenDocumentError, Document, parse
from ingest.sources.medquad.statements import Statements
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import (
    ReadResult,
    Row,
    numbered,
    published,
    record_json,
    write_rows,
)
from kg.errors import SourceError
from kg.progress import Progress

BROKEN: Final = "broken file"
"""``original_relation`` of a file that is no document."""

_SHOWN: Final = 500


class MedQuadSource(SourceSettings, frozen=True):
    """MedQuAD as downloaded, or some of its collections."""

    kind: Literal["medquad"]
    name: SourceName = "medquad"
    folder: Path
    """Holds the XML files, in folders of any depth."""


def files(source: MedQuadSource) -> tuple[Path, ...]:
    """The input files, in a fixed order.

    Raises:
        SourceError: there is none.
    """
    return xml_files(source.folder)


def xml_files(folder: Path) -> tuple[Path, ...]:
    """The XML files in a folder and its folders, in a fixed order.

    Raises:
        SourceError: there is none.
    """
    paths = tuple(sorted(folder.rglob("*.xml")))
    if not paths:
        raise SourceError(
            f"{folder}: no .xml file is in it or in its folders; give the folder that "
            "has MedQuAD's files"
        )
    return paths


def read(
    source: MedQuadSource, out: Path, progress: Progress, _: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``; no table work is needed.

    Raises:
        SourceError: there is no file, one may not be read, or ``out`` not be written.
    """

    def rows() -> Iterator[Row]:
        # A name has one type in all files, so all are known before the first is told.
        documents = parsed(source.folder, source.name, progress)
        statements = Statements.on([each for _, each in documents if isinstance(each, Document)])
        for file, document in documents:
            if isinstance(document, Quarantined):
                yield [document]
            else:
                yield from numbered(statements.rows(file, document))

    with published(out, source.name) as part:
        return write_rows(rows(), source.name, part)


def parsed(
    folder: Path, name: str, progress: Progress
) -> list[tuple[str, Document | Quarantined]]:
    """Every file by its name below the folder; a broken one as a quarantined record.

    Raises:
        SourceError: there is none, or one may not be read.
    """
    paths = xml_files(folder)
    documents: list[tuple[str, Document | Quarantined]] = []
    with progress.step(translate("read {source}", source=name), len(paths)) as advance:
        for path in paths:
            file = path.relative_to(folder).as_posix()
            with decoding_errors(path):
                data = path.read_bytes()
            documents.append((file, _document(file, data)))
            advance(1)
    return documents


def _document(file: str, data: bytes) -> Document | Quarantined:
    try:
        return parse(data)
    except BrokenDocumentError as e:
        begins = data[:_SHOWN].decode("utf-8", "replace")
        record = record_json({"begins": begins, "bytes": len(data)})
        return Quarantined(file, 1, BROKEN, str(e), record)


KIND: Final = SourceKind(
    title="MedQuAD, questions and answers on diseases, drugs and tests from the NIH's sites",
    licence="CC BY 4.0",
    citation=(
        "Ben Abacha, Demner-Fushman. A question-entailment approach to question answering. "
        "BMC Bioinformatics 2019;20:511"
    ),
    needs=("the collections' folders, with an .xml file for each focus",),
    obtained="github.com/abachaa/MedQuAD",
    files=files,
    read=read,
)
