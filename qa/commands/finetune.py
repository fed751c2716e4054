"""The commands that teach the retriever: ``medkg qa pairs``, ``finetune`` and ``sts``."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cypher.translation import translate
from kg.commands import Bars, json_option, lang_option, show, show_json
from qa.commands.index import folder_option

if TYPE_CHECKING:
    from qa.finetuning.artifact import Card
    from qa.finetuning.training import Epoch

DEVICE = click.option("--device", help="Of PyTorch, such as cpu or cuda:0.  [default: a GPU]")


@click.command("pairs")
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--generator",
    help="A T5 that writes queries, by name or path (GenQ).  [default: templates, a stand-in]",
)
@click.option(
    "--each", type=click.IntRange(1), default=5, show_default=True, help="Questions of a passage."
)
@click.option("--limit", type=click.IntRange(1), help="Passages at most, drawn by the seed.")
@click.option("--seed", type=int, default=0, show_default=True)
@DEVICE
@folder_option
@json_option
@lang_option
def pairs_command(
    *,
    out: Path,
    generator: str | None,
    each: int,
    limit: int | None,
    seed: int,
    device: str | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Write OUT (.parquet): questions, each with a passage that answers it.

    The passages are those of the index of texts. A query generator writes the questions (GenQ);
    without one, templates make them from the name of the disease and what the section is about.

    For example: medkg qa pairs pairs.parquet
    """
    if out.suffix != ".parquet":
        raise click.UsageError("OUT is a Parquet file; give a name that ends in .parquet")
    import kg
    from qa.finetuning.making import Making, make_pairs
    from qa.index.index import Index

    index = Index.open(folder or kg.Settings.read().texts)
    making = Making(each=each, limit=limit, seed=seed, generator=generator, device=device)
    counts_made = make_pairs(index.documents(), making, out, index.manifest.checksum, Bars())
    counts = [{"origin": origin, "pairs": count} for origin, count in counts_made.origins.items()]
    if as_json:
        show_json({"file": str(out), **counts_made.model_dump()})
        return
    _show(counts)
    summary = "{out}: {pairs} pairs on {passages} passages about {diseases} diseases"
    counted = {
        name: f"{getattr(counts_made, name):,}" for name in ("pairs", "passages", "diseases")
    }
    click.echo(translate(summary, out=out, **counted), err=True)
    if counts_made.unasked:
        unasked = "sections without a question, for no template fits them: {count}"
        click.echo(translate(unasked, count=f"{counts_made.unasked:,}"), err=True)


@click.command("finetune")
@click.argument("pairs", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The folder to write the encoder into.",
)
@click.option(
    "--base",
    default="minilm",
    show_default=True,
    help="The encoder to train: minilm, mpnet (the paper's), another name, or a path.",
)
@click.option("--epochs", type=click.IntRange(1), default=5, show_default=True)
@click.option(
    "--batch",
    type=click.IntRange(2),
    default=32,
    show_default=True,
    help="Pairs in a step, each other's negatives.",
)
@click.option(
    "--learning-rate",
    type=click.FloatRange(0, min_open=True),
    default=2e-5,
    show_default=True,
    help="After warm-up; it then falls to 0.",
)
@click.option("--max-tokens", type=click.IntRange(1), help="Longer texts are cut there.")
@click.option(
    "--precision",
    type=click.Choice(["float32", "bfloat16"]),
    default="float32",
    show_default=True,
    help="Of the matrix products.",
)
@click.option(
    "--test",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.1,
    show_default=True,
    help="Share of the diseases that are asked about and not trained on.",
)
@click.option("--seed", type=int, default=0, show_default=True)
@DEVICE
@json_option
@lang_option
def finetune_command(
    *,
    pairs: Path,
    out: Path,
    base: str,
    test: float,
    device: str | None,
    as_json: bool,
    **recipe: Any,  # noqa: ANN401 - the fields of Recipe
) -> None:
    """Train an encoder of sentences on PAIRS, so that questions find their passages.

    PAIRS is a file of 'medkg qa pairs', or JSON lines with question, passage and disease. A
    training that was stopped goes on when it is called again.

    For example: medkg qa finetune pairs.parquet --out encoder
    """
    from qa.index.models import SentenceModel

    SentenceModel.find(base)  # a model that is not there is told before PyTorch is imported
    from qa.finetuning.finetune import FinetuneConfig, finetune
    from qa.finetuning.training import Recipe

    bars = Bars()
    config = FinetuneConfig(
        base=base, pairs=pairs, out=out, recipe=Recipe(**recipe), test=test, device=device
    )

    def note(epoch: "Epoch") -> None:
        bars.note(f"epoch {epoch.epoch} of {config.recipe.epochs}, loss {epoch.loss:.4f}")

    card = finetune(config, bars, note)
    if as_json:
        show_json(card.model_dump(mode="json"))
        return
    _show(_figures_of(card))
    message = (
        "{out}: has the encoder and its card; 'medkg qa index --update --model {out}' uses it"
    )
    click.echo(translate(message, out=out), err=True)


@click.command("sts")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--model",
    "models",
    multiple=True,
    default=("minilm",),
    show_default=True,
    help="An encoder by name or path; repeat it to compare several.",
)
@DEVICE
@json_option
@lang_option
def sts_command(*, file: Path, models: tuple[str, ...], device: str | None, as_json: bool) -> None:
    """Correlate encoders with people's judgement of how alike two sentences are.

    FILE has sentence1, sentence2 and label (or score): .csv, .tsv, .jsonl or .parquet, such as
    the STS Benchmark, with which the joint-reasoning paper compares encoders (appendix F2).

    For example: medkg qa sts stsb.tsv --model minilm --model encoder
    """
    from qa.finetuning.sts import agreement, read_judged
    from qa.index.models import SentenceModel

    encoders = [SentenceModel.find(model, device) for model in models]
    judged = read_judged(file)
    rows = [
        {"model": model.name, **agreement(model.encoder, judged).model_dump()}
        for model in encoders
    ]
    if as_json:
        show_json(rows)
    else:
        _show(rows)


def _figures_of(card: "Card") -> list[dict[str, object]]:
    return [
        {
            "system": system,
            "questions": each.questions,
            **{f"recall_{k}": each.recall[k] for k in each.recall},
            "mrr": each.mrr,
        }
        for system, each in card.figures.items()
    ]


def _show(rows: list[dict[str, Any]]) -> None:
    """A table, or nothing where there are no rows."""
    from kg.stores.store import Rows

    if rows:
        show(Rows(tuple(rows[0]), tuple(tuple(row.values()) for row in rows)))
