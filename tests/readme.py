"""What the README shows of commands is what they print on the demo's graph.

``python -m tests.readme FOLDER`` writes it anew, FOLDER being where ``medkg demo`` ran.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

README: Final = Path(__file__).resolve().parent.parent / "README.md"

_BLOCK: Final = re.compile(r"^```\n(\$ medkg .*?)^```$", re.MULTILINE | re.DOTALL)
_EXCERPT: Final = re.compile(r"^\$ (medkg .*)\n((?:(?!\$ |…$).*\n)*)", re.MULTILINE)


class Excerpt(NamedTuple):
    """A command of the README, and what stands below it."""

    command: str
    shown: str


def excerpts(text: str) -> Iterator[Excerpt]:
    """The commands that begin with ``$`` in blocks of code; ``…`` ends what one of them shows."""
    for block in _BLOCK.finditer(text):
        for found in _EXCERPT.finditer(block[1]):
            yield Excerpt(found[1], found[2].rstrip())


def printed(command: str, folder: Path) -> str:
    """What a command prints in a terminal, where ``medkg demo`` ran."""
    settings = ("NEO4J_", "MEDKG_")
    done = subprocess.run(
        [Path(sys.executable).with_name("medkg"), *shlex.split(command)[1:]],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if not name.startswith(settings)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return "\n".join(line.rstrip() for line in done.stdout.splitlines()).rstrip()


def written_anew(text: str, folder: Path) -> str:
    """The text with what its commands print now."""

    def excerpt(found: re.Match[str]) -> str:
        below = found[2][len(found[2].rstrip()) :] or "\n"
        return f"$ {found[1]}\n{printed(found[1], folder)}{below}"

    return _BLOCK.sub(lambda block: f"```\n{_EXCERPT.sub(excerpt, block[1])}```", text)


if __name__ == "__main__":
    README.write_text(written_anew(README.read_text("utf-8"), Path(sys.argv[1])), "utf-8")
