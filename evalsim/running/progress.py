"""How far a run is: Inspect tells of each dialogue that has ended."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from inspect_ai.hooks import Hooks, SampleEnd, hooks

from kg.progress import Advance, Progress

_ADVANCE: ContextVar[Advance | None] = ContextVar("advance", default=None)


@hooks(name="medkg_progress", description="Counts the dialogues that have ended.")
class _Ended(Hooks):
    """Inspect asks each of its hooks whether it is enabled, in runs of others too."""

    def enabled(self) -> bool:
        return _ADVANCE.get() is not None

    async def on_sample_end(self, data: SampleEnd) -> None:
        del data
        if advance := _ADVANCE.get():
            advance(1)


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
