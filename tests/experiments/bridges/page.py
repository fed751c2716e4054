"""The page docs/one-graph.md."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kg.linking.measures import Share
from tests.experiments.bridges.standing import Namesake, OneNode, Part, Reading, Standing

_HEAD: Final = """\
# One graph in both languages

Does the graph of everything (docs/everything.md) have one node for one concept, whether a source
names it in English or in Chinese?

```
medkg build tests/everything/everything.yaml
python -m tests.experiments.bridges .medkg --write docs/one-graph.md
```

**What is counted.** The Chinese names of zh-disease-csv, zh-dictionary, zh-ragqna, medical-json,
cmekg and the sample were ranked once by their distinct edges: *symptoms* as what HAS_SYMPTOM leads
to, *diseases* by all relations to or from something that a source has for a disease, sections of
text left out. Each name was read and given the term of HPO or MONDO that means exactly this, or
none with the reason: what means more, less or several things has none
(`tests/experiments/bridges/symptoms.tsv`, `diseases.tsv`; two ids where an ontology tells apart
what the Chinese name does not; a symptom that only EFO, MeSH, MONDO or NCIT has is given its id and
not counted). **One reader, a language model, not a clinician.**

**What the figures show.** medkg's own lists of aliases (`kind: bridge` with `list: findings` or
`list: diseases`; [sources.md](sources.md)) were made by this same reading: they name the counterpart
of symptoms 1 to 1,000 and of diseases 1 to 500, and the plain ones of some 4,000 findings (those
left alone were read once more) and 1,200 diseases further down, by the edges of those that still
stood alone; what was passed over there is not written down. So for *commonest* and *read for the
lists* the figures say whether the merge does what the lists tell it, not how good medkg's rules are
on names that nobody has read. *Not in the lists* shows that: 60 symptoms drawn from rank 1,001 to
1,300 and 60 diseases from rank 501 to 700, read for this page only and kept out of the lists.

*On its counterpart*: most rows that use the name (as a symptom or a disease) became the term's node.
*On a close match*: the node of the disease that the finding is, or the finding that the disease is,
connected by CLOSE_MATCH. *On a node of its own*: nothing connects it with the English half.
"""

_PARTS: Final[Mapping[Part, str]] = {
    "goal": "commonest",
    "list": "read for the lists",
    "unread": "not in the lists",
}
_SHOWN: Final = 30


@dataclass(frozen=True)
class Measured:
    """What is counted of one graph."""

    symptoms: Mapping[Reading, Standing]
    diseases: Mapping[Reading, Standing]
    edges: tuple[int, int]
    """Chinese HAS_SYMPTOM edges: on an ontology's node, and all."""
    namesakes: Sequence[Namesake]
    different: Sequence[OneNode]
    related: Sequence[OneNode]


def page(now: Measured, before: Measured | None) -> str:
    """The page; ``before`` is a graph to compare with, such as one without the lists."""
    return "\n".join(
        (
            _HEAD,
            *_standings(now, before),
            *_edges(now, before),
            *_alone(now),
            *_namesakes(now, before),
            *_wrong(now, before),
        )
    )


def _standings(now: Measured, before: Measured | None) -> Iterable[str]:
    ways = tuple(Standing)
    was = (f"before, {Standing.ON_IT.value}",) if before else ()
    heads = ("names", "", "read", "have a counterpart", *was)
    heads += (*(way.value for way in ways), "on it (95 %)", "on it or a close match")
    yield "## Where the names stand\n"
    yield _row(heads)
    yield "|---|---|" + "---:|" * (len(heads) - 2)
    for what, prefix in (("symptoms", "HP"), ("diseases", "MONDO")):
        found, earlier = _found(now, what), _found(before, what) if before else {}
        for part, name in _PARTS.items():
            read = [each for each in found if each.part == part]
            have = [each for each in read if each.has(prefix)]
            numbers = [len(read), len(have)]
            if before:
                numbers.append(sum(earlier[each] is Standing.ON_IT for each in have))
            numbers += [sum(found[each] is way for each in have) for way in ways]
            shares = [
                Share(right=sum(found[each] in wanted for each in have), of=len(have))
                for wanted in ((Standing.ON_IT,), (Standing.ON_IT, Standing.CLOSE))
            ]
            yield _row((what, name, *map(str, numbers), *map(_percent, shares)))
    yield "\nHPO is the ontology of the symptoms, MONDO that of the diseases; names of a list of"
    yield "diseases that only HPO has (呕吐, 低钾血症) are not counted as diseases.\n"


