"""Decides which phrases of a section have the section's relation, by the words around them."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Annotated, Any, Final, Self

from pydantic import AfterValidator, BaseModel, ConfigDict

from kg.shipped import shipped_table
from kg.text.phrases import Phrase
from kg.text.spelling import singular
from kg.vocabulary import NODE_TYPES, RELATION_TYPES

_PACKAGE: Final = "ingest.sources.pages"
_NOTHING: Final = re.compile(r"(?!)")
_WINDOW: Final = 160
"""Characters before a phrase that are looked at."""
_NEAR: Final = 100
_GOES_ON: Final = re.compile(r"\s*(?:,|and\b|or\b|\()")
_FILLERS: Final = re.compile(
    r"(?: (?:an?|the|any|some|your|their|his|her|its|other|certain|more))+$"
)


def _compiles(pattern: str) -> str:
    re.compile(pattern)
    return pattern


class Cue(BaseModel, frozen=True, extra="forbid"):
    """A regular expression, with a text that it is found in and one that it is not."""

    says: Annotated[str, AfterValidator(_compiles)]
    example: str
    but_not: str


Patterns = tuple[Cue, ...]


ROLES: Final = (
    *("leads", "follows", "follows_far", "refused", "refused_unless_led"),
    *("refused_after", "refused_words", "refused_lists"),
)
"""Roles of a cue."""


class Cues(BaseModel, frozen=True, extra="forbid"):
    """Words around the phrases of one relation; see cues.yaml."""

    model_config = ConfigDict(ignored_types=(cached_property,))

    leads: Patterns = ()
    follows: Patterns = ()
    follows_far: Patterns = ()
    refused: Patterns = ()
    refused_unless_led: Patterns = ()
    refused_after: Patterns = ()
    refused_words: Patterns = ()
    refused_lists: Patterns = ()
    told: tuple[str, ...] = ()
    """Sufficient types: a phrase of running text with one of them needs no cue."""
    instructions: bool = False
    """Whether items that are instructions are taken."""
    typed: tuple[str, ...] = ()
    """Types of which a phrase of running text must have one; empty: any type or none."""

    def with_those_everywhere(self, everywhere: "Cues") -> "Cues":
        """These cues, with those that refuse phrases in every relation."""
        return self.model_copy(
            update={
                name: (*getattr(self, name), *getattr(everywhere, name))
                for name in ("refused", "refused_after", "refused_words")
            }
        )

    @cached_property
    def _patterns(self) -> dict[str, re.Pattern[str]]:
        return {
            role: _any(bounded(role, cue.says) for cue in getattr(self, role)) for role in ROLES
        }

    def admits(self, phrase: Phrase, type_: str | None) -> bool:
        """Whether a phrase is in the relation.

        Args:
            phrase: of a section under the relation's heading.
            type_: the type by its own words; None if they have none.
        """
        patterns = self._patterns
        before, after = plain(phrase.before)[-_WINDOW:], plain(phrase.after)
        if patterns["refused_words"].search(plain(phrase.text)):
            return False
        if phrase.place != "prose":
            is_meant = phrase.place == "item" or self.instructions
            return is_meant and not patterns["refused_lists"].search(before)
        bare = _FILLERS.sub("", before)
        if patterns["refused"].search(bare) or patterns["refused_after"].match(after):
            return False
        if self.typed and type_ not in self.typed:
            return False
        led = patterns["leads"].search(bare)
        if led is None and patterns["refused_unless_led"].search(bare):
            return False
        led = led or _follows(patterns["follows"], phrase.after)
        led = led or patterns["follows_far"].search(re.split(r"[.;:]", after)[0][:_NEAR])
        return led is not None or type_ in self.told


def bounded(role: str, pattern: str) -> str:
    """The pattern of a cue, bound to the beginning of a word or of the following text."""
    match role:
        case "leads" | "refused_unless_led":
            return rf"\b{pattern}"
        case "follows" | "follows_far":
            return rf"\b(?:{pattern})"
        case "refused" if pattern[0] == "(" and "n't" not in pattern:
            return rf"\b{pattern}"
        case "refused_after":
            return rf"^(?:{pattern})"
    return pattern


def _follows(pattern: re.Pattern[str], after: str) -> re.Match[str] | None:
    """The cue after a phrase, or after others that it is coordinated with."""
    if _GOES_ON.match(after):
        return pattern.search(plain(after)[:_WINDOW])
    return pattern.match(plain(after))


def plain(text: str) -> str:
    """Words in small letters, single blanks, no marks at the ends but a colon's word."""
    return " ".join(text.lower().replace("\u2019", "'").split()).strip(" ,;()-\u2013\u2014\"'")


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    joined = "|".join(f"(?:{pattern})" for pattern in patterns)
    return re.compile(joined) if joined else _NOTHING


