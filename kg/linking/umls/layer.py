"""The layer ``cui``: links of entities with UMLS concepts, as graph tables.

nodes.parquet has the concepts, edges/HAS_CUI.parquet the links; both name ``umls`` as source.
"""

import tempfile
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Final, Literal, NamedTuple

import pyarrow.parquet as pq

from kg.layers import apply_layer
from kg.progress import Progress
from kg.stores.disk import disk_errors
from kg.stores.store import Store
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, GraphTables, TableSummary, arrow_table
from kg.text import normalise

LAYER: Final = "cui"
"""Its name."""
SOURCE: Final = "umls"
"""What its nodes and edges name as their source."""

Method = Literal["exact", "tfidf"]
"""How a link was found: by equal names, or by similar ones."""


class Link(NamedTuple):
    """An entity's concept."""

    entity: str
    cui: str
    method: Method
    score: float
    """In [0, 1]; 1 for an equal name."""


def write_layer(links: Iterable[Link], names: Mapping[str, str], folder: Path) -> GraphTables:
    """Write the graph tables of the layer.

    Args:
        links: one for an entity.
        names: preferred name of every CUI of the links.
        folder: empty.
    """
    tables = GraphTables(folder)
    (folder / "edges").mkdir(parents=True)
    ordered = sorted(links)
    cuis = sorted({link.cui for link in ordered})
    nodes = [
        {
            "id": f"UMLS:{cui}",
            "sources": [SOURCE],
            "type": "Concept",
            "name": names[cui],
            "normal_names": [normal] if (normal := normalise(names[cui])) else [],
            "cui": cui,
        }
        for cui in cuis
    ]
    edges = [
        {
            "head": link.entity,
            "tail": f"UMLS:{link.cui}",
            "sources": [SOURCE],
            "method": link.method,
            "score": round(link.score, 4),
        }
        for link in ordered
    ]
    pq.write_table(arrow_table(NODE_COLUMNS, nodes), tables.nodes)
    if edges:
        pq.write_table(arrow_table(EDGE_COLUMNS, edges), tables.edges("HAS_CUI"))
    tables.write_summary(
        TableSummary(
            name=LAYER,
            checksum=_checksum(tables),
            nodes={"Concept": len(nodes)} if nodes else {},
            edges={"HAS_CUI": len(edges)} if edges else {},
            made_by=f"medkg {version('medkg')} link --umls",
        )
    )
    return tables


def replace_layer(
    links: Iterable[Link],
    names: Mapping[str, str],
    store: Store,
    layers: Path,
    progress: Progress,
) -> bool:
    """Let the links take the place of those that an earlier call put into the graph.

    Args:
        links: one for an entity.
        names: preferred name of every CUI of the links.
        store: gets the layer.
        layers: where layers are kept.
        progress: shown meanwhile.

    Returns:
        Whether anything changed: equal links stay as they are.

    Raises:
        StoreError: the store failed, or another layer stands on the earlier links.
    """
    with disk_errors(layers), tempfile.TemporaryDirectory() as work:
        tables = write_layer(links, names, Path(work) / LAYER)
        stamp = store.stamp()
        applied = dict(stamp.layers) if stamp else {}
        if applied.get(LAYER) == tables.summary().checksum:
            return False
        if LAYER in applied:
            store.remove_layer(LAYER, progress)
        apply_layer(tables.folder, store, layers, progress)
    return True


def _checksum(tables: GraphTables) -> str:
    digest = blake2b(digest_size=16)
    for path in (tables.nodes, tables.edges("HAS_CUI")):
        if path.is_file():
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()
