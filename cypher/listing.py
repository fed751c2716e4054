"""The list of all queries as a page of the documentation, in the language that is spoken."""

from itertools import groupby

from cypher.catalogue import Catalogue, Query
from cypher.header import Parameter
from cypher.translation import title, translate

HEAD = """\
# Queries

Every question that medkg asks of the graph is one of these, a file in `cypher/`.
`medkg query NAME KEY=VALUE …` asks it; `medkg queries NAME` shows its text. A query
runs on both engines unless its name begins with `neo4j_only` or `embedded_only`; one that is
in both folders is one question, and its last name finds the text for the engine. What Cypher
both engines answer alike, and what to write instead of the rest, is in [portable.md](portable.md).

What a model predicts is no fact: `entity.predictions` gives it, and no other query does.

This page is made by `medkg queries --markdown`.
"""


def listing(catalogue: Catalogue) -> str:
    """The page, in Markdown: a table a topic."""
    topics = groupby(catalogue, key=lambda query: query.topic)
    return _head() + "".join(_topic(topic, list(queries)) for topic, queries in topics)


def _head() -> str:
    """Each paragraph is one text, whose lines English keeps."""
    paragraphs = [(text, " ".join(text.split())) for text in HEAD.strip().split("\n\n")]
    translated = [(text, flat, translate(flat)) for text, flat in paragraphs]
    return "\n\n".join(text if new == flat else new for text, flat, new in translated) + "\n"


def _topic(topic: str, queries: list[Query]) -> str:
    rows = "".join(map(_row, queries))
    heads = [
        title("columns", name)
        for name in ("query", "what it answers", "parameters", "columns", "order")
    ]
    head = f"| {' | '.join(heads)} |\n|---|---|---|---|---|\n"
    english = topic.replace("_", " ").capitalize()
    translated = translate(english)
    return f"\n## {topic if translated == english else translated}\n\n{head}{rows}"


def _row(query: Query) -> str:
    parameters = "<br>".join(map(_parameter, query.parameters))
    comma = translate(", ")
    columns = comma.join(_column(column.name) for column in query.columns)
    what = title("queries", query.name, query.title)
    cells = (f"`{query.name}`", what, parameters, columns, comma.join(query.order))
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


def _column(name: str) -> str:
    translated = title("columns", name)
    return name if translated == name else f"{translated} {name}"


def _parameter(parameter: Parameter) -> str:
    default = ""
    if parameter.default is not None:
        default = translate(", {value} if left out", value=parameter.default)
    return translate(
        "`{name}`: {type}{default}. {about}",
        name=parameter.name,
        type=translate(parameter.type),
        default=default,
        about=parameter.described(),
    )
