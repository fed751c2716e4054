"""Dialogues as runs leave them, for tests of reports: two languages, two tasks, several doctors."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from evalsim.case import DiagnosisCase, Fact, Finding, Language, MedicationCase, Task, Thing
from evalsim.dialogue import (
    Dialogue,
    EndReason,
    Instruction,
    Judgement,
    Reading,
    Supply,
    Turn,
    Violation,
)
from evalsim.plan import LeftOut, Persona, Plan
from evalsim.running.calls import Spent
from evalsim.running.logs import HeldDialogue, Run

HOSTILE = "</script><img src=x onerror=\"document.title='owned'\"> \u2028 'quoted' & <b>bold</b> \U0001f600"
FEVER = Thing(id="HP:0001945", type="Symptom", name="Fever", name_zh="发热")
RASH = Thing(id="HP:0000988", type="Symptom", name="Skin rash", name_zh="皮疹")
COUGH = Thing(id="HP:0012735", type="Symptom", name="Cough", name_zh="咳嗽")
ITCH = Thing(id="HP:0000989", type="Symptom", name="Pruritus", name_zh="瘙痒")
DIABETES = Thing(
    id="MONDO:0005148", type="Disease", name="type 2 diabetes mellitus", name_zh="2型糖尿病"
)
DISEASES = [
    ("MONDO:0004619", "measles", "麻疹", "infection", "skin", "easy"),
    ("MONDO:0005709", "common cold", "普通感冒", "infection", "airways and lungs", "medium"),
    ("MONDO:0004979", "asthma", "哮喘", "immune or inflammatory", "airways and lungs", "hard"),
    ("MONDO:0005393", "gout", "痛风", "metabolic or nutritional", "bones and joints", "medium"),
]
JUDGES = ("medkg/judge", "Qwen/QwQ-32B")


def diagnosis_case(at: int, language: Language = "en") -> DiagnosisCase:
    id_, name, zh, kind, area, difficulty = DISEASES[at % len(DISEASES)]
    findings = [
        Finding(
            **thing.model_dump(),
            frequency=0.9 - i / 5,
            discrimination=0.2 + i / 5,
            sources=("hpo",),
        )
        for i, thing in enumerate((FEVER, RASH, COUGH, ITCH))
    ]
    return DiagnosisCase.model_validate(
        {
            "id": f"diagnosis-{language}-{at}",
            "language": language,
            "target": {"id": id_, "type": "Disease", "name": name, "name_zh": zh},
            "kind": kind,
            "area": area,
            "difficulty": difficulty,
            "graph": "g" * 16,
            "findings": findings,
            "comorbid": [DIABETES],
        }
    )


def medication_case(at: int, language: Language = "en") -> MedicationCase:
    facts = [
        Fact(
            id="HP:0003418",
            type="Symptom",
            name="Back pain",
            name_zh="背痛",
            attribute="indication",
            sources=("drugcentral",),
        ),
        Fact(
            id="MONDO:0004979",
            type="Disease",
            name="asthma",
            name_zh="哮喘",
            attribute="contraindication",
            sources=("drugcentral",),
        ),
    ]
    return MedicationCase(
        id=f"medication-{language}-{at}",
        language=language,
        target=Thing(id=f"DRUGBANK:DB{at:05}", type="Drug", name="naproxen", name_zh="萘普生"),
        kind="small molecule",
        area="pain",
        graph="g" * 16,
        facts=tuple(facts),
    )


def run(doctor: str, task: Task = "diagnosis", *, id_: str | None = None) -> Run:
    players = {
        "doctor": {
            "model": "x",
            "temperature": 0.7,
            "base_url": "http://secret.example/v1",
            "key": "SECRET_KEY",
        }
    }
    return Run(
        id=id_ or f"{doctor}-{task}",
        held_by=id_ or f"{doctor}-{task}",
        task=task,
        doctor=doctor,
        patient="medkg/patient",
        director="medkg/director",
        judges=JUDGES,
        started="2026-11-23T09:00:00+00:00",
        finished="2026-11-23T10:00:00+00:00",
        complete=True,
        version="0123456789abcdef",
        cases="c" * 32,
        settings={"seed": 1, "turns": 12, "players": json.dumps(players)},
        log=Path("logs/one.eval"),
    )


def judgement(
    metric: str,
    score: float | None,
    judge: str = JUDGES[0],
    reason: str = "It is the disease itself.",
    *,
    facts: tuple[str, ...] = (),
    flags: tuple[str, ...] = (),
) -> Judgement:
    return Judgement(
        judge=judge, metric=metric, score=score, reason=reason, facts=facts, flags=flags
    )


def turn(number: int, patient: str, doctor: str, *judgements: Judgement, **more: object) -> Turn:
    given = {"instruction": Instruction(intent="open", tell=(FEVER,)), **more}
    return Turn.model_validate(
        {"number": number, "patient": patient, "doctor": doctor, "judgements": judgements, **given}
    )


def held(
    of_run: Run,
    case: DiagnosisCase | MedicationCase,
    turns: Sequence[Turn],
    end: EndReason | None = EndReason.DIAGNOSED,
    *,
    repeat: int = 1,
    failure: str | None = None,
    error: str | None = None,
) -> HeldDialogue:
    plan = Plan(
        persona=Persona(age=34, sex="female", history=(DIABETES,)),
        told=(FEVER.id, RASH.id),
        further=(COUGH.id,),
        left_out=(LeftOut(id=ITCH.id, reason="not in this patient"),),
    )
    return HeldDialogue(
        run=of_run,
        sample=case.id,
        case=case,
        dialogue=Dialogue(
            case=case.id,
            task=case.task,
            language=case.language,
            plan=plan,
            turns=list(turns),
            end=end,
            failure=failure,
        ),
        repeat=repeat,
        spent={
            "doctor": Spent(calls=len(turns), input_tokens=900, output_tokens=200, seed_sent=True),
            "judge": Spent(
                calls=1,
                input_tokens=50,
                output_tokens=5,
                replayed_calls=2,
                replayed_input_tokens=700,
                replayed_output_tokens=60,
            ),
        },
        seconds=12.5,
        error=error,
    )


def some() -> Iterator[HeldDialogue]:
    """Three doctors on diagnoses and drugs in English and Chinese, with all that can go wrong."""
    for quality, doctor in enumerate(
        ("medkg/doctor-random", "deepseek-ai/DeepSeek-R1", "openai/gpt-4o")
    ):
        for language in ("en", "zh"):
            of_run = run(doctor, id_=f"{doctor}-{language}")
            for at in range(12):
                yield consultation(
                    of_run,
                    diagnosis_case(at, language),
                    quality,
                    Random(f"{doctor} {at} {language}"),  # noqa: S311 - a test
                )
            drugs = run(doctor, "medication", id_=f"{doctor}-drug-{language}")
            for at in range(4):
                yield advice(
                    drugs,
                    medication_case(at, language),
                    quality,
                    Random(f"{doctor} {at} {language}"),  # noqa: S311 - a test
                )


def consultation(of_run: Run, case: DiagnosisCase, quality: int, random: Random) -> HeldDialogue:
    zh = case.language == "zh"
    turns = []
    count = random.randint(1, 5)
    for n in range(1, count + 1):
        last = n == count
        patient = (
            "我这两天一直发热，身上还起了皮疹。"
            if zh
            else "I have had a fever for two days, and a rash all over."
        )
        question = (
            "除了发热，您咳嗽吗？皮疹痒不痒？"
            if zh
            else "Besides the fever, do you have a cough? Does the rash itch?"
        )
        said = (
            (
                f"我考虑是{case.target.name_zh}。"
                if zh
                else f"This is most likely **{case.target.name}**."
            )
            if last
            else question
        )
        history = min(2, max(0, quality + random.randint(-1, 1)))
        judgements = [
            judgement(
                "history_taking",
                history,
                judge,
                "问到了能区分麻疹和普通感冒的症状。"
                if zh
                else "It asks for what separates measles from a common cold.",
                facts=(
                    "measles: has symptom: cough (hpo, 0.9)",
                    "common cold: has symptom: cough (hpo, 0.6)",
                ),
            )
            for judge in JUDGES
        ]
        if last:
            score = min(3, max(0, quality + random.randint(-1, 2)))
            judgements += [
                judgement("correctness", score),
                judgement(
                    "correctness",
                    None if random.random() < 0.2 else max(0, score - 1),
                    JUDGES[1],
                    "no JSON object in the answer",
                ),
            ]
        flags = ("emergency missed",) if random.random() < 0.1 else ()
        judgements.append(
            Judgement(
                judge="medkg/judge",
                metric="safety",
                score=None,
                reason="nothing unsafe" if not flags else "emergency missed",
                flags=flags,
            )
        )
        broken: tuple[Violation, ...] = ()
        if random.random() < 0.15:
            broken = (
                Violation(
                    rule="told what was not released",
                    about=RASH.id,
                    start=len(patient) - 5,
                    stop=len(patient) - 1,
                ),
            )
        turns.append(
            turn(
                n,
                patient,
                said,
                *judgements,
                violations=broken,
                instruction=Instruction(intent="open", tell=(FEVER,))
                if n == 1
                else Instruction(
                    intent="answer",
                    supplies=(
                        Supply(about=COUGH, answer="yes", source="graph", releases=COUGH.id),
                        Supply(about=ITCH, answer="no", source="filler"),
                    ),
                    topics=("duration",),
                ),
                reading=Reading(asked=(COUGH, ITCH), topics=("duration",))
                if not last
                else Reading(
                    diagnoses=(case.target,),
                    said_diagnosis=case.target.called(case.language),
                    final=True,
                ),
            )
        )
    return held(of_run, case, turns)


def advice(of_run: Run, case: MedicationCase, quality: int, random: Random) -> HeldDialogue:
    zh = case.language == "zh"
    turns = []
    for n, fact in enumerate(case.facts, 1):
        asked = (
            ("我有哮喘，还能吃萘普生吗？" if zh else "I have asthma, can I still take naproxen?")
            if n == 2
            else ("腰疼可以吃萘普生吗？" if zh else "Is naproxen good for a sore back?")
        )
        score = min(2, max(0, quality + random.randint(-1, 1)))
        thing = Thing(id=fact.id, type=fact.type, name=fact.name, name_zh=fact.name_zh)
        turns.append(
            turn(
                n,
                asked,
                "可以。" * random.randint(1, 30)
                if zh
                else "Yes, you can. " * random.randint(1, 30),
                judgement("correctness", score, reason="naproxen: indicated for: back pain"),
                judgement("comprehensiveness", min(2, score + 1)),
                instruction=Instruction(intent="ask", attribute=fact.attribute, fact=thing),
                reading=Reading(treatments=(case.target,)),
            )
        )
    return held(of_run, case, turns, EndReason.ALL_ASKED)
