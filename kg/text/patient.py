"""The patient of a case text: age and sex, as far as the text states them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Sex = Literal["male", "female"]
_ADULT: Final = 40.0
_BABY: Final = (0.5, 1.5, 4.0)
"""Years; parents call a child of any of these ages 宝宝."""
_CHILD: Final = (1.5, 4.0, 8.0, 13.0)
_AGE: Final = re.compile(
    r"(?P<n>\d{1,3}(?:\.\d)?)(?:[\s-]{0,2}(?P<unit>year|yr|month|week|day)s?[\s-]{0,2}(?:of age|old)|\s?(?P<yo>y/?o\b)"
    r"|\s?(?P<zh>岁|月龄|个?月大|天大)|(?P<child>个?月|天)(?=[，,。的婴女男]))"
    r"|\baged?\s(?P<aged>\d{1,3})\b",
    re.IGNORECASE,
)
_CHILD_BEFORE: Final = re.compile(r"(?:宝宝|孩子|小儿|女儿|儿子|宝贝|婴儿|娃|患儿)[^，。]{0,5}$")
_BABIES: Final = re.compile(r"\b(?:infant|newborn|neonate|baby)\b|新生儿|婴儿|宝宝", re.IGNORECASE)
_CHILDREN: Final = re.compile(
    r"\b(?:toddler|child|boy|girl|brought (?:in )?by (?:his|her) (?:parents|mother|father))\b|小儿|孩子|患儿|宝贝|女儿|儿子",
    re.IGNORECASE,
)
_MOTHERS: Final = re.compile(
    r"\b(?:postpartum|pregnan\w{1,3}|gravida|deliver(?:ing|ed) an?|gave birth|breastfeed\w{0,3})\b|产后|孕妇|妊娠",
    re.IGNORECASE,
)
"""Of a mother; a boy or baby mentioned after it is not the patient."""
_SEXES: Final = re.compile(
    r"\b(?:(?P<male>man|male|boy|gentleman|he|his)|(?P<female>woman|female|girl|lady|she|her))\b|(?P<m>男)|(?P<f>女)",
    re.IGNORECASE,
)
_YEARS: Final[Mapping[str, float]] = {
    "year": 1,
    "yr": 1,
    "month": 1 / 12,
    "week": 1 / 52,
    "day": 1 / 365,
    "岁": 1,
    "月龄": 1 / 12,
    "个月大": 1 / 12,
    "月大": 1 / 12,
    "天大": 1 / 365,
    "个月": 1 / 12,
    "月": 1 / 12,
    "天": 1 / 365,
}


@dataclass(frozen=True)
class Patient:
    """The patient, as far as a text states it."""

    ages: tuple[float, ...]
    """Years; several if the text states only that it is a child."""
    sex: Sex | None


def patient_of(text: str) -> Patient:
    """The patient's age and sex, as a text first states them; an adult if it states no age."""
    sexes = _SEXES.search(text)
    sex: Sex | None = None
    if sexes:
        sex = "male" if sexes["male"] or sexes["m"] else "female"
    for age in _AGE.finditer(text):
        if age["child"] and not _CHILD_BEFORE.search(text, 0, age.start()):
            continue
        if age["aged"]:
            return Patient((float(age["aged"]),), sex)
        unit = (age["unit"] or age["zh"] or age["child"] or "year").lower()
        return Patient((float(age["n"]) * _YEARS[unit],), sex)
    if (mother := _MOTHERS.search(text)) and not _BABIES.search(text, 0, mother.start()):
        return Patient((_ADULT,), sex)
    if _BABIES.search(text):
        return Patient(_BABY, sex)
    return Patient(_CHILD if _CHILDREN.search(text) else (_ADULT,), sex)
