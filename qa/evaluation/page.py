"""A measurement as Markdown, with the paper's figures beside ours."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan
from typing import Final

from qa.evaluation.questions import CATEGORIES
from qa.evaluation.run import Row
from qa.evaluation.summary import (
    BY_CATEGORY,
    ROUGE_L,
    Compared,
    OfSystem,
    Retrieval,
    Summary,
    short_rows,
    summarise,
)
from qa.evaluation.systems import ORACLE
from qa.generation.candidates import MOST_WORDS
from qa.question import Category

_SHOWN: Final = {
    "rouge1": "ROUGE-1",
    "rouge2": "ROUGE-2",
    ROUGE_L: "ROUGE-L",
    "sts": "STS",
    "bertscore": "BERTScore",
    "ease": "reading ease",
    "grade": "grade",
    "words": "words",
    "contradicts": "contradictions",
    "contradicts_tuned": "contradictions, tuned",
    "marked": "mark",
}
_PAPER: Final = (
    ("ChatGPT (baseline-1)", ".20 / .19", ".86 / .86", "2.53 / 2.66", "55.5 / 55.5"),
    ("extractive (baseline-2)", ".23 / .13", ".84 / .84", "1.9 / 2.12", ""),
    ("generative (baseline-3)", ".18 / .17", ".85 / .85", "2.33 / 2.48", ""),
    ("ELI5, no joint reasoning", ".21 / .12", ".86 / .85", "", ""),
    ("LFQA, no joint reasoning", ".18 / .17", ".85 / .85", "", ""),
    ("ELI5, joint reasoning (model-1)", ".23 / .17", ".87 / .86", "2.26 / 2.31", ""),
    ("LFQA, joint reasoning (model-2)", ".40 / .36", ".90 / .89", "3.03 / 3.04", "64.1 / 68.6"),
)
"""Mean and median; tables 2, 4, 7, 8, 10 and D2 of the joint-reasoning paper."""
_NOT_COMPARABLE: Final = (
    "Mean / median, of other questions, other gold answers and an index that has the answers: no "
    "measure of ours."
)
_ELSEWHERE: Final = (
    ("MTEB MedicalQARetrieval, nDCG@10", "MiniLM .603, bge-small .647, MedEmbed-small .703"),
    ("Chinese MedicalRetrieval, nDCG@10", "bge-small-zh .498"),
)


def page(rows: Sequence[Row], summary: Summary, missing_: Sequence[tuple[str, str]]) -> str:
    """A measurement, gold excluded, as one page.

    Args:
        rows: of the measurement.
        summary: of the same rows.
        missing_: the systems that were not run.
    """
    given_systems = [each.name for each in summary.systems if each.role == "given"]
    few = short_rows(rows, given_systems)
    sections = [
        "# Answers, gold excluded",
        f"{summary.questions:,} questions; {summary.with_subgraph:.0%} have a subgraph. "
        + verdict(summary),
        systems(summary),
        missing(missing_),
        "## By category",
        "ROUGE-L, mean.",
        categories(summary),
        *medians_by_category(summary),
        "## Differences",
        comparisons(summary.compared),
        "## Reading ease",
        "![densities](densities.png)",
        overlaps(summary),
        f"## At most {MOST_WORDS} words",
    ]
    if few:
        sections += [
            f"{len(few):,} questions, whose gold answers have no more words.",
            systems(summarise(few, seed=0)),
        ]
    else:
        sections.append("No question has so short a gold answer.")
    sections += [
        "## The paper's figures",
        _NOT_COMPARABLE,
        papers(),
    ]
    return "\n\n".join(sections) + "\n"


def systems(summary: Summary) -> str:
    """A table of all systems, their mean scores; medians of ROUGE-L too."""
    scores = [name for name in _SHOWN if any(name in each.scores for each in summary.systems)]
    head = ["system", "answers", "ROUGE-L, median", *(_SHOWN[each] for each in scores)]
    lines = []
    for each in sorted(summary.systems, key=lambda system: -system.scores[ROUGE_L].mean):
        role = "" if each.role == "system" else f" ({each.role})"
        means = [
            _formatted(name, spread.mean) if (spread := each.scores.get(name)) else ""
            for name in scores
        ]
        median = _decimal(each.scores[ROUGE_L].median)
        about = "" if each.about is None else f"{each.about:.0%}"
        closed = summary.closed.get(each.name)
        gap = "" if closed is None or each.role == "control" else f"{closed:+.0%}"
        cells = [f"{each.name}{role}", f"{each.answered:,}", median, *means, about, gap]
        lines.append(cells)
    return table([*head, "about the thing asked", "first → oracle closed"], lines)


def categories(summary: Summary, score: str = ROUGE_L, *, medians: bool = False) -> str:
    """One score of all systems by category."""

    def cell(system: OfSystem, category: Category) -> str:
        spread = system.categories[score].get(category)
        if spread is None:
            return ""
        return _formatted(score, spread.median if medians else spread.mean)

    present = [each for each in CATEGORIES if summary.categories.get(each)]
    head = ["system", *(f"{each} ({summary.categories[each]:,})" for each in present)]
    scored_systems = [each for each in summary.systems if score in each.categories]
    return table(head, [[each.name, *(cell(each, c) for c in present)] for each in scored_systems])


def medians_by_category(summary: Summary) -> Iterator[str]:
    """Medians by category, as the paper's tables 3, 5 and D3: a line and a table for each score."""
    for score in BY_CATEGORY:
        if any(score in each.categories for each in summary.systems):
            yield f"{_SHOWN[score]}, median."
            yield categories(summary, score, medians=True)


