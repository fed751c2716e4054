"""Filtered ranks of triples: where the true end stands among all that could stand there.

Of a triple, either end is sought in turn: every entity is scored as tail of ``<h, r, ?>`` and as
head of ``<?, r, t>``, and those that make another known triple are left out (Bordes et al. 2013,
"Translating embeddings for modeling multi-relational data", section 4.1, the filtered setting).
What scores the same as the true end stands behind it in the optimistic rank and before it in
the pessimistic one; the realistic rank is their mean (Berrendorf et al. 2020, "On the ambiguity
of rank-based evaluation", section 3).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from kg.embeddings.candidates import Answers, Known, checked_columns, query_keys
from kg.embeddings.memory import TooLittleMemoryError, is_out_of_memory
from kg.embeddings.scoring import Scorer
from kg.embeddings.triples import FloatArray, IntArray
from kg.errors import EmbeddingError
from kg.progress import Progress, Silent

HEAD: Final = 0
"""Column of the ranks of heads, sought by ``<?, r, t>``."""
TAIL: Final = 1
"""Column of the ranks of tails, sought by ``<h, r, ?>``."""
BATCH: Final = 64
"""Queries that are scored at once."""

_SILENT: Final = Silent()
_SORTED_FROM: Final = 24
"""To sort the scores of a query takes about as long as to compare them with so many."""

_Scores = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Ranks:
    """Ranks of triples, 1 the best, in the order of the triples."""

    rows: IntArray
    """The triples; shape (triples, 3)."""
    optimistic: IntArray
    """Shape (triples, 2): columns HEAD and TAIL, as in the other two."""
    pessimistic: IntArray
    candidates: IntArray
    """How many entities were ranked, the true one among them."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def realistic(self) -> FloatArray:
        """Mean of optimistic and pessimistic; shape (triples, 2)."""
        realistic: FloatArray = (self.optimistic + self.pessimistic) / 2
        return realistic


def rank(
    scorer: Scorer,
    rows: IntArray,
    known: Known | IntArray,
    *,
    batch: int = BATCH,
    progress: Progress = _SILENT,
    name: str = "Ranking",
) -> Ranks:
    """Rank both ends of triples among all entities that make no other known triple.

    A query that several of the triples share is scored once. Beside the scorer this needs
    memory for ``batch`` rows of scores; where that is refused, half as many are tried, and so on.

    Args:
        scorer: what is measured; it is given positions on the CPU and may score on any device.
        rows: the triples to rank, shape (triples, 3). They count as known too.
        known: all known triples, shape (known, 3); as ``Known`` where they serve often.
        batch: how many queries are scored at once, at most.
        progress: told of each end that is ranked, two a triple.
        name: of the step that is shown.

    Raises:
        EmbeddingError: a score is NaN, or the memory does not suffice for one query.
        ValueError: rows or known are no triples, have entities that are not scored, or the
            batch is less than 1.
    """
    if batch < 1:
        raise ValueError(f"batch is {batch}; it is at least 1")
    head, relation, tail = checked_columns(rows)
    lists = known if isinstance(known, Known) else Known.of(known)
    sides = {
        TAIL: _Side(scorer, True, lists.tails, head, relation, tail),
        HEAD: _Side(scorer, False, lists.heads, tail, relation, head),
    }
    ranks = np.empty((3, len(rows), 2), dtype=np.int64)
    with progress.step(name, total=2 * len(rows)) as advance, torch.inference_mode():
        for column, side in sides.items():
            for places, found in side.ranked(batch):
                ranks[:, places, column] = found
                advance(len(places))
    return Ranks(rows, *ranks)


class _Side(NamedTuple):
    """What is asked of a scorer to find one end of triples."""

    scorer: Scorer
    tails: bool
    """Whether tails are sought, not heads."""
    known: Answers
    entities: IntArray
    """The end that is given; shape (triples,), as the next two."""
    relations: IntArray
    sought: IntArray

    def ranked(self, batch: int) -> Iterator[tuple[IntArray, IntArray]]:
        """Some triples, and their optimistic ranks, pessimistic ranks and candidates."""
        asked = query_keys(self.entities, self.relations)
        order = np.argsort(asked, kind="stable")
        queries, first = np.unique(asked[order], return_index=True)
        ends = np.append(first[1:], len(order))
        known_first, known_ends = self.known.bounds(queries)
        last = max(self.sought.max(initial=0), self.known.entities.max(initial=0))
        start = 0
        while start < len(queries):
            span = range(start, min(start + batch, len(queries)))
            scores = self._scores(order[first[span]])
            if scores is None:
                batch = len(span) // 2
                continue
            if last >= scores.shape[1]:
                raise ValueError(f"entity {last} has no score: {scores.shape[1]} entities have")
            found = [
                _places(
                    scores[at - start],
                    self.sought[order[first[at] : ends[at]]],
                    self.known.entities[known_first[at] : known_ends[at]],
                )
                for at in span
            ]
            yield order[first[start] : ends[span[-1]]], np.concatenate(found, axis=1)
            start = span.stop

    def _scores(self, places: IntArray) -> _Scores | None:
        """Scores of every entity for the queries of these triples; shape (places, entities).

        None: fewer at once might fit into the memory.
        """
        given = torch.from_numpy(self.entities[places])
        by = torch.from_numpy(self.relations[places])
        try:
            asked = self.scorer.tails(given, by) if self.tails else self.scorer.heads(by, given)
            scores: _Scores = asked.cpu().numpy()
        except (MemoryError, RuntimeError) as e:
            if not is_out_of_memory(e):
                raise
            if len(places) > 1:
                return None
            raise TooLittleMemoryError(
                "the scores of one query do not fit into the memory; end what else takes memory, "
                "or name another device with --device"
            ) from e
        self._check(scores, places)
        return scores

    def _check(self, scores: _Scores, places: IntArray) -> None:
        bad = np.flatnonzero(np.isnan(scores.min(axis=1)))  # the least of a row with NaN is NaN
        if bad.size:
            place = places[bad[0]]
            entity, relation = self.entities[place], self.relations[place]
            query = f"<{entity}, {relation}, ?>" if self.tails else f"<?, {relation}, {entity}>"
            raise EmbeddingError(
                f"the scores of {query} (positions) hold NaN; the model is of no use, train it "
                "anew with a lower learning rate"
            )


def _places(scores: _Scores, sought: IntArray, known: IntArray) -> IntArray:
    """Ranks of the answers to a query.

    Args:
        scores: of every entity, shape (entities,).
        sought: the answers to rank, shape (sought,).
        known: the other answers, and any of those sought.

    Returns:
        Optimistic rank, pessimistic rank and candidates, shape (3, sought).
    """
    true = scores[sought]
    known = np.union1d(known, sought)
    above, level = _above(scores, true)
    known_above, known_level = _above(scores[known], true)
    candidates = np.full(len(sought), len(scores) - len(known) + 1)
    return np.stack([above - known_above + 1, level - known_level + 1, candidates])


def _above(scores: _Scores, true: _Scores) -> tuple[IntArray, IntArray]:
    """How many scores are greater than each true one, and how many at least as great."""
    if len(true) < _SORTED_FROM:
        above = [np.count_nonzero(scores > one) for one in true]
        level = [np.count_nonzero(scores >= one) for one in true]
        return np.array(above), np.array(level)
    ordered = np.sort(scores)
    above_ = len(scores) - np.searchsorted(ordered, true, side="right")
    return above_, len(scores) - np.searchsorted(ordered, true, side="left")
