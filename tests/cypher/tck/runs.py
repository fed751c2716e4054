"""All scenarios of the openCypher TCK that only read, sorted by what became of them."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from cypher import QueryError
from cypher.expressions import Breach
from cypher.parser import NotCypherError, parse
from cypher.syntax import Call, Quantifier, Statement, parts
from tests.cypher.tck.engines import Answer, Engines
from tests.cypher.tck.graphs import CannotHoldError
from tests.cypher.tck.questions import Question, arguments, as_expected, asked
from tests.cypher.tck.scenarios import Scenario


@dataclass(frozen=True)
class Outcome:
    """What became of one scenario."""

    scenario: Scenario
    not_held: str = ""
    """Why medkg's form has no place for its graph or its parameters."""
    breaches: frozenset[str] = frozenset()
    """Why its query is not in the subset, names of the query left out."""
    text: str = ""
    """The query as it was asked."""
    answers: tuple[Answer, Answer] | None = None
    """Of the embedded engine and Neo4j; None: it was not asked."""
    expected: bool | None = None
    """Whether Neo4j's answer is the scenario's; None: it cannot be read."""

    @property
    def portable(self) -> bool:
        """Whether the query is in the subset."""
        return not self.not_held and not self.breaches

    @property
    def alike(self) -> bool:
        """Whether both engines gave the same rows in the same order, or both failed."""
        if self.answers is None:
            return False
        embedded, neo4j = self.answers
        if isinstance(embedded, str) or isinstance(neo4j, str):
            return isinstance(embedded, str) and isinstance(neo4j, str)
        return repr(embedded) == repr(neo4j)

    @property
    def same_rows(self) -> bool:
        """Whether both gave rows, and the same ones in any order."""
        embedded, neo4j = self.answers or ("", "")
        if isinstance(embedded, str) or isinstance(neo4j, str):
            return False
        return Counter(map(repr, embedded)) == Counter(map(repr, neo4j))


def outcomes(
    scenarios: list[Scenario], engines: Engines, *, others: bool = False
) -> Iterator[Outcome]:
    """Ask the scenarios' queries that are in the subset; with ``others``, the others too."""
    for scenario in scenarios:
        if not scenario.graph.startswith(("any", "an empty")):
            yield Outcome(scenario, not_held="a graph that the feature files only name")
            continue
        try:
            yield _outcome(scenario, engines, others=others)
        except CannotHoldError as e:
            yield Outcome(scenario, not_held=str(e))


def _outcome(scenario: Scenario, engines: Engines, *, others: bool) -> Outcome:
    graph = engines.graph(scenario)
    try:
        question = asked(scenario, graph)
        found = frozenset(kind(breach, parse(question.text)) for breach in question.found)
    except NotCypherError as e:
        question = Question(scenario.query, arguments(scenario), ())
        found = frozenset({f"{e.what} (in the parser)"})
    except (QueryError, ValueError):
        return Outcome(scenario, not_held="a text or a parameter that cannot be read")
    if found and not others:
        return Outcome(scenario, breaches=found, text=question.text)
    try:
        answers = engines.answers(question.text, question.arguments, graph)
    except QueryError:
        return Outcome(scenario, breaches=found, text=question.text)
    expected = as_expected(scenario, question, graph, answers[1])
    return Outcome(scenario, "", found, question.text, answers, expected)


def kind(breach: Breach, statement: Statement) -> str:
    """What a breach says, without the names that the query gives."""
    what = re.sub("determine .*", "determine x", breach.what)
    for name in sorted(_names(statement), key=len, reverse=True):
        given = re.escape(name)
        for pattern in (
            rf"^{given}(?= (is|makes|has|and|comes|of) )",
            rf"(?<=^\(){given}(?=\))",
            rf"(?<=the relationship ){given}(?= )",
            rf"(?<=beside ){given}(?=,)",
            rf"(?<=the alias ){given}(?= )",
            rf"(?<= and ){given}(?= are one)",
        ):
            what = re.sub(pattern, "x", what)
    return what


def _names(statement: Statement) -> set[str]:
    names = {""}
    for part in parts(statement.clauses):
        for attribute in ("name", "alias", "variable", "label"):
            if not isinstance(part, Call | Quantifier):
                names.add(getattr(part, attribute, ""))
        names |= set(getattr(part, "types", ()))
        names |= {name for name, _ in getattr(part, "entries", ())}
    return names - {""}
