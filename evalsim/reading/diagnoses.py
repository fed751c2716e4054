"""The diagnoses that a statement gives: which names, and how firmly.

The words of ``reading.yaml`` before or behind a name make it a diagnosis: "most likely gout",
痛风的可能性大. A name is the disease that goes by it, else the finding; of "you have …" only a disease is.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple, get_args

from kg.linking.linker import Linker
from kg.linking.mention import Candidate, Mention

_SEEMS: Final = re.compile(r"like|seem|appear|look", re.IGNORECASE)
_VERSUS: Final = re.compile(r"\s*(?:vs\.?|versus|还是)\s*", re.IGNORECASE)
_ENDS_PHRASE: Final = re.compile(
    r"[.,;:!?()\n。，；：！？（）]| (?:and|which|that|because|due|since|with|based|but|as|given|in|at|for|from|so|I|we|you)\b"
    r"|建议|需要|可以|因为|由于|引起|的可能"
)
_PHRASE_WORDS: Final = 8
_PHRASE_HAN: Final = 16
_REACH: Final = 90
"""Characters from a cue to the name, at most."""
_BEFORE: Final = 70
_EXACT: Final = 0.99

_BOLD: Final = re.compile(r"\*\*\s*(?P<words>[^*\n]{2,80}?)\s*[.。:：]?\s*\*\*")
_MOST_BESIDE: Final = 12
"""Letters beside the name in a reply that is but a name."""
_DISEASE_WORD: Final = re.compile(
    r"(?:itis|osis|emia|aemia|oma|pathy|ism|syndrome|disease|disorder|infection|fever|failure|cancer|deficiency"
    r"|attack|injury|strain|sprain|fracture|migraine|allergy|virus|stones?|ulcers?|hernia|nodules?|warts?|abuse"
    r"|poisoning|contusion|cysts?|obstruction|edema|withdrawal|wound|burns?|bites?|tear|spasms?|lesions?)$",
    re.IGNORECASE,
)
_DISEASE_WORD_ZH: Final = re.compile(
    r"(?:病|炎|症|癌|瘤|综合征|感染|过敏|中毒|结石|溃疡|衰竭|感冒|损伤|骨折|障碍|缺乏|不良|腹泻|便秘|疹|疮|癣|痛|贫血|紊乱|失调|中风|肥大|增生|脱垂|梗阻|穿孔|出血)$"
)
"""End what is a disease's name, whether the graph knows it or not."""
_FINDINGS: Final = ("Symptom", "Disease")

Strength = Literal["final", "committed", "tentative", "weak"]


class Diagnosis(NamedTuple):
    """A name that the reply gives as the diagnosis."""

    strength: Strength
    start: int
    words: str
    thing: Candidate | None


