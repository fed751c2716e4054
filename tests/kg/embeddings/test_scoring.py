"""Scores are PyKEEN's own, by one matrix product or by PyKEEN; baselines are popularity and chance."""

from typing import Any

import numpy as np
import pytest
import torch
from pykeen.evaluation import RankBasedEvaluator
from pykeen.models import ERModel

from kg.embeddings import scoring
from kg.embeddings.metrics import summarise
from kg.embeddings.ranking import HEAD, TAIL, rank
from kg.embeddings.scoring import (
    BASELINES,
    ClosedForm,
    Degree,
    ModelScorer,
    Random,
    RelationFrequency,
    entity_tables,
    entity_vectors,
)
from kg.embeddings.triples import Entities, Split
from kg.errors import EmbeddingError
from tests.kg.embeddings.small import clinic_split, fresh, recipe

CLOSED: list[tuple[str, dict[str, Any]]] = [
    ("transe", {"scoring_fct_norm": 1}),
    ("transe", {"scoring_fct_norm": 2}),
    ("distmult", {}),
    ("complex", {}),
    ("rotate", {}),
    ("conve", {}),
]
OPEN: list[tuple[str, dict[str, Any]]] = [
    ("tucker", {}),
    ("hole", {}),
    ("simple", {}),
    ("transh", {}),
    ("pairre", {}),
    ("transr", {}),
    ("quate", {}),
    ("boxe", {}),
    ("compgcn", {}),
    ("transe", {"power_norm": True}),
    ("transe", {"scoring_fct_norm": 3}),
]


def shaken(name: str, arguments: dict[str, Any]) -> ERModel:
    """A model whose weights and buffers, those of batch normalisation too, are no round numbers."""
    model = fresh(recipe(name, arguments=arguments))
    draw = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for value in model.state_dict().values():
            if value.is_floating_point():
                value.add_(torch.rand(value.shape, generator=draw))
    model.post_parameter_update()  # RotatE's relations have modulus 1
    return model.eval()


@pytest.mark.parametrize(("name", "arguments"), CLOSED + OPEN)
def test_scores_are_those_of_pykeen(name: str, arguments: dict[str, Any]) -> None:
    model = shaken(name, arguments)
    assert (ClosedForm.of(model) is not None) == ((name, arguments) in CLOSED)
    rows = torch.from_numpy(clinic_split().train)
    heads, relations, tails = rows.T
    ours = ModelScorer(model)
    with torch.no_grad():
        forth, back = ours.tails(heads, relations), ours.heads(relations, tails)
        assert forth.dtype == back.dtype == torch.float32
        assert torch.allclose(forth, model.predict_t(rows[:, :2]), atol=1e-4)
        assert torch.allclose(back, model.predict_h(rows[:, 1:]), atol=1e-4)
        each = torch.arange(len(rows))
        own = model.predict_hrt(rows).view(-1)
        assert torch.allclose(forth[each, tails], own, atol=1e-4)
        inverse = model.score_hrt(torch.stack([tails, 2 * relations + 1, heads], dim=1)).view(-1)
        assert torch.allclose(back[each, heads], inverse, atol=1e-4)


def test_pykeen_is_asked_for_some_entities_at_a_time_where_all_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scorer = ModelScorer(shaken("tucker", {}))
    heads, relations = torch.tensor([0, 3, 4]), torch.tensor([0, 1, 0])
    whole = scorer.tails(heads, relations)
    monkeypatch.setattr(scoring, "_AT_ONCE", 3 * 16 * 7)
    assert torch.allclose(scorer.tails(heads, relations), whole, atol=1e-5)


@pytest.mark.parametrize("name", ["complex", "conve", "rotate", "tucker"])
def test_ranks_of_a_model_are_those_of_pykeens_evaluator(name: str) -> None:
    split = clinic_split(0.2, 0.3)
    model = shaken(name, {})
    evaluator = RankBasedEvaluator(filtered=True, clear_on_finalize=False)
    evaluator.evaluate(
        model,
        torch.from_numpy(split.test),
        batch_size=8,
        use_tqdm=False,
        additional_filter_triples=[torch.from_numpy(split.train), torch.from_numpy(split.valid)],
    )
    ours = rank(ModelScorer(model), split.test, split.known)
    for column, side in ((HEAD, "head"), (TAIL, "tail")):
        theirs = np.concatenate(evaluator.ranks[side, "realistic"])
        assert ours.realistic[:, column].tolist() == theirs.tolist()


def test_a_complex_number_is_two_columns() -> None:
    vectors, bias = entity_tables(fresh(recipe("rotate", dim=5)))
    assert vectors.shape == (30, 10)
    assert bias is None
    assert entity_tables(fresh(recipe("conve")))[1] is not None


@pytest.mark.parametrize("name", ["transe", "complex", "conve"])
def test_vectors_are_the_table_of_a_model_that_has_one(name: str) -> None:
    model = shaken(name, {})
    vectors = entity_vectors(model)
    assert vectors.dtype == np.float32
    assert vectors.tolist() == entity_tables(model)[0].tolist()


def test_several_vectors_of_an_entity_are_side_by_side() -> None:
    model = shaken("simple", {})
    first, second = (table(indices=None).detach() for table in model.entity_representations)
    assert entity_vectors(model).tolist() == torch.cat([first, second], dim=1).tolist()
    assert entity_vectors(shaken("quate", {})).shape == (30, 4 * 16)


def test_vectors_of_a_model_that_passes_messages_are_those_after_it() -> None:
    model = shaken("compgcn", {})
    [first, second] = entity_vectors(model)[:2]
    ends = torch.from_numpy(first), torch.from_numpy(second)
    relation = model.relation_representations[0](torch.tensor([0]))
    score = model.interaction(ends[0], relation, ends[1]).item()
    assert score == pytest.approx(model.score_hrt(torch.tensor([[0, 0, 1]])).item(), rel=1e-5)


def test_a_model_without_vectors_of_entities_is_refused() -> None:
    model = shaken("transe", {})
    model.entity_representations = torch.nn.ModuleList()
    with pytest.raises(EmbeddingError, match=r"TransE has no vectors of entities; take a model"):
        entity_vectors(model)


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
