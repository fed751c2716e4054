"""The closed vocabulary of MedKG: node types, relation types, attributes.

Everything that names a type or a relation names it from here: readers map
their source's words onto these, the loader makes labels from these, and the
query rewriter and linter know no others. Biolink classes and predicates are
those of the Biolink Model 4 (https://w3id.org/biolink/).
"""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

PREDICTED: Final = "PREDICTED"
"""The relation type of what a model predicts: no fact."""


Category = Literal["thing", "qualifier", "code", "text"]
"""What an entity is: a thing that medicine knows of, a word that qualifies one (mild), a code of
another vocabulary, or a text. Linking, embeddings, full text and rules go by it."""


@dataclass(frozen=True)
class NodeType:
    """One label below ``:Entity``."""

    name: str
    biolink: str
    """Biolink class, as a CURIE."""
    prefixes: tuple[str, ...] = ()
    """Id prefixes in order of preference: the first one present names a merged node."""
    category: Category = "thing"


@dataclass(frozen=True)
class RelationType:
    """One relationship type with what it may connect."""

    name: str
    biolink: str
    """Biolink predicate, as a CURIE."""
    domain: frozenset[str]
    """Node types a head may have."""
    range: frozenset[str]
    """Node types a tail may have."""
    symmetric: bool = False
    """Stored once, with the smaller id as head."""
    inverted: bool = False
    """The Biolink predicate reads from tail to head."""
    negated: bool = False
    """It says that what the Biolink predicate states is not so."""
    same_type: bool = False
    """Head and tail have one type (a hierarchy does not cross types)."""
    fact: bool = True
    """Sources state it. What is none is in layers only, and no query about facts gives it."""
    usual_head: str | None = None
    """The type of a head of which a source says none, where that is no guess."""


def _node_types() -> dict[str, NodeType]:
    rows = (
        NodeType("Disease", "biolink:Disease", ("MONDO", "DOID", "OMIM", "ORPHA", "DECIPHER")),
        NodeType("Symptom", "biolink:PhenotypicFeature", ("HP",)),
        NodeType("Drug", "biolink:Drug", ("DRUGBANK", "CHEBI", "RXNORM")),
        NodeType("DrugClass", "biolink:ChemicalRole", ("NDFRT",)),
        NodeType("Gene", "biolink:Gene", ("NCBIGene", "HGNC")),
        NodeType("Anatomy", "biolink:AnatomicalEntity", ("UBERON",)),
        NodeType("Procedure", "biolink:Procedure"),
        NodeType("Test", "biolink:DiagnosticAid"),
        NodeType("Exposure", "biolink:ExposureEvent", ("MESH",)),
        NodeType("Organism", "biolink:OrganismTaxon", ("NCBITaxon",)),
        NodeType("Food", "biolink:Food"),
        NodeType("Behavior", "biolink:Behavior"),
        NodeType("Department", "biolink:Agent"),
        NodeType("Precaution", "biolink:InformationContentEntity"),
        NodeType("Population", "biolink:PopulationOfIndividualOrganisms"),
        NodeType("PathologicalProcess", "biolink:PathologicalProcess"),
        NodeType("Pathway", "biolink:Pathway", ("REACTOME",)),
        NodeType("BiologicalProcess", "biolink:BiologicalProcess", ("GO",)),
        NodeType("MolecularFunction", "biolink:MolecularActivity", ("GO",)),
        NodeType("CellularComponent", "biolink:CellularComponent", ("GO",)),
        NodeType("Inheritance", "biolink:GeneticInheritance", ("HP",)),
        NodeType("Modifier", "biolink:ClinicalModifier", ("HP",), "qualifier"),
        NodeType("Concept", "biolink:NamedThing", ("UMLS",), "code"),
        NodeType("Section", "biolink:InformationContentEntity", (), "text"),
    )
    return {row.name: row for row in rows}


NODE_TYPES: Final = MappingProxyType(_node_types())
"""Node types by name, in order of precedence."""


def of_category(*categories: Category) -> tuple[str, ...]:
    """Names of the node types of any of the categories, in order of precedence."""
    return tuple(row.name for row in NODE_TYPES.values() if row.category in categories)


def _types(names: str) -> frozenset[str]:
    types = frozenset(names.split())
    if unknown := types - NODE_TYPES.keys():
        raise ValueError(f"not node types: {sorted(unknown)}")
    return types


_CONDITION = "Disease Symptom"
_AGENT = "Exposure Organism Behavior Food Drug Gene Population PathologicalProcess Procedure"
_STRUCTURE = "Anatomy CellularComponent BiologicalProcess MolecularFunction Pathway"
_ANY = " ".join(NODE_TYPES)
_ENTITY = " ".join(of_category("thing", "qualifier"))


