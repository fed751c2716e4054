"""Whether medkg's own patient leaks: by the audit, and by a search for names that knows nothing of it.

    python -m tests.experiments.patients.leaks GRAPH_HOME CASES.jsonl... [--manner vague]

A scripted doctor asks vague and open questions, about topics (``questions``), for findings of which half
are the disease's own, and for the disease itself. Every utterance of the patient is audited. Apart from
that every name that the graph has of the disease, in any language and from any source, and its CUIs and
ids are sought in it as they are, whatever the case of their letters: Latin ones as whole words, Chinese
ones anywhere. What is found is printed, to be read.
"""

import argparse
import os
import re
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Final, get_args

import kg
from evalsim.agents.director import Director
from evalsim.auditing.audit import Auditor
from evalsim.case import DiagnosisCase, Language, MedicationCase, read_cases
from evalsim.plan import Manner
from kg.linking import Linker
from kg.stores.store import Store
from tests.experiments.patients.questions import QUESTIONS
from tests.experiments.patients.talk import Talk

_VAGUE: Final = {"en": "Can you tell me more?", "zh": "能具体说说吗？"}
_OPEN: Final = {"en": "Do you have any other symptoms?", "zh": "还有别的症状吗？"}
_SPECIFIC: Final = {"en": "Do you have {x}, or {y}?", "zh": "您有没有{x}，有没有{y}？"}
_DISEASE: Final = {"en": "Could it be that you have {x}?", "zh": "您会不会是得了{x}？"}
_TURNS: Final = 7
_HAN: Final = re.compile("[\u3400-\u9fff]")


def main() -> None:
    """Print how many turns there were, what the audit finds, and which names are found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("home", type=Path)
    parser.add_argument("cases", type=Path, nargs="+")
    parser.add_argument("--manner", choices=get_args(Manner), action="append", default=[])
    parser.add_argument("--show", action="store_true", help="print every dialogue")
    given = parser.parse_args()
    os.environ["MEDKG_HOME"] = str(given.home)
    turns: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    purpose: Counter[str] = Counter()
    with kg.connect() as store:
        linker = Linker.of_store(store, given.home / "linking")
        director, auditor = Director(store, linker), Auditor(store, linker)
        for case in (each for path in given.cases for each in read_cases(path)):
            talk = held(director, case, tuple(given.manner))
            names = _names(store, case.target.id) if case.task == "diagnosis" else {}
            for turn in talk.dialogue.turns:
                turns[f"{case.task} {case.language}"] += 1
                for found in auditor.audit(case, talk.dialogue, turn):
                    rules[found.rule] += 1
                    _show(f"{found.rule} ({found.about}): {case.id}: {turn.patient}")
                for name in sorted(n for n, e in names.items() if e.search(turn.patient)):
                    turns[f"with a name, {case.language}"] += 1
                    _show(f"the name {name!r}: {case.target.name}: {turn.patient}")
                purpose["vague"] += turn.instruction.vague
                purpose["withheld"] += len(turn.instruction.withheld)
                purpose["fabricated"] += len(turn.instruction.fabricated)
                if given.show:
                    _show(f"{case.target.name} P: {turn.patient}\n   D: {turn.doctor}")
    _show("\n".join(f"{what}: {n}" for what, n in sorted(turns.items())))
    _show(f"violations: {dict(rules) or 0}; on purpose: {dict(purpose)}")


def held(
    director: Director, case: DiagnosisCase | MedicationCase, manner: tuple[Manner, ...] = ()
) -> Talk:
    """The dialogue of a case with the scripted doctor."""
    talk = Talk(director, case, seed=0, manner=manner, limit=_TURNS)
    rng = Random(f"{case.id}:doctor")  # noqa: S311 - a seeded draw
    turn = talk.speak()
    while turn is not None:
        turn = talk.reply(_said(case, rng))
    return talk


def _said(case: DiagnosisCase | MedicationCase, rng: Random) -> str:
    language: Language = case.language
    if isinstance(case, MedicationCase):
        return {"en": "I see.", "zh": "好的。"}[language]
    kind = rng.choice(("vague", "open", "topic", "specific", "specific", "specific", "disease"))
    own = rng.choice(case.findings).called(language)
    match kind:
        case "vague":
            return _VAGUE[language]
        case "open":
            return _OPEN[language]
        case "topic":
            return rng.choice(QUESTIONS)[language == "zh"]
        case "disease":
            return _DISEASE[language].format(x=case.target.called(language))
    other = rng.choice(_OTHERS[language])
    return _SPECIFIC[language].format(x=own, y=other)


_OTHERS: Final[dict[Language, tuple[str, ...]]] = {
    "en": (
        "fever",
        "a cough",
        "chest pain",
        "weight loss",
        "a rash",
        "blood in the urine",
        "swelling",
        "seizures",
    ),
    "zh": ("发热", "咳嗽", "胸痛", "体重下降", "皮疹", "血尿", "水肿", "抽搐"),
}


def _names(store: Store, disease: str) -> dict[str, re.Pattern[str]]:
    """Every name of a disease, its CUIs and its id, as they are found in a text."""
    rows = [
        *store.query("entity.by_id", entity=disease).dicts(),
        *store.query("entity.lay_names", entities=[disease]).dicts(),
    ]
    names = {
        disease,
        *(str(row[1]) for row in store.query("evaluation.cuis", entities=[disease]).rows),
    }
    for row in rows:
        for column in ("entity_name", "entity_name_zh"):
            names.add(str(row.get(column) or ""))
        for column in ("synonyms", "synonyms_zh", "lay_names", "lay_names_zh"):
            cell = row.get(column)
            names |= {str(name) for name in cell} if isinstance(cell, list) else set()
    names.discard("")
    return {
        name: re.compile(
            re.escape(name) if _HAN.search(name) else rf"(?<!\w){re.escape(name)}(?!\w)",
            re.IGNORECASE,
        )
        for name in names
    }


def _show(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
