"""Reads what is asked of two things: how they are related, or whether one may go with the other."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from qa.clauses import Clause, content
from qa.intent import in_any_words
from qa.intents import INTENTS, UNSAID
from qa.populations import GROUPS
from qa.question import Reading, Whether
from qa.subjects import Subject, fits

SHARED: Final = next(i for i in INTENTS if i.query == "gene.shared")
"""Asks what two things have in common."""

_MOST_PLACES: Final = 4
"""Things of one question that are asked about each other."""

_RELATED: Final = next(i for i in INTENTS if i.gaps and i.gaps[0].sought == "relation")
"""Asks how two things are related."""
_MAY_TAKE: Final = re.compile(
    r"\b(take|taking|use|using|give|eat|eating|drink|drinking|safe|have)\b|[吃用服喝](?![了完过])",
    re.IGNORECASE,
)
_ALLERGIC: Final = re.compile(r"\ballerg|过敏", re.IGNORECASE)
_COMES_FROM: Final = frozenset({"CAUSED_BY", "HAS_SYMPTOM"})
_DRUG_AND_CONDITION: Final = (
    {"Drug", "Symptom"},
    {"Drug", "Disease"},
    {"Drug", "Symptom", "Disease"},
)
_TAKEN: Final = ("Drug", "Food", "Exposure", "Behavior", "Procedure")
"""Types of what people may take or do."""
_CONDITIONS: Final = frozenset({"Disease", "Symptom"})
_COULD: Final = re.compile(
    r"\b(could|might|may|can) (it|this|that|these) be\b|会不会是|可能是", re.IGNORECASE
)
"""Asks what a finding may come from: that a disease has it is no yes."""
_MAKES: Final = re.compile(r"\b(makes?|leaves?|turns?)\b|变成|发展[成为]|转[成为]", re.IGNORECASE)
"""Asks what a condition brings."""
_OUTLOOK: Final = tuple(i for i in UNSAID if i.heading == "outlook")
"""Ask how something goes on: whether it comes back after an operation."""
_ARE_THERE: Final = re.compile(
    r"^\W*(?:and |but |so )?(?:is|are) there (?:a|an|any|some)\b|有(没有)?(什么|啥|哪些)",
    re.IGNORECASE,
)
"""Asks for something that it does not name."""
_NEEDS: Final = re.compile(r"\b(needs?|requires?)\b|需要|一定要|必须", re.IGNORECASE)
_PERMITTED: Final = re.compile(
    r"\b(can|may|should|could|must) (i|we|you|he|she|they|someone|people|children|kids|my \w+)\b"
    r"|\b(ok|okay|allowed|alright|fine) (to|for|with|if)\b|能|可以|可不可以|行吗|好吗",
    re.IGNORECASE,
)
"""Asks what somebody may do."""
_PEOPLE_MAY: Final = re.compile(r"^\W*(can|may|should|could|must) (an? |the )?\w*x", re.IGNORECASE)
"""The same of people whose name is blotted out."""
_TOGETHER: Final = next(i for i in INTENTS if i.query == "drug.interactions")
"""Asks what goes together with a drug."""
_SPEAK_AGAINST: Final = (
    "CONTRAINDICATED_FOR",
    "HAS_PRECAUTION",
    "INTERACTS_WITH",
    "AVOIDED_FOOD",
    "HAS_ADVERSE_REACTION",
    "HAS_RISK_FACTOR",
    "CAUSED_BY",
)
"""What is said of two things that may not go together, the weightiest first."""
_OF_A_DRUG: Final = tuple(
    i for i in INTENTS if i.heading in ("adverse reactions", "indications", "active ingredients")
)
"""Ask for what is said of a drug alone."""
_REACTS: Final = re.compile(
    r"\b(normal|usual|make|makes|made|making|give|gives|giving|cause|causes|causing|because of|due to|side effect|knock)\b"
    r"|正常|会不会|会.{0,12}[吗么]|引起|导致|副作用|造成",
    re.IGNORECASE,
)
"""Asks whether a drug brings a condition."""
_PERMISSION: Final = re.compile(
    r"\b(can|may|should|could|must) (i|we|you|he|she|they|someone|people|my \w+)\b|\bsafe\b|\b(ok|okay|allowed)\b"
    r"|能不能|能否|能[吃用服喝]|可以|可不可以|要不要",
    re.IGNORECASE,
)
"""Asks for leave."""


def pairs(clause: Clause, text: str, subjects: Sequence[Subject]) -> list[Reading]:
    """Readings that ask what is said of two things, for every two that are named.

    Args:
        clause: of a question, its names blotted out.
        text: the clause as it was asked.
        subjects: what it is about; they may be named before it.

    Returns:
        None where the clause asks for something of each.
    """
    subjects = [subject for subject in subjects if not subject.denied] or [*subjects]
    if not any(s.type in _TAKEN for s in subjects):
        subjects = [s for s in subjects if s.type not in GROUPS]
    if not 1 < len({s.start for s in subjects}) <= _MOST_PLACES:
        return []
    if fits(clause.words, subjects, [SHARED]) or _asks_of_one(clause, subjects):
        return []
    together = _TOGETHER.words.search(clause.words) and all(s.type == "Drug" for s in subjects)
    warned = {s.type for s in subjects} >= {"Drug", "Population"} and _MAY_TAKE.search(
        clause.words
    )
    if warned and not clause.asks_whether and fits(clause.words, subjects, _OF_A_DRUG):
        return []  # side effects in children
    asks = clause.asks_whether or together or warned or _RELATED.words.search(clause.words)
    if not asks and content(clause.words):
        return []
    relations, whether = _said_of_two(clause, text, subjects, together=bool(together))
    people = {s.id for s in subjects if s.type in GROUPS}
    readings: dict[tuple[Subject, ...], Reading] = {}
    for fit in fits(clause.words, subjects, [in_any_words(_RELATED)]):
        reading = replace(Reading.of(fit), relations=relations, whether=whether)
        if whether == "may" and people and people.isdisjoint(s.id for s in reading.subjects):
            continue  # that it helps against fever does not say that a child may take it
        if len({subject.name.casefold() for subject in reading.subjects}) > 1:
            readings.setdefault(reading.subjects, reading)
    return [*readings.values()]


def _asks_of_one(clause: Clause, subjects: Sequence[Subject]) -> bool:
    """Whether it asks if there is something, or how what was treated goes on, and not of the two."""
    if _ARE_THERE.search(clause.words) and not _RELATED.words.search(clause.words):
        return True
    measured = any(s.type in ("Procedure", "Exposure", "Behavior", "Test") for s in subjects)
    return measured and any(i.words.search(clause.words) for i in _OUTLOOK)


def _said_of_two(
    clause: Clause, text: str, subjects: Sequence[Subject], *, together: bool
) -> tuple[tuple[str, ...], Whether | None]:
    """What a clause says of two things, and whether it wants yes or no to that."""
    types = {s.type for s in subjects}
    asked = [
        i
        for i in INTENTS
        if i is not _RELATED
        and i.is_asked_by(clause.words)
        and all(types.intersection(allowed) for allowed in i.subjects.values())
    ]
    relations = {g.relation: None for i in asked for g in i.gaps if g.relation}
    if _NEEDS.search(clause.words):
        relations |= dict.fromkeys(("TREATED_BY", "INDICATED_FOR"))
    whether: Whether | None = "is" if clause.asks_whether or together else None
    people = any(s.type in GROUPS for s in subjects)
    permits = _PERMITTED.search(clause.words) or (people and _PEOPLE_MAY.search(clause.words))
    permitted = permits and not relations
    reacts = types in _DRUG_AND_CONDITION and _REACTS.search(clause.words)
    if reacts and not _PERMISSION.search(clause.words):
        return ("HAS_ADVERSE_REACTION",), whether
    if _MAY_TAKE.search(clause.words) or permitted or together:
        relations |= dict.fromkeys(_SPEAK_AGAINST)
        whether = "may" if whether else None
    if types == {"Symptom", "Disease"} and relations.keys() <= _COMES_FROM and _COULD.search(text):
        return ("HAS_SYMPTOM",), "could" if whether else None
    if not relations and _MAKES.search(clause.words) and types - {*GROUPS} <= _CONDITIONS:
        return ("HAS_SYMPTOM", "COMPLICATED_BY"), whether
    if _ALLERGIC.search(text):
        relations["RESEMBLES"] = None
    elif relations.keys() <= _COMES_FROM and types in _DRUG_AND_CONDITION:
        relations["HAS_ADVERSE_REACTION"] = None  # "could it come from that?"
    elif not relations and types == {"Symptom", "Disease"} and whether:
        return ("HAS_SYMPTOM",), "could"
    return tuple(relations), whether
