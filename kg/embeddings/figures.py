"""Pictures of an evaluation: loss and validation by epoch, MRR by relation."""

from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import shorten
from typing import Any, Final, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from kg.embeddings.checkpoints import Epoch
from kg.embeddings.metrics import CONFIDENCE, Measures
from kg.embeddings.report import EvaluationReport, Measured
from kg.embeddings.triples import FloatArray, IntArray
from kg.stores.disk import disk_errors

RELATIONS: Final = 40
"""How many relations are drawn at most: those with the most test triples."""

TITLE: Final = 66
"""How many characters a title has at most."""

_COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Of Okabe and Ito (2008), "Color universal design": the colour-blind can tell them apart too."""
_LINES: Final = ("-", "--", ":", "-.")
_STYLE: Final[dict[Any, Any]] = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "svg.hashsalt": "medkg",  # the same report gives the same file
    "text.parse_math": False,  # a name may have dollar signs
}
_STEEP: Final = 30
"""Ratio of the greatest loss to the least from which on the axis is logarithmic."""
_BEST: Final[dict[str, Any]] = {
    "linestyle": "none",
    "marker": "*",
    "markeredgecolor": "black",
    "markersize": 12,
}
_LONGEST: Final = 44
"""Characters of a relation's name that are shown."""


def draw(
    report: EvaluationReport, folder: Path, form: Literal["png", "svg"] = "png"
) -> tuple[Path, ...]:
    """Draw a report into a folder, made where it is missing: loss, mrr and relations.

    What the report does not have is not drawn: the first two need the history of a training, the
    second the validation MRR in it.

    Returns:
        The files, in that order.

    Raises:
        StoreError: the folder cannot be written.
    """
    pictures = {"loss": _loss, "mrr": _validation, "relations": _relations}
    written = []
    with mpl.rc_context(_STYLE), disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, picture in pictures.items():
            if (figure := picture(report)) is not None:
                path = folder / f"{name}.{form}"
                metadata = {"Date": None} if form == "svg" else {}
                figure.savefig(path, dpi=150, metadata=metadata)
                written.append(path)
    return tuple(written)


def _loss(report: EvaluationReport) -> Figure | None:
    curves = _curves(report, lambda epoch: epoch.loss)
    if not curves:
        return None
    figure, axes = _by_epoch(report, "Training loss", "mean loss of a step", curves)
    values = [value for _, losses in curves.values() for value in losses]
    if min(values) > 0 and max(values) / min(values) >= _STEEP:
        axes.set_yscale("log")
    return figure


def _validation(report: EvaluationReport) -> Figure | None:
    curves = _curves(report, lambda epoch: epoch.mrr)
    if not curves:
        return None
    figure, axes = _by_epoch(report, "Validation", "MRR (filtered, realistic)", curves)
    for at, (epochs, values) in enumerate(curves.values()):
        best = int(np.argmax(values))
        axes.plot(epochs[best], values[best], color=_colour(at), **_BEST)
    axes.plot([], [], color="white", label="best epoch", **_BEST)
    axes.set_ylim(bottom=0)
    axes.legend(loc="lower right")
    return figure


_Curve = tuple[list[int], list[float]]


def _curves(report: EvaluationReport, of: Callable[[Epoch], float | None]) -> dict[int, _Curve]:
    """Epochs and values of each seed that has any."""
    curves = {}
    for run in report.runs:
        values = {epoch.epoch: of(epoch) for epoch in run.history}
        known = {epoch: value for epoch, value in values.items() if value is not None}
        if known:
            curves[run.seed] = (list(known), list(known.values()))
    return curves


def _by_epoch(
    report: EvaluationReport, subject: str, unit: str, curves: Mapping[int, _Curve]
) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.add_subplot()
    for at, (seed, (epochs, values)) in enumerate(curves.items()):
        line = _LINES[at % len(_LINES)]
        mark = "." if len(epochs) <= RELATIONS else None
        axes.plot(epochs, values, line, marker=mark, color=_colour(at), label=f"seed {seed}")
    axes.set_title(_title(subject, report))
    axes.set_xlabel("epoch")
    axes.set_ylabel(unit)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    axes.legend()
    return figure, axes


def _relations(report: EvaluationReport) -> Figure:
    counts = {name: each.both.count for name, each in report.runs[0].measured.relations.items()}
    names = sorted(counts, key=lambda name: (-counts[name], name))[:RELATIONS]
    means = {name: report.mean(_both(name)) for name in names}
    names.sort(key=lambda name: (means[name].mrr, name))
    at = np.arange(len(names))
    figure = Figure(figsize=(8.5, 1.7 + 0.34 * len(names)), layout="constrained")
    axes = figure.add_subplot()
    values = np.array([means[name].mrr for name in names])
    axes.barh(at + 0.17, values, 0.46, color=_colour(0), label=report.recipe_name)
    ends = _spread(report, names, axes, at + 0.17, values)
    for place, value, end in zip(at, values, ends, strict=True):
        axes.annotate(
            f"{value:.2f}", (end, place + 0.17), xytext=(4, 0), textcoords="offset points",
            va="center", fontsize=8,
        )  # fmt: skip
    top = max(ends.max(), _baseline(report, names, axes, at))
    axes.set_xlim(0, top * 1.1)
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.set_yticks(at, [f"{_short(name)}  ({means[name].count // 2:,})" for name in names])
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("MRR (filtered, realistic)")
    subject = (
        "MRR by relation (test triples)"
        if len(names) == len(counts)
        else f"MRR of the {len(names)} of {len(counts)} relations with most test triples"
    )
    figure.suptitle(_title(subject, report), x=0.01, ha="left")
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def _spread(
    report: EvaluationReport, names: list[str], axes: Axes, at: FloatArray, values: FloatArray
) -> FloatArray:
    """Draw the confidence intervals, where there are any; how far right each row reaches."""
    intervals = [report.spread(_both(name)) for name in names]
    low = np.array([0.0 if each is None else max(each.low, 0) for each in intervals])
    high = np.array([0.0 if each is None else min(each.high, 1) for each in intervals])
    if None in intervals:
        return values
    axes.errorbar(
        values, at, xerr=[(values - low).tolist(), (high - values).tolist()], fmt="none", ecolor="black",
        elinewidth=1, capsize=2, label=f"{CONFIDENCE:.0%} interval, {len(report.runs)} seeds",
    )  # fmt: skip
    return high


def _baseline(report: EvaluationReport, names: list[str], axes: Axes, at: IntArray) -> float:
    """Draw the best baseline beside the model, where there is one; how far right it reaches."""
    if not report.baselines:
        return 0.0
    baselines = report.baselines
    best = max(baselines, key=lambda name: baselines[name].overall.both.mrr)
    values = [_both(name)(baselines[best]).mrr for name in names]
    axes.barh(at - 0.2, values, 0.24, color=_colour(4), label=f"{best} (baseline)")
    return max(values)


def _title(subject: str, report: EvaluationReport) -> str:
    """A title no wider than the picture; the report has the data's whole name."""
    return shorten(
        f"{subject}: {report.recipe_name} on {report.data.name}", TITLE, placeholder=" …"
    )


def _both(relation: str) -> Callable[[Measured], Measures]:
    return lambda measured: measured.relations[relation].both


def _colour(at: int) -> str:
    return _COLOURS[at % len(_COLOURS)]


def _short(name: str) -> str:
    """A name, without its middle where it is too long."""
    if len(name) <= _LONGEST:
        return name
    half = (_LONGEST - 1) // 2
    return f"{name[:half]}…{name[-half:]}"
