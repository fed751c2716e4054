"""Which rows of a release are read."""

from pathlib import Path
from typing import Annotated, Literal

import ibis
import ibis.expr.types as ir
from pydantic import Field, StringConstraints

from ingest.sources.settings import SourceName, SourceSettings
from kg.rrf import SUPPRESSED

Condition = tuple[ir.BooleanValue, ir.Value]
"""Of the rows to leave out, and why."""


class UmlsSource(SourceSettings, frozen=True):
    """A release of UMLS, or a subset of one."""

    kind: Literal["umls"]
    name: SourceName = "umls"
    folder: Path
    """Holds MRCONSO.RRF, MRSTY.RRF and, where they are wanted, MRREL.RRF and MRDEF.RRF, plain
    or .gz; a release's folder above META will do."""
    languages: tuple[Literal["en", "zh"], ...] = Field(default=("en", "zh"), min_length=1)
    """Of the names and definitions; ends of relations have their names in the first."""
    vocabularies: tuple[Annotated[str, StringConstraints(min_length=1)], ...] = ()
    """Abbreviations of source vocabularies (SAB), e.g. MSH, SNOMEDCT_US; empty: all."""
    semantic_types: tuple[Annotated[str, StringConstraints(pattern=r"^T\d{3}$")], ...] = ()
    """Type identifiers (TUI), e.g. T047, of which a concept must have one; empty: all."""
    suppressed: bool = False
    """Whether obsolete and suppressible rows are read too."""

    def leaves_out(self, table: ir.Table) -> list[Condition]:
        """Of a file with SUPPRESS and SAB: which rows, and why."""
        conditions: list[Condition] = []
        if not self.suppressed:
            reason = "the settings leave out obsolete and suppressible rows"
            conditions.append((table.SUPPRESS.isin(SUPPRESSED), ibis.literal(reason)))
        if self.vocabularies:
            reason = ibis.literal("the settings leave out the vocabulary ") + _quoted(table.SAB)
            conditions.append((_outside(table.SAB, self.vocabularies), reason))
        return conditions

    def leaves_out_language(self, table: ir.Table, codes: tuple[str, ...]) -> list[Condition]:
        """Of MRCONSO: names in other languages than ``codes``."""
        reason = ibis.literal("the settings leave out the language ") + _quoted(table.LAT)
        return [(_outside(table.LAT, codes), reason)]


def _outside(column: ir.Value, allowed: tuple[str, ...]) -> ir.BooleanValue:
    return ~column.isin(allowed).fill_null(False)


def _quoted(column: ir.Value) -> ir.Value:
    return column.fill_null("that is not given").substr(0, 40)
