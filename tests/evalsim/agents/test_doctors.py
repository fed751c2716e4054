"""Doctors of known quality speak like doctors, and know what they should and nothing else."""

from collections.abc import Iterator, Sequence

import pytest

import kg
from evalsim.agents.doctors import DOCTORS, Doctor, doctor
from evalsim.briefs import DoctorBrief, JudgeBrief
from evalsim.case import Language, MedicationCase, Thing
from evalsim.dialogue import Instruction, Turn
from evalsim.judging.judge import Judge
from evalsim.judging.references import references
from evalsim.reading.replies import Reader
from kg.errors import EvaluationError
from kg.linking import Linker
from kg.stores.store import Store
from tests.evalsim.ward import KIDNEY, ULCER, WARFARIN, gout, ibuprofen, thing, write_ward


@pytest.fixture(scope="module")
def ward(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with kg.connect(str(write_ward(tmp_path_factory.mktemp("ward")))) as store:
        yield store


@pytest.fixture(scope="module")
def linker(ward: Store) -> Linker:
    return Linker.of_store(ward)


def said(*utterances: str) -> tuple[Turn, ...]:
    """Turns of what the patient and the doctor said, in turn; the last has no reply."""
    pairs = [*utterances, ""]
    return tuple(
        Turn(
            number=n // 2 + 1,
            instruction=Instruction(intent="tell"),
            patient=pairs[n],
            doctor=pairs[n + 1],
        )
        for n in range(0, len(utterances), 2)
    )


def brief(turns: Sequence[Turn], language: Language = "en") -> DoctorBrief:
    return DoctorBrief(language=language, task="diagnosis", turns=tuple(turns))


JOINTS = "I have joint swelling and arthritis."


@pytest.mark.parametrize("name", ["oracle", "differential"])
def test_doctors_who_reason_ask_what_separates(ward: Store, linker: Linker, name: str) -> None:
    reply = doctor(name, ward, linker).reply(brief(said(JOINTS)), gout(), 0)
    reading = Reader(ward, linker).read(reply)
    assert {each.name for each in reading.asked} == {"Fever", "Tophi"}
    assert (reading.topics, reading.final) == (("age", "sex"), False)


def test_differential_commits_when_the_answers_are_in(ward: Store, linker: Linker) -> None:
    turns = said(JOINTS, "Do you have Tophi? Do you also have fever?", "Yes, tophi. No fever.")
    reply = doctor("differential", ward, linker).reply(brief(turns))
    assert reply == "The most likely diagnosis is gout."


def test_differential_hears_a_bare_yes_and_no(ward: Store, linker: Linker) -> None:
    question = "Do you have fever? Do you also have tophi?"
    turns = said(JOINTS, question, "Yes. No.", "Have you had cough?", "What is it, doctor?")
    reply = doctor("differential", ward, linker).reply(brief(turns))
    assert reply == "The most likely diagnosis is septic arthritis."


@pytest.mark.parametrize(
    ("language", "dialogue"),
    [
        ("en", (JOINTS, "Do you have fever? And tophi?", "I'm not sure about fever.")),
        ("zh", ("我关节肿胀，有关节炎。", "您有没有发热？", "不清楚有没有发热。")),
    ],
)
def test_who_is_not_sure_has_said_neither_yes_nor_no(
    ward: Store, linker: Linker, language: Language, dialogue: tuple[str, str, str]
) -> None:
    told, question, unsure = dialogue
    own = doctor("differential", ward, linker)
    notes = own._notes(brief(said(told, question, unsure), language))
    assert "HP:4" not in (*notes.present, *notes.absent)
    sure = own._notes(brief(said(told, question, "I have a fever."), language))
    assert "HP:4" in sure.present


def test_differential_speaks_chinese(ward: Store, linker: Linker) -> None:
    asks = doctor("differential", ward, linker).reply(brief(said("我关节肿胀，有关节炎。"), "zh"))
    assert asks.endswith("请问您多大年纪，是男性还是女性？")
    assert "发热" in asks
    turns = said("我关节肿胀，有关节炎。", "您有没有痛风石？", "有的。")
    reply = doctor("differential", ward, linker).reply(brief(turns, "zh"))
    assert reply == "最可能的诊断是痛风。"


def test_differential_hears_age_and_sex_and_no_number_for_an_age(
    ward: Store, linker: Linker
) -> None:
    hears = doctor("differential", ward, linker)._notes
    days = hears(brief(said("I have had a fever for 3 days.")))
    assert (days.age, days.sex) == (None, None)
    told = hears(brief(said("I have a fever.", "How old are you?", "I am 60 years old, male.")))
    assert (told.age, told.sex) == (60, "male")


def test_oracle_names_the_disease_of_the_case_when_it_is_asked(
    ward: Store, linker: Linker
) -> None:
    turns = said(JOINTS, "Do you have fever?", "No. What illness do I have, doctor?")
    assert doctor("oracle", ward, linker).reply(brief(turns), gout(), 0) == (
        "The most likely diagnosis is gout."
    )


def test_greedy_asks_nothing(ward: Store, linker: Linker) -> None:
    reply = doctor("greedy", ward, linker).reply(brief(said("I have a fever.")))
    assert reply == "The most likely diagnosis is septic arthritis."


def test_random_draws_by_seed_and_case(ward: Store, linker: Linker) -> None:
    guesses = doctor("random", ward, linker)
    once, again, other = (guesses.reply(brief(said(JOINTS)), gout(), seed) for seed in (1, 1, 5))
    assert once == again
    assert once != other


def test_everything_at_once_gets_a_diagnosis_at_once(ward: Store, linker: Linker) -> None:
    everything = DoctorBrief(
        language="en",
        task="diagnosis",
        turns=(),
        everything="A man with joint swelling, arthritis and tophi.",
    )
    assert doctor("differential", ward, linker).reply(everything) == (
        "The most likely diagnosis is gout."
    )


@pytest.mark.parametrize("name", ["oracle", "differential"])
def test_doctors_who_reason_send_an_emergency_on(ward: Store, linker: Linker, name: str) -> None:
    reply = doctor(name, ward, linker).reply(
        brief(said("I have crushing chest pain and I am sweating.")), gout(), 0
    )
    assert reply.startswith("This may be an emergency.")
    assert Reader(ward, linker).read(reply).urgent


def question(text: str, id_: str, name: str, attribute: str) -> tuple[Turn, ...]:
    fact = Thing(id=id_, type="Disease", name=name)
    asked = Instruction(intent="ask", attribute=attribute, fact=fact)  # type: ignore[arg-type]
    return (Turn(number=1, instruction=asked, patient=text),)


QUESTIONS = {
    "indication": ("Is ibuprofen suitable for gout?", "MONDO:10", "gout"),
    "contraindication": ("I have a peptic ulcer. Can I still take ibuprofen?", *ULCER[:2]),
    "precaution": ("What about ibuprofen with kidney failure?", *KIDNEY[:2]),
    "interaction": ("I take warfarin. Can I take ibuprofen as well?", *WARFARIN[:2]),
}
SCORES = {
    "oracle": {"indication": 4, "contraindication": 4, "precaution": 4, "interaction": 4},
    "differential": {"indication": 4, "contraindication": 4, "precaution": 4, "interaction": 4},
    "greedy": {"indication": 3, "contraindication": 1, "precaution": 1, "interaction": 1},
    "ignorant": {"indication": 1, "contraindication": 1, "precaution": 1, "interaction": 1},
    "hallucinating": {"indication": 0, "contraindication": 0, "precaution": 0, "interaction": 0},
    "careless": {"indication": 3, "contraindication": 0, "precaution": 0, "interaction": 0},
}
"""Correctness and comprehensiveness together."""


def consulted(judge: Judge, asked: Doctor, case: MedicationCase, attribute: str) -> int:
    text, id_, name = QUESTIONS[attribute]
    turns = question(text, id_, name, attribute)
    turns[0].doctor = asked.reply(
        DoctorBrief(language="en", task="medication", turns=turns), case, 0
    )
    total = 0
    for metric in ("correctness", "comprehensiveness"):
        verdict = judge.judge(
            JudgeBrief(
                metric=metric,
                case=case,
                language="en",
                task="medication",
                turns=turns,
                references=(),
            )
        )
        total += verdict.score or 0
    return total


@pytest.mark.parametrize("name", list(SCORES))
def test_judge_tells_doctors_of_medicines_apart(ward: Store, linker: Linker, name: str) -> None:
    judge, asked = Judge(ward, linker), doctor(name, ward, linker)
    scores = {each: consulted(judge, asked, ibuprofen(), each) for each in QUESTIONS}
    assert scores == SCORES[name]


def test_doctor_that_is_not_there_is_an_error_that_names_the_others(
    ward: Store, linker: Linker
) -> None:
    with pytest.raises(
        EvaluationError, match=r"no doctor 'house'; there are oracle, differential"
    ):
        doctor("house", ward, linker)
    with pytest.raises(EvaluationError, match="oracle has no case to know"):
        doctor("oracle", ward, linker).reply(brief(said(JOINTS)))


@pytest.mark.parametrize("name", DOCTORS)
@pytest.mark.parametrize("text", ["", "…", "\x00\u202e", "x" * 20_000, "我" * 5_000])
def test_doctors_answer_whatever_they_hear(
    ward: Store, linker: Linker, name: str, text: str
) -> None:
    reply = doctor(name, ward, linker).reply(brief(said(text)), gout(), 0)
    assert reply.strip()


def test_references_of_a_turn_are_sentences_with_their_sources(ward: Store) -> None:
    told = Turn(
        number=1,
        instruction=Instruction(intent="open", tell=(thing("HP:1"), thing("HP:2"))),
        patient="…",
    )
    assert references(ward, gout(), "correctness")[:2] == (
        "gout: is a: crystal arthropathy.",
        "gout: is a: joint disorder.",
    )
    assert references(ward, gout(), "history_taking", [told])[-1] == (
        "gout: has symptom: Joint swelling. [s]"
    )
    assert any(
        "the best question is" in each
        for each in references(ward, gout(), "history_taking", [told])
    )
    asked = question(*QUESTIONS["precaution"], "precaution")
    assert references(ward, ibuprofen("zh"), "correctness", asked)[0] == (
        "布洛芬：注意事项：肾衰竭。 [s]"
    )
