"""What an entry on a disease says: each field of it is a record, under the field's own name.

The relation map of a source says what a field means. Where it lists several
meanings they differ in the type of the tail, and ``Conditions`` chooses; a field that is
HAS_SECTION becomes a section of text with the heading that the source gives it.
An item that names nothing is an assertion with a problem, so that it is counted. A drug that
is called after another and its form is said to have that as its ingredient.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from ingest.assertions import Assertion, Quarantined
from ingest.identity import mint
from ingest.sources.formats.chinese.conditions import TYPES, Conditions
from ingest.sources.formats.chinese.names import (
    clean,
    denies,
    plain_text,
    unusable,
    unusable_text,
)
from ingest.sources.formats.chinese.products import Products
from ingest.sources.formats.json_files import json_type
from ingest.sources.relations import Mapped, RelationMap
from ingest.sources.writing import record_json

NAME: Final = "name"
"""The field that every entry must have."""

_LONGER_NAMES: Final = frozenset({"Drug", "Procedure", "Test"})
"""Types whose names have more than one letter; diseases (疣) and organs (肺) may have one."""
_MAX_WORD: Final = 100
"""Characters of an unknown field's name that are kept."""

Item = Assertion | Quarantined


@dataclass(frozen=True)
class Entry:
    """One disease with what a source says of it."""

    file: str
    row: int
    name: str
    """As ``clean`` leaves it, and usable."""
    document: str
    """Names the entry among those of its source; a disease may have several."""


@dataclass
class Reading:
    """How the entries of one source are read, and the records met so far."""

    source: str
    relations: RelationMap
    headings: Mapping[str, str]
    """Of the sections, by field."""
    conditions: Conditions
    non_names: Mapping[str, str]
    """What stands in lists and is no name, with the reason."""
    products: Products = field(default_factory=Products.of_list)
    rows: Counter[str] = field(default_factory=Counter)
    """Records by field."""
    _documents: Counter[str] = field(default_factory=Counter, init=False)

    def entry(
        self, file: str, row: int, name: object, record: Mapping[str, object]
    ) -> Entry | Quarantined:
        """The entry that a record begins, or the whole record, if it names no disease."""
        self.rows[NAME] += 1
        cleaned = clean(name) if isinstance(name, str) else ""
        reason = unusable(cleaned)
        if name is not None and not isinstance(name, str):
            reason = f"its name is {json_type(name)}, not a text"
        if reason:
            return Quarantined(file, row, NAME, f"no disease: {reason}", record_json(record))
        self._documents[cleaned] += 1
        occurrence = self._documents[cleaned]
        return Entry(file, row, cleaned, cleaned if occurrence == 1 else f"{cleaned} {occurrence}")

    def named(self, entry: Entry) -> Assertion:
        """That the disease has its name."""
        return _about(entry, NAME, "HAS_NAME", value=entry.name)

    def listed(
        self,
        entry: Entry,
        word: str,
        items: Iterable[str],
        refused: Mapping[str, str] = MappingProxyType({}),
    ) -> Iterator[Item]:
        """What a field with names says, an assertion each.

        Args:
            entry: whose field it is.
            word: the field.
            items: the names, as ``clean`` leaves them.
            refused: why some of them are none of this entry's.
        """
        self.rows[word] += 1
        for item in items:
            assertion = self._item(entry, word, item, refused.get(item))
            yield assertion
            if assertion.tail_type == "Drug" and assertion.problem is None:
                yield from self.ingredient(entry, word, item)

    def ingredient(self, entry: Entry, word: str, product: str) -> Iterator[Assertion]:
        """That a drug which is called after another and its form has that in it."""
        if drug := self.products.ingredient(product):
            about = (entry.file, entry.row, word, None, "Drug", product)
            yield Assertion(
                *about, "HAS_INGREDIENT", tail_type="Drug", tail_name=drug, language="zh"
            )

    def text(self, entry: Entry, word: str, text: str) -> Iterator[Item]:
        """What a field with a text says: a definition, or a section."""
        self.rows[word] += 1
        plain = plain_text(text)
        problem = unusable_text(plain)
        if word in self.relations.attributes:
            relation = self.relations.attributes[word]
            yield _about(entry, word, relation, value=plain, problem=problem)
        else:
            yield from _section(self.source, entry, word, self.headings[word], plain, problem)

    def refused(self, entry: Entry, word: str, reason: str, value: object) -> Quarantined:
        """A field that says nothing."""
        word = word[:_MAX_WORD]
        self.rows[word] += 1
        record = record_json({"name": entry.name, word: value})
        return Quarantined(entry.file, entry.row, word, reason, record)

    def _item(self, entry: Entry, word: str, name: str, refused: str | None) -> Assertion:
        problem = refused or self.non_names.get(name) or unusable(name)
        if word in self.relations.attributes:
            relation = self.relations.attributes[word]
            if relation == "HAS_SYNONYM" and len(name) == 1:
                problem = problem or _piece(name)
            return _about(entry, word, relation, value=name, problem=problem)
        meaning = self._meaning(word, name)
        problem = problem or self._type_problem(name, meaning.tail)
        ends = {"tail_type": meaning.tail, "tail_name": name}
        return _about(entry, word, meaning.relation, problem=problem, **ends)

    def _type_problem(self, name: str, tail_type: str | None) -> str | None:
        """Why what stands in a list is none of its kind; None where it may be."""
        if tail_type == "Procedure" and denies(name):
            return f"it denies a treatment: {name!r}"
        if len(name) == 1 and tail_type in _LONGER_NAMES:
            return _piece(name)
        # departments are called after what they treat (肝病)
        if tail_type not in (*TYPES, "Department") and self.conditions.is_disease(name):
            return f"{name!r} has an entry of its own as a disease"
        return None

    def _meaning(self, word: str, name: str) -> Mapped:
        meanings = self.relations.relations[word]
        if len(meanings) == 1:
            return meanings[0]
        tail = self.conditions.type_of(name, meanings[0].tail or "")
        return next((meaning for meaning in meanings if meaning.tail == tail), meanings[0])


def _piece(letter: str) -> str:
    return f"one character alone may be a piece of a name: {letter!r}"


def _about(entry: Entry, word: str, relation: str, **fields: Any) -> Assertion:  # noqa: ANN401 -- fields of Assertion
    about = (entry.file, entry.row, word, None, "Disease", entry.name)
    return Assertion(*about, relation, language="zh", **fields)


def _section(  # noqa: PLR0917 -- a section is all of these
    source: str, entry: Entry, word: str, heading: str, text: str, problem: str | None
) -> Iterator[Assertion]:
    section = mint("Section", f"{source} {entry.document} {heading}")
    yield _about(
        entry,
        word,
        "HAS_SECTION",
        tail=section,
        tail_type="Section",
        tail_name=heading,
        problem=problem,
    )
    if problem is None:
        about = (entry.file, entry.row, word, section, "Section", heading)
        yield Assertion(*about, "HAS_NAME", value=heading, language="zh")
        yield Assertion(*about, "HAS_TEXT", value=text, language="zh")
