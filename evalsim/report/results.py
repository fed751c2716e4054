"""Sections on how good the doctors are: leaderboard, differences, length of dialogues, groups of cases."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from cypher.translation import translate
from evalsim.metrics import (
    Played,
    Setting,
    Standing,
    comparisons,
    comprehensiveness_by_length,
    leaderboard,
    published_figures,
    score_dialogue,
    turn_bubbles,
    turns_to_diagnosis,
)
from evalsim.report.entries import Entry
from evalsim.report.tables import (
    MISSING,
    Cell,
    Estimate,
    Panels,
    Section,
    Table,
    p_value,
    value_name,
)
from evalsim.statistics import Interval, bootstrap_mean

_PAPER: Final = {
    "Qwen3-235B-A22B": r"qwen3-235b-a22b",
    "GPT-4o": r"gpt-4o(-\d{4}-\d{2}-\d{2})?",
    "LLaMA3.1-70B": r"(meta-)?llama-?3\.1-70b(-instruct)?",
    "DeepSeek-R1-671B": r"deepseek-r1(-671b)?",
    "Citrus-Qwen-72B": r"citrus(1\.0)?-qwen-72b",
    "Lingshu-32B": r"lingshu-32b",
    "HuatuoGPT-o1-72B": r"huatuogpt-o1-72b",
    "MedGemma-27B": r"medgemma-27b(-text)?(-it)?",
}
"""The last part of a model's name where it is the same model as the paper's; of another release, or
distilled from it, it is not."""
_RUBRIC: Final = {
    ("diagnosis", "correctness"): (
        "unrelated, or no diagnosis",
        "similar: shares findings with the disease",
        "related: a kind of it or what it is a kind of, or by mechanism",
        "the disease itself, by any of its names",
    ),
    ("diagnosis", "history_taking"): (
        "asks for nothing that helps",
        "asks for some of what matters",
        "asks for what tells the likely diseases apart",
        "",
    ),
    ("medication", "correctness"): (
        "all that matters is wrong",
        "partly right, partly wrong",
        "all that matters is right",
        "",
    ),
    ("medication", "comprehensiveness"): (
        "says nothing that was asked for",
        "says a part of it",
        "says all that the question needs",
        "",
    ),
}
"""What each score says, after table 2 of MedKGEval; empty: no such score."""
_DRAWS: Final = 2_000
"""For the many small groups of cases."""
_SCREEN: Final = 12
"""Rows of a table beyond which it is folded."""
_FEW: Final = 30
"""Diseases below which an interval is too narrow."""


def scores(entries: Sequence[Entry], seed: int) -> Section:
    """Table 5: every doctor on every metric, a table for each setting."""
    played = [each.played for each in entries]
    standings = leaderboard(played, seed=seed)
    turns = {
        (each.setting, each.doctor): each.turns for each in turns_to_diagnosis(played, seed=seed)
    }
    models = {(each.setting, each.label): each.run.doctor for each in entries}
    tables = []
    for setting in in_order({each.setting for each in standings}):
        own_standings = [each for each in standings if each.setting == setting]
        metrics = setting.metrics()
        rows: list[list[Cell]] = []
        for doctor in dict.fromkeys(each.doctor for each in own_standings):
            by_metric = {each.metric: each for each in own_standings if each.doctor == doctor}
            first = by_metric[metrics[0]]
            model = models[setting, doctor]
            row: list[Cell] = [doctor, *(_score(by_metric[metric], model) for metric in metrics)]
            if setting.task == "diagnosis" and not setting.single_turn:
                row.append(_mean_turns(turns[setting, doctor]))
            rows.append([*row, first.dialogues, first.targets, _coverage(by_metric.values())])
        columns = [translate("doctor"), *(value_name(metric) for metric in metrics)]
        if setting.task == "diagnosis" and not setting.single_turn:
            columns.append(translate("turns to a diagnosis"))
        targets = translate("diseases") if setting.task == "diagnosis" else translate("drugs")
        columns += [translate("dialogues"), targets, translate("scored")]
        tables.append(Table(setting_name(setting), columns, rows))
    text = [
        translate(
            "Scores are normalised to 0 to 1, as in table 5 of MedKGEval: correctness of a diagnosis is of the reply that ended the dialogue, everything else the mean over its turns. Every dialogue counts alike."
        ),
        translate(
            "In brackets stands the interval in which the mean lies with 95 % confidence, by drawing whole diseases or drugs again and again: two doctors whose intervals overlap widely cannot be told apart. A turn that no judge could score is in no mean; where there are such turns, the bounds say what the mean would be, had they all scored 0, or all full."
        ),
    ]
    if any(each.targets < _FEW for each in standings):
        text.append(
            translate(
                "With fewer than {n} diseases or drugs an interval is narrower than it should be.",
                n=_FEW,
            )
        )
    if any(
        isinstance(cell, Estimate) and cell.published is not None
        for t in tables
        for row in t.rows
        for cell in row
    ):
        text.append(
            translate(
                "What the paper gives for the same model stands beside it; its cases, graph and prompts are not public, so that the two are of one size and no more."
            )
        )
    return Section("leaderboard", translate("Leaderboard"), text, [*tables, _rubric()])


def differences(entries: Sequence[Entry], seed: int) -> Section | None:
    """Every two doctors on the cases of both; None: no two have one in common."""
    compared = comparisons([each.played for each in entries], seed=seed)
    if not compared:
        return None
    rows: list[list[Cell]] = [
        [
            f"{each.one} − {each.other}",
            setting_name(each.setting),
            value_name(each.metric),
            each.comparison.cases,
            Estimate(each.comparison.interval, signed=True),
            p_value(each.holm),
            p_value(each.benjamini_hochberg),
            p_value(each.mcnemar.p) if each.mcnemar else "",
        ]
        for each in compared
    ]
    columns = [
        "doctors",
        "setting",
        "metric",
        "cases of both",
        "difference",
        "p (Holm)",
        "q (Benjamini-Hochberg)",
        "p (McNemar)",
    ]
    text = translate(
        "Two doctors on the cases that both have a score of. The p of the mean difference is adjusted for all pairs of a setting and metric by Holm's method; McNemar's test is of which diagnoses are fully right."
    )
    table = Table(
        translate("Pairs of doctors"),
        [translate(each) for each in columns],
        rows,
        folded=len(rows) > _SCREEN,
    )
    return Section("differences", translate("Which differences hold"), [text], [table])


def by_turns(entries: Sequence[Entry]) -> Section | None:
    """Figures 4 and 5: scores by how many turns a diagnosis took; None: nothing was diagnosed."""
    pictures = [
        Panels(f"{setting_name(setting)}: {value_name(metric)}", turn_bubbles(played, metric))
        for setting, played in _settings(entries)
        for metric in setting.metrics()
        if setting.task == "diagnosis" and not setting.single_turn
    ]
    if not any(each.bubbles for each in pictures):
        return None
    text = translate(
        "As figures 4 and 5 of MedKGEval: a bubble is the dialogues that ended at a turn with a score, its area their number; the line joins the mean scores. Turns go across, the score upwards."
    )
    return Section(
        "turns",
        translate("Score by the length of a dialogue"),
        [text],
        [],
        [each for each in pictures if each.bubbles],
    )


def by_length(entries: Sequence[Entry], seed: int) -> Section | None:
    """Comprehensiveness beside how long answers are; None: there is no such dialogue."""
    by_length = comprehensiveness_by_length([each.played for each in entries], seed=seed)
    if not by_length:
        return None
    rows: list[list[Cell]] = [
        [
            each.doctor,
            setting_name(each.setting),
            each.dialogues,
            round(each.length),
            Estimate(each.score),
            Estimate(each.adjusted),
        ]
        for each in by_length
    ]
    columns = [
        "doctor",
        "setting",
        "dialogues",
        "length of an answer",
        "comprehensiveness",
        "at equal length",
    ]
    text = translate(
        "A long answer covers more, whatever it is worth. Beside the score stands what it would be, were the answers of all doctors as long (analysis of covariance on the logarithm of length); length is in English words, or Chinese characters."
    )
    table = Table(
        translate("Comprehensiveness by length"), [translate(each) for each in columns], rows
    )
    return Section("length", translate("Comprehensiveness and length"), [text], [table])


def by_group(entries: Sequence[Entry], seed: int) -> Section | None:
    """Scores by kind, area and difficulty of the cases; None: no case says any."""
    groupings: dict[str, Callable[[Entry], str]] = {
        "difficulty": lambda each: each.difficulty,
        "area": lambda each: each.area,
        "kind": lambda each: each.kind,
    }
    tables = []
    for setting, _ in _settings(entries):
        own_entries = [each for each in entries if each.setting == setting]
        for name, group_of in groupings.items():
            if len({group_of(each) for each in own_entries}) > 1:
                tables.append(_table_of_groups(setting, name, group_of, own_entries, seed))
    if not tables:
        return None
    text = translate(
        "Mean correctness of each doctor, a column each, with its interval and the number n of its dialogues. Small groups say little; nothing here is adjusted for how many groups there are."
    )
    return Section("groups", translate("By area, kind and difficulty"), [text], tables)


def in_order(settings: Iterable[Setting]) -> list[Setting]:
    """As a report shows them: what is usual before its variants."""
    return sorted(settings, key=lambda s: (s.task, s.language, s.single_turn, not s.directed))


def setting_name(setting: Setting) -> str:
    """What a setting is called."""
    parts = [value_name(setting.task), value_name(setting.language)]
    if setting.single_turn:
        parts.append(translate("all findings at once"))
    if not setting.directed:
        parts.append(translate("without a director"))
    return translate(", ").join(parts)


def paper_model(model: str) -> str | None:
    """What the paper calls a model; None: it is none of its."""
    short_name = model.lower().rsplit("/", 1)[-1]
    return next(
        (name for name, pattern in _PAPER.items() if re.fullmatch(pattern, short_name)), None
    )


def published(setting: Setting, metric: str, model: str) -> float | None:
    """The paper's score of a model."""
    name = paper_model(model)
    return next(
        (
            each.value
            for each in published_figures()
            if each.table == "5"
            and (each.task, each.metric, each.language) == (setting.task, metric, setting.language)
            and (each.single_turn, each.directed) == (setting.single_turn, setting.directed)
            and each.model == name
        ),
        None,
    )


