"""Proves linking with UMLS on a million rows: ``python -m tests.experiments.umls --data DIR``."""

import argparse
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil
import pyarrow.parquet as pq

import kg
from kg.linking.umls import ConceptLinks, UmlsConfig, link_concepts
from kg.progress import Advance, Silent
from tests.experiments.umls.hidden import Hidden, hide

_GIGABYTE: Final = 1e9
_RSS_UNIT: Final = 1 if sys.platform == "darwin" else 1024
"""Bytes in which ``ru_maxrss`` counts."""
_OUTCOMES: Final = (
    *("exact right", "exact twin", "exact wrong"),
    *("tfidf right", "tfidf twin", "tfidf wrong", "none"),
)
"""A twin is another concept that goes by what the entity is called."""


@dataclass
class Steps:
    """Progress that keeps the seconds of each step."""

    taken: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Of the clock, and of the processor, which does not count what else the machine does."""

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator[Advance]:
        """Time a step."""
        del total
        sys.stderr.write(f"{name}\n")
        begun, cpu = time.perf_counter(), _cpu()
        yield lambda units: None  # noqa: ARG005 - of Progress
        self.taken[name] = (time.perf_counter() - begun, _cpu() - cpu)


def main() -> None:
    """Make release and graph, link, and print what came out as Markdown."""
    given = _arguments()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.work or Path(temporary)
        hidden = hide(given.data, folder, given.rows)
        store = kg.connect(str(folder / "graph.lbug"))
        with store:
            store.load(hidden.tables, Silent())
            steps = Steps()
            config = UmlsConfig(folder=hidden.release)
            links = link_concepts(config, store, folder / "umls", folder / "layers", steps)
        for part in _page(hidden, links, steps, folder):
            sys.stdout.write(f"{part}\n\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.experiments.umls", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the public data")
    parser.add_argument("--rows", type=int, metavar="N", help="of MRCONSO.RRF; default: all")
    parser.add_argument("--work", type=Path, metavar="DIR", help="leave everything there")
    return parser.parse_args()


def _cpu() -> float:
    """Seconds of processor of this process and of those that run below it."""
    own = psutil.Process()
    times = [process.cpu_times() for process in (own, *own.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def _peak(who: int) -> str:
    return f"{resource.getrusage(who).ru_maxrss * _RSS_UNIT / _GIGABYTE:.2f} GB"


def _page(hidden: Hidden, links: ConceptLinks, steps: Steps, folder: Path) -> Iterator[str]:
    yield (
        f"{hidden.rows:,} rows of MRCONSO, {len(hidden.truth):,} entities with a known CUI. "
        f"Peak memory {_peak(resource.RUSAGE_SELF)}, of the building process "
        f"{_peak(resource.RUSAGE_CHILDREN)} at most."
    )
    steps_ = {name: (f"{clock:.0f}", f"{cpu:.0f}") for name, (clock, cpu) in steps.taken.items()}
    yield _table("step", steps_, ("clock, s", "processor, s"))
    yield _rows(links.read_rows())
    yield _rows(links.rows())
    yield _accuracy(hidden, folder)
    yield _rows(links.curve())


def _accuracy(hidden: Hidden, folder: Path) -> str:
    """What became of each group's entities, against the truth."""
    edges = pq.read_table(folder / "layers" / "cui" / "edges" / "HAS_CUI.parquet").to_pylist()
    linked = {row["head"]: (row["tail"].removeprefix("UMLS:"), row["method"]) for row in edges}
    counts: Counter[tuple[str, str, str]] = Counter()
    for id_, truth in hidden.truth.items():
        if truth.group == "stated":
            continue
        group = truth.group if truth.cuis or truth.group == "absent" else f"{truth.group}, absent"
        cui, method = linked.get(id_, ("", ""))
        judged = "right" if cui in truth.cuis else "twin" if cui in truth.namesakes else "wrong"
        counts[truth.type, group, f"{method} {judged}" if cui else "none"] += 1
    kinds = sorted({(type_, group) for type_, group, _ in counts})
    cells = {f"{t} {g}": tuple(counts[t, g, outcome] for outcome in _OUTCOMES) for t, g in kinds}
    return _table("group", cells, _OUTCOMES)


def _rows(rows: kg.Rows) -> str:
    cells = {str(row[0]): tuple(row[1:]) for row in rows.rows}
    if len(cells) == len(rows.rows):
        return _table(rows.columns[0], cells, rows.columns[1:])
    numbered = {f"{row[0]} {row[1]}": tuple(row[2:]) for row in rows.rows}
    return _table(" ".join(rows.columns[:2]), numbered, rows.columns[2:])


def _table(first: str, rows: Mapping[str, tuple[object, ...]], columns: tuple[str, ...]) -> str:
    head = f"| {' | '.join((first, *columns))} |\n|---|{'--:|' * len(columns)}\n"
    return head + "\n".join(
        f"| {name} | {' | '.join('' if c is None else str(c) for c in cells)} |"
        for name, cells in rows.items()
    )


if __name__ == "__main__":
    main()
