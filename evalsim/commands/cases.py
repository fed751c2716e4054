"""``medkg eval cases``: what conversations are about, drawn from a graph or read from a set."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cypher.translation import translate
from kg.commands import Bars, graph_option, json_option, lang_option, say, show, show_json, speak

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import BaseModel

    from evalsim.case import DiagnosisCase, MedicationCase
    from evalsim.cases.drawing import DrawReport
    from evalsim.cases.imported import ImportReport
    from evalsim.cases.sets import Origin
    from kg.stores.store import Store


@click.command("cases")
@click.option(
    "--task",
    type=click.Choice(["diagnosis", "medication"]),
    default="diagnosis",
    show_default=True,
    help="What the conversations are for.",
)
@click.option(
    "--language",
    type=click.Choice(["en", "zh"]),
    default="en",
    show_default=True,
    help="That of the conversations.",
)
@click.option(
    "-n",
    "--number",
    "n",
    type=click.IntRange(1),
    default=500,
    show_default=True,
    help="Cases at most.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Of all that is left to chance."
)
@click.option(
    "--source",
    "sources",
    multiple=True,
    metavar="NAME",
    help="Only what this source states; may be repeated.",
)
@click.option(
    "--known-to",
    metavar="GRAPH",
    help="Only diseases that this graph has findings of too, such as one from which a source is withheld.",
)
@click.option(
    "--from",
    "from_set",
    type=(click.Choice(["agentclinic", "mediq", "dxy"]), click.Path(path_type=Path)),
    metavar="SET FILE",
    help="Read the cases of a published set instead: agentclinic, mediq or dxy.",
)
@click.option(
    "--to",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where the cases go, and their report beside them.  [default: .medkg/cases/TASK-LANGUAGE.jsonl]",
)
@graph_option
@json_option
@lang_option
def cases_command(
    *,
    task: Any,  # noqa: ANN401 - of Task, which click cannot say
    language: Any,  # noqa: ANN401 - of Language, which click cannot say
    n: int,
    seed: int,
    sources: tuple[str, ...],
    known_to: str | None,
    from_set: Any,  # noqa: ANN401 - of Origin and Path, which click cannot say
    to: Path | None,
    graph: str | None,
    as_json: bool,
) -> None:
    """Draw cases from the graph, or read those of a published set.

    For example: medkg eval cases --task medication --language zh -n 20
    """
    import kg
    from evalsim.cases.drawing import DrawOptions, draw

    speak()
    if known_to and (from_set or task == "medication"):
        message = "--known-to belongs to diseases that are drawn; leave it out with --from and --task medication"
        raise click.UsageError(translate(message))
    if from_set:
        origin, file = from_set
        _import(origin, file, to, graph, as_json=as_json)
        return
    settings = kg.Settings.read()
    options = DrawOptions(task=task, language=language, n=n, seed=seed, sources=sources)
    with ExitStack() as held:
        store = held.enter_context(kg.connect(graph, settings))
        other = held.enter_context(kg.connect(known_to, settings)) if known_to else None
        _check_sources(sources, store, other)
        drawn = draw(store, options, Bars(), other)
    to = to or settings.home / "cases" / f"{task}-{language}.jsonl"
    _write(drawn.cases, drawn.report, to)
    if as_json:
        show_json(drawn.report.model_dump_json(indent=2))
        return
    _show(drawn.report, to)


def _check_sources(sources: "Sequence[str]", store: "Store", other: "Store | None") -> None:
    """See that the graph has the sources, and warn where the other one has them too."""
    from kg.errors import EvaluationError

    if not sources:
        return
    graph_sources = {str(row["source"]) for row in store.query("graph.source_counts").dicts()}
    if missing := sorted({*sources} - graph_sources):
        message = "{graph}: has no source {source}; its sources are {sources}"
        separator = translate(", ")
        raise EvaluationError(
            translate(
                message,
                graph=store.uri,
                source=separator.join(missing),
                sources=separator.join(sorted(graph_sources)),
            )
        )
    if other is not None:
        other_sources = {str(row["source"]) for row in other.query("graph.source_counts").dicts()}
        for source in sorted({*sources} & other_sources):
            message = "{graph}: has the source {source} itself, so that nothing is withheld; 'medkg eval withhold {source}' builds one without it"
            say(translate(message, graph=other.uri, source=source), err=True)


def drawn_cases(home: Path, task: str, language: str) -> Path:
    """The file that cases of a task and language are drawn into, if no other is named.

    Args:
        home: of medkg.
        task: of the cases.
        language: of the cases.

    Raises:
        EvaluationError: it is not there.
    """
    from kg.errors import EvaluationError

    file = home / "cases" / f"{task}-{language}.jsonl"
    if not file.is_file():
        message = "{file}: no cases are drawn yet; run 'medkg eval cases --task {task} --language {language}', or name a file with --cases"
        raise EvaluationError(translate(message, file=file, task=task, language=language))
    return file


def _import(
    origin: "Origin", file: Path, to: Path | None, graph: str | None, *, as_json: bool
) -> None:
    import kg
    from evalsim.cases.imported import TYPES, read_set
    from kg.linking import Linker, LinkOptions

    settings = kg.Settings.read()
    options = LinkOptions(TYPES, limit=10)
    with kg.connect(graph, settings) as store:
        linker = Linker.of_store(store, settings.linking, options, Bars())
        imported = read_set(store, linker, origin, file, Bars())
    to = to or settings.home / "cases" / f"{file.stem}.jsonl"
    _write(imported.cases, imported.report, to)
    if as_json:
        show_json(imported.report.model_dump_json(indent=2))
        return
    _show_imported(imported.report, to)


def _show_imported(report: "ImportReport", to: Path) -> None:
    from kg.stores.store import Rows

    counts = [(translate(why), n) for why, n in report.left_out.items()]
    rows = [
        (translate("rows"), report.read),
        (translate("cases"), report.cases),
        *counts,
        (translate("findings that were linked"), report.findings),
        (translate("findings that were not linked"), report.unlinked),
        (translate("rows whose text names the diagnosis"), len(report.leaks)),
    ]
    show(Rows(("group", "count"), tuple(rows)))
    if report.leaks:
        leaks = tuple((leak.row, leak.name, leak.found) for leak in report.leaks)
        show(Rows(("row", "name", "text"), leaks))
    message = translate(
        "{cases} cases of {read} rows, in {file}", cases=report.cases, read=report.read, file=to
    )
    say(message, err=True)


def _write(
    cases: "Sequence[DiagnosisCase | MedicationCase]", report: "BaseModel", to: Path
) -> None:
    from evalsim.case import write_cases
    from kg.errors import EvaluationError

    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        write_cases(cases, to)
        beside = to.with_suffix(".report.json")
        beside.write_text(report.model_dump_json(indent=2) + "\n", "utf-8")
    except OSError as e:
        message = "{file}: cannot be written ({why}); name another file with --to"
        raise EvaluationError(translate(message, file=to, why=e.strerror)) from e


def _show(report: "DrawReport", to: Path) -> None:
    from kg.stores.store import Rows

    strata = [
        (translate(s.kind or "not known"), translate(s.area or "not known"), s.pool, s.drawn)
        for s in report.strata
    ]
    show(Rows(("kind", "area", "pool", "drawn"), tuple(strata)))
    counts = [
        *((translate("drawn"), translate(level), n) for level, n in report.difficulty.items()),
        *((translate("not drawn"), translate(why), n) for why, n in report.left_out.items()),
        *((translate("not in a case"), translate(why), n) for why, n in report.omitted.items()),
    ]
    show(Rows(("group", "reason", "count"), tuple(counts)))
    if report.drawn < report.options.n:
        few = "{n} were asked for; a larger graph, or more sources, would have more"
        say(translate(few, n=report.options.n), err=True)
    message = translate(
        "{drawn} cases of {pool} that could be drawn, in {file}",
        drawn=report.drawn,
        pool=report.pool,
        file=to,
    )
    say(message, err=True)
