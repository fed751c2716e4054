"""Which names of the graph a conversation can be about: those that people say, of single things."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal, Self

from evalsim.case import Language, Thing
from kg.text import normalise
from kg.text.words import HAN

Fault = Literal[
    "no name in the language",
    "wording of a classification",
    "a sentence, not a name",
    "a group",
    "a susceptibility or trait",
]
"""Why nobody would say a name in a conversation."""

_HAN: Final = re.compile(f"[{HAN}]")
_LATIN: Final = re.compile("[A-Za-z]{2}")
_CLASSIFICATION: Final = re.compile(
    r"\b(?:NOS|NEC|unspecified|not otherwise specified|elsewhere|without mention|other|obsolete)\b"
    r"|[;\[\]]|未特指|未指明|其他|其它|未分类|不可归类",
    re.IGNORECASE,
)
_TRAIT: Final = re.compile(
    r"\b(?:susceptibility|predisposition|resistance to|protection against|quantitative trait"
    r"|modifier of|variation in|carriers?)\b|易感性|携带者",
    re.IGNORECASE,
)
_GROUP: Final = re.compile(
    r"^(?:abnormal(?:ity)?|disorders?|diseases?) of\b|^abnormal \w+ morphology$"
    r"|\b(?:diseases|disorders|syndromes|neoplasms|conditions)$|系统疾病|类疾病|疾患$|病变类",
    re.IGNORECASE,
)
_GENERAL: Final = re.compile(
    r"(?:disease|disorder|syndrome|neoplasm|tumou?r|cancer|carcinoma|infection|deficiency|anomaly"
    r"|malformation)$"
)
"""Ends the name of a disease that, with many kinds beneath it, is a group and no diagnosis; an
eponym (Alzheimer disease) is one."""
_SERIES: Final = re.compile(
    r"[\s,]+(?:(?:type|group|form|complementation group)\s+)?(?:\d+[A-Za-z]{0,2}|[IVX]{1,4}[A-Za-z]?|[A-Z])$"
    r"|[0-9IVX]+[A-Za-z]?型$"
)
_TUMOUR: Final = re.compile(
    r"\b(?:cancer|carcinoma|(?:malignant )?(?:tumou?r|neoplasm))\b|癌|(?:恶性)?肿瘤", re.IGNORECASE
)
_TUMOURS: Final = {
    "en": ("cancer", "carcinoma", "tumor", "tumour", "neoplasm", "malignant tumor"),
    "zh": ("癌", "肿瘤", "恶性肿瘤"),
}
"""Words that people use for one another; tumours that differ have another part of the name too."""
_NO_CANCER: Final = re.compile(r"\bbenign\b|\bnecrosis\b|良性|坏死因子", re.IGNORECASE)
_LONGEST: Final = {"en": 80, "zh": 18}
"""Characters of a name."""
_MANY_KINDS: Final = 10
_TOO_MANY_KINDS: Final = 100
_SHORTEST: Final = {"en": 4, "zh": 2}
"""Characters of a name that is looked for within another one."""


def fault(name: str | None, language: Language) -> Fault | None:
    """Why a name cannot be said in a language; None: it can.

    Args:
        name: the one in that language; None: there is none.
        language: of the conversation.
    """
    own_script, other_script = (_HAN, None) if language == "zh" else (_LATIN, _HAN)
    if not name or not own_script.search(name) or (other_script and other_script.search(name)):
        return "no name in the language"
    if _CLASSIFICATION.search(name):
        return "wording of a classification"
    if _TRAIT.search(name):
        return "a susceptibility or trait"
    if _GROUP.search(name):
        return "a group"
    return "a sentence, not a name" if len(name) > _LONGEST[language] else None


def is_group(name: str, kinds: int) -> bool:
    """Whether a disease is a group of diseases rather than a diagnosis.

    Args:
        name: its name in English.
        kinds: how many diseases are kinds of it.
    """
    eponym = name[:1].isupper() and not name.isupper()
    general = bool(_GENERAL.search(name)) and not eponym
    return kinds > (_MANY_KINDS if general else _TOO_MANY_KINDS)


def series(name: str) -> str | None:
    """The name without the number or letter that ends it; None: none does."""
    base = _SERIES.sub("", name)
    return base.lower() if base and base != name else None


def everyday(names: Iterable[str]) -> tuple[str, ...]:
    """Names as somebody says them within a sentence, each once, the shortest first."""
    words_of = {normalise(name): _uncapitalised(name) for name in sorted(names, reverse=True)}
    return tuple(sorted(words_of.values(), key=lambda name: (len(name), name)))


def _uncapitalised(name: str) -> str:
    """Without the capital that begins an entry of a list; one of an acronym or eponym stays."""
    return name if name[1:2].isupper() else name[:1].lower() + name[1:]


def with_words_for_tumours(names: Iterable[str]) -> Iterator[str]:
    """Names, and those of tumours with each word for a tumour: breast cancer, breast carcinoma."""
    for name in names:
        yield name
        if (tumour := _TUMOUR.search(name)) and not _NO_CANCER.search(name):
            words = _TUMOURS["zh" if _HAN.match(tumour[0]) else "en"]
            yield from (name[: tumour.start()] + word + name[tumour.end() :] for word in words)


class Names:
    """The names of one thing, to be found in others."""

    def __init__(self, names: Iterable[str]) -> None:
        normal = {normalise(name) for name in with_words_for_tumours(names)} - {""}
        self._han = {n for n in normal if _HAN.search(n) and len(n) >= _SHORTEST["zh"]}
        self._latin = {
            f" {n} " for n in normal if not _HAN.search(n) and len(n) >= _SHORTEST["en"]
        }
        self._short = normal - self._han - {n.strip() for n in self._latin}

    @classmethod
    def of(cls, thing: Thing, synonyms: Iterable[str] = ()) -> Self:
        """Those of a thing, with other names of it."""
        return cls(filter(None, (thing.name, thing.name_zh, *synonyms)))

    def within(self, *texts: str | None) -> bool:
        """Whether a text, or one of several, has one of the names as whole words."""
        return any(self.within_normal(normalise(text)) for text in texts if text)

    def within_normal(self, normal: str) -> bool:
        """The same of one text as ``kg.text.normalise`` leaves it."""
        if normal in self._short or any(name in normal for name in self._han):
            return True
        padded = f" {normal} "
        return any(name in padded for name in self._latin)
