"""Thirty questions that any doctor asks, in both languages, and what medkg's patient answers to them.

    python -m tests.experiments.patients.questions GRAPH_HOME CASES.jsonl...

The patients are those of the first cases of each file; the answers are for reading.
"""

import argparse
import os
import sys
from pathlib import Path
from typing import Final

import kg
from evalsim.agents.director import Director
from evalsim.case import DiagnosisCase, read_cases
from evalsim.plan import Persona
from kg.linking import Linker
from tests.experiments.patients.talk import Talk

QUESTIONS: Final = (
    ("How old are you?", "您多大年纪？"),
    ("Are you male or female?", "您是男性还是女性？"),
    ("How old are you, and are you male or female?", "请问您多大年纪，是男性还是女性？"),
    ("What do you do for a living?", "您是做什么工作的？"),
    ("Do you take any medicines?", "您平时吃什么药吗？"),
    ("Have you tried any painkillers for it?", "您吃过止痛药吗？"),
    ("Do you have any allergies?", "您有什么过敏吗？"),
    ("Are you allergic to any medicine?", "您对药物过敏吗？"),
    ("Does anyone in your family have something similar?", "家里有人得过类似的病吗？"),
    ("Is there any illness that runs in your family?", "您家族里有什么遗传病吗？"),
    ("Do you smoke?", "您抽烟吗？"),
    ("Do you drink alcohol?", "您喝酒吗？"),
    ("When did it begin?", "什么时候开始的？"),
    ("How long have you had this?", "这样有多久了？"),
    ("Did it come on suddenly or gradually?", "是突然出现的还是慢慢出现的？"),
    ("How bad is it, on a scale of one to ten?", "有多严重，打几分？"),
    ("Where exactly is it?", "具体是哪个部位？"),
    ("Does it spread anywhere?", "会放射到别的地方吗？"),
    ("What makes it better?", "什么情况下会缓解？"),
    ("What makes it worse?", "什么情况下会加重？"),
    ("Is it constant, or does it come and go?", "是持续性的还是一阵一阵的？"),
    ("Can you describe what it feels like?", "您能描述一下是什么样的感觉吗？"),
    ("Have you had this before?", "以前出现过这种情况吗？"),
    ("Do you have any other medical conditions?", "您有什么基础疾病吗？"),
    ("Have you ever had an operation?", "您做过手术吗？"),
    ("Could you be pregnant?", "您是不是怀孕了？"),
    ("Have you travelled recently?", "最近去旅游过吗？"),
    ("Have you had any tests done?", "做过什么检查吗？"),
    ("How do you sleep?", "您睡眠怎么样？"),
    ("Are you under a lot of stress?", "您最近压力大吗？"),
)
"""In English and Chinese."""


def main() -> None:
    """Print every answer."""
    parser = argparse.ArgumentParser()
    parser.add_argument("home", type=Path)
    parser.add_argument("cases", type=Path, nargs="+")
    parser.add_argument("--patients", type=int, default=1, help="of each file")
    given = parser.parse_args()
    os.environ["MEDKG_HOME"] = str(given.home)
    with kg.connect() as store:
        director = Director(store, Linker.of_store(store, given.home / "linking"))
        for path in given.cases:
            cases = [each for each in read_cases(path) if isinstance(each, DiagnosisCase)]
            for case in cases[: given.patients]:
                _ask(director, case)


def _ask(director: Director, case: DiagnosisCase) -> None:
    for english, chinese in QUESTIONS:
        talk = Talk(director, case, seed=1)
        talk.speak()
        turn = talk.reply(chinese if case.language == "zh" else english)
        if turn is not None:
            filler = ", ".join(turn.instruction.filler)
            _show(f"{talk.dialogue.turns[0].doctor} | {turn.patient} | filler: {filler or '-'}")
    _show(f"-- {case.id} {_who(talk.dialogue.plan.persona)}")


def _who(persona: Persona) -> str:
    return f"{persona.age} {persona.sex} {persona.speaker}"


def _show(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
