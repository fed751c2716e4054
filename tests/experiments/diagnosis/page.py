"""The page about diagnosis: how it is ranked, how often it is right, and where it fails."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from tests.experiments.diagnosis.cases import Case
from tests.experiments.diagnosis.pathognomonic import Standing, in_top
from tests.experiments.diagnosis.ranking import Ranks

_HEAD: Final = """\
# Diagnosis from findings

`medkg query symptom.differential present=… absent=…` ranks the diseases of the graph by what
speaks for and against each; `symptom.best_next_question` says what to ask next. How much each
finding counts stands in the query file; how a discriminative score is made, in
`kg/discrimination/scores.py`. Neither is a medical device: see below how often it is right.

A query leaves out ids that the graph has not got, and takes a finding that is given as present
and as absent for present. `kg.differential`, the two as functions of Python, refuses both, and ids
of what no patient has, such as a drug.

Made on the graph of everything (docs/everything.md):

```
medkg build tests/everything/everything.yaml
python -m tests.experiments.diagnosis .medkg --data ../shared/data --write docs/diagnosis.md
```"""

_CASES: Final = """\
## Cases

Every case has one disease. DXY: dialogues of Chinese patients of five diseases; their symptom
words by our own reading (`tests/experiments/linking/patients.py`). The others are case texts;
findings are what `kg.linking` finds in them, the denied ones absent, those of relatives left
out, and so are findings of more than 500 kinds. A case is used if a disease goes by the name
that its author gives, the graph has findings of it or of a kind of it, and a finding was found
in the text."""

_RANKS: Final = """\
## How often it is right

The share of cases whose disease, or a kind of it, is among the first 1, 3 and 5 of all the
diseases of the graph; for DXY also among its five only. *findings matched* is the baseline: how
many of the findings a disease has, then the one that has fewest in all. The formula and its
constants were chosen on every other case (*chosen on*); the rest were looked at once
(*held out*). A half of the case texts is two dozen cases, so one case is 4 percentage points:
differences of a few cases say nothing. *cleaned*: without the edges that the consistency rules
reject (docs/rules.md), which are few of a graph of this size; *with scores*: the discriminative
score stands on every edge and counts."""

_SIGNS: Final = """\
## Pathognomonic findings

{listed} pairs were listed from textbooks' knowledge before any graph was looked at
(`tests/experiments/diagnosis/pathognomonic.yaml`). The graph has {known} of them as a finding
of the disease; {top} of these stand among the first 3 of their disease by discriminative score,
{ten} among the first 10. By chance it would be {chance:.1f} among the first 3. What stands
before the others is mostly a laboratory finding, or an uncommon one that nobody else is said to
have. Some forty variants of the formula were compared on this list, one half of it against the
other (numbers of neighbours, priors of the frequency, the Jensen-Shannon divergence, the share of
those with the finding that have the disease): none had more than 33 among the first 3."""


def page(
    cases: Sequence[Case], used: Sequence[Case], ranks: Sequence[Ranks], signs: Sequence[Standing]
) -> str:
    """The page in Markdown.

    Args:
        cases: all that were read.
        used: those that can be diagnosed at all.
        ranks: of the used ones, by graph and way.
        signs: where pathognomonic findings stand.
    """
    parts = [_HEAD, _CASES, _counts(cases, used), _RANKS, _shares(ranks)]
    return "\n\n".join([*parts, *_pathognomonic(signs)]) + "\n"


def _counts(cases: Sequence[Case], used: Sequence[Case]) -> str:
    every, kept = (Counter(case.source for case in some) for some in (cases, used))
    linked = Counter(case.source for case in cases if case.golds)
    return _table(
        ("cases", "read", "disease known by name", "used", "findings present", "absent"),
        (
            (
                source,
                every[source],
                linked[source],
                kept[source],
                _mean([len(case.present) for case in used if case.source == source]),
                _mean([len(case.absent) for case in used if case.source == source]),
            )
            for source in every
        ),
    )


def _shares(ranks: Sequence[Ranks]) -> str:
    rows = []
    for source in ranks[0].ranks:
        for each in ranks:
            shares = [each.top(source, most, half) for half in (0, 1) for most in (1, 3, 5)]
            rows.append((source, each.graph, each.way, *shares))
    tops = [f"{name}: top {most}" for name in ("chosen on", "held out") for most in (1, 3, 5)]
    return _table(("cases", "graph", "ranked by", *tops), rows)


def _pathognomonic(signs: Sequence[Standing]) -> list[str]:
    known = [each for each in signs if each.rank is not None]
    chance = sum(min(3 / each.findings, 1.0) for each in known)
    told = _SIGNS.format(
        listed=len(signs),
        known=len(known),
        top=in_top(known),
        ten=in_top(known, 10),
        chance=chance,
    )
    lacking = ", ".join(f"{s.finding} ({s.disease})" for s in signs if s.rank is None)
    ranked = sorted(known, key=lambda s: (s.rank or 0, s.disease, s.finding))
    table = _table(
        ("rank", "of", "finding", "disease"),
        ((s.rank, s.findings, s.finding, s.disease) for s in ranked),
    )
    return [told, table, f"Not in the graph: {lacking}."]


def _mean(numbers: Sequence[int]) -> str:
    return f"{sum(numbers) / max(len(numbers), 1):.1f}"


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)
