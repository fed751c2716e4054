"""The page of figures."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from qa.evaluation import page as pages
from qa.evaluation.run import Row
from qa.evaluation.summary import ROUGE_L, Compared, Retrieval, Summary, short_rows, summarise
from qa.evaluation.systems import ALIKE, FULL, OURS, PRODUCT, PRODUCT_FIRST, PRODUCT_FULL, not_run
from qa.generation.candidates import MOST_WORDS
from tests.experiments.selection.design import Designed

_HEAD: Final = """\
# How good the answers are

The joint-reasoning paper (section 4) has the subgraph of a question choose one of five candidates, and
reports that this doubles ROUGE-L. This page measures it on MedQuAD (CC BY 4.0), where the right answers
are known. Made by

```
python -m tests.experiments.selection HOME ../shared/data --work DIR --bertscore {bertscore} \\
  --write docs/answers-evaluation.md
```

on the graph of `docs/everything.md`. `medkg qa evaluate` measures the same on any graph, with models that
write answers (`--generator`), with answers of another model from a file (`--answers`) and for
contradictions (`--nli`); what it was stopped at goes on.

## Protocols

**Gold present**: the right answer is among the texts. What is measured is whether the search finds it.

**Gold excluded**: no text that answers the same question is among the texts: none with the same question,
none on the same thing with the same type of question, none with the same words. The subgraph counts
no fact that only MedQuAD's answers state (the graph's sources `medquad` and `medquad-statements`). What is
measured is the answer that is left: never the right text, so ROUGE-L is low for every way of choosing,
the best one included. The names by which a question is read and the discriminative scores of
symptoms are those of the whole graph.

Figures of the two are never put beside each other. Nor are the paper's beside ours: it asked 75 questions,
took Google's answers for the right ones, and had MedQuAD's own answers in its index.

"""
_SYSTEMS: Final = """\
Candidates are whole sentences of the five best passages (BM25, one of a text, {words} words at most).
No passage is left out beforehand, as in the paper, so that all ways of choosing have the same five.

| system | answers with |
| --- | --- |
| medkg ask | the prose of the whole system, which looks for passages about the thing that say what is asked, and says facts where it finds none ([answers.md](answers.md)); it chooses by our own selection, and beside that by joint reasoning or not at all |
| joint reasoning | the candidate with the highest ROUGE-L F1 with the subgraph-text: the paper's section 3.3.5, `--selector rouge-l` |
| first candidate | the best ranked: no joint reasoning (the paper's section 4.3) |
| candidate most like the question | the one with the highest cosine with it ({encoder}) |
| our own selection | `--selector weighted`: see below |
| … about anything | the same, where a text about another disease is as good |
| best sentences of the first text | the few sentences with most of the question's words: extractive, baseline-2 |
| graph alone | up to ten facts as a sentence (appendix F1) |
| random, oracle | one of the five by chance; the one most like the right answer, which is looked up |
| answer to another question, the question repeated | what any text of medicine scores, and what knowing nothing does |

ROUGE is F1 without a stemmer. STS is the cosine of {encoder}, times 5. BERTScore, of the chronic diseases only, is by {bertscore}, last
layer, not rescaled: the paper's is by another model, so only differences compare. Reading ease (Flesch,
most texts have 0 to 100) and grade count syllables by Pyphen, which finds fewer than a dictionary of
sounds does: the ease comes out some eight points higher. *About the thing asked*: of the
answers from a text, where the graph knows what is asked about, the share whose text has it in its
title. *Mark*: 1 where the right answer has half of the names that the graph lists, .5 where it has one.
*First → oracle closed*: how much of the way from the first candidate to the oracle's is gone.
Contradictions need a model of entailment, and none was here.

"""
_PRESENT: Final = (
    "*Own*: the text that the question was asked of; *equivalent*: any that answers the same "
    "question. Texts are indexed without their questions."
)
_OURS: Final = """\
## Our own selection

Of the candidates, those about the thing asked come first: by the title of their text, else by their words.
Among these a weighted sum decides (`qa.selection`); `medkg ask` chooses by it. The weights were fitted by
least squares on {questions:,} questions, gold excluded, about diseases of which none is in the figures
above (nor any of the ten chronic ones): {weights}. What a candidate denies of the
graph's facts does not count for it; a penalty of its own for that was fitted to 0.

On those questions, with the weights of the other four fifths, ROUGE-L is:

{table}

On the {tested:,} questions that nothing was designed on:

{compared}

{verdict}

