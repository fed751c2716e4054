"""disease.csv of QASystemOnMedicalGraph: diseases of two Chinese health sites, a row each.

The file is GB18030, which the settings expect unless they say otherwise. The
rows of one site have lists that end in the site's link ``[详细]``; those of the other
names with a blank before them and neither part of the body nor insurance. Both cut long
names (``枸橼酸西地那非...``): a cut name of a disease takes its row into quarantine, one
in a list is an assertion with a problem. A cell that is not empty is a record,
called by its column.

A comma in a text has torn some rows, so that they run on beyond the last named
column. Their cells stand in another order as well, which differs from row to row: only
the name, now last, is certain, and the whole row is quarantined.

Complications of one site are filled up with conditions that belong to no disease: see ``filling``.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import ibis
import ibis.expr.types as ir

from cypher.translation import translate
from ingest.assertions import Quarantined
from ingest.sources.engine import DEFAULT_RESOURCES, Resources, table_engine
from ingest.sources.formats.chinese.conditions import Conditions
from ingest.sources.formats.chinese.entries import NAME, Entry, Item, Reading
from ingest.sources.formats.chinese.names import clean, split, unusable, words
from ingest.sources.formats.delimited import (
    NUMBER,
    RECORD,
    UNREADABLE,
    Dialect,
    delimited_rows,
)
from ingest.sources.kind import SourceKind
from ingest.sources.relations import RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, published, write_records
from ingest.sources.zh_disease_csv.filling import Filling
from kg.progress import Progress

COLUMNS: Final = (
    *("name", "alias", "part", "age", "infection", "insurance", "department", "checklist"),
    *("symptom", "complication", "treatment", "drug", "period", "rate", "money"),
)

HEADINGS: Final = {
    "age": "易感人群",
    "infection": "传染性",
    "insurance": "医保疾病",
    "period": "治疗周期",
    "rate": "治愈率",
    "money": "治疗费用",
}
"""Of the sections."""

SHIFTED: Final = "shifted row"

_ENUMERATED: Final = re.compile(r"[\s、，,；;]+")
_AND_SO_ON: Final = re.compile(r"等+$")
_FILLED: Final = "complication"
_FILLS: Final = "with the others of its set it fills lists of any disease"
_LINK_TO_ADVICE: Final = "the site's link to its advice on drugs, not a drug"
_NON_NAMES: Final = {
    "应该如何用药？用什么药？": _LINK_TO_ADVICE,
    ">> 应该如何用药？用什么药？": _LINK_TO_ADVICE,
    "心理": "the mind is no part of the body",
    **dict.fromkeys(("其他", "其他骨"), "'other' is no part of the body"),
    **dict.fromkeys(("其他科室", "其他综合"), "'other' is no department"),
}


class ZhDiseaseCsvSource(SourceSettings, frozen=True):
    """The table."""

    kind: Literal["zh-disease-csv"]
    name: SourceName = "zh-disease-csv"
    file: Path
    """``disease.csv``, plain or .gz."""
    encoding: str = "gb18030"
    """Encoding of the file, by its Python name; utf-8 for a file that was converted."""


def files(source: ZhDiseaseCsvSource) -> tuple[Path, ...]:
    """The input files."""
    return (source.file,)


def read(
    source: ZhDiseaseCsvSource,
    out: Path,
    progress: Progress,
    resources: Resources = DEFAULT_RESOURCES,
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: the file cannot be read, or ``out`` not be written.
    """
    with (
        published(out, source.name) as folder,
        progress.step(translate("read {source}", source=source.name), 2) as advance,
        table_engine(folder / "work", resources) as engine,
    ):
        dialect = Dialect(encoding=source.encoding)
        rows = delimited_rows(engine, source.file, COLUMNS, dialect, folder / "work")
        good, bad = _with_overflow(rows.good), rows.bad.to_pyarrow().to_pylist()
        advance(1)
        relations = RelationMap.of("ingest.sources.zh_disease_csv")
        conditions = _conditions(good)
        reading = Reading(source.name, relations, HEADINGS, conditions, _NON_NAMES)
        filling = Filling(
            _names(_FILLED, row[_FILLED]) for row in good if row[_FILLED] and not row[_OVERFLOW]
        )
        items = _items(source.file.name, good, bad, reading, filling)
        write_records(items, source.name, folder)
        advance(1)
    return ReadResult(dict(reading.rows))


