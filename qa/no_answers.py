"""Which rows are no answer though a source states them: the thing again, its kinds and symptoms, nothing in particular.

Lists of sources hold them since whoever made the lists put down what stands near: subheadings of a
page on appendicitis (acute appendicitis, appendicitis of children) as its complications, headings of
a label as reactions to the drug. docs/answers.md says how many there are.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

from kg.stores.store import Rows, Store, Value
from kg.text.canonical import canonical
from kg.text.phrases import is_chinese
from qa.kin import all_names_of
from qa.ordering import column, listed
from qa.subjects import Subject

SYMPTOMS: Final = "disease.symptoms"
COMPLICATIONS: Final = "disease.complications"
"""Queries whose rows may be kinds of the thing; of the second also its symptoms."""
_SAYS_NOTHING: Final = re.compile(
    r"((drug|medical|medicinal|supportive|symptomatic|general|conventional|other) )?"
    r"(treatments?|therap(y|ies)|medicines?|medications?|drugs?|management|care)"
    r"|(药物|西药|中药|西医|中医|中西医|一般|支持性?|对症|综合|保守|内科|外科|其他|常规|辅助|西医药物|全身|局部|内服药物|外用药物)?"
    r"(疗法|治疗|处理)|[中西]药|rehabilitation( therapy)?|康复(治疗|训练)?|.*(vaccine|toxoid|h(a)?emagglutinin).*|.*(疫苗|类毒素)",
    re.IGNORECASE,
)
"""A treatment that is none in particular, or that prevents what it is said to treat."""
_HEADING: Final = re.compile(
    r"((blood|lymphatic|cardiac|cardiovascular|congenital|ear|labyrinth|endocrine|eye|gastrointestinal|"
    r"general|hepatobiliary|immune|metabolic|nutrition(al)?|musculoskeletal|connective tissue|nervous|"
    r"psychiatric|mental|urinary|reproductive|breast|respiratory|thoracic|mediastinal|skin|"
    r"subcutaneous tissue|vascular|ill-defined)( system| tract)? (disorder|disease)"
    r"|infection|infectious disease|infestation|injury|poisoning|neoplasm|investigation)s?",
    re.IGNORECASE,
)
"""The system organ classes of MedDRA, one by one: labels head their lists of reactions with them."""
_ENOUGH_IN_PARTICULAR: Final = 2


def that_answer(
    store: Store, query: str, rows: Rows, subjects: Sequence[Subject], well: Collection[str]
) -> Rows:
    """The rows that may answer.

    What is called as the thing is no finding or complication of it, nor what is called as it with a
    word before (acute appendicitis of appendicitis), nor is its kind a finding. A finding that is a
    symptom of a disease, or the next wider or narrower one, is no complication of it. A treatment
    that is none in particular is told only where there are no others.

    Args:
        store: the graph.
        query: whose rows they are.
        rows: the other end of each fact is the first column.
        subjects: whom the rows are about.
        well: ids of what is so well stated that it may be a kind or a symptom.

    Raises:
        StoreError: the store failed.
    """
    names = _names(store, subjects)
    called = _called(rows, names)
    rows = _in_particular(_but(rows, called.difference(well if query == COMPLICATIONS else ())))
    weak = [str(row[0]) for row in rows.rows if str(row[0]) not in well]
    if query not in (SYMPTOMS, COMPLICATIONS) or not weak:
        return rows
    none = _called_kinds(rows, names)
    if query == SYMPTOMS:
        none |= _kinds(store, weak, [subject.id for subject in subjects])
    else:
        at = column(rows.columns, "_type")
        findings = [str(row[0]) for row in rows.rows if row[at] == "Symptom"]
        none |= _symptoms(store, findings, subjects)
    none.intersection_update(weak)
    return replace(rows, rows=tuple(row for row in rows.rows if str(row[0]) not in none))


def no_reactions(
    store: Store, columns: Sequence[str], facts: Iterable[tuple[Value, ...]], uses: Rows
) -> set[str]:
    """Ids of the adverse reactions that say little or are doubtful.

    These are whole classes of reactions, and, where one source alone has them, uses of the drug, what
    these are as findings, their kinds, and what is called as one with words behind: programs that read
    a label take the illness for a reaction. It may be one yet (arrhythmia), so that nothing is left
    out for it.

    Args:
        store: the graph.
        columns: of the rows.
        facts: the rows of ``drug.adverse_reactions``.
        uses: the well stated rows of ``drug.indications``.

    Raises:
        StoreError: the store failed.
    """
    id_, name, said = (*(column(columns, e) for e in ("_id", "_name")), columns.index("sources"))
    rows = list(facts)
    headings = {str(row[id_]) for row in rows if _HEADING.fullmatch(str(row[name]))}
    alone = [row for row in rows if len(listed(row[said])) == 1]
    ids, for_ = [str(row[id_]) for row in alone], [str(row[0]) for row in uses.rows]
    if not ids or not for_:
        return headings
    called = tuple(f"{canonical(str(row[column(uses.columns, '_name')]))} " for row in uses.rows)
    close = store.query("entity.statements_between", heads=for_, tails=ids).dicts()
    return {
        *headings,
        *{*for_}.intersection(ids),
        *_kinds(store, ids, for_),
        *(str(row["tail_id"]) for row in close if row["relation"] == "CLOSE_MATCH"),
        *(str(row[id_]) for row in alone if canonical(str(row[name])).startswith(called)),
    }


def _names(store: Store, subjects: Iterable[Subject]) -> frozenset[str]:
    """The canonical keys of what things are called."""
    return frozenset(canonical(name) for s in subjects for name in all_names_of(store, s.id))


def _keys(rows: Rows, row: tuple[Value, ...]) -> list[str]:
    named = [at for at, name in enumerate(rows.columns) if name.endswith(("_name", "_name_zh"))]
    return [canonical(str(row[at])) for at in named if row[at]]


def _called(rows: Rows, names: frozenset[str]) -> set[str]:
    """Ids of the rows that are called as the thing."""
    return {str(row[0]) for row in rows.rows if not names.isdisjoint(_keys(rows, row))}


def _called_kinds(rows: Rows, names: frozenset[str]) -> set[str]:
    """Ids of the rows that are called as the thing with something before: a word, or Chinese letters."""
    ends = tuple(name if is_chinese(name) else f" {name}" for name in names if name)
    return {str(row[0]) for row in rows.rows if any(k.endswith(ends) for k in _keys(rows, row))}


def _kinds(store: Store, ids: list[str], of: list[str]) -> set[str]:
    """Which of some things are kinds of others."""
    between = store.query("entity.statements_between", heads=ids, tails=of).dicts()
    return {str(row["head_id"]) for row in between if row["relation"] == "IS_A"}


def _symptoms(store: Store, ids: list[str], subjects: Sequence[Subject]) -> set[str]:
    """Which of some things are symptoms of others, or the next wider or narrower ones."""
    symptoms = [
        str(row["symptom_id"])
        for subject in subjects
        for row in store.query(SYMPTOMS, disease=subject.id).dicts()
    ]
    wider = store.query("entity.statements_between", heads=symptoms, tails=ids).dicts()
    of_kin = {str(row["tail_id"]) for row in wider if row["relation"] == "IS_A"}
    return {*symptoms}.intersection(ids) | of_kin | _kinds(store, ids, symptoms)


def _in_particular(rows: Rows) -> Rows:
    """The rows without treatments that are none in particular, where enough others are there."""
    at = column(rows.columns, "_name")
    kept = [row for row in rows.rows if not _SAYS_NOTHING.fullmatch(str(row[at]))]
    return replace(rows, rows=tuple(kept)) if len(kept) >= _ENOUGH_IN_PARTICULAR else rows


def _but(rows: Rows, ids: Collection[str]) -> Rows:
    """The rows without some; all where these are all."""
    kept = tuple(row for row in rows.rows if str(row[0]) not in ids)
    return replace(rows, rows=kept) if kept else rows
