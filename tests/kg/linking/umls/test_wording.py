import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.linking.umls.wording import agree


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("gouty arthritis", "Arthritis, gouty"),
        ("leprosy type II", "leprosies of type 2"),
        ("haemolytic anaemia", "Anemia, Hemolytic, NOS"),
        ("disorder of kidney", "Kidney disease (disorder)"),
        ("non-small cell carcinoma", "nonsmall-cell carcinoma"),
        ("thrombocytopenia", "thrombocytopaenia"),
        ("myocardial infarction", "myocardial infarciton"),
        ("咳嗽", "咳嗽"),
    ],
)
def test_names_that_differ_in_spelling_agree(one: str, other: str) -> None:
    assert agree(one, other)
    assert agree(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("leprosy type 3", "leprosy type 13"),
        ("hepatitis B", "hepatitis C"),
        ("visual acuity 0.3 LogMAR", "visual acuity 3.0 LogMAR"),
        ("hypertrophic cardiomyopathy 20", "hypertrophic cardiomyopathy"),
        ("hyperthyroidism", "hypothyroidism"),
        ("anterior uveitis", "posterior uveitis"),
        ("benign male neoplasm", "benign female neoplasm"),
        ("invasive thymoma", "noninvasive thymoma"),
        ("non-familial dilated cardiomyopathy", "familial dilated cardiomyopathy"),
        ("RSV bronchiolitis", "bronchiolitis"),
        ("Charcot-Marie-Tooth disease type 1", "Charcot-Marie-Tooth disease type 1 1"),
        ("急性咳嗽", "慢性咳嗽"),
        ("", "gout"),
    ],
)
def test_names_that_differ_in_meaning_do_not(one: str, other: str) -> None:
    assert not agree(one, other)
    assert not agree(other, one)


@given(st.text())
def test_any_name_agrees_with_itself(name: str) -> None:
    assert agree(name, name)
