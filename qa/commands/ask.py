"""``medkg ask``."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from cypher.translation import CHINESE, ENGLISH, language_of, spoken, title, translate
from kg.commands import (
    AnswerForm,
    Bars,
    graph_option,
    harmless,
    json_option,
    lang_option,
    say,
    show,
    show_answer,
    show_json,
    speak,
)
from kg.commands.embed.options import load, model_option
from kg.commands.lines import lines
from kg.commands.options import Command

if TYPE_CHECKING:
    from kg.embeddings.prediction import Predictor
    from kg.linking import Linker
    from kg.stores.store import Rows, Store, Value
    from qa.answer import Answer, Answerer, PartAnswer
    from qa.emergencies import Emergency
    from qa.generation.candidates import Candidate
    from qa.index import Index
    from qa.question import Question
    from qa.selection import Score
    from qa.triples import Completed

_EXTRACTIVE: Final = "extractive"
_SHOWN: Final = 120
"""Characters of a text in a table."""
_END_COLUMNS: Final = ("id", "name", "name_zh")
_NARROWEST: Final = 40
_WIDEST: Final = 100
"""Columns of prose."""


_generator_option = click.option(
    "--generator",
    metavar="NAME|PATH",
    default=_EXTRACTIVE,
    show_default=True,
    help="Who words the answer: 'extractive' quotes whole sentences; eli5, lfqa or another "
    "sequence-to-sequence model on this machine; 'openai:MODEL' at OPENAI_BASE_URL.",
)
_mode_option = click.option(
    "--mode",
    type=click.Choice(["bm25", "vector", "hybrid"]),
    default="bm25",
    show_default=True,
    help="How texts are found: by shared words, by vectors, or by both.",
)
_texts_option = click.option(
    "--texts",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the index of texts.  [default: .medkg/texts]",
)


_selector_option = click.option(
    "--selector",
    type=click.Choice(["weighted", "rouge-l", "rank"]),
    default="weighted",
    show_default=True,
    help="Which of the candidates is said: the one with the highest weighted sum of features, the "
    "one whose words the subgraph has most of (ROUGE-L), or the one whose passage ranks best.",
)


def answer_options(command: Command) -> Command:
    """A decorator of commands that passes ``generator``, ``mode``, ``selector`` and ``texts``."""
    return _generator_option(_mode_option(_selector_option(_texts_option(command))))


@click.command("ask")
@click.argument("question", nargs=-1, required=True)
@click.option(
    "--previous", metavar="QUESTION", help="The question before: what 'it' is in this one."
)
@click.option(
    "--explain",
    is_flag=True,
    help="Show the texts that might have been the answer, with their scores, and the subgraph.",
)
@answer_options
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
    previous: str | None,
    explain: bool,
    generator: str,
    mode: Any,  # noqa: ANN401 - of Mode, which click cannot say
    selector: Any,  # noqa: ANN401 - of Selector, likewise
    texts: Path | None,
    by: str | None,
    limit: int | None,
    folder: Path | None,
    graph: str | None,
    as_json: bool,
) -> None:
    """Answer QUESTION, in English or Chinese, with the facts behind the answer.

    What is said first stands in the index of texts ('medkg qa index'), where there is one: of the
    passages that fit best, the one that the graph supports best. The facts of the graph follow.
    Several questions in one are answered one after the other. Where somebody may be in danger the
    advice to seek help comes in place of an answer.

    With --by, the question becomes <head, relation, ?>, <?, relation, tail> or <head, ?, tail>.

    For example: medkg ask "What are the symptoms and treatments of gout?"
    """
    if limit is not None and by is None:
        raise click.UsageError(translate("--limit goes with --by"))
    if folder is not None and by != "embedding":
        raise click.UsageError(translate("--model-folder goes with --by embedding"))
    answer_settings = (explain, texts, generator, mode, selector)
    if by is not None and answer_settings != (False, None, _EXTRACTIVE, "bm25", "weighted"):
        message = "--explain, --generator, --mode, --selector and --texts go without --by"
        raise click.UsageError(translate(message))
    from qa.emergencies import find_emergency

    text = " ".join(question)
    speak(text)
    if emergency := find_emergency(text):
        _show_advice(text, emergency, as_json)
        return
    import kg
    from kg.linking import Linker
    from qa.assembly import AnswerOptions, assemble
    from qa.questions import read

    settings = kg.Settings.read()
    with kg.connect(graph, settings) as store:
        linker = Linker.of_store(store, settings.linking, progress=Bars())
        previous_question = read(previous, linker) if previous else None
        if by is not None:
            _show_completed(
                read(text, linker, previous_question), store, linker, (by, folder, limit), as_json
            )
            return
        options = AnswerOptions(texts, generator, mode, selector)
        answerer = assemble(store, linker, options, settings, tell)
        answer = answerer.answer(text, previous_question)
        _show_answer(answer, answerer, as_json=as_json, explain=explain)


def tell(text: str) -> None:
    """Say a sentence beside the answers."""
    say(harmless(text), err=True)


def _show_advice(question: str, emergency: "Emergency", as_json: bool) -> None:
    from qa.answer import Answer
    from qa.answer_json import answer_json
    from qa.question import Question

    if as_json:
        emergency_question = Question(
            question,
            CHINESE if language_of(question) == CHINESE else ENGLISH,
            (),
            0.0,
            emergency=emergency,
        )
        show_json(answer_json(Answer(emergency_question, ()), None))
    else:
        say(emergency.advice, bold=True)
        sources = translate("; ").join(emergency.sources)
        say(translate("By the guidance of: {sources}", sources=sources), err=True)


def _show_answer(answer: "Answer", answerer: "Answerer", *, as_json: bool, explain: bool) -> None:
    """Prose, then facts, of each part; what cannot be answered is named.

    Raises:
        QuestionError: no part can be answered.
    """
    from kg.errors import QuestionError
    from qa.answer_json import answer_json, greeting

    problems = [str(part.problem) for part in answer.parts if not (part.prose or part.facts)]
    if problems and len(problems) == len(answer.parts):
        raise QuestionError(translate("; ").join(dict.fromkeys(problems)))
    if as_json:
        show_json(answer_json(answer, answerer.index))
        return
    if answer.question.greeting:
        say(greeting())
        return
    for number, part in enumerate(answer.parts):
        if number:
            click.echo()
        if part.prose or part.facts:
            _show_part(part, answerer, explain=explain)
        else:
            say(harmless(translate("Not answered: {problem}", problem=part.problem)))
    say(f"\n{translate('This is information and no medical advice.')}", err=True)


def _show_part(part: "PartAnswer", answerer: "Answerer", *, explain: bool) -> None:
    from qa.populations import GROUPS
    from qa.subjects import named

    facts = part.facts
    # texts answer what no relation says, and then the part has no reading
    reading = facts.reading if facts else next(iter(part.part.readings), None)
    subjects = (facts or reading or part.part).subjects
    if facts is None and reading is None:  # texts tell of the thing, and maybe of these people
        things = {s.id: s for s in subjects if s.type not in GROUPS}
        subjects = tuple(things.values()) or subjects
    names = named(subjects, answerer.linker)
    heading = _heading(names, title("headings", reading.heading)) if reading else names
    say(harmless(heading or part.part.text), bold=True)
    _show_prose(part, answerer)
    _show_facts(part)
    if explain:
        _show_choice(part, answerer)


def _show_prose(part: "PartAnswer", answerer: "Answerer") -> None:
    """What the graph says in sentences, then what is quoted, and from where."""
    stated_by_graph = [statement for statement in part.prose if statement.edges or statement.named]
    quoted = part.chosen
    if stated_by_graph:
        click.echo()
    for statement in stated_by_graph:
        click.echo(_wrapped(statement.text))
    if part.notes:
        click.echo()
    for note in part.notes:
        say(harmless(note))
    if quoted:
        click.echo(f"\n{_wrapped(quoted.text)}\n")
    if quoted and answerer.index:
        say(harmless(_source(quoted, answerer.index)))
    own_wording = sum(not statement.is_supported for statement in part.prose)
    if own_wording:
        wording = "{count} of {all} sentences are the model's own wording, and are in no text."
        say(translate(wording, count=own_wording, all=len(part.prose)))


def _show_facts(part: "PartAnswer") -> None:
    """The rows of the query that was asked, else the facts that the sentences state."""
    from cypher import load_catalogue
    from qa.ordering import BY_COMMONNESS

    facts = part.facts
    if facts is None and not any(statement.edges for statement in part.prose):
        if part.problem:
            say(harmless(translate("No facts: {problem}", problem=part.problem)))
        return
    say(f"\n{translate('What the graph has on it:')}")
    if facts is None:
        show_answer(_stated_rows(part), AnswerForm())
        return
    if facts.note:
        say(harmless(facts.note))
    is_whole_query = (
        not facts.note and len(facts.subjects) == 1 and BY_COMMONNESS not in facts.order
    )
    order = load_catalogue().find(facts.query).order if is_whole_query else ()
    total = facts.total - facts.less_stated
    show_answer(facts.rows, AnswerForm(cut=True), total, order, map(translate, facts.order))
    if facts.note:
        return
    if facts.left_out:
        say(facts.left_out, err=True)
    command = f"medkg query {facts.query} {_arguments(facts.arguments)}"
    say(translate("Asked by: {command}", command=command), err=True)


def _stated_rows(part: "PartAnswer") -> "Rows":
    """The facts that the sentences of an answer state."""
    from kg.stores.store import Rows

    nodes = {node.id: node for node in part.subgraph.nodes} if part.subgraph else {}
    edges = dict.fromkeys(edge for statement in part.prose for edge in statement.edges)
    ends = [(nodes[edge.head], nodes[edge.tail]) for edge in edges]
    rows = tuple(
        (
            *(head.id, head.name, head.name_zh, edge.relation),
            *(tail.id, tail.name, tail.name_zh, list(edge.sources)),
        )
        for edge, (head, tail) in zip(edges, ends, strict=True)
    )
    head, tail = (tuple(f"{end}_{each}" for each in _END_COLUMNS) for end in ("head", "tail"))
    return Rows((*head, "relation", *tail, "sources"), rows)


def _source(candidate: "Candidate", index: "Index") -> str:
    """Where a text stands: its title and heading, who publishes it, and its address."""
    from kg.tables import SEPARATOR

    document = index.document(candidate.hit.record.metadata["document"])
    heading = document.metadata.get("heading", "")
    subject = heading
    if document.title.casefold() not in heading.casefold():
        subject = ", ".join(filter(None, (document.title, heading)))
    parts_known = (subject, document.source, *document.metadata.get("url", "").split(SEPARATOR))
    return translate("From: {source}", source="; ".join(filter(None, parts_known)))


def _show_choice(part: "PartAnswer", answerer: "Answerer") -> None:
    """The candidates with their scores, and the subgraph that they were compared with."""
    from kg.stores.store import Rows
    from qa.clauses import in_short
    from qa.selection import WEIGHTS
    from qa.subgraph import QUERY

    if part.selection is not None and answerer.index is not None:
        weighted = part.selection.selector == "weighted"
        features = ("weighted", "about", *WEIGHTS._fields) if weighted else ()
        rows = tuple(
            (
                candidate.hit.rank,
                "*" if place == part.selection.chosen else "",
                *_features(score),
                round(score.overlap.f1, 4),
                answerer.index.document(candidate.hit.record.metadata["document"]).title,
                in_short(candidate.text, _SHOWN),
            )
            for place, (candidate, score) in enumerate(
                zip(part.candidates, part.selection.scores, strict=True)
            )
        )
        say(translate("Candidates ({reason}):", reason=translate(part.selection.reason)))
        show(Rows(("rank", "chosen", *features, "rouge_l", "title", "text"), rows))
        if weighted:
            terms = (
                f"{weight:g} × {title('columns', name, name)}"
                for name, weight in WEIGHTS._asdict().items()
                if weight
            )
            say(translate("Weighted sum: {terms}", terms=" + ".join(terms)))
    if part.subgraph is not None:
        wording = "Subgraph: {nodes} nodes, {edges} edges: {text}"
        sizes = {"nodes": len(part.subgraph.nodes), "edges": len(part.subgraph.edges)}
        text = part.subgraph.text(chinese=spoken().code == CHINESE)
        say(harmless(translate(wording, **sizes, text=in_short(text, _SHOWN))))
        if part.subgraph.is_asked_by_query:
            command = f"medkg query {QUERY} {_arguments(part.subgraph.arguments)}"
            say(translate("Asked by: {command}", command=command), err=True)


def _features(score: "Score") -> tuple[float, ...]:
    """The cells of what a candidate was weighed by; none where it was not."""
    if score.described is None:
        return ()
    about, features = score.described
    cells = (score.described.weighted(), about, *features)
    return tuple(round(cell, 4) for cell in cells)


def _wrapped(text: str) -> str:
    """Lines of a text, broken where the terminal ends."""
    width = max(_NARROWEST, min(shutil.get_terminal_size().columns, _WIDEST))
    return "\n".join(line for each in text.splitlines() for line in lines(harmless(each), width))


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
    question: "Question",
    store: "Store",
    linker: "Linker",
    completion_settings: tuple[str, Path | None, int | None],
    as_json: bool,
) -> None:
    """The triples of each part, completed by the graph or by a model.

    Raises:
        QuestionError: a part has no answer.
    """
    from qa.answer_json import greeting
    from qa.triples import LIMIT, answer_by_embedding, answer_by_graph

    by, folder, limit = completion_settings
    if question.greeting:
        if as_json:
            show_json([])
        else:
            say(greeting())
        return
    predictor = _predictor(folder) if by == "embedding" else None
    tables = []
    for part in question.parts:
        answer = (
            answer_by_graph(store, part)
            if predictor is None
            else answer_by_embedding(predictor, part, limit or LIMIT)
        )
        tables.append(_entries(answer, linker, limit or LIMIT, as_json))
    if as_json:
        show_json([row for table in tables for row in table.dicts()])


def _predictor(folder: Path | None) -> "Predictor":
    artifact = load(folder)
    from kg.embeddings.prediction import Predictor

    return Predictor(artifact)


def _entries(answer: "Completed", linker: "Linker", limit: int, as_json: bool) -> "Rows":
    """A row an entity or relation, shown under what was asked unless it is to be JSON.

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
        message = "there are no {heading} of {names} in the graph"
        heading = title("headings", reading.heading)
        raise QuestionError(translate(message, heading=heading, names=names))
    heading = title("headings", reading.heading)
    say(harmless(_heading(names, heading)), err=as_json)
    names_by_id: dict[str, str] = {}
    if not as_json:
        names_by_id = linker.index.spoken_names(entry for entry in answer.entries if entry.type)
        names_by_id |= {e.id: title("relations", e.name) for e in answer.entries if not e.type}
    columns = ("id", "name", "type", "triple", "known", "probability", "subclasses", "sources")
    rows = tuple(
        (
            e.id,
            names_by_id.get(e.id, e.name),
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
    if not as_json:
        show(lay_out(table).rows)
    if len(answer.entries) > limit:
        message_of_more = "{count} in all; --limit shows more"
        say(translate(message_of_more, count=len(answer.entries)), err=True)
    return table
