"""The decisions of the merge about ids: ``merges.parquet``, ``refusals.parquet``, and their counts."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel

from cypher.translation import translate
from ingest.home import MERGES, REFUSALS
from ingest.identity import Merged, NameRule, Refused, Rule

_STRINGS: Final = pa.list_(pa.string())
_MERGE_SCHEMA: Final = pa.schema(
    [
        ("id", pa.string()),
        ("node", pa.string()),
        ("rule", pa.string()),
        ("evidence", pa.string()),
        ("sources", _STRINGS),
        ("type", pa.string()),
        ("name", pa.string()),
    ]
)
"""A row for each id that became part of another node, and for each name without an id that
shares its node with another id or name; as the fields of ``Merged``. An id in no row is a node
by itself."""

_REFUSAL_SCHEMA: Final = pa.schema(
    [
        ("rule", pa.string()),
        ("reason", pa.string()),
        ("conflict", pa.string()),
        ("ids", _STRINGS),
        ("evidence", pa.string()),
        ("sources", _STRINGS),
    ]
)
"""A row for each reason to merge that was refused; as the fields of ``Refused``."""

_EXAMPLES: Final = 3


def write_decisions(merged: Sequence[Merged], refused: Sequence[Refused], folder: Path) -> None:
    """Write both files."""
    _write(merged, _MERGE_SCHEMA, folder / MERGES)
    _write(refused, _REFUSAL_SCHEMA, folder / REFUSALS)


def _write(rows: Iterable[Merged | Refused], schema: pa.Schema, path: Path) -> None:
    pq.write_table(pa.Table.from_pylist([asdict(row) for row in rows], schema), path)


class DecisionCount(BaseModel, frozen=True, extra="forbid"):
    """How often one rule merged ids or names, or was refused for one reason."""

    rule: Rule | NameRule
    refused: str | None
    """The reason; None for merges."""
    count: int
    examples: tuple[str, ...]

    @property
    def outcome(self) -> str:
        """In words, in the language that is spoken."""
        if self.refused is None:
            return translate("merged")
        return translate("refused: {reason}", reason=translate(self.refused))


def count_decisions(
    merged: Iterable[Merged], refused: Iterable[Refused]
) -> tuple[DecisionCount, ...]:
    """Count by rule and reason; merges first, frequent ones first."""
    groups: dict[tuple[Rule | NameRule, str | None], list[str]] = {}
    for one in merged:
        shown = f"{one.id if one.name is None else repr(one.name)} = {one.node} ({one.evidence})"
        groups.setdefault((one.rule, None), []).append(shown)
    for each in refused:
        shown = f"{' ≠ '.join(each.ids[:3])} ({each.evidence})"
        groups.setdefault((each.rule, each.reason), []).append(shown)
    counts = [
        DecisionCount(rule=rule, refused=why, count=len(group), examples=tuple(group[:_EXAMPLES]))
        for (rule, why), group in groups.items()
    ]
    return tuple(sorted(counts, key=lambda c: (c.refused is not None, -c.count, c.rule)))
