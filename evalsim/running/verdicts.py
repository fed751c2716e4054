"""Reads what a language model writes: its words without its reasoning, and the JSON that a role gives.

A role that gives JSON is told a mark, which differs from call to call and which nobody whose words it
quotes can know. Only an object that bears this mark is read. So a verdict that stands in the transcript
or in the prompt, and is copied into the answer, is never taken for the judge's own.
"""

import json
import re
from collections.abc import Iterator
from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError

Answer = TypeVar("Answer", bound=BaseModel)

MARK: Final = "mark"
"""The key that bears the mark."""
_LONGEST: Final = 200_000
"""Characters of an answer that are read."""
_MOST: Final = 2_000
"""Opening braces at which an object is looked for."""
_BEGIN: Final = re.compile(r"<(?:think|thinking|reasoning)>", re.IGNORECASE)
_END: Final = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)


class UnreadableError(Exception):
    """An answer is not what the role gives; says why in a few words."""


def without_reasoning(text: str) -> str:
    """What a model says when it has thought.

    All up to the last end of reasoning goes, whether its beginning is there or not (templates of
    chats often swallow it); reasoning that does not end takes what follows with it.
    """
    ends = list(_END.finditer(text))
    remaining = text[ends[-1].end() :] if ends else text
    begin = _BEGIN.search(remaining)
    return (remaining[: begin.start()] if begin else remaining).strip()


def read_answer(text: str, model: type[Answer], mark: str) -> Answer:
    """The last JSON object of an answer that bears the mark, as the model has it.

    Args:
        text: the answer, fenced or not, with or without words around it.
        model: what the role gives.
        mark: of the call.

    Raises:
        UnreadableError: no object bears the mark, or the last that does is not of the model.
    """
    answer_text = without_reasoning(text)[:_LONGEST]
    if not answer_text:
        raise UnreadableError("empty")
    marked = [each for each in _objects(answer_text) if each.get(MARK) == mark]
    if not marked:
        raise UnreadableError("no JSON with the mark of this call")
    answer = {key: value for key, value in marked[-1].items() if key != MARK}
    try:
        return model.model_validate_json(json.dumps(answer))
    except ValidationError as e:
        error = e.errors(include_url=False)[0]
        field = ".".join(str(each) for each in error["loc"]) or "object"
        raise UnreadableError(f"{field}: {error['msg']}") from e


def _objects(text: str) -> Iterator[dict[str, object]]:
    """The outermost JSON objects of a text, in their order."""
    decoder = json.JSONDecoder()
    position = tries = 0
    while tries < _MOST and (position := text.find("{", position)) >= 0:
        tries += 1
        try:
            value, end = decoder.raw_decode(text, position)
        except (json.JSONDecodeError, RecursionError):
            position += 1
            continue
        if isinstance(value, dict):
            yield value
        position = end
