"""Other words for a disease than its names: what laypersons call it, or what it is.

"Sugar disease" for diabetes, an inflamed appendix for appendicitis, a growth in the lung for lung cancer,
the words of a name in another order ("stones in my kidney"), the words of the definition.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, Final

from evalsim.case import DiagnosisCase, Language, MedicationCase, Thing
from evalsim.reading.naming import TargetNames
from kg.shipped import shipped_table
from kg.text.sentences import sentences
from kg.text.spelling import singular

_HAN: Final = re.compile("[\u3400-\u9fff]")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_ITIS: Final = re.compile(r"\b(\w{2,}?)(?:itis|ia)\b", re.IGNORECASE)
_INFLAMED_ZH: Final = re.compile("([\u3400-\u9fff]{1,4}?)炎")
_ORGAN_ZH: Final = re.compile("([\u3400-\u9fff]{1,4}?)(?:癌|恶性|肿瘤|瘤)")
_SMALL: Final = frozenset(
    [
        "the",
        "and",
        "for",
        "with",
        "from",
        "that",
        "this",
        "are",
        "was",
        "not",
        "but",
        "his",
        "her",
        "our",
        "out",
        "has",
        "have",
        "had",
        "can",
        "may",
        "most",
        "more",
        "less",
        "such",
        "which",
        "due",
        "into",
        "who",
        "where",
        "when",
        "than",
        "also",
        "often",
        "usually",
        "characterized",
        "caused",
        "disease",
        "disorder",
        "condition",
        "by",
        "any",
        "one",
        "other",
        "type",
        "types",
        "form",
        "forms",
        "group",
        "common",
        "body",
        "people",
        "person",
        "patient",
        "patients",
        "involving",
        "affecting",
        "including",
        "resulting",
        "symptoms",
        "symptom",
        "signs",
        "occur",
        "occurs",
        "feel",
        "feeling",
    ]
)
_PHRASE_ZH: Final = 4
"""Characters from which part of a Chinese name is more than a complaint of many diseases."""
_COMPLAINT_ZH: Final = re.compile(
    "痛|无力|抑郁|躁狂|发热|高热|呕吐|腹泻|咳嗽|水肿|头晕|眩晕|麻木|瘙痒|抽搐"
)
"""What people come with, be it part of a name or not: 头痛 of 偏头痛, 肌无力 of 重症肌无力."""
_OF_DEFINITION: Final = 4
"""Words of a definition, in one sentence, that tell of it."""


class Paraphrases:
    """Finds other words for a case's disease."""

    def __init__(
        self,
        words: re.Pattern[str] | None,
        names: Collection[frozenset[str]],
        definition: frozenset[str],
    ) -> None:
        """Find what is given.

        Args:
            words: what is found wherever it stands.
            names: the words of each name, found where a sentence has them all.
            definition: words of the definition, found where a sentence has many of them.
        """
        self._words, self._names, self._definition = words, names, definition
        self._general = frozenset(_table()["naming"]["general"].split())

    @classmethod
    def of_case(
        cls,
        case: DiagnosisCase | MedicationCase,
        definition: str = "",
    ) -> "Paraphrases":
        """The paraphrases of a case's target.

        Args:
            case: whose target it is.
            definition: of the target in the graph; may be empty.
        """
        table, target = _table(), case.target
        names = [*target.names, *case.synonyms]
        joined = "\n".join(names)
        patterns = [
            row["words"]
            for row in table["paraphrases"]
            if re.search(row["of"], joined, re.IGNORECASE)
        ]
        patterns += _inflamed(table, joined)
        patterns += _grown(table, joined)
        general = set(table["naming"]["general"].split())
        words = {frozenset(_tokens(name) - general) for name in names if not _HAN.search(name)}
        return cls(
            re.compile("|".join(f"(?:{p})" for p in patterns), re.IGNORECASE)
            if patterns
            else None,
            {name for name in words if len(name) > 1},
            frozenset(_tokens(definition) - _SMALL),
        )

    def is_part(self, words: str) -> bool:
        """Whether words are two or more of those of a name ("lateral sclerosis")."""
        tokens = _tokens(words) - self._general
        return len(tokens) > 1 and any(tokens <= name for name in self._names)

    def find(self, text: str, known: Collection[str]) -> Iterator[tuple[int, int]]:
        """Start and stop of each paraphrase.

        Args:
            text: what somebody says.
            known: words that may be said.
        """
        spans = [m.span() for m in self._words.finditer(text)] if self._words else []
        yield from spans
        if spans:
            return
        for start, stop in sentences(text):
            tokens = _tokens(text[start:stop])
            new_tokens = {token for token in tokens if token not in known}
            if (
                any(name <= tokens and name & new_tokens for name in self._names)
                or len(self._definition & new_tokens) >= _OF_DEFINITION
            ):
                yield start, stop


