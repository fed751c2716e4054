"""The situations in which the labelled turns were said: a case, what was told, what is to be said now."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from evalsim.case import DiagnosisCase, Fact, Finding, Language, MedicationCase, Thing
from evalsim.dialogue import Dialogue, Instruction, Supply, Turn
from evalsim.plan import Persona, Plan

_NAMES: Final[Mapping[str, tuple[str, str, tuple[str, ...], tuple[str, ...]]]] = {
    # id: name, Chinese name, everyday words, Chinese everyday words
    "HP:0002829": ("Arthralgia", "关节痛", ("joint pain",), ("关节疼",)),
    "HP:0001386": ("Joint swelling", "关节肿胀", ("swollen joints",), ("关节肿",)),
    "HP:0010783": ("Erythema", "红斑", ("redness of the skin",), ("皮肤发红",)),
    "HP:0001945": ("Fever", "发热", ("fever",), ("发烧",)),
    "HP:0000103": ("Polyuria", "多尿", ("peeing a lot",), ("小便多",)),
    "HP:0001959": ("Polydipsia", "多饮", ("excessive thirst",), ("口渴",)),
    "HP:0001824": ("Weight loss", "体重减轻", ("weight loss",), ("变瘦",)),
    "HP:0000622": ("Blurred vision", "视物模糊", ("blurred vision",), ("看不清",)),
    "HP:0030828": ("Wheezing", "喘息", ("wheezing",), ("喘鸣",)),
    "HP:0002094": ("Dyspnea", "呼吸困难", ("trouble breathing",), ("喘不上气",)),
    "HP:0012735": ("Cough", "咳嗽", ("cough",), ("咳嗽",)),
    "HP:0031352": ("Chest tightness", "胸闷", ("chest tightness",), ("胸闷",)),
    "HP:0100749": ("Chest pain", "胸痛", ("chest pain",), ("胸痛",)),
    "HP:0002027": ("Abdominal pain", "腹痛", ("tummy ache",), ("肚子疼",)),
    "HP:0002018": ("Nausea", "恶心", ("nausea",), ("恶心",)),
    "HP:0002013": ("Vomiting", "呕吐", ("throwing up",), ("呕吐",)),
    "HP:0030166": ("Night sweats", "盗汗", ("night sweats",), ("盗汗",)),
    "HP:0002105": ("Hemoptysis", "咯血", ("coughing up blood",), ("咳血",)),
}
_TARGETS: Final[Mapping[str, tuple[str, str, str, tuple[str, ...], str]]] = {
    # case: id, name, Chinese name, synonyms, CUI
    "gout": ("MONDO:0005393", "gout", "痛风", ("gouty arthritis", "痛风性关节炎"), "C0018099"),
    "diabetes": (
        "MONDO:0005148",
        "type 2 diabetes mellitus",
        "2型糖尿病",
        ("type 2 diabetes", "T2DM", "diabetes mellitus type 2", "二型糖尿病"),
        "C0011860",
    ),
    "asthma": ("MONDO:0004979", "asthma", "哮喘", ("bronchial asthma", "支气管哮喘"), "C0004096"),
    "appendicitis": ("MONDO:0005649", "appendicitis", "阑尾炎", (), "C0003615"),
    "tuberculosis": (
        "MONDO:0006052",
        "pulmonary tuberculosis",
        "肺结核",
        ("tuberculosis of the lung", "pulmonary TB", "TB"),
        "C0041327",
    ),
}
_FINDINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "gout": ("HP:0002829", "HP:0001386", "HP:0010783", "HP:0001945"),
    "diabetes": ("HP:0000103", "HP:0001959", "HP:0001824", "HP:0000622"),
    "asthma": ("HP:0030828", "HP:0002094", "HP:0012735", "HP:0031352"),
    "appendicitis": ("HP:0002027", "HP:0002018", "HP:0002013", "HP:0001945"),
    "tuberculosis": ("HP:0012735", "HP:0030166", "HP:0002105", "HP:0001824"),
}
_HYPERTENSION: Final = Thing(
    id="MONDO:0005044",
    type="Disease",
    name="hypertensive disorder",
    name_zh="高血压",
    words=("high blood pressure",),
)


@dataclass(frozen=True)
class Situation:
    """Where in a dialogue a patient speaks."""

    case: DiagnosisCase | MedicationCase
    dialogue: Dialogue
    instruction: Instruction


def situation(name: str, language: Language) -> Situation:
    """The situation of a name in ``turns.tsv``."""
    topic = name.split(maxsplit=1)[0]
    case = _metformin(language) if topic == "metformin" else _case(topic, language)
    persona, before, instruction = _SITUATIONS[name]
    plan = Plan(
        told=tuple(f.id for f in case.findings) if isinstance(case, DiagnosisCase) else (),
        persona=persona,
        questions=()
        if isinstance(case, DiagnosisCase)
        else (("contraindication", "MONDO:0001106"),),
    )
    tell = tuple(_thing(id_, language) for id_ in before)
    turns = [Turn(number=1, instruction=Instruction(intent="open", tell=tell), patient="…")]
    dialogue = Dialogue(
        case=case.id,
        task=case.task,
        language=language,
        plan=plan,
        turns=turns if before else [],
    )
    now = instruction.model_copy(
        update={
            "tell": tuple(_thing(t.id, language) for t in instruction.tell),
            "supplies": tuple(
                s.model_copy(update={"about": _thing(s.about.id, language)})
                for s in instruction.supplies
            ),
        }
    )
    return Situation(case, dialogue, now)


def _thing(id_: str, language: Language) -> Thing:
    name, name_zh, words, words_zh = _NAMES[id_]
    return Thing(
        id=id_,
        type="Symptom",
        name=name,
        name_zh=name_zh,
        words=words if language == "en" else words_zh,
    )


def _case(topic: str, language: Language) -> DiagnosisCase:
    id_, name, name_zh, synonyms, cui = _TARGETS[topic]
    return DiagnosisCase(
        id=f"{topic}-{language}",
        language=language,
        target=Thing(id=id_, type="Disease", name=name, name_zh=name_zh),
        synonyms=synonyms,
        cuis=(cui,),
        findings=tuple(Finding(**_thing(f, language).model_dump()) for f in _FINDINGS[topic]),
    )


def _metformin(language: Language) -> MedicationCase:
    def fact(id_: str, type_: str, name: str, name_zh: str, attribute: str) -> Fact:
        return Fact.model_validate(
            {"id": id_, "type": type_, "name": name, "name_zh": name_zh, "attribute": attribute}
        )

    return MedicationCase(
        id=f"metformin-{language}",
        language=language,
        target=Thing(id="DRUGBANK:DB00331", type="Drug", name="Metformin", name_zh="二甲双胍"),
        facts=(
            fact(
                "MONDO:0005148", "Disease", "type 2 diabetes mellitus", "2型糖尿病", "indication"
            ),
            _KIDNEY,
            fact("MONDO:0002046", "Disease", "alcohol abuse", "酒精滥用", "precaution"),
            fact("DRUGBANK:DB00501", "Drug", "Cimetidine", "西咪替丁", "interaction"),
        ),
    )


def _tell(*ids: str) -> tuple[Thing, ...]:
    return tuple(_thing(id_, "en") for id_ in ids)


def _supply(id_: str, answer: str) -> Supply:
    return Supply.model_validate(
        {
            "about": _thing(id_, "en"),
            "answer": answer,
            "source": "graph" if answer == "yes" else "filler",
            "releases": id_ if answer == "yes" else None,
        }
    )


_KIDNEY: Final = Fact(
    id="MONDO:0001106",
    type="Disease",
    name="kidney failure",
    name_zh="肾衰竭",
    attribute="contraindication",
)
_MAN: Final = Persona(age=58, sex="male")
_WOMAN: Final = Persona(age=52, sex="female", history=(_HYPERTENSION,))
_SITUATIONS: Final[Mapping[str, tuple[Persona, tuple[str, ...], Instruction]]] = {
    "gout opens": (_MAN, (), Instruction(intent="open", tell=_tell("HP:0002829"))),
    "gout answers": (
        _MAN,
        ("HP:0002829",),
        Instruction(
            intent="answer",
            supplies=(_supply("HP:0001945", "no"), _supply("HP:0001386", "yes")),
        ),
    ),
    "gout asks back": (_MAN, ("HP:0002829", "HP:0001386"), Instruction(intent="ask back")),
    "diabetes tells": (
        _WOMAN,
        ("HP:0000103",),
        Instruction(intent="tell", tell=_tell("HP:0001959")),
    ),
    "diabetes persona": (
        _WOMAN,
        ("HP:0000103",),
        Instruction(intent="answer", topics=("age", "history")),
    ),
    "asthma answers": (
        _MAN,
        ("HP:0030828", "HP:0002094"),
        Instruction(
            intent="answer",
            supplies=(_supply("HP:0100749", "no"), _supply("HP:0012735", "yes")),
        ),
    ),
    "asthma asks for a diagnosis": (
        _MAN,
        _FINDINGS["asthma"],
        Instruction(intent="ask for a diagnosis"),
    ),
    "appendicitis opens": (
        Persona(age=8, sex="male", speaker="mother"),
        (),
        Instruction(intent="open", tell=_tell("HP:0002027")),
    ),
    "tuberculosis tells": (
        _MAN,
        ("HP:0012735",),
        Instruction(intent="tell", tell=_tell("HP:0030166")),
    ),
    "metformin asks": (
        Persona(age=60, sex="female"),
        (),
        Instruction(intent="ask", attribute="contraindication", fact=_KIDNEY),
    ),
}
