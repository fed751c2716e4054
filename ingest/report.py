"""The build report: rows of the sources, account of each, and contents of the graph."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final, get_args

import duckdb
import jinja2
from jinja2.ext import Extension
from pydantic import BaseModel, ValidationError

from cypher.translation import (
    ENGLISH,
    Section,
    language,
    languages,
    speaking,
    spoken,
    title,
    translate,
)
from ingest.accounting import AssertionAccount, RowAccount
from ingest.check.check import CheckResult
from ingest.clinical_picture import ClinicalPicture, coverage_rows
from ingest.decisions import DecisionCount, count_decisions
from ingest.disease_view import ViewCount
from ingest.identity import NameRule
from ingest.links import LinkCount, count_links
from ingest.manifest import Manifest
from ingest.merge import MergeResult
from ingest.quarantine import local_reason
from ingest.releases import stated_release
from ingest.sources import SOURCES, Source
from ingest.sources import files as input_files
from ingest.sources.cleaning import Garbled
from ingest.sources.curies import OwnPrefix
from kg.errors import BuildError
from kg.vocabulary import RELATION_TYPES

_DETAIL: Final = r"(^|[ (])(?:'[^']*'|[A-Za-z]+:[^\s,;]+)"
"""Quotations and ids in a reason; a quotation starts a word, an apostrophe does not."""

_STATIC: Final = re.compile(
    r'(?<=>)(?P<text>[^<>{}]*[A-Za-z][^<>{}]*)(?=<)|(?<=aria-label=")(?P<label>[^"{}]+)(?=")'
)
"""What the template has between two tags, or as the label of an element, with no value in it."""


class SourceReport(BaseModel, frozen=True, extra="forbid"):
    """One source of the build."""

    name: str
    kind: str
    title: str
    licence: str
    """As the configuration states it for the source, else as medkg states it for the kind."""
    citation: str
    release: str = ""
    """As the configuration states it, else as its files do; empty if neither does."""
    files: dict[str, str]
    """Checksum by file name."""
    rows: int
    assertions: int
    loaded: int
    merged: int
    quarantined: int
    """Rows and assertions together."""
    cleaned: int = 0
    """Number of names and texts that had invisible characters."""
    garbled: Garbled | None = None
    """How many of its names look garbled."""
    made_from: str = ""
    """A fingerprint of its settings and files, and of what read them."""
    tools: dict[str, str] = {}
    """The packages of an extra that it was read with, and their versions."""

    @property
    def statements(self) -> int:
        """Assertions that stand in the graph."""
        return self.loaded + self.merged


class Reason(BaseModel, frozen=True, extra="forbid"):
    """How often one source's rows, cells or assertions were quarantined for one reason."""

    source: str
    stage: str
    reason: str
    count: int
    example: str = ""
    """The reason of one of them, whole."""


