"""Symbols are meant only as they are written."""

import pytest

from kg.linking.symbols import may_stand_for


@pytest.mark.parametrize(
    ("surface", "name", "type_", "preferred", "may"),
    [
        ("pale", "pale", "Disease", False, False),
        ("Air", "Air", "Disease", False, False),
        ("PALE", "pale", "Disease", False, True),
        ("lad's type 1", "lad-type I", "Disease", False, False),
        ("lad I", "lad-I", "Disease", False, False),
        ("LAD I", "lad-I", "Disease", False, True),
        ("diabetes type 1", "diabetes type 1", "Disease", False, True),
        ("rash", "Rash", "Symptom", False, True),
        ("cough", "Cough", "Disease", True, True),
        ("Past medical history", "Past medical history", "Symptom", True, False),
        ("Surgery", "Surgery", "Disease", True, False),
        ("Surgery", "Surgery", "Procedure", True, True),
        ("医生", "医生", "Symptom", True, False),
        ("skin  lesions", "Skin lesion", "Symptom", True, False),
        ("blisters", "Blisters", "Symptom", True, True),
        ("fall", "Fall", "Symptom", False, False),
        ("falls", "Falls", "Symptom", True, True),
        ("psychiatric symptoms", "Psychiatric symptom", "Symptom", True, False),
        ("psychotic symptoms", "Psychotic symptoms", "Symptom", True, True),
        ("cervix", "Cervix", "Disease", False, False),
        ("ulcers", "Ulcer", "Disease", True, False),
        ("溃疡", "溃疡", "Disease", True, False),
        ("delivery normal", "Normal delivery", "Disease", True, False),
        ("MBA", "MBA", "Disease", False, False),
        ("TIA", "TIA", "Disease", False, True),
        ("TMJ", "TMJ", "Disease", False, False),
    ],
)
def test_everyday_words_that_are_also_names_are_not_meant(
    surface: str, name: str, type_: str, preferred: bool, may: bool
) -> None:
    assert may_stand_for(surface, name, type_, "the  today", preferred=preferred) is may


@pytest.mark.parametrize(
    ("surface", "name", "type_", "around", "may"),
    [
        ("gout", "Gout", "Disease", "", True),
        ("GOUT", "gout", "Disease", "", True),
        ("was", "WAS", "Gene", "it  cold", False),
        ("WAS", "WAS", "Gene", "the  gene", True),
        ("WAS", "WAS", "Gene", "IT  COLD", False),
        ("tp53", "TP53", "Gene", "", False),
        ("all", "ALL", "Disease", "of  patients", False),
        ("ALL", "ALL", "Disease", "B-cell , relapsed", True),
        ("copd", "COPD", "Disease", "", True),
        ("Copd", "COPD", "Disease", "", False),
        ("ms", "MS", "Disease", "200  later", False),
        ("insulin receptor", "insulin receptor", "Gene", "", True),
    ],
)
def test_case_decides_for_symbols(
    surface: str, name: str, type_: str, around: str, may: bool
) -> None:
    assert may_stand_for(surface, name, type_, around) is may
