"""``medkg eval report``: the results of runs as a page, with every dialogue behind them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cypher.translation import translate
from kg.commands import Bars, graph_option, json_option, lang_option, say, show_json, speak

if TYPE_CHECKING:
    from evalsim.metrics import NamedRecogniser

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("report")
@click.argument("logs", nargs=-1, metavar="[LOG]...", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Gets report.html, report.md, dialogues.csv and judgements.csv.  [default: .medkg/report]",
)
@click.option(
    "--human-scores",
    type=_FILE,
    metavar="FILE",
    help="CSV of scores by humans: doctor, case, repeat, turn, metric, rater, score.",
)
@click.option(
    "--prices",
    type=_FILE,
    metavar="FILE",
    help="YAML: of each model 'input' and 'output', for a million tokens.",
)
@click.option(
    "--encoder",
    default="words",
    show_default=True,
    metavar="NAME",
    help="Says how alike the patients' utterances are: words, or a model of sentence-transformers "
    "on this machine (minilm, multilingual, a name or folder).",
)
@click.option(
    "--recogniser",
    metavar="NAME",
    help="Tells how much of what patients name is in the graph: phrases (English), or a "
    "pipeline of spaCy that finds entities.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the intervals."
)
@graph_option
@json_option
@lang_option
def report_command(
    *,
    logs: tuple[Path, ...],
    out: Path | None,
    human_scores: Path | None,
    prices: Path | None,
    encoder: str,
    recogniser: str | None,
    seed: int,
    graph: str | None,
    as_json: bool,
) -> None:
    """Report runs on one page: results, and every dialogue with its scores.

    LOG is a log of 'medkg eval medkgeval', or a folder with logs; without one, all
    runs in .medkg/eval. The page needs no
    network and no server: open report.html in a browser.

    For example: medkg eval report runs/ --out report
    """
    speak()
    from evalsim.commands.requirements import need_inspect

    need_inspect()
    from evalsim.metrics import find_encoder, read_human_scores
    from evalsim.report import read_prices, write_report
    from evalsim.running.logs import find_logs, read_dialogues
    from kg.configuration import Settings

    home = Settings.read().home
    log_files = find_logs(logs or (home / "eval",))
    report_files = write_report(
        read_dialogues(log_files),
        out or home / "report",
        human=read_human_scores(human_scores) if human_scores else (),
        prices=read_prices(prices) if prices else None,
        seed=seed,
        encoder=find_encoder(encoder),
        recogniser=_recogniser(recogniser, graph) if recogniser else None,
    )
    if as_json:
        show_json(
            {
                "dialogues": report_files.dialogues,
                "runs": report_files.runs,
                "files": [str(file) for file in report_files.files],
            }
        )
        return
    say(
        translate(
            "Dialogues: {dialogues}, runs: {runs}. Open {page} in a browser.",
            dialogues=f"{report_files.dialogues:,}",
            runs=f"{report_files.runs:,}",
            page=report_files.files[0],
        )
    )


def _recogniser(name: str, graph: str | None) -> "NamedRecogniser":
    """A recogniser that looks up mentions in the graph; the names are read once, then it is closed."""
    import kg
    from evalsim.metrics import find_recogniser
    from kg.linking import Linker

    settings = kg.Settings.read()
    with kg.connect(graph, settings) as store:
        return find_recogniser(name, Linker.of_store(store, settings.linking, progress=Bars()))
