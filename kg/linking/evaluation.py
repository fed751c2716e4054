"""How good a linker is, by a gold file.

Texts with mentions give two figures, after Cornolti, Ferragina and Ciaramita (2013), A
framework for benchmarking entity-annotation systems, WWW 2013, 249-260: *recognition*,
whether a mention was found at all, linked or not, and *linking*, end to end, whether it was
found and linked with a right entity. Each is counted with exact spans (their strong match)
and with overlapping ones (their weak match). A found mention answers for one mention of the
gold file at most: first those of equal span, then from left to right.

Mentions without surroundings, and those of texts once their spans are given, give accuracy,
precision and recall of linking, and the curve of abstaining (``kg.linking.measures``).

All counts are sums over mentions (micro averages). By type: precision over what was found
of the type, recall over what the gold file says is of it. By language: of the text.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from importlib.metadata import version
from typing import Final, Protocol

from kg.linking.figures import ALL, Evaluation, Flag, Given, Running, Spans
from kg.linking.gold import Gold, GoldMention, GoldText
from kg.linking.measures import Answer, Decisions, Retrieval, Share, curve
from kg.linking.mention import Candidate, Mention
from kg.progress import Progress, Silent

__all__ = ["EvaluatedLinker", "Evaluation", "evaluate", "pairs", "speaks_of"]

THRESHOLDS: Final = (0.0, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0)
"""At which the curve of abstaining is counted."""

_Pair = tuple[GoldMention, Mention]
_Span = tuple[int, int]


class EvaluatedLinker(Protocol):
    """What is evaluated: ``kg.linking.Linker``, or a rival of it."""

    def link(self, text: str, spans: Sequence[tuple[int, int]] | None = None) -> list[Mention]:
        """The mentions in a running text; of ``spans``, where they are given."""
        ...

    def resolve(self, mention: str, types: Collection[str] | None = None) -> Mention:
        """One mention without surroundings."""
        ...


def evaluate(linker: EvaluatedLinker, gold: Gold, progress: Progress | None = None) -> Evaluation:
    """Link every text and mention of a gold file, and count what is right."""
    recognition, linking, flags = _Tally(), _Tally(), _Tally()
    answers: dict[str, list[Answer]] = defaultdict(list)
    with (progress or Silent()).step("Linking", len(gold.texts)) as advance:
        for text in gold.texts:
            if not text.whole:
                _judge(text, _linked_mentions(linker, text), recognition, linking, flags)
            for mention, given in _resolved(linker, text):
                for group in _groups(text, mention.type):
                    answers[group].append(_answer(mention, given))
            advance(1)
    return Evaluation(
        gold=gold.name,
        checksum=gold.checksum,
        made_by=f"medkg {version('medkg')}",
        texts=len(gold.texts),
        mentions=sum(len(text.mentions) for text in gold.texts),
        recognition=recognition.running(),
        linking=linking.running(),
        given=tuple(
            Given(group=group, decisions=Decisions.of(some), curve=curve(some, THRESHOLDS))
            for group, some in sorted(answers.items())
        ),
        flags=flags.flags(),
    )


def speaks_of(candidate: Candidate, ids: Collection[str]) -> bool:
    """The candidate is one of those entities, or has one of those UMLS concepts."""
    return candidate.id in ids or any(cui in ids for cui in candidate.cuis)


def pairs(gold: Sequence[_Span], found: Sequence[_Span]) -> list[tuple[int, int]]:
    """Positions of gold and found spans that overlap, each in one pair at most.

    Equal spans first, then from left to right, which pairs as many as can be where the
    spans of one side do not overlap each other.
    """
    at = {span: position for position, span in enumerate(found)}
    equal = [(mine, at[span]) for mine, span in enumerate(gold) if span in at]
    left = [_without(side, {pair[n] for pair in equal}) for n, side in enumerate((gold, found))]
    overlapping = []
    mine, others = (iter(sorted(side, key=lambda p: p[0])) for side in left)
    a, b = next(mine, None), next(others, None)
    while a and b:
        if a[0][0] < b[0][1] and b[0][0] < a[0][1]:
            overlapping.append((a[1], b[1]))
            a, b = next(mine, None), next(others, None)
        elif a[0][1] <= b[0][1]:
            a = next(mine, None)
        else:
            b = next(others, None)
    return sorted(equal + overlapping)


def _without(spans: Sequence[_Span], taken: set[int]) -> list[tuple[_Span, int]]:
    return [(span, at) for at, span in enumerate(spans) if at not in taken]


class _Tally:
    """Counts by group and kind of span: right of the found, found, found of the gold, gold."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])

    def count(self, kind: str, groups: Iterable[str], right: bool, found: bool) -> None:
        """Count one that was found (or, if not ``found``, one that was there)."""
        for group in groups:
            counts = self._counts[group, kind]
            counts[0 if found else 2] += right
            counts[1 if found else 3] += 1

    def _retrievals(self) -> Iterator[tuple[str, str, Retrieval]]:
        for (group, kind), (right, found, reached, there) in sorted(self._counts.items()):
            precision, recall = Share(right=right, of=found), Share(right=reached, of=there)
            yield group, kind, Retrieval(precision=precision, recall=recall)

    def running(self) -> tuple[Running, ...]:
        """By group and spans."""
        return tuple(
            Running.model_validate({"group": group, "spans": kind, "retrieval": retrieval})
            for group, kind, retrieval in self._retrievals()
        )

    def flags(self) -> tuple[Flag, ...]:
        """By flag."""
        return tuple(
            Flag.model_validate({"flag": kind, "retrieval": retrieval})
            for _, kind, retrieval in self._retrievals()
        )


