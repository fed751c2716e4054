"""Whether a text denies a mention, and whether it speaks of the patient's family.

The method is that of NegEx and ConText: cue phrases before or after a mention,
phrases that only look like cues, and phrases that end a cue's scope. The cue lists
(English and Chinese) are medkg's own.

Chapman et al. (2001), "A simple algorithm for identifying negated findings and
diseases in discharge summaries", J Biomed Inform 34:301-310.
Harkema et al. (2009), "ConText: an algorithm for determining negation, experiencer,
and temporal status from clinical reports", J Biomed Inform 42:839-851.
"""

from collections.abc import Sequence
from typing import NamedTuple

from kg.text._experiencer import of_others
from kg.text._marks import Layout
from kg.text._negation import negated


class Context(NamedTuple):
    """What a text says around a mention."""

    negated: bool
    """The text says that it is not there, not the case or not taken."""
    family: bool
    """It is that of a relative, or of somebody else who is not the patient."""


def contexts(text: str, spans: Sequence[tuple[int, int]]) -> list[Context]:
    """The context of each mention, in the order given.

    Cues inside a mention do not count. Time is linear in the text.

    Args:
        text: any text, one sentence or a whole note or dialogue.
        spans: start and end of each mention, in code points; any order, may overlap.
    """
    if not spans:
        return []
    layout = Layout.of(text)
    pairs = zip(negated(layout, spans), of_others(layout, spans), strict=True)
    return [Context(*pair) for pair in pairs]
