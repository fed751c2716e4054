"""Compares the statements of each source in the new graph with those in the present one.

A statement is an assertion that is in the graph, as the first of its fact or as a further source
of it. A source that lost many statements since it was read for the present graph, or whose names
look garbled, is more likely broken than right: the build stops before the graph is replaced.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, Self

from pydantic import BaseModel, ValidationError

from cypher.translation import translate
from ingest.accounting import AssertionAccount
from ingest.report import SourceReport
from kg.errors import BuildError

CHANGES: Final = "changes.json"
"""In a home."""


class ShrunkError(BuildError):
    """A source gives far fewer statements than in the present graph, or looks garbled."""


class Shrunk(BaseModel, frozen=True, extra="forbid"):
    """A source, or one relation of it, with fewer statements than in the graph before."""

    source: str
    relation: str | None = None
    """None: all relations together."""
    before: int
    now: int

    def __str__(self) -> str:
        if self.relation:
            return translate(
                "source {source!r} gives {now:,} statements of {relation}, {before:,} before",
                **dict(self),
            )
        values = dict(self)
        del values["relation"]
        return translate("source {source!r} gives {now:,} statements, {before:,} before", **values)


class Changes(BaseModel, frozen=True, extra="forbid"):
    """Differences between a graph and the one that it replaced.

    They are not part of the report, which depends on the new graph alone.
    """

    before: dict[str, int] = {}
    """Statements in the graph before, by source; the sources that both have."""
    shrunk: tuple[Shrunk, ...] = ()
    """Sources, and relations of sources, that lost half of their statements or more."""
    removed: dict[str, int] = {}
    """Sources that only the graph before had, with the number of their statements."""

    @classmethod
    def read(cls, home: Path) -> Self:
        """The changes that the last build in a home made; none where none are recorded."""
        try:
            return cls.model_validate_json((home / CHANGES).read_bytes())
        except (FileNotFoundError, ValidationError):
            return cls()

    def write(self, home: Path) -> None:
        """Keep them in a home."""
        (home / CHANGES).write_text(self.model_dump_json(indent=2) + "\n", encoding="utf-8")

    @property
    def losses(self) -> list[str]:
        """Losses since the graph before, a sentence each."""
        sentences = [f"{str(each).replace('source', 'Source', 1)}." for each in self.shrunk]
        sentences += [
            f"Source {name} is no longer in the configuration; of its {count:,} statements only "
            "those are left that others make too."
            for name, count in self.removed.items()
        ]
        return sentences


class _SourceBefore(BaseModel, frozen=True, extra="ignore"):
    name: str
    made_from: str = ""


class Before(BaseModel, frozen=True, extra="ignore"):
    """The figures of the present graph, from its report, also from one of an older medkg."""

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
        """Whether it read the same version of a source."""
        return any(each.name == source and each.made_from == made_from for each in self.sources)

    def changes(self, accounts: Sequence[AssertionAccount], sources: Sequence[str]) -> Changes:
        """Compare its statements with those of a new graph.

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


def require_no_shrinking(
    reports: Sequence[SourceReport],
    limits: Mapping[str, float],
    before: Before,
    changes: Changes,
) -> None:
    """Stop a build before it replaces a graph that is better than the new one.

    A source that was read as it is now is not to blame for statements that it lost because
    other sources changed.

    Args:
        reports: the sources of the new graph.
        limits: fraction of its statements that each source may lose; 1 allows all.
        before: the present graph.
        changes: between the present and the new graph.

    Raises:
        ShrunkError: a source lost too many statements, or half of its names look garbled.
    """
    faults = []
    for report in reports:
        limit = limits[report.name]
        if limit == 1 or before.had_read(report.name, report.made_from):
            continue
        count = changes.before.get(report.name, 0)
        lost = count - report.statements
        if lost > 0 and lost >= limit * count:
            shrunk = Shrunk(source=report.name, before=count, now=report.statements)
            files = ", ".join(name.lstrip("/") for name in report.files)
            faults.append(translate("{what} (files: {files})", what=shrunk, files=files))
        garbled = report.garbled
        if garbled and garbled.garbled and 2 * garbled.garbled >= garbled.names:
            faults.append(
                translate(
                    "source {source!r} has {garbled:,} garbled names of {names:,} with letters "
                    "beyond ASCII, such as '{example}', as if its files ({files}) were in another "
                    "encoding than they are read in",
                    source=report.name,
                    files=", ".join(report.files),
                    garbled=garbled.garbled,
                    names=garbled.names,
                    example=garbled.example,
                )
            )
    if faults:
        unchanged = translate("; the graph is as it was") if before.sources else ""
        raise ShrunkError(
            translate(
                "{faults}{unchanged}: correct the files or the settings of the source, or "
                "build with --allow-shrink if this is right ('max_shrink' in the "
                "configuration says how much a source may lose)",
                faults="; ".join(faults),
                unchanged=unchanged,
            )
        )
