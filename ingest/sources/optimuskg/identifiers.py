"""OptimusKG's labels of nodes, and how it writes ids (``MONDO_0005148``, ``ENSG00000141510``)."""

from typing import Final

import ibis
import ibis.expr.types as ir

TYPES: Final = {
    "ANA": "Anatomy",
    "BPO": "BiologicalProcess",
    "CCO": "CellularComponent",
    "DIS": "Disease",
    "DRG": "Drug",
    "EXP": "Exposure",
    "GEN": "Gene",
    "MFN": "MolecularFunction",
    "PHE": "Symptom",
    "PWY": "Pathway",
}
"""Node types of the graph by OptimusKG's labels."""

_SPELLED: Final = {
    "Orphanet": "ORPHA",
    "REACT": "REACTOME",
    "meddra": "MEDDRA",
    "MedDRA": "MEDDRA",
    "MeSH": "MESH",
}
"""Prefixes that the graph writes in another way."""


def curie(written: ir.Value) -> ir.Value:
    """An id with its prefix as the graph spells it."""
    with_colon = written.re_replace("^([A-Za-z]+)_", r"\1:")
    prefix = with_colon.re_extract("^([^:]+):", 1)
    local = with_colon.re_replace("^[^:]*:", "")
    spelled = prefix.cases(*_SPELLED.items(), else_=prefix) + ":" + local
    return ibis.cases(
        (written.re_search("^ENSG[0-9]+$"), ibis.literal("ENSEMBL:") + written),
        (written.re_search("^CHEMBL[0-9]+$"), ibis.literal("CHEMBL.COMPOUND:") + written),
        (written.re_search("^DB[0-9]{5}$"), ibis.literal("DRUGBANK:") + written),
        (written.re_search("^R-[A-Z]{3}-[0-9]+"), ibis.literal("REACTOME:") + written),
        (prefix == "", written),
        else_=spelled,
    )
