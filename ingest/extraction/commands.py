"""``medkg extract``: candidate triples from question banks and other texts."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cypher.translation import translate
from kg.commands import Bars, graph_option, harmless, json_option, say, show

if TYPE_CHECKING:
    from ingest.extraction.extract import Extracted

_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
_MAX_ERRORS_SHOWN: Final = 20


@click.command("extract")
@click.argument("files", nargs=-1, required=True, type=_FILE, metavar="FILE…")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the triples into this .tsv or .jsonl file, for a source of kind 'triples'.",
)
@graph_option
@click.option("--cues", type=_FILE, help="Table of cues instead of medkg's own.")
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Leave out triples with less confidence.",
)
@click.option("--encoding", default="utf-8", help="Encoding of the files, e.g. gb18030.")
@json_option
def extract_command(
    *,
    files: tuple[Path, ...],
    out: Path | None,
    graph: str | None,
    cues: Path | None,
    min_confidence: float,
    encoding: str,
    as_json: bool,
) -> None:
    """Find candidate triples in question banks: drugs, diseases and symptoms with a cue between.

    FILE is .jsonl or .json with one object for each question, or .txt. The names are those of
    the graph, which is not changed: review the candidates, then a source of kind 'triples' puts
    those with enough confidence into the next build.
    """
    import kg
    from ingest.extraction.cues import Cues
    from ingest.extraction.extract import OPTIONS, extract
    from ingest.extraction.writing import rows_of, summary, write
    from kg.errors import SourceError
    from kg.linking import Linker

    table = Cues.read(cues)
    settings = kg.Settings.read()
    with kg.connect(graph, settings) as store:
        linker = Linker.of_store(store, settings.home / "linking", OPTIONS, Bars())
    result = extract(files, linker, table, Bars(), encoding)
    triples = [each for each in result.triples if each.confidence >= min_confidence]
    if out is not None:
        write(triples, out)
    show(rows_of(triples) if out is None else summary(triples), as_json)
    _report(result, len(triples), out)
    if result.broken:
        raise SourceError(
            translate(
                "{count} records could not be used; the triples of all others are there",
                count=len(result.broken),
            )
        )


def _report(result: "Extracted", triples: int, out: Path | None) -> None:
    """What was read, left out and written, on stderr."""
    for broken in result.broken[:_MAX_ERRORS_SHOWN]:
        say(f"{broken.where}: {harmless(broken.reason)}", err=True)
    dropped = ", ".join(f"{n} {reason}" for reason, n in sorted(result.dropped.items()))
    found = "{count} candidates from {questions} questions."
    if dropped:
        found = "{count} candidates from {questions} questions; left out: {dropped}."
    say(
        translate(found, count=triples, questions=result.questions, dropped=dropped),
        err=True,
    )
    if out is not None:
        told = "They are in {file}; review them before a build reads them."
        say(translate(told, file=out), err=True)
