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
from evalsim.report.results import called
from evalsim.report.tables import Cell, Count, Estimate, Section, Table, said

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
    seen = [name for name in (*EndReason, CUT_OFF) if any(own[name] for own in counts.values())]
    rows: list[list[Cell]] = [
        [
            some.label,
            called(some.setting),
            Count(counts[id_].total(), filters={"run": id_}),
            *(
                Count(counts[id_][end], counts[id_].total(), {"run": id_, "end": str(end)})
                for end in seen
            ),
        ]
        for id_, some in runs_of(entries).items()
    ]
    columns = [translate(each) for each in ("doctor", "setting", "dialogues", *seen)]
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
        own = rules.setdefault(each.run.id, Counter())
        turns = each.played.dialogue.turns
        own["turns"] += len(turns)
        own["broken"] += sum(bool(turn.violations) for turn in turns)
        own.update({found.rule for turn in turns for found in turn.violations})
    seen = [rule for rule in _RULES if any(own[rule] for own in rules.values())]
    rows: list[list[Cell]] = [
        [
            some.run.patient,
            some.label,
            called(some.setting),
            rules[id_]["turns"],
            Count(rules[id_]["broken"], rules[id_]["turns"], {"run": id_, "rule": "*"}),
            *(Count(rules[id_][rule], filters={"run": id_, "rule": rule}) for rule in seen),
        ]
        for id_, some in runs_of(entries).items()
    ]
    columns = ["patient", "doctor", "setting", "turns", "turns that break a rule", *seen]
    tables = [
        Table(
            translate("Dialogues in which the patient broke a rule"),
            [translate(each) for each in columns],
            rows,
        )
    ]
    if seen:
        tables.append(_unbroken(entries, seed))
    text = translate(
        "Every utterance of a patient is audited: a patient must not name the disease, tell what was not let out, contradict itself, invent, keep back what it was to say, or end the dialogue. Without a director all that the case has may be told, so that the rules on what was not let out do not apply. What a patient does on purpose, by its manner, is no broken rule. Behind the turns stands in how many dialogues each rule was broken; below, what the doctors score without these dialogues."
    )
    return Section("patients", translate("The patients"), [text], tables)


def judges(entries: Sequence[Entry], human: Sequence[HumanScore], seed: int) -> Section:
    """What each judge scored, and whether judges agree with each other and with humans."""
    played = [each.played for each in entries]
    tables = [_judged(entries)]
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
                said(each.task),
                said(each.metric),
                each.found.units,
                each.found.mae,
                each.found.exact,
                each.found.within_one,
                Estimate(each.found.bias, signed=True),
                each.found.kappa,
                each.found.alpha,
                each.found.ac2,
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
                        said(each.task),
                        said(each.metric),
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
                    [each.model, said(each.task), said(each.metric), each.value]
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
            called(each.setting),
            translate(each.flag),
            each.judge,
            Count(
                each.flagged,
                each.dialogues,
                {"run": ids[each.setting, each.doctor], "flag": each.flag},
            ),
            Estimate(each.share),
        ]
        for each in safety_flags([one.played for one in entries], seed=seed)
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


def _unbroken(entries: Sequence[Entry], seed: int) -> Table:
    rows: list[list[Cell]] = [
        [
            each.doctor,
            called(each.setting),
            said(each.metric),
            Count(each.affected, each.dialogues),
            Estimate(each.every),
            Estimate(each.without),
            Estimate(each.difference, signed=True),
        ]
        for each in without_violations([one.played for one in entries], seed=seed)
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


def _judged(entries: Sequence[Entry]) -> Table:
    counts: dict[tuple[str, str, str], list[int]] = {}
    for each in entries:
        for turn in each.played.dialogue.turns:
            for row in turn.judgements:
                if row.applies and row.metric in METRICS[each.played.dialogue.task]:
                    own = counts.setdefault(
                        (row.judge, each.played.dialogue.task, row.metric), [0, 0]
                    )
                    own[0] += 1
                    own[1] += row.score is not None
    rows: list[list[Cell]] = [
        [judge, said(task), said(metric), asked, Count(scored, asked)]
        for (judge, task, metric), (asked, scored) in sorted(counts.items())
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
    ordered = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    rows: list[list[Cell]] = [
        [judge, said(metric), reason, count] for (judge, metric, reason), count in ordered
    ]
    columns = [translate(each) for each in ("judge", "metric", "reason", "replies")]
    return Table(translate("Why replies were not scored"), columns, rows[:_REASONS])
