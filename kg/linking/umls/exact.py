"""Links by equal names: an entity's concept goes by what the entity is called.

Of several such concepts it is the one that goes by most of the entity's names. A synonym alone makes
no link: ontologies have synonyms that are broader, narrower or but related.
"""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa

from kg.linking.umls.entities import Entity, keyed
from kg.linking.umls.semantic_types import TYPES_OF
from kg.stores.disk import sql_path

_BEST = """
with entity as (
    select id, type, key, bool_or(preferred) as preferred from keyed group by id, type, key
), fitting as (
    select cui, fits.type from (select cui, unnest(semantic_types) as tui from concepts)
    join fits using (tui) group by all
), shared as (
    select id, cui, bool_or(entity.preferred) as called_so, count(*) as names,
        count(*) filter (keys.preferred) as preferred
    from entity join keys using (key) join fitting using (cui, type) group by id, cui
)
select id, cui, called_so from shared
qualify rank() over (partition by id order by called_so desc, names desc, preferred desc) = 1
order by id, cui
"""
"""The concepts of a fitting semantic type that share names with an entity, the best only: those
that share what the entity is called, then those that share most names, then those that are
themselves called so."""


@dataclass(frozen=True)
class Equal:
    """Concepts by equal names, by id of the entity."""

    called: dict[str, tuple[str, ...]]
    """The best of those that go by what the entity is called; several where none is better."""
    synonyms: frozenset[str]
    """Entities of which a concept has synonyms only."""


def equal_concepts(entities: Collection[Entity], folder: Path) -> Equal:
    """The best concepts of each entity by equal keys.

    Args:
        entities: of the graph.
        folder: of the index.
    """
    fits = [(tui, type_) for type_, tuis in TYPES_OF.items() for tui in sorted(tuis)]
    called: dict[str, tuple[str, ...]] = {}
    synonyms = set()
    with duckdb.connect() as db:
        for name in ("keys", "concepts"):
            path = sql_path(folder / f"{name}.parquet")
            db.execute(f"create view {name} as from read_parquet({path})")
        db.register("keyed", keyed(entities))
        db.register("fits", pa.table(list(map(list, zip(*fits, strict=True))), ["tui", "type"]))
        for id_, cui, called_so in db.execute(_BEST).fetchall():
            if called_so:
                called[id_] = (*called.get(id_, ()), cui)
            else:
                synonyms.add(id_)
    return Equal(called, frozenset(synonyms))
