"""The commands that ask."""

import click

from kg.commands import Bars, graph_option, harmless, json_option, show


@click.command("ask")
@click.argument("question", nargs=-1, required=True)
@graph_option
@json_option
def ask_command(question: tuple[str, ...], graph: str | None, as_json: bool) -> None:
    """Answer QUESTION, in English or Chinese, with the facts behind the answer.

    For example: medkg ask "What are the symptoms of gout?"
    """
    import kg
    from kg.linking import Linker
    from qa.ask import ask
    from qa.facts import lay_out

    settings = kg.Settings.read()
    with kg.connect(graph, settings) as store:
        linker = Linker.of_store(store, settings.linking, progress=Bars())
        answer = ask(" ".join(question), store, linker)
    names = " and ".join(f"{subject.name} ({subject.id})" for subject in answer.subjects)
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
