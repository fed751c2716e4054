"""The commands that ask."""

from collections.abc import Mapping
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
    show_json,
    speak,
)
from kg.commands.embed.options import load, model_option

if TYPE_CHECKING:
    from kg.embeddings.prediction import Predictor
    from kg.linking import Linker
    from kg.stores.store import Store, Value
    from qa.emergencies import Emergency
    from qa.facts import Facts
    from qa.questions import Question
    from qa.triples import Completed


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
@click.option(
    "--previous", metavar="QUESTION", help="The question before: what 'it' is in this one."
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
    previous: str | None,
    folder: Path | None,
    graph: str | None,
    as_json: bool,
) -> None:
    """Answer QUESTION, in English or Chinese, with the facts behind the answer.

    Several questions in one are answered one after the other. Where somebody may be in danger the
    advice to seek help comes in place of an answer.

    With --by, the question becomes <head, relation, ?>, <?, relation, tail> or <head, ?, tail>.

    For example: medkg ask "What are the symptoms and treatments of gout?"
    """
    if limit is not None and by is None:
        raise click.UsageError("--limit goes with --by")
    if folder is not None and by != "embedding":
        raise click.UsageError("--model-folder goes with --by embedding")
    from qa.emergencies import find_emergency

    text = " ".join(question)
    speak(text)
    if emergency := find_emergency(text):
        _show_advice(text, emergency, as_json)
        return
    import kg
    from kg.linking import Linker
    from qa.questions import read

    settings = kg.Settings.read()
    with kg.connect(graph, settings) as store:
        linker = Linker.of_store(store, settings.linking, progress=Bars())
        before = read(previous, linker) if previous else None
        asked = read(text, linker, before)
        if asked.greeting:
            _show_greeting(text, as_json)
        elif by is None:
            _show_facts(asked, store, linker, as_json)
        else:
            _show_completed(asked, store, linker, (by, folder, limit), as_json)


def _show_advice(question: str, emergency: "Emergency", as_json: bool) -> None:
    from dataclasses import asdict

    if as_json:
        told = {**asdict(emergency), "advice": emergency.advice}
        show_json({"question": question, "emergency": told, "parts": []})
    else:
        click.secho(emergency.advice, bold=True)
        sources = translate("; ").join(emergency.sources)
        click.echo(translate("By the guidance of: {sources}", sources=sources), err=True)


def _show_greeting(question: str, as_json: bool) -> None:
    hello = translate(
        "Ask about a disease, a symptom, a drug or a gene: 'What are the symptoms of gout?', 'How "
        "is asthma treated?', 'Is aspirin contraindicated in asthma?'."
    )
    if as_json:
        show_json({"question": question, "emergency": None, "greeting": hello, "parts": []})
    else:
        click.echo(hello)


def _show_facts(asked: "Question", store: "Store", linker: "Linker", as_json: bool) -> None:
    """The facts of each part; what cannot be answered is named.

    Raises:
        QuestionError: no part can be answered.
    """
    from kg.errors import QuestionError
    from qa.facts import Facts, facts_of
    from qa.subjects import named

    answers: list[Facts | QuestionError] = []
    for part in asked.parts:
        try:
            answers.append(facts_of(store, part, linker))
        except QuestionError as e:
            answers.append(e)
    problems = [str(answer) for answer in answers if isinstance(answer, QuestionError)]
    if len(problems) == len(answers):
        raise QuestionError(translate("; ").join(dict.fromkeys(problems)))
    if as_json:
        parts = [
            {"problem": str(answer)} if isinstance(answer, QuestionError) else _json_of(answer)
            for answer in answers
        ]
        told = {"question": asked.text, "language": asked.language, "category": asked.category}
        show_json({**told, "fit": round(asked.fit, 3), "emergency": None, "parts": parts})
        return
    for at, answer in enumerate(answers):
        if at:
            click.echo()
        if isinstance(answer, QuestionError):
            click.echo(translate("Not answered: {problem}", problem=str(answer)))
            continue
        heading = title("headings", answer.reading.heading)
        click.echo(harmless(_heading(named(answer.subjects, linker), heading)))
        if answer.note:
            click.echo(harmless(answer.note))
        show_answer(answer.rows, AnswerForm(), answer.total)
        command = f"medkg query {answer.query} {_arguments(answer.arguments)}"
        click.echo(translate("Asked by: {command}", command=command), err=True)


def _json_of(answer: "Facts") -> dict[str, object]:
    from kg.commands.facts import lay_out

    return {
        "part": answer.part.text,
        "heading": answer.reading.heading,
        "entities": [{"id": s.id, "type": s.type, "name": s.name} for s in answer.subjects],
        "query": answer.query,
        "arguments": answer.arguments,
        "note": answer.note,
        "references": lay_out(answer.rows).references,
        "columns": answer.rows.columns,
        "rows": answer.rows.dicts(),
        "truncated": len(answer.rows) < answer.total,
        "total": answer.total,
    }


def _arguments(arguments: "Mapping[str, Value]") -> str:
    """Of a query, as ``medkg query`` takes them."""
    return " ".join(
        f"{name}={','.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in arguments.items()
    )


def _heading(names: str, heading: str) -> str:
    """What the rows of an answer are, and of what."""
    return translate("{names}: {heading}", names=names, heading=heading)


def _show_completed(
    asked: "Question",
    store: "Store",
    linker: "Linker",
    way: tuple[str, Path | None, int | None],
    as_json: bool,
) -> None:
    """The triples of each part, completed by the graph or by a model.

    Raises:
        QuestionError: a part has no answer.
    """
    from qa.triples import LIMIT, answer_by_embedding, answer_by_graph

    by, folder, limit = way
    predictor = _predictor(folder) if by == "embedding" else None
    for part in asked.parts:
        answer = (
            answer_by_graph(store, part)
            if predictor is None
            else answer_by_embedding(predictor, part, limit or LIMIT)
        )
        _show_entries(answer, linker, limit or LIMIT, as_json)


def _predictor(folder: Path | None) -> "Predictor":
    artifact = load(folder)
    from kg.embeddings.prediction import Predictor

    return Predictor(artifact)


def _show_entries(answer: "Completed", linker: "Linker", limit: int, as_json: bool) -> None:
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
    heading = title("headings", reading.heading)
    click.echo(harmless(_heading(names, heading)), err=as_json)
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
            str(e.triple),
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
