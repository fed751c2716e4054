"""PrimeKG-Plus: PrimeKG built anew from newer releases, and edges from articles.

* ``file``: primekg_plus.csv, made and written like PrimeKG's kg.csv. In the file that holds
  the edges from articles as well (primekg_plus_rd.csv) these stand behind all others and
  once each, so that no hierarchy's direction can be told any more.
* ``literature``: the edges from articles on four diseases by themselves, with the columns of
  kg.csv (…-literature_edges_novel.csv), or with the articles that say so
  (…-literature_edges_integrated.csv: ``relation_integrated``, ``PMID``, no indexes). They were
  forced into PrimeKG's relations: one whose ends have other types than its relation connects,
  and a hierarchy, of which nothing tells the parent, is quarantined.
* ``skipped``: the edges that the makers left out of those (…-literature_edges_skipped.csv: names
  without ids, and a ``reason``). All are quarantined with it.

Words and ids are PrimeKG's, and so is the map of relations.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final, Literal, Self

import ibis
import ibis.expr.types as ir
from pydantic import model_validator

from ingest.reading import check_columns
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.delimited import NUMBER, RECORD, Dialect, Rows, delimited_rows
from ingest.sources.formats.tabular import TableFile, column_names
from ingest.sources.kind import SourceKind
from ingest.sources.parts import Part, Workplace, quarantined, read_parts, rows_of
from ingest.sources.primekg.edges import COLUMNS, EdgeFile, edge_part
from ingest.sources.primekg.identifiers import TYPES
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, as_assertions
from kg.progress import Progress

_TYPES: Final = {
    **TYPES,
    **{name.replace("_", " "): node_type for name, node_type in TYPES.items()},
}
"""The edges from articles have blanks in some."""

_SKIPPED: Final = ("entity1", "entity2", "Relation", "PMID", "reason")
_WHY_SKIPPED: Final = {
    "duplicate_literature_row": "another article says the same, and its edge stands",
    "unresolved_entity1": "the first name was found in no ontology",
    "unresolved_entity2": "the second name was found in no ontology",
    "unsupported_relation": "PrimeKG has no such relation",
    "empty_relation": "no relation is given",
}
"""What the makers' words for their reasons mean."""

_OF_ARTICLES: Final = tuple(
    name for name in COLUMNS if name not in ("relation", "x_index", "y_index")
)


class PrimeKgPlusSource(SourceSettings, frozen=True):
    """PrimeKG-Plus as downloaded: one of its two files, or both."""

    kind: Literal["primekg-plus"]
    name: SourceName = "primekg-plus"
    file: Path | None = None
    """``primekg_plus.csv``, plain or .gz."""
    literature: Path | None = None
    """The edges from articles, plain or .gz."""
    skipped: Path | None = None
    """What its makers left out of these (``…-literature_edges_skipped.csv``), plain or .gz."""

    @model_validator(mode="after")
    def _has_a_file(self) -> Self:
        if not self.file and not self.literature and not self.skipped:
            raise ValueError("name a 'file', the 'literature', or both, or what was 'skipped'")
        return self


def files(source: PrimeKgPlusSource) -> tuple[Path, ...]:
    """The input files."""
    return tuple(filter(None, (source.file, source.literature, source.skipped)))


def read(
    source: PrimeKgPlusSource,
    out: Path,
    progress: Progress,
    resources: Resources = DEFAULT_RESOURCES,
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: a file cannot be read as PrimeKG-Plus, or ``out`` not be written.
    """
    steps = len(files(source))
    return read_parts(partial(_parts, source), steps, source.name, out, progress, resources)


def _parts(source: PrimeKgPlusSource, place: Workplace) -> Iterator[Part]:
    """What each file gives."""
    relations = RelationMap.of("ingest.sources.primekg")
    for path, columns in ((source.file, COLUMNS), (source.literature, _OF_ARTICLES)):
        if path and path == source.literature and _is_skipped(path):
            yield _skipped(source, path, place)
        elif path:
            rows = delimited_rows(place.engine, path, columns, Dialect(), place.folder)
            made = {"source": source.name, "file": path.name}
            file = EdgeFile(made, relations, _TYPES, twice=path == source.file)
            yield edge_part(rows if file.twice else _with_articles(path, rows), file)
    if source.skipped:
        yield _skipped(source, source.skipped, place)


def _is_skipped(path: Path) -> bool:
    """Whether a file of edges from articles is that of the edges that were left out."""
    columns = column_names(TableFile(file=path, format="csv"))
    return columns.issuperset(_SKIPPED) and "x_id" not in columns


def _skipped(source: PrimeKgPlusSource, path: Path, place: Workplace) -> Part:
    """The edges from articles that were left out: none is a statement, each for the reason given."""
    rows = delimited_rows(place.engine, path, _SKIPPED, Dialect(), place.folder)
    table = rows.good.mutate(
        row=rows.good[NUMBER],
        record=rows.good[RECORD],
        original_relation=rows.good.Relation.strip().nullif("").fill_null("no relation"),
    )
    word = table.reason.split(":")[0]
    why = word.cases(*_WHY_SKIPPED.items(), else_=ibis.literal("'") + word.substr(0, 200) + "'")
    reason = ibis.literal("left out by the source's makers: ") + why.fill_null(
        "for no reason given"
    )
    refused = table.mutate(reason=reason)
    made = {"source": source.name, "file": path.name}
    empty = as_assertions(
        refused.filter(ibis.literal(False)),
        {
            **made,
            **{name: refused[name] for name in ("row", "original_relation")},
            "head_type": "Disease",
            "relation": "HAS_NAME",
        },
    )
    return Part((empty,), (quarantined(refused, rows.bad, made),), rows_of(table, rows.bad))


def _with_articles(path: Path, rows: Rows) -> Rows:
    """Edges from articles with ``relation`` and, where the file has them, ``publications``."""
    word = "relation_integrated" if "relation_integrated" in rows.good.columns else "relation"
    check_columns(path, rows.good.columns, (word,))
    # only what is read: the integrated file has a column Relation as well
    read = {name: rows.good[name] for name in (*_OF_ARTICLES, NUMBER)}
    read["relation"] = rows.good[word]
    if "PMID" in rows.good.columns:
        read["publications"] = _publication(rows.good.PMID.strip())
    good = rows.good.select(**read)
    return Rows(good, rows.bad)


def _publication(written: ir.Value) -> ir.Value:
    """The articles that PubMed lacks are named by their DOI."""
    return ibis.cases(
        (written.re_search("^[0-9]+$"), ibis.literal("PMID:") + written),
        (written.startswith("10."), ibis.literal("DOI:") + written),
        else_=written.nullif(""),
    )


KIND: Final = SourceKind(
    title="PrimeKG-Plus, PrimeKG from newer releases and with edges from articles",
    licence=(
        "MIT for its programs; none is named for its data, whose sources keep their own "
        "terms (DrugBank's forbid commercial use)"
    ),
    citation=(
        "Nguyen et al. PrimeKG-Plus: a literature-derived expansion of a multimodal "
        "precision medicine knowledge graph. Scientific Data 2026"
    ),
    needs=("primekg_plus.csv, or a file of …-literature_edges_….csv, or both",),
    obtained=(
        "the repository DSDD-UCPH/PrimeKG-Plus on GitHub, folder dataset/literature_curation, "
        "has the edges from articles; it names the place of primekg_plus.csv"
    ),
    files=files,
    read=read,
    relations=("ingest.sources.primekg",),
)
