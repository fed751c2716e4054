"""Names stand in a sentence as one writes them."""

import pytest

from evalsim.reading.naming import in_sentence


@pytest.mark.parametrize(
    ("words", "id_", "written"),
    [
        ("Nose bleed", "HP:1", "nose bleed"),
        ("Alzheimer disease", "MONDO:1", "Alzheimer disease"),
        ("gout", "MONDO:1", "gout"),
        ("Vision Problems", "", "vision problems"),
        ("I'm tired and weak.", "", "I'm tired and weak."),
        ("A feeling of doom", "", "a feeling of doom"),
        ("Crohn's disease", "", "Crohn's disease"),
        ("Raynaud phenomenon", "HP:1", "Raynaud phenomenon"),
        ("B-cell lymphoma", "HP:1", "B-cell lymphoma"),
        ("HIV infection", "", "HIV infection"),
        ("HIV/AIDS", "", "HIV/AIDS"),
        ("Aplasia/Hypoplasia of the tongue", "HP:1", "aplasia/hypoplasia of the tongue"),
        ("E. coli infection", "HP:1", "E. coli infection"),
        ("发热", "", "发热"),
        ("", "", ""),
    ],
)
def test_only_names_and_abbreviations_keep_their_capital(
    words: str, id_: str, written: str
) -> None:
    assert in_sentence(words, id_) == written
