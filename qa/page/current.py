"""What a page server answers with: the graph and its texts as they are now.

Both are loaded once. When the graph is built anew or the index of texts changes, they are loaded
again beside those that answer, and then take their place; a question under way ends on the old ones.
"""

import gc
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Final

import kg
from cypher.translation import translate
from kg.configuration import Settings
from kg.errors import MedKGError, QuestionError, StoreError
from kg.linking import Linker
from kg.progress import Progress, Silent
from kg.stores.store import Stamp, Store
from qa.answer import Answerer
from qa.assembly import AnswerOptions, Tell, assemble
from qa.generation.extractive import Extractive
from qa.index.manifest import MANIFEST

LOOK_EVERY: Final = 2.0
"""Seconds between two looks whether something changed."""
_AGAIN_AFTER: Final = 30.0
"""Seconds after which what could not be loaded is tried again."""
_FIRST_QUESTIONS: Final = ("What are the symptoms of feverr?", "发热有哪些症状")
"""Asked before anybody asks, one misspelt: what is loaded with a question is loaded then."""


@dataclass(frozen=True)
class Place:
    """Where a graph is, and how answers are made from it."""

    settings: Settings
    options: AnswerOptions
    graph: str | None = None
    """As ``kg.connect`` takes it."""


_File = tuple[int, int, int] | None
"""What tells a file apart from that of another time; None: there is none."""
_State = tuple[tuple[_File, ...], Stamp | None]


@dataclass
class _Loaded:
    """An answerer, what it was loaded from, and how many questions it is answering."""

    answerer: Answerer
    state: _State
    users: int = 0
    replaced: bool = False


class CurrentAnswerer:
    """Gives the answerer of what there is now; threads may share it.

    Example:
        ``with current.answerer() as answerer: answerer.answer("What is gout?")``
    """

    def __init__(self, place: Place, tell: Tell, progress: Progress | None = None) -> None:
        """Load the graph's names and the texts.

        Raises:
            ConfigurationError: there is no such graph.
            StoreError: it cannot be read.
            LinkingError: it has no names.
            RetrievalError: an index is there and cannot be used.
        """
        self._place, self._tell = place, tell
        self._lock = threading.Lock()
        self._context = copy_context()
        self._closed = False
        self._busy = False
        """Whether somebody looks or loads."""
        self._problem = ""
        self._loader: threading.Thread | None = None
        self._wanted: SimpleQueue[bool] = SimpleQueue()
        """True: load; False: it is closed."""
        self._current = _load(place, progress or Silent(), tell)
        self._look_at = time.monotonic() + LOOK_EVERY

    @contextmanager
    def answerer(self) -> Iterator[Answerer]:
        """The answerer; its store stays open until the block ends.

        Raises:
            StoreError: it was closed.
        """
        with self._lock:
            if self._closed:
                raise StoreError("the server has ended; start it again")
            loaded = self._current
            loaded.users += 1
        try:
            self._look()
            yield loaded.answerer
        finally:
            with self._lock:
                loaded.users -= 1
                idle = loaded.replaced and not loaded.users
            if idle:
                loaded.answerer.store.close()

    def close(self) -> None:
        """Stop what the store is asked, and give back what it holds."""
        with self._lock:
            self._closed = True
            loaded = self._current
        self._wanted.put(False)
        loaded.answerer.store.close()

    def _look(self) -> None:
        """Load anew beside the questions if something changed, at times."""
        now = time.monotonic()
        with self._lock:
            if now < self._look_at or self._busy:
                return
            self._busy, self._look_at = True, now + LOOK_EVERY
            loaded = self._current
        changed = False
        try:
            if (_files(self._place), _stamp(loaded.answerer.store)) != loaded.state:
                self._wake()
                changed = True
        finally:
            if not changed:
                self._busy = False

    def _wake(self) -> None:
        """Have the loading thread load.

        It is always the same: the memory that the old graph leaves is given back to the thread that
        had it, so a new thread each time takes more and more.
        """
        if self._loader is None or not self._loader.is_alive():
            run = self._context.copy().run  # in the language of the server
            self._loader = threading.Thread(target=run, args=[self._loading], daemon=True)
            self._loader.start()
        self._wanted.put(True)

    def _loading(self) -> None:
        while self._wanted.get():
            self._reload()

    def _reload(self) -> None:
        try:
            self._replace_by(_load(self._place, Silent(), self._tell))
            gc.collect()  # a linker refers to itself: else several old ones are kept
        except (MedKGError, OSError) as e:
            self._look_at = time.monotonic() + _AGAIN_AFTER
            if str(e) != self._problem:
                self._problem = str(e)
                message = (
                    "The graph or its texts have changed and cannot be reloaded; answers still "
                    "come from the old ones: {problem}"
                )
                self._tell(translate(message, problem=e))
        finally:
            self._busy = False

    def _replace_by(self, fresh: _Loaded) -> None:
        with self._lock:
            old, self._current = self._current, fresh
            old.replaced, self._problem = True, ""
            idle, closed = not old.users, self._closed
        if idle:
            old.answerer.store.close()
        if closed:
            fresh.answerer.store.close()
        else:
            self._tell(translate("The graph or its texts have changed; they were reloaded."))


def _load(place: Place, progress: Progress, tell: Tell) -> _Loaded:
    """What there is now; what changes while it is loaded is seen at the next look."""
    files = _files(place)
    with ExitStack() as stack:
        store = stack.enter_context(kg.connect(place.graph, place.settings))
        stamp = _stamp(store)
        linker = Linker.of_store(store, place.settings.linking, progress=progress)
        answerer = assemble(store, linker, place.options, place.settings, tell)
        extractive = replace(answerer, generator=Extractive())  # no model is asked for nothing
        for question in _FIRST_QUESTIONS:
            with suppress(QuestionError):
                extractive.answer(question)
        stack.pop_all()
        return _Loaded(answerer, (files, stamp))


def _files(place: Place) -> tuple[_File, ...]:
    """The files of the texts and of the graph."""
    graph = place.graph or place.settings.neo4j_uri or str(place.settings.graph)
    path = Path(graph).expanduser()
    files = [(place.options.texts or place.settings.texts) / MANIFEST]
    if "://" not in graph:
        files.append(path / "graph.lbug" if path.is_dir() else path)
    return tuple(map(_file, files))


def _file(path: Path) -> _File:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _stamp(store: Store) -> Stamp | None:
    """What a server says it holds; a file that is open stays what it is."""
    if store.engine == "embedded":
        return None
    with suppress(StoreError):
        return store.stamp()
    return None
