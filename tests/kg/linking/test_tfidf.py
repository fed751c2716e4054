import math
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.linking import tfidf
from kg.linking.tfidf import NgramIndex
from kg.text.words import HAN

NAMES = ("heart attack", "myocardial infarction", "糖尿病", "heart failure", "2 型糖尿病")
WORDS = st.text("ab糖病", min_size=1, max_size=4)
KEYS = st.lists(WORDS, max_size=3).map(" ".join)
ANY_TEXT = st.text(max_size=40)


def ngrams(key: str) -> set[str]:
    """As the module's docstring defines them, one letter after the other."""
    found = set()
    for at, letter in enumerate(key):
        around = [" ", *key, " "][at : at + 3]
        if is_han(letter):
            found |= {letter} | ({around[0] + letter} if is_han(around[0]) else set())
        elif letter != " ":
            found.add("".join(" " if is_han(c) else c for c in around))
    return found


def is_han(letter: str) -> bool:
    return letter in "糖病尿型"


def cosine(a: str, b: str, keys: list[str]) -> float:
    def squares(grams: set[str]) -> float:
        df = {gram: sum(gram in ngrams(key) for key in keys) for gram in grams}
        return sum((math.log((1 + len(keys)) / (1 + df[gram])) + 1) ** 2 for gram in grams)

    first, second = ngrams(a), ngrams(b)
    return squares(first & second) / math.sqrt(squares(first) * squares(second))


def found(index: NgramIndex, keys: tuple[str, ...], key: str, limit: int = 20) -> list[str]:
    return [keys[at] for at in index.search(key, limit)[0]]


def test_most_similar_key_is_first() -> None:
    index = NgramIndex.build(NAMES)
    assert found(index, NAMES, "hart attack")[0] == "heart attack"
    assert found(index, NAMES, "attack heart")[:2] == ["heart attack", "heart failure"]
    assert found(index, NAMES, "型糖尿病")[:2] == ["2 型糖尿病", "糖尿病"]


def test_same_words_in_another_order_are_wholly_similar() -> None:
    keys, cosines = NgramIndex.build(NAMES).search("attack heart", 1)
    assert keys.tolist() == [0]
    assert cosines == pytest.approx([1])


def test_key_that_shares_nothing_finds_nothing() -> None:
    index = NgramIndex.build(NAMES)
    for key in ("", " ", "zzz", "肺", "\x00", "\ud800"):
        keys, cosines = index.search(key)
        assert (keys.size, cosines.size) == (0, 0)


def test_equally_similar_keys_come_by_position() -> None:
    index = NgramIndex.build(["b a", "x", "a b", "b a"])
    assert index.search("a b")[0].tolist() == [0, 2, 3]
    assert index.search("a b", 2)[0].tolist() == [0, 2]


@given(keys=st.lists(KEYS, max_size=8), key=KEYS)
def test_search_gives_the_cosines_of_all_keys_that_share_an_ngram(
    keys: list[str], key: str
) -> None:
    at, cosines = NgramIndex.build(keys).search(key, len(keys) + 1)
    shared = [at for at, other in enumerate(keys) if ngrams(key) & ngrams(other)]
    assert sorted(at.tolist()) == shared
    assert cosines.tolist() == sorted(cosines, reverse=True)
    assert cosines == pytest.approx([cosine(key, keys[each], keys) for each in at], abs=1e-5)


@pytest.mark.parametrize("limit", [1, 5, 20, 64])
def test_best_of_many_are_those_of_a_full_sort(limit: int) -> None:
    random = np.random.default_rng(0)
    keys = ["".join(letters) for letters in random.choice([*"abcde "], (5_000, 9))]
    index = NgramIndex.build(keys)
    everything, cosines = index.search("abc dea", len(keys))
    best, best_cosines = index.search("abc dea", limit)
    assert best.tolist() == everything[:limit].tolist()
    assert best_cosines.tolist() == cosines[:limit].tolist()


