"""Makes a layer of records from dialogues that were held: what was said and judged, beside knowledge.

Ids are made from those of the logs, so that the same logs give the same layer, and two layers agree on
a case that both have::

    Case       CASE.CHECKSUM     the checksum is of its facts, without the graph they were drawn from
    Dialogue   RUN/CASE/REPEAT
    Turn       DIALOGUE/NUMBER/ROLE
    Judgement  TURN/METRIC/JUDGE

A round of a dialogue is two turns of one number: what the patient says, and what the doctor replies.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from cypher.translation import translate
from evalsim.case import DiagnosisCase, MedicationCase
from evalsim.dialogue import EndReason, Instruction, Judgement, Turn
from kg.errors import EvaluationError
from kg.layer_folder import LAYER_NAME, saved_layers
from kg.layers import LayerRows, write_layer
from kg.linking import Mention
from kg.progress import Progress, Silent
from kg.records import ENTITY, RECORD_RELATIONS, RECORD_TYPES
from kg.tables import Column, GraphTables, arrow_table

if TYPE_CHECKING:
    from evalsim.running.logs import HeldDialogue, Run

MADE_BY: Final = "eval layer"
"""The command, in what a layer says of itself."""

_AT_ONCE: Final = 20_000
"""Rows of a table that are held as Python's own objects."""
_UNFIT: Final = re.compile("[\x00\ud800-\udfff]")
"""What stands in a text and is no character of it: engines and files refuse it."""

Link = Callable[[str], Iterable[Mention]]
"""The mentions in a text, such as ``Linker.link``."""


@dataclass
class _Table:
    """The rows of one table; most of them as Arrow, for a row as a dict takes ten times the memory."""

    columns: Sequence[Column]
    rows: list[dict[str, object]] = field(default_factory=list)
    parts: list[pa.Table] = field(default_factory=list)

    def add(self, row: dict[str, object]) -> None:
        self.rows.append({key: _fit(value) for key, value in row.items()})
        if len(self.rows) >= _AT_ONCE:
            self.flush()

    def flush(self) -> None:
        self.parts.append(arrow_table(self.columns, self.rows))
        self.rows = []

    def table(self) -> pa.Table:
        self.flush()
        return pa.concat_tables(self.parts)


