"""Writes docs/real-cases.md."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tests.experiments.diagnosis.ranking import Share
from tests.experiments.realcases.baselines import FOLDS, baselines
from tests.experiments.realcases.leaks import Naming, namings
from tests.experiments.realcases.outcomes import SEED, SETTINGS, Outcome, Outcomes, Setting
from tests.experiments.realcases.sets import PublicSet, Row


@dataclass(frozen=True)
class Result:
    """All about one set."""

    of: PublicSet
    rows: Sequence[Row]
    """All of its file."""
    found: Outcomes

    @cached_property
    def namings(self) -> list[Naming]:
        """Where its rows name the diagnosis."""
        return [*namings(self.rows, {case.id: case for case in self.found.cases})]

    @cached_property
    def held_out(self) -> set[str]:
        """Ids of the rows that nobody looked at."""
        return {row.id for row in self.rows if not row.looked_at}

    def outcomes(self, setting: Setting, *, closed: bool) -> list[Outcome]:
        """Those of one setting."""
        return [o for o in self.found.outcomes if (o.setting, o.closed) == (setting, closed)]


_TOLD: Final = {
    "opening": "what is told first, one reply",
    "interactive": "in a dialogue",
    "findings": "all findings at once, one reply",
    "text": "the whole text at once, one reply",
}

_HEAD: Final = """\
# Real cases

How often `medkg/doctor-differential`, which asks the graph and no language model, finds the diagnosis of
the cases of public sets; and how far that can be compared with what others report. No part of the graph
was made from these sets. Made with the graph of everything (docs/everything.md):

```
python -m tests.experiments.realcases HOME ../shared/data FOLDER --only AgentClinic-MedQA AgentClinic-NEJM
python -m tests.experiments.realcases HOME ../shared/data FOLDER --limit 40 > docs/real-cases.md
```

AgentClinic is met whole, of MediQ and DXY 40 cases each, drawn by the seed; without `--limit` all are met.

Told, in four settings: *what is told first*, the complaint that the set puts first, and the doctor must
answer with a diagnosis; *in a dialogue*, by `medkg eval medkgeval --preset offline`; *all findings at
once*, the same with `--single-turn`: what could be linked, in the patient's words; *the whole text at
once*: history, examination and tests as the set has them, which the doctor has to read itself. Seed {seed}.

An answer is judged by `medkg/judge` (docs/judging.md): *same* is a score of 3, *or related* one of 2 or 3 (a
kind of it, directly of the same class, its cause or consequence). The intervals are Wilson's, of 95 %.

The constants of the differential were chosen on the cases of
`tests/experiments/diagnosis/chosen.yaml`, and only their transcripts were read while something was mended; *held
out* are all others. The importer itself was made with all rows of the sets in view.

In one sentence: with all its findings known to the graph the doctor finds most diseases that were drawn from it
([medkgeval.md](medkgeval.md)), and of these patients few; it is no match for a physician or a language model here."""

_ROWS: Final = """\
## How many rows are cases

A row is no case where the graph has no disease of the name that the set gives, or no finding of its words.
All rows count where a table says *of all rows*: there a row that is no case is a failure, since
the doctor could not have named its disease."""

_OPEN: Final = """\
## Open diagnosis

The doctor may name any disease of the graph; {diseases:,} have findings. *Names it not*: without the rows whose
text names the diagnosis (below)."""

_CLOSED: Final = """\
## Of a list of answers

The same doctor, where it can be only one of the answers that the set offers (in DXY all five diseases,
in MediQ and NEJM those of the question), of the cases of which all answers are diseases of the graph.
*Named it* counts the score 3 alone, so that two answers that are related are not mixed up. Where the findings
point to none of the answers, the doctor says that it does not know, and is wrong: it does not guess.

Told everything, the ranking alone (without a dialogue, and with findings of our own reading) names the right one of DXY's
five in 60 % of the cases that it was chosen on and in 50 % of those held out ([diagnosis.md](diagnosis.md))."""

_BASELINES: Final = """\
## Without a graph

Of all cases of the sets, met or not. Chance: one of the diseases of the set, all alike. *Most frequent*: always the same answer, the
best one. Naive Bayes (scikit-learn, Bernoulli, {folds} folds, seed {seed}, by label where each has
{folds}) learns from the set's own cases, of the very findings that the importer linked; it chooses among
the set's own diseases, and where nearly every case has a disease of its own, it cannot be right."""

_PUBLISHED: Final = """\
## Published figures, and what can be compared

| set | who | right | told | answers |
| --- | --- | --- | --- | --- |
| AgentClinic-MedQA | best model, Schmidgall et al. 2024 | 62.1 % | dialogue, tests on request | open, graded by a language model |
| | physicians, the same | 54 % | the same | the same |
| DXY | dialogue systems, as their papers report them | 74 to 79 % | dialogue, slots | one of five, trained on DXY |

* **AgentClinic-MedQA** is near to *open diagnosis, in a dialogue, of all rows*: the same rows, open answers. Their
  doctor orders examinations and tests, ours asks for findings, of which tests are some; their grader is a language model
  and takes what means the same for right, ours wants the same node or name (*same*), and *or related* is more
  lenient than theirs. Their set has grown since; of 107 cases a share of 60 % has an interval of ± 9 points.
* **DXY**: only *of a list of answers* is the same question, and there ours is below them and below naive Bayes. Those systems are trained on the training part and
  tested on another; ours has learnt nothing of the set, but its figures are of the rows that those systems are trained on, as
  the test part is not in our data. Naive Bayes above is what learning from so many cases gives without any dialogue.
* **MediQ**: the rows are the skin cases of CRAFT-MD. Published figures of either were not at hand and are left out."""

