"""The section on the simulation itself: what patients are worth to it, and what the director is."""

from collections.abc import Sequence
from dataclasses import replace

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
)
from evalsim.report.entries import Entry
from evalsim.report.results import called, in_order
from evalsim.report.tables import Cell, Estimate, Section, Table, said


def simulation(
    entries: Sequence[Entry],
    encoder: NamedEncoder,
    recogniser: NamedRecogniser | None,
    seed: int,
) -> Section | None:
    """Tables 4, 6 and 7 of MedKGEval, with the paper's figures; None: all is of a single turn."""
    found = [
        _consistency(entries, encoder, seed),
        _grounding(entries, recogniser, seed) if recogniser else None,
        _ablation(entries, seed),
    ]
    tables = [table for table in found if table is not None]
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
    for patient, setting, own in _patients(entries):
        found = patient_consistency(own, setting.task, encoder.encode, seed=seed)
        doctors = len({each.doctor for each in own})
        rows.append(
            [
                patient,
                called(setting),
                doctors,
                found.groups,
                found.texts,
                Estimate(found.mean),
                found.sd,
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
    for patient, setting, own in _patients(entries):
        found = grounding(own, recogniser.recognise, seed=seed)
        rows.append(
            [
                patient,
                called(setting),
                found.utterances,
                found.with_mention,
                found.mentions,
                Estimate(found.share),
                Estimate(found.utterance_share),
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
    """Table 7: every doctor that was run with a director and without, on the cases of both."""
    rows: list[list[Cell]] = []
    settings = {each.setting for each in entries}
    for setting in in_order(settings):
        without = replace(setting, directed=False)
        if setting.single_turn or not setting.directed or without not in settings:
            continue
        for doctor in sorted({each.run.doctor for each in entries}):
            one, other = (
                [e.played for e in entries if (e.setting, e.run.doctor) == (of, doctor)]
                for of in (setting, without)
            )
            for metric in METRICS[setting.task]:
                found, _ = compare_scores(one, other, metric, seed=seed)
                if found is not None:
                    rows.append(
                        [
                            doctor,
                            called(setting),
                            said(metric),
                            found.cases,
                            found.one,
                            found.other,
                            Estimate(found.interval, signed=True),
                            _paper("7", setting, metric),
                            _paper("7", without, metric),
                        ]
                    )
    if not rows:
        return None
    columns = [
        "doctor",
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


def _patients(entries: Sequence[Entry]) -> list[tuple[str, Setting, list[Played]]]:
    """Each patient in each setting of several turns, with its dialogues."""
    lots: dict[tuple[Setting, str], list[Played]] = {}
    for setting in in_order({each.setting for each in entries}):
        for each in entries:
            if each.setting == setting and not setting.single_turn:
                manner = ", ".join(each.run.settings.get("manner", ()))
                name = f"{each.run.patient} ({manner})" if manner else each.run.patient
                lots.setdefault((setting, name), []).append(each.played)
    return [(name, setting, own) for (setting, name), own in lots.items()]


def _paper(table: str, setting: Setting, metric: str | None = None) -> str:
    """What a table of the paper has for a setting, by model; empty: nothing.

    Table 7 is of Chinese alone; beside a run in English its language is said.
    """
    return translate(", ").join(
        f"{each.model} {each.value:.3f}"
        + (
            f" ({said(each.language)})"
            if each.language and each.language != setting.language
            else ""
        )
        for each in published_figures()
        if (each.table, each.task, each.directed) == (table, setting.task, setting.directed)
        and metric in (None, each.metric)
    )
