from ingest.sources.formats.drug_names import Drug, DrugNames

ASPIRIN = Drug("DRUGBANK:DB00945", "Acetylsalicylic acid", "阿司匹林")
CODEINE = Drug("DRUGBANK:DB00318", "Codeine", "可待因")
NAMES = DrugNames(
    {"Acetylsalicylic acid": ASPIRIN, "Aspirin": ASPIRIN, "Codeine": CODEINE, "Aspro": ASPIRIN},
    brands=["Aspro"],
)


def test_longest_name_is_found_whatever_its_case() -> None:
    text = "ACETYLSALICYLIC ACID, codeine-free; Aspirin"
    assert [(text[start:end], drug) for start, end, drug in NAMES.found(text)] == [
        ("ACETYLSALICYLIC ACID", ASPIRIN),
        ("Aspirin", ASPIRIN),
    ]


def test_brand_is_found_with_a_capital_letter_only() -> None:
    assert [drug for *_, drug in NAMES.found("aspro Aspro")] == [ASPIRIN]
    assert NAMES.named("aspro") == ASPIRIN


def test_parts_are_all_of_a_text_or_none() -> None:
    assert NAMES.parts("aspirin codeine") == (ASPIRIN, CODEINE)
    assert NAMES.parts("aspirin codeine anhydrous") == ()
    assert NAMES.parts("anhydrous codeine") == ()
    assert NAMES.parts("") == ()


def test_list_that_medkg_brings_knows_inn_other_names_salts_and_brands() -> None:
    names = DrugNames.of_list()
    for name in ("Paracetamol", "acetaminophen", "Tylenol"):
        assert names.named(name) == Drug("DRUGBANK:DB00316", "Paracetamol", "对乙酰氨基酚")
    assert names.named("no such drug") is None