_LEAKS: Final = """\
## Rows that name their diagnosis

By its name, a synonym that the graph has, or an abbreviation as it is written. Those of AgentClinic and
MediQ were read one by one: each does (that of MediQ as a disease of the past). In AgentClinic no patient says it; a test does ("consistent with …"), once the
examination too. In DXY it is the parent, who asks whether it is
pneumonia or tells what another doctor said. Scores without these rows are in the last column of the table of open diagnosis."""


def page(results: Sequence[Result], read: str) -> str:
    """The page in Markdown.

    Args:
        results: of each set.
        read: what reading transcripts showed, in Markdown.
    """
    diseases = max((each.found.diseases for each in results), default=0)
    parts = [_HEAD.format(seed=SEED), _ROWS, _counts(results)]
    parts += [_OPEN.format(diseases=diseases), _shares(results), _conduct(results)]
    parts += [_CLOSED, _closed(results)]
    parts += [_BASELINES.format(folds=FOLDS, seed=SEED), _without_graph(results), _PUBLISHED]
    parts += [_LEAKS, _parts(results), _sentences(results), read]
    return "\n\n".join(parts) + "\n"


def _counts(results: Sequence[Result]) -> str:
    rows = []
    for each in results:
        report, cases = each.found.report, each.found.cases
        rows.append(
            (
                each.of.name,
                report.read,
                report.left_out.get("the graph has no disease of this name", 0),
                report.left_out.get("the graph has no finding of its words", 0),
                report.cases,
                len(each.found.met),
                len(each.held_out & set(each.found.met)),
                f"{sum(len(case.findings) for case in cases) / max(len(cases), 1):.1f}",
            )
        )
    columns = ("set", "rows", "no disease of the name", "no finding", "cases")
    return _table((*columns, "met", "of them held out", "findings a case"), rows)


def _shares(results: Sequence[Result]) -> str:
    lines = []
    for each in results:
        leaking = {naming.row for naming in each.namings}
        for setting in SETTINGS:
            own = each.outcomes(setting, closed=False)
            named_not = [o for o in own if o.case not in leaking]
            unseen = [o for o in own if o.case in each.held_out]
            lines.append(
                (
                    each.of.name,
                    _TOLD[setting],
                    len(own),
                    _share(own, 3),
                    _share(own, 2),
                    Share(_hits(own, 3), _tried(each)),
                    Share(_hits(own, 2), _tried(each)),
                    f"{_share(unseen, 3)} of {len(unseen)}",
                    f"{_share(named_not, 3)} of {len(named_not)}",
                )
            )
    columns = ("set", "told", "cases", "same", "or related", "same, of all rows")
    more = ("or related, of all rows", "same, held out", "same, names it not")
    return _table((*columns, *more), lines)


def _tried(result: Result) -> int:
    """The cases that were met and, in proportion, the rows that are no case."""
    found = result.found
    return round(len(found.met) * len(result.rows) / max(len(found.cases), 1))


def _conduct(results: Sequence[Result]) -> str:
    said = [
        f"{each.of.name} {each.found.turns:.1f} turns, and {each.found.violations} in all in which"
        " the patient broke a rule"
        for each in results
    ]
    return f"The dialogues had on average: {'; '.join(said)}."


def _closed(results: Sequence[Result]) -> str:
    lines = []
    for each in results:
        for setting in SETTINGS:
            if own := each.outcomes(setting, closed=True):
                unseen = [o for o in own if o.case in each.held_out]
                held_out = f"{_share(unseen, 3)} of {len(unseen)}"
                told = _TOLD[setting]
                unknown = sum("not know" in o.said or "不知道" in o.said for o in own)
                lines.append((each.of.name, told, len(own), _share(own, 3), held_out, unknown))
    columns = ("set", "told", "cases", "named it", "held out", "does not know")
    return _table(columns, lines)


def _without_graph(results: Sequence[Result]) -> str:
    lines = []
    for each in results:
        n, found = len(each.found.cases), baselines(each.found.cases)
        lines.append(
            (
                each.of.name,
                n,
                found.labels,
                f"{1 / found.labels:.1%}",
                Share(found.majority, n),
                Share(found.opening, n),
                Share(found.everything, n),
            )
        )
    columns = ("set", "cases", "diseases", "chance", "most frequent")
    return _table((*columns, "naive Bayes, told first", "naive Bayes, everything"), lines)


def _parts(results: Sequence[Result]) -> str:
    lines = []
    for each in results:
        found = Counter(naming.part for naming in each.namings)
        named = {naming.row for naming in each.namings}
        cases = {naming.row for naming in each.namings if naming.is_case}
        where = ", ".join(f"{part} {count}" for part, count in found.items()) or "-"
        lines.append((each.of.name, len(each.rows), len(named), len(cases), where))
    return _table(("set", "rows", "name it", "of them cases", "where"), lines)


def _sentences(results: Sequence[Result]) -> str:
    """Which rows they are, without those of DXY."""
    told = [
        f"{naming.row} ({naming.part})"
        for each in results
        if each.of.origin != "dxy"
        for naming in each.namings
    ]
    return f"They are, without DXY: {', '.join(told)}."


def _hits(outcomes: Iterable[Outcome], least: int) -> int:
    return sum(each.score >= least for each in outcomes)


def _share(outcomes: Sequence[Outcome], least: int) -> Share:
    return Share(_hits(outcomes, least), len(outcomes))


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)
