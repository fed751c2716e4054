"""Builds the graph: sources to assertions to graph tables to store, redoing only what changed."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from errno import EDQUOT, ENOSPC
from importlib.metadata import version
from pathlib import Path

import duckdb
import filelock

from cypher.translation import translate
from ingest.accounting import edge_rows, prove, prove_loaded, row_accounts
from ingest.assertions import QUARANTINE_COLUMNS
from ingest.check.check import CheckConfig, Revision, applied_check, apply_check
from ingest.check.rules import load_rules, rules_fingerprint
from ingest.clinical_picture import clinical_pictures, written_languages
from ingest.configuration import BuildConfig
from ingest.disease_view import disease_view
from ingest.earlier import Earlier
from ingest.home import CLEANED, LINKS, identities_file, misplaced_file, survey_folder
from ingest.load import LoadResult, load
from ingest.manifest import Manifest, MergeMade, RulesAsked, SourceRead, fingerprint, libraries
from ingest.merge import MergeConfig, SourceAssertions, merge
from ingest.report import BuildReport, compose, read_report
from ingest.shrinking import Before, Changes, require_no_shrinking
from ingest.sources import (
    Resources,
    Source,
    cannot_be_opened,
    cleaning,
    read,
    require_files,
    tools,
)
from ingest.sources import files as input_files
from ingest.sources.curies import with_own_prefixes
from kg.errors import BuildError, SourceError, TablesError
from kg.progress import Progress
from kg.stores.inspection import inspect
from kg.stores.store import Store
from kg.tables import GraphTables


@dataclass(frozen=True)
class BuildResult:
    """The result of a build, and the steps that it did."""

    report: BuildReport
    read: tuple[str, ...]
    """Sources read, because they are new or changed."""
    made: tuple[str, ...]
    """Relations whose edges were made anew."""
    merged: bool
    """Whether the tables were made again, of edges made anew or taken over."""
    loaded: LoadResult
    changes: Changes
    """Differences from the graph before; none if nothing was merged."""

    @property
    def changed(self) -> bool:
        """Whether the graph tables or the store changed."""
        return self.merged or self.loaded.changed


def build(
    config: BuildConfig,
    home: Path,
    store: Store,
    progress: Progress,
    *,
    afresh: bool = False,
    check: bool = True,
    allow_shrink: bool = False,
) -> BuildResult:
    """Build the graph of ``config`` in ``home`` and load it into ``store``.

    Wherever a build is interrupted, the embedded store holds a complete graph, the old or
    the new one; a Neo4j that is being loaded says that it is incomplete. The next build goes
    on after the last source that was read completely.

    Args:
        config: the sources.
        home: gets assertions, graph tables, quarantine, links and report.
        store: replaced unless it holds these tables already.
        progress: shows the steps.
        afresh: read every source again even if it did not change.
        check: apply the consistency rules to the loaded graph.
        allow_shrink: go on where a source gives far fewer statements than in the present graph,
            or its names look garbled.

    Raises:
        ShrunkError: a source does, and ``allow_shrink`` is not set; the graph is unchanged.
        BuildError: another build runs in ``home``, or it cannot be written.
        SourceError: a source cannot be read.
        ConfigurationError: the configuration names a folder of rules or a rule that does not
            exist, or a tool that is not installed.
        QueryError: a rule of that folder is not usable.
        CheckError: the result of a rule is not usable.
        AccountingError: something was lost between source and store.
        StoreError: the store could not be loaded.
    """
    with _exclusive(home), _engine_errors(home):
        run = _Build(config, home, progress, afresh=afresh, check=check)
        return run.run(store, allow_shrink=allow_shrink)


class _Build:
    """One build; the manifest is written after each step, so that the next build can go on."""

    def __init__(
        self, config: BuildConfig, home: Path, progress: Progress, *, afresh: bool, check: bool
    ) -> None:
        self.config = config
        self.home = home
        self.progress = progress
        self.manifest = Manifest() if afresh else Manifest.read(home)
        self.check = check
        self.rules = load_rules(config.rules, config.without_rules)
        self.libraries = libraries()
        self.tools = {source.name: dict(tools(source)) for source in config.sources}

    def run(self, store: Store, *, allow_shrink: bool) -> BuildResult:
        require_files(self.config.sources)
        new = self.home / "merging"
        shutil.rmtree(new, ignore_errors=True)
        read = tuple(source.name for source in self.config.sources if self.read(source))
        self.forget_removed_sources()
        folder = self.config.rules and self.config.rules.absolute()
        self.manifest.rules = RulesAsked(folder=folder, without=self.config.without_rules)
        self.manifest.write(self.home)
        current = self.current_report()
        if current is not None:
            loaded, report = self.load(GraphTables(self.home / "tables"), current, store)
            if report != current:
                report.write(self.home)
            return BuildResult(report, read, (), False, loaded, Changes())
        new.mkdir()
        before = Before.read(self.home)
        report, made = self.merge(new)
        changes = before.changes(report.assertions, [source.name for source in report.sources])
        if not allow_shrink:
            limits = {
                source.name: self.config.max_shrink
                if source.max_shrink is None
                else source.max_shrink
                for source in self.config.sources
            }
            require_no_shrinking(report.sources, limits, before, changes)
        changes.write(new)
        loaded, report = self.load(GraphTables(new / "tables"), report, store)
        self.publish(new, report)
        return BuildResult(report, read, made, True, loaded, changes)

    def current_report(self) -> BuildReport | None:
        """The report of the tables in the home, if a merge would make the same tables again."""
        return self.report_of_tables() if self.manifest.merged == self.merge_inputs() else None

    def report_of_tables(self) -> BuildReport | None:
        """The report of the tables in the home, if these are complete."""
        if self.manifest.merged is None:
            return None
        try:
            inspect(GraphTables(self.home / "tables"))
            return read_report(self.home)
        except (BuildError, TablesError):
            return None

    def earlier(self) -> Earlier | None:
        """The merge that made the tables in the home, if edges can be taken over from it."""
        merged, report = self.manifest.merged, self.report_of_tables()
        files = (identities_file(self.home), misplaced_file(self.home))
        if merged is None or report is None or merged.version != version("medkg"):
            return None
        if merged.combine != self.config.combine:
            return None
        if not all(file.is_file() for file in files):
            return None
        return Earlier(self.home, dict(merged.sources), report.assertions)

    def read(self, source: Source) -> bool:
        """Read a source into assertions unless it is unchanged; whether it was read."""
        files = self.checksums(source)
        settings = source.model_dump_json(exclude={"max_shrink"})  # no reader depends on it
        source_tools = self.tools[source.name]
        read_with = (
            f"{name} {tool_version}"
            for name, tool_version in (self.libraries | source_tools).items()
        )
        prefixes = (
            f"{name} {prefix.model_dump_json(exclude={'title'})}"
            for name, prefix in sorted(self.config.prefixes.items())
        )
        inputs = fingerprint(*read_with, *prefixes, settings, *files.values())
        out = self.assertions(source.name)
        earlier = self.manifest.sources.get(source.name)
        if earlier is not None and earlier.fingerprint == inputs and out.is_dir():
            return False
        self.manifest.sources.pop(source.name, None)
        self.manifest.write(self.home)
        out.parent.mkdir(parents=True, exist_ok=True)
        resources = Resources(self.config.threads, self.config.memory)
        with with_own_prefixes(self.config.prefixes):
            result = read(source, out, self.progress, resources)
        rows = row_accounts(source.name, result.rows, out)
        prove(rows)
        self.manifest.sources[source.name] = SourceRead(
            fingerprint=inputs,
            files=files,
            tools=source_tools,
            rows=tuple(rows),
            garbled=result.garbled,
        )
        self.manifest.write(self.home)
        return True

    def forget_removed_sources(self) -> None:
        """Forget sources that the configuration lacks, and drop folders of interrupted readers."""
        configured = {source.name for source in self.config.sources}
        self.manifest.forget_inputs(p for s in self.config.sources for p in input_files(s))
        for name in self.manifest.sources.keys() - configured:
            del self.manifest.sources[name]
        for folder in (self.home / "assertions").iterdir():
            if folder.name not in configured:
                shutil.rmtree(folder, ignore_errors=True)
        self.manifest.write(self.home)

    def merge_inputs(self) -> MergeMade:
        """All that the merge's result depends on."""
        reads = {source.name: self.manifest.sources[source.name] for source in self.config.sources}
        fingerprints = tuple((name, read.fingerprint) for name, read in reads.items())
        return MergeMade(
            version=version("medkg"), sources=fingerprints, combine=self.config.combine
        )

    def merge(self, out: Path) -> tuple[BuildReport, tuple[str, ...]]:
        """Merge into ``out`` and prove that nothing was lost on the way.

        Returns:
            The report, and the relations whose edges were made anew.
        """
        config = MergeConfig(
            assertions={
                name: SourceAssertions(file, made_from, survey_folder(file))
                for name, made_from in self.merge_inputs().sources
                for file in (self.assertions(name) / "assertions.parquet",)
            },
            text_born=self.config.text_born,
            made_by=f"medkg {version('medkg')} build",
            threads=self.config.threads,
            memory=self.config.memory,
            combine=self.config.combine,
            spark=self.config.spark,
            earlier=self.earlier(),
        )
        result = merge(config, out, self.progress)
        rows = [
            account
            for source in self.config.sources
            for account in self.manifest.sources[source.name].rows
        ]
        prove([*rows, *result.accounts])
        prove_loaded(result.accounts, edge_rows(result.tables), "the graph tables")
        quarantines = [
            self.assertions(source.name) / "quarantine.parquet" for source in self.config.sources
        ]
        quarantine = out / "all_quarantine.parquet"
        _concatenate([*quarantines, result.quarantine], quarantine)
        quarantine.replace(result.quarantine)
        made_anew = tuple(name for name in result.summary.edges if name not in result.taken_over)
        lists = [self.assertions(source.name) / cleaning.CLEANED for source in self.config.sources]
        cleaned = _merge_cleaned([path for path in lists if path.is_file()], out / CLEANED)
        return compose(
            self.config.sources, self.manifest, result, rows, cleaned=cleaned
        ), made_anew

    def load(
        self, tables: GraphTables, report: BuildReport, store: Store
    ) -> tuple[LoadResult, BuildReport]:
        """Load and check the graph; the report then describes what the store holds."""
        report = report.model_copy(update={"prefixes": self.config.prefixes})
        layers = self.home / "layers"
        config = CheckConfig(self.rules, tables, layers)
        revision = Revision(config, self.progress) if self.check else None
        identities = identities_file(tables.folder.parent)
        loaded = load(tables, layers, store, self.progress, revise=revision, identities=identities)
        prove_loaded(report.assertions, loaded.counts.edges, store.uri)
        check_result = applied_check(store, layers)
        if (
            self.check
            and check_result
            and check_result.fingerprint != rules_fingerprint(self.rules)
        ):
            check_result = apply_check(store, config, self.progress)
            loaded = replace(loaded, changed=True)
        if loaded.changed or report.check != check_result or not report.clinical_pictures:
            names = [source.name for source in self.config.sources]
            assertions = {name: self.assertions(name) / "assertions.parquet" for name in names}
            sections = {
                "disease_view": disease_view(store),
                "clinical_pictures": clinical_pictures(store, written_languages(assertions)),
                "check": check_result,
            }
            report = report.model_copy(update=sections)
        return loaded, report

    def publish(self, new: Path, report: BuildReport) -> None:
        """Replace tables, quarantine, links and report by the new ones.

        Meanwhile the manifest names no merge, so an interrupted build merges again.
        """
        report.write(new)
        self.manifest.merged = None
        self.manifest.write(self.home)
        for name in (LINKS, CLEANED):  # not every merge writes one
            (self.home / name).unlink(missing_ok=True)
        for file in new.iterdir():
            target = self.home / file.name
            if target.is_dir():
                shutil.rmtree(target)
            file.replace(target)
        new.rmdir()
        self.manifest.merged = self.merge_inputs()
        self.manifest.write(self.home)

    def checksums(self, source: Source) -> dict[str, str]:
        """Checksum of each input file, by its folder and name, with more folders if ambiguous.

        Raises:
            SourceError: a file is missing or not readable by now.
        """
        try:
            paths = tuple(dict.fromkeys(input_files(source)))
            return {
                name: self.manifest.checksum_of(path)
                for name, path in zip(_short_names(paths), paths, strict=True)
            }
        except OSError as e:
            raise SourceError(cannot_be_opened(source, e)) from e

    def assertions(self, name: str) -> Path:
        return self.home / "assertions" / name


