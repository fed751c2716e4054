"""What a patient without a director has said, put as the instruction that it would have followed.

Nobody tells such a patient what to say (the ablation of MedKGEval, tables 6 and 7), yet whoever judges
the doctor must know what it was told: the findings that the utterance affirms, its answers to what the
doctor asked for, and the fact that a question about a drug names.
"""

from collections.abc import Mapping, Sequence

from evalsim.agents.patient import population_of
from evalsim.auditing.claims import Claim, Words
from evalsim.case import DiagnosisCase, Fact, MedicationCase, Thing
from evalsim.dialogue import Instruction, Supply, Turn
from evalsim.reading.superclasses import Superclasses


def told_instruction(
    case: DiagnosisCase,
    planned: Instruction,
    *,
    things_asked: Sequence[Thing],
    claims: Sequence[Claim],
    thing_of: Mapping[str, Thing],
    superclasses: Superclasses,
    answer: bool | None,
) -> Instruction:
    """What was told, as an instruction of a diagnosis.

    Args:
        case: that the dialogue is about.
        planned: what the rules of a dialogue came to; its intent and topics stay.
        things_asked: what the doctor has asked for just before.
        claims: of the utterance.
        thing_of: the things of the claims, by id.
        superclasses: of these, of what was asked for and of the case's findings.
        answer: of an utterance that begins with a yes or a no; None: with neither.
    """
    findings = {f.id for f in case.findings}
    affirmed = [c.id for c in claims if c.polarity == "affirmed" and c.id in thing_of]
    denied = [c.id for c in claims if c.polarity == "denied"]
    supplies = []
    for thing in things_asked:
        affirmed_id = next((id_ for id_ in affirmed if superclasses.is_a(id_, thing.id)), None)
        is_denied = any(superclasses.is_a(thing.id, id_) for id_ in denied)
        if affirmed_id or (answer and not claims):
            released = affirmed_id or thing.id
            supplies.append(
                Supply(
                    about=thing_of[affirmed_id] if affirmed_id else thing,
                    answer="yes",
                    source="graph" if released in findings else "filler",
                    releases=released if released in findings else None,
                )
            )
        elif is_denied or (answer is False and not claims):
            supplies.append(Supply(about=thing, answer="no", source="filler"))
    answered = {supply.about.id for supply in supplies}
    tell = tuple(thing_of[id_] for id_ in dict.fromkeys(affirmed) if id_ not in answered)
    return planned.model_copy(update={"tell": tell, "supplies": tuple(supplies), "tested": ()})


def question_instruction(
    case: MedicationCase,
    planned: Instruction,
    *,
    turns: Sequence[Turn],
    text: str,
    claims: Sequence[Claim],
    words: Words,
) -> Instruction:
    """What was asked about the drug, as an instruction: the fact of the case that the question names.

    Of several the planned one, else one that was not asked for before; none where none is named.

    Args:
        case: that the dialogue is about.
        planned: what the rules of a dialogue came to.
        turns: before.
        text: the utterance.
        claims: of it.
        words: for the facts of the case.
    """
    named_ids = {claim.id for claim in claims} | {id_ for *_, id_ in words.find(text)}
    population = population_of(text)
    facts = [
        fact
        for fact in case.facts
        if fact.id in named_ids
        or (population is not None and population == population_of(fact.name))
    ]
    asked_before = {
        (t.instruction.attribute, t.instruction.fact.id) for t in turns if t.instruction.fact
    }

    def rank(fact: Fact) -> tuple[bool, bool]:
        is_planned = planned.fact is not None and (fact.id, fact.attribute) == (
            planned.fact.id,
            planned.attribute,
        )
        return not is_planned, (fact.attribute, fact.id) in asked_before

    fact = min(facts, key=rank, default=None)
    update = {"fact": fact and fact.bare(), "attribute": fact and fact.attribute}
    return planned.model_copy(update=update)
