"""Any table of a user's: CSV, TSV, Excel, JSON lines or Parquet, with mappings of its columns.

By each mapping a row gives one assertion, or is refused because its relation, type
or language is not mapped or it names no head, tail or value. A cell beside these that does
not read as the mapping says (a frequency of 140 %) is left out of the assertion, and listed. A row that gives an assertion
under one of the source's own relations is no longer refused under it: what else of it was
refused (a part of a split cell, another mapping) is an assertion with that problem, so that
each row is counted once under each relation.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, Self

import ibis
import ibis.expr.types as ir
from pydantic import BaseModel, Field, model_validator

from ingest.sources.concepts import concepts_of
from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.delimited import NUMBER, RECORD, Rows
from ingest.sources.formats.tabular import TableFile, table_rows
from ingest.sources.kind import SourceKind
from ingest.sources.parts import (
    Part,
    Workplace,
    quarantined,
    read_parts,
    rows_of,
    unread_cells,
)
from ingest.sources.settings import IdPrefix, SourceSettings
from ingest.sources.table.assertions import (
    FIELDS,
    ORIGINAL,
    fields,
    original_relation,
    problem,
    readable,
    states_nothing,
    unread,
    why_no_fact,
    with_frequency,
)
from ingest.sources.table.mapping import Mapping
from ingest.sources.table.preparation import Step, check_steps, prepared
from ingest.sources.writing import ReadResult, as_assertions
from kg.progress import Progress

_ASSERTED: Final = ("row", "original_relation", *FIELDS, "problem")


class TableSource(TableFile, SourceSettings, frozen=True):
    """A table and what its columns mean."""

    beside: ClassVar[type[BaseModel]] = Mapping
    """Its settings stand beside these, where there is one mapping, or hold for all of them."""

    kind: Literal["table"]
    id_prefix: IdPrefix = None
    link: bool = False
    """Whether names without an id are linked with the nodes of the other sources; for names that
    were written freely."""
    mappings: tuple[Mapping, ...] = Field(default=(), min_length=1)
    """If a row makes several assertions: a list of mappings, with the settings below. Settings
    beside the list hold for each mapping that does not set its own."""
    prepare: tuple[Step, ...] = ()
    """Steps before all mappings: trim, fill_down, split, extract, constant. One that a mapping
    lists are done after these, for it alone."""

    @model_validator(mode="before")
    @classmethod
    def _spread(cls, values: Any) -> Any:  # noqa: ANN401 -- whatever YAML holds; pydantic checks it
        """Give the settings of mappings that stand beside the list to each of them."""
        if not isinstance(values, dict):
            return values
        shared = {n: values[n] for n in Mapping.model_fields if n in values and n != "prepare"}
        others = {name: value for name, value in values.items() if name not in shared}
        if "mappings" not in values:
            return others | {"mappings": (Mapping.model_validate(shared),)}
        if shared and isinstance(values["mappings"], list):
            each = [
                shared | mapping if isinstance(mapping, dict) else mapping
                for mapping in values["mappings"]
            ]
            return others | {"mappings": each}
        return others

    @model_validator(mode="after")
    def _has_names_to_link(self) -> Self:
        ends = [end for mapping in self.mappings for end in (mapping.head, mapping.tail)]
        if self.link and not any(end and end.name for end in ends):
            raise ValueError("'link' is for names, and neither 'head' nor 'tail' has a 'name'")
        return self

    @model_validator(mode="after")
    def _can_be_prepared(self) -> Self:
        for mapping in self.mappings:
            check_steps((*self.prepare, *mapping.prepare))
        return self

    def prefixes(self) -> set[str]:
        """The prefixes that are put before ids."""
        ends = (end for mapping in self.mappings for end in (mapping.head, mapping.tail))
        return {end.prefix or self.id_prefix or "" for end in ends if end and end.id} - {""}

    def columns(self) -> tuple[str, ...]:
        """Every column that the file must have."""
        named = (name for mapping in self.mappings for name in mapping.columns(self.prepare))
        return tuple(dict.fromkeys(named))


def files(source: TableSource) -> tuple[Path, ...]:
    """The input files."""
    return (source.file,)


def read(
    source: TableSource, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: the file cannot be read as the source says, or ``out`` not
            be written.
    """
    return read_parts(partial(_parts, source), 1, source.name, out, progress, resources)


