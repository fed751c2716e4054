"""Every Cure's lists: what drugs are approved for, and in which conditions labels forbid them.

Contraindications were drawn from US drug labels (DailyMed) with the help of a language model, which
also chose the ids of drug and condition; approvals (FDA, EMA, PMDA) were named in the same way. A
row is an edge from the drug; conditions of HPO are Symptoms, all others Diseases. A thing that is
known by a UMLS concept is its name, and HAS_CUI leads to the concept. A contraindication is of the
drug that the label is of: where the row calls it by another name than medkg's list of drugs, the
row's id is that of a salt, of an active form (enalaprilat for enalapril) or of another drug (atropine
for hyoscyamine), and is not taken.

Evidence of a contraindication is what the label calls the condition, and ``is_allergen`` or
``is_diagnostic_agent`` where the list says so of the drug or a part of it: the label forbids these
no less. Quarantined is what the row's own label shows to be wrong: forbidden only together with
another drug, or allowed; and ids that were found to be of another condition (``wrong_names.yaml``).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.resources import files as files_of
from pathlib import Path
from typing import Final, Literal, NamedTuple, Self

import yaml
from pydantic import model_validator

from ingest.assertions import Assertion
from ingest.sources.curies import Curies
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.everycure.labels import label_drug
from ingest.sources.formats.delimited import TAB_SEPARATED
from ingest.sources.formats.drug_names import DrugNames
from ingest.sources.formats.records import Record, RecordTable, read_records
from ingest.sources.kind import SourceKind
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, Row
from kg.progress import Progress

PAIR: Final = ("drug_id", "drug", "disease_id", "disease")
FLAGS: Final = ("is_allergen", "is_diagnostic_agent")
LABEL: Final = ("label_text", "condition_in_label", "active_ingredient")
_PACKAGE: Final = "ingest.sources.everycure"
_SPELLINGS: Final = {"DrugCentral": "DRUGCENTRAL"}
"""Prefixes that other sources here write in another way, and Bioregistry has as they are."""
_CUI: Final = re.compile(r"UMLS:C\d{7}", re.ASCII)
_ONLY_TOGETHER: Final = re.compile(
    r"(?:\baliskiren\b|\bco-?administ\w+|\bconcomitant (?:administration|use))[^.;:•]{0,160}"
    r"\bin (?:patients|subjects) with (?:[\w-]+ (?:or )?){0,3}$"
)
_ALLOWED: Final = re.compile(r"\bmay be used in patients with $")
_BEFORE: Final = 260
"""Characters of a label before a condition that are looked at."""


class EveryCureSource(SourceSettings, frozen=True):
    """The lists; at least one."""

    kind: Literal["everycure"]
    name: SourceName = "everycure"
    contraindications: Path | None = None
    """The list of contraindications, with tabs, plain or .gz."""
    indications: Path | None = None
    """The list of indications, with tabs, plain or .gz."""

    @model_validator(mode="after")
    def _reads_something(self) -> Self:
        if self.contraindications is None and self.indications is None:
            raise ValueError("give the list of 'contraindications', of 'indications', or both")
        return self


def files(source: EveryCureSource) -> tuple[Path, ...]:
    """The input files."""
    return tuple(filter(None, (source.contraindications, source.indications)))


def read(
    source: EveryCureSource,
    out: Path,
    progress: Progress,
    resources: Resources = DEFAULT_RESOURCES,
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: a file cannot be read as its list, or ``out`` not be written.
    """
    pairs = Pairs()
    tables = []
    if source.contraindications is not None:
        columns = (*PAIR, *LABEL, *FLAGS)
        statements = partial(pairs.contraindicated, _wrong_names())
        tables.append(RecordTable(source.contraindications, columns, TAB_SEPARATED, statements))
    if source.indications is not None:
        tables.append(RecordTable(source.indications, PAIR, TAB_SEPARATED, pairs.indicated))
    return read_records(tables, source.name, out, progress, resources)


class Entity(NamedTuple):
    """A drug or a condition."""

    id: str | None
    type: str
    name: str
    cui: str | None


class UnusableError(Exception):
    """A row states nothing for the graph; the message says why."""