def _linked_mentions(linker: EvaluatedLinker, text: GoldText) -> list[Mention]:
    """What the linker finds, without what nobody marked in the gold file."""
    return [
        mention
        for mention in linker.link(text.text)
        if text.types is None or not mention.candidates or mention.candidates[0].type in text.types
    ]


def _judge(
    text: GoldText, found: list[Mention], recognition: _Tally, linking: _Tally, flags: _Tally
) -> None:
    """Count what was found in one running text."""
    matched = [
        (text.mentions[mine], found[other])
        for mine, other in pairs(_spans(text.mentions), _spans(found))
    ]
    pairs_by_spans: dict[Spans, list[_Pair]] = {
        "exact": [pair for pair in matched if (pair[0].start, pair[0].end) == _span(pair[1])],
        "overlapping": matched,
    }
    linked = [mention for mention in found if mention.linked]
    with_entity = [mention for mention in text.mentions if mention.ids]
    for kind, matches in pairs_by_spans.items():
        _count(recognition, kind, text, (text.mentions, found, matches))
        right = [pair for pair in matches if _right(*pair)]
        _count(linking, kind, text, (with_entity, linked, right))
    for mention, other in matched:
        _count_flag(flags, "negated", gold=mention.negated, predicted=other.negated)
        _count_flag(flags, "family", gold=mention.family, predicted=other.family)


def _count(
    tally: _Tally,
    kind: Spans,
    text: GoldText,
    counted: tuple[Sequence[GoldMention], Sequence[Mention], Sequence[_Pair]],
) -> None:
    gold, found, right = counted
    reached, good = {_span(pair[0]) for pair in right}, {_span(pair[1]) for pair in right}
    for mention in gold:
        tally.count(kind, _groups(text, mention.type), _span(mention) in reached, found=False)
    for other in found:
        type_ = other.candidates[0].type if other.candidates else None
        tally.count(kind, _groups(text, type_), _span(other) in good, found=True)


def _count_flag(tally: _Tally, flag: str, *, gold: bool | None, predicted: bool) -> None:
    if gold is None:
        return
    if predicted:
        tally.count(flag, [ALL], gold, found=True)
    if gold:
        tally.count(flag, [ALL], predicted, found=False)


def _resolved(linker: EvaluatedLinker, text: GoldText) -> Iterator[_Pair]:
    """Every mention of the gold file, with what the linker says of it, its span being given."""
    if text.whole:
        yield text.mentions[0], linker.resolve(text.text, text.types)
    elif text.mentions:
        given = {_span(each): each for each in linker.link(text.text, _spans(text.mentions))}
        for mention in text.mentions:
            start, end = _span(mention)
            nothing = Mention(start, end, text.text[start:end], None, (), linked=False)
            yield mention, given.get((start, end), nothing)


def _answer(gold: GoldMention, mention: Mention) -> Answer:
    right = (at for at, each in enumerate(mention.candidates, 1) if speaks_of(each, gold.ids))
    return Answer(
        score=mention.candidates[0].score if mention.candidates else -1.0,
        rank=next(right, 0),
        linked=mention.linked,
        has_entity=bool(gold.ids),
    )


def _right(gold: GoldMention, found: Mention) -> bool:
    return found.entity is not None and speaks_of(found.entity, gold.ids)


def _groups(text: GoldText, type_: str | None) -> list[str]:
    return [ALL, f"language {text.language}", *([f"type {type_}"] if type_ else [])]


def _span(mention: GoldMention | Mention) -> _Span:
    return mention.start, mention.end


def _spans(mentions: Iterable[GoldMention | Mention]) -> list[_Span]:
    return [_span(mention) for mention in mentions]
