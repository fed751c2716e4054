"""The page of near terms: what was linked, by half, type and language, and what it costs."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from kg.linking.measures import Share
from tests.experiments.linking.near_terms.asking import Asked

_HEAD: Final = """# Real terms near others

Made by `python -m tests.experiments.linking.near_terms --data ../shared/data --write docs/near-terms.md`.

How often `link: true` takes one real term for another. The terms are the names of MONDO, the
Disease Ontology, HPO, EFO, MeSH, ICD-10-CM (codes of up to four characters), Hetionet, SIDER
and DrugBank's drugs, in Chinese those of HPO, ICD-10-CM and five lists of diseases, symptoms,
drugs, tests and treatments. Asked for is every name that lies one or two letters (in Chinese:
characters) from a name of another thing of its type; of more than 3,000 of a type, language
and half so many are drawn. Before it is asked for, all that is one thing with it goes out of the
index: what shares a name with it (in any order of its words, with or without 症) or an id or
cross-reference (UMLS, MeSH, SNOMED CT, OMIM, Orphanet, NCIt, MONDO, DOID, EFO, HP). What it is
linked with is therefore another thing, unless two vocabularies spell one thing in two ways and
do not say so: those were read one by one, and are listed below as the same.

Names that differ in a word with a digit or of less than four letters are not counted. The
pairs are halved by the words they differ in. The rules (`kg/linking/agreement.py`,
`kg/linking/slips.py`) and roots (`kg/linking/roots.py`) were chosen on one half, but for these: that
words of six letters need more around them, and which organs 脏 may follow, were learnt by reading
124 corrections of MeSH's, SIDER's and Chinese names by MONDO and HPO (one wrong, one doubtful);
five roots (cost/cyst, ost/ot, valv/vulv, -rrhagia/-rrhalgia, -stomia/-tomia) and that two ends of a
relation, or two contrasts, never change places, by reading pairs that a critical user made up.
"""
_COLUMNS: Final = (
    "| type | language | asked | linked, the same | wrong links | wrong of asked (95 %) | by |\n"
    "|---|---|---:|---:|---:|---|---|"
)
_RECALL: Final = """
What it costs: names misspelt by rule, as in [docs/linking.md](linking.md), each asked for among
the names of its type. *Links* is what `link: true` links rightly, *wrong* how many it links with
another thing, *medkg link* what a reader's linker, which may take more, links rightly.

| names | asked | links | wrong | medkg link |
|---|---:|---:|---:|---:|"""


def page(asked: list[Asked], found: Iterable[tuple[str, Share, Share, Share]]) -> str:
    """The figures as Markdown, with every link there is."""
    lines = [_HEAD]
    for title, half in (("held out", True), ("chosen on", False)):
        own = [each for each in asked if each.pair.held_out is half]
        lines += [f"\n**The half {title}**\n", _COLUMNS]
        groups = {("all", language) for language in ("en", "zh")}
        groups |= {(each.pair.type, each.pair.language) for each in own}
        for kind, language in sorted(groups, key=lambda g: (g[1], g[0] != "all", g[0])):
            rows = [
                each
                for each in own
                if each.pair.language == language and kind in ("all", each.pair.type)
            ]
            lines.append(_row(kind, language, rows))
    lines += [
        "\nEvery link, of both halves:\n",
        "| asked | linked with | by | half | is |",
        "|---|---|---|---|---|",
    ]
    linked = sorted((e for e in asked if e.method), key=lambda e: (e.is_same, e.pair.asked))
    lines += [
        f"| {e.pair.asked} | {e.matched} | {e.method} | {'held out' if e.pair.held_out else 'chosen on'} "
        f"| {'the same' if e.is_same else '**another thing**'} |"
        for e in linked
    ]
    lines += [_RECALL]
    lines += [
        f"| {name} | {written.of:,} | {_percent(written)} | {wrong.right} | {_percent(read)} |"
        for name, written, wrong, read in found
    ]
    return "\n".join(lines) + "\n"


def _row(kind: str, language: str, rows: list[Asked]) -> str:
    same = sum(each.method is not None and each.is_same for each in rows)
    wrong = [each for each in rows if each.method is not None and not each.is_same]
    share = Share(right=len(wrong), of=len(rows))
    by = Counter(each.method for each in wrong)
    methods = ", ".join(f"{method} {n}" for method, n in sorted(by.items(), key=str))
    low, high = share.interval or (0, 0)
    return (
        f"| {kind} | {language} | {len(rows):,} | {same} | {len(wrong)} "
        f"| {_percent(share)} ({low:.2%} to {high:.2%}) | {methods} |"
    )


def _percent(share: Share) -> str:
    return "" if share.value is None else f"{share.value:.2%}"
