from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from pykeen.evaluation import RankBasedEvaluator
from pykeen.models import DistMult, ERModel, TransE
from pykeen.triples import CoreTriplesFactory
from torch import Tensor

from kg.embeddings.candidates import Known
from kg.embeddings.ranking import HEAD, TAIL, Ranks, rank
from kg.embeddings.triples import IntArray
from kg.errors import EmbeddingError

ENTITIES = 60
RELATIONS = 4


@dataclass
class Matrix:
    """Scores by relation, head and tail, and how many queries were asked of it."""

    scores: Tensor
    asked: int = 0

    def tails(self, heads: Tensor, relations: Tensor) -> Tensor:
        self.asked += len(heads)
        return self.scores[relations, heads]

    def heads(self, relations: Tensor, tails: Tensor) -> Tensor:
        self.asked += len(tails)
        return self.scores[relations, :, tails]


@dataclass
class Pykeen:
    """A PyKEEN model without inverse relations as a scorer."""

    model: ERModel

    def tails(self, heads: Tensor, relations: Tensor) -> Tensor:
        scores: Tensor = self.model.score_t(torch.stack([heads, relations], dim=1))
        return scores

    def heads(self, relations: Tensor, tails: Tensor) -> Tensor:
        scores: Tensor = self.model.score_h(torch.stack([relations, tails], dim=1))
        return scores


def graph(triples: int, seed: int = 0) -> IntArray:
    """Distinct triples, in random order; many heads and relations have many tails."""
    draw = np.random.default_rng(seed)
    sizes = (ENTITIES // 3, RELATIONS, ENTITIES)
    return draw.permutation(np.unique(draw.integers(sizes, size=(triples, 3)), axis=0))


def weighted(make: Callable[..., ERModel], train: IntArray, levels: int) -> Pykeen:
    """A model whose weights are small integers: scores are exact, and some are the same."""
    factory = CoreTriplesFactory(torch.from_numpy(train), ENTITIES, RELATIONS)
    model = make(triples_factory=factory, embedding_dim=4, random_seed=1)
    draw = torch.Generator().manual_seed(levels)
    for weights in model.parameters():
        weights.data = torch.randint(-levels, levels + 1, weights.shape, generator=draw).float()
    return Pykeen(model.eval())


@pytest.mark.parametrize("make", [DistMult, TransE])
@pytest.mark.parametrize("levels", [1, 4, 100])
def test_ranks_are_those_of_pykeens_evaluator(
    make: Callable[..., ERModel],
    levels: int,
) -> None:
    rows = graph(2000)
    train, test = rows[:-600], rows[-600:]
    scorer = weighted(make, train, levels)
    evaluator = RankBasedEvaluator(filtered=True, clear_on_finalize=False)
    evaluator.evaluate(
        scorer.model,
        torch.from_numpy(test),
        batch_size=64,
        use_tqdm=False,
        additional_filter_triples=torch.from_numpy(train),
    )
    ours = rank(scorer, test, rows, batch=7)
    for column, side in ((HEAD, "head"), (TAIL, "tail")):
        for kind in ("optimistic", "pessimistic", "realistic"):
            theirs = np.concatenate(evaluator.ranks[side, kind])
            assert getattr(ours, kind)[:, column].tolist() == theirs.tolist()
        counts = np.concatenate(evaluator.num_candidates[side])
        assert ours.candidates[:, column].tolist() == counts.tolist()
    assert levels == 100 or (ours.optimistic < ours.pessimistic).any()


def test_known_triples_are_left_out_and_ties_counted_both_ways() -> None:
    # tails of <0, 0, ?>: 1 is true, 2 better and known, 3 better, 4 level, 5 level and known
    scores = torch.zeros(1, 6, 6)
    scores[0, 0] = torch.tensor([-1.0, 5, 9, 8, 5, 5])
    rows = np.array([[0, 0, 1]])
    known = np.array([[0, 0, 1], [0, 0, 2], [0, 0, 5], [3, 0, 1]])
    ranks = rank(Matrix(scores), rows, known)
    assert ranks.optimistic.tolist() == [[1, 2]]
    assert ranks.pessimistic.tolist() == [[1, 3]]
    assert ranks.realistic.tolist() == [[1.0, 2.5]]
    assert ranks.candidates.tolist() == [[5, 4]]


def test_ranked_triples_count_as_known_whether_they_are_listed_or_not() -> None:
    rows, scorer = graph(500), Matrix(torch.rand(RELATIONS, ENTITIES, ENTITIES))
    nothing = np.empty((0, 3), dtype=np.int64)
    assert same(rank(scorer, rows, nothing), rank(scorer, rows, rows))


@pytest.mark.parametrize("batch", [1, 3, 1000])
def test_batch_changes_nothing(batch: int) -> None:
    rows, scorer = graph(900), Matrix(torch.rand(RELATIONS, ENTITIES, ENTITIES).round(decimals=1))
    known = Known.of(np.concatenate([rows, graph(300, seed=1)]))
    assert same(rank(scorer, rows, known, batch=batch), rank(scorer, rows, known))


def test_order_of_triples_is_the_order_of_ranks() -> None:
    rows, scorer = graph(900), Matrix(torch.rand(RELATIONS, ENTITIES, ENTITIES))
    ranks, reversed_ = rank(scorer, rows, rows), rank(scorer, rows[::-1], rows)
    assert reversed_.pessimistic.tolist() == ranks.pessimistic[::-1].tolist()


def test_shared_query_is_scored_once() -> None:
    rows = np.array([[0, 0, 1], [0, 0, 2], [0, 1, 2], [0, 0, 3]])
    scorer = Matrix(torch.rand(2, 4, 4))
    rank(scorer, rows, rows)
    assert scorer.asked == 2 + 4  # <0, 0, ?>, <0, 1, ?>; four heads


def test_infinite_scores_rank_like_others() -> None:
    scores = torch.tensor([[[-np.inf, 0.0, np.inf], [0, 0, 0], [0, 0, 0]]])
    rows = np.array([[0, 0, 0], [0, 0, 2]])
    ranks = rank(Matrix(scores), rows, rows)
    assert ranks.pessimistic[:, TAIL].tolist() == [2, 1]


def test_no_triples_have_no_ranks() -> None:
    nothing = np.empty((0, 3), dtype=np.int64)
    ranks = rank(Matrix(torch.rand(1, 2, 2)), nothing, nothing)
    assert len(ranks) == 0
    assert ranks.realistic.shape == (0, 2)


def test_nan_among_scores_is_refused_with_its_query() -> None:
    scores = torch.rand(2, 5, 5)
    scores[1, 3, 4] = torch.nan
    rows = np.array([[0, 0, 1], [3, 1, 2]])
    with pytest.raises(EmbeddingError, match=r"<3, 1, \?>.* NaN; .*lower learning rate"):
        rank(Matrix(scores), rows, rows)
    rows = np.array([[0, 0, 1], [2, 1, 4]])
    with pytest.raises(EmbeddingError, match=r"<\?, 1, 4>.* NaN; .*lower learning rate"):
        rank(Matrix(scores), rows, rows)


REFUSALS = [
    torch.OutOfMemoryError(),
    MemoryError(),
    RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
]


@dataclass
class Small(Matrix):
    """Takes few queries at once."""

    refusal: Exception = REFUSALS[0]
    most: int = 3

    def tails(self, heads: Tensor, relations: Tensor) -> Tensor:
        if len(heads) > self.most:
            raise self.refusal
        return super().tails(heads, relations)


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda error: type(error).__name__)
def test_fewer_queries_are_scored_at_once_where_the_memory_is_small(refusal: Exception) -> None:
    rows, scores = graph(900), torch.rand(RELATIONS, ENTITIES, ENTITIES)
    small = Small(scores, refusal=refusal)
    assert same(rank(small, rows, rows), rank(Matrix(scores), rows, rows))
    with pytest.raises(EmbeddingError, match=r"one query do not fit into the memory; .*--device"):
        rank(Small(scores, refusal=refusal, most=0), rows, rows)


