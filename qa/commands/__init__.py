"""The commands that ask, and those that prepare and measure answers."""

import click

from kg.commands import group_json_option
from qa.commands.evaluate import evaluate_command
from qa.commands.finetune import finetune_command, pairs_command, sts_command
from qa.commands.index import index_command, search_command
from qa.commands.serve import serve_command


@click.group("qa")
@group_json_option
def qa_group() -> None:
    """Prepare what questions are answered from, and measure the answers.

    For example: medkg qa index --medquad MedQuAD-master
    """


for _command in (
    index_command,
    search_command,
    evaluate_command,
    pairs_command,
    finetune_command,
    sts_command,
    serve_command,
):
    qa_group.add_command(_command)
