"""Dictionaries of Chinese question answering systems: a folder of text files, a name a line.

Those of QASystemOnMedicalKG (disease.txt, drug.txt …), of RAGQnASystem (疾病.txt,
药品.txt …) and of QASystemOnMedicalGraph (disease_vocab.txt …). The file tells the type of the
things that it names, and is what a record is called here. A condition that
one of the folder's lists of diseases has is a disease in every other list, too. A drug that is
called after another and its form (阿莫西林胶囊) has that as its ingredient.

Every .txt file of the folder is read: one whose things have no type goes into
quarantine, line by line.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field

from cypher.translation import translate
from ingest.assertions import Assertion, Quarantined
from ingest.reading import text_lines
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.chinese.conditions import TYPES as CONDITIONS
from ingest.sources.formats.chinese.conditions import Conditions
from ingest.sources.formats.chinese.names import clean, unusable
from ingest.sources.formats.chinese.products import Products
from ingest.sources.kind import SourceKind
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, Row, published, record_json, write_rows
from kg.errors import SourceError
from kg.progress import Progress
from kg.vocabulary import NODE_TYPES

TYPES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("disease", "disease_vocab", "alias_vocab", "疾病"), "Disease"),
    "complications_vocab": "Disease",
    **dict.fromkeys(("symptom", "symptom_vocab", "疾病症状"), "Symptom"),
    **dict.fromkeys(("check", "检查项目"), "Test"),
    **dict.fromkeys(("department", "科目"), "Department"),
    **dict.fromkeys(("drug", "药品"), "Drug"),
    **dict.fromkeys(("food", "食物"), "Food"),
    "治疗方法": "Procedure",
}
"""Node type by the name of a file, without .txt."""

_UNCERTAIN: Final = frozenset({"complications_vocab"})
"""Lists that are of one type but for what another list of the folder says."""


def _is_node_type(name: str) -> str:
    if name not in NODE_TYPES:
        raise ValueError(f"{name!r} is no node type; take one of {', '.join(NODE_TYPES)}")
    return name


class ZhDictionarySource(SourceSettings, frozen=True):
    """A folder of dictionaries."""

    kind: Literal["zh-dictionary"]
    name: SourceName = "zh-dictionary"
    folder: Path
    """Holds the .txt files."""
    types: dict[str, Annotated[str, AfterValidator(_is_node_type)]] = Field(default_factory=dict)
    """Node type of further files, by their name without .txt."""
    encoding: str = "utf-8"
    """Encoding of the file, by its Python name, e.g. gb18030."""


def files(source: ZhDictionarySource) -> tuple[Path, ...]:
    """The input files, in a fixed order.

    Raises:
        SourceError: the folder has none.
    """
    paths = sorted(source.folder.glob("*.txt"))
    if not paths:
        raise SourceError(
            f"{source.folder}: no .txt file is in it; "
            "correct the source's folder in the configuration"
        )
    return tuple(paths)


def read(
    source: ZhDictionarySource, out: Path, progress: Progress, _: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: a file cannot be read, or ``out`` not be written.
    """
    paths, types = files(source), {**TYPES, **source.types}
    relations = RelationMap.of("ingest.sources.zh_dictionary")
    conditions, products = _conditions(source, paths, types), Products.of_list()

    def rows() -> Iterator[Row]:
        for path in paths:
            node_type = types.get(path.stem)
            for row, line in _lines(path, source.encoding):
                if node_type is None:
                    yield [_untyped(path, row, line, relations)]
                else:
                    yield _named(path, row, clean(line), node_type, conditions, products)
            advance(1)

    with (
        published(out, source.name) as folder,
        progress.step(translate("read {source}", source=source.name), len(paths)) as advance,
    ):
        return write_rows(rows(), source.name, folder)


def _lines(path: Path, encoding: str) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers; blank lines name nothing and count as lines."""
    with text_lines(path, encoding) as lines:
        for row, line in enumerate(lines, 1):
            if line.strip():
                yield row, line.strip()


def _conditions(
    source: ZhDictionarySource, paths: tuple[Path, ...], types: Mapping[str, str]
) -> Conditions:
    names: dict[str, list[str]] = {name: [] for name in CONDITIONS}
    for path in paths:
        node_type = types.get(path.stem)
        if node_type in names and path.stem not in _UNCERTAIN:
            names[node_type] += (clean(line) for _, line in _lines(path, source.encoding))
    return Conditions(names["Disease"], names["Symptom"])


def _named(  # noqa: PLR0917 -- a line and what decides on its meaning
    path: Path,
    row: int,
    name: str,
    node_type: str,
    conditions: Conditions,
    products: Products,
) -> Row:
    if reason := unusable(name):
        return [Quarantined(path.name, row, path.stem, reason, record_json({"name": name}))]
    if node_type in CONDITIONS:
        node_type = conditions.type_of(name, node_type)
    base = (path.name, row, path.stem, None, node_type, name)
    assertions = [Assertion(*base, "HAS_NAME", value=name, language="zh")]
    if node_type == "Drug" and (drug := products.ingredient(name)):
        assertions.append(
            Assertion(*base, "HAS_INGREDIENT", tail_type="Drug", tail_name=drug, language="zh")
        )
    return assertions


def _untyped(path: Path, row: int, line: str, relations: RelationMap) -> Quarantined:
    reason = relations.quarantined.get(path.stem)
    if reason is None:
        reason = f"the type of what {path.name} names is not known; give it in 'types'"
    return Quarantined(path.name, row, path.stem, reason, record_json({"line": line}))


KIND: Final = SourceKind(
    title="dictionaries of Chinese question answering systems: a name a line",
    licence="none is stated",
    citation="liuhuanyong/QASystemOnMedicalKG, honeyandme/RAGQnASystem or "
    "zhihao-chen/QASystemOnMedicalGraph on GitHub",
    needs=("a folder of .txt files",),
    obtained="GitHub: liuhuanyong/QASystemOnMedicalKG (dict/), honeyandme/RAGQnASystem "
    "(data/ent_aug/), zhihao-chen/QASystemOnMedicalGraph (data/*_vocab.txt)",
    files=files,
    read=read,
)
