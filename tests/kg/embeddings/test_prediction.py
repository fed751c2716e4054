"""What a model answers: ``<h, r, ?>``, ``<?, r, t>``, ``<h, ?, t>``, and what the graph lacks."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from kg.embeddings.artifact import Artifact, load_artifact
from kg.embeddings.completion import missing
from kg.embeddings.experiment import Experiment, Source
from kg.embeddings.prediction import Predicted, Predictor
from kg.embeddings.proposals import Proposed
from kg.embeddings.scoring import ModelScorer
from kg.embeddings.triples import Entities, Split
from kg.errors import EmbeddingError
from tests.kg.embeddings.small import DISEASES, SYMPTOMS, card_of, clinic_split, fresh, recipe


@pytest.fixture(scope="module")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> Artifact:
    """A ComplEx that has learned the clinic, with its calibration."""
    folder = tmp_path_factory.mktemp("models") / "clinic"
    of = recipe(epochs=40, n3=0.01, patience=99)
    Experiment(Source("clinic"), of, [0], folder, device="cpu").run(clinic_split())
    return load_artifact(folder)


@pytest.fixture(scope="module")
def predictor(artifact: Artifact) -> Predictor:
    return Predictor(artifact)


def facts(split: Split) -> set[tuple[str, str, str]]:
    ids, relations = split.entities.ids, split.relations
    return {(ids[h], relations[r], ids[t]) for h, r, t in split.known}


def test_tails_are_ranked_by_the_models_own_score(
    artifact: Artifact, predictor: Predictor
) -> None:
    found = predictor.tails("D:03", "HAS_SYMPTOM", 99)
    ids = artifact.split.entities.ids
    own = ModelScorer(artifact.model).tails(torch.tensor([ids.index("D:03")]), torch.tensor([0]))
    assert [each.rank for each in found] == list(range(1, SYMPTOMS + 1))
    assert all(one.score >= other.score for one, other in pairwise(found))
    for each in found:
        assert each.score == pytest.approx(own[0, ids.index(each.id)].item(), rel=1e-6)
    assert found[0].name == found[0].id.replace("S:", "symptom ")


def test_what_is_known_is_marked_at_both_ends(artifact: Artifact, predictor: Predictor) -> None:
    known = facts(artifact.split)
    tails = predictor.tails("D:03", "HAS_SYMPTOM", 99)
    heads = predictor.heads("IS_A", "D:03", 99)
    assert {each.known for each in tails} == {each.known for each in heads} == {True, False}
    for each in tails:
        assert each.known == (("D:03", "HAS_SYMPTOM", each.id) in known)
        assert each.known == (each.probability is None)
    for each in heads:
        assert each.known == ((each.id, "IS_A", "D:03") in known)


def test_only_what_is_of_a_fitting_type_is_asked_unless_any_is(predictor: Predictor) -> None:
    assert {each.type for each in predictor.tails("D:03", "HAS_SYMPTOM", 99)} == {"Symptom"}
    assert {each.type for each in predictor.heads("HAS_SYMPTOM", "S:03", 99)} == {"Disease"}
    whole = predictor.tails("D:03", "HAS_SYMPTOM", 99, any_type=True)
    assert len(whole) == DISEASES + SYMPTOMS - 1  # not itself
    assert {each.type for each in whole} == {"Disease", "Symptom"}
    unfitting = [each.probability for each in whole if each.type == "Disease"]
    assert unfitting == [None] * (DISEASES - 1)


@pytest.mark.parametrize("any_type", [False, True])
def test_what_is_asked_about_is_no_answer_and_has_no_rank(
    any_type: bool, predictor: Predictor
) -> None:
    for found in (
        predictor.tails("D:03", "IS_A", 99, any_type),
        predictor.heads("IS_A", "D:03", 99, any_type),
    ):
        assert "D:03" not in {each.id for each in found}
        assert [each.rank for each in found] == list(range(1, len(found) + 1))
        assert len(found) == DISEASES - 1 + any_type * SYMPTOMS


def test_a_thing_that_never_stands_there_is_answered_without_probability(
    predictor: Predictor,
) -> None:
    for found in (
        predictor.tails("S:03", "HAS_SYMPTOM", 99),
        predictor.heads("HAS_SYMPTOM", "D:03", 99, any_type=True),
    ):
        assert len(found) >= SYMPTOMS - 1
        assert {each.probability for each in found} == {None}
    assert predictor.unseen_type("symptom 03", "HAS_SYMPTOM", head=True) == "Symptom"
    assert predictor.unseen_type("D:03", "HAS_SYMPTOM", head=False) == "Disease"
    assert predictor.unseen_type("D:03", "HAS_SYMPTOM", head=True) is None
    assert predictor.unseen_type("S:03", "HAS_SYMPTOM", head=False) is None


def resembling(folder: Path) -> Artifact:
    """Of six things without types: a symmetric relation, and a fact that was left out."""
    rows, none = np.array([[0, 0, 1], [1, 0, 2], [3, 0, 4]]), np.empty((0, 3), dtype=np.int64)
    left_out = np.array([[0, 0, 5]])
    split = Split(Entities(tuple("abcdef")), ("RESEMBLES",), rows, none, none, left_out)
    of = recipe()
    card = card_of(split, of, calibration={"tails": (1.0, 0.0), "heads": (1.0, 0.0)})
    return Artifact(folder, card, split, fresh(of, split))


def test_inverse_and_left_out_facts_are_known(tmp_path: Path) -> None:
    predictor = Predictor(resembling(tmp_path))
    found = {each.id: each.known for each in predictor.tails("b", "RESEMBLES", 9)}
    assert found == {"a": True, "c": True, "d": False, "e": False, "f": False}
    for found in (
        {each.id: each.known for each in predictor.tails("a", "RESEMBLES", 9)},
        {each.id: each.known for each in predictor.heads("RESEMBLES", "a", 9)},
    ):
        assert found == {"b": True, "c": False, "d": False, "e": False, "f": True}
    assert [each.known for each in predictor.relations("f", "a", 9)] == [True]


def test_a_probability_is_the_same_whether_other_types_are_asked_or_not(
    predictor: Predictor,
) -> None:
    some = {each.id: each for each in predictor.tails("D:03", "HAS_SYMPTOM", 99)}
    wider = {each.id: each for each in predictor.tails("D:03", "HAS_SYMPTOM", 99, any_type=True)}
    assert some.keys() < wider.keys()
    assert {each: wider[each].probability for each in some} == {
        each: some[each].probability for each in some
    }


@pytest.mark.parametrize(
    "ask",
    [
        lambda predictor: predictor.tails("D:07", "HAS_SYMPTOM", 99),
        lambda predictor: predictor.heads("HAS_SYMPTOM", "S:02", 99, any_type=True),
    ],
)
def test_probabilities_fall_with_scores(
    ask: Callable[[Predictor], list[Predicted]], predictor: Predictor
) -> None:
    found = [each.probability for each in ask(predictor) if each.probability is not None]
    assert len(found) > 3
    assert all(0 <= other <= one <= 1 for one, other in pairwise(found))


def test_a_query_all_of_whose_candidates_are_known_has_no_probabilities(tmp_path: Path) -> None:
    rows = np.array([[0, 0, 1], [0, 0, 2]])
    split = Split(Entities(("a", "b", "c"), ("A", "B", "B")), ("R",), rows, rows[:0], rows[:0])
    of = recipe()
    card = card_of(split, of, calibration={"tails": (1.0, 0.0), "heads": (1.0, 0.0)})
    predictor = Predictor(Artifact(tmp_path, card, split, fresh(of, split)))
    assert [each.known for each in predictor.tails("a", "R", 9)] == [True, True]
    whole = predictor.tails("a", "R", 9, any_type=True)
    assert [each.probability for each in whole] == [None] * 2


def test_relations_between_two_are_ranked_and_marked(predictor: Predictor) -> None:
    found = predictor.relations("D:03", "S:03", 9, any_type=True)
    assert [(each.rank, each.id, each.known) for each in found] == [
        (1, "HAS_SYMPTOM", True),
        (2, "IS_A", False),
    ]
    assert found[0].score > found[1].score


def test_only_relations_that_stand_between_such_types_are_asked(predictor: Predictor) -> None:
    assert [each.id for each in predictor.relations("D:03", "S:04", 9)] == ["HAS_SYMPTOM"]
    assert [each.id for each in predictor.relations("D:03", "D:01", 9)] == ["IS_A"]
    assert predictor.relations("S:01", "S:02", 9) == []


def test_a_relation_is_scored_by_the_shares_of_both_ends(
    artifact: Artifact, predictor: Predictor
) -> None:
    ids, model = artifact.split.entities.ids, artifact.model
    head, tail = ids.index("D:03"), ids.index("S:03")
    scored = predictor.relations("D:03", "S:03", 9, any_type=True)
    assert {each.id for each in scored} == set(artifact.split.relations)
    for each in scored:
        relation = artifact.split.relations.index(each.id)
        forth = model.predict_t(torch.tensor([[head, relation]])).log_softmax(1)[0, tail]
        back = model.predict_h(torch.tensor([[relation, tail]])).log_softmax(1)[0, head]
        assert each.score == pytest.approx(((forth + back) / 2).item(), rel=1e-5)


def test_the_limit_is_kept(predictor: Predictor) -> None:
    assert len(predictor.tails("D:03", "HAS_SYMPTOM", 2)) == 2
    assert len(predictor.relations("D:03", "S:03", 1, any_type=True)) == 1


def test_an_entity_is_found_by_its_name_however_it_is_written(predictor: Predictor) -> None:
    by_id = predictor.tails("D:03", "HAS_SYMPTOM", 3)
    assert predictor.tails("Disease 03", "HAS_SYMPTOM", 3) == by_id


def test_what_is_unknown_is_refused_and_the_nearest_named(predictor: Predictor) -> None:
    with pytest.raises(EmbeddingError, match=r"no entity 'disase 03'; .* disease 03 \(D:03\)"):
        predictor.tails("disase 03", "HAS_SYMPTOM", 3)
    with pytest.raises(EmbeddingError, match=r"no entity 'D:033'; the nearest are .*D:03"):
        predictor.tails("D:033", "HAS_SYMPTOM", 3)
    with pytest.raises(EmbeddingError, match=r"no relation 'has_sympton'; .* HAS_SYMPTOM"):
        predictor.tails("D:03", "has_sympton", 3)
    for text in ("", " ", "\ud800", "病"):
        with pytest.raises(EmbeddingError, match="no entity"):
            predictor.relations("D:03", text, 3)


def test_a_name_of_two_entities_is_refused_with_their_ids(tmp_path: Path) -> None:
    graph, of = clinic_split(), recipe()
    entities = Entities(graph.entities.ids, graph.entities.types, ("Cold",) * 30)
    split = Split(entities, graph.relations, graph.train, graph.valid, graph.test)
    artifact = Artifact(tmp_path, card_of(split, of), split, fresh(of))
    with pytest.raises(EmbeddingError, match=r"'cold' is the name of D:00, D:01, .* give the id"):
        Predictor(artifact).tails("cold", "HAS_SYMPTOM", 3)


def test_without_types_and_names_all_entities_are_asked_by_id(tmp_path: Path) -> None:
    graph, of = clinic_split(), recipe()
    bare = Split(
        Entities(graph.entities.ids), graph.relations, graph.train, graph.valid, graph.test
    )
    predictor = Predictor(Artifact(tmp_path, card_of(bare, of), bare, fresh(of)))
    found = predictor.tails("D:03", "HAS_SYMPTOM", 99)
    assert len(found) == DISEASES + SYMPTOMS - 1
    assert predictor.unseen_type("D:03", "HAS_SYMPTOM", head=False) is None
    assert {(each.name, each.type, each.probability) for each in found} == {(None, None, None)}
    with pytest.raises(EmbeddingError, match=r"no entity 'D:3'; the nearest are .*D:03"):
        predictor.tails("D:3", "HAS_SYMPTOM", 3)


# --- what the graph lacks ------------------------------------------------------------------


@pytest.mark.parametrize("relation", ["HAS_SYMPTOM", "IS_A"])
def test_only_what_is_not_known_fits_and_is_no_loop_is_proposed(
    relation: str, artifact: Artifact
) -> None:
    found = missing(artifact, relation, 0.0)
    ids, types = artifact.split.entities.ids, artifact.split.entities.types
    type_of = dict(zip(ids, types or (), strict=True))
    known = facts(artifact.split)
    fitting = {"HAS_SYMPTOM": "Symptom", "IS_A": "Disease"}[relation]
    train = artifact.split.train
    heads = {ids[head] for head, of, _ in train if artifact.split.relations[of] == relation}
    expected = {
        (head, relation, tail)
        for head in heads
        for tail in ids
        if type_of[tail] == fitting and head != tail
    } - known
    assert {(each.head, each.relation, each.tail) for each in found} == expected
    assert all(one.probability >= other.probability for one, other in pairwise(found))


def test_a_proposal_has_the_probability_of_the_prediction(
    artifact: Artifact, predictor: Predictor
) -> None:
    proposed = missing(artifact, "HAS_SYMPTOM", 0.0)
    for head in ("D:03", "D:11"):
        predicted = {
            each.id: each for each in predictor.tails(head, "HAS_SYMPTOM", 99) if not each.known
        }
        own = [each for each in proposed if each.head == head]
        assert [each.rank for each in own] == list(range(1, len(predicted) + 1))
        for each in own:
            assert each.score == pytest.approx(predicted[each.tail].score, rel=1e-5)
            assert each.probability == pytest.approx(predicted[each.tail].probability, rel=1e-4)


def test_nothing_under_the_threshold_or_beyond_the_limit_is_proposed(artifact: Artifact) -> None:
    every = missing(artifact, "HAS_SYMPTOM", 0.0)
    least = every[9].probability
    assert missing(artifact, "HAS_SYMPTOM", least) == every[:10]
    assert missing(artifact, "HAS_SYMPTOM", 0.0, limit=4) == every[:4]
    assert missing(artifact, "HAS_SYMPTOM", 1.0) == []


def test_of_a_symmetric_relation_each_two_things_are_proposed_once(tmp_path: Path) -> None:
    found = missing(resembling(tmp_path), "RESEMBLES", 0.0)
    # heads a, b and d are asked; a-b, b-c, d-e and a-f are known
    assert sorted("".join(sorted((each.head, each.tail))) for each in found) == [
        "ac", "ad", "ae", "bd", "be", "bf", "cd", "df",
    ]  # fmt: skip
    assert all(one.probability >= other.probability for one, other in pairwise(found))
    for limit in range(1, 9):
        assert missing(resembling(tmp_path), "RESEMBLES", 0.0, limit) == found[:limit]


def test_no_more_is_made_than_is_proposed(
    artifact: Artifact, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Proposed] = []

    def counted(*values: Any) -> Proposed:  # noqa: ANN401 - of any field
        made.append(Proposed(*values))
        return made[-1]

    monkeypatch.setattr("kg.embeddings.completion.Proposed", counted)
    assert missing(artifact, "HAS_SYMPTOM", 0.0, limit=4) == made
    assert len(made) == 4


def test_nothing_is_proposed_without_calibration_or_of_an_unknown_relation(
    artifact: Artifact, tmp_path: Path
) -> None:
    with pytest.raises(EmbeddingError, match=r"no relation 'HAS'; the nearest are HAS_SYMPTOM"):
        missing(artifact, "HAS", 0.5)
    bare = Artifact(
        tmp_path, artifact.card.model_copy(update={"calibration": {}}), artifact.split,
        artifact.model,
    )  # fmt: skip
    with pytest.raises(EmbeddingError, match=r"has no calibration, .* train it .* --valid"):
        missing(bare, "HAS_SYMPTOM", 0.5)
