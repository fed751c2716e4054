"""Names from the two titles of a code, if it stands for one disease or finding; else the reason.

The titles of a classification are made so that every case has a code and only one: many name a
remainder ("Other …"), a time of treatment, a side of the body. These are refused. What only says that
nothing more is known ("…, unspecified") is taken off, off both titles or off neither. In ICD-10-CM
parentheses hold words that may be there or not, and square brackets another name, an abbreviation or
an explanation (official guidelines for coding and reporting, I.A.7).
"""

import re
import unicodedata
from typing import Final, NamedTuple

_LONGEST_CODE: Final = 7
"""Characters of a code whose last one is no encounter, fetus or stage of one disease."""

_CHAPTERS: Final = {
    **dict.fromkeys("VWXY", "a cause from outside (chapter 20) is no disease and no finding"),
    "Z": "a reason to see a doctor (chapter 21) is no disease and no finding",
}
_SYMPTOMS: Final = "R"

_NOT_A_SIDE: Final = (
    "heart|ventric|atri|bundle|fasc|coronary|aort|superior vena|upper quadrant|lower quadrant|"
    "anterior fasc|anterior descending|posterior fasc|main coronary|circumflex|during"
)
"""Words that make right and left two structures: the two ventricles, say."""
_EXCLUSIONS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), reason)
    for pattern, reason in (
        (r"\bother\b(?! than\b)", "'other' names a remainder, not one thing"),
        (
            r"\belsewhere\b|\bNEC\b",
            "what is classified elsewhere is left out: the title names a remainder",
        ),
        (r"\bsequelae?\b|\bfollowing\b", "what another disease leaves behind has no name here"),
        (
            r"\b(?:underdosing|adverse effects? of|accidental|self-harm|assault|undetermined)\b",
            "the title tells how a drug or poison was taken",
        ),
        (
            r"\b(?:trimester|complicating|newborn affected by|maternal care|fetus [0-9])\b",
            "the title tells of a pregnancy, not of the disease alone",
        ),
        (
            r"\b(?:encounter|screening|status)\b|\bwithout specification\b",
            "the title tells why somebody comes, not what they have",
        ),
        (r"\b(?:any|multiple|several) (?:part|site|sites)\b", "the title counts sites"),
        (
            rf"\b(?:bilateral|unilateral)\b|\b(?:right|left)\b(?! (?:{_NOT_A_SIDE})|[- ]sided|\] colon)",
            "the title names one side of the body",
        ),
    )
)
"""Of the English title; the first that is found is the reason."""

_PLACE: Final = (
    "site|sites|organism|cause|etiology|type|part|level|severity|degree|extent|location|nature|"
    "stage|grade"
)
_UNSPECIFIED: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf",? (?:of |in )?unspecified (?:{_PLACE})$",
        rf",? (?:{_PLACE}) (?:unspecified|not specified)$",
        r",? unspecified$",
        r",? not otherwise specified$",
        r",? not specified as (?:acute or chronic|primary or secondary|traumatic|recurrent)$",
        r"^unspecified ",
    )
)
"""Taken off the English title, again and again."""
_STILL_UNSPECIFIED: Final = re.compile(
    r"\bunspecified\b|\bnot (?:otherwise )?specified\b", re.IGNORECASE
)
_NONSPECIFIC: Final = re.compile(r"\bnon-?specific\b", re.IGNORECASE)

_HAN: Final = "\u3400-\u9fff"
_UNSAID: Final = "(?:未明示|非特定|未特定|未指明|未分類)"
_OF_ZH: Final = "[的之]"
_WHAT: Final = "(?:部位|側性|病原體|原因|類型|型態|位置|嚴重度|程度|急性或慢性|原發性或續發性)"
_UNSPECIFIED_ZH: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"[，、,]\s*{_WHAT}{_UNSAID}者?$",
        rf"[，、,]?\s*{_UNSAID}(?:為)?{_WHAT}?者?$",
        rf"^{_UNSAID}(?:為)?(?:{_WHAT}{_OF_ZH}?|性?{_OF_ZH}?)",
    )
)
_STILL_UNSAID: Final = re.compile(rf"{_UNSAID}|不明(?!顯)|無其他分類|沒有其他")
_NONSPECIFIC_ZH: Final = "非特定"
_REMAINDER_ZH: Final = re.compile("其他|其它|他處|他種|後遺症")

