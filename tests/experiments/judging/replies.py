"""The judge on replies about drugs that were written by hand as models write, and scored by hand.

`judge` and `judge_comprehensiveness` are what it gave at first look, where each was written down.
"""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from evalsim.briefs import JudgeBrief
from evalsim.case import Attribute, Fact, Language, MedicationCase, Thing
from evalsim.dialogue import Instruction, Turn
from evalsim.judging.judge import Judge
from kg.stores.store import Store

FILE = Path(__file__).with_name("replies.tsv")


def judged(store: Store, judge: Judge) -> Iterator[tuple[str, str, int, int | None, str, str]]:
    """Id, metric, score by hand, score and reason of the judge, and the reply."""
    with FILE.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            brief_case = _case(store, row)
            fact = brief_case.facts[0]
            asked = Instruction(
                intent="ask", attribute=fact.attribute, fact=_thing(store, fact.id)
            )
            turn = Turn(number=1, instruction=asked, patient="…", doctor=row["reply"])
            for metric in ("correctness", "comprehensiveness"):
                verdict = judge.judge(
                    JudgeBrief(
                        metric=metric,
                        case=brief_case,
                        language=brief_case.language,
                        task="medication",
                        turns=(turn,),
                        references=(),
                    )
                )
                yield (
                    row["id"],
                    metric,
                    int(row[metric]),
                    verdict.score,
                    verdict.reason,
                    row["reply"],
                )


def _case(store: Store, row: dict[str, str]) -> MedicationCase:
    attribute, language = cast(Attribute, row["attribute"]), cast(Language, row["language"])
    fact = Fact(**_thing(store, row["fact"]).model_dump(), attribute=attribute)
    return MedicationCase(
        id=row["id"], language=language, target=_thing(store, row["drug"]), facts=(fact,)
    )


def _thing(store: Store, id_: str) -> Thing:
    [row] = store.query("entity.labels", entities=[id_]).dicts()
    return Thing(
        id=id_,
        type=str(row["entity_type"]),
        name=str(row["entity_name"]),
        name_zh=str(row["entity_name_zh"]) if row["entity_name_zh"] else None,
    )
