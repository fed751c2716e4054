"""``medkg eval consistency``: asks a patient the same again, and says how alike it answers."""

from pathlib import Path

import click

from cypher.translation import translate
from kg.commands import graph_option, json_option, lang_option, say, show, show_json, speak


@click.command("consistency")
@click.argument(
    "logs", nargs=-1, required=True, metavar="LOG...", type=click.Path(exists=True, path_type=Path)
)
@click.option(
    "--patient",
    metavar="MODEL",
    help="Who is asked.  [default: the patient of the logs, at its endpoint]",
)
@click.option(
    "--roles",
    "roles_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="YAML: model, base_url, key … of the patient, as 'medkg eval medkgeval' takes it.",
)
@click.option("--preset", metavar="NAME", help="As of 'medkg eval medkgeval'.")
@click.option(
    "--times",
    type=click.IntRange(2),
    default=5,
    show_default=True,
    metavar="N",
    help="Calls of each prompt.",
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    metavar="N",
    help="Prompts at most: one of each dialogue, drawn by the seed.",
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
    "--prompts",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Templates in place of medkg's.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@graph_option
@json_option
@lang_option
def consistency_command(
    *,
    logs: tuple[Path, ...],
    patient: str | None,
    roles_file: Path | None,
    preset: str | None,
    times: int,
    limit: int,
    encoder: str,
    prompts: Path | None,
    seed: int,
    graph: str | None,
    as_json: bool,
) -> None:
    """Ask a patient the same again and again, and say how alike it answers (table 9).

    LOG is a log of 'medkg eval medkgeval', or a folder with logs. What the patient was told
    in one turn of each dialogue is its prompt; every call is made anew, with a seed of its own.
    How alike patients speak to different doctors (table 4) is in 'medkg eval report'.

    For example: medkg eval consistency .medkg/eval --times 5 --encoder minilm
    """
    speak()
    from evalsim.commands.requirements import need_extensions

    need_extensions()
    from evalsim.metrics import consistency, find_encoder, published_figures
    from evalsim.report.results import setting_name
    from evalsim.report.tables import limits, plain
    from evalsim.running.asked_again import ask_again
    from evalsim.running.logs import find_logs, read_dialogues
    from evalsim.running.roles import read_cast
    from kg.stores.store import Rows

    encoder_found = find_encoder(encoder)
    player = None
    if patient or roles_file or preset:
        models = {
            "doctor": "medkg/doctor-oracle",
            "director": "medkg/director",
        }  # neither is asked
        models |= {"patient": patient} if patient else {}
        player = read_cast(models, roles_file, preset, judges=("medkg/judge",)).patient
    replies = ask_again(
        read_dialogues(find_logs(logs)),
        times=times,
        player=player,
        prompts=prompts,
        graph=graph,
        limit=limit,
        seed=seed,
    )
    rows = [
        (each, consistency(each.by_prompt, encoder_found.encode, seed=seed)) for each in replies
    ]
    paper = {each.model: each.value for each in published_figures() if each.table == "9"}
    if as_json:
        show_json(
            {
                "encoder": encoder_found.name,
                "times": times,
                "patients": [
                    {
                        "patient": each.patient,
                        **vars(each.setting),
                        "consistency": result.mean._asdict(),
                        "sd": result.sd,
                        "prompts": result.groups,
                        "replies": result.texts,
                        "failed": dict(each.failed),
                    }
                    for each, result in rows
                ],
                "paper": paper,
            }
        )
        return
    columns = ("patient", "setting", "prompts", "replies", "consistency", "interval")
    table = tuple(
        (
            each.patient,
            setting_name(each.setting),
            result.groups,
            result.texts,
            plain(result.mean.mean),
            limits(result.mean),
        )
        for each, result in rows
    )
    show(Rows(columns, table))
    for each, _ in rows:
        for why, count in each.failed.most_common():
            message = "{patient}: {count} calls gave no reply: {why}"
            say(translate(message, patient=each.patient, count=count, why=why), err=True)
    values = translate(", ").join(f"{model} {value:.3f}" for model, value in paper.items())
    message = "Encoder: {encoder}. The paper (table 9), by BGE-M3: {values}."
    if not encoder_found.published:
        message = "Encoder: {encoder}. The paper (table 9), by BGE-M3: {values}; figures by other encoders are not to be compared with these."
    say(translate(message, encoder=encoder_found.name, values=values), err=True)
