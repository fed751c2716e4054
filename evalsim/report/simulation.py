"""The section on the simulation itself: how much a result owes to the patients and to the director."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from cypher.translation import translate
from evalsim.metrics import (
    METRICS,
    NamedEncoder,
    NamedRecogniser,
    Played,
    Setting,
    compare_scores,
    grounding,
    patient_consistency,
    published_figures,
    score_dialogue,
)
from evalsim.report.entries import Entry, manner_of
from evalsim.report.results import in_order, setting_name
from evalsim.report.tables import MISSING, Cell, Estimate, Section, Table, value_name
from evalsim.running.logs import Run
from evalsim.statistics import Component, split_by_role


def simulation(
    entries: Sequence[Entry],
    encoder: NamedEncoder,
    recogniser: NamedRecogniser | None,
    seed: int,
) -> Section | None:
    """Tables 4, 6 and 7 of MedKGEval, with the paper's figures; None: all is of a single turn."""
    possible = [
        _consistency(entries, encoder, seed),
        _grounding(entries, recogniser, seed) if recogniser else None,
        _ablation(entries, seed),
        _variance(entries),
    ]
    tables = [table for table in possible if table is not None]
    if not tables:
        return None
    text = [
        translate(
            "How much a result owes to the patients and the director. A patient is consistent where what it says about one disease or drug is alike whichever doctor asks: the mean cosine of all pairs of its utterances, then over diseases or drugs (equation 1)."
        )
    ]
    if not encoder.published:
        text.append(
            translate(
                "The paper's encoder is BGE-M3; figures by {encoder} are not to be compared with the paper's, only with each other.",
                encoder=encoder.name,
            )
        )
    if recogniser:
        text.append(
            translate(
                "What a patient names is found by the recogniser {recogniser}, which the patient does not use, and looked up in the graph. The paper gives one figure, which its text calls a share of mentions and its table a share of utterances; the paper does not say by what it found them.",
                recogniser=recogniser.name,
            )
        )
    return Section("simulation", translate("Patients and director"), text, tables)


def _consistency(entries: Sequence[Entry], encoder: NamedEncoder, seed: int) -> Table | None:
    """Table 4: a row for each patient and setting."""
    rows: list[list[Cell]] = []
    for patient, setting, played in _patients(entries):
        consistency = patient_consistency(played, setting.task, encoder.encode, seed=seed)
        doctors = len({each.doctor for each in played})
        rows.append(
            [
                patient,
                setting_name(setting),
                doctors,
                consistency.groups,
                consistency.texts,
                Estimate(consistency.mean),
                consistency.sd,
                _paper("4", setting),
            ]
        )
    if not rows:
        return None
    columns = [
        "patient",
        "setting",
        "runs",
        "diseases or drugs",
        "utterances",
        "consistency",
        "standard deviation",
        "in the paper",
    ]
    title = translate("Consistency of patients (table 4), by {encoder}", encoder=encoder.name)
    return Table(title, [translate(each) for each in columns], rows)


def _grounding(entries: Sequence[Entry], recogniser: NamedRecogniser, seed: int) -> Table | None:
    """Table 6: a row for each patient and setting."""
    rows: list[list[Cell]] = []
    for patient, setting, played in _patients(entries):
        grounded = grounding(played, recogniser.recognise, seed=seed)
        rows.append(
            [
                patient,
                setting_name(setting),
                grounded.utterances,
                grounded.with_mention,
                grounded.mentions,
                Estimate(grounded.share),
                Estimate(grounded.utterance_share),
                _paper("6", setting),
            ]
        )
    if not rows:
        return None
    columns = [
        "patient",
        "setting",
        "utterances",
        "with a mention",
        "mentions",
        "mentions in the graph",
        "utterances with one",
        "in the paper",
    ]
    title = translate(
        "What patients name that is in the graph (table 6), by {recogniser}",
        recogniser=recogniser.name,
    )
    return Table(title, [translate(each) for each in columns], rows)


