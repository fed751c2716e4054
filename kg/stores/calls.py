"""Queries on their way: any thread may stop one, and a coroutine may wait for one."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from typing import Final, TypeVar

from cypher.translation import translate
from kg.errors import QueryTooLargeError, StoreError

_AGAIN: Final = 0.05
"""Seconds after which a query that still runs is interrupted again: an engine forgets an
interrupt that comes while it plans."""

T = TypeVar("T")


class Call:
    """One query, from when it is asked until it has ended."""

    def __init__(self) -> None:
        self.stopped: StoreError | None = None
        """Why it was stopped; None: it was not."""
        self._lock = threading.Lock()
        self._interrupt: Callable[[], None] | None = None

    @contextmanager
    def running(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """The engine runs the query while the block does.

        Args:
            interrupt: tells the engine to end it; called by other threads, and never after.

        Raises:
            StoreError: it was stopped before.
        """
        with self._lock:
            if self.stopped:
                raise self.stopped
            self._interrupt = interrupt
        try:
            yield
        finally:
            with self._lock:
                self._interrupt = None

    def stop(self, reason: StoreError) -> None:
        """End the query, or see that it does not begin; one that has ended stays as it is."""
        with self._lock:
            self.stopped = reason
            runs = self._interrupt is not None
        if runs:
            threading.Thread(target=self._interrupt_until_ended, daemon=True).start()

    def _interrupt_until_ended(self) -> None:
        pause = threading.Event()
        while True:
            with self._lock:  # so that the engine has not begun another query by now
                if self._interrupt is None:
                    return
                self._interrupt()
            pause.wait(_AGAIN)


class Callers:
    """Threads in which queries run while coroutines or the main thread wait.

    Args:
        uri: of the graph, for messages.
        threads: queries of coroutines that run side by side; more wait for their turn.
    """

    def __init__(self, uri: str, threads: int) -> None:
        self._uri = uri
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="medkg-query")
        self._for_main = ThreadPoolExecutor(1, thread_name_prefix="medkg-main-query")

    async def wait(self, work: Callable[[Call], T], seconds: float) -> T:
        """What ``work`` gives, run in a thread; a cancelled task stops its query.

        Args:
            work: runs a query as that call.
            seconds: that it may take, the wait for a free thread included.

        Raises:
            StoreError: time ran out, the threads are closed, or what ``work`` raises.
        """
        call = Call()
        running = self._submit(self._threads, work, call)
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.wrap_future(running)
        except TimeoutError as e:
            reason = timed_out(self._uri, seconds)
            call.stop(reason)
            raise reason from e
        except asyncio.CancelledError:
            call.stop(StoreError(translate("{uri}: the query was cancelled", uri=self._uri)))
            raise

    def run(self, work: Callable[[Call], T]) -> T:
        """What ``work`` gives; on the main thread Ctrl-C stops it.

        Only the main thread gets signals, and only while it is not inside an engine; and a
        driver that gets one waits for its server to end the query. So what the main thread
        asks runs in another.

        Raises:
            StoreError: the threads are closed, or what ``work`` raises.
        """
        call = Call()
        if threading.current_thread() is not threading.main_thread():
            return work(call)
        running = self._submit(self._for_main, work, call)
        try:
            return running.result()
        except BaseException:
            if not running.done():
                call.stop(StoreError(translate("{uri}: the query was interrupted", uri=self._uri)))
                running.exception()  # an engine stops within a tenth of a second
            raise

    def close(self) -> None:
        """Take no more queries; those that run go on."""
        self._threads.shutdown(wait=False)
        self._for_main.shutdown(wait=False)

    def _submit(
        self, threads: ThreadPoolExecutor, work: Callable[[Call], T], call: Call
    ) -> Future[T]:
        try:
            return threads.submit(copy_context().run, work, call)  # errors in its language
        except RuntimeError as e:
            raise closed(self._uri) from e


def timed_out(uri: str, seconds: float) -> QueryTooLargeError:
    """The error of a query that took too long."""
    return QueryTooLargeError(
        translate(
            "{uri}: no answer within {seconds:g} s, so the query was stopped; ask for "
            "less, or give it a longer timeout",
            uri=uri,
            seconds=seconds,
        )
    )


def closed(uri: str) -> StoreError:
    """The error of a query that met a closed store."""
    return StoreError(
        translate("{uri}: this store was closed; open it again with 'kg.connect'", uri=uri)
    )
