"""The page about the KG-only answerer: how questions were made and graded, and the figures."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from kg.embeddings.artifact import Card
from qa.question import Triple
from tests.experiments.kgqa.answerers import ANSWERERS, EMBEDDING, FREQUENT, GRAPH, ITSELF
from tests.experiments.kgqa.asked import FACTUAL, HELD_OUT, LONG, NONE
from tests.experiments.kgqa.grading import CAUSES, NO_EDGE, NO_RELATION, Graded

_SHOWN: Final = 2
"""Rows of the sample, of a group."""
_NAMES: Final = 4

_HEAD: Final = """\
# Questions answered by the graph alone

`medkg ask --by graph` and `--by embedding` read a question as `<h, r, ?>`, `<?, r, t>` or
`<h, ?, t>` and answer it by the graph's facts, or by a model that was trained on them
(`qa.questions`, `qa.triples`): the KG-only answerer of the joint-reasoning paper, appendix F1.
There people graded 75 % of factual and 25 % of long questions as right. This page grades by a
program, strictly, so its figures are not comparable with the paper's. The paper says neither how
many questions there were nor which; a person forgives a missing synonym, a broader or narrower
name, and one wrong name in a list, which the program does not.

Made on the graph of everything (docs/everything.md) and a model of some of its relations:

```
medkg build tests/everything/everything.yaml
medkg embed train --model {model} --relations {relations} \\
    --types {types} --epochs {epochs} --seed {seed} --valid 0.005 --test 0.01
python -m tests.experiments.kgqa .medkg --model .medkg/embeddings/{model} --data ../shared/data \\
    --each {each} --seed {drawn_by} --write docs/kg-only-qa.md
```

The model ({entities:,} entities, {train:,} triples to learn, seed {seed}) has a filtered MRR of
{mrr:.3f} and Hits@10 of {hits:.3f} on its {test:,} test triples, both sides."""

_QUESTIONS: Final = """\
## Questions

**Factual**: MedQuAD's own questions, "genetic changes" and "inheritance", whose answers name genes
or modes of inheritance; these are the right answers. The texts were not sources of the facts
they are compared with, but texts and facts both go back to the same papers.

**Long**: MedQuAD's own questions that want an explanation. Right is what the explanation names of
the node types that fit the type of question: names of the graph, to the letter, not denied, not
the focus itself, and in no more than a tenth of the explanations. Questions with fewer than 3 are
left out, and so are answers that quote HPO, of which the graph was built. What the dictionary
finds is not all an answer ("stress", "cavity"), so full marks are out of reach for some.

**Held out**: made by templates (`tests/experiments/kgqa/held_out.py`) of test triples of the
model, in all three forms; right are the test triples alone, facts that the model was given are
passed over. The graph *has* these triples: its figure says only how often a question is read as
it was meant, and is no figure of answering. The embedding's says what it infers.

MedQuAD is a source of the graph (its pages, not the facts in them), so nearly every question
names something that the graph knows; that says nothing of linking in the wild.

The words that the answerer knows (`qa.intents`) and the rule of the grades were mended after a look
at the questions of seed 0 (by the first ten alone, inheritance was right for any answer);
those of another seed are other draws from the same pages and the same few sentence patterns. Of
prevention and complications there are so few that every draw has all of them. That kinds answer
too was suggested by a count of this draw's failures, and tried on that of seed 0.

Questions of the types {unsayable}
ask what no relation of the vocabulary says; of {asked} such questions {refused} were refused for that
reason. They are in no figure below."""

_RULE: Final = """\
## Grades

Answers are a list of entities (or relations): the graph's by frequency and then by id, what is
said of kinds of the thing behind what is said of itself; the embedding's by rank.

| grade | factual, held out | long |
| --- | --- | --- |
| 1 | every right answer stands before any other | at least half of the right answers are among the first 20 |
| .5 | one right answer is among the first 10 | at least one is |
| 0 | otherwise | otherwise |

An answer is right if it is one of the entities that go by the name in the text; a kind of it, or
the thing that it is a kind of, is not. *most frequent* always gives the commonest answers of the
relation that is asked for, whoever it is about: what is no better has not understood
the question. The mode of inheritance is such a case, for there are few."""

_CAUSES: Final = """\
## Why

*in part*: half the grade. *not in the model*: it knows none of the entities, or was not trained
on the relation. *other answers*: none of those that are read is right."""

_READ: Final = """\
## What the figures say

* Of the {failed} factual questions that the graph gets 0 for, {gap} fail for want of an edge, and of
  the long ones {long_gap} of {long_failed}.
* Kinds answer for what they are kinds of ("oculocutaneous albinism" has no gene of its own, its
  types have): without them the factual mean would be {itself:.1%}, with them it is {graph:.1%}.
* The embedding always has an answer. Where the graph has no edge it hardly ever has all of it, and is
  mostly no better than the commonest answers of the relation.
* A question how two things are related is the embedding's best: there are few relations, and the
  types of the two rule most of them out.
* Long questions are answered neither way, as the paper found: lists of names are no explanation,
  and what a page explains is mostly not what the graph lists."""

_SAMPLE: Final = """\
## A sample