def spreads(summary: Summary, score: str) -> str:
    """One score in the form of the paper's tables: least, greatest, median, mean, deviation."""
    lines = [
        [
            each.name,
            *(
                _formatted(score, value)
                for value in (spread.min, spread.max, spread.median, spread.mean)
            ),
            "" if spread.sd is None else _formatted(score, spread.sd),
        ]
        for each in summary.systems
        if (spread := each.scores.get(score))
    ]
    return table(["system", "min", "max", "median", "mean", "std. dev."], lines)


def comparisons(compared: Iterable[Compared]) -> str:
    """A table of paired differences."""
    lines = [
        [
            each.one,
            each.other,
            _SHOWN[each.score],
            each.category or "all",
            f"{each.count:,}",
            f"{each.interval.mean:+.3f} [{each.interval.low:+.3f}, {each.interval.high:+.3f}]",
            _p(each.t.p),
            _p(each.wilcoxon.p),
            _p(each.holm),
        ]
        for each in compared
    ]
    head = ["one", "other", "score", "questions of", "n", "difference [95 %]", "t-test, p"]
    return table([*head, "Wilcoxon, p", "Holm, p"], lines)


def retrieval(retrieved: Mapping[str, Retrieval]) -> str:
    """A table of the ranks of right documents, by way of search."""
    names = ("recall@1", "recall@5", "recall@10", "MRR@10")
    lines = []
    for mode, ranks in retrieved.items():
        for document, figures in (("own", ranks.own), ("equivalent", ranks.equivalent)):
            cells = [
                mode,
                document,
                f"{ranks.questions:,}",
                *(_decimal(figures[n]) for n in names),
            ]
            lines.append(cells)
    return table(["search", "document", "questions", *names], lines)


def overlaps(summary: Summary) -> str:
    """What the reading ease of each system's answers has in common with the gold answers'."""
    lines = [[name, f"{share:.1%}"] for name, share in summary.overlap.items()]
    return table(["system", "overlap of the densities of reading ease"], lines)


def missing(systems: Sequence[tuple[str, str]]) -> str:
    """Systems that no model is here for."""
    lines = [[name, description, "not run: no model"] for name, description in systems]
    return table(["system", "what it is", "figures"], lines)


def papers() -> str:
    """The paper's figures."""
    head = ["the paper's system", "ROUGE-L", "BERTScore", "STS", "reading ease"]
    return table(head, [list(each) for each in _PAPER])


def elsewhere() -> str:
    """Retrieval figures of other pools of texts."""
    return table(["pool", "figures"], [list(each) for each in _ELSEWHERE])


def verdict(summary: Summary) -> str:
    """In a sentence or two, whether the graph's choice helped."""
    comparison = next((each for each in summary.compared if each.category is None), None)
    if comparison is None:
        return ""
    low, high = comparison.interval.low, comparison.interval.high
    outcome = "helps" if low > 0 else "hurts" if high < 0 else "neither helps nor hurts measurably"
    share = summary.chosen_otherwise
    otherwise_text = (
        ""
        if share is None
        else (
            f" Where there is a subgraph it chooses another candidate than the first for {share:.0%} of "
            "the questions."
        )
    )
    oracle = next((each for each in summary.systems if each.name == ORACLE), None)
    oracle_text = (
        "" if oracle is None else f" The oracle has {_decimal(oracle.scores[ROUGE_L].mean)}."
    )
    return (
        f"Joint reasoning {outcome}: ROUGE-L {comparison.interval.mean:+.3f} [{low:+.3f}, {high:+.3f}] beside "
        f"the {comparison.other}.{otherwise_text}{oracle_text}"
    )


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table of Markdown, without columns that are empty."""
    columns = [n for n, _ in enumerate(head) if any(line[n] for line in lines)] or [0]
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join(
        "| " + " | ".join(str(row[n]).replace("|", "\\|") for n in columns) + " |" for row in rows
    )


def _formatted(score: str, value: float) -> str:
    if score in {"ease", "grade", "words"}:
        return f"{value:.1f}"
    return (
        f"{value:.2f}"
        if score in {"sts", "contradicts", "contradicts_tuned", "marked"}
        else _decimal(value)
    )


def _decimal(value: float) -> str:
    """Three digits after the point, without a zero before it."""
    digits = f"{value:.3f}"
    return digits.replace("0.", ".", 1) if abs(value) < 1 else digits


def _p(value: float) -> str:
    if isnan(value):
        return ""
    return "< .001" if value < 0.001 else _decimal(value)  # noqa: PLR2004
