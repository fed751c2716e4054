"""An answer as JSON: what ``medkg ask --json`` prints and the page server's ``POST /ask`` gives.

Keys and names are the same in every language; sentences for people are in the one that is spoken.
"""

from dataclasses import asdict
from typing import Final

from cypher.translation import translate
from kg.commands.facts import lay_out
from qa.answer import Answer, PartAnswer, Statement
from qa.corpus import Document
from qa.generation.candidates import Candidate
from qa.index import Index
from qa.selection import Score
from qa.subgraph import QUERY, Edge, Subgraph

Json = dict[str, object]

_DECIMALS: Final = 6
"""Of a score."""
_OF_A_DOCUMENT: Final = ("heading", "licence", "url")
"""What is told of a document beside its title, where it is known."""


def answer_json(answer: Answer, index: Index | None) -> Json:
    """An answer with all that it rests on.

    Args:
        answer: to a question.
        index: whose passages it quotes.

    Raises:
        RetrievalError: a passage is of another index.
    """
    asked = answer.question
    told: Json = {
        "question": asked.text,
        "language": asked.language,
        "category": asked.category,
        "fit": round(asked.fit, 3),
        "emergency": None,
        "parts": [_part(part, index) for part in answer.parts],
    }
    if asked.emergency:
        told["emergency"] = {**asdict(asked.emergency), "advice": asked.emergency.advice}
    if asked.greeting:
        told["greeting"] = greeting()
    return told


def greeting() -> str:
    """What is answered to a greeting: how to ask."""
    return translate(
        "Ask about a disease, a symptom, a drug or a gene: 'What are the symptoms of gout?', 'How "
        "is asthma treated?', 'Is aspirin contraindicated in asthma?'."
    )


def _part(part: PartAnswer, index: Index | None) -> Json:
    readings = part.part.readings
    told: Json = {
        "part": part.part.text,
        "heading": readings[0].heading if readings else None,
        "entities": [{"id": s.id, "type": s.type, "name": s.name} for s in part.part.subjects],
        "answer": [_statement(statement, index) for statement in part.prose],
        "notes": list(part.notes),
        "candidates": _candidates(part, index),
        "selector": None if part.selection is None else part.selection.selector,
        "reason": None if part.selection is None else part.selection.reason,
        "subgraph": None if part.subgraph is None else _subgraph(part.subgraph),
    }
    if part.problem is not None:
        told["problem"] = str(part.problem)
    if facts := part.facts:
        told |= {
            "heading": facts.reading.heading,
            "entities": [{"id": s.id, "type": s.type, "name": s.name} for s in facts.subjects],
            "query": facts.query,
            "arguments": facts.arguments,
            "note": facts.note,
            "references": lay_out(facts.rows).references,
            "columns": facts.rows.columns,
            "rows": facts.rows.dicts(),
            "truncated": len(facts.rows) < facts.total,
            "total": facts.total,
            "less_stated": facts.less_stated,
        }
    return told


def _statement(statement: Statement, index: Index | None) -> Json:
    """A sentence, and the passage and edges that it rests on: null and none if on neither."""
    sentence = statement.passage
    passage: Json | None = None
    if sentence is not None and sentence.document is not None and index is not None:
        of = _document(index.document(sentence.document))
        passage = {**of, "start": sentence.start, "end": sentence.end}
    return {
        "text": statement.text,
        "passage": passage,
        "edges": [_edge(edge) for edge in statement.edges],
    }


def _candidates(part: PartAnswer, index: Index | None) -> list[Json]:
    if part.selection is None or index is None:
        return []
    return [
        _candidate(candidate, score, index, chosen=at == part.selection.chosen)
        for at, (candidate, score) in enumerate(
            zip(part.candidates, part.selection.scores, strict=True)
        )
    ]


def _candidate(candidate: Candidate, score: Score, index: Index, *, chosen: bool) -> Json:
    hit = candidate.hit
    overlap = {name: round(value, _DECIMALS) for name, value in score.overlap._asdict().items()}
    weighed: Json | None = None
    if described := score.described:
        named = described.features._asdict().items()
        weighed = {
            "sum": round(described.weighted(), _DECIMALS),
            "about": described.about,
            **{name: round(value, _DECIMALS) for name, value in named},
        }
    return {
        "text": candidate.text,
        "chosen": chosen,
        "rouge_l": overlap,
        "weighted": weighed,
        "rank": hit.rank,
        "score": round(hit.score, _DECIMALS),
        "passage": {
            **_document(index.document(hit.record.metadata["document"])),
            "start": int(hit.record.metadata["start"]),
            "end": int(hit.record.metadata["end"]),
        },
    }


def _document(document: Document) -> Json:
    about = {name: document.metadata.get(name) for name in _OF_A_DOCUMENT}
    return {
        "document": document.id,
        "title": document.title,
        "source": document.source,
        "language": document.language,
        **about,
    }


def _subgraph(of: Subgraph) -> Json:
    return {
        "query": QUERY,
        "arguments": of.arguments,
        "nodes": [
            {"id": n.id, "type": n.type, "name": n.name or None, "name_zh": n.name_zh or None}
            for n in of.nodes
        ],
        "edges": [_edge(edge) for edge in of.edges],
    }


def _edge(edge: Edge) -> Json:
    return {
        "head": edge.head,
        "relation": edge.relation,
        "tail": edge.tail,
        "sources": list(edge.sources),
    }