class Pairs:
    """Assertions from rows of both lists; a concept is stated once for each name."""

    def __init__(self) -> None:
        """Knows the drugs of medkg's list."""
        self._curies = Curies()
        self._stated: set[Entity] = set()
        self._words = RelationMap.of(_PACKAGE).relations
        self._names = DrugNames.of_list()

    def indicated(self, record: Record) -> Row:
        """The assertions of a row of the indications."""
        return self._edge(record, "indication", lambda _: None)

    def contraindicated(self, wrong_names: Mapping[str, list[str]], record: Record) -> Row:
        """The assertions of a row of the contraindications."""

        def evidence(disease: str) -> str:
            written = record["condition_in_label"].strip()
            if not written:
                raise UnusableError("the row does not say what the label calls the condition")
            marks = [name for name in FLAGS if _is_true(record, name)]
            if disease in wrong_names.get(written.lower(), ()):
                raise UnusableError(
                    f"the label's '{written[:100]}' is not {disease} "
                    f"({record['disease'][:100]}), which the list names it"
                )
            if reason := _contradicted(record["label_text"], written):
                raise UnusableError(reason)
            return "|".join((written.replace("|", "/"), *marks))

        return self._edge(record, "contraindication", evidence)

    def _edge(self, record: Record, word: str, evidence: Callable[[str], str | None]) -> Row:
        try:
            drug = self.drug(record) if word == "contraindication" else self._drug(record)
            condition = self._entity(record, "disease", "Disease")
            evidence_text = evidence(condition.id or condition.cui or "")
        except UnusableError as e:
            return record.refused(word, str(e))
        base = Assertion(record.file, record.row, word, *drug[:3], self._words[word][0].relation)
        edge = base._replace(
            tail=condition.id,
            tail_type=condition.type,
            tail_name=condition.name,
            evidence=evidence_text,
        )
        return (edge, *self._concepts(base, drug, condition))

    def drug(self, record: Record) -> Entity:
        """The drug that the label of a contraindication is of.

        Raises:
            UnusableError: medkg's list lacks it, and its id or name here is unusable.
        """
        texts = (record["active_ingredient"], record["drug"], record["label_text"])
        named = label_drug(self._names, *texts)
        if named is None:
            return self._drug(record)
        names = {named.name.lower()}
        if named == self._names.named(record["active_ingredient"]):
            names.add(record["active_ingredient"].lower())
        if record["drug"].strip().lower() in names:
            return self._drug(record)
        return Entity(named.id, "Drug", named.name, None)

    def _drug(self, record: Record) -> Entity:
        return self._entity(record, "drug", "Drug")

    def _entity(self, record: Record, end: str, node_type: str) -> Entity:
        """The end of a row, its id as it is written here.

        Raises:
            UnusableError: it has no id, none that is known, or no name.
        """
        written, name = record[f"{end}_id"].strip(), record[end].strip()
        prefix, colon, local = written.partition(":")
        spelt = (
            _SPELLINGS.get(prefix) or self._curies.spelling(prefix) if prefix and colon else None
        )
        id_ = written if spelt is None else f"{spelt}:{local}"
        if problem := self._curies.problem(id_):
            raise UnusableError(f"{end}_id: {problem}")
        if not name:
            raise UnusableError(f"the row gives {end}_id no name")
        if not id_.startswith("UMLS:"):
            finding = node_type == "Disease" and id_.startswith("HP:")
            return Entity(id_, "Symptom" if finding else node_type, name, None)
        if not _CUI.fullmatch(id_):
            raise UnusableError(f"{end}_id: '{id_[:100]}' is no UMLS concept; write C0018099")
        return Entity(None, node_type, name, id_)

    def _concepts(self, base: Assertion, *entities: Entity) -> Iterator[Assertion]:
        for entity in entities:
            if entity.cui is not None and entity not in self._stated:
                self._stated.add(entity)
                yield base._replace(
                    head=entity.id,
                    head_type=entity.type,
                    head_name=entity.name,
                    relation="HAS_CUI",
                    tail=entity.cui,
                    tail_type="Concept",
                )


def _is_true(record: Record, column: str) -> bool:
    written = record[column].strip()
    if written.upper() not in ("TRUE", "FALSE"):
        raise UnusableError(f"'{written[:100]}' in {column} is neither TRUE nor FALSE")
    return written.upper() == "TRUE"


def _contradicted(label: str, condition: str) -> str | None:
    """What the label says against a row; None where it does not, or names the condition otherwise."""
    text = " ".join(label.lower().split())
    words = r"\W+".join(map(re.escape, condition.lower().split()))
    before = [
        text[max(0, match.start() - _BEFORE) : match.start()]
        for match in re.finditer(rf"\b{words}\b", text)
    ]
    if not before:
        return None
    if all(map(_ONLY_TOGETHER.search, before)):
        return f"the label forbids it in '{condition[:100]}' only together with another drug"
    if all(map(_ALLOWED.search, before)):
        return f"the label says that it may be used in '{condition[:100]}'"
    return None


def _wrong_names() -> dict[str, list[str]]:
    text = (files_of(_PACKAGE) / "wrong_names.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


KIND: Final = SourceKind(
    title="Every Cure: what drugs are approved for, and in which conditions labels forbid them",
    licence=(
        "none is stated, ask before you pass anything on (labels of US drugs are in the public "
        "domain); drawn from labels and named in ontologies with the help of a language model: "
        "some rows are wrong"
    ),
    citation="Every Cure, matrix-indication-list on GitHub",
    needs=(
        f"a list of contraindications with the columns {', '.join((*PAIR, *LABEL, *FLAGS))}",
        f"or one of indications with the columns {', '.join(PAIR)}",
    ),
    obtained=(
        "GitHub: everycure-org/matrix-indication-list (data/03_primary: "
        "matrix_contraindication_list.xlsx, matrix_indication_list.xlsx), saved with tabs and "
        "these names of columns"
    ),
    files=files,
    read=read,
)
