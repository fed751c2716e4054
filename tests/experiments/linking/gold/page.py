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

_HOW: Final = """\
{texts} case texts ({english} English, {chinese} Chinese), drawn from public data by a seed ({seed}):
{drawn}. A long one ends after the last sentence within 1,000 characters, in Chinese 450; of
ACI-Bench's notes it begins at the present illness. `texts.tsv` in
`tests/experiments/linking/gold` names each with its place and a checksum, `gold.tsv` the findings
in it with place, nodes, polarity and kind. The texts themselves are not part of the project. A text
is of *work* or *held-out* by the hash of its id, which was settled before any was read: rules
are chosen on *work*, and *held-out* is measured when a round of work on
the rules is over: seven times so far, and no rule was chosen by what it showed. The first time, before the
rules of complaints at places, it gave English recall 67.7 %, precision 78.0, polarity 97.0; Chinese
67.3, 80.1, 96.0.

One reader, no physician, read each text whole and wrote down every symptom, sign, abnormal value
and disease that somebody has or has not, each time it is said, before any linker was run on
it. The ids are HPO's, and MONDO's for diseases; several where several are right (HPO's and
MONDO's pneumonia; a general term beside that of the site).

* *Kinds*: *named* by a noun; *described* by an adjective, a verb or a sentence ("itchy", "lost
  40 pounds", 吃不下); *value*: told by a number beyond what is usual (from 38 °C on; over 100
  beats a minute and 140/90 mmHg in adults; otherwise by the limits that the text gives).
* *Polarity*: *present*, *absent*, or of the *family*, whether relatives have it or not. A doctor's
  question answered by no is a denial, one answered by yes a finding.
* *Counts neither way*: what neither HPO nor MONDO has, or is too vague to tell ("illness",
  "lesion"); what is feared, suspected or a risk; and what was not looked for: tenderness of a place,
  wounds and accidents, surgery, tobacco, alcohol, drugs, pregnancy.

After the linker was run on *work* for the first time, what it missed and what was wrong there was
looked through. Five findings got a further id or a longer span for it, and by rules found so, in
both halves alike: names that MONDO has by now were added, tobacco, alcohol and drugs no
longer count, and a dozen alternatives that were too kind were struck."""

_READING: Final = """\
Goal: recall 75 %, precision 90 %, polarity 97 %, in each language.

*Recall*: of the findings that count, those that a link overlaps whose node is right: one of the
finding's ids is the node's, a cross-reference of it, or that of a node that CLOSE_MATCH
connects it with. *Precision*: of the links with a symptom or disease, those right for a finding
that they overlap; a link that is not right, but meets what counts neither way, is left out. *Within a
step* takes a node one IS_A step away too; *or namesake* a node that is as good a candidate
as a right one, by the same name: what lies between is lost because one thing is two nodes.
*Polarity*: of the findings found, if only by a namesake, those told rightly. In brackets
Wilson's 95 % intervals in per cent; findings of one text are not independent, so they are
too narrow."""

_AGREEMENT: Final = """\
## The same reader twice

{texts} of the texts, drawn by chance, were read again without looking at the first reading: F1
{f1}. Of the first reading's {of_first} findings {first}, and of the second's {of_second} {second},
overlap with one of the other reading and share an id; of those the polarity agrees in {polarity}.
It was the same reader on the same day, so this shows slips, and not what another would see
otherwise. Where the two differ the first reading stands."""


def page(
    made: str,
    texts: Sequence[Text],
    there: Mapping[str, Sequence[Finding]],
    scored: Sequence[Scored],
    again: tuple[int, Retrieval, Share],
) -> str:
    """The whole page; ``made`` says how it was made."""
    languages = Counter(text.language for text in texts)
    how = _HOW.format(
        texts=len(texts),
        english=languages["en"],
        chinese=languages["zh"],
        seed=SEED,
        drawn="; ".join(f"{name} {count}" for name, count in DRAWN.items()),
    )
    parts = ["# Findings in case texts", made, how, _composition(texts, there)]
    parts += ["## Figures", _READING]
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
        f1="of nothing" if same.f1 is None else f"{same.f1:.3f}",
        first=same.recall.right,
        of_first=same.recall.of,
        second=same.precision.right,
        of_second=same.precision.of,
        polarity=f"{polarity.right} of {polarity.of}",
    )
