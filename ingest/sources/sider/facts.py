"""Assertions from the rows of a file of SIDER."""

from collections.abc import Iterator, Mapping
from typing import Final

import ibis
import ibis.expr.types as ir

from ingest.sources.formats.delimited import NUMBER, RECORD, UNREADABLE, Rows
from ingest.sources.parts import Part, quarantined, rows_of, unread_cells
from ingest.sources.relations import Mapped, RelationMap
from ingest.sources.sider.layout import SAME, Layout
from ingest.sources.writing import as_assertions

_FLAT: Final = "^CID1[0-9]{8}$"
_STEREO: Final = "^CID0[0-9]{8}$"
_CUI: Final = "^C[0-9]{7}$"
_PROCEDURE: Final = "(?i)(^| )(procedure|operation|surgery|therapy|test|naive)$"
"""How terms of MedDRA's surgical and medical procedures end, and of patients without a therapy before."""


def read(rows: Rows, layout: Layout, words: RelationMap, made: Mapping[str, str]) -> Part:
    """Assertions from a file.

    Args:
        rows: the file's.
        layout: which file it is.
        words: what its words mean.
        made: ``source`` and ``file``.
    """
    table = rows.good.rename({ours: name for name, ours in SAME.items() if name in layout.columns})
    table = table.mutate(
        row=table[NUMBER],
        record=table[RECORD],
        original_relation=_word(table, layout),
        **({"drug": _compound(table.flat)} if "flat" in table.columns else {}),
    )
    if "meddra_type" in table.columns:
        table = table.left_join(_own_terms(table), "label_cui", rname="own_{name}")
    table = table.mutate(reason=_why_no_fact(table, words))
    refused, facts = table.filter(table.reason.notnull()), table.filter(table.reason.isnull())
    unsplit = f"{layout.name.removesuffix('.tsv')} {UNREADABLE}"
    cells = (_unread_frequencies(facts),) if "frequency" in facts.columns else ()
    return Part(
        tuple(_assertions(facts, words, made)),
        (
            quarantined(refused, rows.bad, made, unsplit),
            *(unread_cells(each, made) for each in cells),
        ),
        rows_of(table, rows.bad, unsplit),
    )


def _word(table: ir.Table, layout: Layout) -> ir.Value:
    file_name = ibis.literal(layout.name.removesuffix(".tsv"))
    if "method" in table.columns:
        return table.method.fill_null("no method").substr(0, 100)
    if "placebo" in table.columns:
        return ibis.ifelse(table.placebo.notnull(), file_name + " placebo", file_name)
    return file_name


def _compound(stitch: ir.Value) -> ir.Value:
    """The PubChem compound of a STITCH id: its digits after CID1 (flat) or CID0 (stereo)."""
    return ibis.literal("PUBCHEM.COMPOUND:") + stitch.substr(4).try_cast("int64").cast("string")


def _own_terms(table: ir.Table) -> ir.Table:
    """The preferred terms that are the label's own word: ``label_cui`` and an array, ``own``.

    SIDER gives a concept every preferred term that shares an abbreviation or a broader sense with it:
    haemoglobin to haemorrhage (Hb), road traffic accident to renal tubular acidosis (RTA). In
    MedDRA a lowest level term is of one preferred term, and a preferred term is a lowest level
    term of itself. So where the label's is a preferred term, it is the only one.
    """
    lowest, preferred = (
        table.filter(table.meddra_type == level).select("label_cui", "term").distinct()
        for level in ("LLT", "PT")
    )
    own = lowest.semi_join(preferred, ["label_cui", "term"])
    return own.group_by("label_cui").agg(own=own.term.collect())


def _why_no_fact(table: ir.Table, words: RelationMap) -> ir.Value:
    mapped = [*words.relations, *words.attributes]
    reasons = [
        (table.original_relation == word, ibis.literal(reasons))
        for word, reasons in words.quarantined.items()
    ]
    cases = [
        *reasons,
        (
            ~table.original_relation.isin(mapped),
            ibis.literal("SIDER has no such method: ") + table.original_relation,
        ),
    ]
    for column, pattern in (("flat", _FLAT), ("stereo", _STEREO)):
        if column in table.columns:
            cases.append(
                (_unlike(table[column], pattern), _invalid(table[column], f"{column} STITCH id"))
            )
    if "meddra_type" in table.columns:
        level = table.meddra_type.fill_null("")
        cases += [
            (
                level == "LLT",
                ibis.literal("a lowest level term, which its preferred term stands for"),
            ),
            (level != "PT", ibis.literal("neither a preferred nor a lowest level term of MedDRA")),
            (
                table.own.notnull() & ~table.own.contains(table.term),
                ibis.literal("not the label's term, which is a preferred term itself"),
            ),
        ]
        adverse = [w for w, [m] in words.relations.items() if m.relation == "HAS_ADVERSE_REACTION"]
        is_procedure = table.original_relation.isin(adverse) & table.term.re_search(_PROCEDURE)
        cases.append(
            (is_procedure.fill_null(False), ibis.literal("a procedure or test, and no reaction"))
        )
    if "cui" in table.columns:
        cases += [
            (_unlike(table.cui, _CUI), _invalid(table.cui, "CUI")),
            (table.term.isnull(), ibis.literal("the row names no term")),
        ]
    if "upper" in table.columns:
        none = table.upper.try_cast("float64") == 0
        cases.append((none.fill_null(False), ibis.literal("seen in none of the patients")))
    if "name" in table.columns:
        cases.append((table.name.isnull(), ibis.literal("the row names no drug")))
    return ibis.cases(*cases, else_=ibis.null("string"))


