"""What a step learns is what PyKEEN's would, and what dense Adagrad would."""

from typing import Any

import numpy as np
import pytest
import torch
from pykeen.models import ERModel
from pykeen.training import LCWATrainingLoop
from pykeen.triples import CoreTriplesFactory, LCWAInstances
from torch.utils.data import default_collate

from kg.embeddings.objectives import OneToN, RowAdagrad, SharedNegatives, make_loss, with_inverses
from kg.embeddings.recipe import Recipe
from kg.errors import EmbeddingError
from tests.kg.embeddings.small import clinic_split, fresh, recipe

TRAIN = clinic_split().train
ENTITIES, RELATIONS = 30, 2


def factory() -> CoreTriplesFactory:
    return CoreTriplesFactory(TRAIN, ENTITIES, RELATIONS, create_inverse_triples=True)


def test_inverse_relations_are_numbered_as_pykeen_numbers_them() -> None:
    theirs = factory()._add_inverse_triples_if_necessary(torch.from_numpy(TRAIN))
    assert {tuple(row) for row in with_inverses(TRAIN).tolist()} == {
        tuple(row) for row in theirs.tolist()
    }


@pytest.mark.parametrize("loss", ["crossentropy", "bcewithlogits", "marginranking", "nssa"])
@pytest.mark.parametrize("model", ["complex", "transe", "distmult", "tucker", "conve"])
def test_loss_of_1_n_scoring_is_that_of_pykeens_lcwa(model: str, loss: str) -> None:
    smoothing = 0.1 if loss == "bcewithlogits" else 0.0
    # of its own accord DistMult has a regulariser and TransE normalises
    of = recipe(model, arguments={}, loss=loss, label_smoothing=smoothing, batch=10_000)
    ours, theirs = fresh(of).eval(), fresh(of).eval()
    [mine] = OneToN(ours, of, make_loss(of), TRAIN).losses(np.random.default_rng(0))
    instances = LCWAInstances.from_triples_factory(factory(), target=2)
    pykeens = LCWATrainingLoop._process_batch_static(
        model=theirs,
        score_method=theirs.score_t,
        loss=make_loss(of),
        num_targets=ENTITIES,
        mode=None,
        batch=default_collate([instances[at] for at in range(len(instances))]),
        start=None,
        stop=None,
        label_smoothing=smoothing,
    )
    assert mine.item() == pytest.approx(pykeens.item(), rel=1e-5)
    mine.backward()
    pykeens.backward()
    for one, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert torch.allclose(one.grad, other.grad, atol=1e-5)


def test_every_query_is_learned_from_once_an_epoch_and_none_alone() -> None:
    queries = len(np.unique(with_inverses(TRAIN)[:, :2], axis=0))
    of = recipe("conve", batch=queries - 1)
    objective = OneToN(fresh(of), of, make_loss(of), TRAIN)
    assert objective.steps == 1
    seen = [
        len(chosen)
        for batch in (7, queries, queries + 9)
        for chosen in _batches(recipe("conve", batch=batch))
    ]
    assert sum(seen) == 3 * queries
    assert min(seen) > 1


def test_every_triple_and_its_inverse_is_learned_from_once_an_epoch() -> None:
    of = recipe(negatives=4, batch=7)
    objective = SharedNegatives(fresh(of), of, make_loss(of), TRAIN, ENTITIES)
    seen: list[torch.Tensor] = []
    objective._loss_of = lambda rows, _: seen.append(rows)  # type: ignore[method-assign, assignment, return-value]
    list(objective.losses(np.random.default_rng(0)))
    assert len(seen) == objective.steps
    assert {len(rows) for rows in seen[:-1]} == {14}
    assert sorted(map(tuple, torch.cat(seen).tolist())) == sorted(
        map(tuple, with_inverses(TRAIN).tolist())
    )


def _batches(of: Recipe) -> list[Any]:
    objective = OneToN(fresh(of), of, make_loss(of), TRAIN)
    chosen: list[Any] = []
    objective._loss_of = chosen.append  # type: ignore[method-assign, assignment]  # to see what it gets
    list(objective.losses(np.random.default_rng(0)))
    return chosen


def adagrad_steps(of: Recipe, sparse: bool) -> ERModel:
    """A model after two epochs, by rows or, where Adam is named, by whole tables."""
    model = fresh(of).double()  # where a gradient is naught, Adagrad makes much of rounding
    torch.manual_seed(0)
    named = of.changed({"optimizer": "adagrad" if sparse else "adam"})
    objective = SharedNegatives(model, named, make_loss(of), TRAIN, ENTITIES)
    optimiser_class = RowAdagrad if sparse else torch.optim.Adagrad
    optimiser = optimiser_class(model.parameters(), lr=0.1)
    random = np.random.default_rng(3)
    sparse_or_not = set()
    for _ in range(2):
        for loss in objective.losses(random):
            optimiser.zero_grad()
            loss.backward()
            grad = model.entity_representations[0]._embeddings.weight.grad
            sparse_or_not.add(grad.is_sparse)
            optimiser.step()
    assert sparse_or_not == {sparse}
    return model


