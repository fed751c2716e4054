"""Yes or no: what the statements of a graph about two things answer to a question that wants it."""

import re
from collections.abc import Sequence
from typing import Final, Literal

from kg.stores.store import Value
from qa.question import Part, Reading

Verdict = Literal["no", "rather not", "yes", "maybe", ""]
VERDICTS: Final[tuple[Verdict, ...]] = ("no", "rather not", "yes", "maybe", "")
_FORBID: Final = ("CONTRAINDICATED_FOR", "AVOIDED_FOOD")
_WARN: Final = (
    "INTERACTS_WITH",
    "HAS_PRECAUTION",
    "HAS_ADVERSE_REACTION",
    "HAS_RISK_FACTOR",
    "CAUSED_BY",
)


def weight(relation: Value) -> int:
    """The place of a relation among those that speak against something, the weightiest first."""
    against = (*_FORBID, *_WARN)
    return against.index(str(relation)) if relation in against else len(against)


def verdict_of(part: Part, reading: Reading, rows: Sequence[tuple[Value, ...]]) -> Verdict:
    """Yes or no, where statements say so. That nothing is said against something is no yes.

    Args:
        part: of the question.
        reading: which two things it is about, and what it says of them.
        rows: statements about them, as ``entity.statements_between`` has them.
    """
    asked = [row for row in rows if row[3] in reading.relations]
    if reading.whether != "may" and asks_of_all(part):
        return ""
    if reading.whether == "may":
        return _of_leave(frozenset(str(row[3]) for row in rows), reading)
    if reading.whether == "could":
        return "maybe" if asked else ""
    so = {str(row[3]) for row in asked if reading.whether == "is" and _is_so(row, part, reading)}
    if so == {"HAS_PRECAUTION"} and _FORBIDDEN.search(part.text):
        return "rather not"  # what wants care is not forbidden
    if so.issubset(_HELP) and _CURES.search(part.text):
        return ""  # what is used against it need not cure it
    return "yes" if so else ""


def asks_of_all(part: Part) -> bool:
    """Whether a part asks if something is so always, or so alone: no statement says that.

    都 sums up what stands before it: all that is so called (贫血都要补铁吗), but of several things
    these, and before a word that asks, or of what is past, it says nothing of all.
    """
    return _OF_ALL.search(_SUMS_UP.sub("", part.text)) is not None


def _of_leave(said: frozenset[str], reading: Reading) -> Verdict:
    """Whether somebody may take or do what is asked about."""
    if said.intersection(_FORBID):
        return "no"
    if "RESEMBLES" in reading.relations and "RESEMBLES" in said:
        return "rather not"  # to whom is allergic to the one
    # what is against headache may give one, too
    harms = _WARN[:2] if said.intersection(_HELP) else _WARN
    if said <= {*_OF_CAUSES} and any(s.type in _DONE for s in reading.subjects):
        return ""  # exercise sets off asthma, and is good for it
    return "rather not" if said.intersection(harms) else ""


def _is_so(row: tuple[Value, ...], part: Part, reading: Reading) -> bool:
    """Whether a statement is what the question says: who causes is named first."""
    if not _CAUSES.search(part.text):
        return True
    place = {s.id: s.start for s in reading.subjects}
    ends = (row[4], row[0]) if row[3] in _OF_CAUSES else (row[0], row[4])
    cause, effect = (place.get(str(end)) for end in ends)
    return cause is None or effect is None or cause <= effect


_OF_ALL: Final = re.compile(
    r"\b(always|only|every(one|body| time)?|never|all|definitely|certainly|for sure|for good|the same)\b"
    r"|一定|肯定|必须|必然|都|总是|全都|只有|百分之百|绝对|同一",
    re.IGNORECASE,
)
_FORBIDDEN: Final = re.compile(r"contra-?indicat|forbid|禁", re.IGNORECASE)
_SUMS_UP: Final = re.compile(
    r"(?<=[和与跟及、])[^，。？！,.?!]{1,20}?都|(这些|那些|两|俩|各).{0,6}?都|都(?=有?[哪什啥怎多谁几])|都(?=[^，。？！,.?!]{1,8}了)"
)
"""都 that does not say of all that are so called."""
_HELP: Final = ("TREATED_BY", "INDICATED_FOR", "USED_OFF_LABEL_FOR")
_CURES: Final = re.compile(r"\bcur(e|es|ed|ing)\b|治愈|根治|治得?好|断根", re.IGNORECASE)
_CAUSES: Final = re.compile(
    r"\b(causes?|leads? to|(raise|increase)s?|trigger|result in)\b|引起|导致|引发|诱发|增加",
    re.IGNORECASE,
)
_OF_CAUSES: Final = ("CAUSED_BY", "HAS_RISK_FACTOR")
_DONE: Final = ("Behavior", "Procedure")
"""Types of what is done, and not taken."""
