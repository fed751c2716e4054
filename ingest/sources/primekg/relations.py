"""What PrimeKG's relations say in the words of the graph.

PrimeKG writes every edge twice, x to y and y to x. Where the two sides have
different types the types tell which is the head. Hierarchies (``parent-child``
between nodes of one type) lose their direction by this; but PrimeKG is made as
all edges in the direction of their origin first, then all of them turned
round, so the first row of a pair has the original direction: parent first in
all hierarchies except anatomy's, where the child comes first.
"""

from dataclasses import dataclass
from typing import Final

TYPES: Final = {
    "gene/protein": "Gene",
    "drug": "Drug",
    "disease": "Disease",
    "effect/phenotype": "Symptom",
    "anatomy": "Anatomy",
    "biological_process": "BiologicalProcess",
    "molecular_function": "MolecularFunction",
    "cellular_component": "CellularComponent",
    "pathway": "Pathway",
    "exposure": "Exposure",
}
"""Node types of the graph by PrimeKG's."""


@dataclass(frozen=True)
class Identifiers:
    """How PrimeKG writes the ids of one of its sources."""

    prefix: str
    pattern: str
    """Regular expression of a whole id."""
    digits: int = 0
    """An id is padded with zeros to this length."""


IDENTIFIERS: Final = {
    "NCBI": Identifiers("NCBIGene", "[0-9]+"),
    "DrugBank": Identifiers("DRUGBANK", "DB[0-9]{5}"),
    "MONDO": Identifiers("MONDO", "[0-9]{1,7}", digits=7),
    "HPO": Identifiers("HP", "[0-9]{1,7}", digits=7),
    "UBERON": Identifiers("UBERON", "[0-9]{1,7}", digits=7),
    "GO": Identifiers("GO", "[0-9]{1,7}", digits=7),
    "REACTOME": Identifiers("REACTOME", "R-HSA-[0-9]+"),
    "CTD": Identifiers("MESH", "[CD][0-9]+"),
}
"""By ``x_source`` and ``y_source``. ``MONDO_grouped`` is not here: a group has no id."""

GROUPED: Final = "MONDO_grouped"
"""Several MONDO diseases as one node, their ids joined by ``_``."""


@dataclass(frozen=True)
class Mapping:
    """One of PrimeKG's kinds of edge."""

    relation: str
    display_relation: str
    head: str
    """PrimeKG's node type at the head."""
    name: str
    """Relation type of the graph."""
    tail: str
    head_stands_first: bool | None = None
    """Whether the head is x in the first of an edge's two rows; None: some of either."""


_GENE, _DRUG, _DISEASE, _EFFECT = "gene/protein", "drug", "disease", "effect/phenotype"
_ANATOMY, _EXPOSURE, _PATHWAY = "anatomy", "exposure", "pathway"
_PROCESS, _FUNCTION, _COMPONENT = "biological_process", "molecular_function", "cellular_component"
_INTERACTS, _CHILD = "interacts with", "parent-child"

MAPPINGS: Final = (
    Mapping("protein_protein", "ppi", _GENE, "INTERACTS_WITH", _GENE),
    Mapping("drug_protein", "carrier", _DRUG, "CARRIED_BY", _GENE, True),
    Mapping("drug_protein", "enzyme", _DRUG, "METABOLISED_BY", _GENE, True),
    Mapping("drug_protein", "target", _DRUG, "TARGETS", _GENE, True),
    Mapping("drug_protein", "transporter", _DRUG, "TRANSPORTED_BY", _GENE, True),
    Mapping("contraindication", "contraindication", _DRUG, "CONTRAINDICATED_FOR", _DISEASE, True),
    Mapping("indication", "indication", _DRUG, "INDICATED_FOR", _DISEASE, True),
    Mapping("off-label use", "off-label use", _DRUG, "USED_OFF_LABEL_FOR", _DISEASE, True),
    # DrugBank's drug-drug interactions of every kind, whatever the word says
    Mapping("drug_drug", "synergistic interaction", _DRUG, "INTERACTS_WITH", _DRUG),
    Mapping("phenotype_protein", "associated with", _GENE, "ASSOCIATED_WITH", _EFFECT, True),
    Mapping("disease_protein", "associated with", _GENE, "ASSOCIATED_WITH", _DISEASE, True),
    Mapping("disease_phenotype_positive", "phenotype present", _DISEASE, "HAS_SYMPTOM", _EFFECT),
    Mapping("disease_phenotype_negative", "phenotype absent", _DISEASE, "LACKS_SYMPTOM", _EFFECT),
    Mapping("drug_effect", "side effect", _DRUG, "HAS_ADVERSE_REACTION", _EFFECT, True),
    Mapping("bioprocess_protein", _INTERACTS, _GENE, "PARTICIPATES_IN", _PROCESS, True),
    Mapping("molfunc_protein", _INTERACTS, _GENE, "HAS_FUNCTION", _FUNCTION, True),
    Mapping("cellcomp_protein", _INTERACTS, _GENE, "FOUND_IN", _COMPONENT, True),
    Mapping("pathway_protein", _INTERACTS, _GENE, "PARTICIPATES_IN", _PATHWAY, True),
    Mapping(
        "anatomy_protein_present", "expression present", _GENE, "EXPRESSED_IN", _ANATOMY, True
    ),
    Mapping(
        "anatomy_protein_absent", "expression absent", _GENE, "NOT_EXPRESSED_IN", _ANATOMY, True
    ),
    Mapping("exposure_protein", _INTERACTS, _EXPOSURE, "INTERACTS_WITH", _GENE, True),
    Mapping("exposure_disease", "linked to", _EXPOSURE, "LINKED_TO", _DISEASE, True),
    Mapping("exposure_bioprocess", _INTERACTS, _EXPOSURE, "LINKED_TO", _PROCESS, True),
    Mapping("exposure_molfunc", _INTERACTS, _EXPOSURE, "LINKED_TO", _FUNCTION, True),
    Mapping("exposure_cellcomp", _INTERACTS, _EXPOSURE, "LINKED_TO", _COMPONENT, True),
    # CTD's stressors and the exposures that mark them; made like exposure_protein, no hierarchy
    Mapping("exposure_exposure", _CHILD, _EXPOSURE, "INTERACTS_WITH", _EXPOSURE),
    Mapping("disease_disease", _CHILD, _DISEASE, "IS_A", _DISEASE, False),
    Mapping("phenotype_phenotype", _CHILD, _EFFECT, "IS_A", _EFFECT, False),
    Mapping("bioprocess_bioprocess", _CHILD, _PROCESS, "IS_A", _PROCESS, False),
    Mapping("molfunc_molfunc", _CHILD, _FUNCTION, "IS_A", _FUNCTION, False),
    Mapping("cellcomp_cellcomp", _CHILD, _COMPONENT, "IS_A", _COMPONENT, False),
    Mapping("pathway_pathway", _CHILD, _PATHWAY, "IS_A", _PATHWAY, False),
    Mapping("anatomy_anatomy", _CHILD, _ANATOMY, "IS_A", _ANATOMY, True),
)
"""All of PrimeKG's 30 relations, ``drug_protein`` with its four kinds."""
