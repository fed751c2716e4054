"""The dialogues as a page carries them: a table that its list is drawn from, and transcripts in blocks.

A transcript is whatever a model wrote, so nothing of it is ever part of the page's markup: it is JSON,
compressed, written in signs that no markup has, and becomes text on the screen by ``textContent`` alone. A block is unpacked when a
dialogue of it is opened, so that a page of thousands opens at once.
"""

import gzip
import json
from collections.abc import Mapping
from math import isfinite
from typing import Any, Final, NamedTuple

import numpy as np

from evalsim.case import DiagnosisCase, MedicationCase
from evalsim.metrics import METRICS, score_dialogue
from evalsim.report.entries import is_single_turn, manner_of
from evalsim.running.logs import HeldDialogue, Run

_BLOCK: Final = 400_000
"""Characters of JSON that a block has, about."""
_BITS: Final = 13
"""In two characters: 91 squared is a little more than 2 to the 13th, so that a byte takes 1.23 characters,
and in base64 1.33."""
_ALPHABET: Final = np.array(
    [each for each in range(33, 127) if chr(each) not in "&<\\"], dtype=np.uint8
)
"""The 91 printable ones of ASCII that no markup, nor an escape, begins with."""
_HIDDEN: Final = {"words"}
"""Of a thing, what no reader of a transcript needs."""


class Packed(NamedTuple):
    """A compressed text, written in printable ASCII without ``<``, ``&`` and the backslash."""

    signs: str
    size: int
    """Bytes that it stands for."""


class RunLabel(NamedTuple):
    """What a run and its setting are called."""

    label: str
    setting: str


class Transcripts:
    """Takes dialogues one after the other, and keeps them packed."""

    def __init__(self) -> None:
        """Of none yet."""
        self.blocks: list[Packed] = []
        """Of dialogues and of cases, a JSON list each."""
        self._runs: dict[str, int] = {}
        self._cases: dict[str, int] = {}
        self._of_runs: list[dict[str, object]] = []
        self._of_cases: list[dict[str, object]] = []
        self._rows: list[dict[str, object]] = []
        self._waiting: list[str] = []
        self._length = 0

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, held: HeldDialogue) -> None:
        """Add a dialogue.

        Raises:
            ValueError: a score in it is beyond the highest.
        """
        self._rows.append(
            {
                "run": self._run(held.run),
                "case": self._case(held.case),
                "key": key(held),
                "block": len(self.blocks),
                "at": len(self._waiting),
                **summary(held),
            }
        )
        self._put_text(
            _text(
                {
                    "dialogue": _without_hidden(
                        held.dialogue.model_dump(mode="json", exclude_defaults=True)
                    ),
                    "seconds": round(held.seconds, 1),
                    "error": held.error,
                }
            )
        )

    def table(self, labels: Mapping[str, RunLabel]) -> dict[str, object]:
        """What the list is drawn from: runs, cases, and a column for each thing known of a dialogue.

        Nothing can be added after.

        Args:
            labels: what each run and its setting are called, by the run's id.
        """
        self._close()
        for text, case in zip(self._cases, self._of_cases, strict=True):
            case["block"], case["at"] = len(self.blocks), len(self._waiting)
            self._put_text(text)
        self._close()
        names = list(self._rows[0]) if self._rows else []
        return {
            "runs": [
                {**run, **labels[id_]._asdict()}
                for id_, run in zip(self._runs, self._of_runs, strict=True)
            ],
            "cases": self._of_cases,
            "columns": {name: [row[name] for row in self._rows] for name in names},
        }

    def _run(self, run: Run) -> int:
        if run.id not in self._runs:
            self._runs[run.id] = len(self._runs)
            self._of_runs.append(
                {
                    "id": run.id,
                    "doctor": run.doctor,
                    "patient": run.patient,
                    "manner": list(manner_of(run)),
                    "director": run.director,
                    "judges": list(run.judges),
                }
            )
        return self._runs[run.id]

    def _case(self, case: DiagnosisCase | MedicationCase) -> int:
        text = _text(_without_hidden(case.model_dump(mode="json", exclude_defaults=True)))
        if text not in self._cases:
            self._cases[text] = len(self._cases)
            self._of_cases.append(
                {
                    "task": case.task,
                    "language": case.language,
                    "name": case.target.name,
                    "called": case.target.called(case.language),
                    "area": case.area,
                    "kind": case.kind,
                    "difficulty": case.difficulty or "",
                }
            )
        return self._cases[text]

    def _put_text(self, text: str) -> None:
        self._waiting.append(text)
        self._length += len(text)
        if self._length >= _BLOCK:
            self._close()

    def _close(self) -> None:
        if self._waiting:
            self.blocks.append(packed(f"[{','.join(self._waiting)}]"))
        self._waiting, self._length = [], 0


def key(held: HeldDialogue) -> str:
    """Tells a dialogue from every other, the same whenever its log is read."""
    return f"{held.run.id}/{held.sample}/{held.repeat}"


def summary(held: HeldDialogue) -> dict[str, object]:
    """What a list says of a dialogue: how it ended, its scores, flags and broken rules.

    Raises:
        ValueError: a score in it is beyond the highest.
    """
    dialogue = held.dialogue
    judgements = [judgement for turn in dialogue.turns for judgement in turn.judgements]
    scored = {name: score_dialogue(dialogue, name) for name in METRICS[dialogue.task]}
    if is_single_turn(held.run):
        del scored["history_taking"]  # nothing was asked
    return {
        "end": dialogue.end.value if dialogue.end else "",
        "turns": len(dialogue.turns),
        "scores": {
            name: None if each.score is None else round(each.score, 4)
            for name, each in scored.items()
        },
        "unscored": sum(each.due - each.judged for each in scored.values()),
        "flags": sorted({flag for judgement in judgements for flag in judgement.flags}),
        "rules": sorted(
            {violation.rule for turn in dialogue.turns for violation in turn.violations}
        ),
        "failed": bool(held.error or dialogue.failure),
    }


def packed(text: str) -> Packed:
    """A text compressed; the same text gives the same."""
    compressed = gzip.compress(text.encode(errors="replace"), mtime=0)
    bits = np.unpackbits(np.frombuffer(compressed, dtype=np.uint8))
    bits = np.pad(bits, (0, -len(bits) % _BITS)).reshape(-1, _BITS)
    values = bits.astype(np.int64) @ (1 << np.arange(_BITS)[::-1])
    characters = _ALPHABET[np.stack(np.divmod(values, len(_ALPHABET)), axis=1)]
    return Packed(characters.tobytes().decode("ascii"), len(compressed))


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _without_hidden(value: Any) -> Any:  # noqa: ANN401 - of JSON
    """Without what no reader of a transcript needs, and numbers that JSON has not."""
    if isinstance(value, float) and not isfinite(value):
        return None
    if isinstance(value, dict):
        return {k: _without_hidden(v) for k, v in value.items() if k not in _HIDDEN}
    if isinstance(value, list):
        return [_without_hidden(each) for each in value]
    return value
