"""Scores by how long dialogues were (figures 4 and 5 of MedKGEval), and turns up to a diagnosis."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, nan
from pathlib import Path
from typing import Any, Final
from warnings import catch_warnings, filterwarnings

from evalsim.dialogue import EndReason
from evalsim.metrics.leaderboard import UNKNOWN, Setting
from evalsim.metrics.scores import Played, score_dialogue
from evalsim.statistics import Interval, bootstrap_mean
from kg.stores.disk import disk_errors

_COLOUR: Final = "#0072B2"
_LINE: Final = "#D55E00"
"""Of Okabe and Ito (2008), "Color universal design": the colour-blind can tell them apart too."""
_ACROSS: Final = 4
_LARGEST: Final = 420.0
"""Area of the largest bubble, in square points."""
_FEW: Final = 5
"""Dialogues below which a mean is not drawn."""
_LONGEST: Final = 28
"""Characters of a doctor's name that a title has room for."""
_DPI: Final = 110
_STYLE: Final[dict[Any, Any]] = {
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "grid.alpha": 0.3,
    "svg.fonttype": "none",
    "svg.hashsalt": "medkg",  # else the ids in a picture differ from run to run
}


@dataclass(frozen=True, order=True)
class Bubble:
    """Dialogues of one doctor that ended at one turn with one score."""

    doctor: str
    turns: int
    score: float
    """In [0, 1]."""
    dialogues: int


@dataclass(frozen=True)
class DiagnosisTurns:
    """How soon one doctor comes to a diagnosis."""

    setting: Setting
    doctor: str
    diagnosed: int
    """Dialogues that ended with one."""
    otherwise: int
    """Dialogues that ended in another way; they have no turn of a diagnosis."""
    turns: Interval
    """Mean turns of those that ended with one (section 5.2), with its interval by whole diseases."""
    ended_at: tuple[tuple[int, int], ...]
    """Turn, and dialogues of any end that ended there."""


def turn_bubbles(
    played: Iterable[Played], metric: str, *, by: str = "median"
) -> tuple[Bubble, ...]:
    """How many dialogues ended at which turn with which score (figures 4 and 5).

    Args:
        played: dialogues of one setting.
        metric: of its task.
        by: a rule or a judge, as ``evalsim.metrics.decide`` takes it.

    Returns:
        Sorted; dialogues without a score are in none.

    Raises:
        ValueError: as ``score_dialogue`` says.
    """
    counts: Counter[tuple[str, int, float]] = Counter()
    for each in played:
        score = score_dialogue(each.dialogue, metric, by).score
        if score is not None:
            counts[each.doctor, len(each.dialogue.turns), round(score, 4)] += 1
    return tuple(sorted(Bubble(*key, count) for key, count in counts.items()))


def turns_to_diagnosis(played: Sequence[Played], *, seed: int = 0) -> tuple[DiagnosisTurns, ...]:
    """How soon each doctor diagnoses, by setting.

    Args:
        played: dialogues of any doctors; those about drugs are passed over.
        seed: of the bootstrap.
    """
    own: dict[tuple[Setting, str], list[Played]] = {}
    for each in played:
        if each.dialogue.task == "diagnosis":
            own.setdefault((Setting.of(each), each.doctor), []).append(each)
    rows = []
    for (setting, doctor), its in sorted(own.items(), key=lambda item: item[0]):
        ended = [each for each in its if each.dialogue.end == EndReason.DIAGNOSED]
        turns = [float(len(each.dialogue.turns)) for each in ended]
        names = [each.target for each in ended]
        mean = bootstrap_mean(turns, names, seed=seed) if ended else UNKNOWN
        at = Counter(len(each.dialogue.turns) for each in its)
        rows.append(
            DiagnosisTurns(
                setting, doctor, len(ended), len(its) - len(ended), mean, tuple(sorted(at.items()))
            )
        )
    return tuple(rows)


def draw_bubbles(bubbles: Sequence[Bubble], title: str, path: Path) -> None:
    """Draw a panel for each doctor: turns across, score upwards, a bubble's area its dialogues.

    The line joins the mean scores of turn counts with five dialogues or more.

    Args:
        bubbles: of ``turn_bubbles``; none gives a picture that says so.
        title: what the score is, shown above.
        path: the file, ``.svg`` or ``.png``; its folder is made. The same bubbles give the same bytes.

    Raises:
        StoreError: it cannot be written.
    """
    import matplotlib as mpl  # noqa: PLC0415 - a third of a second
    from matplotlib.figure import Figure  # noqa: PLC0415

    names = sorted({each.doctor for each in bubbles})
    across = min(_ACROSS, max(1, len(names)))
    down = max(1, ceil(len(names) / across))
    with mpl.rc_context(_STYLE), disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        figure = Figure(figsize=(2.6 * across + 0.8, 2.5 * down + 0.7), layout="constrained")
        figure.suptitle(title, parse_math=False)
        panels = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True).ravel()
        for panel, name in zip(panels, names, strict=False):
            _panel(panel, name, [each for each in bubbles if each.doctor == name], bubbles)
        for panel in panels[len(names) :]:
            panel.set_axis_off()
        for panel in panels[max(0, len(names) - across) : len(names)]:
            panel.tick_params(labelbottom=True)  # also above an empty place
        largest = max((each.dialogues for each in bubbles), default=0)
        legend = f"turns (the largest bubble is {largest} dialogues; the line joins means of {_FEW} or more)"
        figure.supxlabel(legend if names else "no dialogue has a score", fontsize=9)
        figure.supylabel("score")
        nameless = {"Date": None} if path.suffix == ".svg" else {"Software": None}
        with catch_warnings():  # of letters that the font lacks: an SVG's reader has its own
            filterwarnings("ignore", message="Glyph .* missing from font")
            figure.savefig(path, dpi=_DPI, metadata=nameless)


def _panel(panel: Any, name: str, own: Sequence[Bubble], every: Sequence[Bubble]) -> None:  # noqa: ANN401 - Axes, imported late
    """One doctor's bubbles; areas and axes are alike in all panels."""
    largest = max(each.dialogues for each in every)
    last = max(each.turns for each in every)
    panel.scatter(
        [each.turns for each in own],
        [each.score for each in own],
        s=[_LARGEST * each.dialogues / largest for each in own],
        color=_COLOUR,
        alpha=0.45,
        linewidths=0.5,
        edgecolors=_COLOUR,
    )
    means = []
    for turns in range(1, last + 1):
        there = [each for each in own if each.turns == turns]
        count = sum(each.dialogues for each in there)
        whole = sum(each.score * each.dialogues for each in there)
        means.append(whole / count if count >= _FEW else nan)  # which interrupts the line
    panel.plot(range(1, last + 1), means, "-", color=_LINE, marker=".", lw=1.2)
    short = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
    count = sum(each.dialogues for each in own)
    panel.set_title(f"{' '.join(short.split())} (n = {count})", fontsize=9, parse_math=False)
    panel.set_xlim(0.3, last + 0.7)
    panel.set_ylim(-0.12, 1.12)
    panel.set_xticks(range(1, last + 1, max(1, ceil(last / 6))))
    panel.set_yticks([0, 0.25, 0.5, 0.75, 1])
