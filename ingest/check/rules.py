"""Loads and runs the consistency rules: queries that return edges with a contradiction."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple

from cypher import Query, QueryError, load_catalogue, read_query
from cypher.header import Severity
from cypher.lint import lint
from cypher.translation import translate
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
    """The facts that contradict each other, for a person to read."""

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
    """The result of one rule."""

    rule: Rule
    breaches: tuple[Breach, ...]
    """One for an edge, in the rule's order."""
    stopped: str | None = None
    """Why the rule gave no answer, if it gave none."""


def load_rules(folder: Path | None = None, without: Collection[str] = ()) -> tuple[Rule, ...]:
    """The rules to apply: medkg's own and those of a folder, ordered by name.

    Args:
        folder: with ``.cypher`` files; a file named like a rule of medkg replaces that rule.
        without: names of rules to leave out.

    Raises:
        ConfigurationError: there is no such folder, or ``without`` names an unknown rule.
        QueryError: a file is no rule, or is not portable between the engines.
    """
    builtin = (query for query in load_catalogue() if query.topic == TOPIC)
    rules = {rule_name(rule): as_rule(rule) for rule in builtin}
    rules |= {rule.name: rule for rule in _of_folder(folder)} if folder else {}
    for name in without:
        if name not in rules:
            similar = get_close_matches(name, rules, n=3) or sorted(rules)
            raise ConfigurationError(
                translate(
                    "there is no rule {name!r} to leave out; there are {names}",
                    name=name,
                    names=", ".join(similar),
                )
            )
    return tuple(rules[name] for name in sorted(rules) if name not in without)


def _of_folder(folder: Path) -> Iterable[Rule]:
    if not folder.is_dir():
        raise ConfigurationError(
            translate(
                "{folder}: there is no such folder; 'rules' names one with .cypher files",
                folder=folder,
            )
        )
    return [_usable(as_rule(read_query(path, folder))) for path in sorted(folder.glob("*.cypher"))]


def as_rule(query: Query) -> Rule:
    """The rule that a query is.

    Raises:
        QueryError: its header names no severity.
    """
    if query.severity is None:
        raise QueryError(
            translate(
                "{file}: is no rule; write '// rule   reject' or '// rule   warn' in its header",
                file=query.file,
            )
        )
    return Rule(**vars(query))


def _usable(rule: Rule) -> Rule:
    if rule.parameters:
        raise QueryError(
            translate(
                "{file}: has the parameter ${name}, but a rule is run without parameters; write the value into the query",
                file=rule.file,
                name=rule.parameters[0].name,
            )
        )
    if wrong := lint(rule, QUERY_VOCABULARY):
        raise QueryError(str(wrong[0]))
    return rule


def rule_name(rule: Query) -> str:
    """The name of a rule without its topic."""
    return rule.name.removeprefix(f"{TOPIC}.")


def rules_fingerprint(rules: Iterable[Rule]) -> str:
    """A checksum over the rules and the version of medkg."""
    rule_texts = [f"{rule.name}|{rule.severity}|{rule.text}" for rule in rules]
    return fingerprint(version("medkg"), *rule_texts)


def ask_rules(store: Store, rules: Sequence[Rule], progress: Progress) -> tuple[Answer, ...]:
    """Run each rule on the graph; one that takes too long is marked as stopped.

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
    by_edge: dict[tuple[str, str, str], Breach] = {}
    for row in store.query(rule).rows:
        head, relation, tail, reason, facts = row
        if not (isinstance(head, str) and isinstance(tail, str) and isinstance(reason, str)):
            raise CheckError(
                translate(
                    "{file}: returns a row without head, tail or reason; return the ids of both ends and a sentence for every edge",
                    file=rule.file,
                )
            )
        if relation not in RELATION_TYPES:
            raise CheckError(
                translate(
                    "{file}: returns {relation!r}, which is no relation; return type(r)",
                    file=rule.file,
                    relation=relation,
                )
            )
        breach = Breach(head, str(relation), tail, reason, "" if facts is None else str(facts))
        by_edge[breach.edge] = min(breach, by_edge.get(breach.edge, breach))
    return tuple(by_edge.values())