class BuildReport(BaseModel, frozen=True, extra="forbid"):
    """Everything the report shows, in all its forms."""

    version: str
    checksum: str
    """Of the graph tables."""
    built: datetime | None = None
    """When the graph tables were made, in UTC; SOURCE_DATE_EPOCH sets it, as it does for other
    tools (https://reproducible-builds.org/specs/source-date-epoch/)."""
    sources: tuple[SourceReport, ...]
    prefixes: dict[str, OwnPrefix] = {}
    """Those of ids that the configuration has besides the registered ones."""
    nodes: dict[str, int]
    edges: dict[str, int]
    nodes_by_source: dict[str, int]
    edges_by_source: dict[str, int]
    shared_nodes: int
    """Nodes that more than one source mentions."""
    shared_edges: int
    """Edges that more than one source states."""
    rows: tuple[RowAccount, ...]
    assertions: tuple[AssertionAccount, ...]
    reasons: tuple[Reason, ...]
    types_in_conflict: int
    """Ids that sources file under different types; the earliest source decided."""
    decisions: tuple[DecisionCount, ...] = ()
    """Merges of ids and names by rule, and merges that were refused."""
    disease_view: tuple[ViewCount, ...] = ()
    """Counted by the store once the graph is loaded."""
    clinical_pictures: tuple[ClinicalPicture, ...] = ()
    """What the graph has of common diseases and drugs."""
    check: CheckResult | None = None
    """What the consistency rules found; None if the graph does not have their layer."""
    links: tuple[LinkCount, ...] = ()
    """Outcomes of linking text-born names; none where no source is text-born."""

    @property
    def alarms(self) -> list[str]:
        """Faults of the sources, a sentence each, in the language that is spoken."""
        sentences = [
            translate(
                "Source {source} gave no statement ({rows} rows, {quarantined} in quarantine); "
                "check its kind, its files and its settings{mostly}",
                source=source.name,
                rows=source.rows,
                quarantined=source.quarantined,
                mostly=self._mostly(source.name),
            )
            for source in self.sources
            if not source.statements
        ]
        sentences += [
            translate(
                "Source {source} gave names and no fact: all its edges are in quarantine; check "
                "its settings{mostly}",
                source=source.name,
                mostly=self._mostly(source.name),
            )
            for source in self.sources
            if source.statements and self._lost_all_edges(source.name)
        ]
        sentences += [
            translate(
                "Source {source}: {garbled} of {names} names with letters beyond ASCII look "
                "garbled, such as '{example}'; check the encoding of its files.",
                source=source.name,
                garbled=f"{source.garbled.garbled:,}",
                names=f"{source.garbled.names:,}",
                example=source.garbled.example,
            )
            for source in self.sources
            if source.garbled and source.garbled.garbled >= max(1, source.garbled.names / 100)
        ]
        return sentences

    def _lost_all_edges(self, source: str) -> bool:
        edges = [a for a in self.assertions if a.source == source and a.relation in RELATION_TYPES]
        return bool(edges) and not any(a.loaded + a.merged for a in edges)

    def _mostly(self, source: str) -> str:
        """The most frequent reason of quarantine of a source, for the end of the sentence on it."""
        reasons = [each for each in self.reasons if each.source == source and each.stage != "cell"]
        if not reasons:
            return "."
        return translate(
            " ({count} of them: {reason}).",
            count=reasons[0].count,
            reason=local_reason(reasons[0].example),
        )

    @property
    def unread_cells(self) -> int:
        """Cells that were left out of what their rows say."""
        return sum(each.count for each in self.reasons if each.stage == "cell")

    @property
    def merged_ids(self) -> int:
        """Ids that became part of another node."""
        names = get_args(NameRule)
        return sum(
            each.count
            for each in self.decisions
            if each.refused is None and each.rule not in names
        )

    @property
    def merged_names(self) -> int:
        """Names without an id that share their node with another id or name."""
        names = get_args(NameRule)
        return sum(each.count for each in self.decisions if each.rule in names)

    @property
    def refused_merges(self) -> int:
        """Reasons to merge that were refused."""
        return sum(each.count for each in self.decisions if each.refused is not None)

    def write(self, home: Path) -> None:
        """Write ``report.json`` and a page in each language into ``home``."""
        text = self.model_dump_json(indent=2) + "\n"
        (home / "report.json").write_text(text, encoding="utf-8")
        for code in languages():
            with speaking(code):
                (home / page_name(code)).write_text(page(self), encoding="utf-8")


def read_report(home: Path) -> BuildReport:
    """The report of the last build in ``home``.

    Raises:
        BuildError: there was none, or its report is not readable.
    """
    path = home / "report.json"
    try:
        return BuildReport.model_validate_json(path.read_bytes())
    except FileNotFoundError as e:
        raise BuildError(
            translate("{path}: no build has been made here; run 'medkg build'", path=path)
        ) from e
    except ValidationError as e:
        raise BuildError(
            translate("{path}: not a report of this version; run 'medkg build' again", path=path)
        ) from e


def replace_check(home: Path, check: CheckResult | None) -> None:
    """Replace the findings of the rules in the report of a home, if there is one."""
    if (home / "report.json").is_file():
        read_report(home).model_copy(update={"check": check}).write(home)


def compose(
    sources: Sequence[Source],
    manifest: Manifest,
    result: MergeResult,
    rows: Sequence[RowAccount],
    *,
    cleaned: Mapping[str, int],
) -> BuildReport:
    """Make the report of a merge; ``result.quarantine`` holds the rows of all stages.

    Args:
        sources: those of the build.
        manifest: of the build.
        result: of the merge.
        rows: accounts of their rows.
        cleaned: how many names and texts of each source were cleaned.
    """
    edge_files = [result.tables.edges(relation) for relation in result.summary.edges]
    with duckdb.connect() as con:
        nodes_by_source, shared_nodes = _by_source(con, [result.tables.nodes])
        edges_by_source, shared_edges = _by_source(con, edge_files)
        reasons = _reasons(con, result.quarantine)
    return BuildReport(
        version=version("medkg"),
        checksum=result.summary.checksum,
        built=_now(),
        sources=tuple(
            _of_source(source, manifest, rows, result.accounts).model_copy(
                update={"cleaned": cleaned.get(source.name, 0)}
            )
            for source in sources
        ),
        nodes=result.summary.nodes,
        edges=result.summary.edges,
        nodes_by_source=nodes_by_source,
        edges_by_source=edges_by_source,
        shared_nodes=shared_nodes,
        shared_edges=shared_edges,
        rows=tuple(rows),
        assertions=tuple(result.accounts),
        reasons=reasons,
        types_in_conflict=result.types_in_conflict,
        decisions=count_decisions(result.merged, result.refused),
        links=count_links(result.links),
    )


def _now() -> datetime:
    """This second, or that of SOURCE_DATE_EPOCH.

    Raises:
        BuildError: the variable is no number of seconds.
    """
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if not seconds:
        return datetime.now(UTC).replace(microsecond=0)
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError) as e:
        raise BuildError(
            f"SOURCE_DATE_EPOCH: {seconds!r} is no number of seconds since 1970; unset it, or give one"
        ) from e