def _parts(source: TableSource, place: Workplace) -> Iterator[Part]:
    columns = source.columns()
    texts = {name for mapping in source.mappings for name in mapping.texts() if name in columns}
    rows = table_rows(place.engine, source, columns, place.folder, sorted(texts))
    made = {"source": source.name, "file": source.file.name}

    def shaped(table: ir.Table, steps: Sequence[Step], name: str) -> ir.Table:
        """After these steps, worked out once; without ``RECORD`` if there are any."""
        source_rows = table.drop(RECORD) if steps and RECORD in table.columns else table
        ready = prepared(source_rows, steps, rows.bad, source.file)
        return place.kept(ready, name) if steps else ready

    common = shaped(rows.good, source.prepare, "@prepared")
    stated = []
    for number, mapping in enumerate(source.mappings):
        table = shaped(common, mapping.prepare, f"@prepared {number}")
        stated.append(_stated(table, mapping, source.id_prefix))
    several = len(stated) > 1 or any(
        s.split for s in (*source.prepare, *source.mappings[0].prepare)
    )
    combined = _combined(stated, place)
    facts, refused = (
        combined.filter(combined.reason.isnull()),
        combined.filter(combined.reason.notnull()),
    )
    accepted = [facts]
    if several:
        # what else was refused of a row that asserts something
        same = ["row", "original_relation"]
        asserting = facts.select(*same).distinct()
        refused_in_part = refused.semi_join(asserting, same)
        refused = refused.anti_join(asserting, same)
        combined = combined.select(*same).distinct()
        accepted.append(
            refused_in_part.mutate(
                problem=refused_in_part.reason,
                relation=refused_in_part.relation.fill_null(refused_in_part.original_relation),
                head_type=refused_in_part.head_type.fill_null("no type"),
                language=refused_in_part.language.fill_null("en"),
            )
        )
    assertions = [
        as_assertions(table, {**made, **{name: table[name] for name in _ASSERTED}})
        for table in accepted
    ]
    assertions += concepts_of(facts, made)
    refused = _with_records(refused, rows)
    unread_ = [
        facts.filter(facts[f"unread_{name}"].notnull()).select(
            "row", "original_relation", reason=facts[f"unread_{name}"]
        )
        for name in {name: None for mapping in source.mappings for name in readable(mapping)}
    ]
    cells = [unread_cells(_with_records(each, rows), made) for each in unread_]
    yield Part(
        tuple(assertions),
        (quarantined(refused, rows.bad, made), *cells),
        rows_of(combined, rows.bad),
    )


def _with_records(some: ir.Table, rows: Rows) -> ir.Table:
    """Rows with a reason, each once, and their records."""
    records = rows.good.select(row=NUMBER, record=RECORD)
    return some.select("row", "original_relation", "reason").distinct().inner_join(records, "row")


def _stated(table: ir.Table, mapping: Mapping, id_prefix: str | None) -> ir.Table:
    """The assertion of every row by a mapping, or the ``reason`` why there is none; ``silent`` if it has no values."""
    rows = table.mutate(**{ORIGINAL: original_relation(table, mapping.relation)})
    rows = with_frequency(rows, mapping)
    rows = rows.mutate(**fields(rows, mapping, id_prefix))
    columns = {name: rows[f"@{name}"] for name in (*FIELDS, "head_cui", "tail_cui")}
    return rows.select(
        row=rows[NUMBER],
        original_relation=rows[ORIGINAL],
        **columns,
        **{f"unread_{name}": reason for name, reason in unread(rows, mapping).items()},
        problem=problem(rows),
        reason=why_no_fact(rows, mapping),
        silent=states_nothing(rows, mapping),
    )


def _combined(tables: Sequence[ir.Table], place: Workplace) -> ir.Table:
    """Assertions of rows by several mappings; silent rows only if no mapping has values."""
    kept_tables = [place.kept(table, f"@said {number}") for number, table in enumerate(tables)]
    if len(kept_tables) == 1:
        return kept_tables[0]
    stating = ibis.union(*kept_tables)
    stating = stating.filter(~stating.silent)
    return ibis.union(stating, kept_tables[0].anti_join(stating.select("row"), "row"))


KIND: Final = SourceKind(
    title="any table: CSV, TSV, Excel, JSON lines or Parquet, with a mapping of its columns",
    licence="that of the table",
    citation="where the table is from",
    needs=("the table",),
    obtained="your own data; the mapping stands in the build configuration",
    files=files,
    read=read,
)
