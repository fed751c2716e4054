"""The questions that our own selection is designed on, and those that all is measured on."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

from qa.corpus import Document
from qa.evaluation.questions import GoldQuestion, gold_questions
from tests.experiments.retrieval.medquad import answered

DESIGN: Final = 0.4
"""Share of the diseases that are for the design; the ten chronic ones never are."""


def parted(
    documents: Sequence[Document], data: Path, design: int, test: int, seed: int
) -> dict[str, list[GoldQuestion]]:
    """MedQuAD's questions by part: ``design``, ``test`` and ``chronic``.

    No disease has questions both in ``design`` and in another part; ``chronic`` are all questions
    on the ten chronic diseases of the paper, some of which may be in ``test`` too.
    """
    questions = gold_questions(documents)
    diseases = [each.disease for each in answered(data)]
    of = {each.id: disease for each, disease in zip(questions, diseases, strict=True)}
    return split(questions, of, design, test, seed)


def split(
    questions: Sequence[GoldQuestion], of: dict[str, str], design: int, test: int, seed: int
) -> dict[str, list[GoldQuestion]]:
    """The parts, of questions whose diseases are known.

    Args:
        questions: all.
        of: the disease of each, by its id.
        design: number of questions for the design, at most.
        test: the same for the test.
        seed: of all draws.
    """
    never = {of[each.id] for each in questions if each.chronic}
    own: list[GoldQuestion] = []
    others: list[GoldQuestion] = []
    for each in questions:
        disease = of[each.id]
        drawn = disease not in never and Random(f"{seed} {disease}").random() < DESIGN  # noqa: S311
        (own if drawn else others).append(each)
    chance = Random(seed)  # noqa: S311 - a draw, no secret
    return {
        "design": chance.sample(own, min(design, len(own))),
        "test": chance.sample(others, min(test, len(others))),
        "chronic": [each for each in questions if each.chronic],
    }