{product}
What is not about the thing, or answers something else, medkg ask leaves out before it chooses, so that most
questions have one candidate or two, and little is left to choose.
"""


def page(
    designed: Designed,
    rows: Mapping[str, Sequence[Row]],
    summaries: Mapping[str, Summary],
    found: Mapping[str, Retrieval],
    *,
    models: tuple[str, str | None],
    seed: int,
) -> str:
    """The figures as Markdown."""
    encoder, bertscore = models
    named = {"encoder": encoder, "bertscore": bertscore or "no model", "words": MOST_WORDS}
    test, chronic = summaries["test"], summaries["chronic"]
    return "\n".join(
        [
            _HEAD.format(**named),
            f"## Gold present: {next(iter(found.values())).questions:,} questions",
            "",
            _PRESENT,
            "",
            pages.retrieval(found),
            "",
            f"## Gold excluded: {test.questions:,} questions",
            "",
            pages.verdict(test),
            "",
            *_of(test, _SYSTEMS.format(**named)),
            *_helped(test),
            _ours(designed, test),
            "![densities of ROUGE-L and of reading ease](pictures/answers.png)",
            "",
            pages.overlaps(test),
            "",
            f"## The paper's ten chronic diseases: {chronic.questions:,} questions",
            "",
            "All of MedQuAD's questions on them.",
            "",
            *_of(chronic, ""),
            *_short(rows["test"], seed),
            "## The paper's figures",
            "",
            "Mean / median. Of other questions, other gold answers and another index: no measure of ours.",
            "",
            pages.papers(),
            "",
            "Retrieval elsewhere, of other pools of texts, and no measure of ours either:",
            "",
            pages.elsewhere(),
            "",
        ]
    )


def _of(summary: Summary, how: str) -> Iterator[str]:
    yield f"{summary.with_subgraph:.0%} of the questions have a subgraph; the others have the first "
    yield "candidate by joint reasoning, too."
    yield ""
    if how:
        yield how
    yield pages.systems(summary)
    yield ""
    if how:
        yield pages.missing(not_run(["extractive"], []))
        yield ""
    yield "ROUGE-L as in the paper's tables:"
    yield ""
    yield pages.spreads(summary, ROUGE_L)
    yield ""
    yield "By category, with the number of questions. ROUGE-L, mean."
    yield ""
    yield pages.categories(summary)
    for line in pages.medians_by_category(summary):
        yield ""
        yield line
    yield ""


def _helped(summary: Summary) -> Iterator[str]:
    yield "### Where joint reasoning helps and hurts"
    yield ""
    yield "Paired differences of joint reasoning to other ways; p-values of Wilcoxon's test also adjusted "
    yield "for all comparisons of a list (Holm). The t-test is the paper's."
    yield ""
    found = [each for each in summary.compared if each.one == FULL]
    yield pages.comparisons(found)
    yield ""


def _ours(designed: Designed, summary: Summary) -> str:
    weights = ", ".join(
        f"{name} {value:.3f}" for name, value in designed.weights._asdict().items()
    )
    lines = [[name, f"{value:.4f}"] for name, value in designed.selected.items()]
    own = [each for each in summary.compared if each.one in (OURS, PRODUCT) or each.other == OURS]
    return _OURS.format(
        questions=designed.questions,
        weights=weights,
        table=pages.table(["chosen", "ROUGE-L"], lines),
        tested=summary.questions,
        compared=pages.comparisons(own),
        verdict=_verdict(own, OURS, (FULL, ALIKE)),
        product=_verdict(own, PRODUCT, (PRODUCT_FULL, PRODUCT_FIRST)),
    )


def _verdict(found: Sequence[Compared], one: str, others: Sequence[str]) -> str:
    said = []
    for other in others:
        for each in found:
            if (each.one, each.other, each.score, each.category) == (one, other, ROUGE_L, None):
                low, high = each.interval.low, each.interval.high
                word = "better than" if low > 0 else "worse than" if high < 0 else "no better than"
                said.append(
                    f"{word} {other} ({each.interval.mean:+.3f} [{low:+.3f}, {high:+.3f}])"
                )
    return f"By ROUGE-L {one} is {' and '.join(said)}." if said else ""


def _short(rows: Sequence[Row], seed: int) -> Iterator[str]:
    few = short_rows(rows)
    yield f"## Right answers of at most {MOST_WORDS} words"
    yield ""
    yield f"The paper's length control (appendix F3); no candidate has more. {len(few):,} questions."
    yield ""
    if few:
        yield pages.systems(summarise(few, seed=seed))
        yield ""