class Secret:
    """What nobody may hear of a case: its disease, by any name, and the greater part of a name."""

    def __init__(
        self,
        names: TargetNames,
        paraphrases: Paraphrases,
        chinese: Collection[str],
        language: Language,
    ) -> None:
        """Keep names.

        Args:
            names: of the disease.
            paraphrases: other words for it.
            chinese: its names in Chinese.
            language: of the case.
        """
        self._names, self._paraphrases, self._chinese = names, paraphrases, chinese
        self._language = language

    @classmethod
    def of_case(cls, case: DiagnosisCase) -> "Secret":
        """What a case keeps."""
        names = (*case.target.names, *case.synonyms)
        chinese = {name for name in names if _HAN.search(name)}
        return cls(TargetNames.of_case(case), Paraphrases.of_case(case), chinese, case.language)

    def is_told_with(self, thing: Thing) -> bool:
        """Whether what a thing is called in the language of the case gives the disease away."""
        return any(map(self.is_told_by, (thing.called(self._language), *thing.words)))

    def is_told_by(self, words: str) -> bool:
        """Whether some words give the disease away."""
        if self._names.find(words) or any(self._paraphrases.find(words, ())):
            return True
        if _HAN.search(words):
            is_telling = len(words) >= _PHRASE_ZH or not _COMPLAINT_ZH.search(words)
            return is_telling and any(
                words in n and len(words) * 2 > len(n) for n in self._chinese
            )
        return self._paraphrases.is_part(words)


@cache
def _table() -> Mapping[str, Any]:
    table: Mapping[str, Any] = shipped_table(__package__, "paraphrases.yaml")
    return table


def _inflamed(table: Mapping[str, Any], names: str) -> Iterator[str]:
    words = table["itis_words"]
    for root in sorted({match[1].lower() for match in _ITIS.finditer(names)}):
        if part := table["itis"].get(root):
            yield rf"{words}\W+(?:\w+\W+){{0,3}}?(?:{part})\b|\b(?:{part})\W+(?:\w+\W+){{0,3}}?{words}"
    for part in sorted({match[1] for match in _INFLAMED_ZH.finditer(names)}):
        yield rf"{re.escape(part)}.{{0,3}}(?:发炎|炎症|有炎)"


def _grown(table: Mapping[str, Any], names: str) -> Iterator[str]:
    growths = table["growths"]
    if not re.search(growths["of"], names, re.IGNORECASE):
        return
    words = growths["words"]
    organs = {
        word.lower()
        for word in re.findall(
            r"\b(lung|breast|liver|stomach|colon|bowel|kidney|bladder|prostate|brain|skin|bone|blood|throat|thyroid"
            r"|pancreas|ovary|womb|uterus|cervix|testicle|mouth|tongue|nose|eye|esophagus|rectum)\w{0,3}\b",
            names,
            re.IGNORECASE,
        )
    }
    for organ in sorted(organs):
        yield rf"{words}\W+(?:\w+\W+){{0,3}}?{organ}\w{{0,3}}\b|\b{organ}\w{{0,3}}\W+(?:\w+\W+){{0,2}}?{words}"
    for part in sorted({match[1] for match in _ORGAN_ZH.finditer(names)}):
        yield rf"{re.escape(part)}.{{0,4}}(?:{growths['zh']})"


def _tokens(text: str) -> set[str]:
    return {singular(word.lower()) for word in _WORD.findall(text) if not _HAN.search(word)}