@pytest.mark.parametrize("words", [3, 40])
def test_common_ngrams_are_counted_though_they_are_looked_up_last(
    words: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(1)  # noqa: S311 - a sample, no secret
    endings = ["itis", "osis", "oma", "pathy"]
    stems = ["".join(draw.choices("abcdefgh", k=5)) for _ in range(400)]
    names = [draw.choice(stems) + draw.choice(endings) for _ in range(6_000)]
    keys = sorted({" ".join(draw.sample(names, 2)) for _ in range(6_000)})
    asked = [" ".join(draw.sample(names, words)) for _ in range(30)]
    index = NgramIndex.build(keys)
    pruned = [index.search(key, 10) for key in asked]
    monkeypatch.setattr("kg.linking.tfidf._COMMON_SHARE", 0.0)
    for key, (found, cosines) in zip(asked, pruned, strict=True):
        expected, full = index.search(key, 10)
        assert cosines == pytest.approx(full, abs=1e-5)
        assert set(found[cosines > cosines[-1] + 1e-5]) <= set(expected)


def test_index_made_in_parts_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = NgramIndex.build(NAMES)
    monkeypatch.setattr(tfidf, "_KEYS_PER_PART", 2)
    parts = NgramIndex.build(NAMES)
    for name in ("grams", "starts", "keys", "scales"):
        assert getattr(whole, name).tolist() == getattr(parts, name).tolist()


def test_saved_index_finds_the_same(tmp_path: Path) -> None:
    index = NgramIndex.build(NAMES)
    index.save(tmp_path / "ngrams")
    loaded = NgramIndex.load(tmp_path / "ngrams")
    for ours, theirs in zip(index.search("hart"), loaded.search("hart"), strict=True):
        assert ours.tolist() == theirs.tolist() != []


def test_index_of_nothing_is_kept_and_finds_nothing(tmp_path: Path) -> None:
    NgramIndex.build([]).save(tmp_path)
    assert NgramIndex.load(tmp_path).search("fever")[0].size == 0


@pytest.mark.parametrize("name", ["grams", "starts", "keys", "scales"])
def test_file_of_another_kind_or_cut_off_is_refused(tmp_path: Path, name: str) -> None:
    NgramIndex.build(NAMES).save(tmp_path)
    path = tmp_path / f"{name}.npy"
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(ValueError, match=r"mmap length|data size"):
        NgramIndex.load(tmp_path)
    np.save(path, np.zeros(3, np.float64))
    with pytest.raises(ValueError, match=rf"{name}.npy: float64 of 1 dimensions, not"):
        NgramIndex.load(tmp_path)


def test_files_of_two_indexes_are_refused(tmp_path: Path) -> None:
    NgramIndex.build(NAMES).save(tmp_path / "one")
    NgramIndex.build(NAMES[:2]).save(tmp_path / "two")
    (tmp_path / "two" / "keys.npy").replace(tmp_path / "one" / "keys.npy")
    with pytest.raises(ValueError, match="do not fit"):
        NgramIndex.load(tmp_path / "one")


def test_pickled_array_is_not_read(tmp_path: Path) -> None:
    NgramIndex.build(NAMES).save(tmp_path)
    np.save(tmp_path / "grams.npy", np.array([{}], dtype=object))
    with pytest.raises(ValueError, match=r"pickle|Python objects"):
        NgramIndex.load(tmp_path)


@given(ANY_TEXT, ANY_TEXT)
def test_any_text_is_indexed_and_searched(key: str, asked: str) -> None:
    keys, cosines = NgramIndex.build([key, asked]).search(asked)
    assert keys.size <= 2
    assert all(0 < cosine < 1.00001 for cosine in cosines)


def test_word_of_a_megabyte_is_searched() -> None:
    index = NgramIndex.build(NAMES)
    assert found(index, NAMES, "糖尿病" * 350_000)[0] == "糖尿病"


def test_every_han_character_is_one_ngram_of_its_own() -> None:
    inside = [c for c in HAN if c != "-"]
    index = NgramIndex.build(inside)
    assert len(index.grams) == len(set(inside))


def test_threads_share_an_index() -> None:
    index = NgramIndex.build(NAMES * 100)
    expected = [index.search(key)[0].tolist() for key in NAMES]
    with ThreadPoolExecutor(4) as threads:
        for _ in range(20):
            answers = threads.map(lambda key: index.search(key)[0].tolist(), NAMES)
            assert list(answers) == expected
