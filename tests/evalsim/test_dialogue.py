"""The state of a dialogue: what is told when, and why it ends."""

import pytest

from evalsim.case import DiagnosisCase, Thing
from evalsim.dialogue import Dialogue, EndReason, Guidance, Instruction, Reading, Supply, Turn
from evalsim.plan import Conduct, Persona, Plan
from tests.evalsim.clinic import DISEASES, diagnosis_case, medication_case

GOUT = "MONDO:0005393"
TOLD = DISEASES[GOUT][2]
PERSONA = Persona(age=50, sex="male")


def begun(limit: int = 12, further: tuple[str, ...] = ()) -> tuple[DiagnosisCase, Dialogue]:
    case = diagnosis_case(GOUT)
    told = tuple(id_ for id_ in TOLD if id_ not in further)
    plan = Plan(persona=PERSONA, told=told, further=further)
    dialogue = Dialogue(case=case.id, task="diagnosis", language="en", plan=plan, limit=limit)
    return case, dialogue


def reply(
    dialogue: Dialogue, case: DiagnosisCase, guidance: Guidance, instruction: Instruction
) -> Instruction | None:
    number = len(dialogue.turns) + 1
    dialogue.turns.append(Turn(number=number, instruction=instruction, patient="…", doctor="…"))
    return dialogue.follow(case, guidance)


def nothing() -> Guidance:
    return Guidance(reading=Reading())


def test_a_patient_begins_with_one_finding_and_tells_one_a_round_then_asks() -> None:
    case, dialogue = begun()
    instruction = dialogue.first(case)
    said = [[thing.id for thing in instruction.tell]]
    while instruction.intent != "ask for a diagnosis":
        following = reply(dialogue, case, nothing(), instruction)
        assert following is not None
        instruction = following
        said.append([thing.id for thing in instruction.tell])
    assert said == [[id_] for id_ in TOLD] + [[]]
    assert reply(dialogue, case, nothing(), instruction) is None
    assert dialogue.end is EndReason.NO_DIAGNOSIS
    assert dialogue.released == list(TOLD)


def test_what_the_doctor_asks_for_is_answered_and_is_not_told_again() -> None:
    case, dialogue = begun()
    first = dialogue.first(case)
    fever = Thing(id="HP:0001945", type="Symptom", name="Fever")
    supply = Supply(about=fever, answer="yes", source="graph", releases=fever.id)
    guidance = Guidance(reading=Reading(asked=(fever,)), supplies=(supply,))
    following = reply(dialogue, case, guidance, first)
    assert following == Instruction(intent="answer", supplies=(supply,))
    assert dialogue.released == [TOLD[0], fever.id]
    assert fever.id not in dialogue.unreleased()


def test_a_vague_question_is_asked_back_and_tells_nothing() -> None:
    case, dialogue = begun()
    first = dialogue.first(case)
    following = reply(dialogue, case, Guidance(reading=Reading(vague=True)), first)
    assert following == Instruction(intent="ask back")
    assert dialogue.released == [TOLD[0]]


@pytest.mark.parametrize(
    ("reading", "limit", "end"),
    [
        (Reading(final=True), 12, EndReason.DIAGNOSED),
        (Reading(refused=True), 12, EndReason.REFUSED),
        (Reading(), 1, EndReason.TURN_LIMIT),
        (Reading(final=True, refused=True), 12, EndReason.REFUSED),
    ],
)
def test_a_dialogue_ends_by_what_the_reply_does(
    reading: Reading, limit: int, end: EndReason
) -> None:
    case, dialogue = begun(limit)
    first = dialogue.first(case)
    assert reply(dialogue, case, Guidance(reading=reading), first) is None
    assert dialogue.end is end


@pytest.mark.parametrize(
    "guidance",
    [
        Guidance(reading=Reading(), tell=("HP:0000001",)),
        Guidance(reading=Reading(), tell=TOLD[1:4]),
        Guidance(
            reading=Reading(),
            supplies=(
                Supply(
                    about=Thing(id="HP:1", type="Symptom", name="x"),
                    answer="yes",
                    source="graph",
                    releases="HP:0012735",
                ),
            ),
        ),
    ],
    ids=["not of the case", "three at once", "a finding of another disease"],
)
def test_guidance_that_breaks_the_rules_is_refused(guidance: Guidance) -> None:
    case, dialogue = begun()
    first = dialogue.first(case)
    with pytest.raises(ValueError, match=r"does not have it|a round at most"):
        reply(dialogue, case, guidance, first)


def test_a_finding_that_is_told_only_when_asked_is_never_told_unasked() -> None:
    case, dialogue = begun(further=("HP:0001945",))
    instruction: Instruction | None = dialogue.first(case)
    while instruction is not None:
        assert "HP:0001945" not in {thing.id for thing in instruction.tell}
        instruction = reply(dialogue, case, nothing(), instruction)


def test_a_medication_consultation_asks_its_questions_and_ends() -> None:
    case = medication_case()
    questions = tuple((fact.attribute, fact.id) for fact in case.facts)
    plan = Plan(persona=PERSONA, questions=questions)
    dialogue = Dialogue(case=case.id, task="medication", language="en", plan=plan)
    asked = []
    instruction: Instruction | None = dialogue.first(case)
    while instruction is not None:
        asked.append(instruction.attribute)
        number = len(dialogue.turns) + 1
        dialogue.turns.append(Turn(number=number, instruction=instruction, patient="…"))
        instruction = dialogue.follow(case, nothing())
    assert asked == ["indication", "contraindication"]
    assert dialogue.end is EndReason.ALL_ASKED


