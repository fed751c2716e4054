"""Assertions from the rows of mapping sets."""

from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from ingest.equivalence import prefix
from ingest.sources.curies import Curies
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.identifiers import Identifiers, is_iri
from ingest.sources.formats.sssom import COLUMNS, Metadata, metadata
from ingest.sources.formats.tab_lines import Line, Table, read_tables
from ingest.sources.ontology.cross_references import UMLS, AssertionHead, cross_reference
from ingest.sources.ontology.types import NodeTypeName, TermTypes
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceSettings
from ingest.sources.writing import ReadResult, Row
from kg.errors import SourceError
from kg.progress import Progress

_ENDINGS: Final = ("*.sssom.tsv", "*.sssom.tsv.gz")
_EXACT: Final = "HAS_EXACT_MATCH"
_NOTHING: Final = "sssom:NoTermFound"
_NOT_ONE: Final = {
    "rdfs literal": "a text and not an id",
    "composed entity expression": "an expression of several ids",
}
"""What an end is if it is no one entity."""


class MappingSettings(SourceSettings, frozen=True):
    """Mapping sets and what to take from them."""

    file: Path
    """A mapping set, plain or .gz, or a folder of them (*.sssom.tsv, *.sssom.tsv.gz)."""
    types: dict[str, NodeTypeName] = Field(default_factory=dict)
    """Node type by prefix of the id, e.g. {EFO: Disease}; goes before medkg's own."""
    least_confidence: Annotated[float, Field(ge=0, le=1)] = 0
    """Mappings with a lower confidence are quarantined; those without one are taken."""


def mapping_sets(source: MappingSettings) -> tuple[Path, ...]:
    """The mapping sets of a source, in a fixed order.

    Raises:
        SourceError: its folder has none.
    """
    if not source.file.is_dir():
        return (source.file,)
    paths = sorted(path for ending in _ENDINGS for path in source.file.glob(ending))
    if not paths:
        raise SourceError(
            f"{source.file}: no *.sssom.tsv is in it; correct the source's file in the configuration"
        )
    return tuple(paths)


def read_mappings(
    source: MappingSettings, out: Path, progress: Progress, _: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: a file cannot be read, or ``out`` not be written.
    """
    words = RelationMap.of("ingest.sources.sssom")
    types = TermTypes.shipped().with_settings(source.types, {})
    least = source.least_confidence
    tables = [
        Table(path, COLUMNS, _MappingSet(metadata(path), words, types, least).statements)
        for path in mapping_sets(source)
    ]
    return read_tables(tables, source.name, out, progress)


class _MappingSet:
    """Makes the assertions of the rows of one file."""

    def __init__(
        self, header: Metadata, words: RelationMap, types: TermTypes, least: float
    ) -> None:
        self._header = header
        self._words = words
        self._types = types
        self._least = least
        self._identifiers = Identifiers(header.curie_map)
        self._curies = Curies()

    def statements(self, line: Line) -> Row:
        """The assertions about the end that has a node type, or the row quarantined."""
        word = self._word(line)
        if reason := self._why_not(line, word):
            return line.refused(word, reason)
        subject, object_ = (
            (self._identifiers.spelled(line[f"{end}_id"]), line[f"{end}_label"] or None)
            for end in ("subject", "object")
        )
        may_turn = self._words.attributes[word] == _EXACT or subject[0].startswith(UMLS)
        ends = ((subject, object_), (object_, subject)) if may_turn else ((subject, object_),)
        for (head, label), (other, _) in ends:
            if node_type := self._types.of_id(head):
                return self._row(
                    AssertionHead(line.file, line.row, word, head, node_type, label), other, line
                )
        prefixes = " or ".join(dict.fromkeys(prefix(head[0]) for head, _ in ends))
        return line.refused(word, f"no node type for the prefix {prefixes}; add one to 'types'")

    def _word(self, line: Line) -> str:
        written = line["predicate_id"] or "no predicate"
        predicate = self._identifiers.compact(written) if is_iri(written) else written
        modifier = line["predicate_modifier"]
        return f"{modifier} {predicate}" if modifier else predicate

    def _why_not(self, line: Line, word: str) -> str | None:
        for end in ("subject", "object"):
            if reason := self._why_no_end(line, end):
                return reason
        if line["predicate_modifier"]:
            return "the mapping says that the two do not match so"
        if word not in self._words.attributes:
            return self._words.why_not(word)
        confidence = _number(line["confidence"])
        if confidence is not None and confidence < self._least:
            return f"the confidence is below {self._least}"
        return None

    def _why_no_end(self, line: Line, end: str) -> str | None:
        kind = line[f"{end}_type"] or getattr(self._header, f"{end}_type")
        if kind in _NOT_ONE:
            return f"the {end} is {_NOT_ONE[kind]}"
        if line[f"{end}_id"] == _NOTHING:
            return "the mapping says that the other ontology has no such term"
        return None if line[f"{end}_id"] else f"the row has no {end}"

    def _row(self, head: AssertionHead, other: str, line: Line) -> Row:
        attribute = self._words.attributes[head.original_relation]
        written = line["confidence"]
        confidence = _number(written)
        problem = self._curies.problem(head.id)
        if written and confidence is None:
            problem = f"'{written[:100]}' is no confidence between 0 and 1"
        if other == head.id:
            problem = "the id is mapped to itself"
        assertions = cross_reference(head, other, self._curies, attribute, problem)
        evidence = line["mapping_justification"] or None
        return tuple(one._replace(weight=confidence, evidence=evidence) for one in assertions)


def _number(text: str) -> float | None:
    """A confidence; None where it is none."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number <= 1 else None