def test_another_error_of_the_scorer_is_not_hidden() -> None:
    rows, scores = graph(9), torch.rand(RELATIONS, ENTITIES, ENTITIES)
    with pytest.raises(RuntimeError, match="shapes"):
        rank(Small(scores, refusal=RuntimeError("shapes"), most=0), rows, rows)


@pytest.mark.parametrize(
    ("rows", "batch", "message"),
    [
        ([[0, 0]], 1, r"shape \(1, 2\)"),
        ([[0, -1, 0]], 1, "negative"),
        ([[0, 0, 7]], 1, "entity 7 has no score: 3"),
        ([[0, 0, 1]], 0, "batch is 0"),
    ],
)
def test_what_are_no_triples_of_the_model_is_refused(
    rows: list[list[int]], batch: int, message: str
) -> None:
    given = np.array(rows)
    with pytest.raises(ValueError, match=message):
        rank(Matrix(torch.rand(1, 3, 3)), given, given, batch=batch)


def test_known_triples_give_the_answers_of_a_query_from_either_end() -> None:
    known = Known.of(np.array([[5, 1, 2], [0, 1, 2], [5, 1, 0], [5, 1, 2], [5, 0, 4]]))
    starts, ends = known.tails.bounds((np.array([1, 0, 2]) << 32) | np.array([5, 9, 5]))
    found = [known.tails.entities[a:b].tolist() for a, b in zip(starts, ends, strict=True)]
    assert found == [[0, 2], [], []]
    assert known.heads.entities.tolist() == [5, 5, 0, 5]  # of <?, 0, 4>, <?, 1, 0>, <?, 1, 2>
    assert known.heads.starts.tolist() == [0, 1, 2, 4]


def test_more_entities_than_can_be_numbered_are_refused() -> None:
    with pytest.raises(ValueError, match="too many to number"):
        Known.of(np.array([[2**31 - 1, 2**31 - 1, 0]]))


def same(one: Ranks, other: Ranks) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("rows", "optimistic", "pessimistic", "candidates")
    )
