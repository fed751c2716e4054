"""CSV for other programs: a row a dialogue, and a row a judgement."""

import csv
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from evalsim.metrics import METRICS, score_dialogue
from evalsim.metrics.scores import highest
from evalsim.report.entries import is_single_turn, manner_of, prompts_of
from evalsim.running.logs import HeldDialogue
from kg.printing import no_formula

DIALOGUES = "dialogues.csv"
JUDGEMENTS = "judgements.csv"

_METRICS = tuple(dict.fromkeys(name for names in METRICS.values() for name in names))
_RUN_COLUMNS = (
    "run_number",
    "run",
    "doctor",
    "task",
    "language",
    "single_turn",
    "director",
    "manner",
)
_DIALOGUE_COLUMNS = (
    *_RUN_COLUMNS,
    *("patient", "judges", "judged_again", "graph", "prompts", "started"),
    *("case", "repeat", "target", "target_name", "area", "kind", "difficulty"),
    *("end", "turns", "seconds"),
    *(
        f"{metric}{part}"
        for metric in _METRICS
        for part in ("", "_low", "_high", "_judged", "_due")
    ),
    *("flags", "violations", "failure", "error"),
)
_JUDGEMENT_COLUMNS = (
    *_RUN_COLUMNS,
    *("case", "repeat", "turn", "judge", "metric", "score", "highest", "reason", "facts", "flags"),
)


class Rows:
    """Writes both files as dialogues come; a spreadsheet takes no cell for a formula."""

    def __init__(self, folder: Path) -> None:
        """Write into this folder, which exists.

        Raises:
            OSError: a file cannot be written.
        """
        self._files = [
            # what a spreadsheet needs to see that it is UTF-8
            (folder / name).open("w", encoding="utf-8-sig", errors="replace", newline="")
            for name in (DIALOGUES, JUDGEMENTS)
        ]
        self._dialogues, self._judgements = map(csv.writer, self._files)
        self._dialogues.writerow(_DIALOGUE_COLUMNS)
        self._judgements.writerow(_JUDGEMENT_COLUMNS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for file in self._files:
            file.close()

    def add(self, held: HeldDialogue, number: int) -> None:
        """Write a dialogue of the run of a number, and its judgements.

        Raises:
            OSError: a file cannot be written.
            ValueError: a score is beyond the highest.
        """
        of_run = [_cell(value) for value in _run_cells(held, number)]
        self._dialogues.writerow([*of_run, *map(_cell, _dialogue_cells(held))])
        for row in _judgement_rows(held):
            self._judgements.writerow([*of_run, *map(_cell, row)])


def _run_cells(held: HeldDialogue, number: int) -> Iterator[object]:
    """Who a run is, in ``_OF_RUN``."""
    run, case = held.run, held.case
    yield from (number, run.id, run.doctor, case.task, case.language, is_single_turn(run))
    yield from (run.director or "none", _joined(manner_of(run)) or "none")


def _dialogue_cells(held: HeldDialogue) -> Iterator[object]:
    run, case, dialogue = held.run, held.case, held.dialogue
    yield from (run.patient, _joined(run.judges), "judging" in run.settings)
    yield from (run.settings.get("graph_checksum"), prompts_of(run.settings), run.started)
    yield from (case.id, held.repeat, case.target.id, case.target.called(case.language))
    yield from (case.area, case.kind, case.difficulty)
    yield from (
        dialogue.end.value if dialogue.end else "",
        len(dialogue.turns),
        round(held.seconds, 3),
    )
    for metric in _METRICS:
        if metric not in METRICS[case.task] or (
            metric == "history_taking" and is_single_turn(run)
        ):
            yield from (None,) * 5
            continue
        scored = score_dialogue(dialogue, metric)
        yield from (scored.score, scored.low, scored.high, scored.judged, scored.due)
    flags = {flag for turn in dialogue.turns for row in turn.judgements for flag in row.flags}
    rules = {violation.rule for turn in dialogue.turns for violation in turn.violations}
    yield from (_joined(sorted(flags)), _joined(sorted(rules)), dialogue.failure, held.error)


def _judgement_rows(held: HeldDialogue) -> Iterator[tuple[object, ...]]:
    task = held.case.task
    for turn in held.dialogue.turns:
        for row in turn.judgements:
            yield (
                *(held.case.id, held.repeat, turn.number, row.judge, row.metric, row.score),
                highest(task, row.metric) if row.metric in METRICS[task] else None,
                *(row.reason, _joined(row.facts), _joined(row.flags)),
            )


def _joined(parts: tuple[str, ...] | list[str]) -> str:
    return "|".join(parts)


def _cell(value: object) -> object:
    return no_formula(value) if isinstance(value, str) else value
