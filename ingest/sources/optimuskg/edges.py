"""OptimusKG's edges."""

from typing import Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from ingest.sources.curies import Curies
from ingest.sources.formats.frequencies import fraction
from ingest.sources.optimuskg.identifiers import TYPES, curie
from ingest.sources.pairs import KEY, directions, pair_assertions, why_unmapped
from ingest.sources.parts import Part
from ingest.sources.relations import RelationMap
from ingest.sources.writing import as_quarantine, counted

COLUMNS: Final = ("from", "to", "label", "relation")

_REFERENCES: Final = ("references", "reference_ids", "source_urls")
_SEVERAL: Final = ("evidence_type", "frequency", "onset", "sexes")
PROPERTIES: Final = {
    "evidence_score": "float64",
    "highest_clinical_trial_phase": "float64",
    "drug_disease_id": "string",
    **dict.fromkeys((*_REFERENCES, *_SEVERAL), "array<string>"),
}
"""Those that are read."""

IN_TRIALS: Final = ", in trials"
"""Suffix of the words of indications that are not approved."""

_OF_TRIALS: Final = ("DRG-DIS INDICATION", "DRG-PHE ASSOCIATED_WITH")
"""Open Targets' relation of a drug to the diseases and phenotypes of its trials."""
_APPROVED: Final = 4
"""Phase of a trial."""


def pairs_of(edges: ir.Table, relations: RelationMap) -> ir.Table:
    """The edges as a table of pairs with the columns of ``directions``, null where it has none.

    Args:
        edges: ``records`` with ``COLUMNS`` and ``PROPERTIES``; only of an edge that is not
            mapped the ``record`` stays.
        relations: OptimusKG's.
    """
    pairs = edges.mutate(
        original_relation=_original_relation(edges),
        x_type=edges.label.fill_null("").re_extract("^(.*)-", 1),
        y_type=edges.label.fill_null("").re_extract("-(.*)$", 1),
        x=curie(edges["from"]),
        y=curie(edges.to),
        x_name=ibis.null("string"),
        y_name=ibis.null("string"),
    ).drop("relation")
    meanings = directions(relations, TYPES)
    joined = pairs.left_join(meanings, KEY, rname="{name}_known").drop(
        *(f"{n}_known" for n in KEY)
    )
    unmapped = joined.relation.isnull()
    return joined.mutate(
        publications=_publications(joined),
        frequency_text=_joined(joined.frequency),
        onset=_joined(joined.onset),
        sex=_joined(joined.sexes).upper(),
        evidence=_joined(joined.evidence_type),
        record=ibis.ifelse(unmapped, joined.record, ibis.null("string")),
    ).drop("from", "to", *_REFERENCES, *_SEVERAL[:2], _SEVERAL[3])


def edge_part(pairs: ir.Table, source: str, relations: RelationMap) -> Part:
    """Assertions from the edges.

    Args:
        pairs: ``pairs_of`` the edges.
        source: the source's name.
        relations: OptimusKG's.
    """
    refused = pairs.filter(pairs.relation.isnull())
    refused = refused.mutate(reason=why_unmapped(refused, relations, TYPES))
    columns = ("file", "row", "original_relation", "reason", "record")
    return Part(
        (_assertions(pairs.filter(pairs.relation.notnull()), source),),
        (as_quarantine(refused, {"source": source, **{n: refused[n] for n in columns}}),),
        counted(pairs, pairs.original_relation),
    )


def _original_relation(edges: ir.Table) -> ir.Value:
    word = edges.label.fill_null("no label") + " " + edges.relation.fill_null("no relation")
    word = word.substr(0, 100)
    approved = edges.drug_disease_id.notnull() | (
        edges.highest_clinical_trial_phase >= _APPROVED
    ).fill_null(False)
    return ibis.ifelse(word.isin(_OF_TRIALS) & ~approved, word + IN_TRIALS, word)


def _assertions(mapped: ir.Table, source: str) -> ir.Table:
    mapped = _with_fraction(mapped)
    problems = Curies().problems(mapped, "x", "y")
    broken = ibis.literal("the properties are not a JSON object")
    problems.append(ibis.ifelse(mapped.broken, broken, ibis.null("string")))
    same = ("file", "frequency_text", "onset", "sex", "evidence", "publications")
    lacked = (mapped.relation == "HAS_SYMPTOM") & (mapped.fraction == 0).fill_null(False)
    return pair_assertions(
        mapped,
        {
            "source": source,
            "relation": ibis.ifelse(lacked, "LACKS_SYMPTOM", mapped.relation),
            **{name: mapped[name] for name in same},
            "frequency": mapped.fraction,
            "weight": mapped.evidence_score,
            "problem": ibis.coalesce(*problems),
        },
    )


def _joined(values: ir.Value) -> ir.Value:
    return values.filter(lambda one: one.notnull()).map(_spelled).sort().join("|").nullif("")


def _spelled(one: ir.Value) -> ir.Value:
    return ibis.ifelse(one.re_search("^HP_[0-9]{7}$"), one.replace("HP_", "HP:"), one)


def _publications(edges: ir.Table) -> ir.Value:
    """Articles, trials and addresses; numbers of labels and codes are of other kinds."""
    none = ibis.literal([], "array<string>")
    lists = [edges[name].fill_null(none) for name in _REFERENCES]
    spelled = lists[0].concat(*lists[1:]).map(_publication)
    return spelled.filter(lambda one: one.notnull()).unique().sort().join("|").nullif("")


def _publication(one: ir.Value) -> ir.Value:
    one = one.strip().replace("|", "%7C")
    return ibis.cases(
        (one.re_search("^[0-9]+$"), ibis.literal("PMID:") + one),
        (one.re_search("^NCT[0-9]{8}$"), ibis.literal("CLINICALTRIALS:") + one),
        (one.re_search(r"^[A-Za-z][A-Za-z.]*:\S+$"), one),
        else_=ibis.null("string"),
    )


def _with_fraction(edges: ir.Table) -> ir.Table:
    """Add ``fraction``, null for several frequencies; the texts are few, Python reads each once."""
    texts = edges.filter(edges.frequency_text.notnull()).select("frequency_text").distinct()
    written = texts.to_pyarrow()["frequency_text"].to_pylist()
    read = pa.table(
        {
            "text": pa.array(written, pa.string()),
            "fraction": pa.array([fraction(text) for text in written], pa.float64()),
        }
    )
    fractions = ibis.memtable(read)
    return edges.left_join(fractions, edges.frequency_text == fractions.text)
