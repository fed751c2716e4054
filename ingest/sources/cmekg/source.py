"""CMeKG, the Chinese Medical Knowledge Graph of Peking University and partners.

A file of triples with CMeKG's Chinese words for relations: CSV or TSV with or without
a header, or JSON in one of the forms in ``json_triples``, CMeKG_tools' training
data and CMeIE's among them. ``relations.yaml`` has the words, ``meanings`` says how types
are found: a triple of CMeKG has none.

* A tail that is a sentence or names several things is no node: it becomes the
  text of the head's section under the relation's word. So do all words for texts.
* In ``spo_list`` files the sentence is a section of every thing that it is about, and an
  edge's evidence is the place of its tail there.

The tree on giving oncology drugs that is on the web under the name cmekg
(``mockData.js``) is JavaScript of a nursing page, and neither this graph nor a graph.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from ingest.sources.cmekg.assertions import assertions, with_meanings
from ingest.sources.cmekg.triples import Triples, delimited_table, json_table
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.tabular import TableFile, format_by_ending
from ingest.sources.kind import SourceKind
from ingest.sources.parts import Part, Workplace, quarantined, read_parts, rows_of
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult
from kg.progress import Progress

Format = Literal["csv", "tsv", "json"]

_ENDINGS: Final[dict[str, Format]] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".txt": "tsv",
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), "json"),
}


class CMeKgSource(SourceSettings, frozen=True):
    """A file of CMeKG's triples."""

    kind: Literal["cmekg"]
    name: SourceName = "cmekg"
    file: Path
    """The file, plain or .gz."""
    format: Format | None = None
    """Format of the file; found by its ending if not given."""
    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    """Separator of CSV and TSV; comma and tab if not given."""
    encoding: str = "utf-8"
    """Encoding of the file, by its Python name, e.g. gb18030."""

    def written(self) -> Format:
        """The format.

        Raises:
            SourceError: neither the settings nor the ending tell it.
        """
        return self.format or format_by_ending(self.file, _ENDINGS)


def files(source: CMeKgSource) -> tuple[Path, ...]:
    """The input files."""
    return (source.file,)


def read(
    source: CMeKgSource, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: the file cannot be read as triples, or ``out`` not be written.
    """
    return read_parts(partial(_parts, source), 1, source.name, out, progress, resources)


def _parts(source: CMeKgSource, place: Workplace) -> Iterator[Part]:
    relations = RelationMap.of("ingest.sources.cmekg")
    triples = _triples(source, relations, place)
    mapped = place.engine.create_table(
        "meant", with_meanings(place.engine, triples.good, relations), temp=True
    )
    made = {"source": source.name, "file": source.file.name}
    yield Part(
        (assertions(mapped.filter(mapped.reason.isnull()), made),),
        (quarantined(mapped.filter(mapped.reason.notnull()), triples.bad, made),),
        rows_of(mapped, triples.bad),
    )


def _triples(source: CMeKgSource, relations: RelationMap, place: Workplace) -> Triples:
    written = source.written()
    if written == "json":
        return json_table(place.engine, source.file, source.encoding, source.name, place.folder)
    file = TableFile(
        file=source.file, format=written, delimiter=source.delimiter, encoding=source.encoding
    )
    return delimited_table(place.engine, file, relations, place.folder)


KIND: Final = SourceKind(
    title="CMeKG: triples of the Chinese Medical Knowledge Graph, CMeKG_tools' and CMeIE's files",
    licence="CMeKG: for research, by agreement with its makers; CMeKG_tools: MIT",
    citation="Byambasuren et al., Preliminary study on the construction of Chinese medical "
    "knowledge graph, Journal of Chinese Information Processing 33(10), 2019",
    needs=("a file of triples: CSV, TSV or JSON",),
    obtained="CMeKG's makers (cmekg.pcl.ac.cn); GitHub: king-yyf/CMeKG_tools",
    files=files,
    read=read,
)
