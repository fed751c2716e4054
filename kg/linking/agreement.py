"""Whether a mention that is not a name is one with its words reordered, or misspelt.

Letters alone cannot tell: "type 3" is one letter from "type 4" and another disease,
"hedache" is one letter from "headache" and the same thing. A misspelt word is one that no
name and no list of words has (``kg.text.spelling``); any other is meant. Nor is it a misspelling
where one root stands in the place of another (``kg.linking.roots``), or an abbreviation.
"""

import re
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from itertools import pairwise, permutations
from typing import Final

from rapidfuzz.distance import OSA, Levenshtein

from kg.linking.mention import Method
from kg.linking.roots import differ_in_root
from kg.text.canonical import canonical_words
from kg.text.spelling import is_word
from kg.text.words import HAN, surfaces

_LINKING: Final = "an at from her his in its my of on our the their to your"
LINKING_WORDS: Final = frozenset(_LINKING.split())
"""Left out when words are compared in any order ("pain in my chest"); not "a", which may be a
subtype (hepatitis A)."""

_HAN: Final = re.compile(f"[{HAN}]")
_FILLERS: Final = re.compile(r"(?<=[心肝脾肾胰])脏|(?<=...)症$")
"""Characters that a Chinese name may have or lack: 肝肿大, 肝脏肿大 (but not 内出血, 内脏出血); 血小板减少,
血小板减少症."""
_CONTRASTING_HAN: Final = frozenset(
    "0123456789一二三四五六七八九十左右上下前后内外大小高低多少男女非不无未阴阳"
)
"""Numbers, sides, sizes, denials: with one of them a name means another thing than without."""
_DISTINCT_HAN: Final = _CONTRASTING_HAN | frozenset(
    "头脑面眼耳鼻口唇舌牙齿龈咽喉颈项肩臂肘腕手掌指胸乳肋背腰骶腹脐髋臀股膝踝足跖跗趾甲皮肤毛发"
    "心肺肝胆胰脾胃肠肾膀尿肛直结盲食气支管道腔腺体膜骨髓脊椎软关节肌腱韧筋神经血脉动静淋巴"
    "子宫巢卵睾精阑囊窝角巩虹晶玻视听嗅触味"
    "炎癌瘤疹疮疡痛痒肿胀麻热寒冷干湿痰咳喘晕厥痉挛瘫痪裂破溃折脱疝畸异常萎肥缩厚薄硬"
    "急慢早晚新老幼儿婴孕产妇轻重快慢缓升降增减长短粗细宽窄浅深单双同良恶酸碱甜苦"
    "红白黄黑青紫蓝绿糖脂蛋钠钾钙镁磷铁铜锌碘氯氮氧醇醛酮酶素醋铵钴锰硒酯胺"
    "东西南北春夏秋冬日夜"
)
"""Parts of the body, what happens to them and how, and substances: exchanging two of them is no
misspelling."""
_DIGIT: Final = re.compile(r"\d")
_EXACT: Final = re.compile(r"\d|[^\w\s]|\b(?:positive|negative|prime)\b")
"""Numbers and signs, as words of a key: where they differ two things are meant."""
_MAX_MISSPELT: Final = 2
_SHORTEST: Final = 4
_SHORTEST_HAN: Final = 6
_LONG: Final = 8
"""Letters of a word that may have two mistakes."""
_LONGEST: Final = 40
_LONGEST_SYMBOL: Final = 6
_REMEMBERED: Final = 20_000
"""Names whose numbers and signs are kept: the same are near many a mention."""

_MIN_CONTRASTS: Final = 2
_DIRECTED_WORDS: Final = """
after against before by cause caused causing due during except following from induced into
leading no non not onto per secondary than to versus vs with without
"""
_DIRECTED: Final = frozenset(_DIRECTED_WORDS.split())
"""The words before and after them must not change places: from lung to liver."""
_CONTRASTING: Final = """
abnormal absent acquired acute anterior bilateral central chronic complete decrease decreased
deep deficiency diastolic distal early elevated excess external female gain high hyper hypo
increase increased inferior inherited inner internal large late lateral left long loss low
lower male maternal medial mild negative normal outer partial paternal peripheral positive
posterior present primary proximal reduced right secondary severe short small superficial
superior systolic upper
"""
_CONTRASTS: Final = frozenset(_CONTRASTING.split())
"""Where a name has two of them each may belong to another word: low sodium and high potassium."""


class ComparableMention:
    """A mention's canonical key, made ready to be compared with many names."""

    def __init__(self, mention: str, knows: Callable[[str], bool], text: str = "") -> None:
        """Compare ``mention``.

        Args:
            mention: its canonical key, which is no name's.
            knows: whether any name has a word, or two characters side by side as
                ``neighbours`` gives them.
            text: the mention as it is written, where that is known.
        """
        self._mention = mention
        self._knows = knows
        self._text = text
        self._words = telling_words(mention)
        self._exact = numbers_and_signs(mention)
        self._is_chinese = _HAN.search(mention) is not None

    def agrees(self, name: str) -> Method | None:
        """How the mention agrees with a canonical name; None if the two are only similar."""
        if not self.has_numbers_of(name):
            return None
        if self._is_chinese:
            return "spelling" if _agree_in_han(self._mention, name, self._knows) else None
        words = telling_words(name)
        if len(words) != len(self._words):
            return None
        if words == self._words:
            same_ends = (
                _ends_in_its_words(name, self._mention),
                _ends_in_its_words(self._mention, name),
            )
            may_be = len(words) > 1 and all(same_ends) and may_be_reordered(self._mention, name)
            return "word order" if may_be else None
        only_in_mention, only_in_name = (
            _missing_from(self._words, words),
            _missing_from(words, self._words),
        )
        if len(only_in_mention) > _MAX_MISSPELT or any(map(self._knows, only_in_mention)):
            return None
        mistakes = 1 if len(words) == 1 else 2
        meets = (
            all(
                misspells(word, other, mistakes)
                for word, other in zip(only_in_mention, order, strict=True)
            )
            for order in permutations(only_in_name)
        )
        return (
            "spelling"
            if any(meets) and not any(map(self._is_spelled_correctly, only_in_mention))
            else None
        )

    def _is_spelled_correctly(self, word: str) -> bool:
        """Whether a word of the mention is spelled correctly as written: in a list, or a symbol."""
        surface = self._surfaces.get(word, word)
        return is_word(word) or is_word(surface) or is_symbol(surface, self._text)

    @cached_property
    def _surfaces(self) -> dict[str, str]:
        """The mention's words as they are written, by their keys."""
        words = surfaces(self._text)
        return dict(zip(canonical_words(words), words, strict=True))

    def has_numbers_of(self, name: str) -> bool:
        """Whether both have the same numbers and signs; else they mean different things."""
        return self._exact == numbers_and_signs(name)