def _unlike(column: ir.Value, pattern: str) -> ir.BooleanValue:
    return ~column.fill_null("").re_search(pattern)


def _invalid(column: ir.Value, what: str) -> ir.Value:
    return ibis.literal("'") + column.fill_null("").substr(0, 100) + f"' is no {what}"


def _assertions(
    facts: ir.Table, words: RelationMap, made: Mapping[str, str]
) -> Iterator[ir.Table]:
    mapped_words = {word: mapped for word, (mapped,) in words.relations.items()}
    made = {**made, "head_type": "Drug"}
    if "drug" not in facts.columns:
        yield _concepts(
            facts.mutate(type=_by_word(facts.original_relation, mapped_words, "head")), made
        )
        return
    if "term" not in facts.columns:
        yield _attribute(facts, made, "HAS_NAME", facts.name)
        return
    yield _edges(facts, mapped_words, made)
    yield _concepts(
        facts.mutate(type=_by_word(facts.original_relation, mapped_words, "tail")), made
    )
    if "stereo" in facts.columns:
        yield _references(facts.mutate(other=_compound(facts.stereo)), made)
    if "drugbank_id" in facts.columns:
        yield _references(facts.mutate(other=ibis.literal("DRUGBANK:") + facts.drugbank_id), made)


def _by_word(word: ir.Value, mapped_words: Mapping[str, Mapped], part: str) -> ir.Value:
    return word.cases(*((name, getattr(mapped, part)) for name, mapped in mapped_words.items()))


def _edges(
    facts: ir.Table, mapped_words: Mapping[str, Mapped], made: Mapping[str, str]
) -> ir.Table:
    columns = {
        **made,
        "row": facts.row,
        "original_relation": facts.original_relation,
        "head": facts.drug,
        "relation": _by_word(facts.original_relation, mapped_words, "relation"),
        "tail_type": _by_word(facts.original_relation, mapped_words, "tail"),
        "tail_name": facts.term,
    }
    if "name" in facts.columns:
        columns["head_name"] = facts.name
    if "method" in facts.columns:
        columns["evidence"] = facts.method
    if "frequency" in facts.columns:
        columns |= _frequency(facts)
    return as_assertions(facts, columns)


def _frequency(facts: ir.Table) -> dict[str, ir.Value]:
    """``frequency`` where it was counted, the middle of its bounds; a word has none.

    The bounds of words are conventions (common: 0.01 to 1), no counts.
    """
    middle = (facts.lower.try_cast("float64") + facts.upper.try_cast("float64")) / 2
    counted, sound = _counted(facts), _sound(facts)
    return {
        "frequency": ibis.ifelse(counted & sound, middle, ibis.null("float64")),
        "frequency_text": ibis.ifelse(~counted | sound, facts.frequency, ibis.null("string")),
    }


def _unread_frequencies(facts: ir.Table) -> ir.Table:
    unread = facts.filter(_counted(facts) & ~_sound(facts))
    reason = (
        ibis.literal("the frequency '") + unread.frequency.substr(0, 100) + "' has no such bounds"
    )
    return unread.mutate(reason=reason)


def _counted(facts: ir.Table) -> ir.BooleanValue:
    return facts.frequency.fill_null("").re_search("^[0-9]")


def _sound(facts: ir.Table) -> ir.BooleanValue:
    lower, upper = (facts[bound].try_cast("float64") for bound in ("lower", "upper"))
    return ((lower <= upper) & (lower >= 0) & (upper <= 1)).fill_null(False)


def _attribute(
    facts: ir.Table, made: Mapping[str, str], attribute: str, value: ir.Value
) -> ir.Table:
    columns = {"row": facts.row, "original_relation": facts.original_relation, "head": facts.drug}
    return as_assertions(facts, {**made, **columns, "relation": attribute, "value": value})


def _references(facts: ir.Table, made: Mapping[str, str]) -> ir.Table:
    """Another id of each drug, given by the first row that has both."""
    first = facts.group_by("drug", "other").agg(
        original_relation=facts.original_relation.argmin(facts.row), row=facts.row.min()
    )
    return _attribute(first, made, "HAS_XREF", first.other)


def _concepts(facts: ir.Table, made: Mapping[str, str]) -> ir.Table:
    """The concept of each term, given by the first row that has both."""
    first = facts.group_by("type", "term", "cui").agg(
        original_relation=facts.original_relation.argmin(facts.row), row=facts.row.min()
    )
    columns = {
        "row": first.row,
        "original_relation": first.original_relation,
        "head_type": first.type,
        "head_name": first.term,
        "relation": "HAS_CUI",
        "tail": ibis.literal("UMLS:") + first.cui,
        "tail_type": "Concept",
    }
    return as_assertions(first, {**made, **columns})
