"""Checks the graph by consistency rules, and keeps their findings as the layer ``check``.

A rule of severity ``reject`` takes its edges out of the graph, one of severity ``warn`` flags
them; symptoms that stay are scored (``kg.discrimination``). The layer's removal puts every
edge back as it was (MedKGEval, section 3: semantic consistency and discriminative symptoms).
"""

import re
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ValidationError

from cypher import load_catalogue
from cypher.header import Severity
from cypher.translation import title, translate
from ingest.check.layer import LAYER, count_flags, not_built, write_findings
from ingest.check.rules import (
    TOPIC,
    Answer,
    Breach,
    Rule,
    ask_rules,
    rule_name,
    rules_fingerprint,
)
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

    def local_title(self) -> str:
        """The title in the language that is spoken; of a rule of somebody's own as it is."""
        name = f"{TOPIC}.{self.rule}"
        shipped_title = next((query.title for query in load_catalogue() if query.name == name), "")
        if _first_sentence(shipped_title) != self.title:
            return self.title
        return _first_sentence(title("queries", name, shipped_title))


def _first_sentence(text: str) -> str:
    return re.split(r"\. |。", text)[0].rstrip(".")


class CheckResult(BaseModel, frozen=True, extra="forbid"):
    """The findings of the rules in a graph, and the effect of the layer made from them."""

    fingerprint: str
    """Of the rules that were asked."""
    rules: tuple[RuleResult, ...]
    applied: bool = False
    """Whether the graph has the layer."""
    other: bool = False
    """Whether the graph has a layer of other rules; the edges it took out are not counted."""
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

    def with_samples(self, limit: int) -> "CheckResult":
        """With so many samples of each rule at most."""
        rules = [rule.model_copy(update={"samples": rule.samples[:limit]}) for rule in self.rules]
        return self.model_copy(update={"rules": tuple(rules)})


@dataclass(frozen=True)
class CheckConfig:
    """The rules to apply, and where the layer is kept."""

    rules: tuple[Rule, ...]
    tables: GraphTables
    """Of the build that the graph was loaded from."""
    layers: Path
    """The folder in which layers are kept."""
    samples: int = SAMPLES
    """Edges to show of each rule; a layer keeps SAMPLES."""


def check(store: Store, config: CheckConfig, progress: Progress) -> CheckResult:
    """Find what the rules reject or flag in the graph; nothing is changed.

    If the layer of these very rules is applied, the result is that of its making.

    Raises:
        CheckError: a rule's answer is not usable.
        StoreError: the engine failed.
    """
    applied = applied_check(store, config.layers)
    if applied and applied.fingerprint == rules_fingerprint(config.rules):
        return applied.with_samples(config.samples)
    answers = ask_rules(store, config.rules, progress)
    if (config.tables.folder / "tables.json").is_file():
        _require_edges(store, config.tables, answers)
    result = _result(store, config, answers, config.samples)
    return result.model_copy(update={"other": LAYER in store.applied_layers()})


def apply_check(store: Store, config: CheckConfig, progress: Progress) -> CheckResult:
    """Replace the layer of earlier findings by what the rules find in the graph as built.

    If that fails or is interrupted, the earlier layer is applied again.

    Raises:
        CheckError: a rule's answer is not usable, or the build's tables are not the graph's.
        StoreError: the engine failed.
    """
    _require_same_graph(store, config.tables)
    was_applied = LAYER in store.applied_layers()
    if was_applied:
        remove_layer(LAYER, store, config.layers, progress)
    try:
        with disk_errors(config.layers), tempfile.TemporaryDirectory() as work:
            folder = Path(work) / LAYER
            result = write_check(store, config, folder, progress)
            apply_layers([folder], store, config.layers, progress)
    except BaseException:
        if was_applied and LAYER not in store.applied_layers():
            apply_layers([config.layers / LAYER], store, config.layers, progress)
        raise
    return result


class Revision:
    """Checks a graph while it is being loaded, so that nobody sees it unchecked.

    The new layer replaces the kept one. A graph whose layer is no longer kept is loaded again
    by the next build.
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
    """Put back the edges that rules took out, remove flags and scores.

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
    _require_edges(store, config.tables, answers)
    with progress.step("Scoring symptoms"):
        scores = score(store, without=rejected_symptoms(answers))
    made_by = f"medkg {version('medkg')} check"
    with progress.step("Writing the findings"):
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
    """The findings of which the applied layer was made; None if they are not kept."""
    stamp = store.stamp()
    applied = dict(stamp.layers) if stamp else {}
    try:
        result = CheckResult.model_validate_json((layers / LAYER / _RESULT).read_bytes())
        checksum = GraphTables(layers / LAYER).summary().checksum
    except (FileNotFoundError, ValidationError, TablesError):
        return None
    return result if applied.get(LAYER) == checksum else None


def _require_same_graph(store: Store, tables: GraphTables) -> None:
    stamp = store.stamp()
    if stamp is None:
        raise StoreError(
            translate("{uri}: holds no whole graph; run 'medkg build' first", uri=store.uri)
        )
    if stamp.checksum != tables.summary().checksum:
        raise CheckError(
            translate(
                "{uri}: was not loaded from the tables in {folder}, and edges are put back "
                "from these tables; run 'medkg build' with the same --graph first",
                uri=store.uri,
                folder=tables.folder,
            )
        )


def _result(
    store: Store, config: CheckConfig, answers: Sequence[Answer], samples: int
) -> CheckResult:
    samples_by_rule = [answer.breaches[:samples] for answer in answers]
    names = _names(
        store, (end for some in samples_by_rule for b in some for end in (b.head, b.tail))
    )
    return CheckResult(
        fingerprint=rules_fingerprint(config.rules),
        rules=tuple(
            RuleResult(
                rule=rule_name(answer.rule),
                title=_first_sentence(answer.rule.title),
                severity=answer.rule.severity,
                found=len(answer.breaches),
                samples=tuple(_sample(breach, names) for breach in some),
                stopped=answer.stopped,
            )
            for answer, some in zip(answers, samples_by_rule, strict=True)
        ),
    )


def _sample(breach: Breach, names: dict[str, str]) -> Sample:
    ends = {"head_name": names.get(breach.head, ""), "tail_name": names.get(breach.tail, "")}
    return Sample.model_validate(breach._asdict() | ends)


def _names(store: Store, ids: Iterable[str]) -> dict[str, str]:
    sorted_ids = sorted(set(ids))
    rows = store.query("entity.labels", entities=sorted_ids).dicts() if sorted_ids else ()
    return {str(row["entity_id"]): str(row["entity_name"]) for row in rows}


def rejected_symptoms(answers: Iterable[Answer]) -> set[tuple[str, str]]:
    """Disease and symptom of the edges that rules take out."""
    return {
        (breach.head, breach.tail)
        for answer in answers
        if answer.rule.severity == "reject"
        for breach in answer.breaches
        if breach.relation == "HAS_SYMPTOM"
    }


def _require_edges(store: Store, tables: GraphTables, answers: Iterable[Answer]) -> None:
    """Require that rules return edges of the build or of a layer.

    Raises:
        CheckError: a rule returns something else.
    """
    for answer in answers:
        for breach in not_built(answer.breaches, tables):
            rows = store.query("entity.statements", one=breach.head, other=breach.tail).dicts()
            edges = {(row["head_id"], row["relation"], row["tail_id"]) for row in rows}
            if breach.edge not in edges:
                raise CheckError(
                    f"{answer.rule.file}: returns the edge {' '.join(breach.edge)}, which the "
                    "graph does not have; return head and tail in the direction of the arrow"
                )
