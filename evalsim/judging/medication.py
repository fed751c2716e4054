"""What an answer about a drug is worth: its correctness and comprehensiveness, 0 to 2 each.

The scales are those of drugs in table 2 of MedKGEval. The key fact is the one that the patient asks
for, with the relation that the graph has of it; what else a reply says of the drug is held against
the graph too, and counts only where the graph says so or says the opposite: what it does not know
of may still be true.

Correctness: 2, the reply says of the key fact what the graph says, and nothing that it denies; 1, it
says a part of it (care, where the drug is forbidden), or something else that the graph denies, or
that it does not know; 0, it says the opposite, or nothing at all. So a doctor that says that it
does not know stands above one that states what is false. Where its words cannot be read as any of that
there is no score: who cannot read does not know whether it is wrong.

Comprehensiveness: 2, it answers the question and names two of what else the graph has on taking the
drug (contraindications, precautions, interactions; all where there are fewer); 1, a part of that;
0, none, and what it states falsely is none.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from cypher.translation import translate
from evalsim.case import Attribute, MedicationCase, Thing
from evalsim.dialogue import Turn
from evalsim.judging.advice import Claim, DrugKnowledge, Stance, claims, stance_on, stands_in
from evalsim.judging.closeness import name_of, row_thing, sentence
from kg.linking import Linker
from kg.stores.store import Store, Value
from kg.text.normal import normalise
from kg.text.spelling import simplified_text

_HAN: Final = re.compile("[\u3400-\u9fff]")
_WORD: Final = re.compile(r"[a-z]{4,}")
_STEM: Final = 5
"""Letters that words of one stem begin with."""
_MOST: Final = 2 / 3
"""Of an instruction's words."""
_MOST_PAIRS: Final = 1 / 2
"""Of its pairs of Chinese characters."""
_LETTER: Final = re.compile(r"[^\W\d_]")
_FURTHER: Final = 2
"""Facts beside the one asked for that a comprehensive answer names."""
_RELATION: Final[Mapping[Attribute, str]] = {
    "indication": "INDICATED_FOR",
    "contraindication": "CONTRAINDICATED_FOR",
    "precaution": "HAS_PRECAUTION",
    "interaction": "INTERACTS_WITH",
}

_QUERIES: Final[Mapping[Attribute, tuple[str, str]]] = {
    "indication": ("drug.indications", "condition"),
    "contraindication": ("drug.contraindications", "reason"),
    "precaution": ("drug.precautions", "precaution"),
    "interaction": ("drug.interactions", "other"),
}
"""That give a drug's facts, and what the columns of the other thing begin with."""

Agreement = Literal["right", "part", "wrong", "not known", "nothing"]
"""What a reply says of a fact: as the graph does, a part of it, the opposite, that it does not
know, nothing."""


@dataclass(frozen=True)
class DrugFact:
    """A fact of the graph about a drug."""

    thing: Thing
    attribute: Attribute
    sentence: str


@dataclass(frozen=True)
class CheckedReply:
    """A reply, held against the graph."""

    agreement: Agreement
    """What the reply says of the key fact."""
    key_fact: DrugFact
    """That the patient asks for."""
    stances: frozenset[Stance]
    speaks: bool
    """It says anything at all."""
    forbidden: bool
    """The drug is contraindicated with what is asked of, whatever the question."""
    supported: tuple[DrugFact, ...]
    contradicted: tuple[DrugFact, ...]
    named: tuple[DrugFact, ...]
    """Further facts that the reply names, and says nothing false of."""
    further: tuple[DrugFact, ...]
    """All that there are, and that a reply may name."""


class Consultations:
    """Holds answers about drugs against one graph."""

    def __init__(self, store: Store, linker: Linker) -> None:
        """Ask this graph; ``linker`` is of its names."""
        self._store = store
        self._linker = linker

    def check(self, case: MedicationCase, turn: Turn) -> CheckedReply | None:
        """A reply held against the graph; None: the patient asked nothing about the drug.

        Raises:
            StoreError: the store failed.
        """
        subject, attribute = turn.instruction.fact, turn.instruction.attribute
        if subject is None or attribute is None:
            return None
        facts = facts_of_drug(self._store, case)
        subject = next((each for each in case.facts if each.id == subject.id), subject)
        key_fact = next(
            (
                fact
                for fact in facts
                if fact.thing.id == subject.id and fact.attribute == attribute
            ),
            _drug_fact(case.target, subject, attribute, []),
        )
        knowledge = DrugKnowledge(case.synonyms, frozenset(each.thing.id for each in facts))
        reply_claims = claims(turn.doctor, case.target, subject, self._linker, knowledge)
        stances = stance_on(reply_claims)
        attributes = {fact.attribute for fact in facts if fact.thing.id == subject.id}
        forbidden = "contraindication" in attributes
        agreement = _agreement(attribute, stances, subject, reply_claims)
        if attribute in ("precaution", "interaction") and forbidden:
            strict = _agreement("contraindication", stances, subject, reply_claims)
            if attribute == "interaction" and agreement == "right":
                agreement = "part"  # what must not be taken together is more than what interacts
            agreement = min(agreement, strict, key=_RANK.index)
        supported, contradicted = _other_facts(reply_claims, facts, subject)
        denied = {_normal_name(each.thing) for each in contradicted}
        further = [
            fact
            for fact in facts
            if fact.attribute != "indication" and _normal_name(fact.thing) != _normal_name(subject)
        ]
        named_facts = _facts_named(turn.doctor, reply_claims, further)
        return CheckedReply(
            agreement=agreement,
            key_fact=key_fact,
            stances=stances,
            speaks=bool(_LETTER.search(turn.doctor)),
            forbidden=forbidden or attribute == "contraindication",
            supported=distinct(supported),
            contradicted=distinct(contradicted),
            named=distinct(each for each in named_facts if _normal_name(each.thing) not in denied),
            further=distinct(further),
        )


