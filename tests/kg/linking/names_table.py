"""A table of names small enough to read."""

import pyarrow as pa

from kg.linking.names import Names

ROWS = (
    ("MONDO:1", "Disease", "myocardial infarction", "en", True, "C0027051"),
    ("MONDO:1", "Disease", "heart attack", "en", False, "C0027051"),
    ("MONDO:1", "Disease", "心肌梗死", "zh", True, "C0027051"),
    ("MONDO:2", "Disease", "type 2 diabetes mellitus", "en", True, None),
    ("MONDO:2", "Disease", "diabetes mellitus, noninsulin-dependent", "en", False, None),
    ("MONDO:2", "Disease", "2型糖尿病", "zh", True, None),
    ("MONDO:3", "Disease", "diabetes mellitus", "en", True, "C0011849|C0011847"),
    ("MONDO:3", "Disease", "糖尿病", "zh", True, "C0011849|C0011847"),
    ("MONDO:4", "Disease", "acute lymphoblastic leukemia", "en", True, None),
    ("MONDO:4", "Disease", "ALL", "en", False, None),
    ("MONDO:5", "Disease", "congestive heart failure", "en", True, None),
    ("MONDO:6", "Disease", "chronic obstructive pulmonary disease", "en", True, None),
    ("MONDO:6", "Disease", "COPD", "en", False, None),
    ("MONDO:9", "Disease", "weak arm syndrome", "en", True, None),
    ("HP:1", "Symptom", "Fever", "en", True, None),
    ("HP:1", "Symptom", "发热", "zh", True, None),
    ("HP:2", "Symptom", "Chest pain", "en", True, None),
    ("HP:3", "Symptom", "Headache", "en", True, None),
    ("HP:3", "Symptom", "头痛", "zh", True, None),
    ("HP:4", "Symptom", "Pain", "en", True, None),
    ("HP:5", "Symptom", "点头", "zh", True, None),
    ("NCBIGene:7454", "Gene", "WAS", "en", True, None),
    ("MONDO:7", "Disease", "lyme disease", "en", True, None),
    ("MONDO:7", "Disease", "borreliosis", "en", False, None),
    ("MONDO:8", "Disease", "relapsing fever", "en", True, None),
    ("MONDO:8", "Disease", "borreliosis", "en", False, None),
)


def table(*rows: tuple[object, ...]) -> pa.Table:
    columns = ("id", "type", "name", "language", "preferred", "cui")
    return pa.table(
        {name: [row[at] for row in rows] for at, name in enumerate(columns[: len(rows[0])])}
    )


def names(*more: tuple[object, ...]) -> Names:
    return Names.of_table(table(*ROWS, *more))
