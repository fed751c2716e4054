"""Measures medkg beside its rivals: ``python -m tests.benchmarks`` in the repository."""

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.chapters import CHAPTERS
from tests.benchmarks.figures import as_markdown, draw
from tests.benchmarks.page import page
from tests.benchmarks.run import Run


def main() -> None:
    """Measure, print the figures, write the page."""
    given = _arguments()
    with _folder(given.work) as work:
        run = Run(work, given.share, given.patience)
        figures = [figure for name in given.chapters or CHAPTERS for figure in CHAPTERS[name](run)]
    draw(figures)
    if given.write:
        given.write.write_text(page(as_markdown(figures), given.share), encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "chapters",
        nargs="*",
        choices=[*CHAPTERS, []],
        metavar="CHAPTER",
        help=f"of {', '.join(CHAPTERS)}; default: all",
    )
    parser.add_argument("--share", type=float, default=1.0, help="of PrimeKG's edges")
    parser.add_argument(
        "--patience",
        type=float,
        default=0,
        metavar="SECONDS",
        help="wait so long before each measurement for the machine to be idle",
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="the figures as Markdown")
    parser.add_argument(
        "--work",
        type=Path,
        metavar="DIR",
        help="keep everything there and go on from it; delete DIR/measured/NAME.json to take "
        "that measurement anew (default: a temporary folder)",
    )
    return parser.parse_args()


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept.absolute()
        return
    with tempfile.TemporaryDirectory(prefix="medkg-bench-") as folder:
        yield Path(folder)


if __name__ == "__main__":
    main()
