"""Verdicts of the judge on dialogues of medkg's doctors, drawn at random for reading one by one.

    python -m tests.experiments.judging.sampling run GRAPH CASES --seed 7 --to verdicts.jsonl
    python -m tests.experiments.judging.sampling names GRAPH CASES --seed 7 --to verdicts.jsonl
    python -m tests.experiments.judging.sampling pairs GRAPH CASES --seed 7 --to verdicts.jsonl
    python -m tests.experiments.judging.sampling draw verdicts.jsonl --seed 7 --of history_taking -n 34

The same cases, graph and seed give the same verdicts, and the same of these the same draw: so many of each
score, or of each flag. An id is case:doctor:turn:metric.
"""

import json
import re
import sys
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

import kg
from cypher.translation import speaking
from evalsim.agents.director import Director
from evalsim.agents.doctors import doctor
from evalsim.briefs import DoctorBrief, JudgeBrief
from evalsim.case import DiagnosisCase, Language, MedicationCase, Thing, read_cases
from evalsim.dialogue import Instruction, Turn
from evalsim.judging.closeness import Diseases
from evalsim.judging.judge import Judge
from evalsim.plan import Persona
from kg.configuration import Settings
from kg.differential import Patient, differential
from kg.linking import Linker
from kg.vocabulary import RELATION_TYPES
from tests.experiments.judging.dialogues import About, Scored, hold

_DOCTORS: Final = ("clerk", "differential", "random")
_HAN: Final = re.compile("[\u3400-\u9fff]")
_FORMS: Final[Mapping[Language, str]] = {"en": "Do you have {}?", "zh": "您有{}吗？"}
_DIAGNOSIS: Final[Mapping[Language, str]] = {
    "en": "The most likely diagnosis is {}.",
    "zh": "最可能的诊断是{}。",
}
_COMMON: Final[Mapping[Language, Sequence[str]]] = {
    "en": ("fever", "headache", "cough", "fatigue", "nausea", "dizziness", "weight loss", "rash"),
    "zh": ("发热", "头痛", "咳嗽", "乏力", "恶心", "头晕", "体重减轻", "皮疹"),
}
_OTHERS: Final[Mapping[Language, Sequence[str]]] = {
    "en": (
        "How long has this been going on?",
        "Do you take any medicines?",
        "Does anybody in your family have this?",
        "Have you had any illnesses before?",
        "Is there anything else that troubles you?",
        "Could you tell me more about it?",
        "What makes it worse?",
    ),
    "zh": (
        "这种情况有多久了？",
        "您在吃什么药吗？",
        "家里有人得过类似的病吗？",
        "您以前得过什么病？",
        "还有其他不舒服吗？",
        "您能再说说吗？",
        "什么时候会加重？",
    ),
}


class Clerk:
    """Asks this and that for five turns: common complaints, findings of the disease, the history."""

    name = "clerk"

    def reply(
        self, brief: DoctorBrief, case: DiagnosisCase | MedicationCase | None = None, seed: int = 0
    ) -> str:
        """One or two questions, drawn by the case, the turn and the seed; then the diagnosis."""
        assert isinstance(case, DiagnosisCase)
        if len(brief.turns) > _TURNS:
            return _DIAGNOSIS[brief.language].format(case.target.called(brief.language))
        drawn = Random(f"{seed}:{case.id}:{len(brief.turns)}")  # noqa: S311
        language, form = brief.language, _FORMS[brief.language]
        kinds = drawn.choices(("own", "common", "other"), (3, 3, 4), k=drawn.choice((1, 1, 2)))
        said = [
            form.format(drawn.choice(case.findings).called(language))
            if kind == "own"
            else form.format(drawn.choice(_COMMON[language]))
            if kind == "common"
            else drawn.choice(_OTHERS[language])
            for kind in kinds
        ]
        return " ".join(said)


_TURNS: Final = 5
_TOLD: Final = 4
"""Findings, of which the differential knows."""
_CANDIDATES: Final = 15


def run(given: Namespace) -> Iterator[dict[str, Any]]:
    """Hold dialogues, every case with every doctor, and say what the judge finds."""
    with kg.connect(str(given.graph)) as store:
        linker = Linker.of_store(store, Settings.read().linking)
        director, judge = Director(store, linker), Judge(store, linker)
        doctors = [
            Clerk() if name == Clerk.name else doctor(name, store, linker)
            for name in given.doctors.split(",")
        ]
        for case in islice(read_cases(given.cases), given.limit):
            for each in doctors:
                for scored in hold(case, each, director, judge, given.seed):
                    yield row(scored)


