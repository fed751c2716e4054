"""Dialogues as logs give them back: two runs on one case in English, and one in Chinese."""

from pathlib import Path

from evalsim.case import DiagnosisCase, Fact, Finding, MedicationCase, Thing
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
from evalsim.plan import Persona, Plan
from evalsim.running.logs import HeldDialogue, Run

GOUT = Thing(id="MONDO:0005393", type="Disease", name="gout", name_zh="痛风")
PAIN = Finding(id="HP:0002829", type="Symptom", name="Arthralgia", name_zh="关节痛")
SWELLING = Finding(id="HP:0001386", type="Symptom", name="Joint swelling", name_zh="关节肿胀")
URATE = Finding(id="HP:0002149", type="Symptom", name="Hyperuricemia", name_zh="高尿酸血症")
FEVER = Thing(id="HP:0001945", type="Symptom", name="Fever", name_zh="发热")
ASTHMA = Fact(
    id="MONDO:0004979", type="Disease", name="asthma", name_zh="哮喘", attribute="contraindication"
)


def a_run(name: str, **changed: object) -> Run:
    """A run of two judges, finished unless it is said otherwise."""
    whole: dict[str, object] = {
        "id": name,
        "task": "diagnosis",
        "doctor": f"doctor of {name}",
        "patient": "medkg/patient",
        "director": "medkg/director",
        "judges": ("medkg/judge",),
        "started": "2026-11-23T14:30:00+01:00",
        "finished": "2026-11-23T13:31:00+00:00",
        "complete": True,
        "version": "v",
        "cases": "c",
        "settings": {"seed": 7, "cases_checksum": "c"},
        "log": Path(f"{name}.eval"),
    }
    whole["held_by"] = changed.get("id", whole["id"])
    return Run(**{**whole, **changed})  # type: ignore[arg-type]  # of a mapping


def a_case(**changed: object) -> DiagnosisCase:
    """Gout, in a patient with pain and swelling of joints."""
    whole: dict[str, object] = {
        "id": "gout-en",
        "language": "en",
        "target": GOUT,
        "area": "joints",
        "kind": "metabolic",
        "difficulty": "easy",
        "graph": "sum",
        "findings": (PAIN, SWELLING, URATE),
    }
    return DiagnosisCase.model_validate({**whole, **changed})


def judgement(score: float | None, metric: str = "correctness", **more: object) -> Judgement:
    """What the one judge says."""
    whole: dict[str, object] = {"judge": "medkg/judge", "metric": metric, "score": score}
    why = "it is the disease" if score is not None else "unreadable"
    return Judgement.model_validate({**whole, "reason": why, **more})


def held(
    run: Run, case: DiagnosisCase | MedicationCase, turns: list[Turn], end: EndReason | None
) -> HeldDialogue:
    """A dialogue of these turns."""
    plan = Plan(
        persona=Persona(age=50, sex="male"),
        told=(PAIN.id, SWELLING.id) if case.task == "diagnosis" else (),
        further=(URATE.id,) if case.task == "diagnosis" else (),
    )
    dialogue = Dialogue(
        case=case.id, task=case.task, language=case.language, plan=plan, turns=turns, end=end
    )
    return HeldDialogue(
        run=run,
        sample=case.id,
        case=case,
        dialogue=dialogue,
        repeat=1,
        spent={},
        seconds=1.0,
        error=None,
    )


def diagnosed() -> HeldDialogue:
    """Run 1: the doctor asks for two findings, and finds the disease; the patient breaks a rule."""
    first = Turn(
        number=1,
        instruction=Instruction(intent="open", tell=(_thing(PAIN),)),
        patient="I have arthralgia, but no fever.",
        doctor="Do you have joint swelling, or a fever?",
        reading=Reading(asked=(_thing(SWELLING), FEVER)),
        judgements=(judgement(0), judgement(2, "history_taking", facts=("it separates",))),
    )
    supplies = (
        Supply(about=_thing(SWELLING), answer="yes", source="graph", releases=SWELLING.id),
        Supply(about=FEVER, answer="no", source="filler"),
    )
    said = Violation(rule="named the target", about="gout", start=30, stop=34)
    second = Turn(
        number=2,
        instruction=Instruction(intent="answer", supplies=supplies),
        patient="Yes, joint swelling. Is it gout?",
        violations=(said,),
        doctor="It is gout. Take allopurinol.",
        reading=Reading(diagnoses=(GOUT,), final=True),
        judgements=(
            judgement(3),
            judgement(None, "history_taking"),
            judgement(None, "safety", reason="asked too little", flags=("treated too early",)),
        ),
    )
    return held(a_run("run-1"), a_case(), [first, second], EndReason.DIAGNOSED)


def not_diagnosed() -> HeldDialogue:
    """Run 2 on the same case: the doctor asks for nothing, then says nothing."""
    first = Turn(
        number=1,
        instruction=Instruction(intent="open", tell=(_thing(PAIN),)),
        patient="I have arthralgia.",
        doctor="Tell me more.",
        reading=Reading(vague=True),
        judgements=(judgement(0),),
    )
    second = Turn(
        number=2,
        instruction=Instruction(intent="ask back"),
        patient="What do you mean?",
    )
    run = a_run("run-2", started="2026-11-23T13:40:00.123456+00:00", finished=None, complete=False)
    return held(run, a_case(graph="another"), [first, second], EndReason.SILENT)


def in_chinese() -> HeldDialogue:
    """Run 3: a consultation on a drug."""
    case = MedicationCase(
        id="propranolol-zh",
        language="zh",
        target=Thing(id="DRUGBANK:DB00571", type="Drug", name="Propranolol", name_zh="普萘洛尔"),
        facts=(ASTHMA,),
    )
    turn = Turn(
        number=1,
        instruction=Instruction(intent="ask", attribute="contraindication", fact=_thing(ASTHMA)),
        patient="我有哮喘，没有发热，能吃普萘洛尔吗？",
        doctor="哮喘患者不能服用普萘洛尔。",
        reading=Reading(),
        judgements=(judgement(2),),
    )
    run = a_run("run-3", task="medication", started="2026-11-23T14:00:00Z", director=None)
    return held(run, case, [turn], EndReason.ALL_ASKED)


def _thing(thing: Thing) -> Thing:
    return Thing(id=thing.id, type=thing.type, name=thing.name, name_zh=thing.name_zh)
