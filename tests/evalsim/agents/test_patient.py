"""What medkg's own patient says."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import kg
from evalsim.agents.patient import population_of, speak, speak_undirected
from evalsim.briefs import SpeakBrief, UndirectedBrief
from evalsim.case import Language, Thing
from evalsim.dialogue import Instruction, Reading, Supply, Turn
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


@pytest.mark.parametrize(("language", "unknown"), [("en", "fever"), ("zh", "发热")])
def test_a_disease_that_the_doctor_names_is_not_named_by_the_patient(
    language: Language, unknown: str
) -> None:
    gout = Thing(id="MONDO:0005393", type="Disease", name="gout", name_zh="痛风")
    supplies = (supply(gout, "not known"), supply(FEVER, "not known"))
    for seed in range(9):
        words = said(Instruction(intent="answer", supplies=supplies), language=language, seed=seed)
        assert unknown in words
        assert not re.search("gout|痛风", words)
        assert re.search("As for that|That I can't|您(说|提到)的这个", words)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("itchy", "I am itchy"),
        ("itchy skin", "I have itchy skin"),
        ("tired all the time", "I am tired all the time"),
        ("very thirsty", "I am very thirsty"),
        ("depressed mood", "I have depressed mood"),
        ("dizzy spells", "I have dizzy spells"),
        ("too much calcium in the kidneys", "I have too much calcium in the kidneys"),
        ("swollen joints", "I have swollen joints"),
        ("swollen knee", "I have a swollen knee"),
        ("seizure disorder", "I have a seizure disorder"),
        ("lump in the neck", "I have a lump in the neck"),
        ("obstruction in digestive tract", "I have an obstruction in digestive tract"),
        ("urachal cyst", "I have a urachal cyst"),
        ("feeling cold", "I have been feeling cold"),
        ("wide big toe", "I have a wide big toe"),
        ("hunched back", "I have a hunched back"),
        ("numbness of the face", "I have numbness of the face"),
        ("large head circumference", "I have a large head circumference"),
        ("睡眠障碍", "有睡眠障碍"),
        ("肉芽肿", "有肉芽肿"),
        ("尿道烧灼感", "有尿道烧灼感"),
        ("发作性共济失调", "有发作性共济失调"),
        ("脸肿", "(?<!有)脸肿"),
        ("尿频", "(?<!有)尿频"),
        ("头晕", "(?<!有)头晕"),
        ("没胃口", "(?<!有)没胃口"),
        ("上不来气", "(?<!有)上不来气"),
        ("月经量多", "(?<!有)月经量多"),
    ],
)
def test_words_have_the_verb_and_the_article_that_they_take(words: str, sentence: str) -> None:
    finding = Thing(id="HP:1", type="Symptom", name="Finding", words=(words,))
    language: Language = "en" if words.isascii() else "zh"
    told = Instruction(intent="open", tell=(finding,))
    lines = {said(told, language=language, seed=seed) for seed in range(9)}
    assert all(re.search(f"{sentence}[.,，。]", line) for line in lines), lines


def test_words_that_deny_something_are_not_denied_once_more() -> None:
    finding = Thing(id="HP:1", type="Symptom", name="Anorexia", name_zh="厌食", words=("没胃口",))
    asked = Instruction(intent="answer", supplies=(supply(finding, "no"),))
    assert said(asked, language="zh") == "没有厌食。"


def test_findings_that_take_verbs_of_their_own_are_clauses_of_their_own() -> None:
    words = ("low fever", "tired", "losing weight", "cough")
    findings = [
        Thing(id=f"HP:{n}", type="Symptom", name="Finding", words=(each,))
        for n, each in enumerate(words)
    ]
    line = said(Instruction(intent="open", tell=tuple(findings)))
    assert "I have a low fever and a cough, and I am tired, and I have been losing weight" in line


@pytest.mark.parametrize(
    ("language", "told"), [("en", "I am female. I am pregnant."), ("zh", "我是女的。我怀孕了。")]
)
def test_a_pregnant_woman_who_is_asked_who_she_is_says_so(language: Language, told: str) -> None:
    her = Persona(age=31, sex="female", style="terse", pregnant=True)
    asked = Instruction(intent="answer", topics=("age", "sex"))
    assert said(asked, language=language, persona=her).endswith(told)


@pytest.mark.parametrize(
    ("name", "name_zh", "language"),
    [("Coma", "昏迷", "en"), ("Coma", "昏迷", "zh"), ("Hepatic coma", None, "en")],
)
@pytest.mark.parametrize("attribute", ["indication", "contraindication", "precaution"])
def test_nobody_in_a_coma_asks(
    name: str, name_zh: str | None, language: Language, attribute: str
) -> None:
    fact = Thing(id="HP:1", type="Symptom", name=name, name_zh=name_zh)
    asked = Instruction.model_validate({"intent": "ask", "attribute": attribute, "fact": fact})
    for seed in range(9):
        line = said(asked, language=language, drug="X", seed=seed)
        assert not re.search("I have|I am|我有|要是有|^有", line)


@pytest.mark.parametrize("intent", ["ask back", "ask for a diagnosis"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_patient_who_asks_tells_nothing(intent: str, language: Language) -> None:
    told = Instruction(intent="tell", tell=(FEVER,))
    turns = (Turn(number=1, instruction=told, patient="I have a fever. 我发热。"),)
    for seed in range(8):
        line = said(
            Instruction.model_validate({"intent": intent}),
            language=language,
            turns=turns,
            seed=seed,
        )
        assert not re.search("fever|发热", line)
        assert intent == "ask back" or re.search("[?？]", line)


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


@pytest.mark.parametrize(
    ("instruction", "language", "words"),
    [
        (
            Instruction(intent="answer", withheld=(FEVER,)),
            "en",
            r"rather not|don't really|leave|No, n",
        ),
        (Instruction(intent="answer", withheld=(FEVER,)), "zh", "不想说|不太方便|不谈|没有"),
        (Instruction(intent="tell", tell=(SWELLING,), fabricated=(FEVER,)), "en", "fever"),
        (Instruction(intent="tell", vague=True), "en", r"not right|bit of everything|like myself"),
        (Instruction(intent="tell", vague=True), "zh", "不对劲|不太舒服|不得劲"),
        (Instruction(intent="answer", topics=("place",), vague=True), "en", "couldn't|comes and"),
    ],
)
def test_what_a_patient_does_on_purpose_is_said_as_such(
    instruction: Instruction, language: Language, words: str
) -> None:
    line = said(instruction, language=language)
    assert re.search(words, line)
    assert ("fever" in line.lower()) is bool(instruction.fabricated)


@pytest.mark.parametrize(
    ("topic", "persona", "language", "line"),
    [
        ("sex", TERSE, "zh", "我是男的。"),
        ("medicines", TERSE, "en", "No medicines at the moment."),
        ("allergies", TERSE, "en", "No allergies that I know of."),
        ("smoking", TERSE, "zh", "我不抽烟。"),
        ("smoking", Persona(age=3, sex="male", speaker="mother"), "en", "No, of course not."),
        (
            "alcohol",
            Persona(age=60, sex="male", speaker="spouse"),
            "en",
            "No, my husband does not drink.",
        ),
        ("occupation", Persona(age=80, sex="male"), "zh", "我退休了。"),
        ("pregnancy", TERSE, "en", "No."),
        ("pregnancy", Persona(age=30, sex="female", pregnant=True), "en", "Yes, I am pregnant."),
        ("pregnancy", Persona(age=30, sex="female"), "zh", "没有怀孕，据我所知。"),
    ],
)
def test_topic_is_answered_as_the_persona_is(
    topic: str, persona: Persona, language: Language, line: str
) -> None:
    asked = Instruction.model_validate({"intent": "answer", "topics": (topic,)})
    assert said(asked, persona, language) == line


def test_what_a_test_showed_is_not_said_to_be_felt() -> None:
    line = said(
        Instruction(intent="answer", supplies=(supply(SWELLING, "yes"),), tested=(SWELLING.id,))
    )
    assert re.search(r"examin.* swollen joints", line)
    assert "I have" not in line


def test_undirected_patient_tells_of_the_case_as_it_is(store: Store) -> None:
    case = diagnosis_case("MONDO:0005393")
    brief = UndirectedBrief(
        language="en", task="diagnosis", case=case, persona=TERSE, turns=(), seed=2
    )
    line = speak_undirected(store, brief)
    assert line == speak_undirected(store, brief)
    assert any(finding.name.lower() in line.lower() for finding in case.findings)
    asked = Turn(
        number=1,
        instruction=Instruction(intent="open"),
        patient=line,
        doctor="How old are you?",
        reading=Reading(topics=("age",)),
    )
    again = speak_undirected(store, brief.model_copy(update={"turns": (asked,)}))
    assert "58 years" in again


@pytest.mark.parametrize(
    ("name", "who"),
    [
        ("Pregnant women", "pregnant"),
        ("哺乳期妇女", "breastfeeding"),
        ("Gout", None),
        ("老年人", "old"),
        ("Children under 12 years", "child"),
        ("Women of childbearing potential", None),
        ("Severe hepatic impairment (Child-Pugh C)", None),
        ("Unmanaged hypertension", None),
        ("Damaged skin", None),
        ("Nursing home resident", None),
        ("Nursing mothers", "breastfeeding"),
        ("不孕症", None),
        ("孕妇", "pregnant"),
        ("Pregnant women with rheumatoid arthritis", None),
        ("妊娠合并高血压", None),
    ],
)
def test_population_is_told_by_its_name(name: str, who: str | None) -> None:
    assert population_of(name) == who
