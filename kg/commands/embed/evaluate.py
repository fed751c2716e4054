"""``medkg embed evaluate``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.commands import Bars, json_option, show, show_json
from kg.commands.embed.options import load, model_option

if TYPE_CHECKING:
    from kg.embeddings.report import EvaluationReport


@click.command("evaluate")
@model_option
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown.")
@click.option(
    "--figures",
    type=click.Path(file_okay=False, path_type=Path),
    help="Draw the loss and MRR by epoch and the MRR by relation into a folder.",
)
@click.option("--device", help="cpu, cuda, cuda:1; without it CUDA if it is available.")
@json_option
def evaluate_command(
    folder: Path | None,
    as_markdown: bool,
    figures: Path | None,
    device: str | None,
    as_json: bool,
) -> None:
    """Evaluate a trained model on its test triples again, beside baselines that learn nothing.

    Both ends are ranked, filtered; the realistic rank is the mean of the optimistic and the
    pessimistic one.
    """
    artifact = load(folder)
    from kg.embeddings.experiment import evaluate
    from kg.embeddings.figures import draw
    from kg.embeddings.report import as_markdown as in_markdown

    report = evaluate(artifact, device, Bars())
    if figures is not None:
        draw(report, figures)
    if as_markdown:
        click.echo(in_markdown(report))
    else:
        show_report(report, as_json)


def show_report(report: "EvaluationReport", as_json: bool) -> None:
    """Print an evaluation: overall, by relation, by type."""
    from kg.embeddings.report import (
        leak_sentence,
        overall_table,
        relation_table,
        type_table,
        verdict,
    )

    if as_json:
        show_json(report.model_dump_json(indent=2))
        return
    for table in (overall_table(report), relation_table(report), type_table(report)):
        if table.rows:
            show(table)
    if report.leak is not None:
        click.echo(leak_sentence(report.leak), err=True)
    if said := verdict(report):
        click.echo(said)
