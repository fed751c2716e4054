"""Lines of Chinese on a terminal: they may break between any two characters of Han, not in words.

Rich breaks at spaces, of which Chinese has none. No line begins with a closing mark, and none ends
with an opening one (JLREQ and CLREQ, W3C: "prohibition rules for line start and line end").
"""

import re
from typing import Any, Final

from rich.cells import cell_len, chop_cells
from rich.console import Console, ConsoleOptions
from rich.containers import Lines
from rich.measure import Measurement
from rich.text import Text

_HAN: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_PIECE: Final = re.compile(rf"[（《【“‘]*[{_HAN}][，。；：、！？）》】”’…]*|[^\s{_HAN}]+|\s+")


class Cell(Text):
    """A text in a table; one without a Chinese character is as Rich has it."""

    def wrap(self, console: Console, width: int, **options: Any) -> Lines:  # noqa: ANN401 - Rich's own
        """Lines of at most ``width`` cells."""
        pieces = self._pieces()
        if not pieces or options.get("no_wrap"):
            return super().wrap(console, width, **options)
        lines = [""]
        for piece in pieces:
            for part in chop_cells(piece, width) if cell_len(piece) > width else [piece]:
                if lines[-1] and cell_len(lines[-1]) + cell_len(part.rstrip()) > width:
                    lines.append("")
                lines[-1] += part if lines[-1] else part.lstrip()
        return Lines(Text(line.rstrip(), style=self.style) for line in lines)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """From the widest piece, in cells, to all of them in a line."""
        pieces = self._pieces()
        if not pieces:
            return super().__rich_measure__(console, options)
        return Measurement(max(map(cell_len, pieces)), cell_len(self.plain))

    def _pieces(self) -> list[str]:
        """What a line may not break; none where there is nothing Chinese."""
        chinese = re.search(f"[{_HAN}]", self.plain)
        return _PIECE.findall(self.plain) if chinese else []
