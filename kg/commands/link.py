"""``medkg link``: mentions in texts, the entities they speak of, and their UMLS concepts."""

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cypher.translation import translate
from kg.commands import (
    Bars,
    comma_list,
    graph_option,
    json_option,
    say,
    show,
    show_json,
    speak,
)
from kg.commands.linked import (
    STDIN,
    Link,
    link_lines,
    show_candidates,
    show_concepts,
    show_mentions,
)

if TYPE_CHECKING:
    from kg.linking import Linker, LinkOptions
    from kg.linking.documents import Form
    from kg.linking.evaluation import EvaluatedLinker
    from kg.linking.gold import Gold
    from kg.linking.recognition import RecognisingLinker

_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER: Final = click.Path(exists=True, file_okay=False, path_type=Path)
_FILE_OR_STDIN: Final = click.Path(exists=True, dir_okay=False, allow_dash=True)

_EXCLUDE: Final = {
    "file": {"text"},
    "names": {"graph"},
    "mention": {"recogniser"},
    "evaluate": {"text", "file", "lines", "mention", "limit"},
    "umls": {
        *("text", "file", "lines", "mention", "names", "types", "scorer", "limit", "exact"),
        *("recogniser", "evaluate"),
    },
}
"""Parameters, and those that make no sense beside them."""


