"""Texts to link, one a line of a file or a pipe, and what was found in them, as lines again.

A line is a text, or a JSON object with the string ``text``, whose other fields stay as
they are. A line that cannot be used becomes a ``Broken`` with its number; the others are linked.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal

from cypher.translation import translate
from kg.errors import LinkingError
from kg.linking.mention import Candidate, Mention
from kg.printing import harmless_json

Form = Literal["text", "jsonl"]
"""What a line is."""

MENTIONS: Final = "mentions"
"""The field that is added to a line."""

_MENTION_FIELDS: Final = tuple(f.name for f in fields(Mention) if f.name != "candidates")
_CANDIDATE_FIELDS: Final = tuple(f.name for f in fields(Candidate))

_BOM: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"
_UTF16_BOMS: Final = (b"\xff\xfe", b"\xfe\xff")
"""The first bytes of a file in UTF-16 or UTF-32."""
_MOST_DIGITS: Final = 4_000
"""The most digits of a whole number; Python reads few more."""


@dataclass(frozen=True, slots=True)
class Document:
    """A text to link."""

    line: int
    """From 1."""
    size: int
    """Bytes of the line."""
    text: str
    fields: Mapping[str, object] = field(default_factory=dict)
    """Of the JSON object, ``text`` among them; of a plain line only that."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A line that holds no text to link."""

    line: int
    size: int
    reason: str


def read_documents(
    lines: Iterable[bytes], name: str, form: Form | None = None
) -> Iterator[Document | Broken]:
    """One item a line, in their order; an empty line of a JSON-lines file gives none.

    Args:
        lines: with or without their line ends.
        name: of the file.
        form: None: JSON lines if the first line that is not blank begins with ``{``.

    Raises:
        LinkingError: the file is not in UTF-8 at all.
    """
    for number, line in enumerate(lines, start=1):
        if number == 1 and line.startswith(_UTF16_BOMS):
            raise LinkingError(
                translate("{name}: the text is in UTF-16 or UTF-32; save it as UTF-8", name=name)
            )
        try:
            text = line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8")
        except UnicodeDecodeError as e:
            byte = line[e.start]
            reason = f"not UTF-8 (byte 0x{byte:02x} after {e.start} bytes); save it as UTF-8"
            yield Broken(number, len(line), reason)
            continue
        if number == 1:
            text = text.removeprefix(_BOM)
        if form is None and text.strip():
            form = "jsonl" if text.lstrip().startswith("{") else "text"
        if form != "jsonl":
            yield Document(number, len(line), text, {"text": text})
        elif text.strip():
            yield _of_json(number, len(line), text)


def mention_record(mention: Mention) -> dict[str, object]:
    """A mention as a JSON object: its fields, and ``entity``, the candidate that it is linked with."""
    record: dict[str, object] = {name: getattr(mention, name) for name in _MENTION_FIELDS}
    candidates = [
        {name: getattr(candidate, name) for name in _CANDIDATE_FIELDS}
        for candidate in mention.candidates
    ]
    entity = candidates[0] if mention.linked else None
    return {**record, "entity": entity, "candidates": candidates}


def mention_from_record(record: Mapping[str, Any]) -> Mention:
    """The mention of a record that ``mention_record`` made."""
    values = {name: record[name] for name in _MENTION_FIELDS}
    candidates = (
        Candidate(**{**candidate, "cuis": tuple(candidate["cuis"])})
        for candidate in record["candidates"]
    )
    return Mention(**values, candidates=tuple(candidates))


def linked_line(document: Document, mentions: Sequence[Mention], indent: int | None = None) -> str:
    """The document as JSON, with its mentions."""
    return _json(
        {**document.fields, MENTIONS: [mention_record(mention) for mention in mentions]}, indent
    )


def broken_line(broken: Broken) -> str:
    """The JSON that stands for a line that could not be used."""
    return _json({"line": broken.line, "error": broken.reason})


def _json(record: Mapping[str, object], indent: int | None = None) -> str:
    """Readable in every script; halves of characters, which UTF-8 has not, are escaped."""
    return harmless_json(json.dumps(record, ensure_ascii=False, indent=indent))


def _of_json(number: int, size: int, line: str) -> Document | Broken:
    try:
        record = json.loads(
            line, parse_constant=_refuse_constant, parse_float=_parse_float, parse_int=_parse_int
        )
        return Document(number, size, _text(record), record)
    except RecursionError:
        return Broken(number, size, "JSON nested too deeply; take the nested field out")
    except json.JSONDecodeError as e:
        return Broken(number, size, f"not JSON ({e.msg} at character {e.pos + 1}); mend the line")
    except ValueError as e:
        return Broken(number, size, str(e))


def _text(record: object) -> str:
    if not isinstance(record, dict):
        raise ValueError('not a JSON object; write {"text": "…"}')  # noqa: TRY004 -- a line's fault
    if "text" not in record:
        raise ValueError('no field "text"; put the text to link there')
    if not isinstance(record["text"], str):
        raise ValueError('the field "text" is not a string; put the text to link there')  # noqa: TRY004
    if MENTIONS in record:
        raise ValueError(
            f'a field "{MENTIONS}" already, where the answer belongs; give it another name'
        )
    return record["text"]


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number of JSON; write null")


def _parse_float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"{digits} is too large a number; write it as a string")
    return value


def _parse_int(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a number of {len(digits):,} digits; write it as a string")
    return int(digits)
