"""Which rules an utterance of a patient breaks."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import kg
from evalsim.auditing.audit import Auditor
from evalsim.auditing.claims import Words, tokens
from evalsim.case import Language, Thing
from evalsim.dialogue import Dialogue, Instruction, Reading, Supply, Turn
from evalsim.plan import Persona, Plan
from kg.linking import Linker
from tests.evalsim.clinic import FINDINGS, diagnosis_case, medication_case

GOUT, ARTHRITIS, SWELLING, FEVER = "MONDO:0005393", "HP:0001369", "HP:0001386", "HP:0001945"


@pytest.fixture(scope="module")
def auditor(clinic: Path) -> Iterator[Auditor]:
    with kg.connect(str(clinic)) as store:
        yield Auditor(store, Linker.of_store(store))


def thing(id_: str) -> Thing:
    name, zh = FINDINGS[id_]
    return Thing(id=id_, type="Symptom", name=name, name_zh=zh)


def rules(
    auditor: Auditor,
    text: str,
    instruction: Instruction,
    language: Language = "en",
    *,
    directed: bool = True,
) -> list[str]:
    """Of a man of 58 with gout, who has told of arthritis."""
    case = diagnosis_case(GOUT, language).model_copy(update={"cuis": ("C0018099",)})
    plan = Plan(told=(ARTHRITIS, SWELLING), further=(FEVER,), persona=Persona(age=58, sex="male"))
    first = Instruction(intent="open", tell=(thing(ARTHRITIS),))
    dialogue = Dialogue(
        case=case.id,
        task="diagnosis",
        language=language,
        plan=plan,
        turns=[Turn(number=1, instruction=first, patient="…")],
    )
    turn = Turn(number=2, instruction=instruction, patient=text)
    return [v.rule for v in auditor.audit(case, dialogue, turn, directed=directed)]


TELL = Instruction(intent="tell", tell=(thing(SWELLING),))
BACK = Instruction(intent="ask back")
YES = Instruction(
    intent="answer",
    supplies=(Supply(about=thing(FEVER), answer="yes", source="graph", releases=FEVER),),
)
NO = Instruction(
    intent="answer", supplies=(Supply(about=thing(FEVER), answer="no", source="graph"),)
)
AGE = Instruction(intent="answer", topics=("age",))


@pytest.mark.parametrize(
    ("text", "instruction", "language", "broken"),
    [
        ("I also have joint swelling.", TELL, "en", []),
        ("还有关节肿胀。", TELL, "zh", []),
        ("I have joint swelling, is it gout?", TELL, "en", ["named the target"]),
        ("I have joint swelling, C0018099.", TELL, "en", ["named the target"]),
        ("关节肿胀，是痛风吧？", TELL, "zh", ["named the target"]),
        ("Joint swelling. My uric acid is high.", TELL, "en", ["paraphrased the target"]),
        ("Joint swelling and a fever.", TELL, "en", ["told what was not released"]),
        ("What do you mean?", BACK, "en", []),
        ("Well, I have a fever.", BACK, "en", ["volunteered"]),
        ("Joint swelling and a cough.", TELL, "en", ["invented"]),
        ("Yes, a fever.", YES, "en", []),
        ("No fever.", YES, "en", ["contradicted"]),
        ("I'd rather not say.", YES, "en", ["refused a known fact"]),
        ("I don't know.", YES, "en", ["refused a known fact"]),
        ("No fever.", NO, "en", []),
        ("Yes, I have a fever.", NO, "en", ["contradicted"]),
        ("没有关节炎。", NO, "zh", ["contradicted"]),
        ("I'm 58 years old.", AGE, "en", []),
        ("I'm 30 years old.", AGE, "en", ["contradicted"]),
        ("我30岁。", AGE, "zh", ["contradicted"]),
        ("Joint swelling. Goodbye, doctor.", TELL, "en", ["ended early"]),
        ("还有关节肿胀，再见。", TELL, "zh", ["ended early"]),
        ("还有关节肿胀。", TELL, "en", ["wrong language"]),
        ("My joint swelling is getting worse every day.", TELL, "zh", ["wrong language"]),
        ("", TELL, "en", []),
        ("Joint swelling. I have to go to the toilet all the time.", TELL, "en", []),
        ("Joint swelling. I take care of my grandchildren.", TELL, "en", []),
        ("Joint swelling. I should go to bed early.", TELL, "en", []),
        ("Joint swelling, that's all.", TELL, "en", []),
        ("Joint swelling. That's all, thank you.", TELL, "en", ["ended early"]),
        ("关节肿胀，走了几步路就疼。", TELL, "zh", []),
        ("关节肿胀，挂了水也没好。", TELL, "zh", []),
        ("关节肿胀，我先走了。", TELL, "zh", ["ended early"]),
        ("It doesn't matter whether I sit or lie down, joint swelling.", TELL, "en", []),
        ("Joint swelling. It began when I turned 40.", TELL, "en", []),
        ("Joint swelling. I live with my 5-year-old.", TELL, "en", []),
        ("Joint swelling, as a 30-year-old man.", TELL, "en", ["contradicted"]),
        ("我从20岁就开始抽烟，关节肿胀。", TELL, "zh", []),
        ("我女儿5岁，我关节肿胀。", TELL, "zh", []),
    ],
)
def test_utterance_breaks_the_rule_that_it_breaks_and_no_other(
    auditor: Auditor, text: str, instruction: Instruction, language: Language, broken: list[str]
) -> None:
    assert rules(auditor, text, instruction, language) == broken


def test_words_of_a_request_are_no_part_of_a_finding() -> None:
    assert tokens("想吐") == {"吐"}  # as in 呕吐，想请您看看


def test_violation_says_where_it_is(auditor: Auditor) -> None:
    case = diagnosis_case(GOUT)
    plan = Plan(told=(ARTHRITIS,), persona=Persona(age=58, sex="male"))
    dialogue = Dialogue(case=case.id, task="diagnosis", language="en", plan=plan)
    turn = Turn(number=1, instruction=BACK, patient="Is it gout?")
    (found,) = auditor.audit(case, dialogue, turn)
    assert turn.patient[found.start : found.stop] == "gout"


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("I have peptic ulcer disease. Can I take ibuprofen?", []),
        ("I have migraine disorder. Can I take ibuprofen?", ["told what was not released"]),
        ("I have peptic ulcer disease and asthma. Can I take ibuprofen?", ["invented"]),
    ],
)
def test_patient_who_asks_about_a_drug_names_it_and_what_the_question_is_about(
    auditor: Auditor, text: str, broken: list[str]
) -> None:
    case = medication_case()
    fact = case.facts[1]
    asks = Instruction(
        intent="ask",
        attribute="contraindication",
        fact=Thing(id=fact.id, type=fact.type, name=fact.name),
    )
    plan = Plan(questions=(("contraindication", fact.id),), persona=Persona(age=58, sex="male"))
    dialogue = Dialogue(case=case.id, task="medication", language="en", plan=plan)
    turn = Turn(number=1, instruction=asks, patient=text)
    assert [v.rule for v in auditor.audit(case, dialogue, turn)] == broken


@pytest.mark.parametrize(
    ("text", "instruction", "broken"),
    [
        (
            "I'd rather not talk about that.",
            Instruction(intent="answer", withheld=(thing(FEVER),)),
            [],
        ),
        ("No, no fever.", Instruction(intent="answer", withheld=(thing(FEVER),)), []),
        (
            "Joint swelling.",
            Instruction(intent="answer", withheld=(thing(FEVER),)),
            ["told what was not released"],
        ),
        (
            "I also have a cough.",
            Instruction(intent="tell", fabricated=(thing("HP:0012735"),)),
            [],
        ),
        (
            "I also have a cough and a headache.",
            Instruction(intent="tell", fabricated=(thing("HP:0012735"),)),
            ["invented"],
        ),
        ("I'm not sure, maybe.", YES.model_copy(update={"vague": True}), []),
        (
            "Something is not right. It is gout.",
            Instruction(intent="tell", vague=True),
            ["named the target"],
        ),
    ],
)
def test_what_is_done_on_purpose_breaks_no_rule_and_all_else_does(
    auditor: Auditor, text: str, instruction: Instruction, broken: list[str]
) -> None:
    assert rules(auditor, text, instruction) == broken


@pytest.mark.parametrize(
    ("text", "instruction", "broken"),
    [
        ("I have joint swelling and a fever.", Instruction(intent="open"), []),
        ("I have a cough.", TELL, ["invented"]),
        (
            "Yes, a cough.",
            Instruction(
                intent="answer",
                supplies=(Supply(about=thing("HP:0012735"), answer="no", source="filler"),),
            ),
            ["invented"],
        ),
        ("No fever.", YES, ["contradicted"]),
        ("I don't have any joint swelling.", BACK, ["contradicted"]),
        ("I'd rather not say.", YES, ["refused a known fact"]),
        ("I'm 30 years old.", AGE, ["contradicted"]),
        ("It must be gout. Goodbye.", TELL, ["named the target", "ended early"]),
    ],
)
def test_without_a_director_all_rules_count_but_those_of_release(
    auditor: Auditor, text: str, instruction: Instruction, broken: list[str]
) -> None:
    assert rules(auditor, text, instruction, directed=False) == broken


def test_words_that_the_doctor_asked_with_are_no_foreign_language(auditor: Auditor) -> None:
    lupus = Thing(id="X:1", type="Symptom", name="Systemic Lupus Anticoagulant Positivity")
    asked = Supply(about=lupus, answer="no", source="filler")
    text = "没有systemic lupus anticoagulant positivity。"
    assert rules(auditor, text, Instruction(intent="answer", supplies=(asked,)), "zh") == []


def test_a_name_without_a_letter_is_found_nowhere() -> None:
    assert Words({"": "x", "fever": "y"}).find("no fever") == [(3, 8, "y")]


HEARD_FEVER = Reading(asked=(thing(FEVER),))


@pytest.mark.parametrize(
    ("text", "language", "told", "answer"),
    [
        ("Yes, I have a fever, and joint swelling.", "en", [SWELLING], "yes"),
        ("No, no fever.", "en", [], "no"),
        ("Yes.", "en", [], "yes"),
        ("No.", "en", [], "no"),
        ("I'm not sure about fever.", "en", [], None),
        ("没有发热，但关节肿胀。", "zh", [SWELLING], "no"),
        ("Arthritis, and joint swelling.", "en", [ARTHRITIS, SWELLING], None),
        ("", "en", [], None),
    ],
)
def test_what_a_patient_without_a_director_said_is_heard(
    auditor: Auditor, text: str, language: Language, told: list[str], answer: str | None
) -> None:
    asked = Reading(asked=(thing(FEVER),))
    before = [Turn(number=1, instruction=BACK, patient="…", reading=asked)]
    turn = Turn(number=2, instruction=TELL, patient=text)
    heard = auditor.instruction_for(diagnosis_case(GOUT, language), before, turn)
    assert [each.id for each in heard.tell] == told
    assert [each.answer for each in heard.supplies] == ([answer] if answer else [])


def test_what_a_question_about_a_drug_is_of_is_heard(auditor: Auditor) -> None:
    case = medication_case()
    indication, contraindication = case.facts
    planned = Instruction(intent="ask", attribute="indication", fact=indication.bare())

    def heard(text: str) -> tuple[str | None, str | None]:
        found = auditor.instruction_for(
            case, [], Turn(number=1, instruction=planned, patient=text)
        )
        return None if found.fact is None else found.fact.id, found.attribute

    asks = f"I have {contraindication.name}, can I still take it?"
    assert heard(asks) == (contraindication.id, "contraindication")
    assert heard(f"Does it help against {indication.name}?") == (indication.id, "indication")
    assert heard("Can I take it with milk?") == (None, None)