def test_all_at_once_is_told_in_one_turn_that_asks_for_the_diagnosis() -> None:
    case, dialogue = begun(limit=1, further=("HP:0001945",))
    first = dialogue.first(case, all_at_once=True)
    assert [thing.id for thing in first.tell] == [*TOLD[:3], "HP:0001945"]
    assert reply(dialogue, case, nothing(), first) is None
    assert dialogue.end is EndReason.NO_DIAGNOSIS


def test_a_patient_is_handed_nothing_that_only_the_director_may_know() -> None:
    case, dialogue = begun()
    [told] = dialogue.first(case).tell
    assert type(told) is Thing
    assert not hasattr(told, "frequency")


@pytest.mark.parametrize(
    ("number", "intent", "final", "takes"),
    [
        (1, "open", True, True),
        (2, "answer", True, False),
        (2, "answer", False, True),
        (3, "ask for a diagnosis", False, False),
    ],
)
def test_a_history_is_due_where_it_can_still_be_taken(
    number: int, intent: str, final: bool, takes: bool
) -> None:
    turn = Turn(
        number=number,
        instruction=Instruction.model_validate({"intent": intent}),
        patient="…",
        reading=Reading(final=final),
    )
    assert turn.takes_history is takes


JOINTS = Thing(id="HP:0033127", type="Symptom", name="Abnormality of the musculoskeletal system")
FEVER = Thing(id="HP:0001945", type="Symptom", name="Fever")
COUGH = Thing(id="HP:0012735", type="Symptom", name="Cough")


def behaving(conduct: Conduct) -> tuple[DiagnosisCase, Dialogue]:
    case, dialogue = begun()
    dialogue.plan = dialogue.plan.model_copy(update={"conduct": conduct})
    return case, dialogue


def asks_for(thing: Thing, releases: str) -> Guidance:
    supply = Supply(
        about=Thing(id=releases, type="Symptom", name=FEVER.name if releases == FEVER.id else ""),
        answer="yes",
        source="graph",
        releases=releases,
    )
    return Guidance(reading=Reading(asked=(thing,)), supplies=(supply,))


def test_who_withholds_tells_at_the_second_asking_only() -> None:
    case, dialogue = behaving(Conduct(withheld=(FEVER.id,)))
    instruction: Instruction | None = dialogue.first(case)
    said = []
    for _ in range(2):
        assert instruction is not None
        instruction = reply(dialogue, case, asks_for(FEVER, FEVER.id), instruction)
        assert instruction is not None
        said.append(
            ([t.id for t in instruction.withheld], [s.releases for s in instruction.supplies])
        )
    assert said == [([FEVER.id], []), ([], [FEVER.id])]
    assert dialogue.released == [TOLD[0], FEVER.id]
    assert FEVER.id not in dialogue.unreleased()


def test_who_is_vague_tells_the_group_until_the_finding_is_asked_for() -> None:
    case, dialogue = behaving(Conduct(vague=True, groups={TOLD[0]: JOINTS, TOLD[1]: JOINTS}))
    first = dialogue.first(case)
    assert (first.tell, first.vague, dialogue.released) == ((JOINTS,), True, [])
    assert dialogue.hinted == [TOLD[0], TOLD[1]]
    wider = reply(dialogue, case, asks_for(JOINTS, TOLD[1]), first)
    assert wider is not None
    assert [(s.about.id, s.releases) for s in wider.supplies] == [(JOINTS.id, None)]
    arthritis = Thing(id=TOLD[0], type="Symptom", name="Arthritis")
    asked = reply(dialogue, case, asks_for(arthritis, TOLD[0]), wider)
    assert asked is not None
    assert [s.releases for s in asked.supplies] == [TOLD[0]]
    assert dialogue.released == [TOLD[0]]


def test_finding_without_a_group_is_told_by_a_vague_patient_as_something() -> None:
    case, dialogue = behaving(Conduct(vague=True))
    first = dialogue.first(case)
    assert (first.intent, first.tell, dialogue.hinted) == ("open", (), [TOLD[0]])


def test_what_is_made_up_is_told_once_and_stood_by() -> None:
    case, dialogue = behaving(Conduct(fabricated=(COUGH,)))
    second = reply(
        dialogue, case, Guidance(reading=Reading(), tell=TOLD[1:2]), dialogue.first(case)
    )
    assert second is not None
    assert second.fabricated == (COUGH,)
    denied = Supply(about=COUGH, answer="no", source="filler")
    guidance = Guidance(reading=Reading(asked=(COUGH,)), supplies=(denied,))
    third = reply(dialogue, case, guidance, second)
    assert third is not None
    assert [(s.about.id, s.answer, s.source) for s in third.supplies] == [
        (COUGH.id, "yes", "filler")
    ]
    assert third.fabricated == ()


def test_topic_of_which_nothing_is_known_is_marked_as_filler() -> None:
    case, dialogue = begun()
    guidance = Guidance(reading=Reading(topics=("age", "medicines")))
    following = reply(dialogue, case, guidance, dialogue.first(case))
    assert following is not None
    assert (following.topics, following.filler) == (("age", "medicines"), ("medicines",))
