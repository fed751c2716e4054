"""Checks that ids are CURIEs with a registered prefix."""

import re
from collections.abc import Mapping
from typing import Final

import ibis
import ibis.expr.types as ir

from ingest.identity import MINTED_PREFIX
from kg.vocabulary import NODE_TYPES

CURIE: Final = re.compile(r"[^\s:|]+:[^\s|]+")
"""Prefix, colon, local id; no white space, and no ``|``, which stands between values."""

VOCABULARY_PREFIXES: Final = frozenset({MINTED_PREFIX}) | frozenset(
    prefix for node_type in NODE_TYPES.values() for prefix in node_type.prefixes
)


_REGISTERED: Final = "write one that it has, e.g. MONDO:0005148"

_SYNONYMS: Final = {"orphanet": "ORPHA", "orphanet.ordo": "ORPHA"}
"""What Bioregistry has as a resource of its own, though its ids are those of a prefix of ours."""


class Curies:
    """Checks ids; looks each prefix up once, in Bioregistry only if the vocabulary lacks it.

    One thing has one id, so a prefix of the vocabulary has one spelling.
    """

    def __init__(self) -> None:
        self._spelt: dict[str, str | None] = {prefix: prefix for prefix in VOCABULARY_PREFIXES}

    def spelling(self, prefix: str) -> str | None:
        """The spelling of a prefix in the graph; None if it is not registered."""
        if prefix not in self._spelt:
            import bioregistry  # noqa: PLC0415 -- takes a second, and few builds need it

            ours = {
                bioregistry.normalize_prefix(each): each for each in VOCABULARY_PREFIXES
            } | _SYNONYMS
            registered = bioregistry.normalize_prefix(prefix)
            self._spelt[prefix] = None if registered is None else ours.get(registered, prefix)
        return self._spelt[prefix]

    def problem(self, id_: str | None) -> str | None:
        """The problem of an id; None if it has none or is None."""
        if id_ is None:
            return None
        if not CURIE.fullmatch(id_):
            return _malformed(id_)
        prefix = id_.split(":", 1)[0]
        spelt = self.spelling(prefix)
        if spelt is None:
            return f"Bioregistry has no prefix '{prefix}'; {_REGISTERED}"
        return None if spelt == prefix else _other_spelling(prefix, spelt)

    def problems(self, table: ir.Table, *columns: str) -> list[ir.Value]:
        """``problem`` for columns of a table, as expressions; asks for its distinct prefixes."""
        prefixes: set[str] = set()
        for column in columns:
            distinct = table.select(p=table[column].re_extract(r"^([^\s:]+):\S", 1)).distinct()
            prefixes.update(filter(None, distinct.to_pyarrow()["p"].to_pylist()))
        spelt = {prefix: self.spelling(prefix) for prefix in sorted(prefixes)}
        unknown = [prefix for prefix, ours in spelt.items() if ours is None]
        other = {prefix: ours for prefix, ours in spelt.items() if ours and ours != prefix}
        return [_problem(table[column], unknown, other) for column in columns]


def _problem(ids: ir.Value, unknown: list[str], other: Mapping[str, str]) -> ir.Value:
    prefix = ids.split(":")[0]
    cases = [(~ids.re_search(f"^{CURIE.pattern}$"), _malformed_text(ids))]
    if unknown:
        message = ibis.literal("Bioregistry has no prefix '") + prefix + f"'; {_REGISTERED}"
        cases.append((prefix.isin(unknown), message))
    cases += [
        (prefix == each, ibis.literal(_other_spelling(each, ours))) for each, ours in other.items()
    ]
    text = ibis.null("string")
    return ibis.cases((ids.isnull(), text), *cases, else_=text)


def _other_spelling(prefix: str, ours: str) -> str:
    return f"the prefix '{prefix}' is written {ours} here; write {ours}:ID"


def _malformed(id_: str) -> str:
    return f"'{id_[:200]}' is not a CURIE; write PREFIX:ID, e.g. HP:0001945"


def _malformed_text(ids: ir.Value) -> ir.Value:
    return (
        ibis.literal("'")
        + ids.substr(0, 200)
        + "' is not a CURIE; write PREFIX:ID, e.g. HP:0001945"
    )
