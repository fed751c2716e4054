"""Leaks among a few triples, and splits of graphs of any shape."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.embeddings.split import Leaks, Overlap, remove_leaks, split_triples
from kg.embeddings.triples import Split, Triples
from kg.errors import EmbeddingError
from tests.kg.embeddings.conftest import as_texts, make_triples


@st.composite
def graphs(draw: st.DrawFn) -> Triples:
    """Loops, inverses, stars and chains among them."""
    entities = st.integers(0, draw(st.integers(1, 12)))
    relations = st.integers(0, draw(st.integers(0, 3)))
    facts = draw(st.sets(st.tuples(entities, relations, entities), min_size=1, max_size=40))
    return make_triples(*(f"e{h:02} r{r} e{t:02}" for h, r, t in facts))


def loose(triples: Triples, rows: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> list[str]:
    """The rows without which all entities and relations are still there."""
    found = []
    for at in range(len(rows)):
        rest = np.delete(rows, at, axis=0)
        same = set(rest[:, [0, 2]].ravel()) == set(rows[:, [0, 2]].ravel())
        if same and set(rest[:, 1]) == set(rows[:, 1]):
            found.append(as_texts(triples, rows[at : at + 1])[0])
    return found


shares = st.floats(0.01, 0.49)


@settings(deadline=None)
@given(triples=graphs(), valid=shares, test=shares, seed=st.integers(0, 2**32))
def test_parts_are_all_rows_and_train_has_every_entity_and_relation(
    triples: Triples, valid: float, test: float, seed: int
) -> None:
    try:
        parts = split_triples(triples, valid, test, seed)
    except EmbeddingError:
        # a row that stays is the only one left of an entity or relation
        assert len(triples) < len(triples.entities) + len(triples.relations) + 2
        return
    assert sorted(map(tuple, parts.known)) == list(map(tuple, triples.rows))
    assert set(parts.train[:, [0, 2]].ravel()) == set(range(len(triples.entities)))
    assert set(parts.train[:, 1]) == set(range(len(triples.relations)))
    asked = max(1, round(valid * len(triples))), max(1, round(test * len(triples)))
    got = len(parts.valid), len(parts.test)
    assert got == asked or (min(got) >= 1 and loose(triples, parts.train) == [])
    assert got[0] <= asked[0]
    assert got[1] <= asked[1]


@given(triples=graphs(), seed=st.integers(0, 2**32))
def test_same_seed_gives_the_same_split(triples: Triples, seed: int) -> None:
    assert parts_or_refusal(triples, seed) == parts_or_refusal(triples, seed)


def parts_or_refusal(triples: Triples, seed: int) -> list[object] | str:
    """The rows of each part, or the error where there are too few for that."""
    try:
        parts = split_triples(triples, 0.1, 0.1, seed)
    except EmbeddingError as e:
        return str(e)
    return [part.tolist() for part in (parts.train, parts.valid, parts.test)]


WHOLE = make_triples(*(f"e{h} likes e{t}" for h in range(40) for t in range(40)))


def test_sizes_are_exact_where_the_graph_allows() -> None:
    parts = split_triples(WHOLE, 0.05, 0.1, 0)
    assert (len(parts.train), len(parts.valid), len(parts.test)) == (1360, 80, 160)


def test_another_seed_gives_another_split() -> None:
    assert as_texts(WHOLE, split_triples(WHOLE, 0.1, 0.1, 0).test) != as_texts(
        WHOLE, split_triples(WHOLE, 0.1, 0.1, 1).test
    )


def test_parts_are_ascending() -> None:
    parts = split_triples(WHOLE, 0.1, 0.1, 3)
    for rows in (parts.train, parts.valid, parts.test):
        assert list(map(tuple, rows)) == sorted(map(tuple, rows))


def test_every_row_that_can_be_spared_is_sampled_as_often() -> None:
    counts = np.zeros(1600)
    for seed in range(200):
        parts = split_triples(WHOLE, 0.1, 0.2, seed)
        for head, _, tail in parts.test:
            counts[head * 40 + tail] += 1
    # 200 draws of probability .2: mean 40, standard deviation 5.7
    assert abs(counts.mean() - 40) < 1e-9
    assert counts.max() < 40 + 5 * 5.7
    assert counts.min() > 40 - 5 * 5.7


def test_what_only_one_row_speaks_of_is_never_asked_about() -> None:
    star = [f"hub has leaf{n}" for n in range(20)]
    ring = [f"r{n} has r{(n + step) % 20}" for n in range(20) for step in (1, 2)]
    triples = make_triples(*star, *ring, "r1 once r2")
    parts = split_triples(triples, 0.1, 0.1, 0)
    asked = as_texts(triples, np.concatenate([parts.valid, parts.test]))
    assert len(asked) == 12
    assert not [fact for fact in asked if "hub" in fact or "once" in fact]


def test_too_few_spare_rows_are_shared_in_the_proportion_asked() -> None:
    star = [f"hub has leaf{n:02}" for n in range(60)]
    triples = make_triples(*star, *(f"hub had leaf{n:02}" for n in range(9)), "leaf00 had hub")
    # 70 rows, of which 60 are needed: one a leaf, one of them 'had' and one 'has'
    parts = split_triples(triples, 0.1, 0.3, 0)
    assert (len(parts.train), len(parts.valid), len(parts.test)) == (60, 3, 7)


def test_entity_that_is_both_ends_of_its_only_row_stays_in_train() -> None:
    ring = [f"r{n} has r{(n + step) % 9}" for n in range(9) for step in (1, 2)]
    triples = make_triples(*ring, "alone has alone")
    for seed in range(20):
        assert "alone has alone" in as_texts(triples, split_triples(triples, 0.2, 0.2, seed).train)


def test_row_stays_in_train_only_if_none_that_must_stay_has_its_entities_and_relation() -> None:
    # the loop must stay, and so 'a r b' is not needed for the sake of r
    must = ["alone r alone", "a has x", "b has y"]
    triples = make_triples(*must, "a r b", "a has b")
    for seed in range(20):
        assert as_texts(triples, split_triples(triples, 0.2, 0.2, seed).train) == sorted(must)


@pytest.mark.parametrize("facts", [["a r b"], ["a r b", "c r d"], ["a r b", "a r c", "a s d"]])
def test_graph_without_a_row_to_spare_is_refused(facts: list[str]) -> None:
    with pytest.raises(
        EmbeddingError,
        match=rf"^0 of {len(facts)} triples can be spared .* entity or relation; take more",
    ):
        split_triples(make_triples(*facts), 0.1, 0.1, 0)


def test_one_row_to_spare_is_not_enough() -> None:
    with pytest.raises(EmbeddingError, match=r"^1 of 3 triples can be spared"):
        split_triples(make_triples("a r b", "b r c", "c r a"), 0.1, 0.1, 0)


@pytest.mark.parametrize(
    "asked", [(0, 0.1), (0.1, 0), (0.5, 0.5), (-0.1, 0.3), (float("nan"), 0.1)]
)
def test_shares_that_leave_a_part_empty_are_refused(asked: tuple[float, float]) -> None:
    with pytest.raises(EmbeddingError, match=r"above 0 and together below 1; \S+ and \S+ are not"):
        split_triples(WHOLE, *asked, 0)


def test_facts_are_the_parts_what_was_left_out_and_their_inverses() -> None:
    triples = make_triples(
        "a RESEMBLES b", "a TREATED_BY d", "d INDICATED_FOR b", "a IS_A b", "a likes b"
    )
    whole = replace(triples, left_out=np.array([[1, 2, 0]]))  # b RESEMBLES a
    none = np.empty((0, 3), dtype=np.int64)
    parts = Split(whole.entities, whole.relations, whole.rows, none, none, left_out=whole.left_out)
    assert set(as_texts(whole, parts.facts)) == {
        *as_texts(whole),
        "b RESEMBLES a",
        "d INDICATED_FOR a",
        "b TREATED_BY d",
    }


def test_left_out_facts_stay_left_out_in_the_split() -> None:
    triples = replace(
        make_triples(*(f"a{n} likes b{m}" for n in range(3) for m in range(3))),
        left_out=np.array([[3, 0, 0]]),
    )
    assert split_triples(triples, 0.2, 0.2, 0).left_out.tolist() == [[3, 0, 0]]


# --- leaks among a few triples ---


def left(*facts: str, threshold: float = 0.8) -> tuple[list[str], Leaks]:
    """What stays of the facts, and what leaked."""
    triples, leaks = remove_leaks(make_triples(*facts), threshold)
    return as_texts(triples), leaks


def pairs(relation: str, size: int, first: int = 0, *, inverse: bool = False) -> list[str]:
    """As many facts of a relation, from a0 to b0, a1 to b1 …."""
    facts = [(f"a{n}", f"b{n}") for n in range(first, first + size)]
    return [f"{b} {relation} {a}" if inverse else f"{a} {relation} {b}" for a, b in facts]


def test_of_a_triple_and_its_inverse_the_one_with_the_smaller_head_stays() -> None:
    stays, leaks = left("a near b", "b near a", "b near c", "d near c")
    assert stays == ["a near b", "b near c", "d near c"]
    assert leaks == Leaks({"near": 1}, (), (), 1)


def test_a_triple_that_is_its_own_inverse_stays() -> None:
    stays, leaks = left("a near a", "a near b")
    assert stays == ["a near a", "a near b"]
    assert leaks.symmetric == {}


def test_inverses_by_another_relation_stay() -> None:
    stays, _ = left("a above b", "b beside a", *pairs("above", 5, 3), *pairs("beside", 5, 9))
    assert {"a above b", "b beside a"} <= set(stays)


def test_an_inverse_relation_loses_the_rows_that_the_larger_one_has() -> None:
    facts = [*pairs("parent_of", 10), *pairs("child_of", 9, 2, inverse=True)]
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
    facts = [*pairs("has", 10), *pairs("of", 5), *pairs("of", 5, 5, inverse=True)]
    assert left(*facts)[1] == Leaks({}, (), (), 0)


def test_symmetric_relations_are_duplicates_in_whichever_direction_they_are_stored() -> None:
    both = [*pairs("near", 10), *pairs("near", 10, inverse=True)]
    facts = [*both, *pairs("beside", 5), *pairs("beside", 5, 5, inverse=True)]
    stays, leaks = left(*facts)
    # as many rows each: the later name goes
    assert leaks.duplicates == (Overlap("near", "beside", 10, 1.0, 1.0),)
    assert leaks.symmetric == {"near": 10}
    assert stays == sorted(fact for fact in facts if "beside" in fact)


def test_relations_that_the_vocabulary_calls_symmetric_are_so_without_an_inverse() -> None:
    facts = [*pairs("RESEMBLES", 10), *pairs("LIKE", 5), *pairs("LIKE", 5, 5, inverse=True)]
    assert left(*facts)[1].duplicates == (Overlap("RESEMBLES", "LIKE", 10, 1.0, 1.0),)


def test_inverses_of_the_vocabulary_leak_however_little_they_share() -> None:
    facts = [*pairs("INDICATED_FOR", 100), *pairs("TREATED_BY", 50, 98, inverse=True)]
    stays, leaks = left(*facts)
    assert leaks == Leaks({}, (Overlap("TREATED_BY", "INDICATED_FOR", 2, 2 / 50, 2 / 100),), (), 2)
    assert stays == sorted(
        [*pairs("INDICATED_FOR", 100), *pairs("TREATED_BY", 48, 100, inverse=True)]
    )


def test_relations_of_one_predicate_that_read_the_same_way_are_not_declared_inverses() -> None:
    facts = [*pairs("UPREGULATES", 10), *pairs("DOWNREGULATES", 5, inverse=True)]
    assert left(*facts)[1].rows == 0


def test_of_three_names_for_one_relation_one_stays_whole() -> None:
    stays, leaks = left(*pairs("c", 10), *pairs("b", 9), *pairs("a", 8, inverse=True))
    assert stays == sorted(pairs("c", 10))
    assert leaks.inverses == (
        Overlap("a", "b", 8, 1.0, 8 / 9),
        Overlap("a", "c", 8, 1.0, 0.8),
    )
    assert leaks.duplicates == (Overlap("b", "c", 9, 1.0, 0.9),)
    assert leaks.rows == 17  # those of a leak twice


def test_what_is_left_has_only_entities_and_relations_of_its_own() -> None:
    triples, _ = remove_leaks(make_triples(*pairs("has", 4), *pairs("owned_by", 4, inverse=True)))
    assert triples.relations == ("has",)
    assert triples.entities.ids == ("a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3")
    assert triples.rows.tolist() == [[n, 0, n + 4] for n in range(4)]


def test_what_was_removed_is_remembered_where_what_is_left_has_names_for_it() -> None:
    facts = [
        *pairs("parent_of", 10),
        *pairs("child_of", 9, 2, inverse=True),
        "b near a",
        "a near b",
    ]
    triples, _ = remove_leaks(make_triples(*facts, *pairs("owned_by", 10, inverse=True)))
    taken = [*pairs("child_of", 8, 2, inverse=True), "b near a"]
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
    # without inverses under one relation, and so dense that directions matter: counted again in sets
    single = {(h, r, t) for h, r, t in found if not (h > t and (t, r, h) in found)}
    by_relation = {r: {(h, t) for h, s, t in single if s == r} for r in range(4)}
    size = {r: len(by_relation[r]) for r in by_relation}
    images = {r: sum(1 for _, s, _ in found - single if s == r) for r in by_relation}
    rows = {r: size[r] + images[r] for r in by_relation}
    symmetric = {r for r in by_relation if 2 * images[r] >= 0.3 * rows[r]}
    wanted: set[tuple[bool, str, str, int]] = set()
    for small, large in ((a, b) for a in range(4) for b in range(4) if a != b):
        if (size[small], -small) > (size[large], -large) or not size[large]:
            continue
        same = by_relation[small] & by_relation[large]
        opposite = {(h, t) for h, t in by_relation[small] if (t, h) in by_relation[large]} - same
        if symmetric & {small, large}:
            same, opposite = same | opposite, set()
        for inverse, common in ((False, same), (True, opposite)):
            if common and len(common) / size[large] >= 0.3:
                wanted.add((inverse, f"r{small}", f"r{large}", len(common)))
    leaks = left(*facts_in(found), threshold=0.3)[1]
    got = {(False, o.relation, o.other, o.rows) for o in leaks.duplicates}
    got |= {(True, o.relation, o.other, o.rows) for o in leaks.inverses}
    assert got == wanted