def may_be_reordered(one: str, other: str) -> bool:
    """Whether two keys of the same words in different orders may mean the same."""
    orders = [
        [word for word in key.split(" ") if word not in LINKING_WORDS] for key in (one, other)
    ]
    if orders[0] == orders[1]:
        return True
    words = {*one.split(" "), *other.split(" ")}
    is_repeated = len(set(orders[0])) < len(orders[0])
    return (
        not is_repeated
        and words.isdisjoint(_DIRECTED)
        and len(words & _CONTRASTS) < _MIN_CONTRASTS
    )


def neighbours(key: str) -> Iterator[str]:
    """Every pair of adjacent characters of a Chinese key, with marks of its beginning and end."""
    return ("".join(pair) for pair in pairwise(f"^{key}$"))


def _agree_in_han(mention: str, name: str, knows: Callable[[str], bool]) -> bool:
    """One character wrong in six or more, such that no name has it beside its neighbours.

    Never a number or a side: 左 and 右 are no misspellings of each other. Nor two parts of the
    body, or two of what happens to them.
    """
    if fills(mention, name):
        return True
    if len(mention) < _SHORTEST_HAN or OSA.distance(mention, name, score_cutoff=1) > 1:
        return False
    if (set(mention) ^ set(name)) & _CONTRASTING_HAN or _exchanges_distinct_characters(
        mention, name
    ):
        return False
    return not any(map(knows, set(neighbours(mention)) - set(neighbours(name))))


def fills(mention: str, name: str) -> bool:
    """Whether Chinese keys differ only in a character without meaning: 肝肿大, 肝脏肿大."""
    return _FILLERS.sub("", mention) == _FILLERS.sub("", name)


def _exchanges_distinct_characters(mention: str, name: str) -> bool:
    return any(
        edit.tag == "replace"
        and _DISTINCT_HAN.issuperset(mention[edit.src_start : edit.src_end])
        and _DISTINCT_HAN.issuperset(name[edit.dest_start : edit.dest_end])
        for edit in Levenshtein.opcodes(mention, name)
    )


def is_symbol(word: str, text: str) -> bool:
    """Whether a word is an abbreviation or the symbol of a gene, by its capitals.

    In a text that is all capitals only a short word that stands alone is one.

    Args:
        word: as it is written.
        text: in which it is written.
    """
    if text.isupper():
        return " " not in text.strip() and len(word) <= _LONGEST_SYMBOL
    return any(letter.isupper() for letter in word[1:])


def misspells(word: str, meant: str, mistakes: int = 1) -> bool:
    """Whether a word that no name has may be a misspelling of one that a name has.

    A mistake is one letter too many, too few, another, or two swapped (optimal string
    alignment distance). Names of drugs are two apart too often (ampicillin, amoxicillin)
    to allow more than one where nothing else confirms the name.

    Args:
        word: that no name has.
        meant: that a name has.
        mistakes: at most; in a short word never more than one.
    """
    if not (_SHORTEST <= len(word) <= _LONGEST and len(meant) >= _SHORTEST):
        return False
    if not (word.isalpha() and meant.isalpha()):
        return False
    allowed = mistakes if len(word) >= _LONG else 1
    is_near = OSA.distance(word, meant, score_cutoff=allowed) <= allowed
    return is_near and not differ_in_root(word, meant)


def telling_words(key: str) -> list[str]:
    """The words of a key that are no linking words, in alphabetical order."""
    return sorted(word for word in key.split(" ") if word not in LINKING_WORDS)


def _ends_in_its_words(key: str, other: str) -> bool:
    """Whether a linking word at the end of a key is in the other: in "CDG type In" it is a subtype."""
    last = key.rsplit(" ", 1)[-1]
    return last not in LINKING_WORDS or last in other.split(" ")


def _missing_from(words: list[str], other: list[str]) -> list[str]:
    """The words of a list that the other lacks, or has less often."""
    unmatched = list(other)
    missing = []
    for word in words:
        if word in unmatched:
            unmatched.remove(word)
        else:
            missing.append(word)
    return missing


@lru_cache(_REMEMBERED)
def numbers_and_signs(key: str) -> tuple[tuple[str, str], ...]:
    """What two names must share, in this order: numbers, and signs with the word before them.

    Args:
        key: canonical.
    """
    if not _EXACT.search(key):
        return ()
    return tuple(
        ("" if _DIGIT.search(word) else before, word)
        for before, word in pairwise(("", *key.split(" ")))
        if _EXACT.search(word)
    )
