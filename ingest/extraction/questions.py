"""Question banks as questions with their texts and right answers.

JSON lines or JSON with an object a question (MedQA, MedMCQA, mediQ, PubMedQA, NLPEC and
the like, whose keys are known; AgentClinic's cases, whose texts are anywhere below
``OSCE_Examination``), or plain text, in which every paragraph is one passage without a question.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from cypher.translation import translate
from ingest.reading import text_lines
from kg.errors import SourceError

_ID: Final = ("id", "qid", "question_id", "pubid", "idx")
_QUESTION: Final = ("question", "QUESTION", "stem", "sent1")
_PASSAGES: Final = (
    *("context", "CONTEXTS", "passage", "background", "exp", "explanation", "LONG_ANSWER"),
    *("patient_info", "physical_exams", "text"),
)
_OPTIONS: Final = ("options", "choices", "answers")
_ANSWER: Final = ("answer", "answer_text", "correct_answer", "answer_idx", "label", "cop")
_LETTERED: Final = (("opa", "opb", "opc", "opd"), ("A", "B", "C", "D", "E"))
_CASE: Final = "OSCE_Examination"
_DIAGNOSIS: Final = "Correct_Diagnosis"
_TASK: Final = "Objective_for_Doctor"
_CASE_ASKS: Final = "What is the most likely diagnosis?"
_NO_ID: Final = re.compile(r"[\s|]+")
_DEEPEST: Final = 20


@dataclass(frozen=True)
class Passage:
    """A text of a question."""

    field: str
    """Its path in the record: ``question``, ``context/2``."""
    text: str


@dataclass(frozen=True)
class Question:
    """A question of a bank, or a paragraph of a text."""

    id: str
    """File and id, or file and number."""
    passages: tuple[Passage, ...]
    """Its texts, the question itself among them."""
    asks: str = ""
    """The question sentence; empty in plain text."""
    answers: tuple[str, ...] = ()
    """The right answers."""


@dataclass(frozen=True)
class Broken:
    """A record that is not a usable question."""

    where: str
    reason: str


@dataclass(frozen=True)
class _Record:
    id: str
    content: Mapping[str, Any] = field(default_factory=dict)


def read_questions(path: Path, encoding: str = "utf-8") -> Iterator[Question | Broken]:
    """One item for each record, in file order.

    Args:
        path: ``.jsonl``, ``.json`` or ``.txt``, plain or .gz.
        encoding: of the file, by its Python name.

    Raises:
        SourceError: the file cannot be read, or is in no such format.
    """
    stem, _, ending = path.name.removesuffix(".gz").rpartition(".")
    stem = _NO_ID.sub("_", stem)
    with text_lines(path, encoding) as lines:
        match ending.casefold():
            case "txt":
                yield from _paragraphs(lines, stem)
            case "jsonl" | "ndjson":
                yield from map(_question, _of_lines(lines, stem))
            case "json":
                yield from map(_question, _of_json(path, lines.read(), stem))
            case _:
                raise SourceError(
                    translate(
                        "{path}: no question bank that medkg reads; make it .jsonl, .json or .txt",
                        path=path,
                    )
                )


def _of_lines(lines: Iterable[str], stem: str) -> Iterator[_Record | Broken]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{stem}:{number}"
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as e:
            yield Broken(where, f"the line is not JSON: {e}")
            continue
        yield _record(record, stem, number)


def _of_json(path: Path, text: str, stem: str) -> Iterator[_Record | Broken]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as e:
        raise SourceError(
            translate("{path}: not JSON ({e}); JSON lines need the ending .jsonl", path=path, e=e)
        ) from e
    if isinstance(content, dict):
        if any(key in content for key in (*_QUESTION, _CASE)):
            content = [content]
        else:
            for key, record in content.items():
                yield _record(record, stem, key)
            return
    if not isinstance(content, list):
        raise SourceError(
            translate("{path}: holds no list of questions; give one object a question", path=path)
        )
    for number, record in enumerate(content, 1):
        yield _record(record, stem, number)


def _record(record: object, stem: str, key: int | str) -> _Record | Broken:
    if not isinstance(record, dict):
        return Broken(f"{stem}:{key}", "the record is not a JSON object")
    id_ = next((record[name] for name in _ID if isinstance(record.get(name), str | int)), key)
    return _Record(f"{stem}:{_NO_ID.sub('_', str(id_))}", record)


def _question(record: _Record | Broken) -> Question | Broken:
    if isinstance(record, Broken):
        return record
    content = record.content
    if isinstance(content.get(_CASE), dict):
        return _case(record.id, content[_CASE])
    question = next((content[key] for key in _QUESTION if isinstance(content.get(key), str)), "")
    passages = [
        passage
        for key in (*_PASSAGES, *_QUESTION)
        for passage in _texts(content.get(key), key)
        if passage.text.strip()
    ]
    if not passages:
        return Broken(record.id, "the record has no text under a key that is known")
    return Question(record.id, tuple(passages), question, _answers(content))


def _case(identifier: str, content: Mapping[str, Any]) -> Question:
    passages = (
        passage
        for passage in _texts(content, _CASE)
        if not passage.field.endswith((f"/{_DIAGNOSIS}", f"/{_TASK}")) and passage.text.strip()
    )
    return Question(identifier, tuple(passages), _CASE_ASKS, _strings(content.get(_DIAGNOSIS)))


def _texts(value: object, key: str, depth: int = 0) -> Iterator[Passage]:
    """Every text at or below a value, with its path."""
    if isinstance(value, str):
        yield Passage(_NO_ID.sub("_", key), value)
    elif depth < _DEEPEST and isinstance(value, dict | list):
        below = value.items() if isinstance(value, dict) else enumerate(value)
        for name, part in below:
            yield from _texts(part, f"{key}/{name}", depth + 1)


def _answers(content: Mapping[str, Any]) -> tuple[str, ...]:
    """The right answers, as given or from the options."""
    options = _options(content)
    marked = content.get("answers")
    if isinstance(marked, list):
        right = [o.get("text") for o in marked if isinstance(o, dict) and o.get("correct") is True]
        if right:
            return _strings(right)
    for key in _ANSWER:
        value = content.get(key)
        chosen = [*_strings(value), *([str(value)] if isinstance(value, int) else [])]
        if not chosen:
            continue
        of_options = [options[each.strip()] for each in chosen if each.strip() in options]
        return tuple(of_options or (each for each in chosen if not each.isdigit()))
    return ()


def _options(content: Mapping[str, Any]) -> dict[str, str]:
    """Options by letter; also by number, from 0."""
    for key in _OPTIONS:
        value = content.get(key)
        if isinstance(value, dict):
            return {str(letter): text for letter, text in value.items() if isinstance(text, str)}
        if isinstance(value, list):
            texts = [o.get("text") if isinstance(o, dict) else o for o in value]
            return _numbered([text for text in texts if isinstance(text, str)])
    for keys in _LETTERED:
        if all(isinstance(content.get(key), str) for key in keys[:4]):
            return _numbered([content[key] for key in keys if key in content])
    return {}


def _numbered(texts: list[str]) -> dict[str, str]:
    by_letter = {chr(ord("A") + at): text for at, text in enumerate(texts)}
    return by_letter | {str(at): text for at, text in enumerate(texts)}


def _strings(value: object) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    return tuple(each for each in values if isinstance(each, str) and each.strip())


def _paragraphs(lines: Iterable[str], stem: str) -> Iterator[Question]:
    paragraph: list[str] = []
    number = 0
    for line in (*lines, ""):
        if line.strip():
            paragraph.append(line)
        elif paragraph:
            number += 1
            yield Question(f"{stem}:{number}", (Passage("text", "".join(paragraph)),))
            paragraph = []