def facts_of_drug(store: Store, case: MedicationCase) -> tuple[DrugFact, ...]:
    """What the case and the graph say of the drug of a case, in the language that is spoken.

    Raises:
        StoreError: the store failed.
    """
    drug = case.target
    case_facts = {(fact.id, fact.attribute): fact for fact in case.facts}
    statements = list[DrugFact]()
    for attribute, (query, prefix) in _QUERIES.items():
        for row in store.query(query, drug=drug.id).dicts():
            thing = row_thing(row, prefix)
            worded = case_facts.pop(
                (thing.id, attribute), thing
            )  # the case has its everyday words
            statements.append(_drug_fact(drug, worded, attribute, row["sources"]))
    facts_of_case_alone = [
        _drug_fact(drug, fact, fact.attribute, list(fact.sources)) for fact in case_facts.values()
    ]
    return (*facts_of_case_alone, *statements)


def distinct(facts: Iterable[DrugFact]) -> tuple[DrugFact, ...]:
    """Facts without those said already: graphs have things twice, as a disease and as a finding."""
    distinct: dict[tuple[Attribute, str], DrugFact] = {}
    for each in facts:
        distinct.setdefault((each.attribute, _normal_name(each.thing)), each)
    return tuple(distinct.values())


def _normal_name(thing: Thing) -> str:
    return normalise(thing.name)


def correctness(checked: CheckedReply) -> tuple[int | None, str]:
    """The score, and why; None where what the reply says on the question cannot be read."""
    score, reason = _OF_KEY[checked.agreement]
    text = translate(reason)
    if checked.agreement == "nothing":
        return (None, translate(_CANNOT_BE_READ)) if checked.speaks else (score, text)
    if checked.contradicted:
        denied_facts = translate(" ").join(each.sentence for each in checked.contradicted[:2])
        score = 1 if checked.agreement in ("right", "part") else 0
        text = translate("{reason}; it denies: {facts}", reason=text, facts=denied_facts)
    return score, text


def comprehensiveness(checked: CheckedReply) -> tuple[int | None, str]:
    """The score, and why; None where what the reply says on the question cannot be read."""
    if checked.agreement == "nothing" and checked.speaks:
        return None, translate(_CANNOT_BE_READ)
    needed = min(_FURTHER, len({_normal_name(each.thing) for each in checked.further}))
    count = len({_normal_name(each.thing) for each in checked.named})
    names = translate(", ").join(name_of(each.thing) for each in checked.named[:3])
    answers = checked.agreement in ("right", "part")
    if answers and count >= needed:
        if not needed:
            return 2, translate("answers the question, and the graph has nothing more to say")
        return 2, translate("answers the question, and names: {names}", names=names)
    if answers:
        reason = "answers the question, and names {count} of {need} further facts"
        return 1, translate(reason, count=count, need=needed)
    if count or checked.supported:
        return 1, translate("does not answer the question rightly, and names other facts")
    return 0, translate("covers nothing of what the graph has on the question")


_RANK: Final[tuple[Agreement, ...]] = ("right", "part", "not known", "nothing", "wrong")


_CANNOT_BE_READ: Final = "what it says on the question cannot be read from its words"
_OF_KEY: Final[Mapping[Agreement, tuple[int, str]]] = {
    "right": (2, "says of what is asked what the graph says"),
    "part": (1, "says a part of what the graph says on what is asked"),
    "not known": (1, "says that it does not know, and nothing false"),
    "nothing": (0, "says nothing on what is asked"),
    "wrong": (0, "says the opposite of what the graph says on what is asked"),
}
"""The score of what a reply says of the key fact, and why."""


