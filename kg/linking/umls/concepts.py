"""Links the entities of a graph with UMLS concepts.

A CUI that a source states is kept. For every other entity, in this order: the concept that goes
by its names (``exact``); the concept with the most similar name, if the similarity reaches the
calibrated threshold (``tfidf``). Where two concepts are equally good the entity is left alone. Where a source states
another CUI than the one that the linker would choose, nothing changes and both are recorded.
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
from kg.linking.umls.index import open_index
from kg.linking.umls.layer import LAYER, Link, replace_links
from kg.linking.umls.matching import Similar, choose, equal_concepts, similar_concepts
from kg.linking.umls.result import ConceptLinks
from kg.linking.umls.semantic_types import TYPES_OF
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


class EntityLink(NamedTuple):
    """The linker's result for an entity, whatever CUI its sources state."""

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
        StoreError: the store failed, the disk is full, or another layer depends on the earlier
            links.
    """
    index = open_index(config, folder / "index", progress)
    with progress.step("Reading the graph's names"):
        entities = read_entities(store, LAYER)
    generator = candidate_generator(index.folder, progress)
    concepts = generator.kb.cui_to_entity
    with_stated_cui = [entity for entity in entities if not entity.cuis.isdisjoint(concepts)]
    calibrated = (
        calibrate(with_stated_cui, generator, progress) if config.threshold is None else {}
    )
    trusted = thresholds(calibrated, TYPES_OF, config.threshold)
    links = _entity_links(entities, index.folder, generator, trusted, progress)
    new_links = [link.link for link in links if link.link and not link.entity.cuis]
    names = {link.cui: concepts[link.cui].canonical_name for link in new_links}
    disagreeing = [
        link
        for link in links
        if link.link and link.entity.cuis and link.link.cui not in link.entity.cuis
    ]
    path = folder / "disagreements.parquet"
    with disk_errors(path):
        pq.write_table(_disagreements(disagreeing, concepts), path)
    return ConceptLinks(
        index=index,
        calibrated=calibrated,
        thresholds=trusted,
        fates=Counter(
            (link.entity.type, "stated" if link.entity.cuis else link.fate) for link in links
        ),
        disagreements=Counter(
            (link.entity.type, link.link.method) for link in disagreeing if link.link
        ),
        disagreeing=path,
        changed=replace_links(new_links, names, store, layers, progress),
    )


def _entity_links(
    entities: Sequence[Entity],
    folder: Path,
    generator: Any,  # noqa: ANN401 - of an untyped library
    trusted: Mapping[str, float],
    progress: Progress,
) -> list[EntityLink]:
    """The linker's result for every entity."""
    with progress.step("Comparing names"):
        equal = equal_concepts(entities, folder)
    links: list[EntityLink] = []
    rest: list[Entity] = []
    for entity in entities:
        cuis = equal.by_preferred_name.get(entity.id, ())
        if len(cuis) == 1:
            links.append(EntityLink(entity, Link(entity.id, cuis[0], "exact", 1.0), "exact"))
        elif cuis:
            links.append(EntityLink(entity, None, "ambiguous"))
        else:
            rest.append(entity)
    to_compare = [entity for entity in rest if entity.type in trusted]
    similar_names: dict[str, list[Similar]] = {}
    with progress.step("Looking for similar names", len(to_compare)) as advance:
        for entity, similar in similar_concepts(to_compare, generator, advance):
            similar_names[entity.id] = similar
    for entity in rest:
        otherwise = "synonym" if entity.id in equal.synonym_only else "without"
        threshold = trusted.get(entity.type, math.inf)
        links.append(
            _link_by_similarity(entity, similar_names.get(entity.id, []), threshold, otherwise)
        )
    return links


def _link_by_similarity(
    entity: Entity, near: Sequence[Similar], threshold: float, otherwise: str
) -> EntityLink:
    choice = choose(near)
    if choice is None or choice.best.score < threshold:
        return EntityLink(entity, None, otherwise)
    if choice.ambiguous:
        return EntityLink(entity, None, "ambiguous")
    return EntityLink(
        entity, Link(entity.id, choice.best.cui, "tfidf", choice.best.score), "tfidf"
    )


def _disagreements(
    links: Iterable[EntityLink],
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
        for entity, link, _ in links
        if link
    ]
    return pa.Table.from_pylist(rows, schema=DISAGREEMENTS)
