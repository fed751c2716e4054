"""The guide for Neo4j Browser: every query, ready to run, with its example values.

Browser shows it with ``:guide http://localhost:PORT/medkg.html`` (it takes
guides from localhost unless the server's configuration forbids it): one
``<slide>`` a topic, each ``<pre class="runnable">`` a statement that a click
puts into the editor. The same statements come as a zip of scripts, one folder
a topic; dropped on Browser's window they become its saved scripts.
"""

import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from html import escape
from itertools import groupby
from typing import Final

from cypher.catalogue import FOLDER, Catalogue, Query, read_query
from cypher.errors import QueryError
from cypher.tokens import tokens
from cypher.translation import CHINESE, spoken, title, translate
from cypher.values import Value

PAGE = "medkg.html"
"""File name of the guide."""

SCRIPTS = "medkg-scripts.zip"
"""File name of the saved scripts."""

STYLE = "medkg.grass"
"""File name of Browser's style sheet: a colour for every node type."""

_SLIDE = '<slide><div style="padding: 0 18px 24px">'
_END = "</div></slide>"
"""Browser leaves no room at the sides of a slide by itself."""

_STATEMENT = (
    '<pre class="runnable" style="margin: 6px 0 18px; padding: 10px 10px 10px 26px !important; '
    'white-space: pre-wrap; word-break: normal; overflow-wrap: break-word">{}</pre>'
)
"""Browser puts a sign to the left of it, and would break lines within words."""

_WHAT_IT_IS = (
    "Medical knowledge from many sources as one graph. Every node is an {entity} with a type "
    "beside it ({types}), an {id}, a {name} and the {sources} that speak of it; so has every "
    "relationship."
)

_TO_KEEP = (
    "To keep all of them, load {file} and drop it on this window: they become saved scripts."
)


def _introduction(address: str) -> str:
    def code(*words: str) -> str:
        return translate(", ").join(f"<code>{word}</code>" for word in words)

    scripts = f"{address}/{SCRIPTS}"
    what_it_is = translate(
        _WHAT_IT_IS,
        entity=code(":Entity"),
        types=code(":Disease", ":Symptom", ":Drug"),
        id=code("id"),
        name=code("name"),
        sources=code("sources"),
    )
    to_keep = translate(_TO_KEEP, file=f'<a href="{scripts}">{scripts}</a>')
    click = translate("Click a statement to put it into the editor, change the ids, and run it.")
    return f"""
{_SLIDE}
<h3>medkg</h3>
<p>{what_it_is}</p>
<p>{click}</p>
<p>{translate("A colour for every type:")}</p>
{_STATEMENT.format(f":style {address}/{STYLE}")}
<p>{to_keep}</p>
{_END}
"""


_OF_A_RUN: Final = "guides.dialogue"
"""A picture of what only a graph with runs has."""


def pictures() -> list[Query]:
    """Queries for Browser only: they return paths, which it draws.

    Those with an example of medkg's own graph come first.

    Raises:
        QueryError: a file is malformed.
    """
    read = [read_query(path) for path in sorted((FOLDER / "guides").glob("*.cypher"))]
    return sorted(read, key=lambda query: query.name == _OF_A_RUN)


def standalone(query: Query) -> str:
    """The statement with its example values written out.

    Raises:
        QueryError: a parameter has neither an example nor a default.
    """
    values = query.examples()
    if missing := [p.name for p in query.parameters if p.name not in values]:
        raise QueryError(f"{query.name}: the parameter {missing[0]} has no example; add 'e.g. …'")
    return "".join(
        _literal(token.name, values) if token.kind == "parameter" else token.text
        for token in tokens(query.text)
    )


def _literal(name: str, values: Mapping[str, Value]) -> str:
    """A value as Cypher writes it, which is as JSON does for what headers allow."""
    return json.dumps(values[name], ensure_ascii=False)


def guide(catalogue: Catalogue, address: str) -> str:
    """The guide as HTML, in the language that is spoken.

    Args:
        catalogue: of the queries.
        address: where the guide and the scripts are served, without a slash at the end.

    Raises:
        QueryError: a query has no example to run.
    """
    slides = [_slide("Pictures", pictures())]
    slides += [_slide(topic, queries) for topic, queries in _topics(catalogue)]
    return f"<title>medkg</title>\n{_introduction(escape(address))}{''.join(slides)}"


def _topics(catalogue: Catalogue) -> list[tuple[str, list[Query]]]:
    queries = (query for query in catalogue if "neo4j" in query.engines)
    return [(topic, list(queries)) for topic, queries in groupby(queries, lambda q: q.topic)]


def _slide(topic: str, queries: Iterable[Query]) -> str:
    shown = (
        f"<p>{escape(title('queries', query.name, query.title))}</p>\n"
        f"{_STATEMENT.format(_breakable(escape(standalone(query))))}\n"
        for query in queries
    )
    heading = escape(translate(topic.replace("_", " ").capitalize()))
    return f"{_SLIDE}\n<h3>{heading}</h3>\n{''.join(shown)}{_END}\n"


def _breakable(statement: str) -> str:
    """A statement whose lines may break between the types of a relationship, and not within one."""
    return statement.replace("|", "|<wbr>")


def style() -> bytes:
    """Browser's style sheet; where Chinese is spoken, the Chinese name stands before the other."""
    sheet = (FOLDER / "guides" / STYLE).read_text(encoding="utf-8")
    if spoken().code == CHINESE:
        sheet = sheet.replace('"{name}"', '"{name_zh} {name}"')
    return sheet.encode()


def scripts(catalogue: Catalogue) -> bytes:
    """The statements as a zip of saved scripts; equal queries give equal bytes in a language.

    Raises:
        QueryError: a query has no example to run.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for topic, queries in [("pictures", pictures()), *_topics(catalogue)]:
            for query in queries:
                stem = query.name.rpartition(".")[2]
                entry = zipfile.ZipInfo(f"medkg {topic}/{stem}.cypher")  # dated 1980
                what = title("queries", query.name, query.title)
                archive.writestr(entry, f"// {what}\n{standalone(query)}\n")
    return buffer.getvalue()