def _relation_types() -> dict[str, RelationType]:
    def relation(
        name: str,
        biolink: str,
        domain: str,
        range_: str,
        *,
        symmetric: bool = False,
        inverted: bool = False,
        negated: bool = False,
        same_type: bool = False,
        fact: bool = True,
        usual_head: str | None = None,
    ) -> RelationType:
        return RelationType(
            name,
            f"biolink:{biolink}",
            _types(domain),
            _types(range_),
            symmetric=symmetric,
            inverted=inverted,
            negated=negated,
            same_type=same_type,
            fact=fact,
            usual_head=usual_head or (domain if domain in NODE_TYPES else None),
        )

    rows = (
        # the clinical picture of a disease, or of a finding that others come with (vomiting)
        relation("HAS_SYMPTOM", "has_phenotype", _CONDITION, _CONDITION, usual_head="Disease"),
        relation(
            "LACKS_SYMPTOM",
            "has_phenotype",
            _CONDITION,
            _CONDITION,
            negated=True,
            usual_head="Disease",
        ),
        relation("CAUSED_BY", "causes", _CONDITION, f"{_CONDITION} {_AGENT}", inverted=True),
        relation(
            "HAS_RISK_FACTOR",
            "contributes_to",
            _CONDITION,
            f"{_CONDITION} {_AGENT}",
            inverted=True,
        ),
        relation(
            "COMPLICATED_BY",
            "manifestation_of",
            _CONDITION,
            _CONDITION,
            inverted=True,
            usual_head="Disease",
        ),
        relation("DIAGNOSED_BY", "diagnoses", _CONDITION, "Test Procedure Symptom", inverted=True),
        relation(
            "TREATED_BY",
            "treats",
            _CONDITION,
            "Drug Procedure Behavior Food Exposure",
            inverted=True,
        ),
        relation(
            "PREVENTED_BY",
            "preventative_for_condition",
            _CONDITION,
            "Drug Procedure Behavior Food Exposure Test Precaution",
            inverted=True,
        ),
        relation("RECOMMENDED_FOOD", "related_to", _CONDITION, "Food"),
        relation("AVOIDED_FOOD", "contraindicated_in", _CONDITION, "Food", inverted=True),
        relation("DIFFERENTIATED_FROM", "related_to", _CONDITION, _CONDITION),
        relation("MANAGED_IN", "related_to", _CONDITION, "Department"),
        relation("OCCURS_IN", "located_in", _CONDITION, "Anatomy"),
        relation("HAS_INHERITANCE", "has_mode_of_inheritance", "Disease", "Inheritance"),
        relation("HAS_MODIFIER", "related_to", "Disease", "Modifier"),
        # drugs
        relation("INDICATED_FOR", "treats", "Drug", _CONDITION),
        relation("USED_OFF_LABEL_FOR", "applied_to_treat", "Drug", _CONDITION),
        relation(
            "CONTRAINDICATED_FOR",
            "contraindicated_in",
            "Drug",
            f"{_CONDITION} Population Drug Food Procedure",
        ),
        relation("HAS_ADVERSE_REACTION", "has_adverse_event", "Drug", _CONDITION),
        relation("HAS_PRECAUTION", "related_to", "Drug", f"Precaution Population {_CONDITION}"),
        relation(
            "INTERACTS_WITH",
            "interacts_with",
            "Drug Food Gene Exposure",
            "Drug Food Gene Exposure",
            symmetric=True,
        ),
        relation("HAS_INGREDIENT", "has_part", "Drug", "Drug Food"),
        relation("PALLIATES", "ameliorates_condition", "Drug", _CONDITION),
        relation("TRIALLED_FOR", "in_clinical_trials_for", "Drug", _CONDITION),
        relation("IN_CLASS", "member_of", "Drug", "DrugClass"),
        relation("TARGETS", "affects", "Drug", "Gene"),
        relation("BINDS", "directly_physically_interacts_with", "Drug", "Gene"),
        relation("UPREGULATES", "affects", "Drug", "Gene"),
        relation("DOWNREGULATES", "affects", "Drug", "Gene"),
        relation("CARRIED_BY", "interacts_with", "Drug", "Gene"),
        relation("TRANSPORTED_BY", "interacts_with", "Drug", "Gene"),
        relation("METABOLISED_BY", "interacts_with", "Drug", "Gene"),
        # biology
        relation("ASSOCIATED_WITH", "gene_associated_with_condition", "Gene", _CONDITION),
        relation("EXPRESSED_IN", "expressed_in", "Gene", "Anatomy"),
        relation("NOT_EXPRESSED_IN", "expressed_in", "Gene", "Anatomy", negated=True),
        relation("UPREGULATED_IN", "related_to", "Gene", "Anatomy Disease"),
        relation("DOWNREGULATED_IN", "related_to", "Gene", "Anatomy Disease"),
        relation("REGULATES", "regulates", "Gene", "Gene"),
        relation("COVARIES_WITH", "correlated_with", "Gene", "Gene", symmetric=True),
        relation("PARTICIPATES_IN", "participates_in", "Gene", "Pathway BiologicalProcess"),
        relation("HAS_FUNCTION", "enables", "Gene", "MolecularFunction"),
        relation("FOUND_IN", "located_in", "Gene", "CellularComponent"),
        relation(
            "LINKED_TO",
            "related_to",
            "Exposure",
            "Disease Symptom BiologicalProcess MolecularFunction CellularComponent",
        ),
        # statistics of texts, and likeness
        relation(
            "COOCCURS_WITH",
            "occurs_together_in_literature_with",
            _CONDITION,
            f"{_CONDITION} Anatomy",
            usual_head="Disease",
        ),
        relation(
            "RESEMBLES",
            "similar_to",
            "Disease Symptom Drug",
            "Disease Symptom Drug",
            symmetric=True,
            same_type=True,
        ),
        # structure
        relation("IS_A", "subclass_of", _ENTITY, _ENTITY, same_type=True),
        relation("PART_OF", "part_of", _STRUCTURE, _STRUCTURE),
        # a disease that is also a finding of others (pneumonia, anaemia), and that finding
        relation("CLOSE_MATCH", "close_match", "Disease", "Symptom"),
        relation("HAS_CUI", "exact_match", _ENTITY, "Concept"),
        relation("HAS_SECTION", "related_to", _ENTITY, "Section"),
        # what a model takes for likely: original_relation is the relation that it predicts,
        # method the model's name, score the probability
        relation(PREDICTED, "related_to", _ANY, _ANY, fact=False),
    )
    return {row.name: row for row in rows}


