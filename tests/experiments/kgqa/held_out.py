"""Questions made of the triples that a model was not trained on, in all three forms."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import Final

from kg.embeddings.triples import IntArray, Split
from tests.experiments.kgqa.asked import HELD_OUT, Asked, Gold

TAILS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "HAS_SYMPTOM": "What are the symptoms of {}?",
        "TREATED_BY": "How is {} treated?",
        "COMPLICATED_BY": "What are the complications of {}?",
        "DIAGNOSED_BY": "How is {} diagnosed?",
        "INDICATED_FOR": "What is {} used for?",
        "HAS_INHERITANCE": "Is {} inherited?",
    }
)
"""Of the head."""
HEADS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "HAS_SYMPTOM": "Which diseases cause {}?",
        "TREATED_BY": "What is treated by {}?",
        "COMPLICATED_BY": "What leads to {}?",
        "DIAGNOSED_BY": "What is diagnosed by {}?",
        "INDICATED_FOR": "Which drugs treat {}?",
        "ASSOCIATED_WITH": "Which genes are associated with {}?",
    }
)
"""Of the tail."""
BETWEEN: Final = "How are {} and {} related?"
_RELATIONS: Final = (*dict.fromkeys([*TAILS, *HEADS]),)


def questions(split: Split, each: int, seed: int) -> Iterator[Asked]:
    """For each form and relation some of the test triples, asked in words.

    Only things whose name is nobody else's are asked about, so that it is the model's answer
    that is measured and not the choice among namesakes.

    Args:
        split: with the names of entities.
        each: questions of a form and relation at most.
        seed: draws them.
    """
    ids, names = split.entities.ids, split.entities.names or split.entities.ids
    once = _once(names)
    rows = [tuple(map(int, row)) for row in split.test]
    Random(seed).shuffle(rows)  # noqa: S311 -- a draw, no secret
    answers = _Answers(split)
    count: dict[tuple[str, str], int] = defaultdict(int)
    for head, relation, tail in rows:
        name = split.relations[relation]
        asked = []
        if name in TAILS and head in once:
            text = TAILS[name].format(names[head])
            asked.append(("`<h, r, ?>`", text, *answers.tails(head, relation)))
        if name in HEADS and tail in once:
            text = HEADS[name].format(names[tail])
            asked.append(("`<?, r, t>`", text, *answers.heads(relation, tail)))
        if name in _RELATIONS and {head, tail} <= once:
            text = BETWEEN.format(names[head], names[tail])
            asked.append(("`<h, ?, t>`", text, *answers.relations(head, tail)))
        for form, text, golds, known in asked:
            if count[form, name] < each:
                count[form, name] += 1
                told = tuple(
                    Gold(frozenset([g]), g if form == "`<h, ?, t>`" else names[ids.index(g)])
                    for g in golds
                )
                id_ = f"{name} {count[form, name]}"
                yield Asked(id_, HELD_OUT, form, text, told, frozenset(known))


class _Answers:
    """Which answers are held out, and which the model was given."""

    def __init__(self, split: Split) -> None:
        self._split = split

    def tails(self, head: int, relation: int) -> tuple[list[str], list[str]]:
        return self._ends({0: head, 1: relation}, 2)

    def heads(self, relation: int, tail: int) -> tuple[list[str], list[str]]:
        return self._ends({1: relation, 2: tail}, 0)

    def relations(self, head: int, tail: int) -> tuple[list[str], list[str]]:
        return self._ends({0: head, 2: tail}, 1)

    def _ends(self, given: Mapping[int, int], sought: int) -> tuple[list[str], list[str]]:
        split = self._split
        names = split.relations if sought == 1 else split.entities.ids

        def found(rows: IntArray) -> list[str]:
            for column, value in given.items():
                rows = rows[rows[:, column] == value]
            return [names[at] for at in rows[:, sought]]

        return found(split.test), [*found(split.train), *found(split.valid)]


def _once(names: tuple[str, ...]) -> set[int]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(names):
        places[name.casefold()].append(place)
    return {found[0] for found in places.values() if len(found) == 1}
