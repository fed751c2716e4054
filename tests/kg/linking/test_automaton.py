"""The automaton over words."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from kg.linking.automaton import Automaton, Match, encode
from kg.text.canonical import join

KEYS = ["2", "chest", "chest pain", "fever", "pain in arm", "type 2 diabete", "头痛", "痛"]
"""Ascending, as those of an index are."""
WORDS = [["头", "痛"] if key == "头痛" else key.split(" ") for key in KEYS]


def automaton() -> Automaton:
    vocabulary, patterns = encode(WORDS)
    return Automaton(KEYS, vocabulary, patterns, max(map(len, patterns)))


def found(*words: str) -> list[str]:
    return [KEYS[hit.key] for hit in automaton().find(words)]


def test_longest_key_at_each_place_wins() -> None:
    assert list(automaton().find(["my", "chest", "pain", "fever"])) == [
        Match(1, 3, 2),
        Match(3, 4, 3),
    ]


def test_dead_end_of_a_longer_key_leaves_the_shorter_one() -> None:
    assert found("type", "2", "chest", "pain", "in", "leg", "fever") == ["chest pain", "fever"]


def test_part_of_a_word_is_no_word() -> None:
    assert found("fevers", "chesty") == []


def test_number_and_single_han_character_are_looked_for_only_inside_names() -> None:
    assert found("2", "痛") == []
    assert found("头", "痛") == ["头痛"]


@given(st.lists(st.sampled_from(["chest", "pain", "in", "arm", "fever", "x", "头", "痛", ""])))
def test_what_is_found_stands_there(words: list[str]) -> None:
    hits = list(automaton().find(words))
    assert all(join(words[hit.start : hit.end]) == KEYS[hit.key] for hit in hits)
    assert all(a.end <= b.start for a, b in pairwise(hits))


@given(
    st.lists(st.sampled_from(["chest", "pain", "in", "arm", "type", "2", "diabete", "x", "头"]))
)
def test_few_words_and_many_find_the_same(words: list[str]) -> None:
    used = automaton()
    list(used.find(["x"] * 500))
    assert list(used.find(words)) == list(automaton().find(words))