def _number(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    if value is not None and math.isnan(value):  # which is in any range, as click sees it
        raise click.BadParameter(translate("nan is no score; give one from 0 to 1"), ctx, param)
    return value


def _check_scorer(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    from kg.linking.scorers import SCORERS

    if value not in SCORERS:
        scorers = ", ".join(SCORERS)
        raise click.BadParameter(
            translate(
                "there is no {value!r}; choose one of {scorers}", value=value, scorers=scorers
            ),
            ctx,
            param,
        )
    return value


@click.command("link")
@click.argument("text", nargs=-1)
@click.option("--file", type=_FILE_OR_STDIN, help="Link each line of a file (- for stdin).")
@click.option(
    "--lines",
    type=click.Choice(["text", "jsonl"]),
    help='Format of the lines: plain text, or JSON objects with the field "text". '
    "[default: that of the first line]",
)
@click.option(
    "--mention", is_flag=True, help="Treat each text as one mention and show its candidates."
)
@graph_option
@click.option("--names", type=_FILE, help="Link with this table of names instead of the graph.")
@click.option("--types", callback=comma_list, help="Only of these types: Disease,Symptom")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    callback=_number,
    help="Minimum score of a link.  [default: calibrated]",
)
@click.option("--scorer", callback=_check_scorer, help="String similarity measure.")
@click.option(
    "--limit", type=click.IntRange(min=1), help="Maximum number of candidates per mention."
)
@click.option("--exact", is_flag=True, help="Find no misspelt names in running text.")
@click.option(
    "--recogniser",
    metavar="PIPELINE",
    help="A spaCy pipeline (package or folder) that finds the mentions, not the dictionary.",
)
@click.option("--evaluate", type=_FILE, help="Measure against a gold file.")
@click.option(
    "--umls",
    type=_FOLDER,
    help="Give the graph's entities UMLS concepts, from MRCONSO.RRF and MRSTY.RRF there.",
)
@click.option("--umls-language", callback=comma_list, help="Only names in these: en,zh")
@click.option("--umls-source", callback=comma_list, help="Only names from these: MSH,SNOMEDCT_US")
@click.option("--umls-type", callback=comma_list, help="Only these semantic types: T047,T184")
@json_option
@click.pass_context
def link_command(
    ctx: click.Context,
    *,
    text: tuple[str, ...],
    file: str | None,
    lines: "Form | None",
    mention: bool,
    graph: str | None,
    names: Path | None,
    types: tuple[str, ...] | None,
    threshold: float | None,
    scorer: str | None,
    limit: int | None,
    exact: bool,
    recogniser: str | None,
    evaluate: Path | None,
    umls: Path | None,
    umls_language: tuple[str, ...] | None,
    umls_source: tuple[str, ...] | None,
    umls_type: tuple[str, ...] | None,
    as_json: bool,
) -> None:
    """Link TEXT: its mentions, their entities and UMLS concepts.

    The mentions of TEXT are printed as a table. With --file, or '-' for stdin, each line is a
    text or a JSON object with the field "text", and one JSON line is printed for it; the
    object's other fields are kept.

    For example: medkg link "no fever, but dry cough; mother had breast cancer"
    """
    _refuse_wrong_use(ctx)
    joined = " ".join(text)
    if file is None and text not in ((), (STDIN,)):
        speak(joined)
    if umls is not None:
        settings = {
            "languages": umls_language,
            "vocabularies": umls_source,
            "semantic_types": umls_type,
            "threshold": threshold,
        }
        _link_concepts(umls, {k: v for k, v in settings.items() if v is not None}, graph, as_json)
        return
    gold = _gold(evaluate)
    source = None if evaluate else _source(text, file, lines)
    options = _options(types, threshold, scorer, limit, exact)
    linker = _linker(graph, names, options, recogniser)
    if gold is not None:
        _evaluate(linker, gold, as_json)
    elif source is not None:
        link_lines(_whole(linker) if mention else linker.link, source, lines)
    elif mention:
        show_candidates(linker.resolve(joined), linker.index, as_json)
    else:
        show_mentions(joined, linker.link(joined), linker.index, as_json)


def _refuse_wrong_use(ctx: click.Context) -> None:
    parameters = {name for name, value in ctx.params.items() if value not in (None, False, ())}
    for name, excluded in _EXCLUDE.items():
        if name in parameters and (clashing := excluded & parameters):
            raise click.UsageError(
                translate(
                    "{option} and {other} exclude each other; give one",
                    option=_parameter_name(name),
                    other=_parameter_name(min(clashing)),
                )
            )
    if "umls" not in parameters and (
        alone := sorted(n for n in parameters if n.startswith("umls_"))
    ):
        raise click.UsageError(
            translate("{option} is about --umls; give that too", option=_parameter_name(alone[0]))
        )
    if "exact" in parameters and (clashing := parameters & {"mention", "recogniser"}):
        raise click.UsageError(
            translate(
                "--exact is for running text that the dictionary searches; with {other} use "
                "--threshold 1 to get exact names only",
                other=_parameter_name(min(clashing)),
            )
        )


def _parameter_name(name: str) -> str:
    return "TEXT" if name == "text" else f"--{name.replace('_', '-')}"


def _source(text: tuple[str, ...], file: str | None, form: "Form | None") -> str | None:
    """The file whose lines are linked, - for stdin; None where TEXT is what to link."""
    if STDIN in text and len(text) > 1:
        raise click.UsageError(translate("'-' is stdin; give that or a text, not both"))
    if text and text != (STDIN,):
        if form is not None:
            raise click.UsageError(
                translate("--lines is about the lines of --file or stdin, not of TEXT")
            )
        return None
    if file is None and not text and _on_a_terminal():
        raise click.UsageError(
            translate(
                'nothing to link; give a text (medkg link "dry cough"), --file, or text by a pipe'
            )
        )
    return file or STDIN


def _on_a_terminal() -> bool:
    """Nobody waits for a person to type lines unless they are asked for by ``-``."""
    return sys.stdin.isatty()


def _options(
    types: tuple[str, ...] | None,
    threshold: float | None,
    scorer: str | None,
    limit: int | None,
    exact: bool,
) -> "LinkOptions":
    from kg.linking import LinkOptions

    return LinkOptions(
        types=types,
        scorer=scorer or LinkOptions.scorer,
        threshold=threshold,
        limit=limit or LinkOptions.limit,
        fuzzy=not exact,
    )


def _linker(
    graph: str | None, names: Path | None, options: "LinkOptions", recogniser: str | None
) -> "Linker | RecognisingLinker":
    from kg.linking import recognition

    recognise = None if recogniser is None else recognition.recogniser(recogniser)
    linker = (
        _linker_of_graph(graph, options) if names is None else _linker_of_names(names, options)
    )
    _check_types(linker, options.types)
    return linker if recognise is None else recognition.RecognisingLinker(linker, recognise)


def _linker_of_names(names: Path, options: "LinkOptions") -> "Linker":
    from kg.linking import Linker, Names

    return Linker.of_names(Names.read(names), options, Bars())


def _linker_of_graph(graph: str | None, options: "LinkOptions") -> "Linker":
    import kg
    from kg.linking import Linker

    settings = kg.Settings.read()
    with kg.connect(graph, settings) as store:
        return Linker.of_store(store, settings.home / "linking", options, Bars())


def _check_types(linker: "Linker", types: tuple[str, ...] | None) -> None:
    types_of_names = sorted(set(linker.index.entities.type)) if types else []
    for name in types or ():
        if name not in types_of_names:
            raise click.UsageError(
                translate(
                    "--types: nothing here is a {name!r}; there are {known}",
                    name=name,
                    known=", ".join(types_of_names),
                )
            )


def _whole(linker: "EvaluatedLinker") -> Link:
    return lambda text: [linker.resolve(text)]


def _link_concepts(
    folder: Path, given: dict[str, object], graph: str | None, as_json: bool
) -> None:
    import kg
    from kg.errors import ConfigurationError
    from kg.linking.umls import UmlsConfig, link_concepts

    try:
        config = UmlsConfig.model_validate({"folder": folder, **given})
    except ConfigurationError as e:
        raise click.UsageError(translate("--umls: {why}", why=e)) from e
    settings = kg.Settings.read()
    with kg.connect(graph, settings) as store:
        result = link_concepts(config, store, settings.home / "umls", settings.layers, Bars())
    show_concepts(result, as_json)


def _gold(file: Path | None) -> "Gold | None":
    from kg.linking.gold import Gold

    return None if file is None else Gold.read(file)


def _evaluate(linker: "EvaluatedLinker", gold: "Gold", as_json: bool) -> None:
    from kg.linking.evaluation import evaluate

    figures = evaluate(linker, gold, Bars())
    if as_json:
        show_json(figures.model_dump_json(indent=2))
        return
    for name, rows in figures.tables().items():
        say(f"\n{name}")
        show(rows)
