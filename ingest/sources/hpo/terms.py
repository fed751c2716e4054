"""hp.obo: HPO's terms, which say what the terms of any ontology say."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from ingest.sources.formats.identifiers import Identifiers
from ingest.sources.ontology.reading import records
from ingest.sources.ontology.statements import Statements
from ingest.sources.ontology.terms import Terms
from ingest.sources.ontology.types import TermTypes
from ingest.sources.relations import RelationMap
from ingest.sources.writing import write_records
from kg.errors import SourceError

FILE: Final = "hp.obo"
_PREFIX: Final = "HP:"


def read(path: Path, source: str, folder: Path) -> tuple[ir.Table, Mapping[str, int]]:
    """Write what the terms say into two tables of ``folder``.

    Returns:
        Every id that stands for a term in use, ``hpo_id, term, term_type, term_name``, and the
        records by original relation.

    Raises:
        SourceError: the file is missing, cut off, not UTF-8, or has no HPO term.
    """
    identifiers, types = Identifiers(), TermTypes.shipped()
    terms = Terms.of(records(path, "obo", identifiers, outline=True), types)
    if not any(identifier.startswith(_PREFIX) for identifier in terms.in_use):
        raise SourceError(
            f"{path}: no term of the Human Phenotype Ontology is in it; download hp.obo again"
        )
    statements = Statements(FILE, terms, types, RelationMap.of("ingest.sources.ontology"))
    write_records(statements.of(records(path, "obo", identifiers)), source, folder)
    return _terms_table(terms), statements.rows


def _terms_table(terms: Terms) -> ir.Table:
    ids = {identifier: identifier for identifier in terms.in_use} | terms.current
    rows = [
        {"hpo_id": old, "term": term.id, "term_type": term.type, "term_name": term.name}
        for old, term in ((old, terms.in_use[new]) for old, new in ids.items())
    ]
    return ibis.memtable(pa.Table.from_pylist(rows))
