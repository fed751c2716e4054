"""The layer ``cui``: links of entities with UMLS concepts, as graph tables.

nodes.parquet has the concepts, edges/HAS_CUI.parquet the links; both name ``umls`` as source.
"""

import tempfile
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Final, Literal, NamedTuple

from kg.layers import LayerRows, apply_layers, write_layer
from kg.progress import Progress
from kg.stores.disk import disk_errors
from kg.stores.store import Store
from kg.tables import GraphTables
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


def write_links(links: Iterable[Link], names: Mapping[str, str], folder: Path) -> GraphTables:
    """Write the graph tables of the layer.

    Args:
        links: one for an entity.
        names: preferred name of every CUI of the links.
        folder: empty.
    """
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
    rows = LayerRows(nodes=nodes, edges={"HAS_CUI": edges})
    return write_layer(folder, LAYER, rows, f"medkg {version('medkg')} link --umls")


def replace_links(
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
        StoreError: the store failed; the earlier links are still there.
    """
    with disk_errors(layers), tempfile.TemporaryDirectory() as work:
        tables = write_links(links, names, Path(work) / LAYER)
        stamp = store.stamp()
        if dict(stamp.layers if stamp else ()).get(LAYER) == tables.summary().checksum:
            return False
        apply_layers([tables.folder], store, layers, progress, replace=True)
    return True
