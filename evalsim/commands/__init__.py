"""The commands that evaluate clinical models against the graph."""

import click

from evalsim.commands.cases import cases_command
from evalsim.commands.consistency import consistency_command
from evalsim.commands.judge import judge_command
from evalsim.commands.layer import layer_command
from evalsim.commands.medkgeval import medkgeval_command
from evalsim.commands.report import report_command
from evalsim.commands.withhold import withhold_command
from kg.commands import group_json_option


@click.group("eval")
@group_json_option
def eval_group() -> None:
    """Evaluate clinical models in conversations, against the graph.

    For example: medkg eval medkgeval --cases .medkg/cases/diagnosis-en.jsonl
    --preset offline --doctor medkg/doctor-differential --out run
    """


for _command in (
    cases_command,
    medkgeval_command,
    judge_command,
    report_command,
    consistency_command,
    layer_command,
    withhold_command,
):
    eval_group.add_command(_command)
