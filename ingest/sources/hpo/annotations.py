"""phenotype.hpoa: diseases with their phenotypes, inheritance, course and modifiers."""

from collections.abc import Mapping
from typing import Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from ingest.sources.curies import Curies
from ingest.sources.formats.delimited import NUMBER, RECORD, UNREADABLE, Rows
from ingest.sources.formats.frequencies import fraction
from ingest.sources.parts import Part, quarantined, rows_of, unread_cells
from ingest.sources.relations import Mapped, RelationMap
from ingest.sources.writing import as_assertions

FILE: Final = "phenotype.hpoa"

COLUMNS: Final = (
    *("database_id", "disease_name", "qualifier", "hpo_id", "reference", "evidence"),
    *("onset", "frequency", "sex", "modifier", "aspect"),
)
"""The twelfth, ``biocuration``, may be missing."""

_UNREADABLE: Final = f"{FILE} {UNREADABLE}"
_ASPECT: Final = f"{FILE} aspect "
"""Before the aspect in ``original_relation``."""


def _original_relation(rows: ir.Table) -> ir.Value:
    word = ibis.ifelse(
        rows.qualifier.fill_null("") == "NOT",
        ibis.literal(f"{FILE} NOT"),
        ibis.literal(_ASPECT) + rows.aspect.fill_null("missing"),
    )
    return word.substr(0, 100)


def read(rows: Rows, terms: ir.Table, source: str) -> Part:
    """Assertions from the annotations.

    Args:
        rows: of phenotype.hpoa, with ``COLUMNS``.
        terms: every id of a term in use: ``hpo_id, term, term_type, term_name``.
        source: the source's name.
    """
    table = rows.good.select(*COLUMNS, row=rows.good[NUMBER], record=rows.good[RECORD])
    table = table.mutate(original_relation=_original_relation(table))
    counts = rows_of(table, rows.bad, _UNREADABLE)
    table = _with_frequency(table.left_join(terms, "hpo_id", rname="_{name}"))
    aspects = _aspects()
    table = table.mutate(relation=_relation(table, aspects), reason=_why_no_fact(table, aspects))
    made = {"source": source, "file": FILE}
    facts, refused = table.filter(table.reason.isnull()), table.filter(table.reason.notnull())
    return Part(
        (_assertions(facts, made),),
        (
            quarantined(refused, rows.bad, made, _UNREADABLE),
            unread_cells(_unread_frequencies(facts), made),
        ),
        counts,
    )


def _unread_frequencies(facts: ir.Table) -> ir.Table:
    unread = facts.filter(facts.frequency.notnull() & facts.fraction.isnull())
    reason = (
        ibis.literal("the frequency '")
        + unread.frequency.substr(0, 100)
        + "' is neither n/m, a percentage nor an HPO frequency term"
    )
    return unread.mutate(reason=reason)


def _assertions(facts: ir.Table, made: Mapping[str, str]) -> ir.Table:
    (malformed,) = Curies().problems(facts, "database_id")
    return as_assertions(
        facts,
        {
            **made,
            "row": facts.row,
            "original_relation": facts.original_relation,
            "head": facts.database_id,
            "head_type": "Disease",
            "head_name": facts.disease_name,
            "relation": facts.relation,
            "tail": facts.term,
            "tail_type": facts.term_type,
            "tail_name": facts.term_name,
            "frequency": facts.fraction,
            "frequency_text": ibis.ifelse(facts.fraction.notnull(), facts.frequency, None),
            "onset": facts.onset,
            "sex": facts.sex.upper(),
            "publications": facts.reference.replace(";", "|"),
            "evidence": facts.evidence.replace(";", "|"),
            "problem": malformed,
        },
    )


def _with_frequency(table: ir.Table) -> ir.Table:
    """Add ``fraction``; the distinct texts are few, so Python reads each once."""
    texts = table.filter(table.frequency.notnull()).select("frequency").distinct()
    written = texts.to_pyarrow()["frequency"].to_pylist()
    fractions = ibis.memtable(
        pa.table(
            {
                "written": pa.array(written, pa.string()),
                "fraction": pa.array([fraction(text) for text in written], pa.float64()),
            }
        )
    )
    joined = table.left_join(fractions, table.frequency == fractions.written)
    return joined.drop("written")


def _aspects() -> dict[str, Mapped]:
    """What each aspect says where it is not denied."""
    relations = RelationMap.of(__package__).relations
    return {
        word.removeprefix(_ASPECT): mapped[0]
        for word, mapped in relations.items()
        if word.startswith(_ASPECT)
    }


def _relation(table: ir.Table, aspects: Mapping[str, Mapped]) -> ir.Value:
    by_aspect = [(table.aspect == a, ibis.literal(m.relation)) for a, m in aspects.items()]
    return ibis.cases(
        ((table.aspect == "P") & _negated(table), ibis.literal("LACKS_SYMPTOM")),
        *by_aspect,
        else_=ibis.null("string"),
    )


def _negated(table: ir.Table) -> ir.Value:
    return (table.qualifier.fill_null("") == "NOT") | (table.fraction.fill_null(1.0) == 0)


def _why_no_fact(table: ir.Table, aspects: Mapping[str, Mapped]) -> ir.Value:
    """Null where the row gives an assertion."""
    aspect = table.aspect.fill_null("")
    wrong_type = [
        ((aspect == a) & (table.term_type != mapped.tail), _misplaced(table, a, mapped.tail))
        for a, mapped in aspects.items()
    ]
    return ibis.cases(
        (table.database_id.isnull(), ibis.literal("the row names no disease")),
        (table.hpo_id.isnull(), ibis.literal("the row names no term")),
        (
            table.qualifier.fill_null("NOT") != "NOT",
            ibis.literal("'") + table.qualifier.substr(0, 100) + "' is no qualifier; HPO's is NOT",
        ),
        (
            table.term.isnull(),
            table.hpo_id.substr(0, 100)
            + " is not a term of hp.obo in use, and no one term replaces it",
        ),
        (
            aspect == "H",
            ibis.literal("the graph has no relation for past medical history (aspect H)"),
        ),
        (
            ~aspect.isin(list(aspects)),
            ibis.literal("'") + aspect.substr(0, 100) + "' is no aspect of HPO",
        ),
        (
            _negated(table) & (aspect != "P"),
            ibis.literal(
                "the graph has no relation for a negated annotation that is not a phenotype"
            ),
        ),
        *wrong_type,
        else_=ibis.null("string"),
    )


def _misplaced(table: ir.Table, aspect: str, node_type: str | None) -> ir.Value:
    return table.term + " is of type " + table.term_type + f"; aspect {aspect} takes {node_type}"
