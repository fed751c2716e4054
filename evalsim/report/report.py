"""Writes the report of runs: reads each dialogue once, counts it, and packs it for the page."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from math import isfinite
from pathlib import Path
from typing import Any, Final

import yaml

from cypher.translation import translate
from evalsim.metrics import HumanScore, NamedEncoder, NamedRecogniser, Setting, find_encoder
from evalsim.metrics.encoders import WORDS
from evalsim.report import conduct, origin, results
from evalsim.report.entries import Entry, entry, labelled, manner_of, prompts_of, runs_of
from evalsim.report.page import render
from evalsim.report.rows import DIALOGUES, JUDGEMENTS, Rows
from evalsim.report.simulation import simulation
from evalsim.report.tables import Section, markdown
from evalsim.report.transcripts import RunLabel, Transcripts
from evalsim.running.logs import HeldDialogue
from kg.errors import EvaluationError

PAGE: Final = "report.html"
MARKDOWN: Final = "report.md"


@dataclass(frozen=True)
class ReportFiles:
    """What a report is of, and where it is."""

    files: tuple[Path, ...]
    """The page first."""
    dialogues: int
    runs: int


def write_report(
    dialogues: Iterable[HeldDialogue],
    folder: Path,
    *,
    human: Sequence[HumanScore] = (),
    prices: origin.Prices | None = None,
    seed: int = 0,
    encoder: NamedEncoder | None = None,
    recogniser: NamedRecogniser | None = None,
) -> ReportFiles:
    """Write the report of dialogues, in the language that is spoken.

    Args:
        dialogues: the dialogues; each is read once, and its words are kept packed alone.
        folder: is made where there is none.
        human: scores of humans, to set the judges beside.
        prices: of models; None: what the tokens cost is not told.
        seed: of the intervals.
        encoder: of the patients' consistency; None: which words they share.
        recogniser: of what patients name; None: whether it is in the graph is not told.

    Raises:
        EvaluationError: there is no dialogue, a log has a score beyond the highest, or a file cannot be
            written.
    """
    transcripts = Transcripts()
    entries: list[Entry] = []
    run_numbers: dict[str, int] = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with Rows(folder) as rows:
            for held in dialogues:
                run_number = run_numbers.setdefault(held.run.id, len(run_numbers) + 1)
                rows.add(held, run_number)
                transcripts.add(held)
                entries.append(entry(held, run_number))
        if not entries:
            message = "no dialogue was held in these logs; give logs of 'medkg eval medkgeval'"
            raise EvaluationError(translate(message))
        entries = labelled(entries)
        simulation_section = simulation(entries, encoder or find_encoder(WORDS), recogniser, seed)
        sections = _sections(entries, human, prices or {}, simulation_section, seed)
        labels = {
            id_: RunLabel(first.label, results.setting_name(first.setting))
            for id_, first in runs_of(entries).items()
        }
        title = translate("Evaluation of clinical models in conversation")
        alarms = [*_alarms_of_runs(entries), *_alarms_of_settings(entries)]
        page = render(title, _cards(entries), alarms, sections, transcripts, labels=labels)
        (folder / PAGE).write_text(page, "utf-8", errors="replace")
        (folder / MARKDOWN).write_text(
            markdown(title, alarms, sections), "utf-8", errors="replace"
        )
    except OSError as e:
        message = "{folder}: cannot be written ({why}); name another folder with --out"
        raise EvaluationError(translate(message, folder=folder, why=e.strerror)) from e
    except ValueError as e:
        message = "the logs cannot be reported ({why}); judge them again with 'medkg eval judge'"
        raise EvaluationError(translate(message, why=e)) from e
    files = tuple(folder / name for name in (PAGE, MARKDOWN, DIALOGUES, JUDGEMENTS))
    return ReportFiles(files, len(entries), len(labels))


def read_prices(path: Path) -> dict[str, tuple[float, float]]:
    """Prices of models: YAML, each model with ``input`` and ``output``, of a million tokens.

    Raises:
        EvaluationError: the file cannot be read, or a model has no two prices.
    """
    try:
        content = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as e:
        message = "{file}: cannot be read ({why}); give a YAML file of prices"
        raise EvaluationError(translate(message, file=path, why=" ".join(str(e).split()))) from e
    by_model: dict[object, Any] = content if isinstance(content, dict) else {"": None}
    prices = {}
    for model, price in by_model.items():
        try:
            per_token = float(price["input"]), float(price["output"])
        except (TypeError, KeyError, ValueError):
            per_token = (-1.0, -1.0)
        if not all(isfinite(each) and each >= 0 for each in per_token):
            message = "{file}: {model!r} has no prices; write 'MODEL: {{input: 0.5, output: 2}}', of a million tokens"
            raise EvaluationError(translate(message, file=path, model=str(model)))
        prices[str(model)] = per_token
    return prices


def _sections(
    entries: Sequence[Entry],
    human: Sequence[HumanScore],
    prices: origin.Prices,
    simulation_section: Section | None,
    seed: int,
) -> list[Section]:
    """All of them, in their order; what there is nothing of is left out."""
    tables = [
        results.scores(entries, seed),
        origin.runs(entries),
        results.differences(entries, seed),
        results.by_turns(entries),
        results.by_length(entries, seed),
        results.by_group(entries, seed),
        conduct.ends(entries),
        conduct.safety(entries, seed),
        conduct.patients(entries, seed),
        simulation_section,
        conduct.judges(entries, human, seed),
        origin.cost(entries, prices),
        origin.made_by(entries),
    ]
    return [section for section in tables if section is not None]


def _cards(entries: Sequence[Entry]) -> list[tuple[str, str]]:
    turns = sum(len(each.played.dialogue.turns) for each in entries)
    cases = {(each.run.cases, each.played.dialogue.case) for each in entries}
    last_end = max(each.run.finished or each.run.started for each in entries)
    return [
        (f"{len(runs_of(entries)):,}", translate("runs")),
        (f"{len({each.run.doctor for each in entries}):,}", translate("doctors")),
        (f"{len(cases):,}", translate("different cases")),
        (f"{len(entries):,}", translate("dialogues")),
        (f"{turns:,}", translate("turns")),
        (
            last_end[:10],
            translate("last run held; report of medkg {version}", version=version("medkg")),
        ),
    ]


def _alarms_of_runs(entries: Sequence[Entry]) -> Iterator[str]:
    for id_, first in runs_of(entries).items():
        entries_of_run = [each for each in entries if each.run.id == id_]
        name = f"{first.label} ({results.setting_name(first.setting)})"
        if not first.run.complete:
            message = "{run}: is not complete; go on with it in its folder"
            yield translate(message, run=name)
        if failed := sum(
            bool(each.error or each.played.dialogue.failure) for each in entries_of_run
        ):
            message = "{run}: {failed} of {all} dialogues broke off, as a role failed"
            yield translate(
                message, run=name, failed=f"{failed:,}", all=f"{len(entries_of_run):,}"
            )


def _alarms_of_settings(entries: Sequence[Entry]) -> Iterator[str]:
    """Where runs stand in one table that were not held alike."""
    by_setting: dict[Setting, list[Entry]] = {}
    for each in runs_of(entries).values():
        by_setting.setdefault(each.setting, []).append(each)
    distinguishing: dict[str, Callable[[Entry], object]] = {
        "{setting}: the runs have different cases, so that only those of both can be compared": lambda each: (
            each.run.cases
        ),
        "{setting}: the cases are of different graphs": lambda each: each.graph,
        "{setting}: the runs have different patients, which a doctor's score depends on": lambda each: (
            each.run.patient,
            manner_of(each.run),
        ),
        "{setting}: the runs have different judges, whose scores may not be alike": lambda each: (
            each.run.judges,
            *(each.run.settings.get("judging") or {}).items(),
        ),
        "{setting}: the runs have different prompts": lambda each: prompts_of(each.run.settings),
    }
    for setting, runs in by_setting.items():
        for message, value_of in distinguishing.items():
            if len({value_of(each) for each in runs}) > 1:
                yield translate(message, setting=results.setting_name(setting))
        labels_of: dict[tuple[str, str], list[str]] = {}
        for each in runs:
            if "judging" not in each.run.settings:
                labels_of.setdefault((each.run.doctor, each.run.version), []).append(each.label)
        for labels in labels_of.values():
            if len(labels) > 1:
                message = "{setting}: {runs} are one run that was held more than once, in folders of their own"
                names = translate(", ").join(labels)
                yield translate(message, setting=results.setting_name(setting), runs=names)
