"""One opened graph with what reads texts by it, shared by all agents of a process that ask it."""

from threading import Lock
from typing import Final
from weakref import WeakValueDictionary

import kg
from evalsim.agents.director import Director
from evalsim.auditing.audit import Auditor
from evalsim.judging.judge import Judge
from evalsim.reading.patients import Patients
from evalsim.reading.replies import Reader
from kg.configuration import Settings
from kg.linking import Linker
from kg.stores.store import Store


class World:
    """A graph, and the agents that know it.

    It is open as long as somebody holds it: the players of a run come and go by themselves, and an
    index of names takes a gigabyte where the graph is large.
    """

    def __init__(self, store: Store, linker: Linker) -> None:
        """Of a store that is open."""
        self.store = store
        self.linker = linker
        self.reader = Reader(store, linker)
        self.patients = Patients(store)
        self.director = Director(store, linker, self.patients)
        self.auditor = Auditor(store, linker, self.patients.lookup)
        self.judge = Judge(store, linker, self.patients)

    @classmethod
    def of(cls, graph: str | None = None) -> "World":
        """The world of a graph, opened if nobody has it open.

        Args:
            graph: address or file, as ``kg.connect`` takes it; None: that of the settings.

        Raises:
            StoreError: the graph cannot be opened.
            LinkingError: it has no names.
        """
        settings = Settings.read()
        with _LOCK:
            key = f"{graph or settings.neo4j_uri or settings.graph}"
            world = _OPEN.get(key)
            if world is None:
                store = kg.connect(graph, settings)
                world = World(store, Linker.of_store(store, settings.linking))
                _OPEN[key] = world
        return world


_LOCK: Final = Lock()
_OPEN: Final[WeakValueDictionary[str, World]] = WeakValueDictionary()
"""Those that somebody holds: Inspect makes a player by its name alone, so none can be handed in."""
