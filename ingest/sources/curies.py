"""Checks that ids are CURIEs with a registered prefix, or with one that the configuration has."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Annotated, Final

import duckdb
import ibis
import ibis.expr.types as ir
from pydantic import AfterValidator, BaseModel, Field

from ingest.identity import MINTED_PREFIX
from kg.vocabulary import NODE_TYPES

CURIE: Final = re.compile(r"[^\s:|]+:[^\s|]+")
"""Prefix, colon, local id; no white space, and no ``|``, which stands between values."""

VOCABULARY_PREFIXES: Final = frozenset({MINTED_PREFIX}) | frozenset(
    prefix for node_type in NODE_TYPES.values() for prefix in node_type.prefixes
)


def _usable(pattern: str) -> str:
    """The pattern, if the table engine (RE2) and Python both understand it."""
    try:
        re.compile(pattern)
        with duckdb.connect() as con:
            con.execute("select regexp_matches('', ?)", [pattern]).fetchall()
    except (re.error, duckdb.Error) as e:
        why = str(e).split("\n", 1)[0]
        raise ValueError(f"{pattern!r} is no regular expression that works here: {why}") from e
    return pattern


class OwnPrefix(BaseModel, frozen=True, extra="forbid"):
    """A prefix of ids that no registry has, such as those of a hospital."""

    title: str = Field(pattern=r"\S")
    """What has these ids."""
    pattern: Annotated[str, AfterValidator(_usable)] | None = None
    """A regular expression that what follows the colon must fit."""
    uri: str | None = Field(default=None, pattern=r"^[A-Za-z][A-Za-z0-9+.-]*:\S+$")
    """What such an id is appended to for its web address."""


PrefixName = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_.-]*$")]

_OWN: ContextVar[Mapping[str, OwnPrefix]] = ContextVar(
    "own prefixes", default=MappingProxyType({})
)


@contextmanager
def with_own_prefixes(prefixes: Mapping[str, OwnPrefix]) -> Iterator[None]:
    """While the block runs, ids may have these prefixes too."""
    token = _OWN.set(prefixes)
    try:
        yield
    finally:
        _OWN.reset(token)


def prefixed(ids: ir.Value, prefix: str | None) -> ir.Value:
    """Ids with this prefix where they have none; web addresses of own prefixes become ids."""
    cases = [
        (ids.startswith(own.uri), ibis.literal(f"{name}:") + ids.substr(len(own.uri)))
        for name, own in _OWN.get().items()
        if own.uri
    ]
    if prefix is not None:
        cases.append((~ids.contains(":"), ibis.literal(f"{prefix}:") + ids.strip()))
    return ibis.cases(*cases, else_=ids) if cases else ids


_REGISTERED: Final = "write one that it has, e.g. MONDO:0005148, or list your own under 'prefixes' in the configuration"

SET_PREFIX: Final = ", or set 'id_prefix'"
"""What else can be done about bare ids in a source that has this setting."""
_NO_CURIE: Final = "is not a CURIE; write PREFIX:ID, e.g. HP:0001945"

_SYNONYMS: Final = {"orphanet": "ORPHA", "orphanet.ordo": "ORPHA"}
"""What Bioregistry has as a resource of its own, though its ids are those of a prefix of ours."""


class Curies:
    """Checks ids; looks each prefix up once, in Bioregistry only if the vocabulary lacks it.

    One thing has one id, so a prefix of the vocabulary or the configuration has one spelling.
    """

    def __init__(self) -> None:
        self._own = _OWN.get()
        self._own_spelling = {prefix.casefold(): prefix for prefix in self._own}
        self._spelt: dict[str, str | None] = {
            prefix: prefix for prefix in (*VOCABULARY_PREFIXES, *self._own)
        }

    def spelling(self, prefix: str) -> str | None:
        """The spelling of a prefix in the graph; None if it is not registered."""
        if prefix not in self._spelt:
            import bioregistry  # noqa: PLC0415 -- takes a second, and few builds need it

            ours = {
                bioregistry.normalize_prefix(each): each for each in VOCABULARY_PREFIXES
            } | _SYNONYMS
            registered = bioregistry.normalize_prefix(prefix)
            self._spelt[prefix] = (
                self._own_spelling.get(prefix.casefold())
                if registered is None
                else ours.get(registered, prefix)
            )
        return self._spelt[prefix]

    def problem(self, id_: str | None) -> str | None:
        """The problem of an id; None if it has none or is None."""
        if id_ is None:
            return None
        if not CURIE.fullmatch(id_):
            return f"'{id_[:200]}' {_NO_CURIE}"
        prefix, local = id_.split(":", 1)
        spelt = self.spelling(prefix)
        if spelt is None:
            return f"Bioregistry has no prefix '{prefix}'; {_REGISTERED}"
        if spelt != prefix:
            return _other_spelling(prefix, spelt)
        pattern = self._own[prefix].pattern if prefix in self._own else None
        if pattern and not re.fullmatch(pattern, local):
            return f"'{id_[:200]}' {_unlike(prefix, pattern)}"
        return None

    def problems(self, table: ir.Table, *columns: str, bare: str = "") -> list[ir.Value]:
        """``problem`` for columns of a table, as expressions; asks for its distinct prefixes.

        Args:
            table: with the columns.
            columns: of ids.
            bare: what else can be done about ids that have no prefix at all.
        """
        prefixes: set[str] = set()
        for column in columns:
            distinct = table.select(p=table[column].re_extract(r"^([^\s:]+):\S", 1)).distinct()
            prefixes.update(filter(None, distinct.to_pyarrow()["p"].to_pylist()))
        spelt = {prefix: self.spelling(prefix) for prefix in sorted(prefixes)}
        unknown = [prefix for prefix, ours in spelt.items() if ours is None]
        other = {prefix: ours for prefix, ours in spelt.items() if ours and ours != prefix}
        patterns = {
            prefix: own.pattern
            for prefix, own in self._own.items()
            if prefix in prefixes and own.pattern
        }
        return [_problem(table[column], unknown, other, patterns, bare) for column in columns]


def _problem(
    ids: ir.Value,
    unknown: list[str],
    other: Mapping[str, str],
    patterns: Mapping[str, str],
    bare: str,
) -> ir.Value:
    prefix = ids.split(":")[0]
    cases = [(~ids.re_search(f"^{CURIE.pattern}$"), _malformed_text(ids, bare))]
    if unknown:
        message = ibis.literal("Bioregistry has no prefix '") + prefix + f"'; {_REGISTERED}"
        cases.append((prefix.isin(unknown), message))
    cases += [
        (prefix == each, ibis.literal(_other_spelling(each, ours))) for each, ours in other.items()
    ]
    for each, pattern in patterns.items():
        fits = ids.re_search(f"^{re.escape(each)}:(?:{pattern})$")
        message = ibis.literal("'") + ids.substr(0, 200) + f"' {_unlike(each, pattern)}"
        cases.append(((prefix == each) & ~fits, message))
    text = ibis.null("string")
    return ibis.cases((ids.isnull(), text), *cases, else_=text)


def _other_spelling(prefix: str, ours: str) -> str:
    return f"the prefix '{prefix}' is written {ours} here; write {ours}:ID"


def _unlike(prefix: str, pattern: str) -> str:
    return f"is not as 'prefixes' has ids of {prefix}, {prefix}:{pattern}"


def _malformed_text(ids: ir.Value, bare: str) -> ir.Value:
    message = ibis.literal("'") + ids.substr(0, 200) + f"' {_NO_CURIE}"
    return message + ibis.ifelse(ids.contains(":"), "", bare) if bare else message
