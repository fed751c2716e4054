"""Leaks among a few triples."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.embeddings.leakage import Leaks, Overlap, remove_leaks
from kg.errors import EmbeddingError
from tests.kg.embeddings.conftest import as_texts, make_triples


def left(*facts: str, threshold: float = 0.8) -> tuple[list[str], Leaks]:
    """What stays of the facts, and what leaked."""
    triples, leaks = remove_leaks(make_triples(*facts), threshold)
    return as_texts(triples), leaks


def pairs(relation: str, size: int, first: int = 0, *, turned: bool = False) -> list[str]:
    """As many facts of a relation, from a0 to b0, a1 to b1 …."""
    facts = [(f"a{n}", f"b{n}") for n in range(first, first + size)]
    return [f"{b} {relation} {a}" if turned else f"{a} {relation} {b}" for a, b in facts]


def test_of_a_triple_and_its_mirror_image_the_one_with_the_smaller_head_stays() -> None:
    stays, leaks = left("a near b", "b near a", "b near c", "d near c")
    assert stays == ["a near b", "b near c", "d near c"]
    assert leaks == Leaks({"near": 1}, (), (), 1)


def test_a_triple_that_is_its_own_mirror_image_stays() -> None:
    stays, leaks = left("a near a", "a near b")
    assert stays == ["a near a", "a near b"]
    assert leaks.undirected == {}


def test_mirror_images_by_another_relation_are_no_mirror_images() -> None:
    stays, _ = left("a above b", "b beside a", *pairs("above", 5, 3), *pairs("beside", 5, 9))
    assert {"a above b", "b beside a"} <= set(stays)


def test_an_inverse_relation_loses_the_rows_that_the_larger_one_has() -> None:
    facts = [*pairs("parent_of", 10), *pairs("child_of", 9, 2, turned=True)]
    stays, leaks = left(*facts)
    assert stays == sorted([*pairs("parent_of", 10), "b10 child_of a10"])
    assert leaks == Leaks({}, (Overlap("child_of", "parent_of", 8, 8 / 9, 0.8),), (), 8)


def test_a_duplicate_relation_loses_the_rows_that_the_larger_one_has() -> None:
    stays, leaks = left(*pairs("has", 10), *pairs("owns", 8))
    assert stays == sorted(pairs("has", 10))
    assert leaks == Leaks({}, (), (Overlap("owns", "has", 8, 1.0, 0.8),), 8)


def test_a_relation_that_a_much_larger_one_contains_stays() -> None:
    facts = sorted([*pairs("has", 10), *pairs("owns", 7)])
    assert left(*facts) == (facts, Leaks({}, (), (), 0))


def test_the_threshold_decides_what_overlaps_enough() -> None:
    facts = [*pairs("has", 10), *pairs("owns", 7)]
    assert left(*facts, threshold=0.7)[1].rows == 7
    assert left(*facts, threshold=0.71)[1].rows == 0


def test_relations_that_share_direction_for_some_pairs_only_are_compared_each_way() -> None:
    facts = [*pairs("has", 10), *pairs("of", 5), *pairs("of", 5, 5, turned=True)]
    assert left(*facts)[1] == Leaks({}, (), (), 0)


def test_undirected_relations_are_duplicates_whichever_way_round_they_are_stored() -> None:
    both = [*pairs("near", 10), *pairs("near", 10, turned=True)]
    facts = [*both, *pairs("beside", 5), *pairs("beside", 5, 5, turned=True)]
    stays, leaks = left(*facts)
    # as many rows each: the later name goes
    assert leaks.duplicates == (Overlap("near", "beside", 10, 1.0, 1.0),)
    assert leaks.undirected == {"near": 10}
    assert stays == sorted(fact for fact in facts if "beside" in fact)


def test_symmetric_relations_of_the_vocabulary_are_undirected_without_a_mirror_image() -> None:
    facts = [*pairs("RESEMBLES", 10), *pairs("LIKE", 5), *pairs("LIKE", 5, 5, turned=True)]
    assert left(*facts)[1].duplicates == (Overlap("RESEMBLES", "LIKE", 10, 1.0, 1.0),)


def test_inverses_of_the_vocabulary_leak_however_little_they_share() -> None:
    facts = [*pairs("INDICATED_FOR", 100), *pairs("TREATED_BY", 50, 98, turned=True)]
    stays, leaks = left(*facts)
    assert leaks == Leaks({}, (Overlap("TREATED_BY", "INDICATED_FOR", 2, 2 / 50, 2 / 100),), (), 2)
    assert stays == sorted(
        [*pairs("INDICATED_FOR", 100), *pairs("TREATED_BY", 48, 100, turned=True)]
    )


def test_relations_of_one_predicate_that_read_the_same_way_are_not_declared_inverses() -> None:
    facts = [*pairs("UPREGULATES", 10), *pairs("DOWNREGULATES", 5, turned=True)]
    assert left(*facts)[1].rows == 0


def test_of_three_names_for_one_relation_one_stays_whole() -> None:
    stays, leaks = left(*pairs("c", 10), *pairs("b", 9), *pairs("a", 8, turned=True))
    assert stays == sorted(pairs("c", 10))
    assert leaks.inverses == (
        Overlap("a", "b", 8, 1.0, 8 / 9),
        Overlap("a", "c", 8, 1.0, 0.8),
    )
    assert leaks.duplicates == (Overlap("b", "c", 9, 1.0, 0.9),)
    assert leaks.rows == 17  # those of a leak twice


def test_what_is_left_has_only_entities_and_relations_of_its_own() -> None:
    triples, _ = remove_leaks(make_triples(*pairs("has", 4), *pairs("owned_by", 4, turned=True)))
    assert triples.relations == ("has",)
    assert triples.entities.ids == ("a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3")
    assert triples.rows.tolist() == [[n, 0, n + 4] for n in range(4)]


def test_what_was_taken_out_is_remembered_where_what_is_left_has_names_for_it() -> None:
    facts = [
        *pairs("parent_of", 10),
        *pairs("child_of", 9, 2, turned=True),
        "b near a",
        "a near b",
    ]
    triples, _ = remove_leaks(make_triples(*facts, *pairs("owned_by", 10, turned=True)))
    taken = [*pairs("child_of", 8, 2, turned=True), "b near a"]
    assert sorted(as_texts(triples, triples.left_out)) == sorted(taken)  # owned_by is gone


@pytest.mark.parametrize("threshold", [0.0, -1.0, 1.01, float("nan")])
def test_a_threshold_that_is_no_share_is_refused(threshold: float) -> None:
    with pytest.raises(EmbeddingError, match=r"above 0 and at most 1, and not"):
        remove_leaks(make_triples("a r b"), threshold)


end = st.integers(0, 5)
many = st.sets(st.tuples(end, st.integers(0, 3), end), min_size=1, max_size=60)


def facts_in(found: set[tuple[int, int, int]]) -> set[str]:
    return {f"e{h} r{r} e{t}" for h, r, t in found}


@given(many)
def test_what_is_left_says_of_every_pair_that_was_connected_that_it_is(
    found: set[tuple[int, int, int]],
) -> None:
    stays, leaks = left(*facts_in(found), threshold=0.3)
    assert set(stays) <= facts_in(found)
    assert leaks.rows == len(found) - len(stays)

    def connected(facts: set[str]) -> set[frozenset[str]]:
        return {frozenset((fact.split()[0], fact.split()[2])) for fact in facts}

    assert connected(set(stays)) == connected(facts_in(found))


@given(many)
def test_overlaps_are_those_that_counting_pair_by_pair_finds(
    found: set[tuple[int, int, int]],
) -> None:
    # without mirror images, and so dense that directions matter: counted again in sets
    single = {(h, r, t) for h, r, t in found if not (h > t and (t, r, h) in found)}
    by_relation = {r: {(h, t) for h, s, t in single if s == r} for r in range(4)}
    size = {r: len(by_relation[r]) for r in by_relation}
    images = {r: sum(1 for _, s, _ in found - single if s == r) for r in by_relation}
    rows = {r: size[r] + images[r] for r in by_relation}
    undirected = {r for r in by_relation if 2 * images[r] >= 0.3 * rows[r]}
    wanted: set[tuple[bool, str, str, int]] = set()
    for small, large in ((a, b) for a in range(4) for b in range(4) if a != b):
        if (size[small], -small) > (size[large], -large) or not size[large]:
            continue
        same = by_relation[small] & by_relation[large]
        turned = {(h, t) for h, t in by_relation[small] if (t, h) in by_relation[large]} - same
        if undirected & {small, large}:
            same, turned = same | turned, set()
        for inverse, common in ((False, same), (True, turned)):
            if common and len(common) / size[large] >= 0.3:
                wanted.add((inverse, f"r{small}", f"r{large}", len(common)))
    leaks = left(*facts_in(found), threshold=0.3)[1]
    got = {(False, o.relation, o.other, o.rows) for o in leaks.duplicates}
    got |= {(True, o.relation, o.other, o.rows) for o in leaks.inverses}
    assert got == wanted
