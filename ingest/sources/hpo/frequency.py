"""How often a phenotype is seen in a disease, as HPO's annotations write it."""

import re
from typing import Final

CLASSES: Final = {
    "HP:0040280": 1.0,  # Obligate: 100 %
    "HP:0040281": 0.895,  # Very frequent: 80-99 %
    "HP:0040282": 0.545,  # Frequent: 30-79 %
    "HP:0040283": 0.17,  # Occasional: 5-29 %
    "HP:0040284": 0.025,  # Very rare: 1-4 %
    "HP:0040285": 0.0,  # Excluded: 0 %
}
"""Middle of the range by which HPO defines each class, as a fraction."""

_RATIO: Final = re.compile(r"(\d{1,9})\s*/\s*(\d{1,9})", re.ASCII)
_PERCENT: Final = re.compile(r"(\d{1,3}(?:\.\d{1,9})?)\s*%", re.ASCII)


def fraction(text: str) -> float | None:
    """A frequency in [0, 1] from ``7/13``, ``17%`` or a class; None for anything else.

    A ratio above 1, or of none examined (``3/0``), is none.
    """
    text = text.strip()
    if text in CLASSES:
        return CLASSES[text]
    if ratio := _RATIO.fullmatch(text):
        affected, examined = int(ratio[1]), int(ratio[2])
        return affected / examined if examined and affected <= examined else None
    if percent := _PERCENT.fullmatch(text):
        share = float(percent[1]) / 100
        return share if share <= 1 else None
    return None
