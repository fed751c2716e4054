"""The list of all queries as a page of the documentation."""

from itertools import groupby

from cypher.catalogue import Catalogue, Query
from cypher.header import Parameter

_HEAD = """\
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
    return _HEAD + "".join(_topic(topic, list(queries)) for topic, queries in topics)


def _topic(topic: str, queries: list[Query]) -> str:
    rows = "".join(map(_row, queries))
    head = "| query | what it answers | parameters | columns | order |\n|---|---|---|---|---|\n"
    return f"\n## {topic}\n\n{head}{rows}"


def _row(query: Query) -> str:
    parameters = "<br>".join(map(_parameter, query.parameters))
    columns = ", ".join(column.name for column in query.columns)
    cells = (f"`{query.name}`", query.title, parameters, columns, ", ".join(query.order))
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n"


def _parameter(parameter: Parameter) -> str:
    default = "" if parameter.default is None else f", {parameter.default} if left out"
    return f"`{parameter.name}`: {parameter.type}{default}. {parameter.about}"
