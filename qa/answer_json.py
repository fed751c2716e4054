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
_DOCUMENT_METADATA: Final = ("heading", "licence", "url")
"""What is told of a document beside its title, where it is known."""


def answer_json(answer: Answer, index: Index | None) -> Json:
    """An answer with all that it rests on.

    Args:
        answer: to a question.
        index: whose passages it quotes.

    Raises:
        RetrievalError: a passage is of another index.
    """
    question = answer.question
    fields: Json = {
        "question": question.text,
        "language": question.language,
        "category": question.category,
        "fit": round(question.fit, 3),
        "emergency": None,
        "parts": [_part(part, index) for part in answer.parts],
    }
    if question.emergency:
        fields["emergency"] = {**asdict(question.emergency), "advice": question.emergency.advice}
    if question.greeting:
        fields["greeting"] = greeting()
    return fields


def greeting() -> str:
    """What is answered to a greeting: how to ask."""
    return translate(
        "Ask about a disease, a symptom, a drug or a gene: 'What are the symptoms of gout?', 'How "
        "is asthma treated?', 'Is aspirin contraindicated in asthma?'."
    )


def _part(part: PartAnswer, index: Index | None) -> Json:
    readings = part.part.readings
    fields: Json = {
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
        fields["problem"] = str(part.problem)
    if facts := part.facts:
        fields |= {
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
    return fields


def _statement(statement: Statement, index: Index | None) -> Json:
    """A sentence, and the passage and edges that it rests on: null and none if on neither."""
    sentence = statement.passage
    passage: Json | None = None
    if sentence is not None and sentence.document is not None and index is not None:
        document_fields = _document(index.document(sentence.document))
        passage = {**document_fields, "start": sentence.start, "end": sentence.end}
    return {
        "text": statement.text,
        "passage": passage,
        "edges": [_edge(edge) for edge in statement.edges],
    }


def _candidates(part: PartAnswer, index: Index | None) -> list[Json]:
    if part.selection is None or index is None:
        return []
    return [
        _candidate(candidate, score, index, chosen=place == part.selection.chosen)
        for place, (candidate, score) in enumerate(
            zip(part.candidates, part.selection.scores, strict=True)
        )
    ]


def _candidate(candidate: Candidate, score: Score, index: Index, *, chosen: bool) -> Json:
    hit = candidate.hit
    overlap = {name: round(value, _DECIMALS) for name, value in score.overlap._asdict().items()}
    weighted: Json | None = None
    if described := score.described:
        features = described.features._asdict().items()
        weighted = {
            "sum": round(described.weighted(), _DECIMALS),
            "about": described.about,
            **{name: round(value, _DECIMALS) for name, value in features},
        }
    return {
        "text": candidate.text,
        "chosen": chosen,
        "rouge_l": overlap,
        "weighted": weighted,
        "rank": hit.rank,
        "score": round(hit.score, _DECIMALS),
        "passage": {
            **_document(index.document(hit.record.metadata["document"])),
            "start": int(hit.record.metadata["start"]),
            "end": int(hit.record.metadata["end"]),
        },
    }


def _document(document: Document) -> Json:
    metadata = {name: document.metadata.get(name) for name in _DOCUMENT_METADATA}
    return {
        "document": document.id,
        "title": document.title,
        "source": document.source,
        "language": document.language,
        **metadata,
    }


def _subgraph(subgraph: Subgraph) -> Json:
    return {
        "query": QUERY,
        "arguments": subgraph.arguments,
        "nodes": [
            {"id": n.id, "type": n.type, "name": n.name or None, "name_zh": n.name_zh or None}
            for n in subgraph.nodes
        ],
        "edges": [_edge(edge) for edge in subgraph.edges],
    }


def _edge(edge: Edge) -> Json:
    return {
        "head": edge.head,
        "relation": edge.relation,
        "tail": edge.tail,
        "sources": list(edge.sources),
    }
