"""The commands that ask."""

import click

from kg.commands import graph_option, harmless, json_option, show


@click.command("ask")
@click.argument("question", nargs=-1, required=True)
@graph_option
@json_option
def ask_command(question: tuple[str, ...], graph: str | None, as_json: bool) -> None:
    """Answer QUESTION, in English or Chinese, with the facts behind the answer.

    For example: medkg ask "What are the symptoms of gout?"
    """
    import kg
    from qa.ask import ask
    from qa.facts import lay_out

    with kg.connect(graph) as store:
        answer = ask(" ".join(question), store)
    names = " and ".join(f"{m.name} ({m.id})" for m in answer.mentions)
    click.echo(harmless(f"{names}: {answer.says}"), err=as_json)
    if as_json:
        show(answer.rows, as_json=True)
    else:
        facts = lay_out(answer.rows)
        show(facts.rows)
        for number, reference in enumerate(facts.references, 1):
            click.echo(harmless(f"[{number}] {reference}"))
    arguments = " ".join(f"{name}={value}" for name, value in answer.arguments.items())
    click.echo(f"Asked by: medkg query {answer.query} {arguments}", err=True)