@pytest.mark.filterwarnings("ignore:Sparse invariant checks:UserWarning")
@pytest.mark.parametrize("loss", ["crossentropy", "softplus"])
@pytest.mark.parametrize("model", ["complex", "transe", "rotate", "conve"])
def test_adagrad_by_rows_gives_the_weights_of_dense_adagrad(model: str, loss: str) -> None:
    of = recipe(model, negatives=5, batch=8, loss=loss, n3=0.01 if model == "complex" else 0.0)
    rows, dense = (adagrad_steps(of, sparse).state_dict() for sparse in (True, False))
    before = fresh(of).double().state_dict()
    name = "entity_representations.0._embeddings.weight"
    assert not torch.allclose(rows[name], before[name], atol=1e-2)
    for key, value in dense.items():
        assert torch.allclose(rows[key], value, atol=1e-6), key


@pytest.mark.parametrize("model", ["complex", "tucker"])
def test_each_negative_stands_for_the_entities_that_were_not_sampled(model: str) -> None:
    of = recipe(model, negatives=ENTITIES)
    made = fresh(of).eval()
    objective = SharedNegatives(made, of, make_loss(of), TRAIN, ENTITIES)
    both, negatives = torch.from_numpy(with_inverses(TRAIN[:6])), torch.arange(ENTITIES)
    ours = objective._loss_of(both, negatives).item() - float(made.collect_regularization_term())
    scores = made.score_t(both[:, :2]).detach()
    positive = scores[torch.arange(12), both[:, 2]]
    others = scores.exp().sum(1) - positive.exp()
    expected = -(positive - (positive.exp() + others * (ENTITIES - 1) / ENTITIES).log()).mean()
    assert ours == pytest.approx(expected.item(), rel=1e-4)


@pytest.mark.parametrize("loss", ["mse", "softplus", "marginranking", "nssa", "doublemargin"])
def test_a_negative_that_is_the_true_tail_counts_for_nothing(loss: str) -> None:
    of = recipe("distmult", negatives=3, loss=loss)
    made = fresh(of).eval()
    objective = SharedNegatives(made, of, make_loss(of), TRAIN, ENTITIES)
    row = torch.from_numpy(with_inverses(TRAIN[:1]))
    head, _, tail = row[0].tolist()
    other = next(at for at in range(ENTITIES) if at not in {head, tail})
    alone = objective._loss_of(row, torch.tensor([other, other, other]))
    beside = objective._loss_of(row, torch.tensor([other, tail, head]))
    assert 0 < beside.item() < 10 * alone.item()  # a score of -1e9 in place of it would show


def test_losses_with_options_keep_them() -> None:
    found = [
        SharedNegatives(fresh(of).eval(), of, make_loss(of), TRAIN, ENTITIES)
        ._loss_of(torch.from_numpy(with_inverses(TRAIN[:4])), torch.arange(9))
        .item()
        for of in (
            recipe(loss="infonce", negatives=9, loss_arguments={"margin": margin})
            for margin in (0.0, 3.0)
        )
    ]
    assert found[1] > found[0] + 1


def test_what_does_not_go_together_is_refused() -> None:
    smooth = recipe(negatives=5, label_smoothing=0.1)
    with pytest.raises(EmbeddingError, match=r"--label-smoothing 0\.1 .*set it to 0"):
        SharedNegatives(fresh(smooth), smooth, make_loss(smooth), TRAIN, ENTITIES)
    for of in (recipe("tucker", n3=0.1), recipe("distmult", arguments={}, dropout=0.1)):
        with pytest.raises(EmbeddingError, match="--n3 and --dropout do nothing for this"):
            OneToN(fresh(of), of, make_loss(of), TRAIN)


def test_n3_is_the_mean_sum_of_cubed_moduli() -> None:
    # Lacroix et al. 2018, equation 5, here of one fact's query
    of, plain = (recipe(n3=n3, batch=10_000) for n3 in (0.5, 0.0))
    model = fresh(of)
    with_it, without = (
        next(OneToN(model, one, make_loss(one), TRAIN).losses(np.random.default_rng(0)))
        for one in (of, plain)
    )
    pairs = torch.from_numpy(np.unique(with_inverses(TRAIN)[:, :2], axis=0))
    rows = (
        model.entity_representations[0](pairs[:, 0]),
        model.relation_representations[0](pairs[:, 1]),
    )
    expected = 0.5 * sum(each.abs().pow(3).sum(1).mean() for each in rows)
    assert (with_it - without).item() == pytest.approx(expected.item(), rel=1e-3)
