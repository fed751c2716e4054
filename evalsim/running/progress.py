"""How far a run is: the solver tells of each dialogue that has ended."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from kg.progress import Advance, Progress

_ADVANCE: ContextVar[Advance | None] = ContextVar("advance", default=None)


@contextmanager
def counted(progress: Progress, dialogues: int | None) -> Iterator[None]:
    """Within the context every dialogue that ends is one unit of a step.

    Args:
        progress: shows the step.
        dialogues: that will end; None: nobody knows, as of a run that goes on.
    """
    with progress.step("Dialogues", dialogues) as advance:
        token = _ADVANCE.set(advance)
        try:
            yield
        finally:
            _ADVANCE.reset(token)


@contextmanager
def one_dialogue() -> Iterator[None]:
    """Count a dialogue when the context ends, however it does; nothing counts one outside a run."""
    try:
        yield
    finally:
        if advance := _ADVANCE.get():
            advance(1)
