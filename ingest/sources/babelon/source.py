"""An ontology in another language: a Babelon file (https://w3id.org/babelon), such as HPO's.

* ``rdfs:label`` is a name, ``IAO:0000115`` a definition, synonyms are synonyms.
* OFFICIAL translations stand as they are. What is a CANDIDATE, UNDER_REVIEW or only
  CLOSE becomes a synonym: it helps to find the thing, and can not make the merge join it
  with another by name; a definition of that kind is quarantined. NOT_TRANSLATED, and
  what is broader or narrower than its source, is quarantined.
* Languages that the graph has no names in are quarantined. The graph has one
  definition of a thing: that of the first source, translated ones stand below it.
* HPO's report of layperson's words (``layperson``, the answer to a SPARQL query)
  gives English synonyms.

The ontology's own file (``ontology``), if given, says which terms are in use, which
took the place of others, and of what type they are; else the prefix of the id gives the
type, which for HPO is Symptom even where a term is a mode of inheritance (the merge
lets the earlier source decide).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, Self

from pydantic import Field, model_validator

from ingest.sources.babelon.translations import COLUMNS, TERM, WORDING, Translations
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.identifiers import Identifiers
from ingest.sources.formats.tab_lines import Table, read_tables
from ingest.sources.kind import SourceKind
from ingest.sources.ontology.reading import format_of, load_terms
from ingest.sources.ontology.types import NodeTypeName, TermTypes
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult
from kg.progress import Progress


class BabelonSource(SourceSettings, frozen=True):
    """A translation of an ontology."""

    kind: Literal["babelon"]
    name: SourceName = "babelon"
    file: Path | None = None
    """The translations, *.babelon.tsv, plain or .gz."""
    layperson: Path | None = None
    """HPO's layperson-synonyms.tsv."""
    ontology: Path | None = None
    """The ontology itself, .obo or .json, plain or .gz."""
    types: dict[str, NodeTypeName] = Field(default_factory=dict)
    """Node type by prefix of the id; goes before medkg's own."""

    @model_validator(mode="after")
    def _reads_something(self) -> Self:
        if self.file is None and self.layperson is None:
            raise ValueError("give the 'file' with the translations, or 'layperson'")
        return self


def files(source: BabelonSource) -> tuple[Path, ...]:
    """The input files."""
    return tuple(filter(None, (source.file, source.layperson, source.ontology)))


def read(
    source: BabelonSource, out: Path, progress: Progress, _: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: a file cannot be read, or ``out`` not be written.
    """
    types = TermTypes.shipped().with_settings(source.types, {})
    terms = None
    if source.ontology:
        terms = load_terms(source.ontology, format_of(source.ontology), Identifiers(), types)
    translations = Translations(RelationMap.of("ingest.sources.babelon"), terms, types)
    return read_tables(list(_tables(source, translations)), source.name, out, progress)


def _tables(source: BabelonSource, translations: Translations) -> Iterator[Table]:
    if source.file:
        yield Table(source.file, COLUMNS, translations.translated)
    if source.layperson:
        columns = (TERM, WORDING)
        yield Table(source.layperson, columns, translations.in_lay_words, quoted=False)


KIND: Final = SourceKind(
    title="An ontology in another language, such as HPO in Chinese",
    licence="that of the ontology; HPO's is https://hpo.jax.org/license: cite it, alter nothing",
    citation=(
        "Gargano et al. The Human Phenotype Ontology in 2024: phenotypes around the "
        "world. Nucleic Acids Research 2024;52:D1333"
    ),
    needs=("hp-zh.babelon.tsv, or another *.babelon.tsv",),
    obtained=(
        "the folder src/translations of obophenotype/human-phenotype-ontology on GitHub; "
        "layperson-synonyms.tsv stands in its folder reports"
    ),
    files=files,
    read=read,
)
