"""Filtered ranks of triples: the rank of the true entity among all candidates for its end.

Both ends of a triple are ranked in turn: every entity is scored as tail of ``<h, r, ?>`` and as
head of ``<?, r, t>``, and those that make another known triple are left out (Bordes et al. 2013,
"Translating embeddings for modeling multi-relational data", section 4.1, the filtered setting).
Entities with the same score as the true one are ranked behind it in the optimistic rank and
before it in the pessimistic one; the realistic rank is their mean (Berrendorf et al. 2020, "On
the ambiguity of rank-based evaluation", section 3).
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
"""True entities of a query from which on sorting its scores is faster than comparing each."""

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
        known: all known triples, shape (known, 3); as ``Known`` where they are used again.
        batch: how many queries are scored at once, at most.
        progress: shown meanwhile, in ends, two per triple.
        name: of the progress bar.

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
            for places, numbers in side.ranked(batch):
                ranks[:, places, column] = numbers
                advance(len(places))
    return Ranks(rows, *ranks)


class _Side(NamedTuple):
    """The queries for one end of triples."""

    scorer: Scorer
    tails: bool
    """Whether tails are sought, not heads."""
    known: Answers
    entities: IntArray
    """The end that is given; shape (triples,), as the next two."""
    relations: IntArray
    sought: IntArray

    def ranked(self, batch: int) -> Iterator[tuple[IntArray, IntArray]]:
        """Positions of some triples, and their optimistic and pessimistic ranks and candidates."""
        keys = query_keys(self.entities, self.relations)
        order = np.argsort(keys, kind="stable")
        queries, first = np.unique(keys[order], return_index=True)
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
            ranks = [
                _ranks_of_query(
                    scores[at - start],
                    self.sought[order[first[at] : ends[at]]],
                    self.known.entities[known_first[at] : known_ends[at]],
                )
                for at in span
            ]
            yield order[first[start] : ends[span[-1]]], np.concatenate(ranks, axis=1)
            start = span.stop

    def _scores(self, places: IntArray) -> _Scores | None:
        """Scores of every entity for the queries of these triples; shape (places, entities).

        None: fewer at once might fit into the memory.
        """
        given = torch.from_numpy(self.entities[places])
        by = torch.from_numpy(self.relations[places])
        try:
            rows = self.scorer.tails(given, by) if self.tails else self.scorer.heads(by, given)
            scores: _Scores = rows.cpu().numpy()
        except (MemoryError, RuntimeError) as e:
            if not is_out_of_memory(e):
                raise
            if len(places) > 1:
                return None
            raise TooLittleMemoryError(
                "the scores of one query do not fit into the memory; end other programs that use "
                "memory, or name another device with --device"
            ) from e
        bad = np.flatnonzero(np.isnan(scores.min(axis=1)))  # the least of a row with NaN is NaN
        if bad.size:
            place = places[bad[0]]
            entity, relation = self.entities[place], self.relations[place]
            query = f"<{entity}, {relation}, ?>" if self.tails else f"<?, {relation}, {entity}>"
            raise EmbeddingError(
                f"the scores of {query} (positions) hold NaN; the model is useless, train it "
                "anew with a lower learning rate"
            )
        return scores


def _ranks_of_query(scores: _Scores, sought: IntArray, known: IntArray) -> IntArray:
    """Ranks of the true answers to a query.

    Args:
        scores: of every entity, shape (entities,).
        sought: the answers to rank, shape (sought,).
        known: the other known answers, and any of those sought.

    Returns:
        Optimistic rank, pessimistic rank and candidates, shape (3, sought).
    """
    true = scores[sought]
    known = np.union1d(known, sought)
    greater, at_least = _counts(scores, true)
    known_greater, known_at_least = _counts(scores[known], true)
    candidates = np.full(len(sought), len(scores) - len(known) + 1)
    return np.stack([greater - known_greater + 1, at_least - known_at_least + 1, candidates])


def _counts(scores: _Scores, true: _Scores) -> tuple[IntArray, IntArray]:
    """How many scores are greater than each true one, and how many at least as great."""
    if len(true) < _SORTED_FROM:
        counts = [
            (np.count_nonzero(scores > one), np.count_nonzero(scores >= one)) for one in true
        ]
        greater, at_least = np.array(counts, dtype=np.int64).reshape(-1, 2).T
        return greater, at_least
    ordered = np.sort(scores)
    not_greater = np.searchsorted(ordered, true, side="right")
    smaller = np.searchsorted(ordered, true, side="left")
    return len(scores) - not_greater, len(scores) - smaller