def _of_source(
    source: Source,
    manifest: Manifest,
    rows: Sequence[RowAccount],
    accounts: Sequence[AssertionAccount],
) -> SourceReport:
    kind = SOURCES[source.kind]
    row_accounts = [account for account in rows if account.source == source.name]
    assertion_accounts = [account for account in accounts if account.source == source.name]
    return SourceReport(
        name=source.name,
        kind=source.kind,
        title=kind.title,
        licence=source.licence or kind.licence,
        citation=kind.citation,
        release=source.release or stated_release(input_files(source)),
        files=manifest.sources[source.name].files,
        rows=sum(account.read for account in row_accounts),
        assertions=sum(account.assertions for account in assertion_accounts),
        loaded=sum(account.loaded for account in assertion_accounts),
        merged=sum(account.merged for account in assertion_accounts),
        quarantined=sum(account.quarantined for account in row_accounts)
        + sum(account.quarantined for account in assertion_accounts),
        garbled=manifest.sources[source.name].garbled,
        made_from=manifest.sources[source.name].fingerprint,
        tools=manifest.sources[source.name].tools,
    )


def _by_source(
    con: duckdb.DuckDBPyConnection, files: Sequence[Path]
) -> tuple[dict[str, int], int]:
    """Rows by source, and how many rows have several sources."""
    if not files:
        return {}, 0
    names = [str(path) for path in files]
    rows = con.execute(
        "SELECT source, count(*) FROM (SELECT unnest(sources) AS source FROM read_parquet(?)) "
        "GROUP BY ALL ORDER BY ALL",
        [names],
    ).fetchall()
    several = con.execute(
        "SELECT count(*) FROM read_parquet(?) WHERE len(sources) > 1", [names]
    ).fetchall()
    return dict(rows), several[0][0]


def _reasons(con: duckdb.DuckDBPyConnection, quarantine: Path) -> tuple[Reason, ...]:
    """Reasons of quarantine; details that differ from record to record are left out."""
    query = r"""
        SELECT source, stage, split_part(split_part(general, ': ', 1), '; ', 1) AS reason,
               count(*) AS count, arg_min(report.reason, (file, row, report.reason)) AS example
        FROM (SELECT *, regexp_replace(reason, $detail, '\1…', 'g') AS general
              FROM read_parquet($file)) AS report
        GROUP BY ALL ORDER BY count DESC, source, stage, reason
    """
    parameters = {"file": str(quarantine), "detail": _DETAIL}
    rows = con.execute(query, parameters).fetchall()
    names = ("source", "stage", "reason", "count", "example")
    return tuple(Reason.model_validate(dict(zip(names, row, strict=True))) for row in rows)


class _Translated(Extension):
    """Has the static texts of a template translated: what stands between two tags is one text."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        del name, filename
        return _STATIC.sub(
            lambda static: f"{{{{ _({static['text'] or static['label']!r}) }}}}", source
        )


def page_name(code: str) -> str:
    """File name of the page in a language."""
    return "report.html" if code == ENGLISH else f"report.{code}.html"


@cache
def _template() -> jinja2.Template:
    """Of the page in every language; compiling it takes longer than filling it in."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("ingest", "."),
        extensions=[_Translated],
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["thousands"] = "{:,}".format
    environment.filters["anchor"] = lambda title: re.sub(r"[^a-z0-9]+", "-", title.lower())
    environment.globals |= {"_": _title, "named": named, "translate": translate}
    return environment.get_template("report.html.jinja")


def page(report: BuildReport) -> str:
    """The report as one self-contained HTML page, in the language that is spoken."""
    reasons = [
        (
            translate(
                "{source}, {stage}: {reason}",
                source=r.source,
                stage=translate(r.stage),
                reason=local_reason(r.reason),
            ),
            r.count,
        )
        for r in report.reasons
    ]
    others = {code: language(code).name for code in languages() if code != spoken().code}
    return _template().render(
        report=report,
        bars=_bars,
        coverage=coverage_rows,
        reasons=reasons,
        total=sum,
        spoken=spoken().code,
        others=[(code, name, page_name(code)) for code, name in others.items()],
    )


def _title(text: str, **values: object) -> str:
    """A text of the page, or the title of a column."""
    return title("columns", text, translate(text, **values))


def named(section: Section, counts: Mapping[str, int]) -> dict[str, int]:
    """The counts of types or relations, under what these are called and their names."""
    titles = {name: title(section, name) for name in counts}
    return {
        name if titles[name] == name else f"{titles[name]} {name}": count
        for name, count in counts.items()
    }


def _bars(counts: dict[str, int] | Iterable[tuple[str, int]]) -> list[tuple[str, int, float]]:
    """Label, count and length in percent of the longest, longest first."""
    pairs = counts.items() if isinstance(counts, dict) else counts
    rows = sorted(pairs, key=lambda row: (-row[1], row[0]))
    longest = max((count for _, count in rows), default=1)
    return [(label, count, 100 * count / longest) for label, count in rows]
