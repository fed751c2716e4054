"""The known tables, by their columns, and the assertions of a row of each."""

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ingest.assertions import Assertion
from ingest.reading import text_lines
from ingest.sources.formats.delimited import TAB_SEPARATED, Dialect
from ingest.sources.formats.records import Record
from ingest.sources.indications.statement import Entity, Statement, UnusableRecordError
from ingest.sources.relations import Mapped, RelationMap
from ingest.sources.umls.semantic_types import node_types
from ingest.sources.writing import Row
from kg.errors import SourceError

Assertions = Iterator[Assertion]


@dataclass(frozen=True)
class Layout:
    """A table."""

    title: str
    columns: tuple[str, ...]
    word: str
    """The column with the row's word, or the word of all rows."""
    reader: Callable[[], Callable[[Statement, Mapped], Assertions]]
    """Makes what reads a row; a fresh one for each file, as it may remember names."""

    def statements(self, words: RelationMap) -> Callable[[Record], Row]:
        """The assertions of a row, or the reason why it gives none."""
        read_row = self.reader()

        def of(record: Record) -> Row:
            word = record[self.word].strip() if self.word in self.columns else self.word
            if word not in words.relations:
                shown = word[:100] or f"no {self.word}"
                return record.refused(shown, words.why_not(shown))
            try:
                return tuple(read_row(Statement(record, word), words.relations[word][0]))
            except UnusableRecordError as e:
                return record.refused(word, str(e))

        return of


def dialect_and_layout(path: Path, encoding: str) -> tuple[Dialect, Layout]:
    """The dialect and the layout of a table, by its header line.

    Raises:
        SourceError: it is none of them, or cannot be read.
    """
    with text_lines(path, encoding) as lines:
        header = lines.readline(65_536).rstrip("\r\n")
    headers = ((TAB_SEPARATED, header.split("\t")), (Dialect(), next(csv.reader([header]))))
    for dialect, names in headers:
        for layout in LAYOUTS:
            if set(layout.columns) <= set(names):
                return replace(dialect, encoding=encoding), layout
    layouts = "; ".join(f"{layout.title}: {', '.join(layout.columns)}" for layout in LAYOUTS)
    raise SourceError(
        f"{path}: its header has the columns of none of the tables that are known ({layouts}); "
        "map the columns of another table with a source of kind 'table'"
    )


def _drugbank(statement: Statement, name: str) -> Entity:
    return Entity(statement.id("drugbank_id", "DRUGBANK"), "Drug", statement.name(name))


def _doid(statement: Statement, column: str, name: str) -> Entity:
    return Entity(statement.id(column, "DOID"), "Disease", statement.name(name))


def _curated(statement: Statement, mapped: Mapped) -> Assertions:
    """Evidence is the number of resources, weight the number of physicians who first stated it."""
    curators, resources = (statement.record[name] for name in ("n_curators", "n_resources"))
    if not (curators.isdecimal() and resources.isdecimal()):
        raise UnusableRecordError("n_curators or n_resources is no number")
    yield statement.edge(
        mapped,
        _drugbank(statement, "drug"),
        _doid(statement, "doid_id", "disease"),
        evidence=f"n_resources={resources}",
        weight=float(curators),
    )


def _listed(statement: Statement, mapped: Mapped) -> Assertions:
    drug, disease = (
        _drugbank(statement, "drugbank_name"),
        _doid(statement, "doid_code", "doid_name"),
    )
    yield statement.edge(mapped, drug, disease, evidence=statement.word)


def _slim(statement: Statement, mapped: Mapped) -> Assertions:
    """The drug is given for the disease that the slim one subsumes."""
    disease = _doid(statement, "do_subsumed_id", "do_subsumed_name")
    wider = _doid(statement, "do_slim_id", "do_slim_name")
    drug = _drugbank(statement, "drugbank_name")
    yield statement.edge(mapped, drug, disease, evidence=statement.word)
    if disease.id != wider.id:
        yield statement.edge(Mapped(relation="IS_A"), disease, wider)


class _Conditions:
    """Conditions by CUI and name; one with several names gets the first."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], str] = {}

    def named(self, statement: Statement, node_type: str, name: str) -> tuple[Entity, Assertions]:
        """The condition of a row, and the assertions about it."""
        cui, written = statement.id("umls_cui", "UMLS"), statement.name(name)
        entity = Entity(None, node_type, self._names.setdefault((node_type, cui), written))
        assertions = [statement.concept(entity, cui)]
        if written != entity.name:
            assertions.append(statement.attribute(entity, "HAS_SYNONYM", written))
        return entity, iter(assertions)


def _predict() -> Callable[[Statement, Mapped], Assertions]:
    """OMIM's entries only cross-reference: PREDICT gives "Epilepsy" that of a rare kind of it."""
    conditions = _Conditions()

    def read(statement: Statement, mapped: Mapped) -> Assertions:
        disease, assertions = conditions.named(statement, "Disease", "umls_name")
        omim = statement.id("omim_id", "OMIM")
        yield statement.edge(mapped, _drugbank(statement, "drugbank_name"), disease)
        yield from assertions
        yield statement.attribute(disease, "HAS_XREF", omim)

    return read


def _drugcentral() -> Callable[[Statement, Mapped], Assertions]:
    """What is no disease by its semantic type, such as pregnancy, is a finding: a Symptom."""
    conditions, types = _Conditions(), node_types()

    def read(statement: Statement, mapped: Mapped) -> Assertions:
        drug = Entity(statement.id("struct_id", "DRUGCENTRAL"), "Drug")
        type_ = types.get(statement.record["cui_semantic_type"] or "T047")
        node_type = "Disease" if type_ == "Disease" else "Symptom"
        assertions: Assertions = iter(())
        if statement.record["umls_cui"]:
            condition, assertions = conditions.named(statement, node_type, "concept_name")
        else:
            condition = Entity(None, node_type, statement.name("concept_name"))
        yield statement.edge(mapped, drug, condition)
        yield from assertions

    return read


_DRUG: Final = ("drugbank_id", "drugbank_name")

LAYOUTS: Final = (
    Layout(
        "PharmacotherapyDB, indications",
        ("doid_id", "drugbank_id", "disease", "drug", "category", "n_curators", "n_resources"),
        "category",
        lambda: _curated,
    ),
    Layout(
        "dhimmel/indications, indications-verbose",
        ("doid_code", *_DRUG, "resource", "doid_name"),
        "resource",
        lambda: _listed,
    ),
    Layout(
        "dhimmel/indications, indications-slim-verbose",
        (*_DRUG, "do_slim_id", "do_slim_name", "do_subsumed_id", "do_subsumed_name", "resource"),
        "resource",
        lambda: _slim,
    ),
    Layout(
        "PREDICT, indications-umls",
        (*_DRUG, "umls_cui", "umls_name", "omim_id", "omim_name"),
        "PREDICT",
        _predict,
    ),
    Layout(
        "DrugCentral, omop_relationship",
        ("struct_id", "relationship_name", "concept_name", "umls_cui", "cui_semantic_type"),
        "relationship_name",
        _drugcentral,
    ),
)
"""A table has the first layout whose columns are all in its header."""
