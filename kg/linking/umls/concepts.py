"""Links the entities of a graph with UMLS concepts.

A CUI that a source states is kept. For every other entity, in this order: the concept that goes
by its names (``exact``); the concept with the most similar name, from the calibrated similarity on
(``tfidf``). Where two concepts are equally good the entity is left alone. Where a source states
another CUI than the one the linker is sure of, nothing changes and both are written down.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from kg.linking.umls.calibration import calibrate, thresholds
from kg.linking.umls.candidates import candidate_generator
from kg.linking.umls.configuration import UmlsConfig
from kg.linking.umls.entities import Entity, read_entities
from kg.linking.umls.exact import equal_concepts
from kg.linking.umls.kept import open_index
from kg.linking.umls.layer import LAYER, Link, replace_links
from kg.linking.umls.result import ConceptLinks
from kg.linking.umls.semantic_types import TYPES_OF
from kg.linking.umls.similar import Similar, choose, similar_concepts
from kg.progress import Progress, Silent
from kg.stores.disk import disk_errors
from kg.stores.store import Store
from kg.tables import SEPARATOR

DISAGREEMENTS: Final = pa.schema(
    [
        ("entity", pa.string()),
        ("type", pa.string()),
        ("name", pa.string()),
        ("source_cui", pa.string()),
        ("source_cui_read", pa.bool_()),
        ("linked_cui", pa.string()),
        ("linked_name", pa.string()),
        ("method", pa.string()),
        ("score", pa.float64()),
    ]
)
"""Columns of disagreements.parquet. ``source_cui``: all that sources state, joined by ``|``;
``source_cui_read``: one of them is among the concepts read, as a retired one is not."""

_SILENT: Final = Silent()


class Found(NamedTuple):
    """What the linker says of an entity, whatever its sources do."""

    entity: Entity
    link: Link | None
    fate: str
    """How it is linked or why it is left alone, one of ``kg.linking.umls.result.FATES``."""


def link_concepts(
    config: UmlsConfig, store: Store, folder: Path, layers: Path, progress: Progress = _SILENT
) -> ConceptLinks:
    """Give the entities of a graph their UMLS concepts, as the layer ``cui``.

    The layer of an earlier call is replaced, once the new links are found; a call that is
    stopped before that leaves the graph as it is.

    Args:
        config: the release, and what of it counts.
        store: the graph.
        folder: keeps the index of the release in ``index`` and gets disagreements.parquet.
        layers: where layers are kept.
        progress: shown meanwhile.

    Raises:
        ConfigurationError: the extra ``link`` is not installed.
        LinkingError: the release cannot be read, or its index cannot be built.
        StoreError: the store failed, the disk is full, or another layer stands on the earlier
            links.
    """
    index = open_index(config, folder / "index", progress)
    with progress.step("Reading the graph's names"):
        entities = read_entities(store, LAYER)
    generator = candidate_generator(index.folder, progress)
    concepts = generator.kb.cui_to_entity
    known = [entity for entity in entities if not entity.cuis.isdisjoint(concepts)]
    told = calibrate(known, generator, progress) if config.threshold is None else {}
    trusted = thresholds(told, TYPES_OF, config.threshold)
    found = _found(entities, index.folder, generator, trusted, progress)
    new = [each.link for each in found if each.link and not each.entity.cuis]
    names = {link.cui: concepts[link.cui].canonical_name for link in new}
    others = [each for each in found if _disagrees(each)]
    path = folder / "disagreements.parquet"
    with disk_errors(path):
        pq.write_table(_disagreements(others, concepts), path)
    return ConceptLinks(
        index=index,
        calibrated=told,
        thresholds=trusted,
        fates=Counter(
            (each.entity.type, "stated" if each.entity.cuis else each.fate) for each in found
        ),
        disagreements=Counter(
            (each.entity.type, each.link.method) for each in others if each.link
        ),
        disagreeing=path,
        changed=replace_links(new, names, store, layers, progress),
    )


def _found(
    entities: Sequence[Entity],
    folder: Path,
    generator: Any,  # noqa: ANN401 - of an untyped library
    trusted: Mapping[str, float],
    progress: Progress,
) -> list[Found]:
    """What the linker says of every entity."""
    with progress.step("Comparing names"):
        equal = equal_concepts(entities, folder)
    found = [_by_name(e, equal.called[e.id]) for e in entities if e.id in equal.called]
    rest = [entity for entity in entities if entity.id not in equal.called]
    asked = [entity for entity in rest if entity.type in trusted]
    near: dict[str, list[Similar]] = {}
    with progress.step("Looking for similar names", len(asked)) as advance:
        for entity, similar in similar_concepts(asked, generator, advance):
            near[entity.id] = similar
    for entity in rest:
        otherwise = "synonym" if entity.id in equal.synonyms else "without"
        threshold = trusted.get(entity.type, math.inf)
        found.append(_by_similarity(entity, near.get(entity.id, []), threshold, otherwise))
    return found


def _by_name(entity: Entity, best: Sequence[str]) -> Found:
    if len(best) > 1:
        return Found(entity, None, "ambiguous")
    return Found(entity, Link(entity.id, best[0], "exact", 1.0), "exact")


def _by_similarity(
    entity: Entity, near: Sequence[Similar], threshold: float, otherwise: str
) -> Found:
    choice = choose(near)
    if choice is None or choice.best.score < threshold:
        return Found(entity, None, otherwise)
    if choice.ambiguous:
        return Found(entity, None, "ambiguous")
    return Found(entity, Link(entity.id, choice.best.cui, "tfidf", choice.best.score), "tfidf")


def _disagrees(found: Found) -> bool:
    stated = found.entity.cuis
    return bool(found.link and stated and found.link.cui not in stated)


def _disagreements(
    found: Iterable[Found],
    concepts: Mapping[str, Any],
) -> pa.Table:
    """The table DISAGREEMENTS."""
    rows = [
        {
            "entity": entity.id,
            "type": entity.type,
            "name": entity.names[0],
            "source_cui": SEPARATOR.join(sorted(entity.cuis)),
            "source_cui_read": not entity.cuis.isdisjoint(concepts),
            "linked_cui": link.cui,
            "linked_name": concepts[link.cui].canonical_name,
            "method": link.method,
            "score": round(link.score, 4),
        }
        for entity, link, _ in found
        if link
    ]
    return pa.Table.from_pylist(rows, schema=DISAGREEMENTS)
