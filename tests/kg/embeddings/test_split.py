"""Splits of graphs of any shape."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.embeddings.split import split
from kg.embeddings.triples import Split, Triples
from kg.errors import EmbeddingError
from tests.kg.embeddings.conftest import as_texts, make_triples


@st.composite
def graphs(draw: st.DrawFn) -> Triples:
    """Loops, mirror images, stars and chains among them."""
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
        parted = split(triples, valid, test, seed)
    except EmbeddingError:
        # a row that stays is the only one left of an entity or relation
        assert len(triples) < len(triples.entities) + len(triples.relations) + 2
        return
    assert sorted(map(tuple, parted.known)) == list(map(tuple, triples.rows))
    assert set(parted.train[:, [0, 2]].ravel()) == set(range(len(triples.entities)))
    assert set(parted.train[:, 1]) == set(range(len(triples.relations)))
    asked = max(1, round(valid * len(triples))), max(1, round(test * len(triples)))
    got = len(parted.valid), len(parted.test)
    assert got == asked or (min(got) >= 1 and loose(triples, parted.train) == [])
    assert got[0] <= asked[0]
    assert got[1] <= asked[1]


@given(triples=graphs(), seed=st.integers(0, 2**32))
def test_same_seed_gives_the_same_split(triples: Triples, seed: int) -> None:
    try:
        one, other = (split(triples, 0.1, 0.1, seed) for _ in range(2))
    except EmbeddingError:
        return
    for name in ("train", "valid", "test"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


WHOLE = make_triples(*(f"e{h} likes e{t}" for h in range(40) for t in range(40)))


def test_sizes_are_exact_where_the_graph_allows() -> None:
    parted = split(WHOLE, 0.05, 0.1, 0)
    assert (len(parted.train), len(parted.valid), len(parted.test)) == (1360, 80, 160)


def test_another_seed_gives_another_split() -> None:
    assert as_texts(WHOLE, split(WHOLE, 0.1, 0.1, 0).test) != as_texts(
        WHOLE, split(WHOLE, 0.1, 0.1, 1).test
    )


def test_parts_are_ascending() -> None:
    parted = split(WHOLE, 0.1, 0.1, 3)
    for rows in (parted.train, parted.valid, parted.test):
        assert list(map(tuple, rows)) == sorted(map(tuple, rows))


def test_every_row_that_can_be_spared_is_drawn_as_often() -> None:
    counts = np.zeros(1600)
    for seed in range(200):
        parted = split(WHOLE, 0.1, 0.2, seed)
        for head, _, tail in parted.test:
            counts[head * 40 + tail] += 1
    # 200 draws of probability .2: mean 40, standard deviation 5.7
    assert abs(counts.mean() - 40) < 1e-9
    assert counts.max() < 40 + 5 * 5.7
    assert counts.min() > 40 - 5 * 5.7


def test_what_only_one_row_speaks_of_is_never_asked_about() -> None:
    star = [f"hub has leaf{n}" for n in range(20)]
    ring = [f"r{n} has r{(n + step) % 20}" for n in range(20) for step in (1, 2)]
    triples = make_triples(*star, *ring, "r1 once r2")
    parted = split(triples, 0.1, 0.1, 0)
    asked = as_texts(triples, np.concatenate([parted.valid, parted.test]))
    assert len(asked) == 12
    assert not [fact for fact in asked if "hub" in fact or "once" in fact]


def test_too_few_spare_rows_are_shared_in_the_proportion_asked() -> None:
    star = [f"hub has leaf{n:02}" for n in range(60)]
    triples = make_triples(*star, *(f"hub had leaf{n:02}" for n in range(9)), "leaf00 had hub")
    # 70 rows, of which 60 are needed: one a leaf, one of them 'had' and one 'has'
    parted = split(triples, 0.1, 0.3, 0)
    assert (len(parted.train), len(parted.valid), len(parted.test)) == (60, 3, 7)


def test_entity_that_is_both_ends_of_its_only_row_stays_in_train() -> None:
    ring = [f"r{n} has r{(n + step) % 9}" for n in range(9) for step in (1, 2)]
    triples = make_triples(*ring, "alone has alone")
    for seed in range(20):
        assert "alone has alone" in as_texts(triples, split(triples, 0.2, 0.2, seed).train)


def test_row_stays_in_train_only_if_none_that_must_stay_has_its_entities_and_relation() -> None:
    # the loop must stay, and so 'a r b' is not needed for the sake of r
    must = ["alone r alone", "a has x", "b has y"]
    triples = make_triples(*must, "a r b", "a has b")
    for seed in range(20):
        assert as_texts(triples, split(triples, 0.2, 0.2, seed).train) == sorted(must)


@pytest.mark.parametrize("facts", [["a r b"], ["a r b", "c r d"], ["a r b", "a r c", "a s d"]])
def test_graph_without_a_row_to_spare_is_refused(facts: list[str]) -> None:
    with pytest.raises(
        EmbeddingError,
        match=rf"^0 of {len(facts)} triples can be spared .* entity or relation; take more",
    ):
        split(make_triples(*facts), 0.1, 0.1, 0)


def test_one_row_to_spare_is_not_enough() -> None:
    with pytest.raises(EmbeddingError, match=r"^1 of 3 triples can be spared"):
        split(make_triples("a r b", "b r c", "c r a"), 0.1, 0.1, 0)


@pytest.mark.parametrize(
    "asked", [(0, 0.1), (0.1, 0), (0.5, 0.5), (-0.1, 0.3), (float("nan"), 0.1)]
)
def test_shares_that_leave_a_part_empty_are_refused(asked: tuple[float, float]) -> None:
    with pytest.raises(EmbeddingError, match=r"above 0 and together below 1; \S+ and \S+ are not"):
        split(WHOLE, *asked, 0)


def test_facts_are_the_parts_what_was_left_out_and_each_said_from_the_other_end() -> None:
    triples = make_triples(
        "a RESEMBLES b", "a TREATED_BY d", "d INDICATED_FOR b", "a IS_A b", "a likes b"
    )
    whole = replace(triples, left_out=np.array([[1, 2, 0]]))  # b RESEMBLES a
    none = np.empty((0, 3), dtype=np.int64)
    parted = Split(
        whole.entities, whole.relations, whole.rows, none, none, left_out=whole.left_out
    )
    assert set(as_texts(whole, parted.facts)) == {
        *as_texts(whole),
        "b RESEMBLES a",
        "d INDICATED_FOR a",
        "b TREATED_BY d",
    }


def test_what_was_left_out_stays_so_in_the_split() -> None:
    triples = replace(
        make_triples(*(f"a{n} likes b{m}" for n in range(3) for m in range(3))),
        left_out=np.array([[3, 0, 0]]),
    )
    assert split(triples, 0.2, 0.2, 0).left_out.tolist() == [[3, 0, 0]]
