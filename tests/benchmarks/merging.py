"""What the merge of several sources takes, beside twice the rows and beside koza's merge."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.benchmarks.figures import Figure, Unit
from tests.benchmarks.measuring import Measured
from tests.benchmarks.run import Run

_MAPPED: Final = 220_000
"""Rows asked of each of the five tables, which have 1,026,927 together."""
_STEPS: Final = {
    "start": "start",
    "read": "join",
    "edges": "deduplicate",
    "quarantine": "prune",
    "identity": None,
    "nodes": None,
    "accounts": None,
}
"""Ours, and the one of koza's that does the same."""
_NAMES: Final = {
    "start": "Python and imports",
    "read": "reading",
    "edges": "edges made one, either way round, and written",
    "quarantine": "what cannot stand",
    "identity": "who is who",
    "nodes": "nodes written",
    "accounts": "accounts",
}


def merging(run: Run) -> Iterator[Figure]:
    """Merge PrimeKG with five mapped tables, again with nothing changed, and a graph in KGX.

    Raises:
        RuntimeError: koza arrives at other edges than it must.
    """
    yield from _six(run)
    yield from _unchanged(run)
    yield from _kgx(run)


def _six(run: Run) -> Iterator[Figure]:
    ours, doubled = _built(run), _built(run, 2)
    name = f"merge six sources, {ours.answer['rows'] / 1e6:.1f} million rows"
    rival = f"{doubled.answer['rows'] / 1e6:.1f} million rows"
    for what, unit, target, values in (
        ("", Unit.SECONDS, 60, (ours.seconds, doubled.seconds)),
        (", peak memory", Unit.GIGABYTES, 6e9, (ours.peak, doubled.peak)),
    ):
        yield Figure.of(
            name + what, unit, values[0], rival=rival, theirs=values[1], load=ours.load,
            target=target,
        )  # fmt: skip


def _built(run: Run, times: int = 1) -> Measured:
    """Of so many times the rows."""
    name = "six" if times == 1 else f"six-times-{times}"
    file, mapped = _inputs(run, times)
    return run.once(name, "table_work:build_six", file=file, mapped=mapped, out=run.made(name))


def _inputs(run: Run, times: int = 1) -> tuple[Path, Path]:
    """A kg.csv and the folder of five tables."""
    file, name = run.primekg(times), f"mapped-{times}"
    rows = round(_MAPPED * run.share * times)
    run.once(name, "table_work:map_sources", file=file, rows=rows, out=run.made(name))
    return file, run.made(name)


def _unchanged(run: Run) -> Iterator[Figure]:
    file, mapped = _inputs(run)
    home = run.made("built")
    first = run.once("built", "table_work:build_home", file=file, mapped=mapped, out=home)
    medkg = Path(sys.executable).with_name("medkg")
    again = run.starts("built-again", [medkg, "build", home / "medkg.yaml"], home)
    yield Figure.of(
        "medkg build, nothing changed",
        Unit.SECONDS,
        again.seconds,
        rival="the first build, load included",
        theirs=first.seconds,
        load=again.load,
        target=3,
    )


def _kgx(run: Run) -> Iterator[Figure]:
    _built(run)
    folder = run.made("kgx")
    written = run.once("kgx", "kgx_work:write", tables=run.made("six") / "tables", out=folder)
    files: dict[str, Any] = {
        "nodes": folder / "nodes.tsv",
        "edges": [str(folder / "edges.tsv"), str(folder / "again.tsv")],
    }
    ours = run.once("kgx-medkg", "table_work:build_kgx", **files, out=run.made("kgx-medkg"))
    theirs = run.once(
        "kgx-koza", "kgx_work:merge_by_koza", **files, program=run.koza, out=run.made("kgx-koza")
    )
    _check(written.answer, ours.answer["edges"], theirs.answer["edges"])
    name = f"merge {ours.answer['rows'] / 1e6:.1f} million KGX records"
    for what, unit, values in (
        ("", Unit.SECONDS, (ours.seconds, theirs.seconds)),
        (", processor", Unit.SECONDS, (ours.cpu, theirs.cpu)),
        (", peak memory", Unit.GIGABYTES, (ours.peak, theirs.peak)),
    ):
        yield Figure.of(
            name + what, unit, values[0], rival="koza merge", theirs=values[1], load=ours.load,
            target=values[1],
        )  # fmt: skip
    mine, others = _seconds(ours), theirs.answer["seconds"]
    for step, rival in _STEPS.items():
        theirs_took = others[rival] if rival else 0
        yield Figure.of(
            f"… {_NAMES[step]}, {mine[step] / ours.seconds:.0%}",
            Unit.SECONDS,
            mine[step],
            rival=f"koza {rival}, {theirs_took / theirs.seconds:.0%}" if rival else "",
            theirs=theirs_took or None,
            load=ours.load,
        )


def _check(written: dict[str, int], ours: int, theirs: int) -> None:
    """Koza does not see that an edge that is turned round is the same."""
    if ours != written["edges"] or theirs != written["edges"] + written["turned"]:
        raise RuntimeError(f"of {written} medkg makes {ours} edges, koza {theirs}")


def _seconds(ours: Measured) -> dict[str, float]:
    """Of our steps."""
    spent, laps = ours.answer["seconds"], ours.answer["laps"]["merge"]
    who, attributes, edges, quarantine, nodes, accounts = laps
    return {
        "start": ours.seconds - sum(spent.values()),
        "read": sum(taken for name, taken in spent.items() if name.startswith("read ")),
        "edges": edges,
        "quarantine": quarantine,
        "identity": who,
        "nodes": attributes + nodes,
        "accounts": accounts + spent["accounts"],
    }
