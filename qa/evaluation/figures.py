"""Pictures of a measurement: densities of scores, and of reading ease beside the gold answers'."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kg.stores.disk import disk_errors
from qa.evaluation.run import Row
from qa.evaluation.statistics import density_overlap
from qa.evaluation.systems import FIRST, FULL, ORACLE, OURS

_COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Of Okabe and Ito (2008), "Color universal design": the colour-blind can tell them apart too."""
_LINES: Final = ("-", "--", ":", "-.")
_GRID: Final = 400
_DPI: Final = 110
_STYLE: Final[dict[Any, Any]] = {
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "grid.alpha": 0.3,
    "legend.frameon": False,
}


def draw(rows: Sequence[Row], path: Path) -> None:
    """Draw densities of ROUGE-L and of reading ease (the paper's figure 5) into one PNG.

    Args:
        rows: of a measurement.
        path: the file; its folder is made.

    Raises:
        StoreError: it cannot be written.
    """
    systems = (FIRST, FULL, OURS, ORACLE)
    rouge = {name: _values(rows, name, "rouge_l") for name in systems}
    golds = [row.gold_ease for row in rows if row.gold_ease is not None]
    ease = {"gold answers": golds, **{name: _values(rows, name, "ease") for name in (FULL, OURS)}}
    with mpl.rc_context(_STYLE), disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        figure = Figure(figsize=(10, 4), layout="constrained")
        left, right = figure.subplots(1, 2)
        _densities(left, rouge, "ROUGE-L with the gold answer", None)
        _densities(right, ease, "Flesch reading ease", golds)
        figure.savefig(path, dpi=_DPI, metadata={"Software": None})


def _values(rows: Sequence[Row], name: str, score: str) -> list[float]:
    values = (getattr(row.scores[name], score) for row in rows if name in row.scores)
    return [float(value) for value in values if value is not None]


def _densities(
    axes: Axes, scores: Mapping[str, list[float]], title: str, reference: list[float] | None
) -> None:
    """A line for each system, with the share that it has in common with others."""
    from scipy.stats import gaussian_kde  # noqa: PLC0415 - half a second

    usable = {
        name: values for name, values in scores.items() if len(values) > 1 and np.ptp(values) > 0
    }
    axes.set_title(title)
    if not usable:
        return
    all_values = np.concatenate([*usable.values()])
    low, high = np.quantile(all_values, [0.002, 0.998])
    grid = np.linspace(low, high, _GRID)
    for number, (name, values) in enumerate(usable.items()):
        label = name
        if reference is not None and values is not reference:
            label = f"{name}, overlap {density_overlap(values, reference):.1%}"
        style = _LINES[number % len(_LINES)]
        axes.plot(grid, gaussian_kde(values)(grid), style, color=_COLOURS[number], label=label)
    axes.set_ylabel("density")
    axes.set_ylim(bottom=0)
    axes.legend()
