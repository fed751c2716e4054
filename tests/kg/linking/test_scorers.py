import difflib
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from kg.errors import ConfigurationError
from kg.linking.scorers import DEFAULT_SCORER, SCORERS, scorer, scores

OURS = [name for name in SCORERS if not name.startswith("fuzzywuzzy")]
KEYS = st.text("abcdefg 糖尿病β", max_size=30)


def test_every_scorer_is_in_the_table() -> None:
    assert DEFAULT_SCORER in OURS
    assert [*OURS, "fuzzywuzzy.WRatio"] == list(SCORERS)


@pytest.mark.parametrize("name", SCORERS)
def test_key_is_wholly_like_itself(name: str) -> None:
    assert scorer(name)("heart attack", "heart attack") == 1


@pytest.mark.parametrize("name", SCORERS)
def test_keys_without_a_common_letter_are_not_alike(name: str) -> None:
    assert scorer(name)("fever", "糖尿病") == 0


@given(name=st.sampled_from(OURS), key=KEYS, keys=st.lists(KEYS, max_size=5))
def test_scores_are_those_of_each_pair_and_shares(name: str, key: str, keys: list[str]) -> None:
    measured = scores(name, key, keys)
    assert measured == [SCORERS[name](key, other) for other in keys]
    assert all(0 <= score <= 1 for score in measured)


def test_default_scorer_minds_neither_word_order_nor_a_misspelt_first_letter() -> None:
    score = scorer(DEFAULT_SCORER)
    assert score("attack heart", "heart attack") == 1
    assert score("yellow fever", "bellow fever") == scorer("ratio")("yellow fever", "bellow fever")
    assert score("yellow fever", "bellow fever") > scorer("token_sort_ratio")(
        "yellow fever", "bellow fever"
    )


def test_unknown_scorer_is_an_error_that_names_the_known() -> None:
    with pytest.raises(
        ConfigurationError, match=r"no scorer is called 'ratios'; choose one of WRatio"
    ):
        scorer("ratios")
    with pytest.raises(ConfigurationError, match=r"'ratios'.* fuzzywuzzy.WRatio$"):
        scores("ratios", "a", ["b"])


def test_missing_fuzzywuzzy_is_told_when_it_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fuzzywuzzy", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'medkg\[fuzzywuzzy\]'"):
        scorer("fuzzywuzzy.WRatio")


PROCESSOR = "only fuzzywuzzy folds case, drops signs and Latin-1 letters"
ROUNDING = "fuzzywuzzy rounds to whole per cent"
TWICE = "fuzzywuzzy rounds the comparison by words (89.55 to 90) and its weighted result again"
PARTS = "fuzzywuzzy tries the stretches of the longer key where the whole keys match, not all"


@pytest.mark.parametrize(
    ("key", "other", "per_cent"),
    [
        ("heart attack", "attack heart", 95),  # the same words: 0.95
        ("chest pain", "pain of chest", 95),
        ("asthma", "childhood asthma", 90),  # one holds the other, 1.5 to 8 times as long: 0.9
        ("anemia", "a", 90),  # any letter of it will do
        ("糖尿病", "糖尿病肾病", 90),
        ("hba1c", "hba1c increased level in blood of the body", 60),  # more than 8 times: 0.6
    ],
)
def test_rapidfuzz_and_fuzzywuzzy_agree(key: str, other: str, per_cent: int) -> None:
    fuzzywuzzy = pytest.importorskip("fuzzywuzzy.fuzz")
    assert fuzz.WRatio(key, other) == pytest.approx(per_cent)
    assert fuzzywuzzy.WRatio(key, other) == per_cent


@pytest.mark.parametrize(
    ("key", "other", "rapidfuzz", "fuzzywuzzys", "why"),
    [
        ("Asthma", "asthma", 83.33, 100, PROCESSOR),
        ("non-small cell", "non small cell", 92.86, 100, PROCESSOR),
        ("café spot", "cafe spot", 88.89, 94, PROCESSOR),
        ("+", "+", 100, 0, PROCESSOR),
        ("diabete mellitu", "diabete melitu", 96.55, 97, ROUNDING),
        ("kidney disease stage 3", "kidney disease stage 4", 95.45, 95, ROUNDING),
        (
            "compression fractured lumbar vertebra",
            "compression fractured cervical vertebra",
            85.07,
            86,
            TWICE,
        ),
        ("dysiadochokinesia", "hypokinesia", 81, 74, PARTS),
        ("tbsh", "active tb", 60, 45, PARTS),
    ],
)
def test_rapidfuzz_and_fuzzywuzzy_differ(
    key: str, other: str, rapidfuzz: float, fuzzywuzzys: int, why: str
) -> None:
    fuzzywuzzy = pytest.importorskip("fuzzywuzzy.fuzz")
    pytest.importorskip("Levenshtein")
    assert fuzz.WRatio(key, other) == pytest.approx(rapidfuzz, abs=0.005), why
    assert fuzzywuzzy.WRatio(key, other) == fuzzywuzzys, why


def test_fuzzywuzzy_without_levenshtein_compares_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fuzzywuzzy = pytest.importorskip("fuzzywuzzy.fuzz")
    monkeypatch.setattr(fuzzywuzzy, "SequenceMatcher", difflib.SequenceMatcher)
    # The longest block of difflib is "worth", then nothing: "ss" and "s" stand elsewhere.
    assert fuzzywuzzy.WRatio("worthzessness", "worth syndrome") == 44
    assert fuzz.WRatio("worthzessness", "worth syndrome") == pytest.approx(59.26, abs=0.005)


def test_rounding_makes_ties_of_what_rapidfuzz_tells_apart() -> None:
    pytest.importorskip("fuzzywuzzy")
    names = ["exercise", "exercise intolerance"]
    assert scores("WRatio", "intolearnce exercise", names) == [0.9, 0.9025]
    assert scores("fuzzywuzzy.WRatio", "intolearnce exercise", names) == [0.9, 0.9]
