"""Evaluates a linker against a gold file.

Texts with mentions give two figures, after Cornolti, Ferragina and Ciaramita (2013), A
framework for benchmarking entity-annotation systems, WWW 2013, 249-260: *recognition*,
whether a mention was found at all, linked or not, and *linking*, end to end, whether it was
found and linked with a right entity. Each is counted with exact spans (their strong match)
and with overlapping ones (their weak match). A found mention is paired with one mention of the
gold file at most: first those of equal span, then from left to right.

Mentions without surroundings, and those of texts once their spans are given, give accuracy,
precision and recall of linking, and the curve of abstaining (``kg.linking.measures``).

All counts are sums over mentions (micro averages). By type: precision over the mentions
predicted with the type, recall over the gold mentions of it. By language: that of the text.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final, Protocol

from kg.linking.figures import ALL, Evaluation, Flag, MentionFigures, Spans, TextFigures
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
                _count_text(text, _predicted_mentions(linker, text), recognition, linking, flags)
            for mention, predicted in _resolved_mentions(linker, text):
                for group in _groups(text, mention.type):
                    answers[group].append(_answer(mention, predicted))
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
            MentionFigures(
                group=group,
                decisions=Decisions.of(answers_of_group),
                curve=curve(answers_of_group, THRESHOLDS),
            )
            for group, answers_of_group in sorted(answers.items())
        ),
        flags=flags.flags(),
    )


def speaks_of(candidate: Candidate, ids: Collection[str]) -> bool:
    """The candidate is one of those entities, or has one of those UMLS concepts."""
    return candidate.id in ids or any(cui in ids for cui in candidate.cuis)


def pairs(gold: Sequence[_Span], predicted: Sequence[_Span]) -> list[tuple[int, int]]:
    """Positions of gold and predicted spans that overlap, each in one pair at most.

    Equal spans first, then from left to right, which gives the most pairs where the spans
    of one side do not overlap each other.
    """
    position = {span: at for at, span in enumerate(predicted)}
    equal = [(at, position[span]) for at, span in enumerate(gold) if span in position]
    paired_gold, paired_predicted = {pair[0] for pair in equal}, {pair[1] for pair in equal}
    rest_of_gold = iter(sorted((s, at) for at, s in enumerate(gold) if at not in paired_gold))
    rest_of_predicted = iter(
        sorted((s, at) for at, s in enumerate(predicted) if at not in paired_predicted)
    )
    overlapping = []
    left, right = next(rest_of_gold, None), next(rest_of_predicted, None)
    while left and right:
        (left_start, left_end), (right_start, right_end) = left[0], right[0]
        if left_start < right_end and right_start < left_end:
            overlapping.append((left[1], right[1]))
            left, right = next(rest_of_gold, None), next(rest_of_predicted, None)
        elif left_end <= right_end:
            left = next(rest_of_gold, None)
        else:
            right = next(rest_of_predicted, None)
    return sorted(equal + overlapping)


@dataclass
class _Counts:
    right: int = 0
    """Predicted mentions that are right."""
    predicted: int = 0
    found: int = 0
    """Gold mentions for which a prediction is right."""
    gold: int = 0


class _Tally:
    """Counts by group and by kind: of spans, or a flag."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], _Counts] = defaultdict(_Counts)

    def count_predicted(self, kind: str, groups: Iterable[str], *, right: bool) -> None:
        """Count a mention that the linker predicted."""
        for group in groups:
            self._counts[group, kind].predicted += 1
            self._counts[group, kind].right += right

    def count_gold(self, kind: str, groups: Iterable[str], *, found: bool) -> None:
        """Count a mention of the gold file."""
        for group in groups:
            self._counts[group, kind].gold += 1
            self._counts[group, kind].found += found

    def _retrievals(self) -> Iterator[tuple[str, str, Retrieval]]:
        for (group, kind), counts in sorted(self._counts.items(), key=lambda item: item[0]):
            precision = Share(right=counts.right, of=counts.predicted)
            recall = Share(right=counts.found, of=counts.gold)
            yield group, kind, Retrieval(precision=precision, recall=recall)

    def running(self) -> tuple[TextFigures, ...]:
        """By group and spans."""
        return tuple(
            TextFigures.model_validate({"group": group, "spans": kind, "retrieval": retrieval})
            for group, kind, retrieval in self._retrievals()
        )

    def flags(self) -> tuple[Flag, ...]:
        """By flag."""
        return tuple(
            Flag.model_validate({"flag": kind, "retrieval": retrieval})
            for _, kind, retrieval in self._retrievals()
        )


