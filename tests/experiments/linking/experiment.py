"""One question asked of a linker: a table of names, and gold sets to link with it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq

from kg.linking.gold import Gold
from kg.linking.names import Names

Line = Mapping[str, Any]


@dataclass(frozen=True)
class Experiment:
    """A table of names, and sets of gold lines by their names."""

    name: str
    names: Names
    golds: Mapping[str, list[Line]]
    remarks: tuple[str, ...] = field(default=())
    """What was counted while it was made."""

    def write(self, folder: Path) -> "Written":
        """Make its files, as 'medkg link --evaluate' takes them."""
        folder.mkdir(parents=True, exist_ok=True)
        table = folder / "names.parquet"
        pq.write_table(self.names.table, table)
        golds = {}
        for name, lines in self.golds.items():
            golds[name] = folder / f"{name.replace(' ', '-')}.jsonl"
            golds[name].write_text(_json_lines(lines), "utf-8")
        return Written(table, golds)


@dataclass(frozen=True)
class Written:
    """The files of an experiment."""

    table: Path
    golds: Mapping[str, Path]

    def names(self) -> Names:
        """Read the table of names back."""
        return Names.read(self.table)

    def sets(self) -> Iterator[tuple[str, Gold]]:
        """Read the gold sets back, with their names."""
        return ((name, Gold.read(path)) for name, path in self.golds.items())


def seeded(what: str, seed: int) -> Random:
    """Chance for one thing, the same in every run with that seed."""
    return Random(f"{what} {seed}")  # noqa: S311 -- an experiment has no secrets


def whole(mention: str, ids: Iterable[str], type_: str, **more: object) -> Line:
    """A gold line of a mention without surroundings."""
    return {"mention": mention, "ids": sorted(ids), "type": type_, **more}


def _json_lines(lines: Iterable[Line]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
