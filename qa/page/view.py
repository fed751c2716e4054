"""What the page shows of an answer, laid out for its templates.

Everything is in the language that is spoken. The templates escape all of it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Final, NamedTuple

from cypher.translation import title, translate
from kg.commands.facts import lay_out
from kg.stores.store import Rows, Value
from qa.answer import Answer, Answerer, PartAnswer, Statement
from qa.corpus import Document
from qa.index import Index
from qa.page.drawing import Drawing, Shown, draw, shown
from qa.page.thing import (
    Piece,
    name_of,
    relation_in_words,
    thing_link,
    type_in_words,
    type_of,
)
from qa.subgraph import QUERY, Edge, Node
from qa.subjects import named

_AROUND: Final = 240
"""Characters of a text before and behind what is quoted."""
_ROWS: Final = 12
"""Rows of a table that are not folded."""
_URL: Final = re.compile(r"https?://[^\s<>\"|;,]+[^\s<>\"|;,.)]")
_PUBMED: Final = re.compile(r"\b(PMID:\s?(\d+))\b")


class Said(NamedTuple):
    """A sentence of an answer."""

    text: str
    links: tuple[tuple[int, str], ...]
    """Number and place of each passage or edge that it rests on."""
    starts_line: bool = False
    """Whether its text has a line end before it."""
    notes: tuple[str, ...] = ()
    """What is to be said before it; then it begins a paragraph."""


@dataclass(frozen=True)
class Quoted:
    """The text that an answer quotes."""

    title: str
    heading: str
    source: str
    licence: str
    url: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Table:
    """Facts as a table."""

    columns: tuple[str, ...]
    rows: tuple[tuple[tuple[Piece, ...], ...], ...]
    references: tuple[tuple[Piece, ...], ...]
    total: int

    @property
    def first(self) -> Sequence[tuple[tuple[Piece, ...], ...]]:
        """The rows that are seen at once."""
        return self.rows[:_ROWS]

    @property
    def rest(self) -> Sequence[tuple[tuple[Piece, ...], ...]]:
        """The rows that are folded."""
        return self.rows[_ROWS:]


class ListedEdge(NamedTuple):
    """An edge in words."""

    place: str
    head: Piece
    relation: str
    tail: Piece
    sources: str


@dataclass(frozen=True)
class Connected:
    """The subgraph of an answer."""

    wide: Drawing
    narrow: Drawing
    edges: tuple[ListedEdge, ...]
    of: Shown
    command: str


class Offered(NamedTuple):
    """A candidate for the prose."""

    chosen: bool
    score: float
    """The weighted sum; of another selector ROUGE-L F1 with the subgraph-text."""
    rank: int
    title: str
    source: str
    text: str


@dataclass(frozen=True)
class PartView:
    """The answer to a part of a question."""

    number: int
    heading: str
    subjects: tuple[Piece, ...]
    notes: tuple[str, ...]
    problem: str
    prose: tuple[Said, ...]
    quoted: Quoted | None
    table: Table | None
    connected: Connected | None
    candidates: tuple[Offered, ...]
    selector: str
    """Empty where there are no candidates."""
    reason: str
    command: str


def parts_of(answer: Answer, by: Answerer) -> list[PartView]:
    """The parts of an answer.

    Raises:
        RetrievalError: a text that it quotes is not in the index.
    """
    return [_part(number, part, by) for number, part in enumerate(answer.parts, 1)]


def _part(number: int, part: PartAnswer, by: Answerer) -> PartView:
    facts, readings = part.facts, part.part.readings
    reading = facts.reading if facts else readings[0] if readings else None
    subjects = facts.subjects if facts else part.part.subjects
    heading = part.part.text
    if reading and subjects:
        wording = "{names}: {heading}"
        names = named(subjects, by.linker)
        heading = translate(wording, names=names, heading=title("headings", reading.heading))
    connected = _connected(number, part)
    places = {edge.place: at for at, edge in enumerate(connected.edges, 1)} if connected else {}
    by_edge = dict(zip(connected.of.edges, places, strict=True)) if connected else {}
    called = by.linker.index.spoken_names(part.part.subjects)
    lines = _line_starts(part, by.index)
    quoted = next((at for at, each in enumerate(part.prose, 1) if not each.edges), 0)
    return PartView(
        number,
        heading,
        tuple(
            thing_link(
                s.id, translate("{name} ({type})", name=called[s.id], type=type_in_words(s.type))
            )
            for s in part.part.subjects
        ),
        tuple(filter(None, (facts.note if facts else "", *(() if quoted else part.notes)))),
        str(part.problem or ""),
        tuple(
            _statement(number, at, each, by_edge, places)._replace(
                starts_line=at in lines, notes=part.notes if at == quoted else ()
            )
            for at, each in enumerate(part.prose, 1)
        ),
        _quoted(number, part, by.index),
        _table(number, facts.rows, facts.total) if facts else None,
        connected,
        _candidates(part),
        part.selection.selector if part.selection else "",
        translate(part.selection.reason) if part.selection else "",
        _command(facts.query, facts.arguments) if facts else "",
    )


def _statement(
    number: int,
    at: int,
    statement: Statement,
    by_edge: Mapping[Edge, str],
    places: Mapping[str, int],
) -> Said:
    if statement.edges:
        cited = dict.fromkeys(by_edge[edge] for edge in statement.edges if edge in by_edge)
        return Said(statement.text, tuple((places[place], place) for place in cited))
    is_quoted = statement.passage is not None and statement.passage.document is not None
    return Said(statement.text, ((at, _sentence(number, at)),) if is_quoted else ())


def _line_starts(part: PartAnswer, index: Index | None) -> set[int]:
    """Numbers of the sentences before which the text that they are from has a line end."""
    numbers = set()
    for at, (previous, following) in enumerate(pairwise(each.passage for each in part.prose), 2):
        if (
            previous
            and following
            and index
            and previous.document is not None
            and previous.document == following.document
        ):
            between = index.document(previous.document).text[previous.end : following.start]
            if "\n" in between:
                numbers.add(at)
    return numbers


def _sentence(part: int, nth: int) -> str:
    """The id of a quoted sentence."""
    return f"part-{part}-sentence-{nth}"


def _quoted(number: int, part: PartAnswer, index: Index | None) -> Quoted | None:
    """The text that the prose is from, its sentences marked."""
    spans = [
        (sentence.start, sentence.end, at, sentence.document)
        for at, statement in enumerate(part.prose, 1)
        if (sentence := statement.passage) is not None and sentence.document is not None
    ]
    if not spans or index is None:
        return None
    of = index.document(spans[0][3])
    spans = sorted(span for span in spans if span[3] == of.id)
    at, end = max(0, spans[0][0] - _AROUND), min(len(of.text), spans[-1][1] + _AROUND)
    pieces = [Piece("…")] if at else []
    for start, stop, nth, _ in spans:
        mark = _sentence(number, nth)
        pieces += [Piece(of.text[at:start]), Piece(of.text[start:stop], mark=mark)]
        at = stop
    pieces.append(Piece(of.text[at:end] + ("…" if end < len(of.text) else "")))
    return Quoted(
        of.title,
        of.metadata.get("heading", ""),
        of.source,
        of.metadata.get("licence", ""),
        _url_of(of),
        tuple(piece for piece in pieces if piece.text),
    )


def _url_of(document: Document) -> str:
    """Its address, if it is one of the web."""
    match = _URL.match(document.metadata.get("url", ""))
    return match[0] if match else ""


def _candidates(part: PartAnswer) -> tuple[Offered, ...]:
    if part.selection is None:
        return ()
    return tuple(
        Offered(
            at == part.selection.chosen,
            score.described.weighted() if score.described else score.overlap.f1,
            candidate.hit.rank,
            candidate.hit.record.metadata.get("title", ""),
            candidate.hit.record.metadata.get("source", ""),
            candidate.text,
        )
        for at, (candidate, score) in enumerate(
            zip(part.candidates, part.selection.scores, strict=True)
        )
    )


def _connected(number: int, part: PartAnswer) -> Connected | None:
    """The subgraph, if it has an edge."""
    of = part.subgraph
    if of is None or not of.edges:
        return None
    subjects = (part.facts or part.part).subjects
    things = list(dict.fromkeys(subject.id for subject in subjects))
    seen = shown(of, things, chain.from_iterable(statement.edges for statement in part.prose))
    called = _called(seen.nodes)
    titles = {edge.relation: relation_in_words(edge.relation) for edge in seen.edges}
    edges = tuple(
        ListedEdge(
            f"part-{number}-edge-{at}",
            thing_link(edge.head, called[edge.head]),
            titles[edge.relation],
            thing_link(edge.tail, called[edge.tail]),
            translate(", ").join(edge.sources),
        )
        for at, edge in enumerate(seen.edges, 1)
    )
    return Connected(
        draw(seen, things, called, titles),
        draw(seen, things, called, titles, narrow=True),
        edges,
        seen,
        _command(QUERY, of.arguments),
    )


def _called(nodes: Sequence[Node]) -> dict[str, str]:
    """What nodes are called; those of one name with their types."""
    names = {node.id: name_of(node) for node in nodes}
    count = Counter(name.casefold() for name in names.values())
    return {
        node.id: translate("{name} ({type})", name=names[node.id], type=type_of(node))
        if count[names[node.id].casefold()] > 1
        else names[node.id]
        for node in nodes
    }


def _command(query: str, arguments: Mapping[str, Value]) -> str:
    """The command line that asks again."""
    words = " ".join(
        f"{name}={','.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in arguments.items()
    )
    return f"medkg query {query} {words}"


def _table(number: int, rows: Rows, total: int) -> Table:
    """Rows with names in one language, each leading to its thing, and numbered references."""
    laid = lay_out(rows)
    ids = {name.removesuffix("_id"): name for name in rows.columns if name.endswith("_id")}
    columns: dict[str, str] = {}
    for name in laid.rows.columns:
        of = re.sub(r"_(id|name|name_zh)$", "", name)
        if of == name or of not in ids:
            columns[name] = name
        elif name.rpartition("_")[2] != "id":
            columns.setdefault(of, name)
    titles = tuple(title("columns", name, of.replace("_", " ")) for of, name in columns.items())
    cells = tuple(
        tuple(_cells(number, of, name, {**facts, **shown_}, ids) for of, name in columns.items())
        for facts, shown_ in zip(rows.dicts(), laid.rows.dicts(), strict=True)
    )
    references = tuple(tuple(_linked(text)) for text in laid.references)
    return Table(titles, cells, references, total)


def _cells(
    number: int, of: str, name: str, row: Mapping[str, Value], ids: Mapping[str, str]
) -> tuple[Piece, ...]:
    if of in ids and of != name:
        called = row[name] or row.get(f"{of}_name") or row.get(f"{of}_name_zh") or row[ids[of]]
        return (thing_link(str(row[ids[of]]), str(called)),)
    if name == "references":
        return tuple(
            Piece(f"[{each}]", f"#part-{number}-reference-{each}")
            for each in re.findall(r"\d+", str(row[name]))
        )
    section = name.rpartition("_")[2]
    if section in ("relation", "type"):
        return (
            Piece(
                (relation_in_words if section == "relation" else type_in_words)(
                    str(row[name] or "")
                )
            ),
        )
    return (Piece(_text(row[name])),)


def _text(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return translate(str(value))
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, list):
        return translate(", ").join(map(str, value))
    return str(value)


def _linked(text: str) -> Iterator[Piece]:
    """A reference; its addresses and articles of PubMed lead there."""
    at = 0
    for match in sorted(
        (*_URL.finditer(text), *_PUBMED.finditer(text)), key=lambda match: match.start()
    ):
        if match.start() < at:
            continue
        href = match[0] if match.re is _URL else f"https://pubmed.ncbi.nlm.nih.gov/{match[2]}/"
        yield from (Piece(text[at : match.start()]), Piece(match[0], href))
        at = match.end()
    yield Piece(text[at:])
