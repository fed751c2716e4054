from pathlib import Path

import pytest

from kg.errors import ConfigurationError
from kg.linking.umls import UmlsConfig
from kg.linking.umls.semantic_types import SEMANTIC_TYPES, TYPES_OF
from kg.vocabulary import NODE_TYPES


def test_umls_codes_of_languages_are_ours() -> None:
    config = UmlsConfig(folder=Path("META"), languages=("CHI", "en", "ENG"))
    assert config.languages == ("en", "zh")


def test_vocabularies_and_types_are_sorted_without_repeats() -> None:
    config = UmlsConfig(
        folder=Path("META"), vocabularies=("snomedct_us", "MSH", "msh"), semantic_types=("t047",)
    )
    assert (config.vocabularies, config.types) == (("MSH", "SNOMEDCT_US"), ("T047",))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"languages": ("fr",)}, "'fr' is not a language that medkg links; choose one of en, zh"),
        ({"languages": ()}, "no language of UMLS; choose one of en, zh"),
        ({"semantic_types": ("disease",)}, "'DISEASE' is not a semantic type; write its identif"),
        (
            {"semantic_types": ("T999",)},
            "no node type of medkg is linked with the semantic type T",
        ),
        ({"threshold": 1.5}, "1.5 is not a similarity; choose a threshold above 0"),
        ({"threshold": float("nan")}, "nan is not a similarity"),
    ],
)
def test_wrong_setting_is_a_sentence(given: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        UmlsConfig.model_validate({"folder": Path("META"), **given})


def test_every_node_type_with_names_of_its_own_has_semantic_types() -> None:
    assert NODE_TYPES.keys() - TYPES_OF.keys() == {"Concept", "Section", "Precaution"}


def test_disease_is_no_chemical_and_no_gene() -> None:
    assert TYPES_OF["Disease"].isdisjoint(TYPES_OF["Drug"] | TYPES_OF["Gene"])
    assert "T047" in TYPES_OF["Disease"] & TYPES_OF["Symptom"] & SEMANTIC_TYPES
