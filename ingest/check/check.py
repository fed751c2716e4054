"""Checks the graph by consistency rules, and keeps what they find as the layer ``check``.

A rule of severity ``reject`` takes its edges out of the graph, one of severity ``warn`` flags
them; symptoms that stay are scored (``kg.discrimination``). The layer's removal puts every
edge back as it was (MedKGEval, section 3: semantic consistency and discriminative symptoms).
"""

import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ValidationError

from cypher.header import Severity
from ingest.check.layer import LAYER, count_flags, not_built, write_findings
from ingest.check.rules import Answer, Breach, Rule, ask_rules, rule_name, rules_fingerprint
from kg.discrimination import score
from kg.errors import CheckError, StoreError, TablesError
from kg.layers import Removal, apply_layers, remove_layer
from kg.progress import Progress
from kg.stores.disk import disk_errors
from kg.stores.store import Store
from kg.tables import GraphTables

SAMPLES: Final = 10
"""Edges shown of each rule."""

_RESULT: Final = "check.json"
"""In the layer's folder."""


class Sample(BaseModel, frozen=True, extra="forbid"):
    """An edge that a rule finds."""

    head: str
    head_name: str
    relation: str
    tail: str
    tail_name: str
    reason: str
    facts: str


class RuleResult(BaseModel, frozen=True, extra="forbid"):
    """What one rule finds."""

    rule: str
    title: str
    """The first sentence of its header."""
    severity: Severity
    found: int
    samples: tuple[Sample, ...]
    stopped: str | None = None
    """Why the rule gave no answer, if it gave none."""


class CheckResult(BaseModel, frozen=True, extra="forbid"):
    """What the rules find in a graph, and what the layer made of it does."""

    fingerprint: str
    """Of the rules that were asked."""
    rules: tuple[RuleResult, ...]
    applied: bool = False
    """Whether the graph has the layer."""
    other: bool = False
    """Whether the graph has a layer of other rules; what that took out is not counted."""
    rejected: dict[str, int] = {}
    """Edges that the layer takes out, by relation."""
    flagged: dict[str, int] = {}
    """Edges that it flags, by relation."""
    scored: int = 0
    """Symptoms that it scores."""

    @property
    def unasked(self) -> tuple[str, ...]:
        """Rules that reject edges, and gave no answer."""
        stopped = (rule for rule in self.rules if rule.stopped and rule.severity == "reject")
        return tuple(rule.rule for rule in stopped)

    def with_samples(self, most: int) -> "CheckResult":
        """With so many samples of each rule at most."""
        rules = [rule.model_copy(update={"samples": rule.samples[:most]}) for rule in self.rules]
        return self.model_copy(update={"rules": tuple(rules)})


@dataclass(frozen=True)
class CheckConfig:
    """What to ask, and where the layer goes."""

    rules: tuple[Rule, ...]
    tables: GraphTables
    """Of the build that the graph was loaded from."""
    layers: Path
    """The folder in which layers are kept."""
    samples: int = SAMPLES
    """Edges to show of each rule; a layer keeps SAMPLES."""


def check(store: Store, config: CheckConfig, progress: Progress) -> CheckResult:
    """What the rules find in the graph; nothing is changed.

    Where the layer of these very rules is applied, that is what they found before.

    Raises:
        CheckError: a rule's answer is not usable.
        StoreError: the engine failed.
    """
    known = applied_check(store, config.layers)
    if known and known.fingerprint == rules_fingerprint(config.rules):
        return known.with_samples(config.samples)
    answers = ask_rules(store, config.rules, progress)
    if (config.tables.folder / "tables.json").is_file():
        _exist(store, config.tables, answers)
    result = _result(store, config, answers, config.samples)
    return result.model_copy(update={"other": LAYER in store.applied_layers()})


def apply_check(store: Store, config: CheckConfig, progress: Progress) -> CheckResult:
    """Let what the rules find in the graph as it was built take the place of earlier ones.

    If that fails or is interrupted, the earlier ones are applied again.

    Raises:
        CheckError: a rule's answer is not usable, or the build's tables are not the graph's.
        StoreError: the engine failed.
    """
    _same_graph(store, config.tables)
    before = LAYER in store.applied_layers()
    if before:
        remove_layer(LAYER, store, config.layers, progress)
    try:
        with disk_errors(config.layers), tempfile.TemporaryDirectory() as work:
            folder = Path(work) / LAYER
            result = write_check(store, config, folder, progress)
            apply_layers([folder], store, config.layers, progress)
    except BaseException:
        if before and LAYER not in store.applied_layers():
            apply_layers([config.layers / LAYER], store, config.layers, progress)
        raise
    return result