def _rubric() -> Table:
    rows: list[list[Cell]] = [
        [
            value_name(task),
            value_name(metric),
            *(translate(each) if each else "" for each in levels),
        ]
        for (task, metric), levels in _RUBRIC.items()
    ]
    columns = [translate("task"), translate("metric"), "0", "1", "2", "3"]
    return Table(
        translate("What a judge's score of a reply says (table 2)"), columns, rows, folded=True
    )


def _score(standing: Standing, model: str) -> Estimate:
    all_scored = math.isclose(standing.low, standing.high)
    return Estimate(
        standing.score,
        None if all_scored else (standing.low, standing.high),
        published(standing.setting, standing.metric, model),
    )


def _mean_turns(turns: Interval) -> str:
    if not math.isfinite(turns.mean):
        return MISSING
    has_interval = math.isfinite(turns.low)
    return f"{turns.mean:.2f}" + (f" [{turns.low:.2f}, {turns.high:.2f}]" if has_interval else "")


def _coverage(standings: Iterable[Standing]) -> str:
    """The least of some metrics, and what is behind it."""
    own_standings = list(standings)
    least = min(each.coverage for each in own_standings)
    counts = {
        "in part: {count}": max(each.partial for each in own_standings),
        "without a score: {count}": max(each.unscored for each in own_standings),
        "turns with nothing to score: {count}": max(each.inapplicable for each in own_standings),
    }
    remarks = (translate(message, count=f"{n:,}") for message, n in counts.items() if n)
    return translate("; ").join([f"{math.floor(least * 1000) / 10:g} %", *remarks])


