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
        ("Her first childbirth was long; the baby moves", Patient((40.0,), "female")),
        ("我女儿咳嗽3个月", Patient((1.5, 4.0, 8.0, 13.0), "female")),
        ("我女儿咳嗽3个月，还没好", Patient((1.5, 4.0, 8.0, 13.0), "female")),
        ("女孩，六岁九个月，昨晚呕吐一次", Patient((6.0,), "female")),
        ("小孩一岁半，男孩，发烧39.5度", Patient((1.5,), "male")),
        ("我家男宝5周岁三个月", Patient((5.0,), "male")),
        ("女，三周岁半，发烧高达40度", Patient((3.5,), "female")),
        ("女宝16个半月，手心有红点", Patient((16.5 * (1 / 12),), "female")),
        ("闺女一周两个月，发烧", Patient((1.0,), "female")),
        ("男孩3周半昨天发烧", Patient((3.5,), "male")),
        ("咳嗽3周半了", Patient((40.0,), None, stated=False)),
        ("大爷七十二岁，胸闷", Patient((72.0,), None)),
        ("我二十岁", Patient((20.0,), None)),
        ("十五岁男生", Patient((15.0,), "male")),
        ("儿子十个月了，拉肚子", Patient((10 * (1 / 12),), "male")),
        ("15个月，疱疹性咽峡炎", Patient((15 * (1 / 12),), None)),
        ("出生75天的小朋友", Patient((75 * (1 / 365),), None)),
        ("男宝，31天，吐奶", Patient((31 * (1 / 365),), "male")),
        ("吐奶，睡不踏实", Patient((0.5, 1.5, 4.0), None)),
        ("男孩发烧3天，咳嗽", Patient((1.5, 4.0, 8.0, 13.0), "male")),
        ("fever for 3 days", Patient((40.0,), None, stated=False)),
        ("postpartum bleeding", Patient((40.0,), None)),
        ("", Patient((40.0,), None, stated=False)),
    ],
)
def test_age_in_years_and_sex(text: str, expected: Patient) -> None:
    assert patient_of(text) == expected
