"""One row of a table of indications, checked, and the assertions that are made of it."""

import re
from typing import Final, NamedTuple

from ingest.assertions import Assertion
from ingest.sources.formats.records import Record
from ingest.sources.relations import Mapped

_WRITTEN: Final = {
    "DRUGBANK": (re.compile(r"DB\d{5}", re.ASCII), "DrugBank id"),
    "DOID": (re.compile(r"DOID:\d+", re.ASCII), "id of the Disease Ontology"),
    "OMIM": (re.compile(r"\d{6}", re.ASCII), "OMIM number"),
    "UMLS": (re.compile(r"C\d{7}", re.ASCII), "CUI"),
    "DRUGCENTRAL": (re.compile(r"\d+", re.ASCII), "id of DrugCentral"),
}


class UnusableRecordError(Exception):
    """A record states nothing for the graph; the message says why."""


class Entity(NamedTuple):
    """A drug, a disease or a concept."""

    id: str | None
    type: str
    name: str | None = None


class Statement(NamedTuple):
    """The common fields of the assertions of a row."""

    record: Record
    word: str
    """The original relation of the row."""

    def id(self, column: str, prefix: str) -> str:
        """A column's id as a CURIE.

        Raises:
            UnusableRecordError: it is none.
        """
        pattern, what = _WRITTEN[prefix]
        written = self.record[column]
        if not pattern.fullmatch(written):
            raise UnusableRecordError(f"'{written[:100]}' in {column} is no {what}")
        return written if ":" in written else f"{prefix}:{written}"

    def name(self, column: str) -> str:
        """A column's text.

        Raises:
            UnusableRecordError: it is empty.
        """
        if not (name := self.record[column].strip()):
            raise UnusableRecordError(f"{column} is empty")
        return name

    def edge(
        self,
        mapped: Mapped,
        first: Entity,
        second: Entity,
        *,
        evidence: str | None = None,
        weight: float | None = None,
    ) -> Assertion:
        """The edge between both entities, as the relation map has it."""
        head, tail = (second, first) if mapped.inverted else (first, second)
        return self._assertion(head, mapped.relation)._replace(
            tail=tail.id,
            tail_type=tail.type,
            tail_name=tail.name,
            evidence=evidence,
            weight=weight,
        )

    def attribute(self, entity: Entity, attribute: str, value: str) -> Assertion:
        """An attribute of one of them."""
        return self._assertion(entity, attribute)._replace(value=value)

    def concept(self, entity: Entity, cui: str) -> Assertion:
        """The UMLS concept of an entity."""
        assertion = self._assertion(entity, "HAS_CUI")
        return assertion._replace(tail=cui, tail_type="Concept")

    def _assertion(self, entity: Entity, relation: str) -> Assertion:
        record = self.record
        return Assertion(record.file, record.row, self.word, *entity, relation)
