"""The medical.json family: JSON lines (or one array) of entries on diseases.

Taken from a Chinese health site and passed on in many projects (``medical.json``,
``medical2.json``, ``medical_2.1.json``, ``medical_new_2.json``). An entry is one disease; each
of its fields is a record here, called by the field's name. A field with names is a list or, in
some variants, a text with commas; several names in one item are parted at ``、``, save in
``check`` and where a part would be one character (``耳、鼻、咽拭子``), and never between
parentheses. The fields that are texts become sections. A product of drug_detail treats the
disease and is its generic drug; this has in it the drug that it is called after (阿莫西林胶囊).

A condition that has an entry is a disease wherever it is mentioned. Among the symptoms are names of persons, which nothing tells from
symptoms; the licence of the data is not stated anywhere.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

from cypher.translation import translate
from ingest.assertions import Assertion, Quarantined
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.chinese.conditions import Conditions
from ingest.sources.formats.chinese.entries import NAME, Entry, Item, Reading
from ingest.sources.formats.chinese.names import clean, split, unusable
from ingest.sources.formats.json_files import JsonValue, json_values
from ingest.sources.kind import SourceKind
from ingest.sources.medical_json.products import product
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, published, record_json, write_records
from kg.progress import Progress

HEADINGS: Final = {
    "cause": "病因",
    "prevent": "预防",
    "get_prob": "患病比例",
    "get_way": "传播方式",
    "easy_get": "易感人群",
    "cure_lasttime": "治疗周期",
    "cured_prob": "治愈率",
    "cost_money": "治疗费用",
    "yibao_status": "医保疾病",
}
"""Of the sections."""

_DETAIL: Final = "drug_detail"
_UNREADABLE: Final = "unreadable record"
_NESTED_LISTS: Final = frozenset({"cure_way", "alias"})
"""Fields whose items are lists themselves in places (``大剂量青霉素治疗，手术治疗``)."""
_SHARED_ENDING: Final = frozenset({"check"})
"""Fields in whose items what stands before 、 is often half a name (``甲状腺、肾上腺超声检查``)."""
_ENUMERATION_COMMA: Final = re.compile(r"、(?![^(（]*[)）])")
"""The ideographic comma, not between parentheses."""
_NON_NAMES: Final = {
    "疾病百科": "the site's root above all diseases is no department",
    **dict.fromkeys(("其他科室", "其他综合", "其他"), "'other' is no department"),
}


class MedicalJsonSource(SourceSettings, frozen=True):
    """A file of the family."""

    kind: Literal["medical-json"]
    name: SourceName = "medical-json"
    file: Path
    """Such as ``medical.json``, plain or .gz."""
    encoding: str = "utf-8"
    """Encoding of the file, by its Python name, e.g. gb18030."""


def files(source: MedicalJsonSource) -> tuple[Path, ...]:
    """The input files."""
    return (source.file,)


def read(
    source: MedicalJsonSource, out: Path, progress: Progress, _: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: the file cannot be read, or ``out`` not be written.
    """
    with (
        published(out, source.name) as folder,
        progress.step(translate("read {source}", source=source.name), 2) as advance,
    ):
        reading = Reading(
            source.name,
            RelationMap.of("ingest.sources.medical_json"),
            HEADINGS,
            _conditions(source),
            _NON_NAMES,
        )
        advance(1)
        write_records(_items(source, reading), source.name, folder)
        advance(1)
    return ReadResult(dict(reading.rows))


def _conditions(source: MedicalJsonSource) -> Conditions:
    diseases: set[str] = set()
    symptoms: set[str] = set()
    for value in json_values(source.file, source.encoding):
        if isinstance(value.value, dict):
            diseases.update(_texts(value.value.get(NAME)) or ())
            symptoms.update(_texts(value.value.get("symptom")) or ())
    return Conditions(map(clean, diseases), map(clean, symptoms))


def _items(source: MedicalJsonSource, reading: Reading) -> Iterator[Item]:
    for value in json_values(source.file, source.encoding):
        record = value.value
        if isinstance(record, dict):
            yield from _entry_items(source.file.name, value.row, record, reading)
        else:
            yield _unreadable(source.file.name, value, reading)


def _unreadable(file: str, value: JsonValue, reading: Reading) -> Item:
    reading.rows[_UNREADABLE] += 1
    reason = value.problem or "the record is no JSON object"
    return Quarantined(file, value.row, _UNREADABLE, reason, record_json({"value": value.value}))


