"""Roots that tell words apart."""

import pytest

from kg.linking.roots import ROOTS, Root, differ_in_root


@pytest.mark.parametrize("root", ROOTS, ids=lambda root: root.parts)
def test_words_that_differ_in_a_root_are_two(root: Root) -> None:
    one, other = root.apart.split()
    assert differ_in_root(one, other)
    assert differ_in_root(other, one)


@pytest.mark.parametrize("root", ROOTS, ids=lambda root: root.parts)
def test_slip_elsewhere_in_a_word_leaves_its_roots(root: Root) -> None:
    slip, word = root.slip.split()
    assert not differ_in_root(slip, word)


def test_root_and_a_slip_beside_it_are_two_words_still() -> None:
    assert differ_in_root("hypertensoin", "hypotension")
