"""The page about diagnosis: how it is ranked, how often it is right, and where it fails."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from tests.experiments.diagnosis.cases import Case
from tests.experiments.diagnosis.pathognomonic import Standing, in_top
from tests.experiments.diagnosis.ranking import DIFFERENTIAL, FIVE, WAYS, Placed, top
from tests.experiments.diagnosis.simulated import PATIENTS, SOURCE

_HEAD: Final = """\
# Diagnosis from findings

`medkg query symptom.differential present=… absent=…` ranks the diseases of the graph by what
speaks for and against each; `symptom.best_next_question` says what to ask next. `age`, `sex`,
`prior` and `among` (only these diseases) are optional. Neither is a medical device: see below how
often it is right.

A query leaves out ids that the graph has not got, and takes a finding that is given as present
and as absent for present. `kg.differential`, the two as functions of Python, refuses both, and ids
of what no patient has, such as a drug, and names what is present and a disease does not explain.
`assess` gives both answers by one scan of the graph, and lets age and sex count in the question too:

```python
from kg.differential import Patient, assess

found = assess(store, Patient(["HP:0001945", "HP:0012735"], ["HP:0002094"], age=4))
for candidate in found.candidates:
    print(candidate.name, candidate.score, candidate.chance)
print("ask for", found.questions[0].name)
```

## How a score comes about

A score is a sum of bits, all of which are shown: a prior and a likelihood ratio of each finding.
One bit more is twice as likely. The text of the query is the model; in words:

| term | bits |
| --- | --- |
| prior | 2 for each doubling of the number of sources that name the disease, as many name what is common; 0 with `prior=none`, for a clinic of rare diseases |
| present, and the disease has it or a kind of it | log2(1 + 10 P / B). P: how likely it is to be told of a patient with the disease, its frequency (0.3 where no source says) times 10 / (10 + n), where n is how many findings the disease is said to have; B: its mean over all diseases, counted as 32,768. Other causes than the disease (the leak) are a tenth of B |
| present, and a disease too (hypertension) | log2(1 + P / B): the leak is B, as a patient may have it beside what is sought |
| present, and the disease is the finding (diarrhoea) or a kind of it | as any finding of which no source has the frequency, P = 0.06; absent: F = 1 |
| present, and the disease has only what it is a kind of, up to two steps away | log2(11), or log2(2) where the leak is B: as likely as in the mean of all diseases |
| present, and the disease has nothing of the kind | 0: other causes alone. So a disease that explains little falls behind those that explain more |
| present, and another finding that is present is a kind of it | none: it says nothing more |
| absent, and the disease has it | log2(1 - 0.7 F), F its frequency: three of ten cases with it are missed |
| its onset (of the edge) is later than the patient's age, or it is one of the other sex | as if the disease had it not |
| the disease begins later in life than the patient's age (HAS_MODIFIER), or is the other sex's by its kind | log2(1/10), log2(1/100); by `kg.differential` alone |

What sources say of a disease that is also a finding (pneumonia, anaemia) counts for the finding too, by
CLOSE_MATCH; `kg.differential` takes either id for it, the query the finding's. `chance` is 2 to the power of 0.45 of the score, over the sum for the 200 best: findings of one disease go
together, so their ratios say less than their product. 0.45 was chosen on the cases below. The
discriminative score has no part in it. P stands on the edge as `likelihood`, written by `medkg check`
(`kg/discrimination/scores.py`); in a graph without that layer n is taken for 40.

Made on the graph of everything (docs/everything.md):

```
medkg build tests/everything/everything.yaml
python -m tests.experiments.diagnosis .medkg --data ../shared/data --write docs/diagnosis.md
```"""

_CASES: Final = """\
## Cases

Every case has one disease. DXY: dialogues of Chinese patients of five diseases; each symptom word is
one finding, of our own reading (`tests/experiments/linking/patients.py`) and of what goes by that
name: HPO's, and of these the one that most diseases have. mediq and agentclinic are case
texts; findings are what `kg.linking` finds in them, the denied ones absent, those of relatives
left out, and so are findings of more than 500 kinds and the finding that the disease itself is.
Simulated: {patients} patients drawn from the annotations of HPO, with noise and imprecision
(`tests/experiments/diagnosis/simulated.py`); a graph that was made from the same annotations knows
their diseases better than a clinic would. A case is used if a disease goes by the name that its
author gives, the graph has findings of it or of a kind of it, and a finding was found in the text."""

_RANKS: Final = """\
## How often it is right

The share of cases whose disease, or a kind of it, is among the first 1, 3 and 5 of all the
diseases of the graph, with the interval of 95 % (Wilson); for DXY also among its five only. The
formula and its constants were chosen on the cases of `chosen.yaml` and on every other simulated
patient (*chosen on*); the rest were looked at once (*held out*). Rivals see the same annotations
and the same findings: *findings matched*, how many of the findings a disease has, then the one that
has fewest in all; the statistic of PyHPO's enrichment (hypergeometric, without its program); naive
Bayes with all diseases alike; the ratio of LIRICAL as we read its paper, whose own program may well
do better."""

_CHANCES: Final = """\
## How far to trust a chance

The chance of the first disease, and how often it was the right one (all cases used; a half of the
rows is what 0.45 was chosen on). One number cannot serve both: it was chosen for case texts, from
which few findings are linked and some wrongly (the least log loss on their half is at 0.46), and is
too low for patients whose findings are known (0.82)."""

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
    cases: Sequence[Case],
    used: Sequence[Case],
    placed: Sequence[Placed],
    signs: Sequence[Standing],
) -> str:
    """The page in Markdown.

    Args:
        cases: all that were read.
        used: those that can be diagnosed at all.
        placed: where each way puts the diseases of the used ones.
        signs: where pathognomonic findings stand.
    """
    parts = [_HEAD, _CASES.format(patients=PATIENTS), _counts(cases, used)]
    parts += [_RANKS, _shares(placed), _CHANCES, _chances(placed), *_pathognomonic(signs)]
    return "\n\n".join(parts) + "\n"


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


def _shares(placed: Sequence[Placed]) -> str:
    rows = []
    for source in dict.fromkeys(each.source for each in placed):
        for way in WAYS:
            own = [each for each in placed if (each.source, each.way) == (source, way)]
            halves = [[each for each in own if each.chosen is half] for half in (True, False)]
            rows.append((source, way, *(top(half, n) for half in halves for n in (1, 3, 5))))
    tops = [f"{name}: top {n}" for name in ("chosen on", "held out") for n in (1, 3, 5)]
    return _table(("cases", "ranked by", *tops), rows)


def _chances(placed: Sequence[Placed]) -> str:
    rows = []
    ours = [each for each in placed if each.way == DIFFERENTIAL and each.source != FIVE]
    for name, wanted in (("case texts and DXY", False), ("simulated", True)):
        for low, high in pairwise((0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.01)):
            found = [each for each in ours if low <= each.chance < high]
            for half, chosen in (("chosen on", True), ("held out", False)):
                own = [
                    each
                    for each in found
                    if each.chosen is chosen and (each.source == SOURCE) is wanted
                ]
                if own:
                    mean = sum(each.chance for each in own) / len(own)
                    range_ = f"{low:.1f} to {min(high, 1.0):.1f}"
                    rows.append((name, half, range_, len(own), f"{mean:.0%}", top(own, 1)))
    return _table(("cases", "half", "chance", "of them", "mean chance", "right"), rows)


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
