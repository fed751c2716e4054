"""The page about the case texts that were read by hand, and what a linker finds in them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from kg.linking.measures import Retrieval, Share
from tests.experiments.linking.figures import table
from tests.experiments.linking.gold.findings import Finding
from tests.experiments.linking.gold.scoring import Figures, Scored, figures
from tests.experiments.linking.gold.texts import DRAWN, SEED, Text

_GOALS: Final = "Goal: recall 75 %, precision 90 %, polarity 97 %, in each language."

_HOW: Final = """\
{texts} case texts ({english} English, {chinese} Chinese), drawn from public data by a seed
({seed}) among: {drawn}. Longer ones end after the last sentence within 1,000 characters, in
Chinese 450. `tests/experiments/linking/gold/texts.tsv` names each with its place and a
checksum, `gold.tsv` the findings in it: place, nodes, polarity, kind. The texts themselves are not
part of the project. A text belongs to *work* or *held-out* by the hash of its id, which was
settled before any was read: rules are chosen on *work*, and *held-out* is measured once.

One reader, no physician, read each text whole and wrote down every symptom, sign, abnormal
value and disease that somebody has or has not, each time it is said, without seeing what any
linker finds. Ids of HPO, and of MONDO for diseases; several where several are right (HPO's and
MONDO's pneumonia, a general term and that of the site). What has no node, or is said too
vaguely to tell ("illness", "lesion"), and what is feared or suspected counts neither way. A
question answered by no is a denial; one answered by yes, a finding. Kinds: *named* by a noun,
*described* by an adjective, a verb or a sentence, *value*: told by a number. Injuries,
surgery, habits and pregnancy were not looked for, nor tenderness of a place, for which HPO
mostly has no term."""

_READING: Final = """\
*Recall*: of the findings with a node, those that a link overlaps whose node is right: it, a
cross-reference of it, or what CLOSE_MATCH connects it with is one of the finding's ids.
*Precision*: of the links with a symptom or disease, those right for a finding that they overlap; links that
meet only what counts neither way are left out. *Within a step* takes a node one IS_A step away
too; *or namesake* a node that was as good a candidate as a right one, because it goes by the same
name: what is lost there is lost by two nodes being one thing. *Polarity*: of the findings found, those told rightly as present, absent, or of the
family. In brackets Wilson's 95 % intervals; findings of one text are not independent, so they
are too narrow."""

_AGREEMENT: Final = """\
## The same reader twice

{texts} of the texts, drawn by the seed, were read a second time, without looking at the first
reading: {same} ({first} of the first reading's {of_first} findings and {second} of the second's
{of_second} are the same: overlapping, with an id in common), and of those the polarity agrees
in {polarity}. It was the same reader on the same day, so this shows slips, and not what
another reader would see otherwise."""


def page(
    texts: Sequence[Text],
    there: Mapping[str, Sequence[Finding]],
    scored: Sequence[Scored],
    again: tuple[int, Retrieval, Share],
) -> str:
    """The whole page."""
    languages = Counter(text.language for text in texts)
    how = _HOW.format(
        texts=len(texts),
        english=languages["en"],
        chinese=languages["zh"],
        seed=SEED,
        drawn="; ".join(f"{name} {count}" for name, count in DRAWN.items()),
    )
    parts = ["# Findings in case texts", how, _composition(texts, there), "## Figures"]
    parts += [f"{_GOALS}\n\n{_READING}"]
    for split, some in groupby(scored, key=lambda s: s.text.split):
        parts += [f"### {split}", _groups(list(some))]
    return "\n\n".join([*parts, _agreement(*again)]) + "\n"


def _composition(texts: Sequence[Text], there: Mapping[str, Sequence[Finding]]) -> str:
    head = (
        *("part", "texts", "findings", "that count", "named", "described", "value"),
        *("present", "absent", "family"),
    )
    return table(head, (_row(split, language, texts, there) for split, language in _PARTS))


_PARTS: Final = (("work", "en"), ("work", "zh"), ("held-out", "en"), ("held-out", "zh"))


def _row(
    split: str,
    language: str,
    texts: Iterable[Text],
    there: Mapping[str, Sequence[Finding]],
) -> list[str]:
    some = [text for text in texts if (text.split, text.language) == (split, language)]
    each = [finding for text in some for finding in there[text.key]]
    kinds = Counter(finding.kind for finding in each if finding.counts)
    said = Counter(finding.polarity for finding in each if finding.counts)
    numbers = (
        *(len(some), len(each), kinds.total(), kinds["named"], kinds["described"]),
        *(kinds["value"], said["present"], said["absent"], said["family"]),
    )
    return [f"{split}, {language}", *map(str, numbers)]


def _groups(scored: Sequence[Scored]) -> str:
    """By language, then within it by kind and by source."""
    head = (
        *("findings", "recall", "within a step", "or namesake"),
        *("precision", "within a step", "or namesake", "polarity"),
    )
    rows = []
    for language in ("en", "zh"):
        some = [s for s in scored if s.text.language == language]
        rows.append(_figures(language, figures(some)))
        rows += [
            _figures(f"{language}, {kind}", figures(some, kind))
            for kind in ("named", "described", "value")
        ]
        for source in dict.fromkeys(s.text.source for s in some):
            of = figures(s for s in some if s.text.source == source)
            rows.append(_figures(f"{language}, {source}", of))
    return table(head, rows)


def _figures(name: str, of: Figures) -> list[str]:
    recall = (of.recall, of.recall_near, of.recall_namesake)
    precision = (of.precision, of.precision_near, of.precision_namesake)
    return [name, *map(share, (*recall, *precision, of.polarity))]


def share(of: Share) -> str:
    """A share with its counts and its interval; nothing of nothing."""
    if of.value is None or of.interval is None:
        return ""
    low, high = (round(each * 100) for each in of.interval)
    return f"{of.value:.1%} of {of.of:,} ({low} to {high})"


def _agreement(texts: int, same: Retrieval, polarity: Share) -> str:
    return _AGREEMENT.format(
        texts=texts,
        same="F1 " + ("of nothing" if same.f1 is None else f"{same.f1:.3f}"),
        first=same.recall.right,
        of_first=same.recall.of,
        second=same.precision.right,
        of_second=same.precision.of,
        polarity=f"{polarity.right} of {polarity.of}",
    )