_TWICE: Final = re.compile(r"[\uff01-\uff0b\uff0d-\uff5e\uf900-\ufaff]")
_BRACKETED: Final = re.compile(r"\s*\[([^\[\]]*)\]\s*")
_LAST_BRACKETED: Final = re.compile(r"\s*\[([^\[\]]*)\]$")
_WORD_AND_OTHER: Final = re.compile(r"\b[A-Za-z]+ \[([a-z]+)\]")
_SUPPLEMENT: Final = re.compile(r"\s*\([^()]*\)\s*")
_PLURAL: Final = re.compile(r"(?<=[a-z])\((?:e?s)\)")
_NO_NAME: Final = re.compile(r"\b(?:any|except|part|including|excluding|unless)\b|[,;]")
_IS_A_WORD: Final = re.compile(r"(?<![\w.-])[a-z]{4,}\b")
_INVERTED: Final = re.compile(
    r"(?P<noun>(?:(?! of )[^,])+), (?!(?:except|not|so|any|unless)\b)"
    r"(?P<adjectives>[^\s,]+(?: [^\s,]+){0,2})"
)
_OF_ORGAN: Final = re.compile(
    r"(?P<finding>(?:(?! of )[^,])+) of (?:the )?(?P<organ>(?:(?! of )[^,])+)"
)
_JOINS: Final = re.compile(
    r"\b(?:and|or|due|with|without|by|from|to|for|at|on|after|during|as|in(?! situ))\b",
    re.IGNORECASE,
)
_PLURAL_OF_ALL: Final = re.compile(
    r"\b((?:disease|disorder|syndrome|infection|neoplasm|tumor|defect|malformation|aneurysm|fever|"
    r"degeneration|deposit|concretion|pigmentation|scar|occlusion|phobia|ulcer|wart|cyst|polyp|"
    r"abnormalit|deficienc|anomal|injur|dystroph|myopath|neuropath|myelopath)(?:ie)?)s\b",
    re.IGNORECASE,
)
_POSSESSIVE: Final = re.compile("(?<=[a-z])['’]s(?= )")
_ROMAN: Final = re.compile(
    r"\b(?P<word>type|stage|grade|factor) (?P<number>I{1,3}|IV|V|VI{1,3}|IX|X)(?=[AB]?\b)"
)
_ROMAN_DIGITS: Final = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
_ORGANS: Final = re.compile(
    r"\b(adenoid|tonsil|gland|node|kidney|lung|eyelid|vessel|vein|nerve|muscle|joint|bone|cell|"
    r"duct|pathway|finger|toe|lip|jaw|organ)s$"
)
_DISORDER: Final = {"disease": "disorder", "disorder": "disease"}
_SPACES: Final = re.compile(r"\s+")

_BRACKETED_ZH: Final = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]\s*")
_LAST_BRACKETED_ZH: Final = re.compile(rf"[(\[]([{_HAN}]{{2,}})[)\]]$")
_SUFFIXES_ZH: Final = re.compile("[症病性氏型]")
_BRACKETS: Final = str.maketrans("\u3010\u3011\ufe5d\ufe5e\u3014\u3015", "[][][]")

_SAME_IN_BOTH: Final = tuple(
    (re.compile(english, re.IGNORECASE), re.compile(chinese), re.compile(said), word)
    for english, chinese, said, word in (
        (r"\b(?:sub)?acute\b", "急", "急性", "acute"),
        (r"\bchronic", "慢", "慢性", "chronic"),
        (r"\bacquired\b", "後天|獲得", "後天性", "acquired"),
        (r"\bcongenita|\binborn\b", "先天", "先天", "congenital"),
        (r"\bbenign", "良性", "(?<!不)良性", "benign"),
        (r"\bmalignan", "惡性", "惡性(?!瘧|營養|貧血)", "malignant"),
        (r"\bsecondary\b", "續發|次發|繼發|第二|次要", "續發性|次發性|繼發性", "secondary"),
    )
)
"""Words that one title may not have where the other lacks them: in English, how Chinese has it,
and what in Chinese says it beyond doubt."""


class Names(NamedTuple):
    """The names from the titles of a code; the first is the title itself."""

    node_type: str
    english: tuple[str, ...]
    chinese: tuple[str, ...]
    """In the characters and words of Taiwan."""


def names_of(code: str, english: str, chinese: str) -> Names | str:
    """The names that the titles of a code give, or why they give none.

    Args:
        code: with its dot, e.g. J18.9.
        english: its title.
        chinese: its title in Traditional characters.
    """
    title, hanzi = _plain(english), _plain(chinese).translate(_BRACKETS)
    if reason := _why_excluded(code, title):
        return reason
    title, was_unspecified = _specified(title)
    if _STILL_UNSPECIFIED.search(title):
        return "the title leaves something unspecified that is part of it"
    if was_unspecified:
        hanzi = _specified_zh(hanzi)
    if reason := _disagreement(title, hanzi):
        return reason
    english_names, chinese_names = _english(title), _chinese(hanzi, title)
    if not chinese_names:
        return "only one of the two titles has something in brackets"
    if not all((*english_names, *chinese_names)):
        return "nothing is left of a title without brackets and what says that more is not known"
    return Names("Symptom" if code[0] == _SYMPTOMS else "Disease", english_names, chinese_names)


def _why_excluded(code: str, title: str) -> str | None:
    """Why a code is not one disease or finding; None if it may be."""
    if reason := _CHAPTERS.get(code[0]):
        return reason
    if len(code) > _LONGEST_CODE:
        return "the seventh character tells an encounter, a fetus or a stage"
    return next((reason for pattern, reason in _EXCLUSIONS if pattern.search(title)), None)