class Types:
    """Finds the types of a phrase from its words; see types.yaml."""

    def __init__(self, words: dict[str, dict[str, Any]]) -> None:
        self._heads: dict[str, list[str]] = {}
        self._endings: list[tuple[str, str]] = []
        self._types_by_head: dict[str, frozenset[str]] = {}
        for node_type, row in words.items():
            if node_type not in NODE_TYPES:
                raise ValueError(f"{node_type!r} is no node type of the vocabulary")
            for head in row.get("heads", "").split():
                self._heads.setdefault(head, []).append(node_type)
            self._endings += [(ending, node_type) for ending in row.get("endings", "").split()]
        self._endings.sort(key=lambda each: -len(each[0]))

    @classmethod
    def read(cls) -> Self:
        """The types that medkg brings."""
        return cls(_yaml("types.yaml"))

    def types_of(self, phrase: Phrase) -> frozenset[str]:
        """The types of a phrase by its words; empty if they have none."""
        if phrase.place == "instruction" or _INSTRUCTION.match(phrase.text):
            return _BEHAVIOR
        types = self._types_by_head.get(phrase.head)
        if types is None:
            types = self._types_by_head[phrase.head] = frozenset(self._of_word(phrase.head))
        first = phrase.text.split(maxsplit=1)[0]
        is_gerund = first.endswith("ing") and len(first) > _SHORTEST_GERUND and "-" not in first
        return types or (_BEHAVIOR if is_gerund else types)

    def _of_word(self, head: str) -> Iterator[str]:
        word = singular(head)
        types = (*self._heads.get(word, ()), *self._heads.get(head, ()))
        yield from types
        if not types:
            yield from (type_ for ending, type_ in self._endings if _ends(word, ending))


_SHORTEST_STEM: Final = 2
_SHORTEST_GERUND: Final = 5
_BEHAVIOR: Final = frozenset(("Behavior",))
_INSTRUCTION: Final = re.compile("避免|戒|不|勿|接种|保持|加强|注意|坚持|养成|多|少")


def _ends(word: str, ending: str) -> bool:
    """Whether a word has an ending and a stem; a Chinese ending may be the whole."""
    stem = _SHORTEST_STEM if ending.isascii() else 0
    return word.endswith(ending) and len(word) >= len(ending) + stem


def read_cues() -> dict[str, Cues]:
    """The cues that medkg brings, by relation."""
    cues_by_relation = {name: Cues.model_validate(row) for name, row in _yaml("cues.yaml").items()}
    everywhere = cues_by_relation.pop("everywhere")
    if unknown := cues_by_relation.keys() - RELATION_TYPES.keys():
        raise ValueError(f"cues.yaml: no relation types: {sorted(unknown)}")
    return {
        name: cues.with_those_everywhere(everywhere) for name, cues in cues_by_relation.items()
    }


def _yaml(name: str) -> dict[str, Any]:
    content = shipped_table(_PACKAGE, name)
    return dict(content)