def _settings(entries: Sequence[Entry]) -> list[tuple[Setting, list[Played]]]:
    return [
        (setting, [each.played for each in entries if each.setting == setting])
        for setting in in_order({each.setting for each in entries})
    ]


def _table_of_groups(
    setting: Setting,
    name: str,
    group_of: Callable[[Entry], str],
    entries: Sequence[Entry],
    seed: int,
) -> Table:
    """A row for each group, a column for each doctor."""
    labels = sorted({each.label for each in entries})
    scores_of: dict[tuple[str, str], list[tuple[float, str]]] = {}
    for each in entries:
        score = score_dialogue(each.played.dialogue, "correctness").score
        if score is not None:
            scores_of.setdefault((group_of(each), each.label), []).append(
                (score, each.played.target)
            )
    order = {"easy": 0, "medium": 1, "hard": 2}
    groups = sorted(
        {group_of(each) for each in entries}, key=lambda group: (order.get(group, 9), group)
    )
    rows: list[list[Cell]] = []
    for group in groups:
        row: list[Cell] = [translate(group) if group else translate("not known")]
        row.append(len({each.played.dialogue.case for each in entries if group_of(each) == group}))
        for label in labels:
            scored = scores_of.get((group, label), [])
            if not scored:
                row.append(None)
                continue
            values, targets = zip(*scored, strict=True)
            mean = bootstrap_mean(values, targets, seed=seed, draws=_DRAWS)
            row.append(Estimate(mean, n=len(scored)))
        rows.append(row)
    title = translate(
        "{setting}, by {group}", setting=setting_name(setting), group=translate(name)
    )
    return Table(
        title,
        [translate(name), translate("number of cases"), *labels],
        rows,
        folded=name != "difficulty",
    )
