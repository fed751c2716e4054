"""How often findings are seen in diseases, from what sources say, little or much.

The posterior mean of a Beta distribution around one half that counts as PATIENTS patients, so
that one patient of one is not yet all patients::

    (seen + PATIENTS / 2) / (examined + PATIENTS)

Patients that sources count (``3/7``) count as such. What they say in other ways (a class such
as "frequent", a percentage) counts as PATIENTS patients with that share.
"""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kg.tables import SEPARATOR

PATIENTS: Final = 5.0
"""For how many patients the prior counts, and a frequency without a number of patients."""

PRIOR: Final = 0.5
"""How often a finding is seen where no source says it of any."""

_COUNTED: Final = re.compile(r"(\d{1,9})\s*/\s*([1-9]\d{0,8})", re.ASCII)


def frequencies(said: Sequence[tuple[float | None, str | None]]) -> NDArray[np.float64]:
    """How often each finding is seen, in [0, 1]; shape (findings,).

    Args:
        said: of each finding the mean of what its sources say, in [0, 1], and how they write
            it; both None where they say nothing. Those get the median of the others.
    """
    known = {told: _estimate(*told) for told in set(said) if told[0] is not None}
    everything = [known[told] for told in said if told in known]
    otherwise = float(np.median(everything)) if everything else PRIOR
    return np.array([known.get(told, otherwise) for told in said], dtype=np.float64)


def _estimate(frequency: float | None, text: str | None) -> float:
    parts = text.split(SEPARATOR) if text else []
    counted = [match for part in parts if (match := _COUNTED.fullmatch(part.strip()))]
    seen = float(sum(int(match[1]) for match in counted))
    examined = float(sum(int(match[2]) for match in counted))
    if len(counted) < max(len(parts), 1):
        seen += (frequency or 0.0) * PATIENTS
        examined += PATIENTS
    return min((seen + PRIOR * PATIENTS) / (examined + PATIENTS), 1.0)