def _predicted_mentions(linker: EvaluatedLinker, text: GoldText) -> list[Mention]:
    """The mentions that the linker finds, without types that the gold file does not mark."""
    return [
        mention
        for mention in linker.link(text.text)
        if text.types is None or not mention.candidates or mention.candidates[0].type in text.types
    ]


def _count_text(
    text: GoldText, predicted: list[Mention], recognition: _Tally, linking: _Tally, flags: _Tally
) -> None:
    """Count what was found in one running text."""
    matched = [
        (text.mentions[gold_at], predicted[predicted_at])
        for gold_at, predicted_at in pairs(_spans(text.mentions), _spans(predicted))
    ]
    pairs_by_spans: dict[Spans, list[_Pair]] = {
        "exact": [pair for pair in matched if _span(pair[0]) == _span(pair[1])],
        "overlapping": matched,
    }
    linked = [mention for mention in predicted if mention.linked]
    with_entity = [mention for mention in text.mentions if mention.ids]
    for kind, matches in pairs_by_spans.items():
        _count(recognition, kind, text, (text.mentions, predicted, matches))
        right = [
            (gold, prediction)
            for gold, prediction in matches
            if prediction.entity and speaks_of(prediction.entity, gold.ids)
        ]
        _count(linking, kind, text, (with_entity, linked, right))
    for gold, prediction in matched:
        _count_flag(flags, "negated", gold=gold.negated, predicted=prediction.negated)
        _count_flag(flags, "family", gold=gold.family, predicted=prediction.family)


def _count(
    tally: _Tally,
    kind: Spans,
    text: GoldText,
    mentions: tuple[Sequence[GoldMention], Sequence[Mention], Sequence[_Pair]],
) -> None:
    """Count the gold mentions, the predicted ones, and the pairs of both that are right."""
    gold, predicted, right = mentions
    gold_found = {_span(pair[0]) for pair in right}
    predicted_right = {_span(pair[1]) for pair in right}
    for mention in gold:
        groups = _groups(text, mention.type)
        tally.count_gold(kind, groups, found=_span(mention) in gold_found)
    for prediction in predicted:
        type_ = prediction.candidates[0].type if prediction.candidates else None
        is_right = _span(prediction) in predicted_right
        tally.count_predicted(kind, _groups(text, type_), right=is_right)


def _count_flag(tally: _Tally, flag: str, *, gold: bool | None, predicted: bool) -> None:
    if gold is None:
        return
    if predicted:
        tally.count_predicted(flag, [ALL], right=gold)
    if gold:
        tally.count_gold(flag, [ALL], found=predicted)


def _resolved_mentions(linker: EvaluatedLinker, text: GoldText) -> Iterator[_Pair]:
    """Every mention of the gold file, with the linker's result for its span."""
    if text.whole:
        yield text.mentions[0], linker.resolve(text.text, text.types)
    elif text.mentions:
        by_span = {
            _span(mention): mention for mention in linker.link(text.text, _spans(text.mentions))
        }
        for mention in text.mentions:
            start, end = _span(mention)
            nothing = Mention(start, end, text.text[start:end], None, (), linked=False)
            yield mention, by_span.get((start, end), nothing)


def _answer(gold: GoldMention, mention: Mention) -> Answer:
    right_ranks = (
        rank
        for rank, candidate in enumerate(mention.candidates, 1)
        if speaks_of(candidate, gold.ids)
    )
    return Answer(
        score=mention.candidates[0].score if mention.candidates else -1.0,
        rank=next(right_ranks, 0),
        linked=mention.linked,
        has_entity=bool(gold.ids),
    )


def _groups(text: GoldText, type_: str | None) -> list[str]:
    return [ALL, f"language {text.language}", *([f"type {type_}"] if type_ else [])]


def _span(mention: GoldMention | Mention) -> _Span:
    return mention.start, mention.end


def _spans(mentions: Iterable[GoldMention | Mention]) -> list[_Span]:
    return [_span(mention) for mention in mentions]
