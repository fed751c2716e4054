"""What a trained model gives a graph: vectors of its nodes, and edges that it takes for likely.

Both are layers: ``embeddings`` has the vectors, ``predictions`` the edges, all of the relation
type PREDICTED, which no query about facts meets.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from kg.errors import EmbeddingError
from kg.layers import LayerRows, write_layer
from kg.tables import ENTITIES, SEPARATOR, VECTOR_COLUMNS, GraphTables, arrow_schema
from kg.vocabulary import PREDICTED

VECTORS: Final = "embeddings"
"""Name of the layer of vectors."""

PREDICTIONS: Final = "predictions"
"""Name of the layer of predicted edges."""

_MOST_DIMENSIONS: Final = 4096
"""What Neo4j's index takes."""

Matrix = npt.NDArray[np.float32]


class Likely(Protocol):
    """A triple that a model proposes, as ``proposals.Proposed`` is."""

    @property
    def head(self) -> str:
        """Id of a node."""

    @property
    def relation(self) -> str:
        """Name of the relation that is predicted."""

    @property
    def tail(self) -> str:
        """Id of a node."""

    @property
    def probability(self) -> float:
        """In [0, 1]."""


def write_vectors(
    ids: Sequence[str], matrix: Matrix, folder: Path, made_by: str, space: str = ENTITIES
) -> GraphTables:
    """Write the layer of vectors.

    Args:
        ids: of nodes of the graph, in any order, none twice.
        matrix: float32, shape (ids, dimensions); finite, no row all zero.
        folder: empty, or not there yet.
        made_by: goes into the summary.
        space: name of the space that the vectors are in.

    Raises:
        EmbeddingError: there is no vector, or it is longer than an index takes, or one is all
            zero or not finite.
        StoreError: the folder cannot be written.
        ValueError: the shapes disagree, or an id comes twice.
    """
    if matrix.ndim != 2 or len(ids) != len(matrix) or len(set(ids)) != len(ids):  # noqa: PLR2004 - ids by dimensions
        raise ValueError(f"{len(ids)} ids, each once, do not fit a matrix of {matrix.shape}")
    _check(ids, matrix)
    order = np.argsort(np.array(ids, dtype=object), kind="stable")
    rows = np.ascontiguousarray(matrix[order], dtype=np.float32)
    ordered = [ids[at] for at in order]
    size = rows.shape[1]
    starts = np.arange(0, rows.size + 1, size, dtype=np.int32)
    table = pa.table(
        [
            pa.array(ordered, pa.string()),
            pa.ListArray.from_arrays(starts, pa.array(rows.ravel(), pa.float32())),
        ],
        schema=arrow_schema(VECTOR_COLUMNS),
    )
    return write_layer(folder, layer_of(space), LayerRows(vectors=table, space=space), made_by)


def layer_of(space: str) -> str:
    """Name of the layer that has the vectors of a space."""
    return VECTORS if space == ENTITIES else f"{VECTORS}.{space}"


def write_predictions(
    proposed: Iterable[Likely], folder: Path, made_by: str, method: str | Sequence[str]
) -> GraphTables:
    """Write the layer of predicted edges; a pair predicted under several relations is one edge.

    Such an edge names all its relations, and the models of all; its score is that of the
    likeliest of them.

    Args:
        proposed: by models; both ends are nodes of the graph.
        folder: empty, or not there yet.
        made_by: goes into the summary.
        method: the model's name, which every edge carries; or that of each one proposed.

    Raises:
        EmbeddingError: nothing is proposed.
        StoreError: the folder cannot be written.
        ValueError: a probability is not in [0, 1], or there are more or fewer models.
    """
    ones = list(proposed)
    models = [method] * len(ones) if isinstance(method, str) else method
    pairs: dict[tuple[str, str], dict[str, tuple[float, str]]] = {}
    for one, model in zip(ones, models, strict=True):
        if not 0.0 <= one.probability <= 1.0:
            raise ValueError(f"{one.head} {one.relation} {one.tail}: {one.probability}")
        found = pairs.setdefault((one.head, one.tail), {})
        said = (one.probability, model)
        found[one.relation] = max(said, found.get(one.relation, said))
    if not pairs:
        raise EmbeddingError("the model proposes no edge to write; lower the least probability")
    rows: list[dict[str, object]] = [
        {
            "head": head,
            "tail": tail,
            "original_relation": SEPARATOR.join(sorted(relations)),
            "method": SEPARATOR.join(sorted({model for _, model in relations.values()})),
            "score": float(max(relations.values())[0]),
        }
        for (head, tail), relations in sorted(pairs.items())
    ]
    return write_layer(folder, PREDICTIONS, LayerRows(edges={PREDICTED: rows}), made_by)


def _check(ids: Sequence[str], matrix: Matrix) -> None:
    """See that every vector has a direction.

    Raises:
        EmbeddingError: one has none, or there is none, or it is too long.
    """
    count, size = matrix.shape
    if not count or not 0 < size <= _MOST_DIMENSIONS:
        raise EmbeddingError(
            f"{count} vectors of length {size} cannot be written; a graph takes some of at most "
            f"{_MOST_DIMENSIONS}, so train with another dimension"
        )
    lengths = np.linalg.norm(matrix.astype(np.float64), axis=1)
    unfit = np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0.0)))
    if len(unfit):
        raise EmbeddingError(
            f"the vector of {ids[unfit[0]]} is all zero or not finite, so nothing is similar to "
            "it; train the model anew with a lower learning rate"
        )
