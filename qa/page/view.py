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
from qa.index import Index
from qa.page.drawing import Drawing, Excerpt, draw, excerpt_of
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

_CONTEXT: Final = 240
"""Characters of a text before and behind what is quoted."""
_ROWS: Final = 12
"""Rows of a table that are not folded."""
_URL: Final = re.compile(r"https?://[^\s<>\"|;,]+[^\s<>\"|;,.)]")
_PUBMED: Final = re.compile(r"\bPMID:\s?(?P<number>\d+)\b")


class StatementView(NamedTuple):
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
class SubgraphView:
    """The subgraph of an answer."""

    wide: Drawing
    narrow: Drawing
    edges: tuple[ListedEdge, ...]
    excerpt: Excerpt
    command: str


class CandidateView(NamedTuple):
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
    prose: tuple[StatementView, ...]
    quoted: Quoted | None
    table: Table | None
    subgraph: SubgraphView | None
    candidates: tuple[CandidateView, ...]
    selector: str
    """Empty where there are no candidates."""
    reason: str
    command: str


def parts_of(answer: Answer, answerer: Answerer) -> list[PartView]:
    """The parts of an answer.

    Raises:
        RetrievalError: a text that it quotes is not in the index.
    """
    return [_part(number, part, answerer) for number, part in enumerate(answer.parts, 1)]


def _part(number: int, part: PartAnswer, answerer: Answerer) -> PartView:
    facts, readings = part.facts, part.part.readings
    reading = facts.reading if facts else readings[0] if readings else None
    subjects = facts.subjects if facts else part.part.subjects
    heading = part.part.text
    if reading and subjects:
        wording = "{names}: {heading}"
        subject_names = named(subjects, answerer.linker)
        heading = translate(
            wording, names=subject_names, heading=title("headings", reading.heading)
        )
    graph = _subgraph_view(number, part)
    places = [edge.place for edge in graph.edges] if graph else []
    number_of_place = {place: n for n, place in enumerate(places, 1)}
    place_of_edge = dict(zip(graph.excerpt.edges, places, strict=True)) if graph else {}
    names = answerer.linker.index.spoken_names(part.part.subjects)
    line_starts = _line_starts(part, answerer.index)
    quoted = next((n for n, each in enumerate(part.prose, 1) if not each.edges), 0)
    notes = [*((facts.note, facts.left_out) if facts else ()), *(() if quoted else part.notes)]
    return PartView(
        number,
        heading,
        tuple(
            thing_link(
                s.id, translate("{name} ({type})", name=names[s.id], type=type_in_words(s.type))
            )
            for s in part.part.subjects
        ),
        tuple(filter(None, notes)),
        str(part.problem or ""),
        tuple(
            _statement(number, n, each, place_of_edge, number_of_place)._replace(
                starts_line=n in line_starts, notes=part.notes if n == quoted else ()
            )
            for n, each in enumerate(part.prose, 1)
        ),
        _quoted(number, part, answerer.index),
        _table(number, facts.rows, facts.total - facts.less_stated) if facts else None,
        graph,
        _candidates(part),
        part.selection.selector if part.selection else "",
        translate(part.selection.reason) if part.selection else "",
        _command(facts.query, facts.arguments) if facts else "",
    )


def _statement(
    number: int,
    sentence_number: int,
    statement: Statement,
    place_of_edge: Mapping[Edge, str],
    number_of_place: Mapping[str, int],
) -> StatementView:
    if statement.edges:
        cited = dict.fromkeys(
            place_of_edge[edge] for edge in statement.edges if edge in place_of_edge
        )
        return StatementView(
            statement.text, tuple((number_of_place[place], place) for place in cited)
        )
    is_quoted = statement.passage is not None and statement.passage.document is not None
    return StatementView(
        statement.text,
        ((sentence_number, _sentence_id(number, sentence_number)),) if is_quoted else (),
    )


def _line_starts(part: PartAnswer, index: Index | None) -> set[int]:
    """Numbers of the sentences before which the text that they are from has a line end."""
    numbers = set()
    for sentence_number, (previous, following) in enumerate(
        pairwise(each.passage for each in part.prose), 2
    ):
        if (
            previous
            and following
            and index
            and previous.document is not None
            and previous.document == following.document
        ):
            between = index.document(previous.document).text[previous.end : following.start]
            if "\n" in between:
                numbers.add(sentence_number)
    return numbers


def _sentence_id(part: int, nth: int) -> str:
    """The id of a quoted sentence."""
    return f"part-{part}-sentence-{nth}"


class _Span(NamedTuple):
    """A quoted stretch of a document, and the number of its sentence in the answer."""

    start: int
    end: int
    sentence: int
    document: str


