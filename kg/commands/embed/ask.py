"""``medkg embed predict`` and ``complete``: facts that the graph lacks, as a model predicts them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.commands import Bars, CsvForm, csv_option, json_option, show
from kg.commands.embed.options import load, model_option

if TYPE_CHECKING:
    from kg.embeddings.prediction import Predictor


@click.command("predict")
@click.option("--head", help="Id or name of an entity.")
@click.option("--relation", help="Name of a relation, e.g. HAS_SYMPTOM.")
@click.option("--tail", help="Id or name of an entity.")
@click.option("--limit", type=click.IntRange(1), default=10, show_default=True)
@click.option(
    "--any-type",
    is_flag=True,
    help="Also answers of a type that no training triple of the relation has at that end.",
)
@model_option
@json_option
@csv_option
def predict_command(
    *,
    head: str | None,
    relation: str | None,
    tail: str | None,
    limit: int,
    any_type: bool,
    folder: Path | None,
    as_json: bool,
    as_csv: CsvForm | None,
) -> None:
    """Answer <head, relation, ?>, <?, relation, tail> or <head, ?, tail>: give two of the three.

    Answers are ranked by the model's own score. Those that the graph has already are marked as
    known. For the others the probability is how often such a candidate would be a fact, were as
    large a share of the graph's facts unknown as the validation part is. An answer of a type that
    no training triple has at that end of the relation has no probability.

    For example: medkg embed predict --head gout --relation HAS_SYMPTOM
    """
    if sum(argument is not None for argument in (head, relation, tail)) != 2:  # noqa: PLR2004
        raise click.UsageError("give two of --head, --relation and --tail")
    artifact = load(folder)
    import kg
    from kg.embeddings.prediction import Predictor

    predictor = Predictor(artifact)
    if tail is None:
        answers = predictor.tails(str(head), str(relation), limit, any_type)
    elif head is None:
        answers = predictor.heads(str(relation), tail, limit, any_type)
    else:
        answers = predictor.relations(head, tail, limit, any_type)
    _warn_of_unseen_type(predictor, head, relation, tail)
    columns = ("rank", "id", "name", "type", "score", "probability", "known")
    rows = tuple(
        (
            answer.rank,
            answer.id,
            answer.name,
            answer.type,
            round(answer.score, 4),
            None if answer.probability is None else round(answer.probability, 4),
            answer.known,
        )
        for answer in answers
    )
    show(kg.Rows(columns, rows), as_json, as_csv)


@click.command("complete")
@click.option("--relation", required=True, help="Name of a relation, e.g. HAS_SYMPTOM.")
@click.option(
    "--min-score",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Least probability of a proposed edge: how often such an edge would be a fact, were as "
    "large a share of the graph's facts unknown as the validation part is.",
)
@click.option("--limit", type=click.IntRange(1), default=100, show_default=True, help="Rows.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the table to a CSV file, to be reviewed and given to 'medkg embed write'.",
)
@model_option
@json_option
@csv_option
def complete_command(
    *,
    relation: str,
    min_score: float,
    limit: int,
    out: Path | None,
    folder: Path | None,
    as_json: bool,
    as_csv: CsvForm | None,
) -> None:
    """Propose edges of a relation that no source states; nothing is written to the graph.

    Each row has an empty column 'accept', in which reviewers of the table write yes or no.
    """
    artifact = load(folder)
    import kg
    from kg.embeddings.completion import missing
    from kg.embeddings.proposals import COLUMNS, cells, check_replaceable, write_proposals

    if out is not None:
        check_replaceable(out)
    proposed = missing(artifact, relation, min_score, limit, Bars())
    model = artifact.card.name
    if out is not None:
        write_proposals(proposed, out, model=model)
        click.echo(f"{out}: {len(proposed)} proposed edges", err=True)
    else:
        rows = tuple(cells(one, model) for one in proposed)
        show(kg.Rows(COLUMNS, rows), as_json, as_csv)


def _warn_of_unseen_type(
    predictor: "Predictor", head: str | None, relation: str | None, tail: str | None
) -> None:
    """Warn if no training triple has the type of the entity asked about at its end."""
    entity = head or tail
    if relation is None or entity is None:
        return
    end = "head" if head is not None else "tail"
    if type_ := predictor.unseen_type(entity, relation, head=end == "head"):
        click.echo(
            f"{entity} is of type {type_}, of which none is a {end} of {relation} in training: "
            "the answers have no probability",
            err=True,
        )
