"""The files of the sample: what stands in them, and the statements they make."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from ingest.assertions import Assertion, Quarantined
from ingest.identity import mint
from ingest.reading import checked_yaml
from ingest.sources.curies import Curies
from ingest.sources.writing import Row, record_json
from kg.errors import SourceError
from kg.tables import SEPARATOR
from kg.text.words import HAN
from kg.vocabulary import LANGUAGES, RELATION_TYPES

SAMPLE: Final = Path(__file__).parents[2] / "sample"
"""The folder of medkg's own."""

FOLDERS: Final = {"diseases": "Disease", "drugs": "Drug", "symptoms": "Symptom"}
"""Node type of the files in a folder."""

HEADINGS: Final = (
    *("Overview", "Symptoms", "Causes", "Risk factors"),
    *("Diagnosis", "Treatment", "Prevention", "When to see a doctor"),
)
"""Sections of a page."""

NAME_COLUMNS: Final = ("id", "term", "kind", "language", "name", "reference")
"""Of a table of names: what is named (``id`` is empty for what no ontology names, ``term`` is its
English name), the name, and where it was read."""

NAME_KINDS: Final = {
    "INN": "international nonproprietary name of the World Health Organization",
    "USAN": "name adopted in the United States (United States Adopted Name)",
    "USP": "name in the United States Pharmacopeia",
    "brand": "name of a product that has this drug alone",
    "abbreviation": "letters that stand for the name",
    "lay": "everyday words",
}
"""What sort of name it is."""

Text = Annotated[str, Field(min_length=1, pattern=r"\S")]
_PAGE: Final = re.compile(r"---\n(?P<matter>.*?)\n---\n(?P<body>.*)", re.DOTALL)
_HEADING: Final = re.compile(r"^(?P<marks>#{1,2})[ \t]+(?P<heading>.*?)[ \t]*$", re.MULTILINE)
_HAN: Final = re.compile(f"[{HAN}]")


class Reference(BaseModel, frozen=True, extra="forbid"):
    """Where a fact was read."""

    title: Text
    publisher: Text
    url: str | None = None

    def publication(self) -> str:
        """The reference as one value of ``publications``."""
        parts = [f"{self.publisher}: {self.title}", self.url or ""]
        return " ".join(filter(None, parts)).replace(SEPARATOR, "/")


class Names(BaseModel, frozen=True, extra="forbid"):
    """A name in both languages."""

    en: Text
    zh: Text


class Synonyms(BaseModel, frozen=True, extra="forbid"):
    """Other names."""

    en: tuple[Text, ...] = ()
    zh: tuple[Text, ...] = ()


class EntityFile(BaseModel, frozen=True, extra="forbid"):
    """One file of diseases/, drugs/ or symptoms/."""

    id: Text | None = None
    """None for what no ontology names; its English name and type stand for it."""
    name: Names
    synonyms: Synonyms = Synonyms()
    cui: str | None = Field(default=None, pattern=r"^C\d{7}$")
    references: dict[str, Reference] = {}
    facts: dict[str, list[Any]] = {}
    """By relation; each item is a ``Fact`` or goes into quarantine."""


class Fact(BaseModel, frozen=True, extra="forbid"):
    """The tail of a fact."""

    type: Text
    id: Text | None = None
    en: Text
    zh: Text
    ref: tuple[Text, ...] = Field(min_length=1)


class FrontMatter(BaseModel, frozen=True, extra="forbid"):
    """The YAML header of a page."""

    disease: Text
    """Id of the disease, or its English name."""
    sources: tuple[Reference, ...] = Field(min_length=1)


_ENTITY: Final = TypeAdapter(EntityFile)
_FRONT_MATTER: Final = TypeAdapter(FrontMatter)


def entity_statements(path: Path, file: str, text: str) -> Iterator[Row]:
    """The names and facts of a file of diseases/, drugs/ or symptoms/; numbers are put in later.

    Raises:
        SourceError: it is not YAML, or lacks what the whole of it needs.
    """
    entity = checked_yaml(path, text, _ENTITY, shipped=path.is_relative_to(SAMPLE))
    node_type = FOLDERS[path.parent.name]
    curies = Curies()
    problem = curies.problem(entity.id)

    def assertion(original: str, relation: str, **fields: Any) -> Assertion:  # noqa: ANN401 -- fields of Assertion
        head = (file, 0, original, entity.id, node_type, entity.name.en)
        return Assertion(*head, relation, problem=problem, **fields)

    yield (
        assertion("name", "HAS_NAME", value=entity.name.en),
        assertion("name", "HAS_NAME", value=entity.name.zh, language="zh"),
    )
    for language, names in (("en", entity.synonyms.en), ("zh", entity.synonyms.zh)):
        for name in names:
            yield (assertion("synonym", "HAS_SYNONYM", value=name, language=language),)
    if entity.cui:
        yield (assertion("cui", "HAS_CUI", tail=f"UMLS:{entity.cui}", tail_type="Concept"),)
    for relation, items in entity.facts.items():
        for item in items:
            yield _fact_items(entity, node_type, file, relation, item, curies)


def name_statements(path: Path, file: str, text: str) -> Iterator[Row]:
    """The names of names/diseases.tsv, drugs.tsv or symptoms.tsv; numbers are put in later.

    Raises:
        SourceError: the first line does not name the columns.
    """
    header, *lines = text.removesuffix("\n").split("\n")
    if header.split("\t") != [*NAME_COLUMNS]:
        raise SourceError(
            f"{path}: the first line does not name the columns; make it "
            f"{', '.join(NAME_COLUMNS)}, parted by tabs"
        )
    curies = Curies()
    for line in lines:
        yield _name_items(FOLDERS[path.stem], file, line.split("\t"), curies)