class Revision:
    """Checks a graph that is being loaded, so that nobody sees it unchecked.

    The layer takes the place of the one kept: a graph whose own layer is not kept any more is
    loaded anew by the next build.
    """

    def __init__(self, config: CheckConfig, progress: Progress) -> None:
        self._config = config
        self._progress = progress

    def __call__(self, loaded: Store) -> GraphTables:
        """The layer for a graph that has none.

        Raises:
            CheckError: a rule's answer is not usable.
            StoreError: the engine failed, or the disk is full.
        """
        layers = self._config.layers
        with disk_errors(layers):
            layers.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=f".{LAYER}.", dir=layers) as work:
                write_check(loaded, self._config, Path(work) / LAYER, self._progress)
                shutil.rmtree(layers / LAYER, ignore_errors=True)
                (Path(work) / LAYER).rename(layers / LAYER)
        return GraphTables(layers / LAYER)


def undo_check(store: Store, layers: Path, progress: Progress) -> Removal:
    """Put back what the rules took out, take off flags and scores.

    Raises:
        StoreError: the layer is not applied, or its tables are not kept.
    """
    removal = remove_layer(LAYER, store, layers, progress)
    shutil.rmtree(layers / LAYER)
    return removal


def write_check(
    store: Store, config: CheckConfig, folder: Path, progress: Progress
) -> CheckResult:
    """Ask the rules, score the symptoms, and write the layer into ``folder``.

    Raises:
        CheckError: a rule's answer is not usable.
        StoreError: the engine failed.
    """
    answers = ask_rules(store, config.rules, progress)
    _exist(store, config.tables, answers)
    with progress.step("Scoring symptoms"):
        scores = score(store, without=rejected_symptoms(answers))
    made_by = f"medkg {version('medkg')} check"
    layer = write_findings(answers, scores, config.tables, folder, made_by)
    result = _result(store, config, answers, SAMPLES).model_copy(
        update={
            "applied": True,
            "rejected": layer.summary().removed,
            "flagged": count_flags(layer),
            "scored": len(scores.values),
        }
    )
    text = result.model_dump_json(indent=2) + "\n"
    (folder / _RESULT).write_text(text, encoding="utf-8")
    return result


def applied_check(store: Store, layers: Path) -> CheckResult | None:
    """What was found when the layer that the graph has was made; None if that is not kept."""
    stamp = store.stamp()
    applied = dict(stamp.layers) if stamp else {}
    try:
        kept = CheckResult.model_validate_json((layers / LAYER / _RESULT).read_bytes())
        made = GraphTables(layers / LAYER).summary().checksum
    except (FileNotFoundError, ValidationError, TablesError):
        return None
    return kept if applied.get(LAYER) == made else None


def _same_graph(store: Store, tables: GraphTables) -> None:
    stamp = store.stamp()
    if stamp is None:
        raise StoreError(f"{store.uri}: holds no whole graph; run 'medkg build' first")
    if stamp.checksum != tables.summary().checksum:
        raise CheckError(
            f"{store.uri}: was not loaded from the tables in {tables.folder}, and edges are "
            "put back from there; run 'medkg build' with the same --graph first"
        )


def _result(
    store: Store, config: CheckConfig, answers: Sequence[Answer], samples: int
) -> CheckResult:
    shown = [found.breaches[:samples] for found in answers]
    names = _names(store, (end for some in shown for b in some for end in (b.head, b.tail)))
    return CheckResult(
        fingerprint=rules_fingerprint(config.rules),
        rules=tuple(
            RuleResult(
                rule=rule_name(found.rule),
                title=found.rule.title.partition(". ")[0].rstrip("."),
                severity=found.rule.severity,
                found=len(found.breaches),
                samples=tuple(_sample(breach, names) for breach in some),
                stopped=found.stopped,
            )
            for found, some in zip(answers, shown, strict=True)
        ),
    )


def _sample(breach: Breach, names: dict[str, str]) -> Sample:
    ends = {"head_name": names.get(breach.head, ""), "tail_name": names.get(breach.tail, "")}
    return Sample.model_validate(breach._asdict() | ends)


def _names(store: Store, ids: Iterable[str]) -> dict[str, str]:
    asked = sorted(set(ids))
    rows = store.query("entity.labels", entities=asked).dicts() if asked else ()
    return {str(row["entity_id"]): str(row["entity_name"]) for row in rows}


def rejected_symptoms(answers: Iterable[Answer]) -> set[tuple[str, str]]:
    """Disease and symptom of the edges that rules take out."""
    return {
        (breach.head, breach.tail)
        for found in answers
        if found.rule.severity == "reject"
        for breach in found.breaches
        if breach.relation == "HAS_SYMPTOM"
    }


def _exist(store: Store, tables: GraphTables, answers: Iterable[Answer]) -> None:
    """See that what rules return are edges, of the build or of a layer.

    Raises:
        CheckError: one is not.
    """
    for found in answers:
        for breach in not_built(found.breaches, tables):
            rows = store.query("entity.statements", one=breach.head, other=breach.tail).dicts()
            edges = {(row["head_id"], row["relation"], row["tail_id"]) for row in rows}
            if breach.edge not in edges:
                raise CheckError(
                    f"{found.rule.file}: returns the edge {' '.join(breach.edge)}, which the "
                    "graph has not got; return head and tail in the direction of the arrow"
                )
