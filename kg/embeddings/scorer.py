"""What gives scores to triples: a trained model, or a baseline to hold it against."""

from typing import Protocol

from torch import Tensor


class Scorer(Protocol):
    """Scores every entity as the missing end of a triple; the higher, the likelier."""

    def tails(self, heads: Tensor, relations: Tensor) -> Tensor:
        """Scores of every entity as tail of ``<h, r, ?>``.

        Args:
            heads: positions of entities, int64, shape (batch,).
            relations: positions of relations, int64, shape (batch,).

        Returns:
            float32, shape (batch, entities).
        """
        ...

    def heads(self, relations: Tensor, tails: Tensor) -> Tensor:
        """Scores of every entity as head of ``<?, r, t>``.

        Args:
            relations: positions of relations, int64, shape (batch,).
            tails: positions of entities, int64, shape (batch,).

        Returns:
            float32, shape (batch, entities).
        """
        ...
