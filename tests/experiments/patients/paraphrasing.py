"""Patients that paraphrase their disease: names that the case has not got, and its definition.

    python -m tests.experiments.patients.paraphrasing GRAPH_HOME CASES.jsonl...

Every second name of a case's disease is taken out of the case, so that the audit knows it by the
graph at most; the patient then says one of these, or the beginning of the disease's definition. The other
turns are those of medkg's patient: what is found in them is a false alarm.
"""

import argparse
import os
import re
import sys
from collections import Counter
from pathlib import Path
from random import Random

import kg
from evalsim.auditing.audit import Auditor
from evalsim.case import DiagnosisCase, read_cases
from evalsim.dialogue import Dialogue, Instruction, Turn
from evalsim.plan import Persona, Plan
from kg.linking import Linker
from kg.stores.store import Store

_FRAMES = {
    "en": (
        "I was told that I might have {x}.",
        "My neighbour says it is {x}.",
        "It could be {x}.",
    ),
    "zh": ("有人说我可能是{x}。", "邻居说这是{x}。", "会不会是{x}？"),
}
_LEAKS = ("named the target", "paraphrased the target")


def main() -> None:
    """Print how many paraphrases are found, by their kind and language."""
    parser = argparse.ArgumentParser()
    parser.add_argument("home", type=Path)
    parser.add_argument("cases", type=Path, nargs="+")
    given = parser.parse_args()
    os.environ["MEDKG_HOME"] = str(given.home)
    found: Counter[tuple[str, str]] = Counter()
    any_rule: Counter[tuple[str, str]] = Counter()
    said: Counter[tuple[str, str]] = Counter()
    with kg.connect() as store:
        auditor = Auditor(store, Linker.of_store(store, given.home / "linking"))
        for case in (each for path in given.cases for each in read_cases(path)):
            if not isinstance(case, DiagnosisCase):
                continue
            for kind, words, known in paraphrases(store, case):
                rng = Random(f"{case.id}:{kind}")  # noqa: S311 - a seeded draw
                text = rng.choice(_FRAMES[case.language]).format(x=words)
                rules = rules_of(auditor, known, text)
                key = kind, case.language
                said[key] += 1
                found[key] += not rules.isdisjoint(_LEAKS)
                any_rule[key] += bool(rules)
    _show(
        "| what the patient says | language | turns | found as a leak | found at all |\n|---|---|---|---|---|"
    )
    for kind, language in sorted(said):
        n = said[kind, language]
        leaks, other = found[kind, language], any_rule[kind, language]
        _show(
            f"| {kind} | {language} | {n} | {leaks} ({leaks / n:.0%}) | {other} ({other / n:.0%}) |"
        )


def paraphrases(store: Store, case: DiagnosisCase) -> list[tuple[str, str, DiagnosisCase]]:
    """What a patient may say in place of the name, and the case that does not know it."""
    own = re.compile("[\u3400-\u9fff]") if case.language == "zh" else re.compile("^[ -~]*$")
    names = sorted({n for n in case.synonyms if own.search(n)})
    spare = names[::2]
    known = case.model_copy(
        update={
            "id": f"{case.id}-less",
            "synonyms": tuple(n for n in case.synonyms if n not in spare),
        }
    )
    told = [("a name that the case has not got", spare[0], known)] if spare else []
    rows = store.query("entity.by_id", entity=case.target.id).dicts()
    definition = str(rows[0]["definition"] or "") if rows else ""
    first = re.split(r"(?<=[a-z])[.;] ", definition)[0]
    if case.language == "en" and len(first) > 30:
        words = first[:1].lower() + first[1:]
        told.append(("the first sentence of the definition", words.rstrip("."), case))
        half = " ".join(words.split()[: len(words.split()) // 2])
        told.append(("the first half of that sentence", half, case))
    return told


def rules_of(auditor: Auditor, case: DiagnosisCase, text: str) -> set[str]:
    """The rules that an utterance breaks after the first finding was told."""
    first = case.findings[0]
    plan = Plan(told=(first.id,), persona=Persona(age=40, sex=case.sex or "female"))
    dialogue = Dialogue(case=case.id, task=case.task, language=case.language, plan=plan)
    turn = Turn(number=1, instruction=Instruction(intent="tell"), patient=text)
    return {violation.rule for violation in auditor.audit(case, dialogue, turn)}


def _show(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
