"""How often findings are seen in diseases, from what sources say, little or much.

The posterior mean of a Beta distribution around PRIOR that counts as PATIENTS patients, so
that one patient of one is not yet all patients::

    (seen + PRIOR * PATIENTS) / (examined + PATIENTS)

Patients that sources count (``3/7``) count as such. What they say in other ways (a class such
as "frequent", a percentage) counts as PATIENTS patients with that share. A publication or a
source that says no more than that the disease has the finding counts as REPORTED patients who
have it: what many report is seen more often than what one does.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kg.tables import SEPARATOR

PATIENTS: Final = 10.0
"""For how many patients the prior counts, and a frequency without a number of patients."""

PRIOR: Final = 0.2
"""How often a finding is seen of which nothing is known."""

REPORTED: Final = 2.0
"""For how many patients a report without a frequency counts."""

_COUNTED: Final = re.compile(r"(\d{1,9})\s*/\s*([1-9]\d{0,8})", re.ASCII)


class StatedFrequency(NamedTuple):
    """How often sources state that a finding is seen in a disease."""

    frequency: float | None = None
    """The mean of what they say, in [0, 1]; None where they say nothing."""
    text: str | None = None
    """How they write it, joined."""
    reports: int = 1
    """Publications that they name, or they themselves, whichever are more."""


def frequencies(stated: Sequence[StatedFrequency]) -> NDArray[np.float64]:
    """How often each finding is seen, in [0, 1]; shape (findings,)."""
    estimates = {each: _estimate(each) for each in set(stated)}
    return np.array([estimates[each] for each in stated], dtype=np.float64)


def _estimate(stated: StatedFrequency) -> float:
    parts = stated.text.split(SEPARATOR) if stated.text else []
    counted = [match for part in parts if (match := _COUNTED.fullmatch(part.strip()))]
    affected = float(sum(int(match[1]) for match in counted))
    examined = float(sum(int(match[2]) for match in counted))
    if stated.frequency is not None and len(counted) < max(len(parts), 1):
        affected += stated.frequency * PATIENTS
        examined += PATIENTS
    parts_with_frequency = 0 if stated.frequency is None else max(len(parts), 1)
    reports_without_frequency = max(stated.reports - parts_with_frequency, 0) * REPORTED
    return min(
        (affected + reports_without_frequency + PRIOR * PATIENTS)
        / (examined + reports_without_frequency + PATIENTS),
        1.0,
    )
