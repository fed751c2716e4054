"""Layers of a trained model: vectors of the graph's nodes, and predicted edges.

The layer ``embeddings`` has the vectors, ``predictions`` the edges, all of the relation type
PREDICTED, which no query about facts matches.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol

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
"""Of a vector in Neo4j's index."""

Matrix = npt.NDArray[np.float32]


class Likely(Protocol):
    """A predicted triple, such as ``proposals.Proposed``."""

    @property
    def head(self) -> str:
        """Id of a node."""

    @property
    def relation(self) -> str:
        """Name of the predicted relation."""

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
        EmbeddingError: there is no vector, or they are longer than an index takes, or one is all
            zero or not finite.
        StoreError: the folder cannot be written.
        ValueError: the shapes disagree, or an id occurs twice.
    """
    if matrix.ndim != 2 or len(ids) != len(matrix) or len(set(ids)) != len(ids):  # noqa: PLR2004 - ids by dimensions
        raise ValueError(f"{len(ids)} ids, each once, do not fit a matrix of {matrix.shape}")
    count, size = matrix.shape
    if not count or not 0 < size <= _MOST_DIMENSIONS:
        raise EmbeddingError(
            f"{count} vectors of length {size} cannot be written; a graph takes one or more, of "
            f"length at most {_MOST_DIMENSIONS}, so train with another --dim"
        )
    lengths = np.linalg.norm(matrix.astype(np.float64), axis=1)
    unfit = np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0.0)))
    if len(unfit):
        raise EmbeddingError(
            f"the vector of {ids[unfit[0]]} is all zero or not finite, so nothing is similar to "
            "it; train the model anew with a lower learning rate"
        )
    order = np.argsort(np.array(ids, dtype=object), kind="stable")
    rows = np.ascontiguousarray(matrix[order], dtype=np.float32)
    ordered = [ids[at] for at in order]
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
    """Name of the layer with the vectors of a space."""
    return VECTORS if space == ENTITIES else f"{VECTORS}.{space}"


class _Prediction(NamedTuple):
    """Of one relation between a pair; ordered by probability, then model."""

    probability: float
    model: str


def write_predictions(
    proposed: Iterable[Likely], folder: Path, made_by: str, method: str | Sequence[str]
) -> GraphTables:
    """Write the layer of predicted edges; a pair predicted under several relations is one edge.

    Such an edge names all its relations and all their models; its score is the highest of their
    probabilities.

    Args:
        proposed: predicted triples; both ends are nodes of the graph.
        folder: empty, or not there yet.
        made_by: goes into the summary.
        method: the name of the model, or that of each triple's model.

    Raises:
        EmbeddingError: nothing is proposed.
        StoreError: the folder cannot be written.
        ValueError: a probability is not in [0, 1], or there are more or fewer models than triples.
    """
    ones = list(proposed)
    models = [method] * len(ones) if isinstance(method, str) else method
    pairs: dict[tuple[str, str], dict[str, _Prediction]] = {}
    for one, model in zip(ones, models, strict=True):
        if not 0.0 <= one.probability <= 1.0:
            raise ValueError(f"{one.head} {one.relation} {one.tail}: {one.probability}")
        relations = pairs.setdefault((one.head, one.tail), {})
        prediction = _Prediction(one.probability, model)
        relations[one.relation] = max(prediction, relations.get(one.relation, prediction))
    if not pairs:
        raise EmbeddingError("the model proposes no edge to write; lower the least probability")
    rows: list[dict[str, object]] = [
        {
            "head": head,
            "tail": tail,
            "original_relation": SEPARATOR.join(sorted(relations)),
            "method": SEPARATOR.join(sorted({each.model for each in relations.values()})),
            "score": float(max(each.probability for each in relations.values())),
        }
        for (head, tail), relations in sorted(pairs.items())
    ]
    return write_layer(folder, PREDICTIONS, LayerRows(edges={PREDICTED: rows}), made_by)
