"""UMLS concepts with the same names as an entity, or with similar ones.

Equal names: of several concepts that have the entity's preferred name, the best is the one that
shares most of its names.

Similar names, by scispaCy's candidate generator: a candidate counts where its concept has a
semantic type that the entity may have, and where its name agrees word by word with a preferred
name of the entity (``kg.linking.umls.wording``).

A synonym alone makes no link: ontologies have synonyms that are broader, narrower or only related.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import duckdb
import pyarrow as pa

from kg.linking.umls.candidates import NEIGHBOURS
from kg.linking.umls.entities import Entity, keyed
from kg.linking.umls.semantic_types import TYPES_OF
from kg.linking.umls.wording import agree, words_that_count
from kg.progress import Advance
from kg.stores.disk import sql_path

MARGIN: Final = 0.02
"""A link is ambiguous where another concept's similarity is lower by at most this."""

_BATCH: Final = 500


_BEST: Final = """
with entity as (
    select id, type, key, bool_or(preferred) as preferred from keyed group by id, type, key
), fitting as (
    select cui, fits.type from (select cui, unnest(semantic_types) as tui from concepts)
    join fits using (tui) group by all
), shared as (
    select id, cui, bool_or(entity.preferred) as has_preferred, count(*) as names,
        count(*) filter (keys.preferred) as preferred
    from entity join keys using (key) join fitting using (cui, type) group by id, cui
)
select id, cui, has_preferred from shared
qualify rank() over (partition by id order by has_preferred desc, names desc, preferred desc) = 1
order by id, cui
"""
"""The best of the concepts of a fitting semantic type that share names with an entity: first those
that have its preferred name, then those that share most names, then those that prefer them too."""


@dataclass(frozen=True)
class EqualConcepts:
    """Concepts by equal names, by id of the entity."""

    by_preferred_name: dict[str, tuple[str, ...]]
    """The best concepts that have the entity's preferred name; several where they are equally good."""
    synonym_only: frozenset[str]
    """Entities of which concepts share synonyms only."""


def equal_concepts(entities: Collection[Entity], folder: Path) -> EqualConcepts:
    """The best concepts of each entity by equal keys.

    Args:
        entities: of the graph.
        folder: of the index.
    """
    fits = [(tui, type_) for type_, tuis in TYPES_OF.items() for tui in sorted(tuis)]
    by_preferred_name: dict[str, tuple[str, ...]] = {}
    synonym_only = set()
    with duckdb.connect() as db:
        for name in ("keys", "concepts"):
            path = sql_path(folder / f"{name}.parquet")
            db.execute(f"create view {name} as from read_parquet({path})")
        db.register("keyed", keyed(entities))
        db.register("fits", pa.table(list(map(list, zip(*fits, strict=True))), ["tui", "type"]))
        for id_, cui, has_preferred in db.execute(_BEST).fetchall():
            if has_preferred:
                by_preferred_name[id_] = (*by_preferred_name.get(id_, ()), cui)
            else:
                synonym_only.add(id_)
    return EqualConcepts(by_preferred_name, frozenset(synonym_only))


class Similar(NamedTuple):
    """A concept with the most similar one of its names."""

    cui: str
    score: float
    """Cosine of the n-gram weights, in [0, 1]."""
    name: str


class Choice(NamedTuple):
    """The concept to link if its score is high enough."""

    best: Similar
    ambiguous: bool
    """Another concept is as similar, within MARGIN."""


def choose(candidates: Sequence[Similar], without: Collection[str] = ()) -> Choice | None:
    """The most similar concept; None where there is none.

    Args:
        candidates: the most similar first.
        without: CUIs that do not count.
    """
    remaining = [similar for similar in candidates if similar.cui not in without]
    if not remaining:
        return None
    return Choice(
        remaining[0], len(remaining) > 1 and remaining[0].score - remaining[1].score <= MARGIN
    )


def similar_concepts(
    entities: Iterable[Entity],
    generator: Any,  # noqa: ANN401 - of an untyped library
    advance: Advance,
    *,
    same_words: bool = True,
) -> Iterator[tuple[Entity, list[Similar]]]:
    """Each entity with the concepts of similar names, the most similar first.

    Args:
        entities: any number.
        generator: of ``kg.linking.umls.candidates``.
        advance: called with the number of entities that are done.
        same_words: whether a name of UMLS counts that has the words of a name of the entity; to
            calibrate it must not, as exact links are by those.
    """
    waiting = iter(entities)
    while batch := list(islice(waiting, _BATCH)):
        names = [name for entity in batch for name in entity.preferred_names]
        answers = iter(generator(names, NEIGHBOURS))
        for entity in batch:
            best: dict[str, Similar] = {}
            for name, near in zip(
                entity.preferred_names, islice(answers, len(entity.preferred_names)), strict=True
            ):
                for similar in _matches(entity, name, near, generator.kb, same_words=same_words):
                    if similar.cui not in best or similar.score > best[similar.cui].score:
                        best[similar.cui] = similar
            yield entity, sorted(best.values(), key=lambda s: (-s.score, s.cui))
        advance(len(batch))


def _matches(
    entity: Entity,
    name: str,
    near: Iterable[Any],
    kb: Any,  # noqa: ANN401 - of an untyped library
    *,
    same_words: bool,
) -> Iterator[Similar]:
    """The candidates for one name that count, each with its most similar name that agrees."""
    fitting = TYPES_OF[entity.type]
    for candidate in near:
        if fitting.isdisjoint(kb.cui_to_entity[candidate.concept_id].types):
            continue
        scored = zip(candidate.similarities, candidate.aliases, strict=True)
        for score, alias in sorted(scored, reverse=True):
            if agree(name, alias) and (
                same_words or words_that_count(alias) not in entity.wordings
            ):
                yield Similar(candidate.concept_id, min(max(score, 0.0), 1.0), alias)
                break