class _Records:
    """Gathers the records of dialogues."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._records = {name: _Table(row.columns) for name, row in RECORD_TYPES.items()}
        self._edges = {name: _Table(row.columns) for name, row in RECORD_RELATIONS.items()}
        self._runs: dict[str, Run] = {}
        self._languages: dict[str, set[str]] = {}
        """Of the dialogues of each run."""
        self._cases: dict[tuple[str, str], str] = {}
        self._seen: set[str] = set()

    def add(self, held: "HeldDialogue") -> None:
        """Take a dialogue in; one that is there already is passed over."""
        dialogue = f"{held.run.id}/{held.sample}/{held.repeat}"
        if dialogue in self._seen:
            return
        self._seen.add(dialogue)
        self._runs.setdefault(held.run.id, held.run)
        self._languages.setdefault(held.run.id, set()).add(held.language)
        end = held.dialogue.end
        self._add(
            "Dialogue",
            id=dialogue,
            language=held.language,
            repeat=_repeat(held),
            turns=len(held.dialogue.turns),
            end_reason=None if end is None else end.value,
        )
        self._edge("HAS_DIALOGUE", ("Run", held.run.id), ("Dialogue", dialogue))
        self._edge("ON_CASE", ("Dialogue", dialogue), ("Case", self._case(held.case)))
        if isinstance(held.case, DiagnosisCase):
            for id_ in dict.fromkeys((*held.dialogue.plan.told, *held.dialogue.plan.further)):
                self._edge("HAS_FINDING", ("Dialogue", dialogue), (ENTITY, id_))
        for turn in held.dialogue.turns:
            self._patient(dialogue, turn)
            is_last = turn is held.dialogue.turns[-1]
            if (
                turn.doctor
                or turn.reading
                or turn.judgements
                or (is_last and end is EndReason.SILENT)
            ):
                self._doctor(dialogue, turn)

    def rows(self) -> LayerRows:
        """All that was gathered."""
        for run in self._runs.values():
            self._add_run(run, self._languages[run.id])
        return LayerRows(
            records={name: rows.table() for name, rows in self._records.items()},
            record_edges={name: rows.table() for name, rows in self._edges.items()},
        )

    def _add_run(self, run: "Run", languages: set[str]) -> None:
        seed = run.settings.get("seed")
        self._add(
            "Run",
            id=run.id,
            task=run.task,
            model=run.doctor,
            patient=run.patient or None,
            director=run.director,
            language=min(languages) if len(languages) == 1 else None,
            seed=seed if isinstance(seed, int) and not isinstance(seed, bool) else None,
            started=_time(run.started, run),
            finished=run.finished and _time(run.finished, run),
            complete=run.complete,
            settings=_json({**run.settings, "judges": run.judges, "version": run.version}),
        )

    def _case(self, case: DiagnosisCase | MedicationCase) -> str:
        """The id of its record, which is made once."""
        facts = case.model_dump(mode="json", exclude={"graph"})
        facts_json = _json(facts)
        key = (case.id, facts_json)
        if key in self._cases:
            return self._cases[key]
        id_ = (
            f"{case.id}.{blake2b(facts_json.encode(errors='replace'), digest_size=4).hexdigest()}"
        )
        self._cases[key] = id_
        text = case.everything or case.opening if isinstance(case, DiagnosisCase) else None
        self._add(
            "Case",
            id=id_,
            task=case.task,
            language=case.language,
            area=case.area or None,
            kind=case.kind or None,
            difficulty=case.difficulty,
            text=text,
            facts=facts_json,
        )
        self._edge("ABOUT", ("Case", id_), (ENTITY, case.target.id))
        return id_

    def _patient(self, dialogue: str, turn: Turn) -> None:
        id_ = self._turn(dialogue, turn, "patient", turn.patient)
        for entity, negated, asked in dict.fromkeys(_releases(turn.instruction)):
            self._edge("RELEASES", ("Turn", id_), (ENTITY, entity), negated=negated, asked=asked)

    def _doctor(self, dialogue: str, turn: Turn) -> None:
        id_ = self._turn(dialogue, turn, "doctor", turn.doctor)
        for entity in (
            dict.fromkeys(each.id for each in turn.reading.asked) if turn.reading else ()
        ):
            self._edge("ASKS_FOR", ("Turn", id_), (ENTITY, entity))
        for judgement, suffix in _distinct(turn.judgements):
            is_scored = judgement.score is not None and math.isfinite(judgement.score)
            self._add(
                "Judgement",
                id=f"{id_}/{suffix}",
                judge=judgement.judge,
                metric=judgement.metric,
                score=judgement.score if is_scored else None,
                scored=is_scored,
                reason=judgement.reason,
                facts=_json(judgement.facts),
                safety_flags=list(judgement.flags),
            )
            self._edge("JUDGES", ("Judgement", f"{id_}/{suffix}"), ("Turn", id_))

    def _turn(self, dialogue: str, turn: Turn, role: str, text: str) -> str:
        id_ = f"{dialogue}/{turn.number:03d}/{role}"
        violations = turn.violations if role == "patient" else ()
        self._add(
            "Turn",
            id=id_,
            number=turn.number,
            role=role,
            text=text,
            violations=[each.rule for each in violations],
            violations_about=[each.about for each in violations],
        )
        self._edge("HAS_TURN", ("Dialogue", dialogue), ("Turn", id_))
        for mention in self._link(text):
            if mention.entity:
                self._edge(
                    "MENTIONS",
                    ("Turn", id_),
                    (ENTITY, mention.entity.id),
                    start=mention.start,
                    stop=mention.end,
                    negated=mention.negated,
                )
        return id_

    def _add(self, record_type: str, **row: object) -> None:
        self._records[record_type].add(row)

    def _edge(
        self, relation: str, head: tuple[str, str], tail: tuple[str, str], **columns: object
    ) -> None:
        (head_type, head_id), (tail_type, tail_id) = head, tail
        ends = {"head_type": head_type, "head": head_id, "tail_type": tail_type, "tail": tail_id}
        self._edges[relation].add({**ends, **columns})


def check_name(name: str, folder: Path) -> None:
    """See that a layer of runs may have a name: that nothing else goes by it.

    Args:
        name: wanted.
        folder: where layers are kept.

    Raises:
        EvaluationError: it is no name, or that of another layer.
        TablesError: the tables of the layer of that name are not whole.
    """
    if not LAYER_NAME.fullmatch(name):
        message = "{name!r} is no name of a layer; use letters, digits, '.', '-' and '_'"
        raise EvaluationError(translate(message, name=name))
    saved_layer = saved_layers(folder).get(name)
    if saved_layer is not None and MADE_BY not in saved_layer.summary().made_by:
        message = "the layer {name} holds something else than runs; give another --name"
        raise EvaluationError(translate(message, name=name))


def layer_of_runs(
    dialogues: Iterable["HeldDialogue"],
    folder: Path,
    name: str,
    link: Link,
    progress: Progress | None = None,
) -> GraphTables:
    """Write the layer of the dialogues of some runs.

    Args:
        dialogues: dialogues in any order; one that comes again is passed over.
        folder: empty, or not there yet.
        name: of the layer.
        link: finds what patients and doctors speak of.
        progress: told how many dialogues are done.

    Raises:
        EvaluationError: there is no dialogue, or a log states no time at which its run began.
        TablesError: the name is none of a layer.
        StoreError: the folder cannot be written.
    """
    records = _Records(link)
    count = 0
    with (progress or Silent()).step("dialogues") as advance:
        for count, held in enumerate(dialogues, 1):  # noqa: B007 - counts them
            records.add(held)
            advance(1)
    if not count:
        raise EvaluationError(
            translate("the logs hold no dialogue; run 'medkg eval medkgeval' to its first one")
        )
    return write_layer(folder, name, records.rows(), f"medkg {version('medkg')} {MADE_BY}")


def _repeat(held: "HeldDialogue") -> int:
    """Which dialogue of its case it is; judged again, it is what it was, and its sample says so."""
    number = held.sample.rpartition(" ")[2]
    return int(number) if held.sample != held.case.id and number.isdecimal() else held.repeat


def _releases(instruction: Instruction) -> Iterator[tuple[str, bool, bool]]:
    """What a patient may say, whether that it is absent, and whether the doctor asked for it."""
    for thing in instruction.tell:
        yield thing.id, False, False
    for supply in instruction.supplies:
        if supply.answer == "yes":
            yield supply.releases or supply.about.id, False, True
        elif supply.answer == "no":
            yield supply.about.id, True, True
    if instruction.fact:
        yield instruction.fact.id, False, False


def _distinct(judgements: Iterable[Judgement]) -> Iterator[tuple[Judgement, str]]:
    """Judgements with what tells each from the others of its turn."""
    counts: dict[str, int] = {}
    for each in judgements:
        suffix = f"{each.metric}/{each.judge}"
        counts[suffix] = counts.get(suffix, 0) + 1
        yield each, suffix if counts[suffix] == 1 else f"{suffix}/{counts[suffix]}"


def _time(text: str, run: "Run") -> str:
    """UTC with milliseconds, as ``Kind.TIME`` has it."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError as e:
        message = "{file}: {text!r} is no time; give a log as 'medkg eval medkgeval' wrote it"
        raise EvaluationError(translate(message, file=run.log, text=text)) from e
    utc = time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
    return utc.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _json(value: Any) -> str:  # noqa: ANN401 - any JSON
    return json.dumps(_finite(value), ensure_ascii=False, sort_keys=True, default=str)


def _finite(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Without numbers that JSON does not know."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return value


def _fit(value: object) -> object:
    """A value that a table can have: a text keeps its length."""
    if isinstance(value, str):
        return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", value)
    return [_fit(each) for each in value] if isinstance(value, list) else value