def _plain(title: str) -> str:
    """One writing for each letter and Han character; one space between words.

    Full-width letters become ASCII, and what Unicode has twice for the sake of old
    encodings (compatibility ideographs) becomes the common character.
    """
    return _SPACES.sub(
        " ", _TWICE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), title)
    ).strip()


def _specified(title: str) -> tuple[str, bool]:
    """An English title without what says that nothing more is known, and whether it said so."""
    before, left = None, title
    while left != before:
        before = left
        for pattern in _UNSPECIFIED:
            left = pattern.sub("", left)
    return (left[:1].upper() + left[1:], True) if left != title else (title, False)


def _specified_zh(title: str) -> str:
    for pattern in _UNSPECIFIED_ZH:
        title = pattern.sub("", title)
    return title


def _disagreement(english: str, chinese: str) -> str | None:
    """What only one of the titles says; None if they agree."""
    if _REMAINDER_ZH.search(chinese):
        return "the Chinese title names a remainder or a sequela, the English one does not"
    checked = chinese.replace(_NONSPECIFIC_ZH, "") if _NONSPECIFIC.search(english) else chinese
    if _STILL_UNSAID.search(checked):
        return "the Chinese title leaves something unspecified, the English one does not"
    for in_english, in_chinese, unambiguous, word in _SAME_IN_BOTH:
        in_title = in_english.search(english) is not None
        pattern = in_chinese if in_title else unambiguous
        if bool(pattern.search(chinese)) != in_title:
            return f"only one of the two titles says '{word}'"
    return None


def _english(title: str) -> tuple[str, ...]:
    """The title, and its forms in running text."""
    alternative = _LAST_BRACKETED.search(title)
    full = _PLURAL.sub("", title)
    bare = _bare(full)
    names = [bare]
    if alternative and _is_a_name(alternative[1]):
        names.append(alternative[1])
    elif not alternative:
        names.append(_bare(_WORD_AND_OTHER.sub(r"\1", full)))
    singular = _PLURAL_OF_ALL.sub(lambda match: re.sub("ie$", "y", match[1]), bare)
    names.append(singular)
    if (inverted := _INVERTED.fullmatch(bare)) and not _JOINS.search(bare):
        names.append(f"{inverted['adjectives']} {_lower(inverted['noun'])}")
    if (of_organ := _OF_ORGAN.fullmatch(singular)) and not _JOINS.search(singular):
        names += _organ_first(_lower(of_organ["finding"]), of_organ["organ"])
    names += [_POSSESSIVE.sub("", name) for name in names]
    names += [_ROMAN.sub(_arabic, name) for name in names]
    return tuple(dict.fromkeys(names))


def _arabic(match: re.Match[str]) -> str:
    return f"{match['word']} {_ROMAN_DIGITS.index(match['number']) + 1}"


def _bare(title: str) -> str:
    """A title without what stands in brackets."""
    left = _SUPPLEMENT.sub(" ", _BRACKETED.sub(" ", title))
    return _SPACES.sub(" ", left).replace(" ,", ",").strip(" ,")


def _organ_first(finding: str, organ: str) -> list[str]:
    """The organ first, as people say it: adenoid hypertrophy for "Hypertrophy of adenoids"."""
    organ = _ORGANS.sub(r"\1", organ)
    if finding == "malignant neoplasm":
        return [f"{organ} cancer"]
    names = [f"{organ} {finding}"]
    words = finding.split()
    if (other := _DISORDER.get(words[-1])) is not None:
        names.append(" ".join((organ, *words[:-1], other)))
    return names


def _lower(title: str) -> str:
    """A title's beginning within a sentence; abbreviations and such as C-reactive stay."""
    return title[:1].lower() + title[1:] if title[1:2].islower() else title


def _is_a_name(bracketed: str) -> bool:
    """No abbreviation, no person alone, no explanation."""
    return bool(_IS_A_WORD.search(bracketed)) and not _NO_NAME.search(bracketed)


def _chinese(title: str, english: str) -> tuple[str, ...]:
    inner = [match[1] for match in _BRACKETED_ZH.finditer(title)]
    if not inner:
        return (title,)
    has_brackets = bool(_BRACKETED.search(english) or _SUPPLEMENT.search(english))
    within = all(_SUFFIXES_ZH.fullmatch(text) for text in inner)
    if not (has_brackets or within):
        return ()
    bare = _BRACKETED_ZH.sub("", title).strip("，、, ")
    names = [bare]
    if within:
        names.append(_BRACKETED_ZH.sub(r"\1", title))
    alternative, other = _LAST_BRACKETED.search(english), _LAST_BRACKETED_ZH.search(title)
    if alternative and other and _is_a_name(alternative[1]):
        names.append(other[1])
    return tuple(dict.fromkeys(names))
