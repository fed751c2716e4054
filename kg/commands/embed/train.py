"""``medkg embed train``."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.commands import Bars, comma_list, graph_option, json_option
from kg.commands.embed.options import assignments, need_libraries

if TYPE_CHECKING:
    from kg.embeddings.checkpoints import Epoch
    from kg.embeddings.experiment import Shares, Source
    from kg.embeddings.reading import Unseen
    from kg.embeddings.recipe import Recipe
    from kg.embeddings.report import Leak
    from kg.embeddings.triples import Split, Triples


@click.command("train")
@click.option("--model", default="complex", show_default=True, help="Any model of PyKEEN.")
@click.option(
    "--preset",
    type=click.Choice(["good", "paper"]),
    default="good",
    show_default=True,
    help="The recipe to start from: one that needs no tuning, or the joint-reasoning paper's.",
)
@graph_option
@click.option(
    "--triples",
    type=click.Path(exists=True, path_type=Path),
    help="Instead of a graph, a file of triples, or a folder with train, valid and test.",
)
@click.option("--relations", callback=comma_list, help="Only these, e.g. HAS_SYMPTOM,TREATED_BY")
@click.option("--types", callback=comma_list, help="Only entities of these, e.g. Disease,Drug")
@click.option(
    "--valid",
    type=click.FloatRange(0, 1),
    help="Share of the validation triples.  [default: 0.05]",
)
@click.option(
    "--test",
    type=click.FloatRange(0, 1),
    help="Share of the test triples.  [default: 0.05; with --preset paper 0.1]",
)
@click.option(
    "--unseen",
    type=click.Choice(["keep", "drop", "refuse"]),
    help="Triples of valid and test with entities that train does not have, in a folder.  "
    "[default: keep]",
)
@click.option("--keep-leaks", is_flag=True, help="Leave in the triples that leak others.")
@click.option(
    "--measure-leaks",
    is_flag=True,
    help="Train twice more to measure what they add to the MRR.",
)
@click.option(
    "--seeds",
    type=click.IntRange(1),
    default=1,
    help="Number of trainings, for a confidence interval.",
)
@click.option("--seed", type=click.IntRange(0), default=0, help="Seed of the first training.")
@click.option("--dim", type=click.IntRange(1), help="Length of the vectors.")
@click.option("--epochs", type=click.IntRange(1), help="Epochs at most.")
@click.option(
    "--batch",
    type=click.IntRange(1),
    help="Triples (or, in 1-N scoring, queries) per step.",
)
@click.option("--learning-rate", type=float, help="Of the first step.")
@click.option(
    "--negatives",
    type=click.IntRange(0),
    help="Negative samples per batch; 0: 1-N scoring of every entity.",
)
@click.option("--optimizer", type=click.Choice(["adam", "adagrad"]))
@click.option("--schedule", type=click.Choice(["constant", "linear"]))
@click.option("--loss", help="Any loss of PyKEEN.")
@click.option("--label-smoothing", type=float)
@click.option("--dropout", type=float, help="Share of a query's numbers set to 0 in a step.")
@click.option("--n3", type=float, help="Weight of the nuclear 3-norm.")
@click.option("--evaluate-every", type=click.IntRange(1), help="Epochs between validations.")
@click.option("--patience", type=click.IntRange(1), help="Validations without a better MRR.")
@click.option(
    "--argument",
    "arguments",
    multiple=True,
    callback=assignments,
    metavar="NAME=VALUE",
    help="Argument of the model, as PyKEEN names it; may be repeated.",
)
@click.option("--hpo", type=click.IntRange(1), metavar="N", help="Search for a recipe, N trials.")
@click.option("--device", help="cpu, cuda, cuda:1; without it CUDA if it is available.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the model; without it the model's name in .medkg/embeddings/.",
)
@json_option
def train_command(
    *,
    model: str,
    preset: str,
    graph: str | None,
    triples: Path | None,
    relations: tuple[str, ...] | None,
    types: tuple[str, ...] | None,
    valid: float | None,
    test: float | None,
    unseen: "Unseen | None",
    keep_leaks: bool,
    measure_leaks: bool,
    seeds: int,
    seed: int,
    arguments: dict[str, Any],
    hpo: int | None,
    device: str | None,
    out: Path | None,
    as_json: bool,
    **changes: Any,  # noqa: ANN401 - each is checked by the recipe
) -> None:
    """Train a model of the graph's triples, and evaluate it on test triples.

    Triples that leak others (inverses, duplicates) are removed first. A training that was stopped
    is resumed by the same command.

    For example: medkg embed train --model conve --relations HAS_SYMPTOM,IS_A
    """
    if triples is not None and (graph or relations or types):
        raise click.UsageError("--triples goes without --graph, --relations and --types")
    if keep_leaks and measure_leaks:
        raise click.UsageError("--measure-leaks goes without --keep-leaks")
    is_split = triples is not None and triples.is_dir()
    if is_split and (valid is not None or test is not None or keep_leaks or measure_leaks):
        raise click.UsageError(
            f"{triples} is split already; --valid, --test, --keep-leaks and --measure-leaks are "
            "for a graph or a file of triples"
        )
    if unseen and not is_split:
        raise click.UsageError("--unseen goes with a folder of train, valid and test")
    need_libraries()
    import kg
    from kg.commands.embed.evaluate import show_report
    from kg.embeddings.experiment import Experiment
    from kg.embeddings.figures import draw
    from kg.embeddings.recipe import model_class
    from kg.embeddings.search import search
    from kg.embeddings.triples import Triples
    from kg.stores.disk import writer_lock

    bars = Bars()
    shares = _shares(preset, valid, test)
    folder = out or kg.Settings.read().embeddings / model_class(model).__name__.lower()
    with writer_lock(folder):
        _check_folder(folder)
        source, read = (
            _read_graph(graph, relations, types, bars)
            if triples is None
            else _read_files(triples, unseen or "keep")
        )
        split, leak = _split(read, shares, keep_leaks)
        recipe = _recipe(model, preset, len(split.entities), changes, arguments)
        if hpo:
            trials = folder.with_name(f"{folder.name}.search")
            recipe = search(split, recipe, hpo, seed, trials, device=device, progress=bars)
            best = recipe.model_dump_json(exclude_unset=True)
            click.echo(f"{trials / 'search.json'}: the best recipe is {best}", err=True)
        trainings = range(seed, seed + seeds)
        experiment = Experiment(
            source, recipe, trainings, folder, device, bars, _Notes(bars, recipe.epochs)
        )
        if measure_leaks and isinstance(read, Triples) and leak is not None:
            leak = experiment.measure_leak(read, split, shares, leak)
        _, report = experiment.run(split, leak)
        draw(report, folder / "figures")
    show_report(report, as_json)
    click.echo(f"{folder}: has the model; ask it with 'medkg embed predict'", err=True)


def _shares(preset: str, valid: float | None, test: float | None) -> "Shares":
    from kg.embeddings import recipe as presets
    from kg.embeddings.experiment import Shares

    own = presets.PAPER_SPLIT if preset == "paper" else presets.SPLIT
    return Shares(own[0] if valid is None else valid, own[1] if test is None else test)


def _check_folder(folder: Path) -> None:
    """Check that a model may be written there, before hours are spent on it."""
    from kg.embeddings.artifact import CARD, check_replaceable, read_card

    check_replaceable(folder)
    if (folder / CARD).is_file():
        card = read_card(folder)
        click.echo(
            f"{folder}: the model of {card.data} there will be replaced in the end", err=True
        )


def _read_files(path: Path, unseen: "Unseen") -> "tuple[Source, Triples | Split]":
    """Read a file of triples, or a folder with train, valid and test."""
    from kg.embeddings.experiment import Source
    from kg.embeddings.reading import read_file, read_split

    if not path.is_dir():
        return Source(path.name), read_file(path)
    files = read_split(path, unseen)
    if files.unseen or files.repeated:
        outcome = "are left out" if unseen == "drop" else "stay, as in published figures"
        click.echo(
            f"{path}: {files.unseen} triples of valid and test have entities or relations that "
            f"train does not have, and {outcome}; {files.repeated} repeated ones are left out",
            err=True,
        )
    return Source(path.name), files.split


def _read_graph(
    graph: str | None,
    relations: tuple[str, ...] | None,
    types: tuple[str, ...] | None,
    bars: Bars,
) -> "tuple[Source, Triples]":
    """Read the triples of a graph."""
    import kg
    from kg.embeddings.experiment import Source
    from kg.embeddings.reading import read_store

    with kg.connect(graph) as store:
        stamp = store.stamp()
        triples = read_store(store, relations, types, bars)
    if missing := sorted(set(relations or ()) - set(triples.relations)):
        ends = f" between {' and '.join(types)}" if types else ""
        click.echo(
            f"The graph has no fact of {', '.join(missing)}{ends}; the model is trained without.",
            err=True,
        )
    name = f"{store.engine} graph"
    if relations:
        name += f", relations {', '.join(triples.relations)}"
    if types:
        name += f", types {', '.join(types)}"
    return Source(name, stamp.checksum if stamp else None), triples


def _split(
    read: "Triples | Split", shares: "Shares", keep_leaks: bool
) -> "tuple[Split, Leak | None]":
    """A split, and what was removed before; a split that is given stays as it is."""
    from kg.embeddings.report import Leak
    from kg.embeddings.split import remove_leaks, split_triples
    from kg.embeddings.triples import Split

    if isinstance(read, Split):
        return read, None
    if keep_leaks:
        return split_triples(read, shares.valid, shares.test, shares.seed), None
    clean, leaks = remove_leaks(read)
    click.echo(f"Removed {leaks.rows} of {len(read)} triples, which leak others.", err=True)
    return split_triples(clean, shares.valid, shares.test, shares.seed), Leak(
        removed=leaks.rows, how=leaks.summary
    )


def _recipe(
    model: str, preset: str, entities: int, changes: dict[str, Any], arguments: dict[str, Any]
) -> "Recipe":
    from kg.embeddings import recipe as presets

    recipe = presets.paper(model) if preset == "paper" else presets.good(model, entities)
    chosen = {name: value for name, value in changes.items() if value is not None}
    if chosen.get("negatives") == 0:
        chosen["negatives"] = None
    return recipe.changed(chosen | {"arguments": recipe.arguments | arguments})


class _Notes:
    """Says beside the bar of a training how far it is, and the best that it reached."""

    def __init__(self, bars: Bars, epochs: int) -> None:
        self._bars, self._epochs = bars, epochs
        self._best: dict[int, float] = {}

    def __call__(self, seed: int, epoch: "Epoch") -> None:
        note = f"epoch {epoch.epoch} of {self._epochs}, loss {epoch.loss:.4f}"
        if epoch.mrr is not None:
            self._best[seed] = max(epoch.mrr, self._best.get(seed, 0.0))
        if seed in self._best:
            note += f", best validation MRR {self._best[seed]:.4f}"
        self._bars.note(note)
