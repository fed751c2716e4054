"""Names of ids, and whether one says more, less or something else than another."""

import re
from collections.abc import Collection, Iterable
from typing import Final, Literal, NamedTuple

TRANSLATED, PREFERRED, EXACT, LAY, CLOSE, ALIAS = range(6)
"""Level of a name, the most reliable first: given to the id by a list of translations; preferred
name; exact synonym; layperson's synonym; preferred name of the close match (of a disease, for a
finding); alias that a source lists for a name without an id."""

KnownBy = Literal[
    "translated name",
    "preferred name",
    "exact synonym",
    "layperson's synonym",
    "name of the close match",
    "alias",
]

_QUALIFIER: Final = re.compile(
    "急性|慢性|亚急性|早期|晚期|暴发|流行|散发|复发|地方|小儿|儿童|幼年|新生儿|胎儿|婴|青春期|青少年|成人|老年"
    "|妊娠|孕|产后|产褥|围绝经|更年期|先天|后天|获得|原发|继发|特发|遗传|家族|自发|外伤|创伤"
    "|化脓|细菌|病毒|真菌|杆菌|球菌|衣原体|支原体|结核|阿米巴|淋|药物|酒精|酒|中毒|过敏|变应|单纯|混合"
    "|太阳|石棉|静脉|痉挛|坏死|糜烂|腐蚀|萎缩|溃疡|梗阻|出血|穿孔|恶性|良性|转移|浸润|弥漫|局限|多发|癌|和|及|合并|伴|单|左|右|双|内|外|前|后|上|下"
    "|大|小|高|低|增|减|[一二三四五六七八九十甲乙丙丁戊i]+型"
)
"""Words that make a Chinese name narrower, or a different one."""

_QUALIFIED: Final = re.compile("急性|慢性|复发|新生儿|产后|风湿|酒精|梗阻|太阳")
"""Words that make a Chinese name narrower than any name without them."""

_NARROWER: Final = re.compile(
    r"\b(?:(?P<sudden>acute)|(?P<lasting>chronic)|recurrent|traumatic|bacterial"
    r"|(?P<spread>infectious|infective)|(?P<newborn>neonatal|newborn)|(?P<birth>postpartum|puerperal)"
    r"|(?P<young>pa?ediatric|childhood|juvenile)|rheumatic|alcoholic)\b"
)
"""Words that make an English name narrower; words of one named group are synonyms."""

_NUMBER: Final = re.compile(r"\b(?:[0-9]+[a-z]?|[ivx]+)\b")
"""A number in Arabic or Roman numerals, as members of a series have."""

_INHERITED: Final = re.compile(r"\b(?:hereditary|familial|inherited|inborn|genetic|x linked)\b")
_FROM_BIRTH: Final = re.compile(r"\b(?:congenital|autosomal)\b")
_MALIGNANT: Final = re.compile(r"cancer|carcinoma|malignan|sarcoma\b")
_MALIGNANT_TUMOUR: Final = re.compile(
    "lymphoma|hodgkin|leuka?emia|melanoma|myeloma|blastoma|glioma|seminoma"
)
"""Tumours that are malignant without a word that says so."""
_BENIGN: Final = re.compile(r"\bbenign\b")
_TUMOUR: Final = re.compile(r"\b(?:neoplasm|tumou?r)s?\b")

_STEM: Final = 5
"""Letters with which words of one root begin: arthritic, arthritis."""


class Name(NamedTuple):
    """A name that sources give an id."""

    level: int
    language: str
    normal: str
    """As ``kg.text.normalise`` leaves it; never empty."""
    position: int
    """Of the first source that says so."""
    is_main: bool
    """A main name: the preferred name in the language, or one of a list of translations."""
    is_abbreviation: bool = False


def differ_in_scope(one: Name, other: Name) -> bool:
    """Whether one of two names in a language seems to be narrower than the other."""
    one_normal, other_normal = one.normal, other.normal
    if one_normal == other_normal:
        return False
    if one.language == "zh":
        return (
            one_normal in other_normal
            or other_normal in one_normal
            or {*_QUALIFIER.findall(one_normal)} != {*_QUALIFIER.findall(other_normal)}
        )
    if _have_equal_numbers(one_normal, other_normal):
        return False
    words, other_words = ({*spelling(normal)} - SMALL for normal in (one_normal, other_normal))
    return (words < other_words or other_words < words) and not words ^ other_words <= NEUTRAL


def differ_in_kind(one: Name, other: Name) -> bool:
    """Whether one of two English names alone says that it is inherited, malignant or benign.

    Hyperlipidaemia is not always familial, nor a tumour of the liver a cancer. False for names in
    other languages, and for what equal numbers make one, as spastic paraplegia 2.
    """
    if one.language != "en" or other.language != "en":
        return False
    pair = one.normal, other.normal
    if any(
        _MALIGNANT.search(this) and not (_MALIGNANT.search(that) or _MALIGNANT_TUMOUR.search(that))
        for this, that in (pair, pair[::-1])
    ):
        return True
    if bool(_BENIGN.search(pair[0])) != bool(_BENIGN.search(pair[1])) and any(
        map(_TUMOUR.search, pair)
    ):
        return True
    return not _have_equal_numbers(*pair) and any(
        _INHERITED.search(this) and not (_INHERITED.search(that) or _FROM_BIRTH.search(that))
        for this, that in (pair, pair[::-1])
    )


def share_root(one: Name, other: Name) -> bool:
    """Whether two English names have words of one root, neutral ones (disease, gland) left out."""
    roots, other_roots = (
        {word[:_STEM] for word in {*spelling(each.normal)} - SMALL - NEUTRAL}
        for each in (one, other)
    )
    return bool(roots & other_roots)


def is_narrower(names: Iterable[Name], others: Collection[Name]) -> bool:
    """Whether a name has a narrowing word that no other name in its language has.

    Args:
        names: of one id.
        others: of another id.
    """
    for name in names:
        same_language = [other for other in others if other.language == name.language]
        if same_language and all(
            _narrowing_words(name) - _narrowing_words(other) for other in same_language
        ):
            return True
    return False


def _have_equal_numbers(one: str, other: str) -> bool:
    numbers = {*_NUMBER.findall(one)}
    return bool(numbers) and numbers == {*_NUMBER.findall(other)}


def _narrowing_words(name: Name) -> set[str]:
    words = _QUALIFIED if name.language == "zh" else _NARROWER
    return {match.lastgroup or match[0] for match in words.finditer(name.normal)}


def is_numbered(name: Name, preferred: Name) -> bool:
    """Whether a preferred name is numbered, and a name is neither numbered nor a syndrome."""
    normal, of_series = name.normal, preferred.normal
    if name.language != "en" or _NUMBER.search(normal) or "syndrome" in normal:
        return False
    return bool(_NUMBER.fullmatch(of_series.split()[-1]) or "susceptibility to" in of_series)


def spelling(name: str) -> tuple[str, ...]:
    """The words of a name in American spelling, singular, sorted."""
    american = re.sub("[ao]e", "e", name).replace("our", "or").replace("ise", "ize")
    return tuple(sorted(word.removesuffix("s") for word in american.split()))


SMALL: Final = frozenset(spelling("a an and as at by due from in of on or the to with"))

NEUTRAL: Final = frozenset(
    spelling(
        "condition disease diseases disorder infection infectious virus syndrome type artery bone"
        " cavity chromosome dental duct eye gland implantable mellitus muscle nervous organ part"
        " region segment skin structure substance system tissue urinary uterine valve headache"
    )
)
"""Words that make an English name neither narrower nor broader."""
