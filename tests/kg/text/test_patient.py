"""The age and sex of whom a text speaks."""

import pytest

from kg.text.patient import Patient, patient_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A 45-year-old woman with a cough", Patient((45.0,), "female")),
        ("An 18-month-old boy", Patient((1.5,), "male")),
        ("72 y/o male", Patient((72.0,), "male")),
        ("aged 30", Patient((30.0,), None)),
        ("男，55岁，咳嗽3个月", Patient((55.0,), "male")),
        ("宝宝6个月，咳嗽", Patient((0.5,), None)),
        ("The baby is crying", Patient((0.5, 1.5, 4.0), None)),
        ("我女儿咳嗽3个月", Patient((1.5, 4.0, 8.0, 13.0), "female")),
        ("fever for 3 days", Patient((40.0,), None)),
        ("", Patient((40.0,), None)),
    ],
)
def test_age_in_years_and_sex(text: str, expected: Patient) -> None:
    assert patient_of(text) == expected
