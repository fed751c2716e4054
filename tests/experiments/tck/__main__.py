"""How much of the openCypher TCK lies in the portable subset: ``python -m tests.experiments.tck``."""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.cypher.tck.engines import engines
from tests.cypher.tck.runs import Outcome, outcomes
from tests.cypher.tck.scenarios import Scenario, scenarios
from tests.local_server import local_server

_SHOWN: Final = 30
_HEAD: Final = """\
# The openCypher TCK and the portable subset

Made by `python -m tests.experiments.tck ../shared/data/opencypher_tck > docs/tck.md`.

The [openCypher TCK](https://github.com/opencypher/openCypher/tree/main/tck) says by scenarios what
a Cypher engine must answer. Those of its queries that lie in the portable subset
([portable](portable.md)) are asked of both engines, and `tests/cypher/test_tck.py` holds them to it.

A scenario's graph is what Neo4j makes of its CREATE statements, put into both engines in medkg's
form: nodes of one table, `Entity`, with an `id` and the scenario's label as `type`; a typed column
for each property (`id` and `type` of a scenario are `own_id` and `own_type`). The query is asked
with `:Entity` where a node has no label, a name for each column, the id for a whole node, the type
for a whole relationship, and, where the order of rows is open, with further keys behind ORDER BY:
its columns, or all that was matched. No name, label, type or value is changed otherwise. Both
engines must give the same rows in the same order; where RETURN had no order, they are held against
the scenario's in any. A scenario that expects an error is answered by an error of both.
"""

_REASONS: Final = f"""\
The {_SHOWN} commonest reasons. Where a query has no other, both engines were asked it too, as it
stands: how often both gave the same rows, in whatever order, and how often those that the scenario
expects. An equal answer here is no proof: the subset is proved by random queries over odd graphs."""


def main() -> None:
    """Ask every reading scenario of both engines, and print the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="with the feature files")
    folder = parser.parse_args().folder
    every = list(scenarios(folder))
    reading = [scenario for scenario in every if scenario.reads]
    with (
        tempfile.TemporaryDirectory() as work,
        local_server(Path(work) / "neo4j") as settings,
        engines(Path(work), settings) as pair,
    ):
        found = list(outcomes(reading, pair, others=True))
    sys.stdout.write(page(every, found))


def page(every: list[Scenario], found: list[Outcome]) -> str:
    """The page as Markdown."""
    return "\n".join([_HEAD, _counts(every, found), _not_held(found), _breaches(found)])


def _counts(every: list[Scenario], found: list[Outcome]) -> str:
    lines = [
        "| scenarios | any or no graph | a graph of their own | together |",
        "|---|--:|--:|--:|",
    ]

    def line(name: str, which: Callable[[Outcome], object]) -> None:
        own = sum(bool(which(o)) for o in found if _own_graph(o.scenario))
        all_ = sum(bool(which(o)) for o in found)
        lines.append(f"| {name} | {all_ - own:,} | {own:,} | {all_:,} |")

    own = sum(map(_own_graph, every))
    lines.append(f"| in all | {len(every) - own:,} | {own:,} | {len(every):,} |")
    line("whose query only reads, and calls no procedure of the test's", lambda _: True)
    line("whose graph and parameters medkg's form has a place for", lambda o: not o.not_held)
    line("in the subset, and asked of both engines", lambda o: o.portable)
    line("answered alike by both", lambda o: o.portable and o.alike)
    line("answered as expected, too", lambda o: o.portable and o.alike and o.expected)
    return "\n".join([*lines, ""])


def _own_graph(scenario: Scenario) -> bool:
    return bool(scenario.setup) or not scenario.graph.startswith(("any", "an empty"))


def _not_held(found: list[Outcome]) -> str:
    why = Counter(o.not_held for o in found if o.not_held)
    rows = [f"| {_cell(what)} | {number:,} |" for what, number in _most(why)]
    return "\n".join(["## Not held", "", "| why | scenarios |", "|---|--:|", *rows, ""])


def _breaches(found: list[Outcome]) -> str:
    outside = [o for o in found if o.breaches]
    all_ = Counter(what for o in outside for what in o.breaches)
    rows = []
    for what, number in _most(all_)[:_SHOWN]:
        alone = [o for o in outside if o.breaches == {what}]
        alike = sum(o.same_rows for o in alone)
        expected = sum(o.same_rows and o.expected is True for o in alone)
        rows.append(f"| {_cell(what)} | {number:,} | {len(alone):,} | {alike:,} | {expected:,} |")
    return "\n".join(
        [
            "## What keeps others out",
            "",
            _REASONS,
            "",
            "| not portable | scenarios | for nothing else | same rows | as expected |",
            "|---|--:|--:|--:|--:|",
            *rows,
            "",
        ]
    )


def _most(counted: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counted.items(), key=lambda each: (-each[1], each[0]))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    main()
