"""Names and lists: what is stripped, what is no name, where a list is split.

Characters stay as they are written, Chinese punctuation and Traditional ones
included; only full-width Latin letters and digits become plain.
"""

import re
from typing import Final

_MORE: Final = re.compile(r"\[\s*详细\s*\]\s*$")
"""A site's link to the whole of what it shows a part of."""
_CUT: Final = re.compile(r"(?:\.{2,}|…+)$")
_LOST: Final = re.compile("[\ue000-\uf8ff\ufffd]")
"""What replaces a letter that could not be converted: a code point for private use, the
replacement character; in a name a question mark as well."""
_DENIES: Final = re.compile(r"[无不](?:特效|特殊|需|须|法|有效|治愈|必|用|能|影响)|尚无|没有")
_EDGES: Final = " \t\r\n\u3000\u00a0\u200b\ufeff,，、;；。:：|"
_WIDE: Final = {
    code: code - 0xFEE0
    for first, last in (("\uff10", "\uff19"), ("\uff21", "\uff3a"), ("\uff41", "\uff5a"))
    for code in range(ord(first), ord(last) + 1)
} | {0x3000: 0x20, 0xA0: 0x20}
_SEPARATORS: Final = ("\n", "|", ";；", ",，", "、")
_OUTSIDE: Final = r"(?![^(（]*[)）])"
"""Not between parentheses."""
_LETTER: Final = re.compile(r"\w")
_LONGEST: Final = 60
"""Characters; the longest names in the lists seen have 33."""
_PLAIN: Final = re.compile(rf"[\u4e00-\u9fffA-Za-z0-9]{{1,{_LONGEST}}}")
"""Most names match it, so that they are accepted at once."""

NOTHING: Final = frozenset(
    {
        "暂无相关资料",
        "暂无",
        "暂无资料",
        "暂无数据",
        "无",
        "没有",
        "不详",
        "未知",
        "无数据",
        "-",
        "--",
        "—",
    }
)
"""What a source writes where it has no information."""


def clean(text: str) -> str:
    """A text without link, blanks and punctuation at its ends; plain Latin letters and digits."""
    plain = text.translate(_WIDE).strip()
    return _MORE.sub("", plain).strip(_EDGES)


def plain_text(text: str) -> str:
    """A text without link and blanks at its ends, otherwise as it is written."""
    return _MORE.sub("", text).strip()


def unusable(name: str) -> str | None:
    """Why a name, as ``clean`` leaves it, names nothing; None where it may."""
    return None if _PLAIN.fullmatch(name) and name not in NOTHING else _fault(name)


def _fault(name: str) -> str | None:
    shown = repr(name[:200])
    faults = (
        (not name, "nothing is written there"),
        (name in NOTHING, f"the source has nothing on this: {shown}"),
        (_CUT.search(name), f"the name is cut off: {shown}"),
        (_LOST.search(name) or "?" in name, f"a letter of the name was lost: {shown}"),
        (len(name) > _LONGEST, f"too long for a name ({len(name)} characters)"),
        (not _LETTER.search(name), f"no letter is in {shown}"),
    )
    return next((reason for applies, reason in faults if applies), None)


def unusable_text(text: str) -> str | None:
    """Why a text, as ``plain_text`` leaves it, says nothing; None where it may."""
    if text in NOTHING or not text:
        return f"the source has nothing on this: {text!r}"
    return "letters of the text were lost" if _LOST.search(text) else None


def denies(treatment: str) -> bool:
    """Whether an item in a list of treatments states that there is none (``无特效治疗``)."""
    return bool(_DENIES.search(treatment))


def split(text: str) -> list[str]:
    """The items of a list written as one text.

    It is split at the first of these that stands in it outside parentheses: new line,
    vertical bar, semicolon, comma, ideographic comma; so ``耳、鼻、咽拭子细菌培养,血常规``
    has two items.
    """
    plain = clean(text)
    for marks in _SEPARATORS:
        items = re.split(f"[{marks}]{_OUTSIDE}", plain)
        if len(items) > 1:
            return [item for item in map(clean, items) if item]
    return [plain] if plain else []


def words(text: str) -> list[str]:
    """The items of a list that is separated by blanks."""
    return [item for item in map(clean, clean(text).split()) if item]
