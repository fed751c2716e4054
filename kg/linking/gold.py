"""Gold files: texts with the mentions in them, by which a linker is evaluated.

JSON lines, one text a line, offsets in code points::

    {"text": "Mother had asthma.", "mentions": [
        {"start": 11, "end": 17, "ids": ["MONDO:0004979"], "type": "Disease", "family": true}]}
    {"mention": "heart atack", "ids": ["MONDO:0005068", "C0027051"], "type": "Disease"}

``ids`` are those of entities, or UMLS concepts (C0000000); any one of them is right, and
with none of them abstaining is right. Optional: ``text`` of a mention (checked against the
offsets), ``type``, ``negated`` and ``family`` of a mention; ``language`` of a line (else by
its script), and ``types``, the types that whoever marked the line was looking for. A line
whose only mention has no offsets, or that has ``mention`` in place of ``text``, is a mention
without surroundings.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, Field, ValidationError, model_validator

from cypher.translation import translate
from kg.errors import LinkingError

Language = Literal["en", "zh"]

_ID: Final = re.compile(r"[^\s:|]+:\S+|C\d{7}")
_HAN: Final = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def _as_id(value: str) -> str:
    if not _ID.fullmatch(value):
        raise ValueError(
            f"{value!r} is neither a CURIE nor a UMLS concept; write PREFIX:ID or C0000000"
        )
    return value


Id = Annotated[str, AfterValidator(_as_id)]


class GoldMention(BaseModel, frozen=True, extra="forbid"):
    """A mention, and the entities that it speaks of."""

    start: int = Field(ge=0)
    end: int
    """``text[start:end]`` of the line's text, in code points."""
    ids: tuple[Id, ...]
    """Any one of them is right; empty where the table of names has no such entity."""
    text: str | None = None
    type: str | None = None
    negated: bool | None = None
    """None: nobody looked."""
    family: bool | None = None
    """None: nobody looked."""


class GoldText(BaseModel, frozen=True, extra="forbid"):
    """A line of a gold file."""

    text: str
    mentions: tuple[GoldMention, ...]
    whole: bool = False
    """The text is one mention without surroundings."""
    language: Language
    types: frozenset[str] | None = None
    """What was looked for; None: entities of every type."""

    @model_validator(mode="before")
    @classmethod
    def _spell_out(cls, line: object) -> object:
        """Both ways of writing a mention without surroundings become one; find the language."""
        if not isinstance(line, dict):
            raise ValueError("a line is an object; write {…}")  # noqa: TRY004 -- pydantic's
        line = _as_text(line) if "mention" in line else dict(line)
        text, mentions = line.get("text"), line.get("mentions")
        if isinstance(text, str):
            line.setdefault("language", "zh" if _HAN.search(text) else "en")
            if (only := _only(mentions)) is not None:
                line["whole"] = True
                line["mentions"] = [{**only, "start": 0, "end": len(text)}]
        return line

    @model_validator(mode="after")
    def _check_offsets(self) -> Self:
        seen = set()
        for mention in self.mentions:
            span = (mention.start, mention.end)
            if not mention.start < mention.end <= len(self.text):
                raise ValueError(
                    f"the mention {span} is not within the text of {len(self.text)} characters"
                )
            stands = self.text[slice(*span)]
            if mention.text is not None and mention.text != stands:
                raise ValueError(f"at {span} stands {stands!r} and not {mention.text!r}")
            if span in seen:
                raise ValueError(f"the mention {span} is there twice; join its ids")
            seen.add(span)
        return self


class Gold(BaseModel, frozen=True, extra="forbid"):
    """All lines of a gold file."""

    name: str
    """Of the file."""
    checksum: str
    """SHA-256 of its bytes, in hexadecimal."""
    texts: tuple[GoldText, ...]

    @classmethod
    def read(cls, path: Path) -> Self:
        """The file at that path.

        Raises:
            LinkingError: it cannot be read, or a line is not as it must be.
        """
        try:
            data = path.read_bytes()
        except OSError as e:
            raise LinkingError(
                translate(
                    "{path}: {strerror}; name a gold file (JSON lines)",
                    path=path,
                    strerror=e.strerror,
                )
            ) from e
        return cls.of_bytes(data, str(path))

    @classmethod
    def of_bytes(cls, data: bytes, name: str) -> Self:
        """The content of a file of that name.

        Raises:
            LinkingError: a line is not as it must be, or there is none.
        """
        texts = tuple(_texts(data.split(b"\n"), name))
        if not texts:
            raise LinkingError(
                translate("{name}: has no lines; write one JSON object a line", name=name)
            )
        return cls(name=name, checksum=hashlib.sha256(data).hexdigest(), texts=texts)


def _texts(lines: Iterable[bytes], name: str) -> Iterator[GoldText]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        try:
            yield GoldText.model_validate(json.loads(line.decode("utf-8-sig")))
        except ValidationError as e:
            raise LinkingError(f"{where}: {_first(e)}") from e
        except (ValueError, RecursionError) as e:  # not JSON, not UTF-8, nested without end
            raise LinkingError(
                translate(
                    "{where}: not JSON in UTF-8 ({e}); write one object a line", where=where, e=e
                )
            ) from e


def _as_text(line: dict[str, object]) -> dict[str, object]:
    """A line with ``mention`` as one with ``text``."""
    if "text" in line or "mentions" in line:
        raise ValueError("has both 'mention' and 'text'; keep one of them")
    outer: dict[str, object] = {key: line[key] for key in ("language", "types") if key in line}
    inner = {key: line[key] for key in line if key not in ("language", "types", "mention")}
    return outer | {"text": line["mention"], "mentions": [inner]}


def _only(mentions: object) -> dict[str, object] | None:
    """The only mention, if it has no offsets."""
    match mentions:
        case [dict() as only] if "start" not in only and "end" not in only:
            return only
    return None


def _first(error: ValidationError) -> str:
    """The first of what pydantic found, as a person says it."""
    details = error.errors(include_url=False)[0]
    message = details["msg"].removeprefix("Value error, ")
    at = ".".join(map(str, details["loc"]))
    return f"{at}: {message}" if at else message