def _quoted(number: int, part: PartAnswer, index: Index | None) -> Quoted | None:
    """The text that the prose is from, its sentences marked."""
    spans = [
        _Span(passage.start, passage.end, n, passage.document)
        for n, statement in enumerate(part.prose, 1)
        if (passage := statement.passage) is not None and passage.document is not None
    ]
    if not spans or index is None:
        return None
    document = index.document(spans[0].document)
    spans = sorted(span for span in spans if span.document == document.id)
    text = document.text
    position = max(0, spans[0].start - _CONTEXT)
    end = min(len(text), spans[-1].end + _CONTEXT)
    pieces = [Piece("…")] if position else []
    for span in spans:
        mark = _sentence_id(number, span.sentence)
        pieces += [
            Piece(text[position : span.start]),
            Piece(text[span.start : span.end], mark=mark),
        ]
        position = span.end
    pieces.append(Piece(text[position:end] + ("…" if end < len(text) else "")))
    url = _URL.match(document.metadata.get("url", ""))
    return Quoted(
        document.title,
        document.metadata.get("heading", ""),
        document.source,
        document.metadata.get("licence", ""),
        url[0] if url else "",
        tuple(piece for piece in pieces if piece.text),
    )


def _candidates(part: PartAnswer) -> tuple[CandidateView, ...]:
    if part.selection is None:
        return ()
    return tuple(
        CandidateView(
            place == part.selection.chosen,
            score.described.weighted() if score.described else score.overlap.f1,
            candidate.hit.rank,
            candidate.hit.record.metadata.get("title", ""),
            candidate.hit.record.metadata.get("source", ""),
            candidate.text,
        )
        for place, (candidate, score) in enumerate(
            zip(part.candidates, part.selection.scores, strict=True)
        )
    )


def _subgraph_view(number: int, part: PartAnswer) -> SubgraphView | None:
    """The subgraph, if it has an edge."""
    subgraph = part.subgraph
    if subgraph is None or not subgraph.edges:
        return None
    subjects = (part.facts or part.part).subjects
    things = list(dict.fromkeys(subject.id for subject in subjects))
    excerpt = excerpt_of(
        subgraph, things, chain.from_iterable(statement.edges for statement in part.prose)
    )
    names = _distinct_names(excerpt.nodes)
    titles = {edge.relation: relation_in_words(edge.relation) for edge in excerpt.edges}
    edges = tuple(
        ListedEdge(
            f"part-{number}-edge-{edge_number}",
            thing_link(edge.head, names[edge.head]),
            titles[edge.relation],
            thing_link(edge.tail, names[edge.tail]),
            translate(", ").join(edge.sources),
        )
        for edge_number, edge in enumerate(excerpt.edges, 1)
    )
    return SubgraphView(
        draw(excerpt, things, names, titles),
        draw(excerpt, things, names, titles, narrow=True),
        edges,
        excerpt,
        _command(QUERY, subgraph.arguments),
    )


def _distinct_names(nodes: Sequence[Node]) -> dict[str, str]:
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
    layout = lay_out(rows)
    ids = {name.removesuffix("_id"): name for name in rows.columns if name.endswith("_id")}
    columns: dict[str, str] = {}
    for name in layout.rows.columns:
        thing = re.sub(r"_(id|name|name_zh)$", "", name)
        if thing == name or thing not in ids:
            columns[name] = name
        elif name.rpartition("_")[2] != "id":
            columns.setdefault(thing, name)
    titles = tuple(
        title("columns", name, thing.replace("_", " ")) for thing, name in columns.items()
    )
    cells = tuple(
        tuple(
            _cells(number, thing, name, {**facts, **laid_out}, ids)
            for thing, name in columns.items()
        )
        for facts, laid_out in zip(rows.dicts(), layout.rows.dicts(), strict=True)
    )
    references = tuple(tuple(_pieces_of_reference(text)) for text in layout.references)
    return Table(titles, cells, references, total)


def _cells(
    number: int, thing: str, name: str, row: Mapping[str, Value], ids: Mapping[str, str]
) -> tuple[Piece, ...]:
    if thing in ids and thing != name:
        thing_name = (
            row[name] or row.get(f"{thing}_name") or row.get(f"{thing}_name_zh") or row[ids[thing]]
        )
        return (thing_link(str(row[ids[thing]]), str(thing_name)),)
    if name == "references":
        return tuple(
            Piece(f"[{reference_number}]", f"#part-{number}-reference-{reference_number}")
            for reference_number in re.findall(r"\d+", str(row[name]))
        )
    ending = name.rpartition("_")[2]
    if ending in ("relation", "type"):
        return (
            Piece(
                (relation_in_words if ending == "relation" else type_in_words)(
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


def _pieces_of_reference(text: str) -> Iterator[Piece]:
    """A reference; its addresses and articles of PubMed lead there."""
    position = 0
    for match in sorted(
        (*_URL.finditer(text), *_PUBMED.finditer(text)), key=lambda match: match.start()
    ):
        if match.start() < position:
            continue
        href = (
            match[0] if match.re is _URL else f"https://pubmed.ncbi.nlm.nih.gov/{match['number']}/"
        )
        yield from (Piece(text[position : match.start()]), Piece(match[0], href))
        position = match.end()
    yield Piece(text[position:])
