"""Whom a question is about: children of an age, women who are pregnant or who breastfeed.

A graph says of groups of people what they should not take ("Children younger than 12 years"), and
has diseases of theirs apart (congenital rubella, 小儿腹泻). Both are found by their names.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple

from kg.linking import Linker
from qa.subjects import Subject

GROUPS: Final = ("Population", "Precaution")
"""Types of what is said of people ("avoid in late pregnancy")."""


class _Group(NamedTuple):
    """Words that say of whom a question is, and what the graph may have of them."""

    words: re.Pattern[str]
    names: tuple[str, ...]
    """Of what statements about them are made of."""
    diseases: tuple[str, ...]
    """How a disease of theirs is called, of its name."""


_PREGNANT: Final = _Group(
    re.compile(
        r"\bpregnan\w+( (woman|women|lady|mum|mom|wife))?|\bexpecting (mothers?|mums?|moms?|a baby)|\btrimester|\b(weeks|months) (gone|along)\b"
        r"|孕妇|怀孕|妊娠|孕期|[早中晚]孕|备孕|身孕|孕\s*[\d一二三四五六七八九十]+\s*[周个月]",
        re.IGNORECASE,
    ),
    (
        "Pregnant women",
        "Avoid in late pregnancy",
        "Pregnant women at term",
        "women in the last three months of pregnancy",
    ),
    ("gestational {}", "{} in pregnancy", "{} of pregnancy", "妊娠期{}", "妊娠合并{}", "妊娠{}"),
)
_UNBORN: Final = _Group(
    re.compile(
        r"\bunborn (baby|babies|child|children)|\b(my|the|an?) f(o)?etus|in the womb|胎儿|腹中",
        re.IGNORECASE,
    ),
    (),
    (
        "congenital {}",
        "congenital {} syndrome",
        "fetal {}",
        "fetal {} syndrome",
        "先天性{}",
        "先天性{}综合征",
        "胎儿{}",
    ),
)
_BREASTFEEDING: Final = _Group(
    re.compile(
        r"\bbreast ?-?feed\w*|\bnursing (mothers?|mums?|moms?)|哺乳|喂奶期|母乳喂养", re.IGNORECASE
    ),
    ("Breastfeeding women",),
    (),
)
_CHILD: Final = re.compile(
    r"\b(child(ren)?|kids?|toddlers?|bab(y|ies)|infants?|newborns?|son|daughter|(?P<en>\d{1,2})[ -](?P<unit>year|month)s?[ -]olds?)\b"
    r"|(?P<zh>\d{1,2}|[一二三四五六七八九十两]{1,2})个?(?P<of>岁|月大)|小孩|孩子|宝宝|婴儿|幼儿|儿童|小儿|新生儿|娃",
    re.IGNORECASE,
)
_AGES: Final = (
    ("Children", 18.0),
    ("Children with viral infections", 18.0),
    ("Children younger than 12 years", 12.0),
    ("Children younger than 6 years", 6.0),
    ("Children younger than 2 years", 2.0),
    ("Infants younger than 24 months", 2.0),
    ("Infants younger than 6 months", 0.5),
    ("Infants younger than 2 months", 0.17),
    ("Neonates", 0.08),
)
"""Groups of children, and the age in years below which somebody is of one."""
_OF_CHILDREN: Final = (
    "childhood {}",
    "pediatric {}",
    "infantile {}",
    "{} in children",
    "小儿{}",
    "儿童{}",
    "婴儿{}",
    "婴幼儿{}",
)
_DIGITS: Final = {digit: number for number, digit in enumerate("一二三四五六七八九十", 1)} | {
    "两": 2
}
PEOPLE: Final = (_PREGNANT.words, _BREASTFEEDING.words, _CHILD)
"""Words that speak of each of the groups."""
_CONDITIONS: Final = ("Disease", "Symptom")


def said_of(question: str) -> re.Pattern[str] | None:
    """Words of texts on the people that a question is about; None where it is about anybody."""
    groups = (_PREGNANT, _BREASTFEEDING, _children(question))
    return next((group.words for group in groups if group.words.search(question)), None)


def are_alike(question: str, others: Iterable[str]) -> bool:
    """Whether a text that answers other questions may be of the people of this one.

    What is asked of women who are pregnant or breastfeed is answered for them; what is asked only of some
    people is no answer for others.
    """
    own, theirs = said_of(question), [said_of(each) for each in others]
    if own in (_PREGNANT.words, _BREASTFEEDING.words) or None not in theirs:
        return own in theirs
    return True


def people_of(question: str, linker: Linker) -> list[Subject]:
    """The groups of people that a question is about, each where it says so."""
    found = []
    born = _UNBORN.words.sub(lambda unborn: " " * len(unborn[0]), question)
    for group in (_PREGNANT, _BREASTFEEDING, _children(born)):
        if place := group.words.search(born):
            found += [
                Subject(*place.span(), each.id, each.type, each.name)
                for name in group.names
                for each in linker.called(name, GROUPS)[:1]
            ]
    return found


def are_children(people: Iterable[Subject]) -> bool:
    """Whether none of the groups of people is of women who are pregnant or who breastfeed."""
    women = (_PREGNANT.words, _BREASTFEEDING.words)
    return not any(words.search(each.name) for each in people for words in women)


def diseases_of(question: str, subjects: Iterable[Subject], linker: Linker) -> Iterator[Subject]:
    """What the conditions of a question are called where these people have them."""
    groups = [
        group
        for group in (_UNBORN, _PREGNANT, _children(question))
        if group.words.search(question)
    ]
    for subject in subjects:
        if subject.type not in _CONDITIONS or subject.start < 0:
            continue
        written = question[subject.start : subject.end]
        for group in groups[:1]:
            names = [
                form.format(name) for form in group.diseases for name in (written, subject.name)
            ]
            found = (each for name in names for each in linker.called(name, _CONDITIONS))
            for one in islice((each for each in found if each.id != subject.id), 1):
                yield replace(subject, id=one.id, type=one.type, name=one.name, of_people=True)


def _children(question: str) -> _Group:
    """The groups that a child of a question may be of; all, where it does not say how old."""
    years = [age for found in _CHILD.finditer(question) if (age := _years(found)) is not None]
    youngest = min(years, default=0.0)
    adult = bool(years) and youngest >= _AGES[0][1]
    names = tuple(name for name, below in _AGES if youngest < below)
    return _Group(re.compile(r"(?!)") if adult else _CHILD, names, _OF_CHILDREN)


def _years(found: re.Match[str]) -> float | None:
    """The age that words say, in years; None where they say none."""
    if found["en"]:
        return int(found["en"]) / (1 if found["unit"].lower() == "year" else 12)
    if not found["zh"]:
        return None
    number = int(found["zh"]) if found["zh"].isdigit() else _chinese(found["zh"])
    return number / (1 if found["of"] == "岁" else 12)


def _chinese(written: str) -> int:
    """Up to 19: 八, 十二; 二十 and more are read as their parts."""
    if written[0] == "十":
        return 10 + (_DIGITS[written[1]] if len(written) > 1 else 0)
    if written.endswith("十") and len(written) > 1:
        return 10 * _DIGITS[written[0]]
    return _DIGITS[written[-1]]