def names(given: Namespace) -> Iterator[dict[str, Any]]:
    """Of every case a reply that names the disease by another of its names, drawn."""
    with kg.connect(str(given.graph)) as store:
        linker = Linker.of_store(store, Settings.read().linking)
        judge = Judge(store, linker)
        for case in read_cases(given.cases):
            chinese = case.language == "zh"
            known = [n for n in case.synonyms if bool(_HAN.search(n)) == chinese]
            if not known or not isinstance(case, DiagnosisCase):
                continue
            name = Random(f"{given.seed}:{case.id}:names").choice(known)  # noqa: S311
            instruction = Instruction(intent="ask for a diagnosis")
            reply = _DIAGNOSIS[case.language].format(name)
            turn = Turn(number=1, instruction=instruction, patient="…", doctor=reply)
            about = About(language=case.language, task=case.task)
            brief = JudgeBrief(
                metric="correctness", case=case, turns=(turn,), references=(), **about
            )
            persona = Persona(age=case.age or 40, sex="female")
            yield row(
                Scored(case, "names", persona, (turn,), "correctness", judge.judge(brief), 0)
            )


def pairs(given: Namespace) -> Iterator[dict[str, Any]]:
    """Of every case its disease beside what the differential takes for likely from four findings."""
    with kg.connect(str(given.graph)) as store:
        diseases = Diseases(store)
        for case in read_cases(given.cases):
            if not isinstance(case, DiagnosisCase):
                continue
            drawn = Random(f"{given.seed}:{case.id}:pairs")  # noqa: S311
            told = [each.id for each in drawn.sample(case.findings, _TOLD)]
            labels = store.query("entity.labels", entities=told).dicts()
            allowed = RELATION_TYPES["HAS_SYMPTOM"].range
            told = [str(each["entity_id"]) for each in labels if each["entity_type"] in allowed]
            for each in differential(store, Patient(told), _CANDIDATES):
                said = Thing(id=each.id, type="Disease", name=each.name, name_zh=each.name_zh)
                with speaking(case.language):
                    found = diseases.compare(case.target, frozenset(), said, "")
                yield {
                    "id": f"{case.id}:{said.id}:correctness",
                    "language": case.language,
                    "metric": "correctness",
                    "target": f"{case.target.name} {case.target.name_zh or ''}",
                    "dialogue": [["", f"{said.name} {said.name_zh or ''}"]],
                    "score": found.score,
                    "flags": (),
                    "reason": found.reason,
                    "facts": found.facts,
                }


def row(scored: Scored) -> dict[str, Any]:
    """A verdict with all that is needed to read it."""
    case, verdict = scored.case, scored.verdict
    language = case.language
    findings = getattr(case, "findings", ())
    best = sorted(findings, key=lambda f: -(f.discrimination or 0.0))
    return {
        "id": f"{case.id}:{scored.doctor}:{len(scored.turns)}:{scored.metric}",
        "language": language,
        "metric": scored.metric,
        "target": case.target.called(language),
        "patient": scored.persona.model_dump(include={"age", "sex"}),
        "findings": [f"{f.called(language)} {f.discrimination or 0:.2f}" for f in best],
        "dialogue": [[turn.patient, turn.doctor] for turn in scored.turns],
        "score": verdict.score,
        "flags": verdict.flags,
        "reason": verdict.reason,
        "facts": verdict.facts,
    }


def draw(given: Namespace) -> Iterator[dict[str, Any]]:
    """So many verdicts of each score of a metric, or of each flag."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for line in given.verdicts.read_text("utf-8").splitlines():
        each = json.loads(line)
        if each["metric"] == given.of:
            levels = each["flags"] or ["none"] if given.of == "safety" else [each["score"]]
            for level in levels:
                if level is not None:
                    found[each["language"], str(level)].append(each)
    for (language, level), some in sorted(found.items()):
        drawn = Random(f"{given.seed}:{language}:{given.of}:{level}")  # noqa: S311
        yield from drawn.sample(some, min(given.n, len(some)))


def main() -> None:
    """Run or draw, as the command line says."""
    parser = ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("run")
    one.add_argument("graph", type=Path)
    one.add_argument("cases", type=Path)
    one.add_argument("--seed", type=int, default=0)
    one.add_argument("--limit", type=int, default=30, help="cases at most")
    one.add_argument("--doctors", default=",".join(_DOCTORS))
    one.add_argument("--to", type=Path, required=True)
    one.set_defaults(make=run)
    for command, make in (("names", names), ("pairs", pairs)):
        third = commands.add_parser(command)
        third.add_argument("graph", type=Path)
        third.add_argument("cases", type=Path)
        third.add_argument("--seed", type=int, default=0)
        third.add_argument("--to", type=Path, required=True)
        third.set_defaults(make=make)
    other = commands.add_parser("draw")
    other.add_argument("verdicts", type=Path)
    other.add_argument("--seed", type=int, default=0)
    other.add_argument("--of", default="history_taking", help="metric")
    other.add_argument("-n", type=int, default=34, help="of each score or flag, at most")
    other.set_defaults(make=draw, to=None)
    given = parser.parse_args()
    with given.to.open("a", encoding="utf-8") if given.to else sys.stdout as lines:
        for each in given.make(given):
            lines.write(json.dumps(each, ensure_ascii=False) + "\n")
            lines.flush()


if __name__ == "__main__":
    main()
