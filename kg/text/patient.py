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
_DIGITS: Final[Mapping[str, int]] = {c: n for n, c in enumerate("一二三四五六七八九", 1)} | {
    "两": 2
}
_AGE: Final = re.compile(
    r"(?P<n>\d{1,3}(?:\.\d)?|[一二两三四五六七八九十]{1,3})"
    r"(?:[\s-]{0,2}(?P<unit>year|yr|month|week|day)s?[\s-]{0,2}(?:of age|old)|\s?(?P<yo>y/?o\b)"
    r"|\s?(?P<zh>周?岁|月龄|个?月大|天大)(?P<half>半)?"
    r"|(?P<child>周(?=半|零?[\d一二两三四五六七八九十]{1,2}个?多?月)|个?半?月(?=[，,。的婴女男了零])|天(?=[，,。的婴女男]))(?P<more>半)?)"
    r"|\baged?\s(?P<aged>\d{1,3})\b",
    re.IGNORECASE,
)
"""An age; parents say it of a child without 岁 or 大, and 周 for 周岁."""
_CHILD_BEFORE: Final = re.compile(
    r"(?:宝宝|孩子?|小儿|女儿|儿子|闺女|宝贝?|婴儿?|娃|患儿|小朋友|妹妹|弟弟|出生|(?:^|[，,。！!：:\s])[男女])"
    r"(?:[，,、\s]|现在|今年|才|刚刚?|快|已经?|是|有)*$"
)
"""Who the age is of; what lies between says nothing, so that it is no duration (孩子咳嗽3个月)."""
_BABIES: Final = re.compile(
    r"\b(?:infant|newborn|neonate|baby)\b|新生儿|[男女]?婴儿?|宝宝|[男女大二三小]宝(?!贝)|[喝吃吐]奶|辅食",
    re.IGNORECASE,
)
_CHILDREN: Final = re.compile(
    r"\b(?:toddler|child|boy|girl|brought (?:in )?by (?:his|her) (?:parents|mother|father))\b"
    r"|小儿|孩子|小朋友|[小男女]孩|患儿|宝贝|女儿|儿子|闺女|小女",
    re.IGNORECASE,
)
_MOTHERS: Final = re.compile(
    r"\b(?:postpartum|pregnan\w{1,3}|gravida|deliver(?:ing|ed) an?|childbirths?|gave birth|breastfeed\w{0,3})\b|产后|孕妇|妊娠",
    re.IGNORECASE,
)
"""Of a mother; a boy or baby mentioned after it is not the patient."""
_SEXES: Final = re.compile(
    r"\b(?:(?P<male>man|male|boy|gentleman|he|his)|(?P<female>woman|female|girl|lady|she|her))\b|(?P<m>男|儿子)|(?P<f>女)",
    re.IGNORECASE,
)
_YEARS: Final[Mapping[str, float]] = {
    "year": 1,
    "yr": 1,
    "month": 1 / 12,
    "week": 1 / 52,
    "day": 1 / 365,
    "岁": 1,
    "周岁": 1,
    "周": 1,
    "月龄": 1 / 12,
    "个月大": 1 / 12,
    "月大": 1 / 12,
    "天大": 1 / 365,
    "个月": 1 / 12,
    "个半月": 1 / 12,
    "半月": 1 / 12,
    "月": 1 / 12,
    "天": 1 / 365,
}


@dataclass(frozen=True)
class Patient:
    """The patient, as far as a text states it."""

    ages: tuple[float, ...]
    """Years; several if the text states only that it is a child."""
    sex: Sex | None
    stated: bool = True
    """False: the text says nothing of its age."""


def patient_of(text: str) -> Patient:
    """The patient's age and sex, as a text first states them; an adult if it states no age."""
    sexes = _SEXES.search(text)
    sex: Sex | None = None
    if sexes:
        sex = "male" if sexes["male"] or sexes["m"] else "female"
    for age in _AGE.finditer(text):
        begins = not text[: age.start()].strip() and "月" in (age["child"] or "")
        if age["child"] and not begins and not _CHILD_BEFORE.search(text, 0, age.start()):
            continue
        if age["aged"]:
            return Patient((float(age["aged"]),), sex)
        unit = (age["unit"] or age["zh"] or age["child"] or "year").lower()
        half = 0.5 if age["half"] or age["more"] or "半" in unit else 0.0
        return Patient(((_number(age["n"]) + half) * _YEARS[unit],), sex)
    if (mother := _MOTHERS.search(text)) and not _BABIES.search(text, 0, mother.start()):
        return Patient((_ADULT,), sex)
    if _BABIES.search(text):
        return Patient(_BABY, sex)
    if _CHILDREN.search(text):
        return Patient(_CHILD, sex)
    return Patient((_ADULT,), sex, stated=False)


def _number(text: str) -> float:
    """A number in digits, or a Chinese one below a hundred."""
    if not text.startswith(tuple("一二两三四五六七八九十")):
        return float(text)
    tens, ten, ones = text.rpartition("十")
    return 10.0 * _DIGITS.get(tens, 1) * bool(ten) + _DIGITS.get(ones, 0)
