"""Similar names of UMLS for an entity's names, by scispaCy's candidate generator.

A candidate counts where its concept has a semantic type that the entity may have, and where its
name agrees with what the entity is called word by word (``kg.linking.umls.wording``). Only the
preferred names are asked for: ontologies have synonyms that are broader, narrower or but related.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from kg.linking.umls.candidates import NEIGHBOURS
from kg.linking.umls.entities import Entity
from kg.linking.umls.semantic_types import TYPES_OF
from kg.linking.umls.wording import agree, words_that_count
from kg.progress import Advance

MARGIN: Final = 0.02
"""A concept is ambiguous where another one's name is so much less similar at most."""

_BATCH: Final = 500


class Similar(NamedTuple):
    """A concept with the most similar one of its names."""

    cui: str
    score: float
    """Cosine of the n-gram weights, in [0, 1]."""
    name: str


class Choice(NamedTuple):
    """What would be linked if its score is high enough."""

    best: Similar
    ambiguous: bool
    """Another concept is as similar, but for MARGIN."""


def choose(found: Sequence[Similar], without: Collection[str] = ()) -> Choice | None:
    """The most similar concept; None where there is none.

    Args:
        found: the most similar first.
        without: CUIs that do not count.
    """
    left = [similar for similar in found if similar.cui not in without]
    if not left:
        return None
    return Choice(left[0], len(left) > 1 and left[0].score - left[1].score <= MARGIN)


def similar_concepts(
    entities: Iterable[Entity],
    generator: Any,  # noqa: ANN401 - of an untyped library
    advance: Advance,
    *,
    own: bool = True,
) -> Iterator[tuple[Entity, list[Similar]]]:
    """Each entity with the concepts of similar names, the most similar first.

    Args:
        entities: any number.
        generator: of ``kg.linking.umls.candidates``.
        advance: told the number of entities that are done.
        own: whether a name of UMLS counts that has the words of a name of the entity; to
            calibrate it must not, as exact links are by those.
    """
    waiting = iter(entities)
    while batch := list(islice(waiting, _BATCH)):
        names = [name for entity in batch for name in entity.called]
        answers = iter(generator(names, NEIGHBOURS))
        for entity in batch:
            best: dict[str, Similar] = {}
            for name, near in zip(entity.called, islice(answers, len(entity.called)), strict=True):
                for similar in _counting(entity, name, near, generator.kb, own=own):
                    if similar.cui not in best or similar.score > best[similar.cui].score:
                        best[similar.cui] = similar
            yield entity, sorted(best.values(), key=lambda s: (-s.score, s.cui))
        advance(len(batch))


def _counting(
    entity: Entity,
    name: str,
    near: Iterable[Any],
    kb: Any,  # noqa: ANN401 - of an untyped library
    *,
    own: bool,
) -> Iterator[Similar]:
    """What counts of the candidates for one name, each with its most similar name."""
    fitting = TYPES_OF[entity.type]
    for candidate in near:
        if fitting.isdisjoint(kb.cui_to_entity[candidate.concept_id].types):
            continue
        scored = zip(candidate.similarities, candidate.aliases, strict=True)
        for score, alias in sorted(scored, reverse=True):
            if agree(name, alias) and (own or words_that_count(alias) not in entity.wordings):
                yield Similar(candidate.concept_id, min(max(score, 0.0), 1.0), alias)
                break
