"""Our own sentences: the gold file holds what it says, and the linker does well on it."""

from pathlib import Path

import pytest

from kg.linking import Linker
from kg.linking.evaluation import evaluate
from kg.linking.gold import Gold
from tests.experiments.linking.own_sentences import SENTENCES, UNSEEN, own_sentences
from tests.experiments.linking.vocabularies import hpo, mondo


@pytest.fixture(scope="module", params=[SENTENCES, UNSEEN], ids=["sentences", "unseen"])
def gold(request: pytest.FixtureRequest) -> Gold:
    return Gold.read(request.param)


@pytest.fixture(scope="module")
def linker(shared_data: Path) -> Linker:
    return Linker.of_names(next(own_sentences(shared_data, 1)).names)


def test_both_languages_negation_and_family_are_there(gold: Gold) -> None:
    assert {text.language for text in gold.texts} == {"en", "zh"}
    mentions = [mention for text in gold.texts for mention in text.mentions]
    assert sum(bool(mention.negated) for mention in mentions) > 5
    assert sum(bool(mention.family) for mention in mentions) > 2


def test_every_id_is_one_of_hpo_or_mondo(gold: Gold, shared_data: Path) -> None:
    known = {entity.id for entity in [*hpo(shared_data), *mondo(shared_data)]}
    ids = {id_ for text in gold.texts for mention in text.mentions for id_ in mention.ids}
    assert ids <= known


def test_sentences_are_linked_with_hpo_and_mondo(gold: Gold, linker: Linker) -> None:
    done = evaluate(linker, gold)
    linking = {(row.group, row.spans): row.retrieval.f1 or 0.0 for row in done.linking}
    assert linking["language en", "overlapping"] > 0.8
    assert linking["all", "exact"] > 0.7
    assert all((flag.retrieval.f1 or 0.0) > 0.8 for flag in done.flags)
