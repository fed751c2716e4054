"""Phrases of Chinese text: the members of its enumerations."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from kg.text.words import HAN

if TYPE_CHECKING:
    from kg.text.phrases import Block

_SENTENCE: Final = re.compile(r"[^。！？!?；;\n]+")
_MEMBER: Final = re.compile(r"[^、，,：:（）()]+|[（(][^（）()]*[）)]|[、，,：:]")
_LEAD: Final = re.compile(
    r".*(?:包括|表现为|表现有|常见的有|主要有|常有|可有|伴有|例如|比如|诸如|出现|引起|导致|造成|分为|可见"
    r"|采用|选用|给予|使用|服用|应用|可用|进行|接受|[是为有如])"
)
_WARNING: Final = re.compile(r"避免|防止|预防|忌|禁|慎用|勿|无|未见|没有|排除|鉴别|区别")
"""Before an enumeration: its members are not what the section lists."""
_TRAIL: Final = re.compile(
    r"(?:等等|等).*$|(?:的?症状|的?情况|现象)$|(?:[也均都亦][可能会]?|[可能会])(?:诱发|引起|导致|造成|有效|缓解).*$"
)
_HEDGE: Final = re.compile(
    r"^(?:以及|并且|或者|甚至|还有|有时|偶有|常常|轻度|可能|一些|其他|其它|部分|各种|及|和|与|或|并|常|可|伴)"
)
_JOINT: Final = re.compile(r"以及|及其|或者|[和与或及]")
_CLAUSE: Final = re.compile(
    r"[是的了着过吧呢吗]$|可以|应该|应当|需要|必须|如果|因为|所以|由于|但是|患者|病人|医生|没有|不能|不是|之后|以后|时候|[我你他她它]"
)
_SHORTEST, _LONGEST = 2, 15
_STOP_WORDS: Final = (
    "症状 体征 疾病 患者 病人 治疗 方法 原因 病因 因素 药物 检查 诊断 预防 并发症 情况 时间 医生 医院 "
    "其他 其它 主要 一般 早期 晚期 轻者 重者 严重者 严重 部分 儿童 成人 老年人 临床 临床表现"
)
_STOPS: Final = frozenset(_STOP_WORDS.split())
_HAN_ONLY: Final = re.compile(f"[{HAN}A-Za-z0-9\u03b1-\u03c9%+./·-]+")


def chinese_phrases(text: str, blocks: Iterable["Block"]) -> Iterator[tuple[int, int, str, int]]:
    """The members of enumerations (、) and of lists.

    Returns:
        Start, end, the sentence before (of an item what introduces the list), and where the
        sentence starts.
    """
    for block in blocks:
        for sentence in _SENTENCE.finditer(text, block.start, block.end):
            is_item = block.is_item and sentence.start() == block.start
            for start, end in _members(text, *sentence.span(), is_item=is_item):
                before = block.introduction if is_item else text[sentence.start() : start]
                yield start, end, before, sentence.start()


def _members(text: str, start: int, end: int, *, is_item: bool) -> Iterator[tuple[int, int]]:
    parts = [match.span() for match in _MEMBER.finditer(text, start, end)]
    if is_item and len(parts) == 1:
        if span := _trimmed(text, start, end):
            yield span
        return
    listed = "、" in text[start:end]
    for at, (first, last) in enumerate(parts):
        if text[first] in "、，,：:（(" or _WARNING.search(text, start, last):
            continue
        around = {text[slice(*parts[i])][0] for i in (at - 1, at + 1) if 0 <= i < len(parts)}
        # members of an enumeration, and what stands between commas beside one
        beside = listed and around & set("，,") and last - first <= _LONGEST
        if "、" in around or beside:
            yield from _split(text, first, last)


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if lead := _LEAD.match(text, start, end):
        start = lead.end()
    at = start
    for joint in [*_JOINT.finditer(text, start, end), None]:
        stop = joint.start() if joint else end
        if span := _trimmed(text, at, stop):
            yield span
        at = joint.end() if joint else end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    phrase = text[start:end]
    phrase = _TRAIL.sub("", phrase.rstrip())
    end = start + len(phrase)
    while (hedge := _HEDGE.match(text, start, end)) or (start < end and text[start].isspace()):
        start = hedge.end() if hedge else start + 1
    phrase = text[start:end]
    usable = _SHORTEST <= len(phrase) <= _LONGEST and _HAN_ONLY.fullmatch(phrase)
    return (start, end) if usable and phrase not in _STOPS and not _CLAUSE.search(phrase) else None
