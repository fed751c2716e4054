from collections.abc import Iterable, Mapping
from types import SimpleNamespace

import pytest

from kg.linking.umls.calibration import Calibrated, calibrate, thresholds
from kg.linking.umls.entities import Entity
from kg.linking.umls.matching import Choice, Similar, choose, similar_concepts
from kg.progress import Silent

Near = tuple[str, str, float]
"""CUI, name, similarity."""


class Candidates:
    """A candidate generator that gives what it is told to, as scispaCy's does."""

    def __init__(self, near: Mapping[str, Iterable[Near]], types: Mapping[str, str]) -> None:
        self._near = near
        concepts = {cui: SimpleNamespace(types=[type_]) for cui, type_ in types.items()}
        self.kb = SimpleNamespace(cui_to_entity=concepts)

    def __call__(self, mention_texts: list[str], k: int) -> list[list[SimpleNamespace]]:
        del k
        return [
            [
                SimpleNamespace(concept_id=cui, aliases=[name], similarities=[score])
                for cui, name, score in self._near.get(text, ())
            ]
            for text in mention_texts
        ]


def entity(*names: str, cuis: Iterable[str] = (), id_: str = "MONDO:1") -> Entity:
    """All of its names are preferred ones."""
    return Entity(id_, "Disease", names, len(names), frozenset(cuis))


def similar(asked: Entity, *near: Near, own: bool = True) -> list[Similar]:
    candidates = Candidates({asked.names[0]: near}, {"C1": "T047", "C2": "T047", "C3": "T121"})
    [(_, found)] = similar_concepts([asked], candidates, lambda _: None, same_words=own)
    return found


def test_concept_of_another_kind_does_not_count() -> None:
    found = similar(entity("gouts"), ("C1", "goute", 0.8), ("C3", "gout", 1.0))
    assert found == [Similar("C1", 0.8, "goute")]


@pytest.mark.parametrize("name", ["leprosy type 3", "leprosy type B", "leprosy"])
def test_name_with_other_numbers_does_not_count(name: str) -> None:
    assert similar(entity("leprosy type 2"), ("C1", name, 0.97)) == []


@pytest.mark.parametrize("name", ["Gouts", "gout NOS", "gout (disorder)"])
def test_own_name_does_not_count_when_it_must_not(name: str) -> None:
    near = ("C1", name, 0.9), ("C2", "goute", 0.5)
    assert similar(entity("gout"), *near, own=False) == [Similar("C2", 0.5, "goute")]


def test_concept_has_its_best_score_over_all_names() -> None:
    near = {"gouty foot": [("C1", "gouti foot", 0.7)], "podagra": [("C1", "podagras", 0.9)]}
    asked = entity("gouty foot", "podagra")
    [(_, found)] = similar_concepts([asked], Candidates(near, {"C1": "T047"}), lambda _: None)
    assert found == [Similar("C1", 0.9, "podagras")]


def test_synonyms_are_not_asked_for() -> None:
    near = {"podagra": [("C1", "podagra", 1.0)]}
    asked = Entity("MONDO:1", "Disease", ("gout", "podagra"), 1, frozenset())
    [(_, found)] = similar_concepts([asked], Candidates(near, {"C1": "T047"}), lambda _: None)
    assert found == []


def test_two_concepts_within_the_margin_are_ambiguous() -> None:
    near = [Similar("C1", 0.9, "a"), Similar("C2", 0.89, "b"), Similar("C3", 0.5, "c")]
    assert choose(near) == Choice(near[0], ambiguous=True)
    assert choose(near, without={"C2"}) == Choice(near[0], ambiguous=False)
    assert choose([]) is None


def calibrated(scores: Iterable[float], right: Iterable[bool]) -> Calibrated:
    """Of entities whose most similar name has that score and is right or not."""
    near, known = {}, []
    for at, (score, is_right) in enumerate(zip(scores, right, strict=True)):
        name = f"leprosy {at}"
        near[name] = [("C1" if is_right else "C2", f"leprosi {at}", score)]
        known.append(entity(name, cuis=["C1"], id_=f"MONDO:{at:04}"))
    candidates = Candidates(near, {"C1": "T047", "C2": "T047"})
    return calibrate(known, candidates, Silent())["Disease"]


def test_threshold_is_the_lowest_precise_similarity() -> None:
    found = calibrated([0.9] * 100 + [0.6] * 100, [True] * 100 + [False] * 100)
    assert (found.threshold, found.tried) == (0.9, 200)
    assert (found.precision.right, found.precision.of) == (100, 100)
    assert found.abstained.value == 1.0  # nothing is as similar once the concept is away


def test_wrong_answers_up_to_a_twentieth_are_borne() -> None:
    # the wrong one is there, too, when the concept is taken away: 2 of 40
    found = calibrated([0.9] * 38 + [0.8] + [0.5] * 61, [True] * 38 + [False] * 62)
    assert found.threshold == 0.8
    assert (found.precision.right, found.precision.of) == (38, 39)
    assert found.abstained.value == 99 / 100


def test_too_few_known_entities_tell_no_threshold() -> None:
    found = calibrated([0.9] * 99, [True] * 99)
    assert found.threshold is None
    assert found.tried == 99


def test_nothing_precise_enough_tells_no_threshold() -> None:
    assert calibrated([0.9] * 200, [True, False] * 100).threshold is None


def test_given_threshold_counts_for_every_type() -> None:
    assert thresholds({}, ["Disease", "Gene"], 0.8) == {"Disease": 0.8, "Gene": 0.8}


def test_type_without_a_calibrated_threshold_has_none() -> None:
    few, enough = calibrated([0.9] * 9, [True] * 9), calibrated([0.9] * 200, [True] * 200)
    assert thresholds({"Gene": few, "Disease": enough}, ["Drug"], None) == {"Disease": 0.9}
