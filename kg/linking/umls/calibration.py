"""Calibrates the similarity from which a similar name is trusted, on entities with a stated CUI.

Each such entity is tried twice, both times without the UMLS names that have the words of its own:
with its concept present, where the most similar name is right if it is the stated concept's; and with
that concept removed, where any answer is wrong. The threshold of a node type is the lowest similarity
at and above which PRECISION of all answers are right. So half of the trials stand for entities unknown
to UMLS: a CUI by similarity goes to entities for which no source and no equal name has one, and
without the second trial most of them would get a wrong one.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from kg.linking.measures import Answer, Point, Share, curve
from kg.linking.umls.entities import Entity
from kg.linking.umls.matching import Choice, choose, similar_concepts
from kg.progress import Progress

PRECISION: Final = 0.95
"""Required share of right answers among those at and above the threshold."""
MIN_ENTITIES: Final = 100
"""The fewest entities with a stated CUI from which a threshold is calibrated."""
MIN_ANSWERS: Final = 30
"""The fewest answers at and above a threshold for its precision to mean anything."""

_SAMPLE: Final = 1_000
"""Entities of a type that are tried."""
_CURVE: Final = tuple(round(0.5 + 0.025 * step, 3) for step in range(21))


class Calibrated(NamedTuple):
    """The threshold of a node type, and how good it is."""

    threshold: float | None
    """None: too few entities have a stated CUI, or no similarity is precise enough."""
    tried: int
    """Entities."""
    precision: Share
    """Of the answers at and above the threshold, with the concept present."""
    abstained: Share
    """Of the entities whose concept is removed, those left without a link at the threshold."""
    curve: tuple[Point, ...]
    """What other thresholds would give, with the same meanings."""


def calibrate(
    with_stated_cui: Iterable[Entity],
    generator: Any,  # noqa: ANN401 - of an untyped library
    progress: Progress,
    seed: int = 0,
) -> dict[str, Calibrated]:
    """The threshold of every node type of the entities.

    Args:
        with_stated_cui: entities whose stated CUI is in the index.
        generator: of ``kg.linking.umls.candidates``.
        progress: shown meanwhile.
        seed: of the sample.
    """
    by_type: dict[str, list[Entity]] = {}
    for entity in with_stated_cui:
        by_type.setdefault(entity.type, []).append(entity)
    draw = random.Random(seed)  # noqa: S311 - no secret
    sample = [
        entity
        for type_ in sorted(by_type)
        for entity in draw.sample(by_type[type_], min(_SAMPLE, len(by_type[type_])))
    ]
    answers: dict[str, list[Answer]] = {type_: [] for type_ in sorted(by_type)}
    with progress.step("Calibrating", len(sample)) as advance:
        for entity, similar in similar_concepts(sample, generator, advance, same_words=False):
            answers[entity.type] += (
                _answer(choose(similar), entity, has_concept=True),
                _answer(choose(similar, entity.cuis), entity, has_concept=False),
            )
    return {type_: _calibrated(answers_of_type) for type_, answers_of_type in answers.items()}


def thresholds(
    calibrated: Mapping[str, Calibrated], types: Iterable[str], fixed: float | None
) -> dict[str, float]:
    """By node type: the fixed threshold for all, else the calibrated one where there is one."""
    if fixed is not None:
        return dict.fromkeys(types, fixed)
    return {
        type_: of_type.threshold
        for type_, of_type in calibrated.items()
        if of_type.threshold is not None
    }


def _answer(choice: Choice | None, entity: Entity, *, has_concept: bool) -> Answer:
    linked = choice is not None and not choice.ambiguous
    right = has_concept and choice is not None and choice.best.cui in entity.cuis
    score = choice.best.score if choice and linked else -1.0
    return Answer(score=score, rank=int(right), linked=linked, has_entity=has_concept)


def _calibrated(answers: Sequence[Answer]) -> Calibrated:
    with_concept = [answer for answer in answers if answer.has_entity]
    without_concept = [answer for answer in answers if not answer.has_entity]
    threshold = _lowest_precise(answers) if len(with_concept) >= MIN_ENTITIES else None
    trusted = [
        a for a in with_concept if a.linked and threshold is not None and a.score >= threshold
    ]
    abstained = [
        a for a in without_concept if not a.linked or threshold is None or a.score < threshold
    ]
    return Calibrated(
        threshold,
        len(with_concept),
        Share(right=sum(answer.rank for answer in trusted), of=len(trusted)),
        Share(right=len(abstained), of=len(without_concept)),
        tuple(
            point.model_copy(update={"abstained": without.abstained})
            for point, without in zip(
                curve(with_concept, _CURVE), curve(without_concept, _CURVE), strict=True
            )
        ),
    )


def _lowest_precise(answers: Sequence[Answer]) -> float | None:
    """The lowest score at and above which PRECISION of the answers, MIN_ANSWERS at least, are right."""
    right, lowest = 0, None
    ordered = sorted((a for a in answers if a.linked), key=lambda answer: -answer.score)
    for number, (answer, following) in enumerate(zip_longest(ordered, ordered[1:]), 1):
        right += answer.rank
        is_last = following is None or following.score < answer.score
        if is_last and number >= MIN_ANSWERS and right >= PRECISION * number:
            lowest = answer.score
    return lowest
