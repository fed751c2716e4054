"""Named queries, the same for both engines up to where the engine runs them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from cypher import Query, QueryError, Vocabulary, load_catalogue, rewrite
from kg.stores.store import Engine, Value
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, VECTOR_COLUMNS
from kg.vocabulary import NODE_TYPES, RELATION_TYPES

QUERY_VOCABULARY: Final = Vocabulary(
    NODE_TYPES,
    RELATION_TYPES,
    {column.name for column in (*NODE_COLUMNS, *EDGE_COLUMNS, *VECTOR_COLUMNS)},
)
"""The names that a query may use, for the linter."""


@dataclass(frozen=True)
class Question:
    """A statement with all that it needs, ready for an engine."""

    name: str
    text: str
    arguments: dict[str, Value]


class Questions:
    """The catalogue as one engine takes it; each statement is rewritten once."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._catalogue = load_catalogue()
        self._rewritten: dict[str, str] = {}

    def ask(self, asked: str | Query, given: Mapping[str, object]) -> Question:
        """The question of that name, or of a query that is not in the catalogue.

        Raises:
            QueryError: there is none, it is not for this engine, or the arguments
                do not fit its header.
        """
        query = self._catalogue.find(asked, self._engine) if isinstance(asked, str) else asked
        if self._engine not in query.engines:
            raise QueryError(
                f"{query.name} is for {' and '.join(sorted(query.engines))} only, "
                f"and this graph is in the {self._engine} engine"
            )
        if query.text not in self._rewritten:
            self._rewritten[query.text] = rewrite(query.text, NODE_TYPES)
        return Question(query.name, self._rewritten[query.text], dict(query.arguments(given)))


_YEAR: Final = 365 * 24 * 3600.0
"""Seconds."""


def checked_timeout(given: Value, default: float) -> float:
    """Seconds that a query may take, a year at most: no engine counts to infinity.

    Raises:
        ValueError: they are no number, or not more than 0.
    """
    seconds = default if given is None else given
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
        raise ValueError(f"timeout: {seconds!r} is no number above 0; give seconds")
    return min(float(seconds), _YEAR)


def plain_rows(rows: Iterable[Sequence[object]]) -> tuple[tuple[Value, ...], ...]:
    """Rows of cells as ``Rows`` has them; most are so already.

    Raises:
        TypeError: a cell is a node, an edge or another thing that a query may not return.
    """
    return tuple(
        tuple(row) if _PLAIN.issuperset(map(type, row)) else tuple(map(_plain, row))  # type: ignore[arg-type]  # those types are values
        for row in rows
    )


_PLAIN: Final = frozenset({str, int, float, bool, type(None)})


def _plain(value: object) -> Value:
    """A cell as ``Rows`` has it: tuples as lists, whole decimals as integers."""
    if type(value) in _PLAIN:
        return value  # type: ignore[return-value]  # those types are values
    if isinstance(value, list) and _PLAIN.issuperset(map(type, value)):
        return value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]  # type: ignore[return-value]  # one inner type
    if isinstance(value, Decimal):
        return int(value)
    if isinstance(value, str | int | float):
        return value
    raise TypeError(f"a query may not return {type(value).__name__}: project scalars")
