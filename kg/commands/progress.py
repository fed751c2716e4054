"""Progress on stderr: bars on a terminal, elsewhere lines that say how far a long step is."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from cypher.translation import translate

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import Task

    from kg.progress import Advance

EVERY: Final = 10.0
"""Seconds between two lines about one step, where there is no terminal."""

LONG: Final = 3.0
"""Seconds after which the duration of a step is told when it ends."""


class Bars:
    """A ``kg.progress.Progress`` that people see; steps may be open inside each other.

    Args:
        clock: tells the seconds since any moment.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._drawing: RichProgress | None = None
        self._open: list[Task] = []

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator["Advance"]:
        """A bar of ``total`` units; one that goes back and forth while the total is unknown."""
        drawing, name = self._drawing or self._new(), translate(name)
        if drawing.disable:
            click.echo(name, err=True)
        elif not self._open:
            drawing.start()
        last_line = self._clock()
        number = drawing.add_task(
            name, total=total, note="", advanced=last_line, left=translate("{time} left")
        )
        task = drawing.tasks[number]

        def advance(units: int) -> None:
            nonlocal last_line
            drawing.update(task.id, advance=units, advanced=self._clock())
            if drawing.disable and self._clock() - last_line >= EVERY:
                last_line = self._clock()
                click.echo(_line(task), err=True)

        self._open.append(task)
        try:
            yield advance
            note, took = task.fields["note"], task.elapsed or 0
            if drawing.disable and (note or took >= LONG):
                suffix = f", {note}" if note else ""
                done_in = translate("{step}: done in {time}", step=name, time=duration(took))
                click.echo(f"{done_in}{suffix}", err=True)
            done = total or task.completed or 1
            drawing.update(task.id, total=done, completed=done)
        finally:
            self._open.remove(task)
            if not self._open:
                drawing.stop()
                self._drawing = None  # drawn again it would draw the finished bars too

    def note(self, text: str) -> None:
        """Say something beside the innermost open step, in place of what was said before."""
        if self._drawing and self._open:
            self._drawing.update(self._open[-1].id, note=text)

    def _new(self) -> "RichProgress":
        from rich.console import Console
        from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn
        from rich.text import Text

        class Pace(ProgressColumn):
            """How many units are done and how fast, the time it took, and what is left."""

            def render(self, task: "Task") -> Text:
                return Text(", ".join(_pace(task)))

        console = Console(stderr=True)
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=16),
            Pace(),
        )
        self._drawing = Progress(
            *columns, console=console, get_time=self._clock, disable=not console.is_terminal
        )
        return self._drawing


def duration(seconds: float) -> str:
    """A time for people: ``0.4 s``, ``42 s``, ``3 min 5 s``, ``2 h 10 min``."""
    if seconds < 1:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if not minutes:
        return f"{rest} s"
    hours, minutes_left = divmod(minutes, 60)
    return f"{hours} h {minutes_left} min" if hours else f"{minutes} min {rest} s"


def _pace(task: "Task") -> list[str]:
    """How far a step is; the speed is that of the last half minute.

    Rich draws it in a thread of its own, which speaks no language: words come with the task.

    What is left counts down while nothing advances, and is not told where that takes longer than
    the units before.
    """
    elapsed = task.finished_time if task.finished else task.elapsed
    parts = []
    if task.total is not None:
        parts.append(f"{int(task.completed):,}/{int(task.total):,}")
    elif task.completed:
        parts.append(f"{int(task.completed):,}")
    if task.speed and not task.finished and task.speed >= 1:
        parts.append(f"{task.speed:,.0f}/s")
    parts.append(duration(elapsed or 0))
    left = (task.time_remaining or 0) - (task.get_time() - task.fields["advanced"])
    if left >= 1 and not task.finished:
        parts.append(task.fields["left"].format(time=duration(left)))
    if task.fields["note"]:
        parts.append(str(task.fields["note"]))
    return parts


def _line(task: "Task") -> str:
    return f"{task.description}: {', '.join(_pace(task))}"
