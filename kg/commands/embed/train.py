"""``medkg embed train``."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.commands import Bars, comma_list, graph_option, json_option
from kg.commands.embed.options import assignments, need_libraries

if TYPE_CHECKING:
    from kg.embeddings.checkpoints import Epoch
    from kg.embeddings.experiment import Shares, Source
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
    help="Where the recipe starts from: one that needs no tuning, or the joint-reasoning paper's.",
)
@graph_option
@click.option(
    "--triples",
    type=click.Path(exists=True, path_type=Path),
    help="Instead of a graph, a file of triples, or a folder with train, valid and test.",
)
@click.option("--relations", callback=comma_list, help="Only these: HAS_SYMPTOM,TREATED_BY")
@click.option("--types", callback=comma_list, help="Only things of these: Disease,Drug")
@click.option("--valid", type=click.FloatRange(0, 1), help="Share of the validation triples.")
@click.option("--test", type=click.FloatRange(0, 1), help="Share of the test triples.")
@click.option("--keep-leaks", is_flag=True, help="Leave in what gives test triples away.")
@click.option("--measure-leaks", is_flag=True, help="Train twice more to say what they add.")
@click.option("--seeds", type=click.IntRange(1), default=1, help="Trainings, to tell chance.")
@click.option("--seed", type=click.IntRange(0), default=0, help="The first of them.")
@click.option("--dim", type=click.IntRange(1), help="Numbers a vector.")
@click.option("--epochs", type=click.IntRange(1), help="Passes over the triples at most.")
@click.option("--batch", type=click.IntRange(1), help="Triples, or queries, a step.")
@click.option("--learning-rate", type=float, help="Of the first step.")
@click.option("--negatives", type=click.IntRange(0), help="Drawn a batch; 0: every entity.")
@click.option("--optimizer", type=click.Choice(["adam", "adagrad"]))
@click.option("--schedule", type=click.Choice(["constant", "linear"]))
@click.option("--loss", help="Any loss of PyKEEN.")
@click.option("--label-smoothing", type=float)
@click.option("--dropout", type=float, help="Of queries.")
@click.option("--n3", type=float, help="Weight of the nuclear 3-norm.")
@click.option("--evaluate-every", type=click.IntRange(1), help="Epochs between validations.")
@click.option("--patience", type=click.IntRange(1), help="Validations without a better MRR.")
@click.option(
    "--argument",
    "arguments",
    multiple=True,
    callback=assignments,
    metavar="NAME=VALUE",
    help="Of the model, as PyKEEN names it; may be given often.",
)
@click.option("--hpo", type=click.IntRange(1), metavar="N", help="Search a recipe by N trials.")
@click.option("--device", help="cpu, cuda, cuda:1; without it CUDA where it is there.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the model; without it .medkg/embeddings/ and its name.",
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
    """Train a model of the graph's triples, and measure it on some that it never saw.

    Triples that would give others away are taken out first. A training that was stopped goes on
    when the same command is given again.

    For example: medkg embed train --model conve --relations HAS_SYMPTOM,IS_A
    """
    if triples is not None and (graph or relations or types):
        raise click.UsageError("--triples goes without --graph, --relations and --types")
    need_libraries()
    import kg
    from kg.commands.embed.evaluate import show_report
    from kg.embeddings.experiment import Experiment
    from kg.embeddings.figures import draw
    from kg.embeddings.search import search
    from kg.embeddings.triples import Triples

    bars = Bars()
    shares = _shares(preset, valid, test)
    source, found = _read(triples, graph, relations, types, bars)
    split, leak = _parted(found, shares, keep_leaks)
    recipe = _recipe(model, preset, len(split.entities), changes, arguments)
    folder = out or kg.Settings.read().embeddings / model.lower()
    if hpo:
        tried = folder.with_name(f"{folder.name}.search")
        recipe = search(split, recipe, hpo, seed, tried, device=device, progress=bars)
        _say(f"{tried / 'search.json'}: best is {recipe.model_dump_json(exclude_unset=True)}")
    experiment = Experiment(source, recipe, range(seed, seed + seeds), folder, device, bars, _tell)
    if measure_leaks and isinstance(found, Triples) and leak is not None:
        leak = experiment.measure_leak(found, split, shares, leak.removed)
    _, report = experiment.run(split, leak)
    draw(report, folder / "figures")
    show_report(report, as_json)
    _say(f"{folder}: has the model; ask it with 'medkg embed predict'")


def _shares(preset: str, valid: float | None, test: float | None) -> "Shares":
    from kg.embeddings import presets
    from kg.embeddings.experiment import Shares

    own = presets.PAPER_SPLIT if preset == "paper" else presets.SPLIT
    return Shares(own[0] if valid is None else valid, own[1] if test is None else test)


def _read(
    file: Path | None,
    graph: str | None,
    relations: tuple[str, ...] | None,
    types: tuple[str, ...] | None,
    bars: Bars,
) -> "tuple[Source, Triples | Split]":
    import kg
    from kg.embeddings.experiment import Source
    from kg.embeddings.reading import read_file, read_split, read_store

    if file is not None and file.is_dir():
        given = read_split(file, unseen="keep")
        if given.unseen or given.repeated:
            _say(
                f"{file}: {given.unseen} triples of valid and test have what train has not and "
                f"stay, as in published figures; {given.repeated} repeated ones are left out"
            )
        return Source(file.name), given.split
    if file is not None:
        return Source(file.name), read_file(file)
    with kg.connect(graph) as store:
        stamp = store.stamp()
        found = read_store(store, relations, types, bars)
        told = f"{store.engine} graph" + "".join(
            f", {what} {', '.join(names)}"
            for what, names in (("relations", relations), ("types", types))
            if names
        )
        return Source(told, stamp.checksum if stamp else None), found


def _parted(
    found: "Triples | Split", shares: "Shares", keep_leaks: bool
) -> "tuple[Split, Leak | None]":
    """A split, and what was taken out before; a split that is given stays as it is."""
    from kg.embeddings.leakage import remove_leaks
    from kg.embeddings.report import Leak
    from kg.embeddings.split import split
    from kg.embeddings.triples import Split

    if isinstance(found, Split):
        return found, None
    if keep_leaks:
        return split(found, shares.valid, shares.test, shares.seed), None
    clean, leaks = remove_leaks(found)
    _say(f"Took {leaks.rows} of {len(found)} triples out that would give others away.")
    return split(clean, shares.valid, shares.test, shares.seed), Leak(removed=leaks.rows)


def _recipe(
    model: str, preset: str, entities: int, changes: dict[str, Any], arguments: dict[str, Any]
) -> "Recipe":
    from kg.embeddings import presets

    recipe = presets.paper(model) if preset == "paper" else presets.good(model, entities)
    given = {name: value for name, value in changes.items() if value is not None}
    if given.get("negatives") == 0:
        given["negatives"] = None
    return recipe.changed(given | {"arguments": recipe.arguments | arguments})


def _tell(seed: int, epoch: "Epoch") -> None:
    if epoch.mrr is not None:
        _say(
            f"seed {seed}, epoch {epoch.epoch}: loss {epoch.loss:.4f}, "
            f"validation MRR {epoch.mrr:.4f}, {epoch.seconds:.1f} s"
        )


def _say(text: str) -> None:
    click.echo(text, err=True)
