"""What a reply says of taking a drug with a condition, and whether the graph says so too.

A medication question asks for one fact: is the drug for this condition, is it forbidden with it, is
care needed, does it interact. A reply is read sentence by sentence: what it says (may, must not,
with care, interacts, not known), and of which of the things that it names. A sentence that names no
other condition is about the one that was asked of; one that begins with "if" is about what it names.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from evalsim.case import Thing
from kg.linking import Linker, Mention
from kg.shipped import shipped_table
from kg.text.normal import normalise
from kg.text.spelling import simplified_text

Stance = Literal["may", "must not", "care", "no care", "interacts", "no interaction", "unknown"]
"""What a sentence says of taking the drug."""

_LONGEST: Final = 12_000
"""Characters of a reply that are read."""
_ORDER: Final[tuple[tuple[str, tuple[Stance, ...]], ...]] = (
    ("neither", ()),
    ("unknown", ("unknown",)),
    ("no_interaction", ("no interaction", "may")),
    ("may_despite", ("may",)),
    ("care_except", ("care",)),
    ("no_care", ("no care",)),
    ("must_not", ("must not",)),
    ("care", ("care",)),
    ("interacts", ("interacts",)),
    ("may", ("may",)),
)
"""In which a sentence is read, and what a pattern says."""
_SENTENCES: Final = re.compile(
    r"[^.!?。！？;；\n]+(?:[.](?=\S)[^.!?。！？;；\n]*)*[.!?。！？;；]?"
)
_QUESTION: Final = re.compile(r"[?？]\s*$")
_PARTS: Final = re.compile(r"[^,，、:：]+[,，、:：]?")
_IF: Final = re.compile(
    r"\b(if|unless|in case|when|for (people|patients|anyone|those|someone)|patients with|people with)\b"
    r"|如果|若|假如|假使|(?<![用吃服])的话|除非|患者|的人",
    re.IGNORECASE,
)
_WITH: Final = re.compile(r"\b(?:with|in|during)(?: \w+)?\s*$", re.IGNORECASE)
"""Before a condition with which, as a sentence goes on to say, the drug is forbidden too."""
_BUT: Final = re.compile(
    r"\s*[,，]?\s*\b(?:but|however|although|though|whereas|while|yet)\b|(?:[,，]\s*)?(?:但是?|不过|然而|可是)",
    re.IGNORECASE,
)
_LEAST_LETTERS: Final = 5
_GENERAL: Final = re.compile(
    r"(disease|disorder|syndrome|condition|failure|injury|impairment|deficiency|infection|cancer"
    r"|tumou?r|neoplasm|women|people|patients?|adults?|persons?|state|type|level|drug|tablet"
    r"|hypersensitivity|disturbances?)s?|疾病|综合|合征|衰竭|感染|损伤|障碍|妇女|患者|异常|功能|不全|缺乏|缺陷|肿瘤|过敏"
)
"""Of many things, so that it says nothing of which."""
_DRUGS: Final = frozenset({"Drug", "DrugClass"})
_CONDITIONS: Final = frozenset(
    {"Disease", "Symptom", "Population", "Procedure", "Food", "Precaution"}
)


class Part(NamedTuple):
    """A stretch of a clause between commas."""

    stances: frozenset[Stance]
    ids: tuple[str, ...]
    """Of what it names."""


@dataclass(frozen=True)
class Claim:
    """What a clause says of the drug."""

    text: str
    stances: frozenset[Stance]
    about: tuple[Thing, ...]
    """Things that it names, the drug itself left out."""
    about_subject: bool
    """Whether it is about what the question is of."""
    affirmed: str = ""
    """Its text between commas, without what denies that care is needed."""
    parts: tuple[Part, ...] = ()
    of_another_drug: bool = False
    """Whether it names another drug, which what it allows may be about."""


@dataclass(frozen=True)
class DrugKnowledge:
    """What is known of a drug that is asked about."""

    names: tuple[str, ...]
    """Other names of it."""
    things: frozenset[str]
    """Ids of what the graph says something of with it."""


def claims(
    reply: str, drug: Thing, subject: Thing, linker: Linker, drug_knowledge: DrugKnowledge
) -> tuple[Claim, ...]:
    """What a reply says, clause by clause, of taking a drug.

    Args:
        reply: of the doctor.
        drug: that is asked about.
        subject: the condition, group of people, drug or instruction that the question is of.
        linker: of the graph's names.
        drug_knowledge: what else is known of the drug.
    """
    text = simplified_text(reply[:_LONGEST]).replace("\u2019", "'").replace("\u2018", "'")
    drug_names = {normalise(name) for name in (*drug.names, *drug_knowledge.names)} - {""}
    mentions = [
        each
        for each in linker.link(text)
        if each.entity and each.entity.id != drug.id and normalise(each.text) not in drug_names
    ]
    names = {normalise(name) for name in subject.names} - {""}
    names_and_heads = names | {head for name in names if (head := _head(name))}
    return tuple(_claims(text, mentions, subject, names_and_heads, drug_knowledge.things))


def _claims(
    text: str,
    mentions: Sequence[Mention],
    subject: Thing,
    names: set[str],
    known_ids: frozenset[str],
) -> Iterator[Claim]:
    about_subject = True
    read = _without_conditions(text, mentions, subject, known_ids)
    for start, end in _clauses(text):
        clause = text[start:end]
        if _QUESTION.search(clause):
            continue
        mentions_within = [m for m in mentions if m.entity and start <= m.start < end]
        other_names = [m.text for m in mentions_within if m.entity and m.entity.id != subject.id]
        remaining = _without_longer_names(clause, other_names, names)
        is_named = any(m.entity and m.entity.id == subject.id for m in mentions_within) or any(
            stands_in(name, remaining) for name in names
        )
        other_mentions = [
            m
            for m in mentions_within
            if m.entity
            and m.entity.id != subject.id
            and not any(stands_in(name, normalise(m.text)) for name in names if is_named)
        ]
        about = {
            m.entity.id: Thing(id=m.entity.id, type=m.entity.type, name=m.entity.name)
            for m in other_mentions
            if m.entity and m.entity.type in _CONDITIONS | _DRUGS
        }
        stances = _stances(read[start:end])
        forbids_others = "must not" in stances and any(
            m.entity and m.entity.id in about and _WITH.search(text[start : m.start])
            for m in other_mentions
        )
        if not is_named and (_IF.search(clause) or known_ids & about.keys() or forbids_others):
            about_subject = False
        elif is_named:
            about_subject = True
        spans = [part.span() for part in _PARTS.finditer(clause)]
        stances_by_part = [_stances(read[start + s : start + e]) for s, e in spans]
        entities_by_part = [
            [m.entity for m in other_mentions if m.entity and s <= m.start - start < e]
            for s, e in spans
        ]
        yield Claim(
            clause.strip(),
            stances,
            tuple(about.values()),
            about_subject,
            "".join(
                clause[s:e]
                for (s, e), part_stances in zip(spans, stances_by_part, strict=True)
                if "no care" not in part_stances
            ),
            tuple(
                Part(part_stances, tuple(entity.id for entity in entities))
                for part_stances, entities in zip(stances_by_part, entities_by_part, strict=True)
            ),
            any(entity.type == "Drug" for entities in entities_by_part for entity in entities),
        )


def _without_conditions(
    text: str, mentions: Sequence[Mention], subject: Thing, known_ids: frozenset[str]
) -> str:
    """A text in which no word of a known condition's name is left that could advise anything.

    So that "contraindicated with untreated hyperthyroidism" speaks of no treatment.
    """
    spans = [
        (m.start, m.end)
        for m in mentions
        if m.entity
        and m.entity.type != "Precaution"
        and m.entity.id in known_ids
        and _stances(m.text)
    ]
    if subject.type != "Precaution":
        spans += [
            match.span()
            for name in subject.names
            if _stances(name)
            for match in re.finditer(re.escape(name), text, re.IGNORECASE)
        ]
    for start, end in spans:
        text = text[:start] + "x" * (end - start) + text[end:]
    return text


def _head(name: str) -> str | None:
    """The word that says what a thing is, by which a reply may speak of it: ulcer of peptic ulcer."""
    if name.isascii():
        head = name.rsplit(" ", maxsplit=1)[-1]
        return head if len(head) >= _LEAST_LETTERS and not _GENERAL.fullmatch(head) else None
    head = name.removesuffix("症").removesuffix("病")[-2:]
    return head if len(name) > len(head) and not _GENERAL.fullmatch(head) else None


def _without_longer_names(clause: str, other_names: Sequence[str], subject_names: set[str]) -> str:
    """A clause, normalised, without longer names that have the one that is asked of in them.

    So that "uncontrolled hypertension" does not speak of hypertension.
    """
    for name in other_names:
        normalised = normalise(name)
        if normalised not in subject_names and any(
            normalised.endswith(each) for each in subject_names
        ):
            clause = clause.replace(name, " ; ")
    return normalise(clause)


def stands_in(name: str, folded: str) -> bool:
    """Whether a name stands in a text, both normalised; an English one as whole words."""
    if not name:
        return False
    return f" {name} " in f" {folded} " if name.isascii() else name in folded


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    """Sentences, cut where one says "but"."""
    for sentence in _SENTENCES.finditer(text):
        start = sentence.start()
        for but in _BUT.finditer(text, sentence.start(), sentence.end()):
            if but.start() > start:
                yield start, but.start()
            start = but.end()
        if start < sentence.end():
            yield start, sentence.end()


def _stances(clause: str) -> frozenset[Stance]:
    """What a clause says; what one pattern has matched no later one sees."""
    remaining = clause.lower()
    stances: list[Stance] = []
    for name, implied in _ORDER:
        for pattern in _patterns()[name]:
            blanked = pattern.sub(lambda match: "\0" * len(match[0]), remaining)
            if blanked != remaining:
                stances += implied
                remaining = blanked
        if "unknown" in stances:  # "I do not know whether you can take it"
            break
    return frozenset(stances)


@cache
def _patterns() -> dict[str, tuple[re.Pattern[str], ...]]:
    """The table of the package, made ready; once."""
    table: dict[str, list[Any]] = shipped_table(__package__, "advice.yaml")
    return {name: tuple(re.compile(each) for each in table[name]) for name in table}


def stance_on(claims_: Sequence[Claim]) -> frozenset[Stance]:
    """What a reply says of what was asked, in all its clauses about it.

    What the part of a clause with another drug allows is allowed of that one.
    """
    stances: set[Stance] = set()
    for claim in claims_:
        if not claim.about_subject:
            continue
        claim_stances = set(claim.stances)
        if claim.of_another_drug and not any(
            "may" in part.stances for part in claim.parts if not part.ids
        ):
            claim_stances -= {"may"} if "must not" in claim_stances or stances else set()
        stances |= claim_stances
    return frozenset(stances)
