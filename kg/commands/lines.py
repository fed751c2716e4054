"""Lines of English and Chinese on a terminal, which break between words.

English breaks at spaces, Chinese between any two characters of Han; a word that is wider than the
line breaks behind a sign in it (a slash, a hyphen …), and only one without such a sign within. No
line begins with a closing mark, and none ends with an opening one (JLREQ and CLREQ, W3C:
"prohibition rules for line start and line end").
"""

import os
import re
import sys
from typing import Final

import click

_HAN: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_OPEN: Final = "（《【〈「『“‘"
_CLOSE: Final = "，。；：、！？）》】〉」』”’…"
_PIECE: Final = re.compile(
    rf"\s+"
    rf"|[{_OPEN}(\[]*[{_HAN}](?:[{_CLOSE}]|[,.;:!?)\]%](?![A-Za-z0-9_]))*"
    rf"|[{_OPEN}]*(?:’(?=\w)|[^\s{_HAN}{_OPEN}{_CLOSE}])+[{_CLOSE}]*"
    rf"|[{_OPEN}{_CLOSE}]+"
)
_PART: Final = re.compile(r"[^/=|,;&?#-]+[/=|,;&?#-]*|[/=|,;&?#-]+")


def lines(text: str, width: int) -> list[str]:
    """A text in lines of at most so many cells; line breaks of its own and indents are kept."""
    from rich.cells import cell_len

    wrapped = []
    for line in text.split("\n"):
        if cell_len(line) <= width:
            wrapped.append(line)
            continue
        so_far, cells = "", 0
        for piece in _PIECE.findall(line):
            for part in _parts(piece, width):
                wide = cell_len(part)
                if so_far.strip() and cells + cell_len(part.rstrip()) > width:
                    wrapped.append(so_far.rstrip())
                    so_far, cells = "", 0
                    if part.isspace():
                        continue
                so_far, cells = so_far + part, cells + wide
        wrapped.append(so_far.rstrip())
    return wrapped


def narrowest(text: str) -> int:
    """The cells of the widest part of a text that should stay in one line."""
    from rich.cells import cell_len

    parts = (part for piece in _PIECE.findall(text) for part in _PART.findall(piece))
    return max(map(cell_len, parts), default=0)


def say(text: str, *, err: bool = False, fg: str | None = None, bold: bool | None = None) -> None:
    """Print a text; on a terminal it breaks between words, elsewhere it stays as it is.

    Args:
        text: without what a terminal would obey.
        err: on stderr.
        fg: its colour on a terminal, as ``click.style`` takes it.
        bold: whether it is bold there.
    """
    stream = sys.stderr if err else sys.stdout
    if stream.isatty():
        text = "\n".join(lines(text, _width(stream.fileno())))
    click.echo(click.style(text, fg, bold=bold) if fg or bold else text, err=err)


def _parts(piece: str, width: int) -> list[str]:
    """A piece, or the parts of one that no line has room for."""
    from rich.cells import cell_len, chop_cells

    if cell_len(piece) <= width or piece.isspace():
        return [piece]
    return [part for each in _PART.findall(piece) for part in chop_cells(each, width)]


def _width(terminal: int) -> int:
    """Cells of a terminal, by its file descriptor; ``COLUMNS`` says otherwise."""
    given = os.environ.get("COLUMNS", "")
    return (
        int(given) if given.isdecimal() and int(given) else os.get_terminal_size(terminal)[0] or 80
    )