_OVERFLOW: Final = "@overflow"
_Row = dict[str, Any]


def _with_overflow(rows: ir.Table) -> list[_Row]:
    """The rows in file order; ``@overflow`` says whether one has values beyond the last column."""
    beyond = [name for name in rows.columns if name not in (*COLUMNS, NUMBER, RECORD)]
    filled = [rows[name].fill_null("").strip() != "" for name in beyond]
    overflow = ibis.or_(*filled) if filled else ibis.literal(False)
    columns = {name: rows[name] for name in (*COLUMNS, NUMBER, RECORD)}
    table = rows.select(**columns, **{_OVERFLOW: overflow})
    joined: list[_Row] = table.order_by(NUMBER).to_pyarrow().to_pylist()
    return joined


def _conditions(rows: list[_Row]) -> Conditions:
    sound = [row for row in rows if not row[_OVERFLOW]]
    diseases = (clean(row[NAME] or "") for row in sound)
    return Conditions(
        (name for name in diseases if not unusable(name)),
        (name for row in sound for name in words(row["symptom"] or "")),
    )


def _items(
    file: str, rows: list[_Row], bad: list[_Row], reading: Reading, filling: Filling
) -> Iterator[Item]:
    for row in bad:
        reading.rows[UNREADABLE] += 1
        yield Quarantined(file, row["row"], UNREADABLE, row["reason"], row["record"])
    for row in rows:
        if row[_OVERFLOW]:
            reading.rows[SHIFTED] += 1
            reason = reading.relations.why_not(SHIFTED)
            yield Quarantined(file, row[NUMBER], SHIFTED, reason, row[RECORD])
        else:
            yield from _row_items(file, row, reading, filling)


def _row_items(
    file: str, row: Mapping[str, Any], reading: Reading, filling: Filling
) -> Iterator[Item]:
    record = {name: row[name] for name in COLUMNS if row[name]}
    entry = reading.entry(file, row[NUMBER], row[NAME], record)
    if not isinstance(entry, Entry):
        yield entry
        return
    yield reading.named(entry)
    for word, value in record.items():
        if word in HEADINGS:
            yield from reading.text(entry, word, value)
        elif word != NAME and value.strip():
            names = _names(word, value)
            fills = filling.of(names) if word == _FILLED else ()
            yield from reading.listed(entry, word, names, dict.fromkeys(fills, _FILLS))


def _names(word: str, value: str) -> list[str]:
    """The names in a cell; one that holds none stays whole, so that it is counted."""
    plain = clean(value)
    if plain in _NON_NAMES:
        return [plain]
    if word == "alias":
        names = [_AND_SO_ON.sub("", name) for name in _aliases(plain)]
    elif word == "treatment":
        names = [name for name in map(clean, _ENUMERATED.split(plain)) if name]
    else:
        names = words(value)
    return names or [plain]


def _aliases(plain: str) -> list[str]:
    """The names in a list; ``胃、十二指肠溃疡`` is one, whose parts have its end in common."""
    *first, last = names = split(plain) or [plain]
    has_parts = plain == "、".join(names) and all(len(name) == 1 for name in first)
    return [plain] if has_parts and len(last) > 1 else names


KIND: Final = SourceKind(
    title="disease.csv: diseases of two Chinese health sites, GB18030",
    licence="none is stated; the texts are the sites', so ask before you pass them on",
    citation="zhihao-chen/QASystemOnMedicalGraph on GitHub",
    needs=("disease.csv",),
    obtained="GitHub: zhihao-chen/QASystemOnMedicalGraph (data/disease.csv)",
    files=files,
    read=read,
)
