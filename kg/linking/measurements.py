"""Vital signs and laboratory values in running text, read as the findings that they are.

``measurements.yaml`` has their names, units and reference ranges, with the sources of the
ranges. A value counts with a unit of the table, or without any where it is plausible in one
only ("K 2.9", "WBC 15,000"). "Elevated creatinine" and 血压升高 count like values. An analyte
alone is never a finding, nor is a value within its range, in urine or in another fluid.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, NamedTuple

from kg.linking.mention import NO_FINDING, Term
from kg.linking.reference_ranges import Measurement, Range, Table, plain_unit, reference_table
from kg.text.patient import Patient, patient_of

_NUMBER: Final = (
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?"
    # "WBC 2. 6 X109/L": a blank that optical recognition left
    r"|\d+\. \d{1,3}(?=\s?(?:[mµμunp]?g/|[mµμun]?mol|I?U/|%|[x×X*·]\s?10))"
    r"|\d+(?:\.\d+)?"
)
_BETWEEN: Final = (
    r"(?:\s|[:：=~\uff5e≈（(]|\blevels?\b|\bcounts?\b|\brates?\b|\bconcentrations?\b|\bvalue\b|\breading\b"
    r"|\bof\b|\bis\b|\bare\b|\bwas\b|\bwere\b|\bat\b|\bto\b|\bup\b|\bdown\b|\babout\b|\baround\b|\bapproximately\b"
    r"|\bmeasured\b|\bnow\b|\bcurrently\b|\btoday\b|\bfound\b|\bnoted\b|\bbe\b|\bhas\b|\bbeen\b|\bhigh\b|\blow\b"
    r"|\belevated\b|\bdecreased\b|\bincreased\b|\bonly\b|\bas\b|\brose\b|\bfell\b|\bdropped\b"
    r"|为|是|约|在|达到|达|高|最高|最低|升高|降低|升|降|至|到|测|水平|计数|值|大概|左右|波动于|波动在|持续){0,8}?"
)
_COMPARED: Final = r"(?P<compared>[<>≤≥\uff1c\uff1e]=?|(?:less|below|under|more|greater|above|over) (?:than )?)?\s*"
_UNIT: Final = (
    r"(?P<unit>\s?degrees?(?:\s(?:fahrenheit|celsius|[CF]\b))?|\s?(?:[x×*·]\s?10\s?[\^(]?\s?[\d⁰¹²³⁴-⁹]{1,2}\)?\s?|10\^\d{1,2}\s?)?"
    r"(?:°\s?[CFcf]\b|℃|℉|[°%\uff05度秒]|次\s?[/\uff0f]\s?分钟?|次每分|(?!\sper\s)\s?(?!per\s)[A-Za-zµμ]+[²³0-9]?)?(?:\s?[/\uff0f]\s?[A-Za-zµμ]+[²³0-9]?|\s?/\s?1?h\b"
    r"|\s?per\s(?:minute|cubic\smillimet(?:er|re)s?))?(?:\s?(?:minute|Hg)\b)?)"
)
_RAISED: Final = r"elevated|increased|raised|high|升高|增高|偏高|增多|过高|↑"
_LOWERED: Final = r"decreased|reduced|low|降低|减低|偏低|减少|过低|↓"
_IS: Final = r"(?:\s?(?:levels?|counts?|水平|计数|is|are|was|were|明显|轻度|slightly|mildly|markedly|(?=[^\x00-\x7f]))){1,3}\s?"
_VALUE: Final = re.compile(
    rf"{_BETWEEN}{_COMPARED}(?P<first>{_NUMBER})(?:\s?(?:[/\uff0f]|over)\s?(?P<second>\d{{2,3}})(?![\d/])"
    rf"|\s?(?:%|°[CF]|℃)?\s?[-\u2013~\uff5e至]\s?(?P<last>{_NUMBER}))?{_UNIT}",
    re.IGNORECASE,
)
_WARM: Final = re.compile(
    r"(?:(?:3[89]|4[0-2])(?:\.\s?\d{1,2})?(?!\d|\.\d|\s?(?:[%次天日月年]|days?\b|years?\b|hours?\b))"
    r"\s?(?:[℃度]|°\s?C|C\b)?|10[0-6](?:\.\d{1,2})?\s?(?:℉|°\s?F|F\b|degrees\b))"
)
_DEGREES: Final = ("℃", "°C", "° C")
_NOT_OF_A_BODY: Final = re.compile(
    r"水|室|气温|\b(?:water|room|oven|stor|incubat|heated)", re.IGNORECASE
)
_DIGITS: Final = tuple("0123456789.")
_OF_FEVER: Final = re.compile(
    r"(?:[热烧温]|\bfevers?\b|\bfebrile\b|\btemp(?:erature)?s?\b)[^\d,，.。;；\n]{0,14}$",
    re.IGNORECASE,
)
"""A temperature that a word for fever stands before: fever up to 39, 发热（38.5℃）."""
_FEVER: Final = Term("HP:0001945", "Fever")
_ADJECTIVE_AFTER: Final = re.compile(
    rf"{_IS}(?P<word>{_RAISED}|{_LOWERED})(?![A-Za-z]|\s?\d|\s(?:to|from|by)\s)", re.IGNORECASE
)
_ADJECTIVE_BEFORE: Final = re.compile(
    rf"(?<![A-Za-z])(?P<word>{_RAISED}|{_LOWERED})\s(?:serum |blood |his |her )?$", re.IGNORECASE
)
_NEXT_WORD: Final = re.compile(r"\s?[A-Za-z]*")
_OTHER_UNITS: Final = re.compile(
    r"m?c?g|ug|kg|[mu]?l|c?mm?|km|h|hr|hours?|days?|weeks?|wks?|months?|years?|yrs?|times|tablets?|pills?"
    r"|units?|doses?|points?|packs?|x|lbs?|pounds?|minutes?|mins?|s|sec|seconds?|am|pm|st|nd|rd|th|oz"
)
"""A number with one of these units is not a value of the name before it."""
_OF_A_FLUID: Final = re.compile(
    r"(?:urin|csf|cerebrospinal|pleural|ascit|synovial|stool|fluid|semen|尿|脑脊液|胸水|腹水|关节液"
    r"|穿刺液|痰|大便|粪|白带)[^.,，;。；\n]{0,25}$",
    re.IGNORECASE,
)
_OF_THE_BLOOD: Final = ("尿素", "尿酸")
_CELLS: Final = "x109/l"
"""Cells of the blood are counted in this unit; "WBC 1-2" without one are those that a microscope shows."""
_AROUND: Final = 30
_NEAR: Final = 80


class MeasuredValue(NamedTuple):
    """A value with its name, or a name said to be high or low."""

    start: int
    end: int
    """``text[start:end]`` has the name and the value."""
    id: str
    """The finding in HPO; empty where the value is within its range."""
    label: str
    """What HPO calls it."""


def measured_values(text: str) -> Iterator[MeasuredValue]:
    """The values of a text, in its order.

    Ranges are those of the patient's age and sex as the text tells them.
    """
    values = list(_values_of_names(text))
    taken = [(value.start, value.end) for value in values]
    for match in _WARM.finditer(text):
        start, end = match.span()
        if any(first < end and start < last for first, last in taken):
            continue
        before = text[max(0, start - _AROUND) : start]
        is_warm = _OF_FEVER.search(before) or (
            match[0].endswith(_DEGREES) and not _NOT_OF_A_BODY.search(before)
        )
        if is_warm and not before.endswith(_DIGITS):
            values.append(MeasuredValue(start, end, *_FEVER))
    return iter(sorted(values))


def _values_of_names(text: str) -> Iterator[MeasuredValue]:
    """The values behind names."""
    table, free = reference_table(), 0
    patient = cache(lambda: patient_of(text))  # needed for few texts
    for start, end in table.named(text):
        if start < free:
            continue
        value = _value(table, text, start, end, patient) or _adjective(table, text, start, end)
        if value:
            yield value
            free = value.end


def _value(
    table: Table, text: str, start: int, name_end: int, patient: Callable[[], Patient]
) -> MeasuredValue | None:
    """The finding of the value behind a name."""
    match = _VALUE.match(text, name_end)
    if match is None:
        return None
    measurement = table.of(text[start:name_end])
    unit = plain_unit(match["unit"])
    is_known_unit = unit in measurement.units
    if (
        not is_known_unit
        and _NEXT_WORD.fullmatch(match["unit"])
        and not _OTHER_UNITS.fullmatch(unit)
    ):
        unit = ""
    if (name_end - start == 1 and not is_known_unit) or bool(match["second"]) < measurement.pair:
        return None
    if match["last"] and not is_known_unit and _CELLS in measurement.units:
        return None
    near = measurement.near
    if _is_of_a_fluid(text, start) or (
        near and not near.search(text[max(0, start - _NEAR) : match.end()])
    ):
        return None
    numbers = [
        measurement.base(float(match[group].replace(",", "").replace(" ", "")), unit)
        for group in ("first", "second" if measurement.pair else "last")
        if match[group]
    ]
    if None in numbers:
        return None
    finding = _finding(measurement, numbers, match["compared"] or "", patient())
    end = match.end("unit") if is_known_unit else match.start("unit")
    return MeasuredValue(start, end, *(finding or NO_FINDING))


def _is_of_a_fluid(text: str, start: int) -> bool:
    """Whether what is named at an offset was measured elsewhere than in the blood."""
    before = text[max(0, start - _AROUND) : start]
    return _OF_A_FLUID.search(before) is not None and not text.startswith(_OF_THE_BLOOD, start)


def _finding(
    measurement: Measurement, numbers: list[float | None], compared: str, patient: Patient
) -> Term | None:
    """The finding that a value means at every age that the patient may have; None if they differ."""
    values = [number for number in numbers if number is not None]
    findings = {
        _beyond(measurement, measurement.range_of(age, patient.sex), values, compared)
        for age in patient.ages
    }
    return findings.pop() if len(findings) == 1 else None


def _beyond(
    measurement: Measurement, limits: Range | None, values: list[float], compared: str
) -> Term | None:
    if limits is None:
        return None
    less, more = _directions(compared)
    if measurement.pair:
        systolic, diastolic = values
        if systolic > limits.high or diastolic > limits.second:
            return measurement.high if systolic > limits.high else measurement.second
        return measurement.low if systolic < limits.low else None
    if not more and all(
        round(value, 6) < limits.low or (less and value <= limits.low) for value in values
    ):
        return measurement.low
    if not less and all(
        round(value, 6) > limits.high or (more and value >= limits.high) for value in values
    ):
        return measurement.high
    return None


def _directions(compared: str) -> tuple[bool, bool]:
    """Whether a value is said to be less than a number, and whether more."""
    sign = compared.strip().lower()
    less = sign.startswith(("<", "≤", "\uff1c", "less", "below", "under"))
    return less, bool(sign) and not less


def _adjective(table: Table, text: str, start: int, end: int) -> MeasuredValue | None:
    """The finding of a name said to be high or low without a number."""
    after = _ADJECTIVE_AFTER.match(text, end)
    before = None if after else _ADJECTIVE_BEFORE.search(text, max(0, start - _AROUND), start)
    adjective = after or before
    if adjective is None or end - start == 1 or _is_of_a_fluid(text, start):
        return None
    measurement = table.of(text[start:end])
    is_high = re.fullmatch(_RAISED, adjective["word"], re.IGNORECASE) is not None
    finding = measurement.high if is_high else measurement.low
    first = start if after else adjective.start("word")
    return MeasuredValue(first, after.end() if after else end, *finding) if finding else None