class DiagnosisReader:
    """Finds diagnoses in statements; threads may share it."""

    def __init__(self, linker: Linker, diagnosis: Any) -> None:  # noqa: ANN401 - as the file has it
        """Find them by the names of a linker.

        Args:
            linker: of the graph's names.
            diagnosis: the part of ``reading.yaml`` on diagnoses.
        """
        self._linker = linker
        self._cues: dict[Strength, re.Pattern[str]] = {
            strength: expression(diagnosis[strength]["before"]) for strength in get_args(Strength)
        }
        self._after: dict[Strength, re.Pattern[str]] = {
            "committed": expression(diagnosis["committed"]["after"]),
            "tentative": expression(diagnosis["tentative"]["after"]),
        }
        self._refuted_before = expression(diagnosis["refuted"]["before"])
        self._refuted_after = expression(diagnosis["refuted"]["after"])
        self._not_if, self._joining = (
            expression(diagnosis["not_if"]),
            expression(diagnosis["joining"]),
        )
        self._between = expression(diagnosis["between"])

    def of_statement(
        self, text: str, span: tuple[int, int], mentions: Sequence[Mention], *, listed: bool
    ) -> Iterator[Diagnosis]:
        """The names that a statement gives as the diagnosis.

        Args:
            text: the reply.
            span: start and stop of the statement in it.
            mentions: of the statement.
            listed: it stands under a heading that says "diagnosis".
        """
        sentence = _Sentence(
            text[slice(*span)],
            span[0],
            [m for m in mentions if not m.family and m.candidates and self.as_type(m, "Disease")],
        )
        strength_of: dict[int, Strength] = {}
        for strength, start, stop in self._cues_of(sentence):
            place = self._first_reached(sentence, stop)
            if place is not None and self._is_meant(sentence, place, strength):
                strength_of[place] = _stronger(strength_of.get(place), strength)
            cue = sentence.text[start:stop]
            is_guessed = place is None and (strength != "weak" or _SEEMS.search(cue))
            if is_guessed and (phrase := _phrase(sentence.text, stop)):
                yield Diagnosis(strength, sentence.start + stop, phrase, None)
        for place, strength in self._named_by_what_follows(sentence, listed=listed):
            strength_of[place] = _stronger(strength_of.get(place), strength)
        for place, strength in sorted(strength_of.items()):
            for n in self._listed_with(text, sentence.mentions, place):
                if n == place or n not in strength_of:
                    mention = sentence.mentions[n]
                    firmness: Strength = strength if n == place else "tentative"
                    thing = self.as_type(mention, "Disease")
                    yield Diagnosis(firmness, mention.start, mention.text, thing)

    def _cues_of(self, sentence: "_Sentence") -> Iterator[tuple[Strength, int, int]]:
        """Strength, start and stop of what comes before a diagnosis, but of no condition."""
        for strength, cue in self._cues.items():
            for match in cue.finditer(sentence.text):
                if not self._not_if.search(sentence.text[: match.start()][-_BEFORE:]):
                    yield strength, match.start(), match.end()

    def _is_meant(self, sentence: "_Sentence", place: int, strength: Strength) -> bool:
        mention = sentence.mentions[place]
        disease = self.as_type(mention, "Disease")
        if strength == "weak" and (disease is None or disease.type != "Disease"):
            return False
        return not self._is_refuted(sentence.text, sentence.start, mention)

    def _named_by_what_follows(
        self, sentence: "_Sentence", *, listed: bool
    ) -> Iterator[tuple[int, Strength]]:
        """Names that what follows makes a diagnosis, or a rival, or the heading above."""
        mentions = sentence.mentions
        for place, mention in enumerate(mentions):
            text_after = sentence.text[mention.end - sentence.start :]
            if self._is_refuted(sentence.text, sentence.start, mention):
                continue
            for strength, cue in self._after.items():
                if cue.search(text_after[:_BEFORE]):
                    yield place, strength
            if place + 1 < len(mentions):
                gap = text_after[: mentions[place + 1].start - mention.end]
                if _VERSUS.fullmatch(gap):
                    yield place, "tentative"
            text_before = sentence.text[: mention.start - sentence.start]
            if listed and place == 0 and self._between.search(text_before):
                yield place, "tentative"

    def of_name(self, text: str, plain: str, mentions: Sequence[Mention]) -> Iterator[Diagnosis]:
        """A reply that is but a name, or that ends in one set in bold on a line of its own."""
        spans = []
        start_of_text = len(plain) - len(plain.lstrip())
        if len(plain.strip()) <= _REACH:
            spans.append((start_of_text, len(plain.rstrip()), _MOST_BESIDE // 4))
        full_lines = [m for m in re.finditer(r"[^\n]+", text) if m[0].strip()]
        if full_lines and (bold := _BOLD.fullmatch(full_lines[-1][0].strip())):
            start_of_bold = full_lines[-1].start() + full_lines[-1][0].index(bold["words"])
            spans.append((start_of_bold, start_of_bold + len(bold["words"]), _MOST_BESIDE))
        for start, stop, most_letters in spans:
            mentions_inside = [
                m for m in mentions if start <= m.start and m.end <= stop and m.candidates
            ]
            if len(mentions_inside) != 1 or not (
                thing := self.as_type(mentions_inside[0], "Disease")
            ):
                continue
            text_beside = (
                plain[start : mentions_inside[0].start] + plain[mentions_inside[0].end : stop]
            )
            if (
                len(re.sub(r"\W", "", text_beside)) <= most_letters
                and not mentions_inside[0].negated
            ):
                yield Diagnosis(
                    "committed", mentions_inside[0].start, mentions_inside[0].text, thing
                )

    def as_type(
        self, mention: Mention, entity_type: Literal["Symptom", "Disease"]
    ) -> Candidate | None:
        """What a mention is as a finding or as a disease: the thing of this name, else the other."""
        if not mention.candidates:
            return None
        best = mention.candidates[0]
        entity = mention.entity or (best if best.score >= _EXACT else None)
        if entity is None or entity.type == entity_type:
            return entity
        if entity.type not in _FINDINGS:
            return None
        alternatives = self._linker.candidates(mention.text, 1, (entity_type,))
        return alternatives[0] if alternatives and alternatives[0].score >= _EXACT else entity

    def _first_reached(self, sentence: "_Sentence", stop: int) -> int | None:
        """The name that a cue speaks of: the next one, if nothing else stands between."""
        for place, mention in enumerate(sentence.mentions):
            start = mention.start - sentence.start
            if start >= stop:
                gap = sentence.text[stop:start]
                return place if len(gap) <= _REACH and self._between.search(gap) else None
        return None

    def _listed_with(self, plain: str, mentions: Sequence[Mention], place: int) -> Iterator[int]:
        """A name, and those that the text lists with it."""
        yield place
        for n in range(place + 1, len(mentions)):
            gap = plain[mentions[n - 1].end : mentions[n].start]
            if len(gap) > _REACH or not self._joining.search(gap):
                return
            yield n

    def _is_refuted(self, sentence: str, offset: int, mention: Mention) -> bool:
        text_before = sentence[: mention.start - offset][-_BEFORE:]
        text_after = sentence[mention.end - offset :][:_BEFORE]
        not_ruled_out = re.search(
            r"(rule[sd]? out|exclude)\W*\w*\W*$|(不能|不)排除[^，。]{0,3}$|不除外", text_before
        )
        if not_ruled_out and re.search(
            r"\b(cannot|can't|can not|could not|not be)\b|不能|不排除|不除外", text_before
        ):
            return False
        return bool(
            self._refuted_before.search(text_before) or self._refuted_after.search(text_after)
        )


class _Sentence(NamedTuple):
    """A statement, with the mentions in it that may be diagnoses."""

    text: str
    start: int
    """In the reply."""
    mentions: Sequence[Mention]


def _phrase(sentence: str, start: int) -> str | None:
    """The words behind a cue, where the graph knows no name among them but they are of a disease."""
    text_after = sentence[start:].lstrip(" :：*\"'\t")
    text_after = re.sub(
        r"^(?:an?|the|that|of|is|most likely|likely)\s+|^(?:为|是|患有?)", "", text_after
    )
    end = _ENDS_PHRASE.search(text_after)
    phrase = (text_after[: end.start()] if end else text_after).strip(" .。'\"-")
    head = phrase.partition(" of ")[0]
    if not (_DISEASE_WORD.search(head) or _DISEASE_WORD_ZH.search(phrase)):
        return None
    longest = _PHRASE_HAN if _DISEASE_WORD_ZH.search(phrase) else len(phrase)
    return phrase if len(phrase.split()) <= _PHRASE_WORDS and len(phrase) <= longest else None


def expression(patterns: Any) -> re.Pattern[str]:  # noqa: ANN401 - as the file has it
    """One expression of many, in one list or in one for each language."""
    if isinstance(patterns, dict):
        patterns = [
            pattern
            for language_patterns in patterns.values()
            for pattern in (
                [language_patterns] if isinstance(language_patterns, str) else language_patterns
            )
        ]
    if isinstance(patterns, str):
        patterns = [patterns]
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


def _stronger(one: Strength | None, other: Strength) -> Strength:
    order: tuple[Strength, ...] = get_args(Strength)
    return other if one is None else min(one, other, key=lambda s: (s == "weak", order.index(s)))
