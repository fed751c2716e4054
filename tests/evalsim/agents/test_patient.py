"""What medkg's own patient says."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import kg
from evalsim.agents.patient import population_of, speak, speak_undirected
from evalsim.briefs import SpeakBrief, UndirectedBrief
from evalsim.case import Language, Thing
from evalsim.dialogue import Instruction, Supply, Turn
from evalsim.plan import Persona
from kg.stores.store import Store
from tests.evalsim.clinic import diagnosis_case

SWELLING = Thing(
    id="HP:0001386",
    type="Symptom",
    name="Joint swelling",
    name_zh="关节肿胀",
    words=("swollen joints",),
)
FEVER = Thing(id="HP:0001945", type="Symptom", name="Fever", name_zh="发热")
TERSE = Persona(age=58, sex="male", style="terse")


@pytest.fixture(scope="module")
def store(clinic: Path) -> Iterator[Store]:
    with kg.connect(str(clinic)) as opened:
        yield opened


def said(
    instruction: Instruction,
    persona: Persona = TERSE,
    language: Language = "en",
    *,
    turns: tuple[Turn, ...] = (),
    drug: str | None = None,
    seed: int = 1,
    **more: object,
) -> str:
    brief = SpeakBrief.model_validate(
        {
            "language": language,
            "task": "medication" if drug else "diagnosis",
            "persona": persona,
            "instruction": instruction,
            "turns": turns,
            "drug": drug,
            "seed": seed,
            **more,
        }
    )
    assert speak(brief) == speak(brief)
    return speak(brief)


def supply(thing: Thing, answer: str) -> Supply:
    return Supply.model_validate({"about": thing, "answer": answer, "source": "graph"})


@pytest.mark.parametrize(
    ("instruction", "language", "words"),
    [
        (Instruction(intent="open", tell=(SWELLING,)), "en", "swollen joints"),
        (Instruction(intent="tell", tell=(FEVER,)), "en", "fever"),
        (Instruction(intent="tell", tell=(FEVER,)), "zh", "发热"),
        (Instruction(intent="answer", supplies=(supply(FEVER, "no"),)), "en", "No fever."),
        (Instruction(intent="answer", supplies=(supply(FEVER, "no"),)), "zh", "没有发热。"),
        (Instruction(intent="answer", supplies=(supply(FEVER, "yes"),)), "en", "Yes, a fever."),
        (Instruction(intent="answer", supplies=(supply(FEVER, "yes"),)), "zh", "对，发热。"),
        (
            Instruction(intent="answer", topics=("age", "sex")),
            "en",
            "I am 58 years old. I am male.",
        ),
        (Instruction(intent="answer", topics=("age",)), "zh", "我58岁。"),
        (
            Instruction(intent="answer", topics=("history",)),
            "en",
            "No other conditions that I know of.",
        ),
    ],
)
def test_patient_says_what_it_is_told_to_in_everyday_words(
    instruction: Instruction, language: Language, words: str
) -> None:
    assert words in said(instruction, language=language)


@pytest.mark.parametrize("intent", ["ask back", "ask for a diagnosis"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_patient_who_asks_tells_nothing(intent: str, language: Language) -> None:
    line = said(Instruction.model_validate({"intent": intent}), language=language)
    assert line[-1] in "?？" or "." in line
    assert "fever" not in line


@pytest.mark.parametrize(
    ("persona", "language", "words"),
    [
        (Persona(age=0.5, sex="male", speaker="mother"), "en", "y son has "),
        (Persona(age=6, sex="female", speaker="father"), "en", "y daughter has "),
        (Persona(age=60, sex="female", speaker="spouse"), "en", "y wife has "),
        (Persona(age=0.5, sex="male", speaker="mother"), "zh", "孩子"),
    ],
)
def test_caregiver_speaks_of_the_patient(persona: Persona, language: Language, words: str) -> None:
    assert words in said(Instruction(intent="open", tell=(FEVER,)), persona, language)


@pytest.mark.parametrize(
    ("attribute", "fact", "language", "line"),
    [
        ("contraindication", "hypertension", "en", "hypertension"),
        ("contraindication", "Pregnant women", "en", "pregnant"),
        ("interaction", "Warfarin", "en", "warfarin"),
        ("contraindication", "儿童", "zh", "小孩"),
    ],
)
def test_question_about_a_drug_names_what_the_patient_has_and_not_the_rule(
    attribute: str, fact: str, language: Language, line: str
) -> None:
    thing = Thing(id="X:1", type="Disease", name=fact, name_zh=fact)
    ask = Instruction.model_validate({"intent": "ask", "attribute": attribute, "fact": thing})
    text = said(ask, language=language, drug="Ibuprofen")
    assert line in text
    assert "Ibuprofen" in text
    assert "contraindic" not in text


def test_options_withhold_and_make_up_where_they_are_chosen_only() -> None:
    answer = Instruction(intent="answer", supplies=(supply(FEVER, "yes"),))
    plain = {said(answer, seed=seed) for seed in range(10)}
    assert all("ever" in line for line in plain)
    withheld = {said(answer, seed=seed, manner=("withholding",)) for seed in range(10)}
    assert any("fever" not in line.lower() for line in withheld)
    made_up = [said(answer, seed=seed, manner=("fabricating",)) for seed in range(10)]
    assert any(len(line) > max(map(len, plain)) for line in made_up)


def test_undirected_patient_tells_of_the_case_as_it_is(store: Store) -> None:
    case = diagnosis_case("MONDO:0005393")
    brief = UndirectedBrief(
        language="en", task="diagnosis", case=case, persona=TERSE, turns=(), seed=2
    )
    line = speak_undirected(store, brief)
    assert line == speak_undirected(store, brief)
    assert any(finding.name.lower() in line.lower() for finding in case.findings)


@pytest.mark.parametrize(
    ("name", "who"),
    [
        ("Pregnant women", "pregnant"),
        ("哺乳期妇女", "breastfeeding"),
        ("Gout", None),
        ("老年人", "old"),
    ],
)
def test_population_is_told_by_its_name(name: str, who: str | None) -> None:
    assert population_of(name) == who
