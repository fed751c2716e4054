import numpy as np
import pytest
import torch

from kg.embeddings.baselines import BASELINES, Degree, Random, RelationFrequency
from kg.embeddings.metrics import summarise
from kg.embeddings.ranking import HEAD, TAIL, rank
from kg.embeddings.triples import Entities, Split

TRAIN = np.array([[0, 0, 1], [0, 0, 2], [3, 0, 1], [1, 1, 0], [1, 1, 1]])


def test_random_mrr_is_that_of_chance() -> None:
    # the rank of c candidates is any of 1 … c as likely: E[1 / rank] = (1 + 1/2 + … + 1/c) / c,
    # E[1 / rank ** 2] likewise
    entities, count = 200, 3000
    draw = np.random.default_rng(0)
    rows = np.unique(draw.integers((entities, 5, entities), size=(count, 3)), axis=0)
    ranks = rank(Random(entities, seed=3), rows, rows)
    places = 1 / np.arange(1, entities + 1)
    mean = np.cumsum(places) * places
    spread = np.cumsum(places**2) * places - mean**2
    of = ranks.candidates - 1
    error = np.sqrt(spread[of].sum()) / of.size
    assert summarise(ranks).both.mrr == pytest.approx(mean[of].mean(), abs=4 * error)
    assert 4 * error < mean[of].mean() / 5


def test_random_gives_a_query_the_same_scores_in_any_batch() -> None:
    scorer = Random(50, seed=1)
    heads, relations = torch.tensor([4, 7, 4]), torch.tensor([0, 0, 1])
    together = scorer.tails(heads, relations)
    alone = [scorer.tails(heads[[at]], relations[[at]])[0] for at in range(3)]
    assert torch.equal(together, torch.stack(alone))
    assert together.dtype == torch.float32


def test_random_differs_by_query_side_and_seed() -> None:
    entity, relation = torch.tensor([4]), torch.tensor([2])
    scores = [
        Random(50, seed=1).tails(entity, relation),
        Random(50, seed=2).tails(entity, relation),
        Random(50, seed=1).heads(relation, entity),
        Random(50, seed=1).tails(entity, entity),
        Random(50, seed=1).tails(relation, relation),
    ]
    assert len({tuple(each[0].tolist()) for each in scores}) == len(scores)


def test_degree_counts_both_ends_for_every_query() -> None:
    scorer = Degree(TRAIN, 5)
    degrees = [3.0, 5.0, 1.0, 1.0, 0.0]
    assert scorer.tails(torch.tensor([0, 4]), torch.tensor([1, 0])).tolist() == [degrees] * 2
    assert scorer.heads(torch.tensor([1]), torch.tensor([2])).tolist() == [degrees]


def test_relation_frequency_counts_the_end_of_the_relation() -> None:
    scorer = RelationFrequency(TRAIN, 5)
    assert scorer.tails(torch.tensor([0, 0, 3]), torch.tensor([1, 0, 1])).tolist() == [
        [1, 1, 0, 0, 0],
        [0, 2, 1, 0, 0],
        [1, 1, 0, 0, 0],
    ]
    assert scorer.heads(torch.tensor([0]), torch.tensor([2])).tolist() == [[2, 0, 0, 1, 0]]


def test_relation_without_triples_has_no_frequent_end() -> None:
    scorer = RelationFrequency(TRAIN, 5)
    assert scorer.heads(torch.tensor([7]), torch.tensor([2])).tolist() == [[0] * 5]


def test_every_baseline_ranks_a_split_and_popularity_beats_chance() -> None:
    # every test triple's tail is the entity that is the tail of most
    train = np.array([[at, 0, 0] for at in range(1, 30)] + [[at, 0, 1] for at in range(30, 40)])
    test = np.array([[at, 0, 0] for at in range(30, 40)])
    names = tuple(f"X:{at:02}" for at in range(40))
    split = Split(Entities(names), ("R",), train, test[:0], test)
    found = {
        name: rank(make(split), test, split.known).realistic for name, make in BASELINES.items()
    }
    assert found["relation frequency"][:, TAIL].max() == 1
    assert found["degree"][:, TAIL].max() == 1
    assert found["random"][:, TAIL].mean() > 5
    assert found["random"][:, HEAD].min() >= 1
