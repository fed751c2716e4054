"""Sections on what runs took, and on what made them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cypher.translation import translate
from evalsim.report.entries import Entry, manner_of, prompts_of, runs_of, shortened
from evalsim.report.results import called
from evalsim.report.tables import Cell, Count, Section, Table
from evalsim.running.calls import Spent

_SAID: Final = ("temperature", "max_tokens", "seed", "manner")
"""Of a role, what is told besides its model; addresses and keys are not."""

Prices = Mapping[str, tuple[float, float]]
"""By model: of a million tokens of input, and of output."""


def runs(entries: Sequence[Entry]) -> Section:
    """Who each run is: a row each, and what is alike in all of them in a sentence."""
    runs = runs_of(entries)
    own: dict[str, list[Entry]] = {}
    for each in entries:
        own.setdefault(each.run.id, []).append(each)
    told = {id_: _who(own[id_]) for id_ in runs}
    names = list(next(iter(told.values())))
    alike = {name: {who[name] for who in told.values()} for name in names}
    differing = [name for name in names if len(alike[name]) > 1]
    rows: list[list[Cell]] = [
        [
            some.label,
            some.number,
            called(some.setting),
            len({each.played.dialogue.case for each in own[id_]}),
            max(each.played.repeat for each in own[id_]),
            Count(len(own[id_]), filters={"run": id_}),
            some.run.started[:16].replace("T", " "),
            *(told[id_][name] for name in differing),
        ]
        for id_, some in runs.items()
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
    if shared := [name for name in names if name not in differing and alike[name] != {""}]:
        what = [f"{translate(name)}{translate(': ')}{min(alike[name])}" for name in shared]
        text.append(translate("Alike in all: {what}.", what=translate("; ").join(what)))
    table = Table(translate("Who the runs are"), [translate(each) for each in columns], rows)
    return Section("runs", translate("Runs"), text, [table])


def cost(entries: Sequence[Entry], prices: Prices) -> Section:
    """Calls and tokens of every role, those of this run and those answered from its journal apart."""
    totals: dict[tuple[str, str], Spent] = {}
    for each in entries:
        for role, spent in each.spent.items():
            totals.setdefault((each.run.id, role), Spent()).include(spent)
    runs = runs_of(entries)
    rows: list[list[Cell]] = []
    for (id_, role), spent in totals.items():
        model = _player(runs[id_], role)
        row: list[Cell] = [
            runs[id_].label,
            called(runs[id_].setting),
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
            row.append(None if price is None else _price(price, spent))
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
    seconds = sum(each.seconds for each in entries)
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
            f"{some.label}: {called(some.setting)}",
            [translate("what"), translate("value")],
            [[translate(name), value] for name, value in _made(some, entries)],
            folded=True,
        )
        for some in runs_of(entries).values()
    ]
    text = translate(
        "Two runs can be compared where they have the same cases, graph, prompts and players but for the doctor. The version of a run is a checksum of all of these."
    )
    return Section("origin", translate("What made it"), [text], tables)


def _who(own: Sequence[Entry]) -> dict[str, str]:
    """What may tell a run from another, besides its doctor and setting."""
    run = own[0].run
    settings = run.settings
    again = settings.get("judging")
    return {
        "patient": run.patient,
        "manner of the patient": translate(", ").join(map(translate, manner_of(run)))
        or translate("none"),
        "director": run.director or translate("none"),
        "judges": translate(", ").join(run.judges),
        "judged again": translate("no" if again is None else "yes"),
        "graph": shortened(settings.get("graph_checksum")),
        "graph of the cases": ", ".join(sorted({shortened(each.graph) for each in own} - {""})),
        "graph of those who judged again": shortened((again or {}).get("graph_checksum")),
        "prompts": prompts_of(settings),
        "prompts of those who judged again": prompts_of(again) if again else "",
        "checksum of the cases": shortened(run.cases),
        "seed": str(settings.get("seed", "")),
        "turns at most": str(settings.get("turns", "")),
    }


def _player(some: Entry, role: str) -> str:
    """The model of a role; judges after the first are numbered."""
    run = some.run
    if role.startswith("judge"):
        at = int(role.removeprefix("judge") or 1) - 1
        return run.judges[at] if at < len(run.judges) else ""
    return {"doctor": run.doctor, "patient": run.patient, "director": run.director or ""}.get(
        role, ""
    )


def _price(price: tuple[float, float], spent: Spent) -> float:
    return (price[0] * spent.input_tokens + price[1] * spent.output_tokens) / 1e6


def _made(some: Entry, entries: Iterable[Entry]) -> list[tuple[str, Cell]]:
    run = some.run
    own = [each for each in entries if each.run.id == run.id]
    sent = {spent.seed_sent for each in own for spent in each.spent.values()} - {None}
    rows: list[tuple[str, Cell]] = [
        ("run", run.id),
        ("started", run.started),
        ("finished", run.finished or ""),
        ("complete", translate(str(run.complete))),
        ("version", run.version),
        ("checksum of the cases", run.cases),
        ("checksum of the graph", ", ".join(sorted({each.graph for each in own} - {""}))),
        ("doctor", run.doctor),
        ("patient", run.patient),
        ("director", run.director or translate("none")),
        ("judges", translate(", ").join(run.judges)),
        ("seed", str(run.settings.get("seed", ""))),
        (
            "seed was sent to the endpoints",
            ", ".join(sorted(translate(str(each)) for each in sent)) or translate("not known"),
        ),
        ("turns at most", str(run.settings.get("turns", ""))),
    ]
    return rows + _players(run.settings)


def _players(settings: Mapping[str, object]) -> list[tuple[str, Cell]]:
    """What roles were called with."""
    told = settings.get("players")
    players = json.loads(told) if isinstance(told, str) and told else {}
    rows: list[tuple[str, Cell]] = []
    for role, player in players.items():
        said = [
            f"{name} {player[name]}" for name in _SAID if player.get(name) not in (None, [], "")
        ]
        if said:
            rows.append((role, ", ".join(said)))
    return rows
