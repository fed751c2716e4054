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
from evalsim.judging.advice import Claim, Known, Stance, claims, stance_on, stands_in
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
_OF: Final[Mapping[Attribute, str]] = {
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
class Stated:
    """A fact of the graph about a drug."""

    thing: Thing
    attribute: Attribute
    sentence: str


@dataclass(frozen=True)
class Answered:
    """A reply, held against the graph."""

    key: Agreement
    asked: Stated
    stances: frozenset[Stance]
    speaks: bool
    """It says anything at all."""
    forbidden: bool
    """The drug is contraindicated with what is asked of, whatever the question."""
    supported: tuple[Stated, ...]
    contradicted: tuple[Stated, ...]
    named: tuple[Stated, ...]
    """Further facts that the reply names, and says nothing false of."""
    further: tuple[Stated, ...]
    """All that there are, and that a reply may name."""


class Consultations:
    """Holds answers about drugs against one graph."""

    def __init__(self, store: Store, linker: Linker) -> None:
        """Ask this graph; ``linker`` is of its names."""
        self._store = store
        self._linker = linker

    def answered(self, case: MedicationCase, turn: Turn) -> Answered | None:
        """A reply held against the graph; None: the patient asked nothing about the drug.

        Raises:
            StoreError: the store failed.
        """
        asked, attribute = turn.instruction.fact, turn.instruction.attribute
        if asked is None or attribute is None:
            return None
        facts = facts_of_drug(self._store, case)
        asked = next((each for each in case.facts if each.id == asked.id), asked)
        key = next(
            (f for f in facts if f.thing.id == asked.id and f.attribute == attribute),
            _stated(case.target, asked, attribute, []),
        )
        known = Known(case.synonyms, frozenset(each.thing.id for each in facts))
        said = claims(turn.doctor, case.target, asked, self._linker, known)
        stances = stance_on(said)
        attributes = {f.attribute for f in facts if f.thing.id == asked.id}
        forbidden = "contraindication" in attributes
        best = _agreement(attribute, stances, asked, said)
        if attribute in ("precaution", "interaction") and forbidden:
            strict = _agreement("contraindication", stances, asked, said)
            if attribute == "interaction" and best == "right":
                best = "part"  # what must not be taken together is more than what interacts
            best = min(best, strict, key=_RANK.index)
        supported, contradicted = _others(said, facts, asked)
        wrong = {_name(each.thing) for each in contradicted}
        further = [
            f for f in facts if f.attribute != "indication" and _name(f.thing) != _name(asked)
        ]
        named = _named(turn.doctor, said, further)
        return Answered(
            key=best,
            asked=key,
            stances=stances,
            speaks=bool(_LETTER.search(turn.doctor)),
            forbidden=forbidden or attribute == "contraindication",
            supported=distinct(supported),
            contradicted=distinct(contradicted),
            named=distinct(each for each in named if _name(each.thing) not in wrong),
            further=distinct(further),
        )


def facts_of_drug(store: Store, case: MedicationCase) -> tuple[Stated, ...]:
    """What the case and the graph say of the drug of a case, in the language that is spoken.

    Raises:
        StoreError: the store failed.
    """
    drug = case.target
    own = {(fact.id, fact.attribute): fact for fact in case.facts}
    statements = list[Stated]()
    for attribute, (query, prefix) in _QUERIES.items():
        for row in store.query(query, drug=drug.id).dicts():
            thing = row_thing(row, prefix)
            worded = own.pop((thing.id, attribute), thing)  # the case has its everyday words
            statements.append(_stated(drug, worded, attribute, row["sources"]))
    rest = [_stated(drug, fact, fact.attribute, list(fact.sources)) for fact in own.values()]
    return (*rest, *statements)


def distinct(facts: Iterable[Stated]) -> tuple[Stated, ...]:
    """Facts without those said already: graphs have things twice, as a disease and as a finding."""
    distinct: dict[tuple[Attribute, str], Stated] = {}
    for each in facts:
        distinct.setdefault((each.attribute, _name(each.thing)), each)
    return tuple(distinct.values())


def _name(thing: Thing) -> str:
    return normalise(thing.name)


def correctness(answered: Answered) -> tuple[int | None, str]:
    """The score, and why; None where what the reply says on the question cannot be read."""
    score, reason = _OF_KEY[answered.key]
    said = translate(reason)
    if answered.key == "nothing":
        return (None, translate(_UNREAD)) if answered.speaks else (score, said)
    if answered.contradicted:
        wrong = translate(" ").join(each.sentence for each in answered.contradicted[:2])
        score = 1 if answered.key in ("right", "part") else 0
        said = translate("{reason}; it denies: {facts}", reason=said, facts=wrong)
    return score, said


def comprehensiveness(answered: Answered) -> tuple[int | None, str]:
    """The score, and why; None where what the reply says on the question cannot be read."""
    if answered.key == "nothing" and answered.speaks:
        return None, translate(_UNREAD)
    need = min(_FURTHER, len({_name(each.thing) for each in answered.further}))
    count = len({_name(each.thing) for each in answered.named})
    names = translate(", ").join(name_of(each.thing) for each in answered.named[:3])
    answers = answered.key in ("right", "part")
    if answers and count >= need:
        if not need:
            return 2, translate("answers the question, and the graph has nothing more to say")
        return 2, translate("answers the question, and names: {names}", names=names)
    if answers:
        reason = "answers the question, and names {count} of {need} further facts"
        return 1, translate(reason, count=count, need=need)
    if count or answered.supported:
        return 1, translate("does not answer the question rightly, and names other facts")
    return 0, translate("covers nothing of what the graph has on the question")


_RANK: Final[tuple[Agreement, ...]] = ("right", "part", "not known", "nothing", "wrong")


_UNREAD: Final = "what it says on the question cannot be read from its words"
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
    asked: Thing,
    said: Sequence[Claim],
) -> Agreement:
    """What a reply says of a fact of an attribute."""
    if "unknown" in stances and not stances & {"may", "must not", "interacts"}:
        return "not known"
    if asked.type == "Precaution":
        if any(says(each.affirmed, asked) for each in said):
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


