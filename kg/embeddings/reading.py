"""Triples from a file, from a folder that parts them already, or from a graph."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final, Literal

import numpy as np
import pyarrow as pa

from kg.embeddings.triple_files import SUFFIXES, read_columns
from kg.embeddings.triples import (
    BoolArray,
    Entities,
    IntArray,
    Split,
    Triples,
    compact,
    distinct,
    is_first,
    number,
    positions,
)
from kg.errors import EmbeddingError
from kg.progress import Progress, Silent
from kg.stores.store import Store
from kg.vocabulary import FACTS, NODE_TYPES

NOT_KNOWLEDGE: Final = frozenset({"HAS_CUI", "HAS_SECTION"})
"""Relations that are read only when they are asked for: they tie things to codes and texts."""

PARTS: Final = ("train", "valid", "test")
"""Names of the files of a folder that parts triples already."""

Unseen = Literal["refuse", "keep", "drop"]

_SILENT: Final = Silent()
_AT_ONCE: Final = 300_000
"""Facts a query gives at most, unless one relation has more: a row takes half a kilobyte."""
_SHOWN: Final = 3


def read_file(path: Path) -> Triples:
    """Read one file of triples; one that is there twice counts once.

    Raises:
        EmbeddingError: as ``triple_files.read_columns`` says.
    """
    found = number(*read_columns(path).columns)
    return Triples(found.entities, found.relations, distinct(found.rows))


@dataclass(frozen=True)
class GivenSplit:
    """A split as others published it, and what had to be done to it."""

    split: Split
    repeated: int
    """Triples left out, since an earlier part has them."""
    unseen: int
    """Triples of valid and test with an entity or relation that train has not."""


def read_split(folder: Path, unseen: Unseen = "refuse") -> GivenSplit:
    """Read ``train``, ``valid`` and ``test`` of a folder, each a file as ``read_file`` takes.

    A triple of one part that an earlier part has too is left out of the later one.

    Args:
        folder: where the files are.
        unseen: what becomes of triples of valid and test with an entity or relation that train
            has not: "keep" them, as figures for WN18RR and FB15k-237 are published, though no
            model can have learnt them; or "drop" them; or "refuse" a split that has any.

    Raises:
        EmbeddingError: a part is missing, there twice, cannot be read, or left without a
            triple; or the split has unseen entities and is refused for it.
    """
    columns = [read_columns(_part(folder, name)) for name in PARTS]
    found = number(*pa.concat_tables(columns).columns)
    of_part = np.repeat(np.arange(len(PARTS)), [len(part) for part in columns])
    rows = distinct(np.column_stack([found.rows, of_part]))
    first = is_first(rows[:, :3])
    repeated, rows = int((~first).sum()), rows[first]
    strange = _strange(rows, found)
    if unseen == "refuse" and strange.any():
        raise EmbeddingError(_unseen(folder, found, rows, strange))
    if unseen == "drop":
        rows = rows[~strange]
    return GivenSplit(_parted(folder, found, rows), repeated, int(strange.sum()))


def _parted(folder: Path, found: Triples, rows: IntArray) -> Split:
    """The split of rows (head, relation, tail, part), shape (rows, 4)."""
    parts = [rows[rows[:, 3] == part, :3] for part in range(len(PARTS))]
    for name, part in zip(PARTS, parts, strict=True):
        if not len(part):
            raise EmbeddingError(
                f"{folder}: {name} is left without a triple, since train or valid has them all "
                "or they have entities to drop; give a split with other ones"
            )
    left = compact(found.entities, found.relations, np.concatenate(parts))
    ends = np.cumsum([len(part) for part in parts])
    return Split(left.entities, left.relations, *np.split(left.rows, ends[:-1]))


def _part(folder: Path, name: str) -> Path:
    here = [path for suffix in SUFFIXES if (path := folder / f"{name}{suffix}").exists()]
    if len(here) == 1:
        return here[0]
    if here:
        both = " and ".join(path.name for path in here)
        raise EmbeddingError(f"{folder}: both {both} are there; leave one of them")
    wanted = ", ".join(f"{name}{suffix}" for suffix in SUFFIXES)
    raise EmbeddingError(
        f"{folder}: there is no {name} part; a split has train, valid and test, "
        f"and this one would be {wanted}"
    )


def _strange(rows: IntArray, found: Triples) -> BoolArray:
    """Which rows (head, relation, tail, part) have what no row of train has; shape (rows,)."""
    train = rows[rows[:, 3] == 0]
    entities = np.ones(len(found.entities), dtype=np.bool_)
    relations = np.ones(len(found.relations), dtype=np.bool_)
    entities[train[:, [0, 2]]] = False
    relations[train[:, 1]] = False
    ends = np.column_stack([entities[rows[:, [0, 2]]], relations[rows[:, 1]]])
    strange: BoolArray = ends.any(axis=1)
    return strange


def _unseen(folder: Path, found: Triples, rows: IntArray, strange: BoolArray) -> str:
    train = rows[rows[:, 3] == 0]
    names = [
        (found.entities.ids, np.setdiff1d(rows[strange][:, [0, 2]], train[:, [0, 2]])),
        (found.relations, np.setdiff1d(rows[strange][:, 1], train[:, 1])),
    ]
    new = [known[at] for known, places in names for at in places]
    more = ", …" if len(new) > _SHOWN else ""
    return (
        f"{folder}: {strange.sum()} triples of valid and test have one of {len(new)} entities or "
        f"relations that train has not ({', '.join(new[:_SHOWN])}{more}); keep them, as published "
        "figures do, or drop them"
    )


def read_store(
    store: Store,
    relations: Sequence[str] | None = None,
    types: Sequence[str] | None = None,
    progress: Progress = _SILENT,
) -> Triples:
    """Ask a graph for its facts, those of its layers among them, and never for predictions.

    Args:
        store: the graph.
        relations: relation types; none: all that the graph has but NOT_KNOWLEDGE.
        types: node types that both ends must have; none: any.
        progress: shown meanwhile, in facts.

    Returns:
        Triples of the entities that a fact has, with their types and names.

    Raises:
        EmbeddingError: a type is not in the vocabulary, no fact is of these types, or the
            graph was changed meanwhile.
        StoreError: the store failed.
    """
    wanted = _of_vocabulary("relation", relations or (), FACTS)
    entity_types = _of_vocabulary("node", types or NODE_TYPES, NODE_TYPES)
    counts = {
        str(relation): int(str(facts))
        for relation, facts in store.query("graph.relation_counts").rows
        if relation in (wanted or set(FACTS) - NOT_KNOWLEDGE)
    }
    with progress.step("Reading triples", sum(counts.values())) as advance:
        entities = _entities(store, entity_types)
        found = [np.empty((0, 3), dtype=np.int64)]
        for asked in _batches(counts):
            found.append(_facts(store, asked, entity_types, (entities, sorted(counts))))
            advance(sum(counts[relation] for relation in asked))
    rows = distinct(np.concatenate(found))
    if not len(rows):
        raise EmbeddingError(
            f"{store.uri}: no fact there has {_told(relations, types)}; "
            "'medkg query graph.relation_counts' says what there is"
        )
    return compact(entities, tuple(sorted(counts)), rows)


def _of_vocabulary(what: str, asked: Collection[str], known: Collection[str]) -> list[str]:
    for name in asked:
        if name not in known:
            folded = {word.casefold().replace("_", ""): word for word in known}
            key = name.casefold().replace("_", "")
            near = [folded[word] for word in get_close_matches(key, folded, n=3, cutoff=0.5)]
            raise EmbeddingError(
                f"there is no {what} type {name!r}; the nearest are {', '.join(near)}"
                if near
                else f"there is no {what} type {name!r}; known are {', '.join(known)}"
            )
    return sorted(set(asked))


def _told(relations: Sequence[str] | None, types: Sequence[str] | None) -> str:
    ends = f" between {' and '.join(types)}" if types else ""
    return (
        f"one of the relations {', '.join(relations)}{ends}" if relations else f"a relation{ends}"
    )


def _entities(store: Store, types: list[str]) -> Entities:
    rows = sorted(store.query("graph.entities", entity_types=types).rows)
    ids, of_types, names = (
        tuple(map(str, told)) for told in (zip(*rows, strict=True) if rows else ((), (), ()))
    )
    return Entities(ids, of_types, names)


def _batches(counts: Mapping[str, int]) -> Iterator[list[str]]:
    """Relations, few enough at once that their facts fit into the memory."""
    batch: list[str] = []
    for relation in sorted(counts):
        if batch and sum(counts[name] for name in [*batch, relation]) > _AT_ONCE:
            yield batch
            batch = []
        batch.append(relation)
    if batch:
        yield batch


def _facts(
    store: Store, relations: list[str], types: list[str], known: tuple[Entities, list[str]]
) -> IntArray:
    """Facts by the places of their parts among what is known; shape (facts, 3)."""
    rows = store.query("graph.triples", relations=relations, entity_types=types).rows
    if not rows:
        return np.empty((0, 3), dtype=np.int64)
    relation, head, tail = (
        pa.chunked_array([pa.array(told, pa.string())]) for told in zip(*rows, strict=True)
    )
    ids, named = pa.array(known[0].ids, pa.string()), pa.array(known[1], pa.string())
    try:
        columns = positions(head, ids), positions(relation, named), positions(tail, ids)
    except ValueError as e:
        raise EmbeddingError(
            f"{store.uri}: the graph was changed meanwhile ({e}); try again"
        ) from e
    return np.stack(columns, axis=1)
