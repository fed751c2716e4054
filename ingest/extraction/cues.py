"""The table of cues: words between two mentions that state a relation."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final, Self

import yaml
from pydantic import AfterValidator, BaseModel, Field, ValidationError, model_validator

from cypher.translation import translate
from kg.errors import ConfigurationError
from kg.vocabulary import RELATION_TYPES

MENTIONED: Final = ("Disease", "Symptom", "Drug")
"""Node types that are searched for in texts."""

_PLACES: Final = re.compile(r"\{(head|tail)\}")
_WEIGHT: Final = Field(gt=0, le=1)


def _is_pattern(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as e:
        raise ValueError(f"{pattern!r} is no regular expression: {e}") from e
    return pattern


class Cue(BaseModel, frozen=True, extra="forbid"):
    """Words of a cue, with a text that has them and one that does not."""

    says: str
    example: str = ""
    but_not: str = ""

    @model_validator(mode="before")
    @classmethod
    def _may_be_words_alone(cls, value: object) -> object:
        return {"says": value} if isinstance(value, str) else value


def _has_a_pattern(cue: Cue) -> Cue:
    _is_pattern(cue.says)
    return cue


Pattern = Annotated[Cue, AfterValidator(_has_a_pattern)]
"""A cue whose words are a regular expression."""


@dataclass(frozen=True)
class Frame:
    """One way to state a relation."""

    relation: str
    head_first: bool
    before: re.Pattern[str] | None
    """Matches the text that ends at the first mention."""
    between: re.Pattern[str]
    after: re.Pattern[str] | None
    heads: frozenset[str]
    tails: frozenset[str]
    weight: float
    case: float
    reach: int
    negative: bool

    @property
    def firsts(self) -> frozenset[str]:
        """Node types of the mention before the cue."""
        return self.heads if self.head_first else self.tails

    @property
    def seconds(self) -> frozenset[str]:
        """Node types of the mention after the cue."""
        return self.tails if self.head_first else self.heads


class Group(BaseModel, frozen=True, extra="forbid"):
    """Frames that state one relation with one weight."""

    relation: str
    head: tuple[str, ...] = MENTIONED
    tail: tuple[str, ...] = MENTIONED
    weight: float = _WEIGHT
    case: float = Field(default=0.8, ge=0, le=1)
    reach: int = Field(default=5, ge=0)
    negative: bool = False
    en: tuple[Cue, ...] = ()
    zh: tuple[Cue, ...] = ()

    @model_validator(mode="after")
    def _is_usable(self) -> Self:
        if self.relation not in RELATION_TYPES:
            raise ValueError(f"{self.relation!r} is no relation type of the vocabulary")
        if not (self._types(self.head, "domain") and self._types(self.tail, "range")):
            raise ValueError(f"{self.relation} does not connect {self.head} with {self.tail}")
        list(self.frames())
        return self

    def frames(self) -> Iterator[Frame]:
        """The frames, compiled.

        Raises:
            ValueError: one lacks ``{head}`` or ``{tail}``, or is no regular expression.
        """
        for words, cue in [*((True, c) for c in self.en), *((False, c) for c in self.zh)]:
            text = cue.says
            parts = _PLACES.split(text)
            if sorted(parts[1::2]) != ["head", "tail"] or not parts[2].strip():
                raise ValueError(f"{text!r} needs {{head}}, {{tail}} and words between them")
            before, first, between, _, after = parts
            yield Frame(
                relation=self.relation,
                head_first=first == "head",
                before=_compiled(before, words=words),
                between=_compiled(between, words=words) or re.compile(""),
                after=_compiled(after, words=words),
                heads=self._types(self.head, "domain"),
                tails=self._types(self.tail, "range"),
                weight=self.weight,
                case=self.case,
                reach=self.reach,
                negative=self.negative,
            )

    def _types(self, types: tuple[str, ...], side: str) -> frozenset[str]:
        allowed: frozenset[str] = getattr(RELATION_TYPES[self.relation], side)
        return allowed.intersection(types, MENTIONED)


class QuestionType(BaseModel, frozen=True, extra="forbid"):
    """A type of question whose answer is the head of the triples of its case."""

    relation: str
    head: str
    tail: str
    weight: float = _WEIGHT
    asks: tuple[Pattern, ...]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Matches such a question."""
        return _any(self.asks)


class Cues(BaseModel, frozen=True, extra="forbid"):
    """The whole table."""

    groups: tuple[Group, ...]
    questions: tuple[QuestionType, ...]
    blanks: tuple[Pattern, ...]
    open_ends: Pattern
    no_answer: Pattern
    negators: Pattern
    walls: Pattern
    breaks: Pattern
    turns: Pattern
    relatives: Pattern
    pairwise: Pattern
    not_itself: Pattern
    persons: Pattern
    past: Pattern
    past_fields: Pattern
    too_broad: frozenset[str]

    @classmethod
    def read(cls, path: Path | None = None) -> Self:
        """A table; without a path, medkg's.

        Raises:
            ConfigurationError: it cannot be read, or does not fit.
        """
        shipped = files(__package__) / "cues.yaml"
        try:
            text = (path or shipped).read_text(encoding="utf-8")
            return cls.model_validate(yaml.safe_load(text))
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as e:
            why = " ".join(str(e).split())
            raise ConfigurationError(
                translate("{path}: not a YAML file in UTF-8: {why}", path=path, why=why)
            ) from e
        except ValidationError as e:
            first = e.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the file"
            raise ConfigurationError(
                translate(
                    "{path}: {where}: {why}; correct the file",
                    path=path,
                    where=where,
                    why=first["msg"],
                )
            ) from e

    @cached_property
    def frames(self) -> tuple[Frame, ...]:
        """All frames."""
        return tuple(frame for group in self.groups for frame in group.frames())

    @cached_property
    def blank(self) -> re.Pattern[str]:
        """The place of the answer in a question."""
        return _any(self.blanks)

    def matches(self, name: str, text: str) -> bool:
        """Whether one of the table's patterns is found in a text."""
        return self.finder(name).search(text) is not None

    def finder(self, name: str) -> re.Pattern[str]:
        """One of the table's patterns, compiled."""
        cue: Cue = getattr(self, name)
        return re.compile(cue.says, re.IGNORECASE)


def _any(cues: tuple[Cue, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{cue.says})" for cue in cues), re.IGNORECASE)


def _compiled(words_of: str, *, words: bool) -> re.Pattern[str] | None:
    """One part of a frame as a pattern; None if it is empty."""
    if not words_of.strip():
        return None
    if not words:
        return re.compile(_is_pattern(words_of))
    stripped = _is_pattern(words_of.strip())
    start = "" if stripped.startswith("-") else r"(?<!\w)"
    spaced = re.sub(r" (?!\?)", r"\\s+", stripped)
    return re.compile(rf"{start}(?:{spaced})(?!\w)", re.IGNORECASE)
