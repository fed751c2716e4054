"""The commands that ask."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cypher.translation import title, translate
from kg.commands import (
    AnswerForm,
    Bars,
    graph_option,
    harmless,
    json_option,
    lang_option,
    show,
    show_answer,
    speak,
)
from kg.commands.embed.options import load, model_option

if TYPE_CHECKING:
    from kg.embeddings.prediction import Predictor
    from kg.linking import Linker
    from kg.stores.store import Store
    from qa.answering import FormAnswer


@click.command("ask")
@click.argument("question", nargs=-1, required=True)
@click.option(
    "--by",
    type=click.Choice(["graph", "embedding"]),
    help="Answer as a triple with one part missing: by the graph's facts, or by a trained model.",
)
@click.option(
    "--limit", type=click.IntRange(1), help="Maximum number of rows, with --by.  [default: 10]"
)
@model_option
@graph_option
@json_option
@lang_option
def ask_command(
    *,
    question: tuple[str, ...],
    by: str | None,
    limit: int | None,
    folder: Path | None,
    graph: str | None,
    as_json: bool,
) -> None:
    """Answer QUESTION, in English or Chinese, with the facts behind the answer.

    With --by, the question becomes <head, relation, ?>, <?, relation, tail> or <head, ?, tail>.

    For example: medkg ask "What are the symptoms of gout?"
    """
    if limit is not None and by is None:
        raise click.UsageError("--limit goes with --by")
    if folder is not None and by != "embedding":
        raise click.UsageError("--model-folder goes with --by embedding")
    import kg
    from kg.linking import Linker
    from qa.answering import LIMIT, answer_by_embedding, answer_by_graph
    from qa.questions import parse

    settings = kg.Settings.read()
    text = " ".join(question)
    speak(text)
    with kg.connect(graph, settings) as store:
        linker = Linker.of_store(store, settings.linking, progress=Bars())
        if by is None:
            _ask(text, store, linker, as_json)
        else:
            form = parse(text, linker)
            if by == "graph":
                answer = answer_by_graph(store, form)
            else:
                answer = answer_by_embedding(_predictor(folder), form, limit or LIMIT)
            _show_entries(answer, linker, limit or LIMIT, as_json)


def _ask(question: str, store: "Store", linker: "Linker", as_json: bool) -> None:
    from kg.commands.facts import lay_out
    from qa.ask import ask
    from qa.subjects import named

    answer = ask(question, store, linker)
    if as_json:
        show_answer(
            answer.rows,
            AnswerForm(as_json=True),
            answer.total,
            question=question,
            heading=answer.heading,
            entities=[{"id": s.id, "type": s.type, "name": s.name} for s in answer.subjects],
            query=answer.query,
            arguments=answer.arguments,
            references=lay_out(answer.rows).references,
        )
        return
    click.echo(harmless(_heading(named(answer.subjects, linker), answer.heading)))
    show_answer(answer.rows, AnswerForm(), answer.total)
    arguments = " ".join(f"{name}={value}" for name, value in answer.arguments.items())
    command = f"medkg query {answer.query} {arguments}"
    click.echo(translate("Asked by: {command}", command=command), err=True)


def _heading(names: str, heading: str) -> str:
    """What the rows of an answer are, and of what."""
    return translate("{names}: {heading}", names=names, heading=title("headings", heading))


def _predictor(folder: Path | None) -> "Predictor":
    artifact = load(folder)
    from kg.embeddings.prediction import Predictor

    return Predictor(artifact)


def _show_entries(answer: "FormAnswer", linker: "Linker", limit: int, as_json: bool) -> None:
    """What was asked, then a row an entity or relation.

    Raises:
        QuestionError: there is no answer.
    """
    from kg.commands.facts import lay_out
    from kg.errors import QuestionError
    from kg.stores.store import Rows
    from qa.subjects import named

    reading = answer.reading
    names = named(reading.subjects, linker)
    if not answer.entries:
        none = "there are no {heading} of {names} in the graph"
        heading = title("headings", reading.heading)
        raise QuestionError(translate(none, heading=heading, names=names))
    click.echo(harmless(_heading(names, reading.heading)), err=as_json)
    called: dict[str, str] = {}
    if not as_json:
        called = linker.index.spoken_names(entry for entry in answer.entries if entry.type)
        called |= {e.id: title("relations", e.name) for e in answer.entries if not e.type}
    columns = ("id", "name", "type", "triple", "known", "probability", "subclasses", "sources")
    rows = tuple(
        (
            e.id,
            called.get(e.id, e.name),
            e.type,
            str(e.question),
            e.known,
            e.probability,
            e.subclasses,
            list(e.sources),
        )
        for e in answer.entries[:limit]
    )
    table = Rows(columns, rows)
    if as_json:
        show(table, as_json=True)
    else:
        show(lay_out(table).rows)
    if len(answer.entries) > limit:
        more = "{count} in all; --limit shows more"
        click.echo(translate(more, count=len(answer.entries)), err=True)