def _found(measured: Measured, what: str) -> Mapping[Reading, Standing]:
    return measured.symptoms if what == "symptoms" else measured.diseases


def _edges(now: Measured, before: Measured | None) -> Iterable[str]:
    yield "## Chinese HAS_SYMPTOM edges\n"
    yield f"{_ends_on(now)} of the edges that the Chinese sources state end on a node of an ontology"
    yield f"(before: {_ends_on(before)}).\n" if before else "(the sample is left out).\n"


def _ends_on(measured: Measured) -> str:
    on_node, edges = measured.edges
    return f"{on_node:,} of {edges:,} ({on_node / edges:.1%})" if edges else "none"


def _alone(now: Measured) -> Iterable[str]:
    yield "## The commonest that are not on their counterpart\n"
    for what, prefix in (("symptoms", "HP"), ("diseases", "MONDO")):
        missed = [
            (each, way)
            for each, way in _found(now, what).items()
            if each.part == "goal" and each.has(prefix) and way is not Standing.ON_IT
        ]
        yield f"{what.capitalize()}: {len(missed)}\n"
        yield from _table(
            ("rank", "name", "counterpart", "stands"),
            ((str(each.rank), each.name, _ids(each), way.value) for each, way in missed),
        )


def _namesakes(now: Measured, before: Measured | None) -> Iterable[str]:
    preferred = [each for each in now.namesakes if each.is_preferred]
    yield "## A second node under an English name of HPO's\n"
    yield f"{len(preferred)} findings and diseases that no ontology has are called like a finding of"
    yield f"HPO (its preferred name), {len(now.namesakes) - len(preferred)} more like a synonym of one,"
    yield "of any meaning."
    if before:
        was = sum(each.is_preferred for each in before.namesakes)
        yield f"Before: {was} and {len(before.namesakes) - was}."
    yield ""
    yield from _table(
        ("name", "finding of HPO", "its HAS_SYMPTOM edges"),
        ((each.name, each.term, f"{each.edges:,}") for each in now.namesakes),
    )


def _wrong(now: Measured, before: Measured | None) -> Iterable[str]:
    yield "## What became one node though a source says that it is two\n"
    yield "Pairs that a source says to be different: one is a kind of the other (IS_A), lacks it"
    yield "(LACKS_SYMPTOM), resembles it or is told from it; and two terms of one ontology that a"
    yield "mapping source matches with different ids of another."
    yield f"{len(now.different)} are one node{_was(before.different) if before else ''}.\n"
    yield from _pairs(now.different)
    yield "Pairs between which a source has any other relation (a disease that is complicated by"
    yield "itself): not all are wrong, since lists have a disease and its other name in one row."
    yield f"{len(now.related)} are one node{_was(before.related) if before else ''}.\n"
    yield from _pairs(now.related)


def _was(pairs: Sequence[OneNode]) -> str:
    return f" (before: {len(pairs)})"


def _pairs(pairs: Sequence[OneNode]) -> Iterable[str]:
    return _table(("relation", "head", "tail", "node"), pairs)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterable[str]:
    """The first rows, and how many are left out; nothing without rows."""
    all_rows = list(rows)
    if all_rows:
        yield _row(heads)
        yield "|" + "---|" * len(heads)
        yield from map(_row, all_rows[:_SHOWN])
        if len(all_rows) > _SHOWN:
            yield f"\n… and {len(all_rows) - _SHOWN} more"
        yield ""


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _ids(reading: Reading) -> str:
    return " or ".join(reading.counterparts)


def _percent(share: Share) -> str:
    if share.value is None or share.interval is None:
        return "none"
    low, high = share.interval
    return f"{share.value:.1%} ({low:.1%} to {high:.1%})"
