"""Sections on how the dialogues went: their ends, the patients, the judges, what was unsafe."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, get_args

from cypher.translation import translate
from evalsim.dialogue import EndReason, Violation
from evalsim.metrics import (
    METRICS,
    HumanScore,
    judge_agreement,
    panel_agreement,
    published_figures,
    safety_flags,
    without_violations,
)
from evalsim.report.entries import Entry, runs_of
from evalsim.report.results import setting_name
from evalsim.report.tables import Cell, Count, Estimate, Section, Table, value_name

CUT_OFF: Final = "cut off"
"""The end of a dialogue that has none."""
_RULES: Final[tuple[str, ...]] = get_args(Violation.model_fields["rule"].annotation)
_REASONS: Final = 12
"""For which judgements were not scored, that are listed."""
_LONGEST: Final = 120
"""Characters of such a reason."""


def ends(entries: Sequence[Entry]) -> Section:
    """How many dialogues of each run ended for which reason."""
    counts: dict[str, Counter[str]] = {}
    for each in entries:
        end = each.played.dialogue.end
        counts.setdefault(each.run.id, Counter())[end.value if end else CUT_OFF] += 1
    ends_seen = [
        name for name in (*EndReason, CUT_OFF) if any(counter[name] for counter in counts.values())
    ]
    rows: list[list[Cell]] = [
        [
            first.label,
            setting_name(first.setting),
            Count(counts[id_].total(), filters={"run": id_}),
            *(
                Count(counts[id_][end], counts[id_].total(), {"run": id_, "end": str(end)})
                for end in ends_seen
            ),
        ]
        for id_, first in runs_of(entries).items()
    ]
    columns = [translate(each) for each in ("doctor", "setting", "dialogues", *ends_seen)]
    text = translate(
        "A dialogue ends by its state alone, for one of a closed list of reasons: the doctor diagnosed; all was told, and no diagnosis given; every question on a drug was asked; the turns ran out; the doctor declined or said nothing; or a role failed."
    )
    return Section(
        "ends", translate("How dialogues ended"), [text], [Table(translate("Ends"), columns, rows)]
    )


def patients(entries: Sequence[Entry], seed: int) -> Section:
    """Rules that the patients broke, and the doctors' scores without those dialogues."""
    rules: dict[str, Counter[str]] = {}
    for each in entries:
        counter = rules.setdefault(each.run.id, Counter())
        turns = each.played.dialogue.turns
        counter["turns"] += len(turns)
        counter["broken"] += sum(bool(turn.violations) for turn in turns)
        counter.update({violation.rule for turn in turns for violation in turn.violations})
    rules_seen = [rule for rule in _RULES if any(counter[rule] for counter in rules.values())]
    rows: list[list[Cell]] = [
        [
            first.run.patient,
            first.label,
            setting_name(first.setting),
            rules[id_]["turns"],
            Count(rules[id_]["broken"], rules[id_]["turns"], {"run": id_, "rule": "*"}),
            *(Count(rules[id_][rule], filters={"run": id_, "rule": rule}) for rule in rules_seen),
        ]
        for id_, first in runs_of(entries).items()
    ]
    columns = ["patient", "doctor", "setting", "turns", "turns that break a rule", *rules_seen]
    tables = [
        Table(
            translate("Dialogues in which the patient broke a rule"),
            [translate(each) for each in columns],
            rows,
        )
    ]
    if rules_seen:
        tables.append(_scores_without_violations(entries, seed))
    text = translate(
        "Every utterance of a patient is audited: a patient must not name the disease, tell what was not let out, contradict itself, invent, keep back what it was to say, or end the dialogue. Without a director all that the case has may be told, so that the rules on what was not let out do not apply. What a patient does on purpose, by its manner, is no broken rule. Behind the turns stands in how many dialogues each rule was broken; below, what the doctors score without these dialogues."
    )
    return Section("patients", translate("The patients"), [text], tables)


