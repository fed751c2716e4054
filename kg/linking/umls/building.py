"""Builds the candidate index in a process of its own, which can be stopped at any moment.

nmslib builds for minutes inside one call that neither answers Ctrl-C nor gives its memory back;
a child process does both. It is started by ``build_index`` and tells its progress on stdout, a
line of JSON each: {"begin": name, "total": units}, {"done": units}, {"end": name}.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow.parquet as pq

from kg.errors import LinkingError
from kg.linking.umls.extra import import_extra
from kg.linking.umls.ngrams import count_ngrams, vectorizer_of
from kg.progress import Advance, Progress

M: Final = 64
"""Neighbours that the graph keeps of a name."""
EF_CONSTRUCTION: Final = 100
"""Nearest names looked through when one is added; chosen with M by measuring, see docs/umls.md."""

_BATCH: Final = 100_000


def build_index(folder: Path, progress: Progress) -> None:
    """Write ngrams.parquet, names.hnsw and names.hnsw.dat from spellings.parquet.

    Raises:
        ConfigurationError: the extra is not installed.
        LinkingError: the building process failed, for want of memory mostly.
    """
    for module in ("nmslib", "sklearn.feature_extraction.text"):
        import_extra(module)
    command = [sys.executable, "-c", f"from {__name__} import main; main()", str(folder)]
    with (
        (folder / "building.log").open("w+", encoding="utf-8") as log,
        subprocess.Popen(  # noqa: S603 - this module
            command, stdout=subprocess.PIPE, stderr=log, encoding="utf-8"
        ) as child,
    ):
        try:
            _follow(child, progress)
        except BaseException:
            child.kill()
            raise
        if child.wait():
            log.seek(0)
            raise LinkingError(
                f"{folder}: the candidate index cannot be built ({_reason(child, log.read())}); "
                "ask for fewer vocabularies, languages or semantic types, or give it more memory"
            )
    (folder / "building.log").unlink()


def main() -> None:
    """Build the index of the folder that the command line names."""
    _build(Path(sys.argv[1]), _ProgressToParent())


def new_index() -> Any:  # noqa: ANN401 - of an untyped library
    """An empty index of nmslib, of the kind that scispaCy uses.

    Raises:
        ConfigurationError: the extra is not installed.
    """
    nmslib = import_extra("nmslib")
    return nmslib.init(
        method="hnsw", space="cosinesimil_sparse", data_type=nmslib.DataType.SPARSE_VECTOR
    )


def _build(folder: Path, progress: Progress) -> None:
    names = pq.read_table(folder / "spellings.parquet")["name"].to_pylist()
    table = count_ngrams(names, progress)
    pq.write_table(table, folder / "ngrams.parquet")
    vectorizer, index = vectorizer_of(table), new_index()
    with progress.step("Weighing names", len(names)) as advance:
        for first in range(0, len(names), _BATCH):
            some = names[first : first + _BATCH]
            ids = np.arange(first, first + len(some), dtype=np.int32)
            index.addDataPointBatch(vectorizer.transform(some), ids)
            advance(len(some))
    with progress.step("Building the candidate index"):  # by one thread: the same every time
        index.createIndex(
            {"M": M, "efConstruction": EF_CONSTRUCTION, "indexThreadQty": 1, "post": 0}
        )
    with progress.step("Writing the candidate index"):
        index.saveIndex(str(folder / "names.hnsw"), save_data=True)


class _ProgressToParent:
    """Progress that goes to the parent process."""

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator[Advance]:
        """Tell of a step's begin, advances and end."""
        _send(begin=name, total=total)
        yield lambda units: _send(done=units)
        _send(end=name)


def _send(**message: object) -> None:
    sys.stdout.write(f"{json.dumps(message)}\n")
    sys.stdout.flush()


def _follow(child: subprocess.Popen[str], progress: Progress) -> None:
    """Show the child's progress until it closes its stdout."""
    with ExitStack() as steps:
        advance: Advance | None = None
        for line in child.stdout or ():
            message = json.loads(line)
            if "begin" in message:
                advance = steps.enter_context(progress.step(message["begin"], message["total"]))
            elif "end" in message:
                steps.close()
            elif advance:
                advance(message["done"])


def _reason(child: subprocess.Popen[str], log: str) -> str:
    """What the child said last, or the signal that ended it: 9 where memory was short."""
    if child.returncode < 0:
        return f"its process was ended by signal {-child.returncode}"
    lines = [line for line in log.splitlines() if line.strip()]
    return lines[-1] if lines else f"exit code {child.returncode}"