def _agreement(
    attribute: Attribute | Literal["instruction"],
    stances: frozenset[Stance],
    subject: Thing,
    reply_claims: Sequence[Claim],
) -> Agreement:
    """What a reply says of a fact of an attribute."""
    if "unknown" in stances and not stances & {"may", "must not", "interacts"}:
        return "not known"
    if subject.type == "Precaution":
        if any(says_instruction(each.affirmed, subject) for each in reply_claims):
            return "right"  # what is to be done is said
        attribute = "instruction"
    for agreement, holds in _SAID[attribute]:
        if holds(stances):
            return agreement
    return "nothing"


_Holds = Callable[[frozenset[Stance]], bool]
_SAID: Final[Mapping[Attribute | Literal["instruction"], tuple[tuple[Agreement, _Holds], ...]]] = {
    "indication": (
        ("part", lambda s: {"may", "must not"} <= s),
        ("right", lambda s: "may" in s),
        ("wrong", lambda s: "must not" in s),
        ("part", lambda s: "care" in s),
    ),
    "contraindication": (
        ("part", lambda s: {"may", "must not"} <= s),
        ("right", lambda s: "must not" in s),
        ("part", lambda s: "care" in s),
        ("wrong", lambda s: bool(s & {"may", "no care"})),
    ),
    "precaution": (
        ("right", lambda s: "care" in s),
        ("part", lambda s: bool(s & {"must not", "interacts"})),
        ("wrong", lambda s: bool(s & {"may", "no care"})),
    ),
    "instruction": (  # and what is to be done is not said
        ("part", lambda s: bool(s & {"care", "interacts"})),
        ("wrong", lambda s: bool(s & {"may", "no care"})),
        ("part", lambda s: "must not" in s),
    ),
    "interaction": (
        ("wrong", lambda s: "no interaction" in s and "care" not in s),
        ("right", lambda s: bool(s & {"interacts", "must not", "care"})),
        ("wrong", lambda s: bool(s & {"may", "no care"})),
    ),
}
"""Of each attribute, what a reply says of a fact by what it says of taking the drug; the first that
holds counts."""


def says_instruction(text: str, instruction: Thing) -> bool:
    """Whether a text says what is to be done: most words of an instruction, in whatever order."""
    normal_text = normalise(simplified_text(text))
    return any(_has_most(normal_text, normalise(name)) for name in instruction.names)


def _has_most(text: str, name: str) -> bool:
    if _HAN.search(name):
        pairs = {name[n : n + 2] for n in range(len(name) - 1)}
        return len([pair for pair in pairs if pair in text]) > _MOST_PAIRS * len(pairs)
    stems = {word[:_STEM] for word in _WORD.findall(name)}
    text_stems = {word[:_STEM] for word in _WORD.findall(text)}
    return len(stems & text_stems) >= _MOST * len(stems) > 0


def _other_facts(
    reply_claims: Sequence[Claim], facts: Sequence[DrugFact], subject: Thing
) -> tuple[tuple[DrugFact, ...], tuple[DrugFact, ...]]:
    """Facts about other things that a reply says, and those that it denies."""
    by_id: dict[str, list[DrugFact]] = {}
    for fact in facts:
        by_id.setdefault(fact.thing.id, []).append(fact)
    supported, contradicted = list[DrugFact](), list[DrugFact]()
    for claim in reply_claims:
        for thing in claim.about:
            facts_of_thing = by_id.get(thing.id, []) if thing.id != subject.id else []
            agreements = {
                _agreement(f.attribute, claim.stances, f.thing, (claim,)): f
                for f in facts_of_thing
            }
            if "right" in agreements:
                supported.append(agreements["right"])
                continue
            stances_of_part = next(
                (part.stances for part in claim.parts if thing.id in part.ids), frozenset()
            )
            agreements = {
                _agreement(f.attribute, stances_of_part, thing, ()): f for f in facts_of_thing
            }
            if "wrong" in agreements and "part" not in agreements:
                contradicted.append(agreements["wrong"])
    return tuple(dict.fromkeys(supported)), tuple(dict.fromkeys(contradicted))


def _facts_named(
    reply: str, reply_claims: Sequence[Claim], further: Iterable[DrugFact]
) -> list[DrugFact]:
    """Facts of things that a reply names; of what is to be done, those of which it says most."""
    ids = {thing.id for claim in reply_claims for thing in claim.about}
    folded = normalise(simplified_text(reply))
    return [
        each
        for each in further
        if each.thing.id in ids
        or _is_in(each.thing, folded)
        or (
            each.thing.type == "Precaution"
            and any(says_instruction(claim.affirmed, each.thing) for claim in reply_claims)
        )
    ]


def _is_in(thing: Thing, folded: str) -> bool:
    return any(stands_in(normalise(name), folded) for name in thing.names)


def _drug_fact(drug: Thing, thing: Thing, attribute: Attribute, sources: Value) -> DrugFact:
    relation = _RELATION[attribute]
    return DrugFact(thing, attribute, sentence(name_of(drug), relation, name_of(thing), sources))