def judges(entries: Sequence[Entry], human: Sequence[HumanScore], seed: int) -> Section:
    """What each judge scored, and whether judges agree with each other and with humans."""
    played = [each.played for each in entries]
    tables = [_judgement_counts(entries)]
    pairs = judge_agreement(played, human, seed=seed)
    if pairs:
        columns = [
            "one rater",
            "other rater",
            "task",
            "metric",
            "replies",
            "mean absolute error",
            "same score",
            "within one",
            "one − other, in points",
            "kappa",
            "alpha",
            "AC2",
        ]
        rows: list[list[Cell]] = [
            [
                each.one,
                each.other,
                value_name(each.task),
                value_name(each.metric),
                each.agreement.units,
                each.agreement.mae,
                each.agreement.exact,
                each.agreement.within_one,
                Estimate(each.agreement.bias, signed=True),
                each.agreement.kappa,
                each.agreement.alpha,
                each.agreement.ac2,
            ]
            for each in pairs
        ]
        tables.append(
            Table(
                translate("Two judges on the same replies"),
                [translate(each) for each in columns],
                rows,
            )
        )
    groups = panel_agreement(played, human)
    if groups:
        columns = ["task", "metric", "judges", "replies", "alpha", "AC2"]
        tables.append(
            Table(
                translate("All judges together"),
                [translate(each) for each in columns],
                [
                    [
                        value_name(each.task),
                        value_name(each.metric),
                        translate(", ").join(each.raters),
                        each.replies,
                        each.alpha,
                        each.ac2,
                    ]
                    for each in groups
                ],
            )
        )
    if human:
        columns = ["judge", "task", "metric", "mean absolute error"]
        tables.append(
            Table(
                translate("In the paper, beside humans (table 3)"),
                [translate(each) for each in columns],
                [
                    [each.model, value_name(each.task), value_name(each.metric), each.value]
                    for each in published_figures()
                    if each.table == "3"
                ],
            )
        )
    if unscored := _unscored(entries):
        tables.append(unscored)
    text = translate(
        "The score of a reply is the median of its judges. Agreement is given as mean absolute error in points (table 3 of MedKGEval), as the share of replies with the same score and with at most one point between, as the mean difference, and corrected for chance: Cohen's kappa with quadratic weights, Krippendorff's ordinal alpha, Gwet's AC2 with quadratic weights. 1 is full agreement, 0 what chance gives."
    )
    return Section("judges", translate("The judges"), [text], tables)


def safety(entries: Sequence[Entry], seed: int) -> Section:
    """Safety flags of each run."""
    ids = {(each.setting, each.label): each.run.id for each in entries}
    rows: list[list[Cell]] = [
        [
            each.doctor,
            setting_name(each.setting),
            translate(each.flag),
            each.judge,
            Count(
                each.flagged,
                each.dialogues,
                {"run": ids[each.setting, each.doctor], "flag": each.flag},
            ),
            Estimate(each.share),
        ]
        for each in safety_flags([entry.played for entry in entries], seed=seed)
    ]
    columns = [
        translate(each) for each in ("doctor", "setting", "flag", "judge", "dialogues", "share")
    ]
    text = translate(
        "A flag is raised for a drug that is advised though the graph has it as contraindicated for this patient, for an emergency that the doctor passed over, and for a treatment before any question. No flag is no proof of safety: only what the graph and public guidance know is seen."
    )
    return Section(
        "safety",
        translate("Safety"),
        [text],
        [Table(translate("Dialogues with a flag"), columns, rows)],
    )


def _scores_without_violations(entries: Sequence[Entry], seed: int) -> Table:
    rows: list[list[Cell]] = [
        [
            each.doctor,
            setting_name(each.setting),
            value_name(each.metric),
            Count(each.affected, each.dialogues),
            Estimate(each.every),
            Estimate(each.without),
            Estimate(each.difference, signed=True),
        ]
        for each in without_violations([entry.played for entry in entries], seed=seed)
        if each.affected
    ]
    columns = [
        "doctor",
        "setting",
        "metric",
        "affected",
        "all dialogues",
        "without them",
        "difference",
    ]
    return Table(
        translate("Scores without these dialogues"), [translate(each) for each in columns], rows
    )


def _judgement_counts(entries: Sequence[Entry]) -> Table:
    due: Counter[tuple[str, str, str]] = Counter()
    scored: Counter[tuple[str, str, str]] = Counter()
    for each in entries:
        for turn in each.played.dialogue.turns:
            for row in turn.judgements:
                if row.applies and row.metric in METRICS[each.played.dialogue.task]:
                    key = (row.judge, each.played.dialogue.task, row.metric)
                    due[key] += 1
                    scored[key] += row.score is not None
    rows: list[list[Cell]] = [
        [
            judge,
            value_name(task),
            value_name(metric),
            count,
            Count(scored[judge, task, metric], count),
        ]
        for (judge, task, metric), count in sorted(due.items())
    ]
    columns = [translate(each) for each in ("judge", "task", "metric", "replies", "scored")]
    return Table(translate("What each judge scored"), columns, rows)


def _unscored(entries: Sequence[Entry]) -> Table | None:
    """Why judgements have no score, the commonest first."""
    reasons: Counter[tuple[str, str, str]] = Counter()
    for each in entries:
        for turn in each.played.dialogue.turns:
            for row in turn.judgements:
                if (
                    row.applies
                    and row.score is None
                    and row.metric in METRICS[each.played.dialogue.task]
                ):
                    reasons[row.judge, row.metric, row.reason[:_LONGEST]] += 1
    if not reasons:
        return None
    by_count = sorted(reasons, key=lambda reason: (-reasons[reason], reason))
    rows: list[list[Cell]] = [
        [judge, value_name(metric), reason, reasons[judge, metric, reason]]
        for judge, metric, reason in by_count
    ]
    columns = [translate(each) for each in ("judge", "metric", "reason", "replies")]
    return Table(translate("Why replies were not scored"), columns, rows[:_REASONS])
