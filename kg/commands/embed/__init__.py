"""``medkg embed``: models of the graph's triples, and the facts that they predict."""

import click

from kg.commands import group_json_option
from kg.commands.embed.ask import complete_command, predict_command
from kg.commands.embed.evaluate import evaluate_command
from kg.commands.embed.train import train_command
from kg.commands.embed.write import write_command

__all__ = ["embed_group"]


@click.group("embed")
@group_json_option
def embed_group() -> None:
    """Train models of the graph's triples, evaluate them, and predict missing facts.

    For example: medkg embed train --model complex --seeds 3
    """


for _command in (
    train_command,
    evaluate_command,
    predict_command,
    complete_command,
    write_command,
):
    embed_group.add_command(_command)
