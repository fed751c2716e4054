"""Scores are PyKEEN's own, by one matrix product or by PyKEEN."""

from typing import Any

import numpy as np
import pytest
import torch
from pykeen.evaluation import RankBasedEvaluator
from pykeen.models import ERModel

from kg.embeddings import scoring
from kg.embeddings.ranking import HEAD, TAIL, rank
from kg.embeddings.scoring import ClosedForm, ModelScorer, entity_tables, entity_vectors
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
        turned = model.score_hrt(torch.stack([tails, 2 * relations + 1, heads], dim=1)).view(-1)
        assert torch.allclose(back[each, heads], turned, atol=1e-4)


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


def test_a_model_without_vectors_of_entities_is_told() -> None:
    model = shaken("transe", {})
    model.entity_representations = torch.nn.ModuleList()
    with pytest.raises(EmbeddingError, match=r"TransE has no vectors of entities; take a model"):
        entity_vectors(model)
