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

Given = TypeVar("Given", bound=BaseModel)

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
    said = text[ends[-1].end() :] if ends else text
    begin = _BEGIN.search(said)
    return (said[: begin.start()] if begin else said).strip()


def read_given(text: str, model: type[Given], mark: str) -> Given:
    """The last JSON object of an answer that bears the mark, as the model has it.

    Args:
        text: the answer, fenced or not, with or without words around it.
        model: what the role gives.
        mark: of the call.

    Raises:
        UnreadableError: no object bears the mark, or the last that does is not of the model.
    """
    said = without_reasoning(text)[:_LONGEST]
    if not said:
        raise UnreadableError("empty")
    marked = [each for each in _objects(said) if each.get(MARK) == mark]
    if not marked:
        raise UnreadableError("no JSON with the mark of this call")
    answer = {key: value for key, value in marked[-1].items() if key != MARK}
    try:
        return model.model_validate_json(json.dumps(answer))
    except ValidationError as e:
        first = e.errors(include_url=False)[0]
        where = ".".join(str(each) for each in first["loc"]) or "object"
        raise UnreadableError(f"{where}: {first['msg']}") from e


def _objects(text: str) -> Iterator[dict[str, object]]:
    """The outermost JSON objects of a text, in their order."""
    decoder = json.JSONDecoder()
    at = tried = 0
    while tried < _MOST and (at := text.find("{", at)) >= 0:
        tried += 1
        try:
            value, end = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError):
            at += 1
            continue
        if isinstance(value, dict):
            yield value
        at = end
