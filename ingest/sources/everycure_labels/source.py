"""What the labels in Every Cure's list of contraindications forbid besides diseases.

The list names the diseases of a label; its text, the section of contraindications of a US label,
says more. A row is a label, read at the first row that has it, and gives CONTRAINDICATED_FOR edges:

* to ``Hypersensitivity to …``, a Symptom, the drug's own or that to another drug or food;
* to groups of people: who is pregnant or breast-feeds, children below an age, neonates;
* to drugs and classes of drugs that must not be given together with it.

Of a combination whose ingredients are all in medkg's list of drugs, it says HAS_INGREDIENT. What its
label says of an allergy to an ingredient, by name or as "any of its components", forbids the
ingredient as well. All is found by rules (``everycure/labels.py``,
``words.yaml``); evidence is the part of the label. What holds under a condition only, is advice or
would have to be guessed is not taken.
"""

from collections.abc import Iterator
from functools import partial
from importlib.resources import files as files_of
from pathlib import Path
from typing import Final, Literal

import yaml

from ingest.assertions import Assertion
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.everycure.labels import (
    SEVERAL,
    Forbidden,
    LabelOf,
    LabelReader,
    Words,
    label_drug,
)
from ingest.sources.everycure.source import KIND as LISTS
from ingest.sources.everycure.source import LABEL, PAIR, Entity, Pairs, UnusableError
from ingest.sources.formats.delimited import TAB_SEPARATED
from ingest.sources.formats.drug_names import DrugNames
from ingest.sources.formats.records import Record, RecordTable, read_records
from ingest.sources.kind import SourceKind
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, Row
from kg.progress import Progress

WORD: Final = "label"
_NAME: Final = 2
"""So many words at most are the name of one drug."""


class EveryCureLabelsSource(SourceSettings, frozen=True):
    """The list of contraindications."""

    kind: Literal["everycure-labels"]
    name: SourceName = "everycure-labels"
    contraindications: Path
    """The list of contraindications, with tabs, plain or .gz; the same as for the kind everycure."""


def files(source: EveryCureLabelsSource) -> tuple[Path, ...]:
    """The input file."""
    return (source.contraindications,)


def read(
    source: EveryCureLabelsSource,
    out: Path,
    progress: Progress,
    resources: Resources = DEFAULT_RESOURCES,
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: the file cannot be read as the list, or ``out`` not be written.
    """
    columns = (*PAIR, *LABEL)
    table = RecordTable(source.contraindications, columns, TAB_SEPARATED, _Labels().read_row)
    return read_records((table,), source.name, out, progress, resources)


class _Labels:
    """Says what labels say, and what things are called in Chinese, once."""

    def __init__(self) -> None:
        words = (files_of(__package__) / "words.yaml").read_text(encoding="utf-8")
        self._names = DrugNames.of_list()
        self._reader = LabelReader(self._names, Words.model_validate(yaml.safe_load(words)))
        self._pairs = Pairs()
        mapped = RelationMap.of(__package__).relations[WORD]
        self._forbids, self._contains = mapped[0].relation, mapped[-1].relation
        self._read: set[tuple[str, str, str]] = set()
        """Drugs with their labels."""
        self._with_chinese_name: set[str] = set()
        """What was given its Chinese name."""

    def read_row(self, record: Record) -> Row:
        """The assertions from the label of a row."""
        label = (record["active_ingredient"], record["drug_id"], record["label_text"])
        if label in self._read:
            return record.refused(WORD, "an earlier row has the same label")
        self._read.add(label)
        try:
            drug = self._pairs.drug(record)
        except UnusableError as e:
            return record.refused(WORD, str(e))
        edges = tuple(self._edges(record, drug))
        return edges or record.refused(WORD, "the label forbids nothing more that is understood")

    def _edges(self, record: Record, drug: Entity) -> Iterator[Assertion]:
        ingredient = record["active_ingredient"]
        one = label_drug(self._names, ingredient, record["drug"], record["label_text"])
        parts = self._names.parts(ingredient)
        drugs = {one} if one else {each for _, _, each in self._names.found(ingredient)}
        name = None if SEVERAL.search(drug.name) else _product_name(drug.name, ingredient)
        label_of = LabelOf(frozenset(drugs), one.name if one else name, one is not None)
        assertion = partial(Assertion, record.file, record.row, WORD)
        if one is None and len(parts) > 1:
            for part in dict.fromkeys(parts):
                edge = assertion(drug.id, "Drug", drug.name, self._contains)
                yield edge._replace(tail=part.id, tail_type="Drug", tail_name=part.name)
        for each in dict.fromkeys(self._reader.forbidden(label_of, record["label_text"])):
            edge = assertion(drug.id, "Drug", drug.name, self._forbids)._replace(
                tail=each.id,
                tail_type=each.type,
                tail_name=each.name,
                evidence=each.quote.replace("|", "/"),
            )
            yield edge
            if one is None and each.ingredient in drugs:
                yield edge._replace(head=each.ingredient.id, head_name=each.ingredient.name)
            yield from self._chinese(assertion, each)

    def _chinese(self, assertion: "partial[Assertion]", each: Forbidden) -> Iterator[Assertion]:
        if each.id is None and each.name_zh and each.name not in self._with_chinese_name:
            self._with_chinese_name.add(each.name)
            named = assertion(None, each.type, each.name, "HAS_NAME")
            yield named._replace(value=each.name_zh, language="zh")


def _product_name(drug: str, ingredient: str) -> str | None:
    """What a drug is called; the list's word for what is active may be several without a comma."""
    if sorted(drug.lower().split()) == sorted(ingredient.lower().split()):
        return drug
    return ingredient if len(ingredient.split()) <= _NAME else None


KIND: Final = SourceKind(
    title="US labels in Every Cure's list: allergies, people and drugs that forbid a drug",
    licence=LISTS.licence,
    citation=LISTS.citation,
    needs=LISTS.needs[:1],
    obtained=LISTS.obtained,
    files=files,
    read=read,
)