RELATION_TYPES: Final = MappingProxyType(_relation_types())
"""Relation types by name."""

FACTS: Final = tuple(name for name, relation in RELATION_TYPES.items() if relation.fact)
"""Names of the relation types that sources may state."""


def read_backwards(one: str, other: str) -> bool:
    """Whether ``<h, one, t>`` says that ``<t, other, h>``.

    So it is with a symmetric relation and itself, and with two that are one Biolink predicate
    read from opposite ends. A name that is no relation type says nothing of another.
    """
    if one not in RELATION_TYPES or other not in RELATION_TYPES:
        return False
    a, b = RELATION_TYPES[one], RELATION_TYPES[other]
    if one == other:
        return a.symmetric
    return a.biolink == b.biolink and a.negated == b.negated and a.inverted != b.inverted


ATTRIBUTES: Final = MappingProxyType(
    {
        "HAS_NAME": "name",
        "HAS_SYNONYM": "synonyms",
        "HAS_LAY_SYNONYM": "lay_names",
        "HAS_RELATED_SYNONYM": "synonyms",
        "HAS_BRIDGED_NAME": "synonyms",
        "HAS_BRIDGED_SYNONYM": "synonyms",
        "HAS_DEFINITION": "definition",
        "HAS_TEXT": "text",
        "HAS_XREF": "xrefs",
        "HAS_EXACT_MATCH": "xrefs",
        "HAS_FORMER_ID": "xrefs",
        "HAS_TYPE": "type",
        "IS_NODE_OF": "id",
    }
)
"""What a source may say of one node, and the node column it ends in.

An assertion whose relation is one of these has no tail: its ``value`` is the
literal. ``HAS_NAME`` and the synonyms of language ``zh`` end in the columns
``name_zh``, ``synonyms_zh`` and ``lay_names_zh``. ``HAS_SYNONYM`` is an exact one,
``HAS_LAY_SYNONYM`` a layperson's, which is among the synonyms too, ``HAS_RELATED_SYNONYM`` one of a broader, narrower or neighbouring meaning. ``HAS_BRIDGED_NAME`` is a
name from a list that only translates: alone it makes no node; ``HAS_BRIDGED_SYNONYM`` is another
name there (a brand). ``HAS_EXACT_MATCH`` names another id of the same thing,
by which the merge joins both; ``HAS_FORMER_ID`` one that its own ontology used before, and
that stands for it in other sources; ``HAS_XREF`` is any other cross-reference. ``HAS_TYPE``
repeats the head's type: it is for those that a source only lists, without a word on them.
``IS_NODE_OF`` names a graph that was merged already and has the head as a node: two nodes of
one graph are two things, whatever their names and cross-references.
"""

LANGUAGES: Final = ("en", "zh")
"""Languages a name may have (ISO 639-1)."""
