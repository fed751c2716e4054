"""medkg's own list of what holds for all common drugs of a class: contraindications, precautions.

``classes.yaml`` has things with their names in English and Chinese, and classes: their drugs, the
drug whose label to compare, and which things stand for them under ``contraindicated`` and
``precautions``. A row is one thing of one class; it gives an edge from each drug, whose ``evidence``
says the class, that no label was opened, and which to compare. Drugs of ``common_drugs.tsv`` have
its ids.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, Field, TypeAdapter

from cypher.translation import translate
from ingest.assertions import Assertion, Quarantined
from ingest.clinical_picture import common_drugs
from ingest.reading import checked_yaml, text_lines
from ingest.sources.curies import Curies
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.kind import SourceKind
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, Row, numbered, published, record_json, write_rows
from kg.progress import Progress
from kg.vocabulary import RELATION_TYPES

_SHIPPED: Final = Path(__file__).with_name("classes.yaml")
_UNREAD: Final = "one reader's knowledge, no label was opened"

Text = Annotated[str, Field(min_length=1, pattern=r"\S")]


class DrugClassesSource(SourceSettings, frozen=True):
    """The list that medkg brings, or one written like it."""

    kind: Literal["drug-classes"]
    name: SourceName = "drug-classes"
    file: Path | None = None
    """A list of your own; that of medkg if not given."""


class _Entity(BaseModel, frozen=True, extra="forbid"):
    type: Text
    id: Text | None = None
    en: Text
    zh: Text


class _Class(BaseModel, frozen=True, extra="forbid"):
    drugs: tuple[Text, ...] = Field(min_length=1)
    label: Text
    """The drug whose prescribing information is named as reference."""
    contraindicated: tuple[Text, ...] = ()
    precautions: tuple[Text, ...] = ()


class _List(BaseModel, frozen=True, extra="forbid"):
    things: dict[Text, _Entity]
    classes: dict[Text, _Class]


_LIST: Final = TypeAdapter(_List)


def files(source: DrugClassesSource) -> tuple[Path, ...]:
    """The input file."""
    return (source.file or _SHIPPED,)


def read(
    source: DrugClassesSource, out: Path, progress: Progress, _: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``; no table work is needed.

    Raises:
        SourceError: the file is not YAML or not such a list, or ``out`` cannot be written.
    """
    (path,) = files(source)
    content = _read(path)
    with (
        published(out, source.name) as part,
        progress.step(translate("read {source}", source=source.name), 1) as advance,
    ):
        result = write_rows(numbered(_rows(content, path.name)), source.name, part)
        advance(1)
    return result


def _read(path: Path) -> _List:
    with text_lines(path) as lines:
        return checked_yaml(path, lines.read(), _LIST, shipped=path == _SHIPPED)


def _rows(content: _List, file: str) -> Iterator[Row]:
    relations = RelationMap.of(__package__).relations
    ids = {drug.name: drug.id for drug in common_drugs()}
    curies = Curies()
    for name, each in content.classes.items():
        evidence = f"class: {name}|{_UNREAD}|compare the label of {each.label}"
        lists = (("contraindicated", each.contraindicated), ("precautions", each.precautions))
        for word, key in ((word, key) for word, keys in lists for key in keys):
            (mapped,) = relations[word]
            entity = content.things.get(key)
            if entity is None or entity.type not in RELATION_TYPES[mapped.relation].range:
                why = (
                    f"'{key[:100]}' is none of the things of the file"
                    if entity is None
                    else f"{mapped.relation} takes no {entity.type[:100]}"
                )
                yield [Quarantined(file, 0, word, why, record_json({"class": name, word: key}))]
                continue
            problem = curies.problem(entity.id)
            chinese = Assertion(
                *(file, 0, word, entity.id, entity.type, entity.en, "HAS_NAME"),
                value=entity.zh,
                language="zh",
                problem=problem,
            )
            edges = [
                Assertion(
                    *(file, 0, word, ids.get(drug), "Drug", drug, mapped.relation),
                    tail=entity.id,
                    tail_type=entity.type,
                    tail_name=entity.en,
                    evidence=evidence,
                    problem=problem,
                )
                for drug in each.drugs
            ]
            yield [*edges, chinese]


KIND: Final = SourceKind(
    title="medkg's list of what holds for all common drugs of a class: contraindications, precautions",
    licence="that of medkg; written from the knowledge of one reader, a language model, and not from labels",
    citation="medkg",
    needs=(),
    obtained="nothing to do: it comes with medkg",
    files=files,
    read=read,
)
