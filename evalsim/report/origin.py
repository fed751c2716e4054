"""Sections on what runs took, and on what made them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cypher.translation import translate
from evalsim.report.entries import Entry, manner_of, prompts_of, runs_of, shortened
from evalsim.report.results import setting_name
from evalsim.report.tables import Cell, Count, Section, Table
from evalsim.running.calls import Spent

_ROLE_SETTINGS: Final = ("temperature", "max_tokens", "seed", "manner")
"""Of a role, what is told besides its model; addresses and keys are not."""

Prices = Mapping[str, tuple[float, float]]
"""By model: of a million tokens of input, and of output."""


def runs(entries: Sequence[Entry]) -> Section:
    """Who each run is: a row each, and what is alike in all of them in a sentence."""
    runs = runs_of(entries)
    entries_of_run: dict[str, list[Entry]] = {}
    for each in entries:
        entries_of_run.setdefault(each.run.id, []).append(each)
    details_of = {id_: _run_details(entries_of_run[id_]) for id_ in runs}
    names = list(next(iter(details_of.values())))
    values_of = {name: {details[name] for details in details_of.values()} for name in names}
    differing = [name for name in names if len(values_of[name]) > 1]
    rows: list[list[Cell]] = [
        [
            first.label,
            first.number,
            setting_name(first.setting),
            len({each.played.dialogue.case for each in entries_of_run[id_]}),
            max(each.played.repeat for each in entries_of_run[id_]),
            Count(len(entries_of_run[id_]), filters={"run": id_}),
            first.run.started[:16].replace("T", " "),
            *(details_of[id_][name] for name in differing),
        ]
        for id_, first in runs.items()
    ]
    columns = [
        "doctor",
        "run",
        "setting",
        "number of cases",
        "repeats",
        "dialogues",
        "started",
        *differing,
    ]
    text = [
        translate(
            "A run is called by its doctor, with its number where the same doctor has several runs in one setting; rows of the CSV files have the number of their run."
        )
    ]
    if same_names := [name for name in names if name not in differing and values_of[name] != {""}]:
        same_text = [
            f"{translate(name)}{translate(': ')}{min(values_of[name])}" for name in same_names
        ]
        text.append(translate("Alike in all: {what}.", what=translate("; ").join(same_text)))
    table = Table(translate("Who the runs are"), [translate(each) for each in columns], rows)
    return Section("runs", translate("Runs"), text, [table])


def cost(entries: Sequence[Entry], prices: Prices) -> Section:
    """Calls and tokens of every role, those of this run and those answered from its journal apart."""
    totals: dict[tuple[str, str], Spent] = {}
    for entry in entries:
        for role, spent in entry.spent.items():
            totals.setdefault((entry.run.id, role), Spent()).include(spent)
    runs = runs_of(entries)
    rows: list[list[Cell]] = []
    for (id_, role), spent in totals.items():
        model = _player(runs[id_], role)
        row: list[Cell] = [
            runs[id_].label,
            setting_name(runs[id_].setting),
            translate(role),
            model,
            spent.calls,
            spent.input_tokens,
            spent.output_tokens,
            spent.replayed_calls,
            spent.replayed_input_tokens,
            spent.replayed_output_tokens,
            spent.failed,
        ]
        if prices:
            price = prices.get(model)
            if price is None:
                row.append(None)
            else:
                of_input, of_output = price
                row.append((of_input * spent.input_tokens + of_output * spent.output_tokens) / 1e6)
        rows.append(row)
    columns = [
        "doctor",
        "setting",
        "role",
        "model",
        "calls",
        "input tokens",
        "output tokens",
        "replayed calls",
        "replayed input tokens",
        "replayed output tokens",
        "failed calls",
    ]
    if prices:
        columns.append("cost")
    seconds = sum(entry.seconds for entry in entries)
    text = [
        translate(
            "A replayed call was answered from the journal of finished calls: an earlier run, which was stopped, has paid for it. All dialogues together took {hours} hours, several at a time.",
            hours=f"{seconds / 3600:.1f}",
        )
    ]
    if not prices:
        text.append(
            translate("Give the prices of models with --prices to see what the tokens cost.")
        )
    return Section(
        "cost",
        translate("Tokens and cost"),
        text,
        [Table(translate("Calls and tokens"), [translate(each) for each in columns], rows)],
    )


def made_by(entries: Sequence[Entry]) -> Section:
    """What made each run, so that it can be made again."""
    tables = [
        Table(
            f"{first.label}: {setting_name(first.setting)}",
            [translate("what"), translate("value")],
            [[translate(name), value] for name, value in _origin_rows(first, entries)],
            folded=True,
        )
        for first in runs_of(entries).values()
    ]
    text = translate(
        "Two runs can be compared where they have the same cases, graph, prompts and players but for the doctor. The version of a run is a checksum of all of these."
    )
    return Section("origin", translate("What made it"), [text], tables)


def _run_details(entries: Sequence[Entry]) -> dict[str, str]:
    """What may tell a run from another, besides its doctor and setting."""
    run = entries[0].run
    settings = run.settings
    judging = settings.get("judging")
    return {
        "patient": run.patient,
        "manner of the patient": translate(", ").join(map(translate, manner_of(run)))
        or translate("none"),
        "director": run.director or translate("none"),
        "judges": translate(", ").join(run.judges),
        "judged again": translate("no" if judging is None else "yes"),
        "graph": shortened(settings.get("graph_checksum")),
        "graph of the cases": ", ".join(
            sorted({shortened(each.graph) for each in entries} - {""})
        ),
        "graph of those who judged again": shortened((judging or {}).get("graph_checksum")),
        "prompts": prompts_of(settings),
        "prompts of those who judged again": prompts_of(judging) if judging else "",
        "checksum of the cases": shortened(run.cases),
        "seed": str(settings.get("seed", "")),
        "turns at most": str(settings.get("turns", "")),
    }


def _player(first: Entry, role: str) -> str:
    """The model of a role; judges after the first are numbered."""
    run = first.run
    if role.startswith("judge"):
        number = int(role.removeprefix("judge") or 1) - 1
        return run.judges[number] if number < len(run.judges) else ""
    return {"doctor": run.doctor, "patient": run.patient, "director": run.director or ""}.get(
        role, ""
    )


def _origin_rows(first: Entry, entries: Iterable[Entry]) -> list[tuple[str, Cell]]:
    run = first.run
    entries_of_run = [each for each in entries if each.run.id == run.id]
    seeds_sent = {spent.seed_sent for each in entries_of_run for spent in each.spent.values()} - {
        None
    }
    rows: list[tuple[str, Cell]] = [
        ("run", run.id),
        ("started", run.started),
        ("finished", run.finished or ""),
        ("complete", translate(str(run.complete))),
        ("version", run.version),
        ("checksum of the cases", run.cases),
        (
            "checksum of the graph",
            ", ".join(sorted({each.graph for each in entries_of_run} - {""})),
        ),
        ("doctor", run.doctor),
        ("patient", run.patient),
        ("director", run.director or translate("none")),
        ("judges", translate(", ").join(run.judges)),
        ("seed", str(run.settings.get("seed", ""))),
        (
            "seed was sent to the endpoints",
            ", ".join(sorted(translate(str(each)) for each in seeds_sent))
            or translate("not known"),
        ),
        ("turns at most", str(run.settings.get("turns", ""))),
    ]
    return rows + _players(run.settings)


def _players(settings: Mapping[str, object]) -> list[tuple[str, Cell]]:
    """What roles were called with."""
    text = settings.get("players")
    players = json.loads(text) if isinstance(text, str) and text else {}
    rows: list[tuple[str, Cell]] = []
    for role, player in players.items():
        settings_said = [
            f"{name} {player[name]}"
            for name in _ROLE_SETTINGS
            if player.get(name) not in (None, [], "")
        ]
        if settings_said:
            rows.append((role, ", ".join(settings_said)))
    return rows
