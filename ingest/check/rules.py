"""Asks the consistency rules: queries that return the edges which contradict something."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple

from cypher import Query, QueryError, lint, load_catalogue, read_query
from cypher.header import Severity
from ingest.manifest import fingerprint
from kg.errors import CheckError, ConfigurationError, QueryTooLargeError
from kg.progress import Progress
from kg.stores.answers import QUERY_VOCABULARY
from kg.stores.store import Store
from kg.vocabulary import RELATION_TYPES

TOPIC: Final = "rules"
"""The folder of the query library that has medkg's own rules."""


class Breach(NamedTuple):
    """An edge that breaches a rule."""

    head: str
    relation: str
    tail: str
    reason: str
    facts: str
    """Those that clash, for a person to read."""

    @property
    def edge(self) -> tuple[str, str, str]:
        """Head, relation, tail."""
        return self[:3]


@dataclass(frozen=True, kw_only=True)
class Rule(Query):
    """A query that returns the edges which breach it."""

    severity: Severity


@dataclass(frozen=True)
class Answer:
    """What one rule answers."""

    rule: Rule
    breaches: tuple[Breach, ...]
    """One for an edge, in the rule's order."""
    stopped: str | None = None
    """Why the rule gave no answer, if it gave none."""


def load_rules(folder: Path | None = None, without: Collection[str] = ()) -> tuple[Rule, ...]:
    """The rules to ask: medkg's own and those of a folder, by name.

    Args:
        folder: with ``.cypher`` files; one of the name of a rule of medkg's takes its place.
        without: names of rules that are not asked.

    Raises:
        ConfigurationError: there is no such folder, or no rule of a name in ``without``.
        QueryError: a file is no rule, or is not written so that both engines answer alike.
    """
    own = (query for query in load_catalogue() if query.topic == TOPIC)
    rules = {rule_name(rule): as_rule(rule) for rule in own}
    rules |= {rule.name: rule for rule in _of_folder(folder)} if folder else {}
    for name in without:
        if name not in rules:
            near = get_close_matches(name, rules, n=3) or sorted(rules)
            raise ConfigurationError(
                f"there is no rule {name!r} to leave out; known are {', '.join(near)}"
            )
    return tuple(rules[name] for name in sorted(rules) if name not in without)


def _of_folder(folder: Path) -> Iterable[Rule]:
    if not folder.is_dir():
        raise ConfigurationError(
            f"{folder}: there is no such folder; 'rules' names one with .cypher files"
        )
    return [_usable(as_rule(read_query(path, folder))) for path in sorted(folder.glob("*.cypher"))]


def as_rule(query: Query) -> Rule:
    """The rule that a query is.

    Raises:
        QueryError: its header names no severity.
    """
    if query.severity is None:
        raise QueryError(
            f"{query.file}: is no rule; write '// rule   reject' or '// rule   warn' in its header"
        )
    return Rule(**vars(query))


def _usable(rule: Rule) -> Rule:
    if rule.parameters:
        raise QueryError(
            f"{rule.file}: asks for ${rule.parameters[0].name}, and nobody gives a rule its "
            "parameters; write the value where it is used"
        )
    if wrong := lint(rule, QUERY_VOCABULARY):
        raise QueryError(str(wrong[0]))
    return rule


def rule_name(rule: Query) -> str:
    """The name of a rule as people say it, without its topic."""
    return rule.name.removeprefix(f"{TOPIC}.")


def rules_fingerprint(rules: Iterable[Rule]) -> str:
    """A checksum over what the rules are, and over the medkg that asks them."""
    said = [f"{rule.name}|{rule.severity}|{rule.text}" for rule in rules]
    return fingerprint(version("medkg"), *said)


def ask_rules(store: Store, rules: Sequence[Rule], progress: Progress) -> tuple[Answer, ...]:
    """What each rule finds in the graph; one that takes too long finds nothing, and says so.

    Raises:
        CheckError: a rule returns something that names no edge.
        StoreError: the engine failed.
    """
    with progress.step("Asking the rules", len(rules)) as advance:
        answers = []
        for rule in rules:
            try:
                answers.append(Answer(rule, _breaches(store, rule)))
            except QueryTooLargeError as e:
                answers.append(Answer(rule, (), str(e)))
            advance(1)
    return tuple(answers)


def _breaches(store: Store, rule: Rule) -> tuple[Breach, ...]:
    found: dict[tuple[str, str, str], Breach] = {}
    for row in store.query(rule).rows:
        head, relation, tail, reason, facts = row
        if not (isinstance(head, str) and isinstance(tail, str) and isinstance(reason, str)):
            raise CheckError(
                f"{rule.file}: returns a row without head, tail or reason; "
                "return the ids of both ends and a sentence for every edge"
            )
        if relation not in RELATION_TYPES:
            raise CheckError(
                f"{rule.file}: returns the relation {relation!r}, which is none; return type(r)"
            )
        breach = Breach(head, str(relation), tail, reason, "" if facts is None else str(facts))
        found[breach.edge] = min(breach, found.get(breach.edge, breach))
    return tuple(found.values())