The first {shown} questions of each group, as they were drawn. MedQuAD's are named by collection and
number, for their texts stay where they are."""


def page(results: Sequence[Graded], card: Card, drawn: tuple[int, int]) -> str:
    """The page in Markdown.

    Args:
        results: every question by every answerer.
        card: of the model.
        drawn: questions of a type at most, and the seed that drew them.
    """
    graded = [one for one in results if one.asked.kind != NONE]
    refusals = [one for one in results if one.asked.kind == NONE and one.by == GRAPH]
    questions = _QUESTIONS.format(
        unsayable=", ".join(f'"{name}"' for name in _groups(refusals)),
        asked=len(refusals),
        refused=sum(one.cause == NO_RELATION for one in refusals),
    )
    parts = [_head(card, *drawn), questions, _RULE, "## Figures", _figures(graded)]
    parts += [_gaps(graded), _CAUSES, _causes(graded), _read(graded)]
    parts += [_SAMPLE.format(shown=_SHOWN), _sample(graded)]
    return "\n\n".join(parts) + "\n"


def _head(card: Card, each: int, drawn_by: int) -> str:
    overall = card.report["runs"][0]["measured"]["overall"]["both"]
    relations, _, types = card.data.partition(" relations ")[2].partition(", types ")
    return _HEAD.format(
        model=card.recipe.model,
        relations=relations.replace(", ", ","),
        types=types.replace(", ", ","),
        epochs=card.recipe.epochs,
        each=each,
        drawn_by=drawn_by,
        entities=card.entities,
        train=card.split.train,
        test=card.split.test,
        seed=card.seed,
        mrr=overall["mrr"],
        hits=overall["hits_at_10"],
    )


def _figures(graded: Sequence[Graded]) -> str:
    """Mean grades of each kind and group, with what share had which grade."""
    rows = []
    for kind in (FACTUAL, LONG, HELD_OUT):
        some = [one for one in graded if one.asked.kind == kind]
        groups = _groups(some)
        for group in [*groups, f"**{kind}, all**"]:
            chosen = [one for one in some if one.asked.group == group] or some
            by = {name: [one for one in chosen if one.by == name] for name in ANSWERERS}
            rows.append((kind, group, len(by[GRAPH]), *(_told(by[name]) for name in ANSWERERS)))
    columns = ("kind", "questions", "n", *(f"{name}: mean (1 / .5 / 0)" for name in ANSWERERS))
    return _table(columns, rows)


def _gaps(graded: Sequence[Graded]) -> str:
    """What the embedding says where the graph says nothing."""
    lacking = {one.asked for one in graded if one.by == GRAPH and one.cause == NO_EDGE}
    rows = []
    for kind in (FACTUAL, LONG):
        for group in _groups([one for one in graded if one.asked.kind == kind]):
            some = [one for one in graded if one.asked in lacking and one.asked.group == group]
            told = (_told([one for one in some if one.by == by]) for by in (EMBEDDING, FREQUENT))
            rows.append((group, len({one.asked for one in some}), *told))
    text = "Of the questions that the graph has no edge for:"
    columns = ("questions", "n", EMBEDDING, FREQUENT)
    return f"{text}\n\n{_table(columns, rows)}"


def _causes(graded: Sequence[Graded]) -> str:
    rows = []
    for kind in (FACTUAL, LONG, HELD_OUT):
        for by in (GRAPH, EMBEDDING):
            some = [one for one in graded if one.asked.kind == kind and one.by == by]
            counts = Counter(one.cause for one in some)
            rows.append((kind, by, *(counts[cause] for cause in CAUSES)))
    return _table(("kind", "by", *CAUSES), rows)


def _read(graded: Sequence[Graded]) -> str:
    failed = {
        kind: [
            one.cause
            for one in graded
            if one.by == GRAPH and one.asked.kind == kind and not one.grade
        ]
        for kind in (FACTUAL, LONG)
    }
    factual = [one for one in graded if one.asked.kind == FACTUAL]
    return _READ.format(
        failed=len(failed[FACTUAL]),
        gap=failed[FACTUAL].count(NO_EDGE),
        long_failed=len(failed[LONG]),
        long_gap=failed[LONG].count(NO_EDGE),
        itself=_mean([one for one in factual if one.by == ITSELF]),
        graph=_mean([one for one in factual if one.by == GRAPH]),
    )


def _sample(graded: Sequence[Graded]) -> str:
    rows = []
    seen: Counter[tuple[str, str, str]] = Counter()
    for one in graded:
        key = (one.asked.kind, one.asked.group, one.by)
        seen[key] += 1
        if seen[key] <= _SHOWN and one.by in (GRAPH, EMBEDDING):
            asked = one.asked.text if one.asked.kind == HELD_OUT else one.asked.id
            right = _listed([gold.name for gold in one.asked.golds])
            rows.append((asked, one.asked.group, one.by, *_answered(one), right, one.grade))
    return _table(("question", "of", "by", "read as", "answered", "right", "grade"), rows)


def _answered(one: Graded) -> tuple[str, str]:
    """How a question was read, and the first answers."""
    if one.answer is None:
        return one.cause, ""
    names = {subject.id: subject.name for subject in one.answer.reading.subjects}
    entries = [e.name for e in one.answer.entries if e.id not in one.asked.passed_over]
    return _triple(one.answer.reading.triples[0], names), _listed(entries)


def _triple(triple: Triple, names: dict[str, str]) -> str:
    parts = (triple.head, triple.relation, triple.tail)
    return f"`<{', '.join(names.get(part, part) if part else '?' for part in parts)}>`"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return ", ".join(names[:_NAMES]).replace("|", "/") + more


def _told(some: Sequence[Graded]) -> str:
    if not some:
        return ""
    counts = Counter(one.grade for one in some)
    return f"{_mean(some):.1%} ({counts[1.0]} / {counts[0.5]} / {counts[0.0]})"


def _mean(some: Sequence[Graded]) -> float:
    return sum(one.grade for one in some) / len(some)


def _groups(some: Iterable[Graded]) -> list[str]:
    return list(dict.fromkeys(one.asked.group for one in some))


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)
