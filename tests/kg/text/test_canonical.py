# ruff: noqa: RUF001 - look-alike letters of many scripts are what is tested here
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.text.canonical import _chinese_number, canonical, canonical_words, join
from kg.text.words import surfaces

SPECIAL = "type Types II iv I Ia xi 十 二 型 二期 ½ ß + oesophagi toes α's tumours' ŉ ﷺ ⅣA ℌ İ"
WORDS = st.sampled_from(SPECIAL.split())
TEXTS = st.text() | st.lists(WORDS | st.text(max_size=5)).map(" ".join)
ENGLISH = st.text("aeioustrhyzmxgnc", min_size=4, max_size=12)


@given(TEXTS | ENGLISH)
def test_a_key_is_its_own_key(text: str) -> None:
    assert canonical(canonical(text)) == canonical(text)


@given(TEXTS)
def test_every_word_has_one_key(text: str) -> None:
    words = surfaces(text)
    assert len(canonical_words(words)) == len(words)


@given(st.text(st.characters(codec="ascii")) | st.lists(WORDS.filter(str.isascii)).map(" ".join))
def test_case_does_not_count(text: str) -> None:
    assert canonical(text.upper()) == canonical(text.lower())


@given(st.text("abcdefghijklmnopqrstuvwxyz0123456789 ,;()!"))
def test_full_width_is_half_width(text: str) -> None:
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
    assert canonical(wide) == canonical(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Type II diabetes", "type 2 diabetes"),
        ("Ⅱ型糖尿病", "2型糖尿病"),
        ("二型糖尿病", "II型糖尿病"),
        ("Ⅰ型", "一型"),
        ("I型", "１型"),
        ("十二型", "12型"),
        ("二十一型", "21 型"),
        ("glycogenosis type Ia", "glycogenosis, type 1A"),
        ("factor X", "factor 10"),
        ("grade IVb", "grade 4B"),
        ("糖尿病視網膜病變", "糖尿病视网膜病变"),
        ("癲癇", "癫痫"),
        ("黏膜炎", "粘膜炎"),
        ("motility-related", "motility related"),
        ("motility\u2010related", "Motility–Related"),
        ("Crohn's disease", "Crohn disease"),
        ("Crohns disease", "CROHN’S DISEASE"),
        ("patients' rights", "patient rights"),
        ("β-thalassaemia", "beta thalassemia"),
        ("TNFα", "TNF-alpha"),
        ("ß-blocker", "β blockers"),
        ("μg", "µg"),
        ("Sjögren", "Sjo\u0308gren"),
        ("Schönlein", "Schoenlein"),
        ("Möbius", "Moebius"),
        ("œdema", "edema"),
        ("cœliac", "celiac"),
        ("ﬁbrosis", "fibrosis"),
        ("haem\u00adorrhage", "hemorrhage"),
        ("HER2+", "HER2 positive"),
        ("½ tablet", "1/2 tablet"),
    ],
)
def test_two_writings_of_one_name_are_one_key(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ER+ breast cancer", "ER- breast cancer"),
        ("vitamin K", "vitamin C"),
        ("type 1", "type 2"),
        ("hepatitis I", "hepatitis 1"),  # a letter, unless something that is counted stands before
        ("IV型", "5型"),
        ("一侧", "1侧"),
        ("½", "12"),
        ("糖尿病", "尿糖病"),
    ],
)
def test_two_names_are_two_keys(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)


def test_han_characters_are_joined_and_nothing_else() -> None:
    assert canonical("2型糖尿病 (T2DM)") == "2 型糖尿病 t2dm"
    assert join(["a", "", "糖", "尿", "b", ""]) == "a 糖尿 b"


def test_numerals_after_the_first_are_empty() -> None:
    assert canonical_words(["十", "二", "型"]) == ["12", "", "型"]


@pytest.mark.parametrize(
    ("numerals", "value"),
    [("一", "1"), ("〇", "0"), ("十", "10"), ("十二", "12"), ("二十", "20"), ("九十九", "99")],
)
def test_numerals_are_read(numerals: str, value: str) -> None:
    assert _chinese_number(numerals) == value


@pytest.mark.parametrize("numerals", ["", "一二", "十十", "一二十", "二十一一"])
def test_what_writes_no_number_is_none(numerals: str) -> None:
    assert _chinese_number(numerals) is None


@pytest.mark.parametrize("text", ["", " \n", "\ud800", "\0", "🙂", "—()"])
def test_nothing_is_left_of_a_text_without_words(text: str) -> None:
    assert canonical(text) == ""


@pytest.mark.parametrize("word", ["a", "ae", "é", "e\u0301\u0323", "Ａ", "s", "α"])
@pytest.mark.timeout(20)
def test_a_word_of_a_megabyte_has_a_key(word: str) -> None:
    key = canonical(word * (1_000_000 // len(word)))
    assert key
    assert canonical(key) == key


def test_threads_share_the_keys() -> None:
    words = [f"tumours{at % 500}" for at in range(20_000)]
    with ThreadPoolExecutor(8) as pool:
        assert len({tuple(keys) for keys in pool.map(canonical_words, [words] * 8)}) == 1
