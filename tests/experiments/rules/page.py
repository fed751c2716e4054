"""The page docs/rules.md."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from kg.tables import TableSummary
from tests.experiments.rules.planting import Planted

_HEAD: Final = """\
# Consistency rules, and whether they are right

A rule is a query in `cypher/rules/` that returns the edges which contradict something, with the
reason and the facts that clash. A build asks all of them of the graph that it has loaded, before
anyone sees it: edges that a rule of severity `reject` finds are taken out, edges that one of
severity `warn` finds are flagged (column `flags`). `medkg check` shows what was found,
`medkg check --undo` puts every edge back, `medkg explain HEAD RELATION TAIL` says why one is out
of the graph that is asked.

A rule that takes longer than a query may (60 s) is shown as stopped; what the others find is
applied. `medkg check --apply` then ends with exit code 1 if that rule would reject edges, as they
are still there.

**A rule of one's own** is a file of this form in a folder that the configuration of the build
names (`rules: my_rules`); one with the name of a rule below takes its place, and
`without_rules: [name]` leaves one out:

```cypher
// Coffee is no treatment.
// rule   warn
// column head: string, relation: string, tail: string, reason: string, facts: string
// order  head, relation, tail
MATCH (a:Disease)-[r:TREATED_BY]->(b:Food)
WHERE b.name = 'coffee'
RETURN a.id AS head, type(r) AS relation, b.id AS tail,
       'coffee treats nothing' AS reason, a.name + ' is treated by ' + b.name AS facts
ORDER BY head, relation, tail
```

## Precision and recall

Measured on the graph of everything ({nodes:,} nodes, {edges:,} edges; docs/everything.md):

```
medkg build tests/everything/everything.yaml
python -m tests.experiments.rules .medkg --write docs/rules.md
```

All rules together took {seconds:.1f} s. *Found*: edges of the graph as it was built. *Read*: of
these, drawn by the hash of rule and edge, a hundred or all, each read by itself; *right* are those
that are nonsense for the reason given, and a doubtful one counts as wrong. A rule that is right
less often than nine times in ten only warns. The readings are in `tests/experiments/rules/judged`;
one reader, no clinician. *Planted*: contradictions written down from medical knowledge by plain
names, put into this graph, and found (`tests/experiments/rules/planted`). They were written by who
wrote the rules, and some rules were mended after their first misses; *unseen* ones were written
when the rule was done, and the rule was not changed after it was tried on them.
"""


@dataclass(frozen=True)
class Shown:
    """One rule, and how it did."""

    rule: str
    severity: str
    title: str
    found: int
    read: Counter[str]
    """Right, by yes, no and doubtful."""
    planted: tuple[int, int]
    """Contradictions put into the graph: those that the rule was written with, unseen ones."""
    missed: tuple[int, int]
    """Of these."""


def page(
    rules: Sequence[Shown], missed: Iterable[Planted], seconds: float, summary: TableSummary
) -> str:
    """The page in Markdown."""
    head = _HEAD.format(
        nodes=sum(summary.nodes.values()), edges=sum(summary.edges.values()), seconds=seconds
    )
    lines = [
        "| rule | severity | finds | found | read | right | precision | planted | recall | unseen | recall |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        *map(_row, rules),
    ]
    told = [f"- `{each.rule}`: {each}" for each in missed]
    parts = [head, "\n".join(lines)]
    if told:
        parts += ["## Planted and not found", "\n".join(told)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _row(rule: Shown) -> str:
    read = rule.read.total()
    cells = (
        f"`{rule.rule}`",
        rule.severity,
        rule.title,
        f"{rule.found:,}",
        read or "",
        rule.read["yes"] if read else "",
        _share(rule.read["yes"], read),
        *_recall(rule.planted[0], rule.missed[0]),
        *_recall(rule.planted[1], rule.missed[1]),
    )
    return f"| {' | '.join(map(str, cells))} |"


def _recall(planted: int, missed: int) -> tuple[str, str]:
    return str(planted or ""), _share(planted - missed, planted)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else ""