def _ablation(entries: Sequence[Entry], seed: int) -> Table | None:
    """Table 7: every doctor that was run with a director and without, on the cases of both.

    Patients who speak in a manner have a director, and so nobody to be set beside.
    """
    rows: list[list[Cell]] = []
    settings = {each.setting for each in entries}
    for setting in in_order(settings):
        without = replace(setting, directed=False)
        if setting.single_turn or not setting.directed or without not in settings:
            continue
        for pairing in sorted({_pairing(each.run) for each in entries}):
            directed, undirected = (
                [
                    e.played
                    for e in entries
                    if e.setting == own_setting and _pairing(e.run) == pairing
                ]
                for own_setting in (setting, without)
            )
            for metric in METRICS[setting.task]:
                comparison = compare_scores(directed, undirected, metric, seed=seed)
                if comparison is not None:
                    rows.append(
                        [
                            pairing.doctor,
                            pairing.patient,
                            pairing.judges,
                            setting_name(setting),
                            value_name(metric),
                            comparison.cases,
                            comparison.one,
                            comparison.other,
                            Estimate(comparison.interval, signed=True),
                            _paper("7", setting, metric),
                            _paper("7", without, metric),
                        ]
                    )
    if not rows:
        return None
    columns = [
        "doctor",
        "patient",
        "judges",
        "setting",
        "metric",
        "cases of both",
        "with a director",
        "without a director",
        "difference",
        "in the paper, with",
        "in the paper, without",
    ]
    title = translate("Doctors with and without a director (table 7)")
    return Table(title, [translate(each) for each in columns], rows)


class _Pairing(NamedTuple):
    """What two runs have in common that differ in the director alone."""

    doctor: str
    patient: str
    judges: str
    settings: tuple[str, ...]
    """The manner of the patient, and how they were judged again."""


def _pairing(run: Run) -> _Pairing:
    judging = run.settings.get("judging") or {}
    judged_again = (f"{name} {value}" for name, value in sorted(judging.items()))
    judges = translate(", ").join(run.judges)
    return _Pairing(run.doctor, run.patient, judges, (*manner_of(run), *judged_again))


def _patient_name(run: Run) -> str:
    """Its name, with its manner where it has one."""
    manner = translate(", ").join(map(translate, manner_of(run)))
    return f"{run.patient} ({manner})" if manner else run.patient


def _variance(entries: Sequence[Entry]) -> Table | None:
    """Whose sampling the scores of a doctor vary by: a row for each component."""
    rows: list[list[Cell]] = []
    for setting in in_order({each.setting for each in entries}):
        entries_of: dict[tuple[str, str], list[Entry]] = {}
        for each in entries:
            if each.setting == setting:
                entries_of.setdefault((each.run.doctor, _patient_name(each.run)), []).append(each)
        for pair, own_entries in sorted(entries_of.items()):
            for metric in setting.metrics():
                rows += [
                    [
                        *pair,
                        setting_name(setting),
                        value_name(metric),
                        translate(" and ").join(map(translate, component.name.split(" and "))),
                        component.groups,
                        component.variance,
                        f"{component.share:.0%}" if math.isfinite(component.share) else MISSING,
                    ]
                    for component in _components(own_entries, metric)
                ]
    if not rows:
        return None
    columns = ["doctor", "patient", "setting", "metric", "whose", "groups", "variance", "share"]
    return Table(
        translate("Whose sampling scores vary by"), [translate(each) for each in columns], rows
    )


def _components(entries: Sequence[Entry], metric: str) -> tuple[Component, ...]:
    """Of one doctor on one metric; none where no case has two dialogues, nor one two judgings."""
    rows = [
        (score, each.played.dialogue.case, f"{each.run.held_by} {each.played.repeat}", judge)
        for each in entries
        for judge in each.run.judges
        if (score := score_dialogue(each.played.dialogue, metric, judge).score) is not None
    ]
    if not rows:
        return ()
    scores, cases, repeats, judges = zip(*rows, strict=True)
    try:
        return split_by_role(scores, case=cases, patient=repeats, doctor=repeats, judge=judges)
    except ValueError:  # nothing is repeated, or too little to tell the components apart
        return ()


def _patients(entries: Sequence[Entry]) -> list[tuple[str, Setting, list[Played]]]:
    """Each patient in each setting of several turns, with its dialogues."""
    played_of: dict[tuple[Setting, str], dict[tuple[str, str, int], Played]] = {}
    for setting in in_order({each.setting for each in entries}):
        for each in entries:
            if each.setting == setting and not setting.single_turn:
                dialogues = played_of.setdefault((setting, _patient_name(each.run)), {})
                key = (each.run.held_by, each.played.dialogue.case, each.played.repeat)
                dialogues.setdefault(key, each.played)  # and judged as often as you like
    return [
        (name, setting, [*dialogues.values()]) for (setting, name), dialogues in played_of.items()
    ]


def _paper(table: str, setting: Setting, metric: str | None = None) -> str:
    """What a table of the paper has for a setting, by model; empty: nothing.

    Table 7 is of Chinese alone; beside a run in English its language is said.
    """
    return translate(", ").join(
        f"{each.model} {each.value:.3f}"
        + (
            f" ({value_name(each.language)})"
            if each.language and each.language != setting.language
            else ""
        )
        for each in published_figures()
        if (each.table, each.task, each.directed) == (table, setting.task, setting.directed)
        and metric in (None, each.metric)
    )
