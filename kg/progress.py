"""How long work tells how far it is; the command line draws it, a library call is silent."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

Advance = Callable[[int], None]
"""Called with the number of units done since the last call."""


class Progress(Protocol):
    """Opens one bar a step."""

    def step(self, name: str, total: int | None = None) -> AbstractContextManager[Advance]:
        """A step of ``total`` units (unknown: None), open while the context is."""
        ...


class Silent:
    """Progress that nobody watches."""

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator[Advance]:
        """Take every advance and show nothing."""
        del name, total
        yield _ignore


def _ignore(units: int) -> None:
    del units
