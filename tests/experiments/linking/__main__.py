"""Evaluates linking on public data: ``python -m tests.experiments.linking --data DIR``."""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.experiments.linking.chapters import CHAPTERS
from tests.experiments.linking.page import chapter_page, page
from tests.experiments.linking.run import run


def main() -> None:
    """Run the experiments, print the figures, write the page."""
    given = _arguments()
    parts = []
    with _folder(given.work) as work:
        for name in given.chapters or CHAPTERS:
            ran = list(run(CHAPTERS[name](given.data, given.seed), work, given.seed, given.sample))
            parts.append(chapter_page(name, ran))
            sys.stdout.write(parts[-1] + "\n")
            sys.stdout.flush()
    if given.write:
        given.write.write_text(page(parts, given.seed, given.sample), encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.experiments.linking", description=__doc__
    )
    parser.add_argument(
        "chapters",
        nargs="*",
        choices=[*CHAPTERS, []],
        metavar="CHAPTER",
        help=f"of {', '.join(CHAPTERS)}; default: all",
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the public data")
    parser.add_argument("--seed", type=int, default=2, help="of all draws; 1 was looked at")
    parser.add_argument(
        "--sample",
        type=int,
        default=100,
        metavar="N",
        help="mentions on which the rivals are run; 0: no rivals",
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page, as Markdown")
    parser.add_argument(
        "--work",
        type=Path,
        metavar="DIR",
        help="leave names tables, gold files and evaluations there (default: a temporary folder)",
    )
    return parser.parse_args()


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept.absolute()
        return
    with tempfile.TemporaryDirectory(prefix="medkg-linking-") as folder:
        yield Path(folder)


if __name__ == "__main__":
    main()
