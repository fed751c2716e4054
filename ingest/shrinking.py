"""What a source said in the graph that stands, beside what it says now.

A statement is an assertion that stands in the graph, as the first of its kind or as one more
source of what another said. A source that lost many of them since it was read for that graph, or
whose names look garbled now, is more likely broken than right: the build stops before the graph is
replaced.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Self

from pydantic import BaseModel, ValidationError

from ingest.accounting import AssertionAccount
from kg.errors import BuildError

CHANGES: Final = "changes.json"
"""In a home."""


class ShrunkError(BuildError):
    """A source says much less than it did in the graph that stands, or is garbled."""


class Shrunk(BaseModel, frozen=True, extra="forbid"):
    """A source, or one relation of it, that says less than in the graph before."""

    source: str
    relation: str | None = None
    """None: all that it says."""
    before: int
    now: int

    def __str__(self) -> str:
        of = f" of {self.relation}" if self.relation else ""
        return f"source {self.source!r} gives {self.now:,} statements{of}, {self.before:,} before"


class Changes(BaseModel, frozen=True, extra="forbid"):
    """What a graph has other than the one that it replaced.

    It is no part of the report, which is the same whatever was before.
    """

    before: dict[str, int] = {}
    """Statements in the graph before, by source; the sources that both have."""
    shrunk: tuple[Shrunk, ...] = ()
    """What says half of what it said, or less."""
    removed: dict[str, int] = {}
    """Sources that only the graph before had, with the number of their statements."""

    @classmethod
    def read(cls, home: Path) -> Self:
        """The changes that the last build in a home made; none where none are told."""
        try:
            return cls.model_validate_json((home / CHANGES).read_bytes())
        except (FileNotFoundError, ValidationError):
            return cls()

    def write(self, home: Path) -> None:
        """Keep them in a home."""
        (home / CHANGES).write_text(self.model_dump_json(indent=2) + "\n", encoding="utf-8")

    @property
    def losses(self) -> list[str]:
        """What the graph before had and this one has not: a sentence each."""
        told = [f"{str(each).replace('source', 'Source', 1)}." for each in self.shrunk]
        told += [
            f"Source {name} is no longer in the configuration; of its {count:,} statements only "
            "those are left that others make too."
            for name, count in self.removed.items()
        ]
        return told


class _SourceBefore(BaseModel, frozen=True, extra="ignore"):
    name: str
    made_from: str = ""


class Before(BaseModel, frozen=True, extra="ignore"):
    """The figures of the graph that stands, from its report; one of an older medkg will do."""

    sources: tuple[_SourceBefore, ...] = ()
    assertions: tuple[AssertionAccount, ...] = ()

    @classmethod
    def read(cls, home: Path) -> Self:
        """The figures of the last build in a home; none where there was none."""
        try:
            return cls.model_validate_json((home / "report.json").read_bytes())
        except (FileNotFoundError, ValidationError):
            return cls()

    def had_read(self, source: str, made_from: str) -> bool:
        """Whether it read a source as it is now."""
        return any(each.name == source and each.made_from == made_from for each in self.sources)

    def changes(self, accounts: Sequence[AssertionAccount], sources: Sequence[str]) -> Changes:
        """What became of what it held.

        Args:
            accounts: of the new graph.
            sources: of the new graph.
        """
        old = {each.name: statements(self.assertions, each.name) for each in self.sources}
        shrunk = []
        for name in (name for name in sources if name in old):
            was, now = old[name], statements(accounts, name)
            pairs: list[tuple[str | None, int, int]] = [
                (None, sum(was.values()), sum(now.values()))
            ]
            pairs += [(relation, count, now.get(relation, 0)) for relation, count in was.items()]
            shrunk += [
                Shrunk(source=name, relation=relation, before=count, now=left)
                for relation, count, left in pairs
                if count and 2 * left <= count
            ]
        sums = {name: sum(was.values()) for name, was in old.items()}
        return Changes(
            before={name: sums[name] for name in sources if name in sums},
            shrunk=tuple(shrunk),
            removed={name: count for name, count in sums.items() if name not in set(sources)},
        )


def statements(accounts: Iterable[AssertionAccount], source: str) -> dict[str, int]:
    """How many assertions of a source stand in the graph, by relation."""
    return {each.relation: each.loaded + each.merged for each in accounts if each.source == source}
