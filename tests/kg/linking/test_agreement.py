"""Whether a mention says a name in other words."""

import pytest

from kg.linking.agreement import ComparableMention, misspells

KNOWN = frozenset(
    [
        "diabete",
        "mellitu",
        "type",
        "1",
        "2",
        "pain",
        "chest",
        "micro",
        "cornea",
        "headache",
        "炎症",
    ]
)


@pytest.mark.parametrize(
    ("mention", "name", "method"),
    [
        ("pain in my chest", "chest pain", "word order"),
        ("diabete type 2", "type 2 diabete", "word order"),
        ("size of mandible", "size of the mandible", "word order"),
        ("weakness of left arm and right leg", "weakness of right arm and left leg", None),
        (
            "kidney disease secondary to hypertension",
            "hypertension secondary to kidney disease",
            None,
        ),
        ("metastasis from lung to liver", "metastasis from liver to lung", None),
        ("fever without pain", "pain without fever", None),
        (
            "vitamin a toxicity vitamin d deficiency",
            "vitamin d toxicity vitamin a deficiency",
            None,
        ),
        ("low sodium and high potassium", "high sodium and low potassium", None),
        ("age > 70", "age < 70", None),
        ("hba1c < 6.5 %", "hba1c > 6.5 %", None),
        ("carcinoma er positive", "er positive carcinoma", "word order"),
        ("her2 positive er negative", "er positive her2 negative", None),
        ("hcv positive hiv negative", "hiv positive hcv negative", None),
        ("dilution 5 1", "dilution 1 5", None),
        ("血压 > 140", "血压 < 140", None),
        ("pain of the chest", "chest pain", "word order"),
        ("hedache", "headache", "spelling"),
        ("daibete mellitu type 2", "type 2 diabete mellitu", "spelling"),
        ("type 1 diabete mellitu", "type 2 diabete mellitu", None),
        ("type 3 diabete mellitu", "type 2 diabete mellitu", None),
        ("diabete", "diabete mellitu", None),
        ("hipertension", "hypotension", None),
        ("ampicillin", "amoxicillin", None),
        ("chest pnuemona pain", "pneumonia chest pain", "spelling"),
        ("血小板减少", "血小板减少症", "spelling"),
        ("肝脏肿大", "肝肿大", "spelling"),
        ("头痛", "头晕", None),
        ("先天性心赃病", "先天性心脏病", "spelling"),
        ("慢性胃焱", "慢性胃炎", None),
        ("急性炎症病", "急性炎性病", None),
        ("左侧肢体瘫痪", "右侧肢体瘫痪", None),
        ("妊娠合并肝硬化", "妊娠合并肾硬化", None),
        ("高结合胆红素血", "高非结合胆红素血", None),
        ("内脏出血", "内出血", None),
        ("aphagia", "aphasia", None),
        ("thoracostomy", "thoracotomy", None),
        ("type in disorder", "type disorder", "word order"),
        ("type disorder in", "type disorder", None),
        ("pain", "the pain", None),
    ],
)
def test_same_words_and_misspelt_words_agree(mention: str, name: str, method: str | None) -> None:
    assert ComparableMention(mention, KNOWN.__contains__).agrees(name) == method


def test_word_that_some_name_has_is_meant_and_not_misspelt() -> None:
    assert ComparableMention("pain", KNOWN.__contains__).agrees("pein") is None


@pytest.mark.parametrize(
    ("word", "meant", "yes"),
    [
        ("pnemonia", "pneumonia", True),
        ("pneumnoia", "pneumonia", True),
        ("pnuemona", "pneumonia", False),
        ("ampicillin", "amoxicillin", False),
        ("fluoxetine", "duloxetine", False),
        ("astma", "asthma", True),
        ("asma", "asthma", False),
        ("hyperglycemia", "hypoglycemia", False),
        ("macrocornea", "microcornea", False),
        ("il17", "il18", False),
        ("cat", "car", False),
    ],
)
def test_misspelling_is_one_mistake(word: str, meant: str, *, yes: bool) -> None:
    assert misspells(word, meant) is yes


def test_word_is_no_misspelling_however_it_is_written() -> None:
    knows = KNOWN.__contains__
    assert ComparableMention("hopelessnes", knows, "hopelessness").agrees("hopefulnes") is None
    assert ComparableMention("mody", knows, "moody").agrees("moddy") is None


@pytest.mark.parametrize(
    ("text", "method"),
    [
        ("cheddache", "spelling"),
        ("CHEDDACHE", "spelling"),
        ("cheDdache", None),
        ("CHEDDACHe", None),
    ],
)
def test_word_with_capitals_inside_is_a_symbol(text: str, method: str | None) -> None:
    assert (
        ComparableMention("cheddache", KNOWN.__contains__, text).agrees(
            "cheddache".replace("dd", "d")
        )
        == method
    )
