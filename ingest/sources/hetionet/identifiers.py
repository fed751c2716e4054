"""Hetionet's nodes: their kinds, and how it writes their ids (``Gene::9021``)."""

from typing import Final

import ibis
import ibis.expr.types as ir

TYPES: Final = {
    "Anatomy": "Anatomy",
    "Biological Process": "BiologicalProcess",
    "Cellular Component": "CellularComponent",
    "Compound": "Drug",
    "Disease": "Disease",
    "Gene": "Gene",
    "Molecular Function": "MolecularFunction",
    "Pathway": "Pathway",
    "Pharmacologic Class": "DrugClass",
    "Side Effect": "Symptom",
    "Symptom": "Symptom",
}
"""Node types of the graph by Hetionet's kinds."""

SIDE_EFFECT: Final = "Side Effect"
"""Known by its UMLS concept, which is no id of it."""

_PATTERNS: Final = {
    "Anatomy": "UBERON:[0-9]{7}",
    "Biological Process": "GO:[0-9]{7}",
    "Cellular Component": "GO:[0-9]{7}",
    "Compound": "DB[0-9]{5}",
    "Disease": "DOID:[0-9]+",
    "Gene": "[0-9]+",
    "Molecular Function": "GO:[0-9]{7}",
    # a number of Hetionet's own in Pathway Commons 7, or a revision of WikiPathways
    "Pathway": "PC7_[0-9]+|WP[0-9]+(_r[0-9]+)?",
    "Pharmacologic Class": "N[0-9]{10}",
    "Side Effect": "C[0-9]{7}",
    "Symptom": "[CD][0-9]+",
}
"""Regular expression of what follows ``::``, by kind."""

_PREFIXES: Final = {
    "Compound": "DRUGBANK",
    "Gene": "NCBIGene",
    "Pharmacologic Class": "NDFRT",
    "Symptom": "MESH",
}
"""By kind; ids of ontologies have theirs."""


def kind(ids: ir.Value) -> ir.Value:
    """The kind of a node, before ``::``."""
    return ids.re_extract("^(.*?)::", 1)


def local(ids: ir.Value) -> ir.Value:
    """What its own source calls a node, after ``::``."""
    return ids.re_extract("^.*?::(.*)$", 1)


def curie(ids: ir.Value) -> ir.Value:
    """The id of a node; null for one that goes by its name."""
    of_kind, rest = kind(ids), local(ids)
    named = (of_kind == SIDE_EFFECT) | rest.startswith("PC7_")
    cases = [(named, ibis.null("string"))]
    for name, prefix in _PREFIXES.items():
        cases.append((of_kind == name, ibis.literal(f"{prefix}:") + rest))
    revision = ibis.literal("WIKIPATHWAYS:") + rest.re_replace("_r[0-9]+$", "")
    return ibis.cases(*cases, (of_kind == "Pathway", revision), else_=rest)


def problem(ids: ir.Value, name: ir.Value) -> ir.Value:
    """What is wrong with the id of a node, or with its lack of a name; null for nothing."""
    pattern = "|".join(f"{of_kind}::(?:{rest})" for of_kind, rest in _PATTERNS.items())
    shown = ibis.literal("'") + ids.fill_null("").substr(0, 200) + "' "
    malformed = ~ids.fill_null("").re_search(f"^(?:{pattern})$")
    nameless = curie(ids).isnull() & name.isnull()
    return ibis.cases(
        (malformed, shown + "is not an id of Hetionet"),
        (nameless, shown + "goes by its name, and the table of nodes has none for it"),
        else_=ibis.null("string"),
    )
