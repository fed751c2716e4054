"""Whether an id is a CURIE whose prefix somebody has registered."""

import re
from typing import Final

import ibis
import ibis.expr.types as ir

from ingest.identity import MINTED_PREFIX
from kg.vocabulary import NODE_TYPES

CURIE: Final = re.compile(r"[^\s:|]+:[^\s|]+")
"""Prefix, colon, local id; no white space, and no ``|``, which stands between values."""

OWN_PREFIXES: Final = frozenset({MINTED_PREFIX}) | frozenset(
    prefix for node_type in NODE_TYPES.values() for prefix in node_type.prefixes
)


class Curies:
    """Checks ids; looks each prefix up once, in Bioregistry only if the vocabulary lacks it."""

    def __init__(self) -> None:
        self._known = dict.fromkeys(OWN_PREFIXES, True)

    def knows(self, prefix: str) -> bool:
        """Whether the vocabulary or Bioregistry has this prefix, in any of its spellings."""
        if prefix not in self._known:
            import bioregistry  # noqa: PLC0415 -- takes a second, and few builds need it

            self._known[prefix] = bioregistry.normalize_prefix(prefix) is not None
        return self._known[prefix]

    def problem(self, given: str | None) -> str | None:
        """What is wrong with an id, None for nothing (or for no id at all)."""
        if given is None:
            return None
        if not CURIE.fullmatch(given):
            return _malformed(given)
        prefix = given.split(":", 1)[0]
        return None if self.knows(prefix) else _unregistered(prefix)

    def problems(self, table: ir.Table, *columns: str) -> list[ir.Value]:
        """``problem`` for columns of a table, as expressions; asks for its distinct prefixes."""
        prefixes: set[str] = set()
        for column in columns:
            found = table.select(p=table[column].re_extract(r"^([^\s:]+):\S", 1)).distinct()
            prefixes.update(filter(None, found.to_pyarrow()["p"].to_pylist()))
        unknown = sorted(prefix for prefix in prefixes if not self.knows(prefix))
        return [_problem(table[column], unknown) for column in columns]


def _problem(given: ir.Value, unknown: list[str]) -> ir.Value:
    prefix = given.split(":")[0]
    text = ibis.null("string")
    cases = [(~given.re_search(f"^{CURIE.pattern}$"), _malformed_text(given))]
    if unknown:
        cases.append((prefix.isin(unknown), _unregistered_text(prefix)))
    return ibis.cases((given.isnull(), text), *cases, else_=text)


def _malformed(given: str) -> str:
    return f"'{given[:200]}' is not a CURIE; write PREFIX:ID, e.g. HP:0001945"


def _malformed_text(given: ir.Value) -> ir.Value:
    return (
        ibis.literal("'")
        + given.substr(0, 200)
        + "' is not a CURIE; write PREFIX:ID, e.g. HP:0001945"
    )


def _unregistered(prefix: str) -> str:
    return f"Bioregistry has no prefix '{prefix}'; write one that it has, e.g. MONDO:0005148"


def _unregistered_text(prefix: ir.Value) -> ir.Value:
    return (
        ibis.literal("Bioregistry has no prefix '")
        + prefix
        + "'; write one that it has, e.g. MONDO:0005148"
    )
