"""Progress on stderr: bars on a terminal, elsewhere one line per step."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

    from kg.progress import Advance


class Bars:
    """A ``kg.progress.Progress`` that people see; steps may be open inside each other."""

    def __init__(self) -> None:
        self._drawing: RichProgress | None = None
        self._open = 0

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator["Advance"]:
        """A bar of ``total`` units; one that goes back and forth while the total is unknown."""
        drawing = self._drawing or self._new()
        if drawing.disable:
            click.echo(name, err=True)
        elif not self._open:
            drawing.start()
        self._open += 1
        task = drawing.add_task(name, total=total)
        try:
            yield lambda units: drawing.advance(task, units)
            done = drawing.tasks[task].completed
            drawing.update(task, total=total or done or 1, completed=total or done or 1)
        finally:
            self._open -= 1
            if not self._open:
                drawing.stop()
                self._drawing = None  # drawn again it would draw the finished bars too

    def _new(self) -> "RichProgress":
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
        )

        console = Console(stderr=True)
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        self._drawing = Progress(*columns, console=console, disable=not console.is_terminal)
        return self._drawing
