"""Which of UMLS's semantic types may be the type of an entity's concept.

After the semantic groups of McCray, A. T., Burgun, A. and Bodenreider, O. (2001): Aggregating
UMLS semantic types for reducing conceptual complexity. Stud. Health Technol. Inform. 84,
216-220. What one source calls a disease another calls a finding, so all of the group Disorders
fits both; a symptom may also be a laboratory result or a clinical attribute.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from kg.vocabulary import NODE_TYPES

_DISORDERS: Final = "T019 T020 T033 T037 T046 T047 T048 T049 T050 T184 T190 T191"
_CHEMICALS: Final = (
    "T103 T104 T109 T114 T116 T120 T121 T122 T123 T125 T126 T127 T129 T130 T131 T167 T195 T196 "
    "T197 T200"
)
"""Chemicals and drugs but for receptors, which are proteins of the body."""
_LIVING_BEINGS: Final = (
    "T001 T002 T004 T005 T007 T008 T010 T011 T012 T013 T014 T015 T016 T194 T204"
)

TYPES_OF: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        node_type: frozenset(types.split())
        for node_type, types in {
            "Disease": _DISORDERS,
            "Symptom": f"{_DISORDERS} T034 T201",
            "Drug": _CHEMICALS,
            "DrugClass": _CHEMICALS,
            "Gene": "T028",
            "Anatomy": "T017 T018 T021 T022 T023 T024 T025 T029 T030 T031",
            "Procedure": "T058 T059 T060 T061 T063",
            "Test": "T059 T060 T201",
            "Exposure": f"{_CHEMICALS} T069 T070",
            "Organism": _LIVING_BEINGS,
            "Food": "T168",
            "Behavior": "T052 T053 T054 T055 T056",
            "Department": "T090 T091 T093",
            "Population": "T096 T097 T098 T099 T100 T101",
            "PathologicalProcess": "T037 T046 T049 T067",
            "Pathway": "T043 T044",
            "BiologicalProcess": "T038 T039 T040 T041 T042 T043 T044 T045",
            "MolecularFunction": "T044",
            "CellularComponent": "T026",
            "Inheritance": "T045",
            "Modifier": "T079 T080 T081 T082 T169",
        }.items()
    }
)
"""Type identifiers (TUI) by node type. A node type that is missing is never linked: sections,
precautions and concepts have no concept of their own in UMLS."""

SEMANTIC_TYPES: Final = frozenset().union(*TYPES_OF.values())
"""All that a node type may be linked with."""

if unknown := TYPES_OF.keys() - NODE_TYPES.keys():
    raise ValueError(f"not node types: {sorted(unknown)}")
