"""MEDI (MEDI_01212013_UMLS.csv): drugs of RxNorm and what they are given for, as ICD-9 codes.

A row is an edge. Its weight is the number of MEDI's four resources that mention it
(MENTIONEDBYRESOURCES), its evidence the names of the columns that are 1 (HIGHPRECISIONSUBSET,
POSSIBLE_LABEL_USE).

The disease is the code of ICD-9-CM. Most codes have several CUIs and most CUIs several codes
(C0018965, hematuria, stands beside 599.7 and beside 791.9, other findings in urine): only
where a code has one CUI and that CUI no other code is it HAS_CUI, else a cross-reference.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final, Literal

import ibis
import ibis.expr.types as ir

from ingest.sources.engine import DEFAULT_RESOURCES, Resources
from ingest.sources.formats.delimited import NUMBER, RECORD, Dialect, delimited_rows
from ingest.sources.kind import SourceKind
from ingest.sources.parts import Part, Workplace, quarantined, read_parts, rows_of
from ingest.sources.relations import Mapped, RelationMap
from ingest.sources.settings import SourceName, SourceSettings
from ingest.sources.writing import ReadResult, as_assertions
from kg.progress import Progress

COLUMNS: Final = (
    *("RXCUI_IN", "DRUG_DESC", "UMLS_CUI", "ICD9", "INDICATION_DESCRIPTION"),
    *("MENTIONEDBYRESOURCES", "HIGHPRECISIONSUBSET", "POSSIBLE_LABEL_USE"),
)
WORD: Final = "MEDI"
_FLAGS: Final = ("HIGHPRECISIONSUBSET", "POSSIBLE_LABEL_USE")
_CODE: Final = r"^(([0-9]{3}|V[0-9]{2})(\.[0-9]{1,2})?|E[0-9]{3}(\.[0-9])?)$"
_NO_DISEASES: Final = {
    r"^[0-9A-Z.]+-[0-9A-Z.]+$": "a range of codes of ICD-9-CM, for which MEDI has no name",
    r"\|": "several codes of ICD-9-CM together, for which MEDI has no name",
    r"^[0-9]{2}(\.[0-9]{1,2})?$": "a code of a procedure, not of what the drug is given for",
}
"""What else stands in the column ICD9, by regular expression."""


class MediSource(SourceSettings, frozen=True):
    """MEDI as downloaded."""

    kind: Literal["medi"]
    name: SourceName = "medi"
    file: Path
    """``MEDI_01212013_UMLS.csv``, plain or .gz."""


def files(source: MediSource) -> tuple[Path, ...]:
    """The input files."""
    return (source.file,)


def read(
    source: MediSource, out: Path, progress: Progress, resources: Resources = DEFAULT_RESOURCES
) -> ReadResult:
    """Write ``assertions.parquet`` and ``quarantine.parquet`` into ``out``.

    Raises:
        SourceError: the file cannot be read as MEDI, or ``out`` not be written.
    """
    return read_parts(partial(_parts, source), 1, source.name, out, progress, resources)


def _parts(source: MediSource, place: Workplace) -> Iterator[Part]:
    (mapped,) = RelationMap.of("ingest.sources.medi").relations[WORD]
    rows = delimited_rows(place.engine, source.file, COLUMNS, Dialect(), place.folder)
    table = rows.good.select(
        *COLUMNS,
        row=rows.good[NUMBER],
        record=rows.good[RECORD],
        original_relation=ibis.literal(WORD),
    )
    judged = table.mutate(reason=_why_no_fact(table))
    facts, refused = (
        judged.filter(judged.reason.isnull()),
        judged.filter(judged.reason.notnull()),
    )
    made = {"source": source.name, "file": source.file.name}
    constants = {**made, "original_relation": WORD}
    yield Part(
        (_indications(facts, mapped, constants), _concepts(facts, constants)),
        (quarantined(refused, rows.bad, made),),
        rows_of(table, rows.bad),
    )


def _why_no_fact(table: ir.Table) -> ir.Value:
    """Null where the row gives an edge."""
    code = table.ICD9.fill_null("")
    no_diseases = ((code.re_search(like), ibis.literal(why)) for like, why in _NO_DISEASES.items())
    return ibis.cases(
        *no_diseases,
        _unlike(table.RXCUI_IN, "^[0-9]+$", "RxNorm id"),
        _unlike(table.ICD9, _CODE, "code of ICD-9-CM"),
        _unlike(table.UMLS_CUI, "^C[0-9]{7}$", "CUI"),
        else_=ibis.null("string"),
    )


def _unlike(column: ir.Value, pattern: str, what: str) -> tuple[ir.BooleanValue, ir.Value]:
    written = column.fill_null("")
    message = ibis.literal("'") + written.substr(0, 100) + f"' is no {what}"
    return ~written.re_search(pattern), message


def _indications(facts: ir.Table, mapped: Mapped, constants: Mapping[str, str]) -> ir.Table:
    mentions = facts.MENTIONEDBYRESOURCES
    weight = mentions.try_cast("int64").cast("float64")
    flags = [ibis.ifelse(facts[flag] == "1", flag, ibis.null("string")) for flag in _FLAGS]
    evidence = ibis.array(flags).filter(lambda flag: flag.notnull()).join("|").nullif("")
    message = (
        ibis.literal("'") + mentions.fill_null("").substr(0, 100) + "' is no number of resources"
    )
    return as_assertions(
        facts,
        {
            **constants,
            "row": facts.row,
            "head": ibis.literal("RXNORM:") + facts.RXCUI_IN,
            "head_type": mapped.head,
            "head_name": facts.DRUG_DESC,
            "relation": mapped.relation,
            "tail": _code(facts),
            "tail_type": _type(facts),
            "tail_name": facts.INDICATION_DESCRIPTION,
            "evidence": evidence,
            "weight": weight,
            "problem": ibis.ifelse(weight.isnull(), message, ibis.null("string")),
        },
    )


def _concepts(facts: ir.Table, constants: Mapping[str, str]) -> ir.Table:
    """The CUIs of each code, given by the first row that has both."""
    pairs = facts.group_by("ICD9", "UMLS_CUI").agg(
        row=facts.row.min(), name=facts.INDICATION_DESCRIPTION.min()
    )
    by_code, by_cui = (ibis.window(group_by=pairs[column]) for column in ("ICD9", "UMLS_CUI"))
    pairs = pairs.mutate(
        alone=(pairs.count().over(by_code) == 1) & (pairs.count().over(by_cui) == 1)
    )
    cui = ibis.literal("UMLS:") + pairs.UMLS_CUI
    nothing = ibis.null("string")
    return as_assertions(
        pairs,
        {
            **constants,
            "row": pairs.row,
            "head": _code(pairs),
            "head_type": _type(pairs),
            "head_name": pairs.name,
            "relation": ibis.ifelse(pairs.alone, "HAS_CUI", "HAS_XREF"),
            "tail": ibis.ifelse(pairs.alone, cui, nothing),
            "tail_type": ibis.ifelse(pairs.alone, "Concept", nothing),
            "value": ibis.ifelse(pairs.alone, nothing, cui),
        },
    )


def _type(table: ir.Table) -> ir.Value:
    """Chapter 16 of ICD-9-CM, 780 to 799, is of symptoms, signs and abnormal findings."""
    return ibis.ifelse(table.ICD9.re_search("^7[89][0-9]"), "Symptom", "Disease")


def _code(table: ir.Table) -> ir.Value:
    return ibis.literal("ICD9CM:") + table.ICD9


KIND: Final = SourceKind(
    title="MEDI: medications and their indications, from four resources",
    licence="CC BY-NC-SA 3.0",
    citation=(
        "Wei, Cronin, Xu, Lasko, Bastarache, Denny. Development and evaluation of an ensemble "
        "resource linking medications to their indications. JAMIA 2013;20:954-961"
    ),
    needs=("MEDI_01212013_UMLS.csv",),
    obtained="Vanderbilt University Medical Center, Center for Precision Medicine: MEDI",
    files=files,
    read=read,
)