def page_statements(path: Path, file: str, text: str) -> Iterator[Row]:
    """The sections of a page; numbers are put in later.

    Raises:
        SourceError: it has no front matter, or that does not fit.
    """
    match = _PAGE.fullmatch(text.lstrip("\ufeff"))
    if not match:
        raise SourceError(f"{path}: no front matter between two lines '---'; add it")
    matter = checked_yaml(
        path, match["matter"], _FRONT_MATTER, shipped=path.is_relative_to(SAMPLE)
    )
    title, sections = _sections(match["body"])
    for heading, body in sections:
        yield _section_items(matter, file, title, heading, body)


def _name_items(node_type: str, file: str, cells: list[str], curies: Curies) -> Row:
    values = [" ".join(cell.split()) for cell in cells]
    kind = values[2] if len(values) == len(NAME_COLUMNS) else ""
    word = kind if kind in NAME_KINDS else "name"
    if problem := _name_problem(values):
        return (Quarantined(file, 0, word, problem, record_json({"line": "\t".join(cells)})),)
    id_, term, _, language, name, reference = values
    return tuple(
        Assertion(
            *(file, 0, word, id_ or None, node_type, term, attribute),
            value=name,
            language=language,
            publications=reference.replace(SEPARATOR, "/"),
            problem=curies.problem(id_ or None),
        )
        for attribute in (
            ("HAS_SYNONYM", "HAS_LAY_SYNONYM") if kind == "lay" else ("HAS_SYNONYM",)
        )
    )


def _name_problem(values: list[str]) -> str | None:
    """Why a line of a table of names names nothing, None where it does."""
    if len(values) != len(NAME_COLUMNS):
        return f"the line has {len(values)} cells in place of {len(NAME_COLUMNS)}"
    _, term, kind, language, name, reference = values
    for column, value in (("term", term), ("name", name), ("reference", reference)):
        if not value:
            return f"the line has no {column}"
    if kind not in NAME_KINDS:
        return f"{kind!r} is no kind of name; write {', '.join(NAME_KINDS)}"
    if language not in LANGUAGES:
        return f"{language!r} is no language; write {' or '.join(LANGUAGES)}"
    if (_HAN.search(name) is None) == (language == "zh"):
        return f"the name {name[:100]!r} is not in the language {language!r}"
    return None


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc'])) or 'the whole'}: {first['msg']}"


def _fact_items(  # noqa: PLR0917 -- what a fact stands among
    entity: EntityFile, node_type: str, file: str, relation: str, item: object, curies: Curies
) -> Row:
    fact = _fact(item, relation, node_type, entity)
    if isinstance(fact, str):
        return (Quarantined(file, 0, relation, fact, record_json({"item": item})),)
    publications = (entity.references[name].publication() for name in fact.ref)
    tail_problem = curies.problem(fact.id)
    edge = Assertion(
        *(file, 0, relation, entity.id, node_type, entity.name.en, relation),
        tail=fact.id,
        tail_type=fact.type,
        tail_name=fact.en,
        publications=SEPARATOR.join(publications),
        problem=curies.problem(entity.id) or tail_problem,
    )
    chinese = Assertion(
        *(file, 0, relation, fact.id, fact.type, fact.en, "HAS_NAME"),
        value=fact.zh,
        language="zh",
        problem=tail_problem,
    )
    return edge, chinese


def _fact(item: object, relation: str, node_type: str, entity: EntityFile) -> Fact | str:
    """The item as a fact, or why it is none."""
    allowed = RELATION_TYPES.get(relation)
    if allowed is None or node_type not in allowed.domain:
        return f"a {node_type} has no relation {relation!r}"
    try:
        fact = Fact.model_validate(item)
    except ValidationError as e:
        return _first(e)
    if fact.type not in allowed.range:
        return f"{relation} takes no {fact.type}"
    if unknown := [name for name in fact.ref if name not in entity.references]:
        return f"the file has no reference {unknown[0]!r}"
    return fact


def _sections(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The page's title, and heading and text of every section.

    Text above the first section is one under the title, or under no heading.
    """
    title, sections = "", []
    marks = list(_HEADING.finditer(text))
    if above := text[: marks[0].start() if marks else len(text)].strip():
        sections.append(("", above))
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        body = text[mark.end() : following.start() if following else len(text)].strip()
        if mark["marks"] == "#":
            title = mark["heading"]
        if mark["marks"] == "##" or body:
            sections.append((mark["heading"], body))
    return title, sections


def _section_items(matter: FrontMatter, file: str, title: str, heading: str, body: str) -> Row:
    if heading not in HEADINGS or not body:
        reason = "the section is empty" if heading in HEADINGS else "a page has no such section"
        record = record_json({"heading": heading, "text": body})
        return (Quarantined(file, 0, "section", reason, record),)
    disease, disease_name = (
        (matter.disease, title or None) if ":" in matter.disease else (None, matter.disease)
    )
    problem = Curies().problem(disease)
    # the disease's id and the heading, so that rewording keeps the section's id
    section = mint("Section", f"{matter.disease} {heading}")
    name = f"{title}: {heading}"
    section_head = (file, 0, "section", section, "Section", name)
    edge = Assertion(
        *(file, 0, "section", disease, "Disease", disease_name, "HAS_SECTION"),
        tail=section,
        tail_type="Section",
        tail_name=name,
        publications=SEPARATOR.join(source.publication() for source in matter.sources),
        problem=problem,
    )
    return (
        edge,
        Assertion(*section_head, "HAS_NAME", value=name, problem=problem),
        Assertion(*section_head, "HAS_TEXT", value=body, problem=problem),
    )
