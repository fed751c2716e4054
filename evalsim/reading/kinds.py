"""What things are kinds of, asked of the graph once for each thing."""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from threading import Lock
from typing import Final

from kg.stores.store import Store

_MOST: Final = 20_000
"""Things of which the kinds are kept."""


class Broader:
    """What some things are kinds of."""

    def __init__(self, kinds: Mapping[str, frozenset[str]]) -> None:
        """Know the kinds of each thing, by id."""
        self._kinds = kinds

    def is_kind(self, thing: str, kind: str) -> bool:
        """Whether one thing is another, or a kind of it."""
        return thing == kind or kind in self._kinds.get(thing, ())

    def is_any(self, thing: str, kinds: Collection[str]) -> bool:
        """Whether a thing is one of some others, or a kind of one."""
        return thing in kinds or not self._kinds.get(thing, frozenset()).isdisjoint(kinds)


class Kinds:
    """Looks up what things are kinds of; threads may share it."""

    def __init__(self, store: Store) -> None:
        """Ask a graph, which stays as it is meanwhile."""
        self._store = store
        self._kept: OrderedDict[str, frozenset[str]] = OrderedDict()
        self._lock = Lock()

    def of(self, things: Iterable[str]) -> Broader:
        """What each of some things is a kind of; nothing, where the graph has not got it."""
        ids = set(things)
        with self._lock:
            known = {id_: self._kept[id_] for id_ in ids if id_ in self._kept}
        if missing := sorted(ids - known.keys()):
            kinds_by_id: dict[str, set[str]] = {id_: set() for id_ in missing}
            for thing, kind in self._store.query("entity.kinds", things=missing).rows:
                kinds_by_id[str(thing)].add(str(kind))
            known |= {id_: frozenset(kinds) for id_, kinds in kinds_by_id.items()}
            with self._lock:
                self._kept |= {id_: known[id_] for id_ in missing}
                while len(self._kept) > _MOST:
                    self._kept.popitem(last=False)
        return Broader(known)