def says(text: str, instruction: Thing) -> bool:
    """Whether a text says what is to be done: most words of an instruction, in whatever order."""
    read = normalise(simplified_text(text))
    return any(_has_most(read, normalise(name)) for name in instruction.names)


def _has_most(read: str, name: str) -> bool:
    if _HAN.search(name):
        pairs = {name[n : n + 2] for n in range(len(name) - 1)}
        return len([pair for pair in pairs if pair in read]) > _MOST_PAIRS * len(pairs)
    stems = {word[:_STEM] for word in _WORD.findall(name)}
    said = {word[:_STEM] for word in _WORD.findall(read)}
    return len(stems & said) >= _MOST * len(stems) > 0


def _others(
    said: Sequence[Claim], facts: Sequence[Stated], asked: Thing
) -> tuple[tuple[Stated, ...], tuple[Stated, ...]]:
    """Facts about other things that a reply says, and those that it denies."""
    by_id: dict[str, list[Stated]] = {}
    for fact in facts:
        by_id.setdefault(fact.thing.id, []).append(fact)
    supported, contradicted = list[Stated](), list[Stated]()
    for claim in said:
        for thing in claim.about:
            known = by_id.get(thing.id, []) if thing.id != asked.id else []
            agreements = {
                _agreement(f.attribute, claim.stances, f.thing, (claim,)): f for f in known
            }
            if "right" in agreements:
                supported.append(agreements["right"])
                continue
            there = next((s for s, named in claim.parts if thing.id in named), frozenset())
            agreements = {_agreement(f.attribute, there, thing, ()): f for f in known}
            if "wrong" in agreements and "part" not in agreements:
                contradicted.append(agreements["wrong"])
    return tuple(dict.fromkeys(supported)), tuple(dict.fromkeys(contradicted))


def _named(reply: str, said: Sequence[Claim], further: Iterable[Stated]) -> list[Stated]:
    """Facts of things that a reply names; of what is to be done, those of which it says most."""
    ids = {thing.id for claim in said for thing in claim.about}
    folded = normalise(simplified_text(reply))
    return [
        each
        for each in further
        if each.thing.id in ids
        or _is_in(each.thing, folded)
        or (
            each.thing.type == "Precaution"
            and any(says(claim.affirmed, each.thing) for claim in said)
        )
    ]


def _is_in(thing: Thing, folded: str) -> bool:
    return any(stands_in(normalise(name), folded) for name in thing.names)


def _stated(drug: Thing, thing: Thing, attribute: Attribute, sources: Value) -> Stated:
    relation = _OF[attribute]
    return Stated(thing, attribute, sentence(name_of(drug), relation, name_of(thing), sources))