def _short_names(paths: Sequence[Path]) -> list[str]:
    """The last parts of paths, two at least, and as many as make all of them different."""
    for length in range(2, max((len(path.parts) for path in paths), default=2) + 1):
        names = ["/".join(path.parts[-length:]) for path in paths]
        if len(set(names)) == len(names):
            return names
    return [str(path) for path in paths]


@contextmanager
def _exclusive(home: Path) -> Iterator[None]:
    lock = filelock.FileLock(home / "build.lock")
    try:
        home.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except filelock.Timeout as e:
        raise BuildError(
            translate(
                "{home}: another build is running here; wait for it, or set MEDKG_HOME elsewhere",
                home=home,
            )
        ) from e
    except OSError as e:
        raise BuildError(
            translate(
                "{home}: {why}; medkg keeps its files there, set MEDKG_HOME elsewhere",
                home=home,
                why=translate(e.strerror or ""),
            )
        ) from e
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _engine_errors(home: Path) -> Iterator[None]:
    """Turn a full disk and a failing table engine into one sentence, its interruption into Ctrl-C."""
    kept = translate("and build again; the store holds a complete graph")
    try:
        yield
    except (RuntimeError, duckdb.InterruptException) as e:
        if "interrupted" not in str(e).casefold():
            raise
        raise KeyboardInterrupt from e
    except OSError as e:
        if e.errno not in (ENOSPC, EDQUOT):
            raise
        raise BuildError(
            translate(
                "{file}: the disk is full; free some space, {kept}",
                file=e.filename or home,
                kept=kept,
            )
        ) from e
    except duckdb.OutOfMemoryException as e:
        raise BuildError(
            translate(
                "{home}: not enough memory for the table work; raise 'memory' in the "
                "configuration or free some disk for spilling, {kept}",
                home=home,
                kept=kept,
            )
        ) from e
    except duckdb.IOException as e:
        raise BuildError(
            translate(
                "{home}: {why}; correct that {kept}",
                home=home,
                why=str(e).splitlines()[0],
                kept=kept,
            )
        ) from e


def _merge_cleaned(lists: list[Path], out: Path) -> dict[str, int]:
    """Merge the lists of cleaned texts into one Parquet file; number of rows by source."""
    if not lists:
        return {}
    with duckdb.connect() as con:
        table = con.read_parquet([str(path) for path in lists])
        table.write_parquet(str(out))
        counts = table.aggregate("source, count(*)", "source").fetchall()
    return dict(counts)


def _concatenate(files: list[Path], out: Path) -> None:
    """Join Parquet files into one with the columns of the quarantine."""
    columns = ", ".join(column.name for column in QUARANTINE_COLUMNS)
    with duckdb.connect() as con:
        table = con.read_parquet([str(path) for path in files], union_by_name=True)
        table.project(columns).write_parquet(str(out))
