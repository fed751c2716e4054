"""Names of KGX columns that medkg's export writes and this reader knows.

Most are slots of the Biolink Model. Those that begin with ``medkg_`` hold what the
model has no slot for, so that nothing of a graph is lost on the way.
"""

from typing import Final

TYPE: Final = "medkg_type"
"""Node type of the vocabulary: several of them share a Biolink class."""
NAME_ZH: Final = "medkg_name_zh"
SYNONYMS_ZH: Final = "medkg_synonym_zh"
LAY_NAMES: Final = "medkg_lay_name"
LAY_NAMES_ZH: Final = "medkg_lay_name_zh"
TEXT: Final = "medkg_text"

RELATION: Final = "medkg_relation"
"""Relation type of the vocabulary: several of them share a Biolink predicate."""
ORIGINAL_RELATION: Final = "medkg_original_relation"
EVIDENCE: Final = "medkg_evidence"
FREQUENCY_TEXT: Final = "medkg_frequency_text"
ONSET: Final = "medkg_onset"
SEX: Final = "medkg_sex"
WEIGHT: Final = "medkg_weight"
WEIGHT_TEXT: Final = "medkg_weight_text"
METHOD: Final = "medkg_method"
SCORE: Final = "medkg_score"
FLAGS: Final = "medkg_flags"
DISCRIMINATION: Final = "medkg_discrimination"
LIKELIHOOD: Final = "medkg_likelihood"

LAYER: Final = "medkg_layer"
"""Of nodes and edges that were added to the graph after its build."""

EXACT: Final = "medkg_exact"
"""Of tables only: those values of a record, as JSON, that tab-separated text cannot hold."""

SEXES: Final = {"PATO:0000384": "MALE", "PATO:0000383": "FEMALE"}
"""What Biolink's ``sex_qualifier`` says, in the words of HPO's annotations."""