def _entry_items(
    file: str, row: int, record: Mapping[str, Any], reading: Reading
) -> Iterator[Item]:
    entry = reading.entry(file, row, record.get(NAME), record)
    if not isinstance(entry, Entry):
        yield entry
        return
    yield reading.named(entry)
    for word, value in record.items():
        if word != NAME and value not in (None, "", []):
            yield from _field_items(entry, word, value, reading)


def _field_items(entry: Entry, word: str, value: object, reading: Reading) -> Iterator[Item]:
    relations = reading.relations
    texts = _texts(value, and_numbers=word in HEADINGS or word == "desc")
    if word not in (*relations.relations, *relations.attributes):
        yield reading.refused(entry, word, relations.why_not(word), value)
    elif texts is None:
        yield reading.refused(entry, word, "the field is neither a text nor a list of them", value)
    elif not texts:
        yield reading.refused(entry, word, "nothing but blanks is in the field", value)
    elif word in HEADINGS or word == "desc":
        yield from reading.text(entry, word, "\n".join(texts))
    elif word == _DETAIL:
        reading.rows[word] += 1
        for text in texts if isinstance(value, list) else split(texts[0]):
            yield from _sold(entry, text, reading)
    else:
        yield from reading.listed(entry, word, _names(word, value, texts))


def _texts(value: object, *, and_numbers: bool = False) -> list[str] | None:
    """The texts of a field; None if it has anything else. A number is a text, but no name."""
    items = value if isinstance(value, list) else [value]
    usable = str | int | float if and_numbers else str
    if any(isinstance(item, bool) or not isinstance(item, usable) for item in items):
        return None
    return [text for text in map(str, items) if text.strip()]


def _names(word: str, value: object, texts: list[str]) -> list[str]:
    """The names in a field: a text is a list of them, an item of a list may be one by ``、``."""
    if isinstance(value, list) and word not in _NESTED_LISTS:
        items = [clean(text) for text in texts]
    else:
        items = [name for text in texts for name in split(text)] or [clean(texts[0])]
    if word in _SHARED_ENDING:
        return items
    return [name for item in items for name in _enumerated(item)]


def _enumerated(item: str) -> list[str]:
    """Its parts between ``、``; the item itself where one is a single character, half a name."""
    parts = [clean(part) for part in _ENUMERATION_COMMA.split(item)]
    return parts if all(len(part.rstrip(".…")) > 1 for part in parts) else [item]


def _sold(entry: Entry, text: str, reading: Reading) -> Iterator[Assertion]:
    """That the disease is treated by a product, and that this is its generic drug.

    A product that is called like the generic drug only has that name.
    """
    parsed = product(text)
    if parsed is None:
        problem = f"not written as product(generic drug): {text[:200]!r}"
        yield _of_drug(entry, text, "HAS_NAME", value=text, problem=problem)
        return
    name, generic = parsed
    fault = unusable(name) or unusable(generic)
    if name == generic:
        yield _of_drug(entry, name, "HAS_NAME", value=name, problem=fault)
    else:
        yield _of_drug(entry, name, "IS_A", tail_type="Drug", tail_name=generic, problem=fault)
    base = (entry.file, entry.row, _DETAIL, None, "Disease", entry.name)
    treated = Assertion(*base, "TREATED_BY", tail_type="Drug", tail_name=name, language="zh")
    yield treated._replace(problem=fault)
    if fault is None:
        yield from reading.ingredient(entry, _DETAIL, generic)


def _of_drug(entry: Entry, name: str, relation: str, **fields: Any) -> Assertion:  # noqa: ANN401 -- fields of Assertion
    base = (entry.file, entry.row, _DETAIL, None, "Drug", name)
    return Assertion(*base, relation, language="zh", **fields)


KIND: Final = SourceKind(
    title="the medical.json family: diseases from a Chinese health site, as JSON lines",
    licence="none is stated; the texts are the site's, so ask before you pass them on",
    citation="liuhuanyong/QASystemOnMedicalKG on GitHub",
    needs=("medical.json or a variant",),
    obtained="GitHub: liuhuanyong/QASystemOnMedicalKG (data/medical.json) and its forks",
    files=files,
    read=read,
)
