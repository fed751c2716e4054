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

from pathlib import Path
from typing import Final, Literal

import ibis
from pydantic import BaseModel, Field

from ingest.sources.cmekg.assertions import assertions, quarantined, said
from ingest.sources.cmekg.triples import Triples, delimited_table, json_table
from ingest.sources.engine import DEFAULT_RESOURCES, Resources, table_engine
from ingest.sources.formats.delimited import UNREADABLE
from ingest.sources.formats.tabular import TableFile
from ingest.sources.kind import SourceKind
from ingest.sources.relations import RelationMap
from ingest.sources.writing import (
    ReadResult,
    counted,
    published,
    unreadable,
    write_tables,
)
from kg.errors import SourceError
from kg.progress import Progress

Format = Literal["csv", "tsv", "json"]

_ENDINGS: Final[dict[str, Format]] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".txt": "tsv",
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), "json"),
}


class CMeKgSource(BaseModel, frozen=True, extra="forbid", use_attribute_docstrings=True):
    """A file of CMeKG's triples."""

    kind: Literal["cmekg"]
    name: str = Field(default="cmekg", pattern=r"^[a-z0-9][a-z0-9_-]*$")
    """Names the source in the graph."""
    file: Path
    """Plain, or .gz."""
    format: Format | None = None
    """By the file's ending if not given."""
    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    """Of CSV and TSV; comma and tab if not given."""
    encoding: str = "utf-8"
    """By its Python name, e.g. gb18030."""

    def written(self) -> Format:
        """The format.

        Raises:
            SourceError: neither the settings nor the ending tell it.
        """
        ending = Path(self.file.name.removesuffix(".gz")).suffix.casefold()
        written = self.format or _ENDINGS.get(ending)
        if written is None:
            raise SourceError(
                f"{self.file}: the ending tells no format; set 'format' to csv, tsv or json"
            )
        return written


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
    relations = RelationMap.of("ingest.sources.cmekg")
    with (
        published(out, source.name) as folder,
        progress.step(f"read {source.name}", 3) as advance,
        table_engine(folder / "work", resources) as engine,
    ):
        triples = _triples(engine, source, relations, folder / "work")
        advance(1)
        meant = engine.create_table("meant", said(engine, triples.good, relations), temp=True)
        rows = counted(meant, meant.original_relation)
        rows |= counted(triples.bad, ibis.literal(UNREADABLE))
        advance(1)
        made = {"source": source.name, "file": source.file.name}
        quarantine = ibis.union(
            quarantined(meant.filter(meant.reason.notnull()), made),
            unreadable(triples.bad, {**made, "original_relation": UNREADABLE}),
        )
        facts = meant.filter(meant.reason.isnull())
        write_tables(engine, assertions(facts, made), quarantine, folder)
        advance(1)
    return ReadResult(rows)


def _triples(
    engine: ibis.BaseBackend, source: CMeKgSource, relations: RelationMap, work: Path
) -> Triples:
    written = source.written()
    if written == "json":
        return json_table(engine, source.file, source.encoding, source.name, work)
    given = TableFile(
        file=source.file, format=written, delimiter=source.delimiter, encoding=source.encoding
    )
    return delimited_table(engine, given, relations, work)


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
