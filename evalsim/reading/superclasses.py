"""What things are kinds of, asked of the graph once for each thing."""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from threading import Lock
from typing import Final

from kg.stores.store import Store

_MOST: Final = 20_000
"""Things of which the superclasses are kept."""


class Superclasses:
    """What some things are kinds of."""

    def __init__(self, by_thing: Mapping[str, frozenset[str]]) -> None:
        """Know the superclasses of each thing, by id."""
        self._by_thing = by_thing

    def is_a(self, thing: str, superclass: str) -> bool:
        """Whether one thing is another, or a kind of it."""
        return thing == superclass or superclass in self._by_thing.get(thing, ())

    def is_any_of(self, thing: str, superclasses: Collection[str]) -> bool:
        """Whether a thing is one of some others, or a kind of one."""
        return thing in superclasses or not self._by_thing.get(thing, frozenset()).isdisjoint(
            superclasses
        )


class SuperclassLookup:
    """Looks up what things are kinds of; threads may share it."""

    def __init__(self, store: Store) -> None:
        """Ask a graph, which stays as it is meanwhile."""
        self._store = store
        self._cached: OrderedDict[str, frozenset[str]] = OrderedDict()
        self._lock = Lock()

    def of(self, things: Iterable[str]) -> Superclasses:
        """What each of some things is a kind of; nothing, where the graph has not got it."""
        ids = set(things)
        with self._lock:
            known = {id_: self._cached[id_] for id_ in ids if id_ in self._cached}
        if missing := sorted(ids - known.keys()):
            superclasses_of: dict[str, set[str]] = {id_: set() for id_ in missing}
            for thing, superclass in self._store.query("entity.kinds", things=missing).rows:
                superclasses_of[str(thing)].add(str(superclass))
            known |= {
                id_: frozenset(superclasses) for id_, superclasses in superclasses_of.items()
            }
            with self._lock:
                self._cached |= {id_: known[id_] for id_ in missing}
                while len(self._cached) > _MOST:
                    self._cached.popitem(last=False)
        return Superclasses(known)
