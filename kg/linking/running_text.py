"""Finds names in running text: as they are, misspelt, or with their words in another order."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from kg.linking.agreement import (
    LINKING_WORDS,
    may_be_reordered,
    misspells,
    numbers_and_signs,
)
from kg.linking.automaton import Automaton
from kg.linking.index import MOST_REORDERED, NameIndex
from kg.linking.mention import Method
from kg.linking.symbols import may_stand_for
from kg.linking.tfidf import NgramIndex
from kg.text.canonical import canonical_words, join
from kg.text.spelling import is_word
from kg.text.words import Word, split

_PUNCTUATION: Final = frozenset(',.;:!?()[]{}"\u201c\u201d，。；：！？（）【】、…|')
"""Between the words of a mention only where the name has it too."""
_HAN_PHRASES: Final = (
    *("一点", "一下", "一些", "有点", "有些", "间断", "孩子", "脾气"),
    *("最近", "已经", "曾经"),
)
"""Their second character begins no name (有点头痛 is a headache, not head nodding)."""
_HAN_MEANS: Final = "药 疫苗 灵 颗粒 冲剂 口服液 胶囊 糖浆 奶粉 免疫球蛋白 三项 五项 两对半 全套 抗体 抗原 门诊 专科 筛查 量表 用品 诊所"
_HAN_ENDINGS: Final = tuple(_HAN_MEANS.split())
"""After the name of a finding, what is taken against it or asks for it: 乙肝两对半, 心梗三项."""
_MAX_HEADING: Final = 5
"""Letters of a heading in capitals that is no finding."""
_ENDINGS: Final = re.compile(
    r"[\s-]{1,2}(?:vaccin|immuni[sz]ation|shots?\b|medic(?:ation|ine)|meds\b|pills?\b|drops\b|syrup|cream"
    r"|(?:pain)?killers?\b|reliever|clinic\b|specialist|screen|questionnaire|scale\b|index\b|antibod|prevention"
    r"|prophyla|counsel|support group|research|protocol|toe walking|tests?\b|testing\b|pandemic|epidemic|outbreak"
    r"|like (?:symptom|illness|syndrome|picture)|gel\b)|-like\b",
    re.IGNORECASE,
)
_LETTER_OF_KIND: Final = re.compile(r"(?: | ?-)[A-E](?![\w'])")
"""After the name of a disease, which kind of it: another disease."""
_DENYING: Final = ("无", "無", "没", "沒", "不", "未")
"""With a blank behind them they deny what follows: 无 尿频 is no anuria."""
_DENIALS: Final = frozenset({"无", "没", "没有", "未"})
"""Begin names (无尿, anuria) and deny longer ones (无尿频)."""
_ALTERNATIVE: Final = re.compile("([\u3400-\u9fff])[不没]\\1")
"""A question by a word, "not" and the word again."""
_ALTERNATIVE_REACH: Final = 2
_MEDICINE: Final = re.compile(
    "[咳喘痰热痛泻痒通窍清止消康宁安舒平]{0,4}(?:口服液|颗粒|糖浆|冲剂|胶囊|合剂|贴剂|贴膏|喷剂|滴剂|软膏|片(?![状刻面段子]))"
    "|[通清]?[宁康](?![静愿可复熙])"
    "|(?:[、和及](?:(?![打接注种过了有后无没])[\u3400-\u9fff]){1,6}){0,6}等?(?:疫苗|预防针)"
)
"""Behind a finding that a medicine or a vaccine is named after: 咳喘口服液, 肠炎宁, 麻疹、流脑等疫苗."""
_COLOURS: Final = tuple("红白褐黑黄紫青棕")
_COLOUR: Final = "色"
"""Ends the name of a colour, and begins no finding behind one: 红色斑疹."""
_ENDS_IN_WORD: Final = re.compile(
    "病(?:变|毒|菌|原|房|区|历|理|院|人(?:密切|接触))|症状|敏[源原]|视力|兆临产|吐(?:泡|舌|口水|槽|气|字)|干鼻|红[点疹]"
)
"""Words in which the name of a finding ends by chance: 感染性病变, 抑郁症状, 过敏原, 不吐泡泡."""
_BEGINS_IN_WORD: Final = re.compile("[干皲开龟]裂发|口水泡|寻麻疹")
"""Words in which one begins by chance, with the character before it: 干裂发红, 口水泡泡."""
_NOT_BEFORE: Final = ("非", "电")
"""Make another thing of the name behind them: 非小细胞肺癌, 电休克."""
_LIKENED: Final = re.compile("(?:像|好像|似|如|跟)(?:是)?$")
_TITLE: Final = re.compile(r"\b(?:Dr|Doctor|Mr|Mrs|Ms|Miss|Professor)\.? $")
"""Before the name of a person, whatever else goes by it: Doctor Graves."""
_FELT_LIKE: Final = re.compile(r"\b(?:felt|feels?|feeling) like an? $", re.IGNORECASE)
_LIKE: Final = re.compile("(?:一样|似的|样)")
_SUCH: Final = re.compile("样的?(?:东西|物|感)")
"""Around what something is only like: 像鼻涕一样."""
_FOREIGN_BODY: Final = "异物感"
_OF_THE_EYE: Final = re.compile("[眼目睛][^，。；]{0,6}$")
"""Only then is 异物感 that of the eye, which goes by the same name."""
_GAINED: Final = ("增长", "增加")
_SLOWLY: Final = re.compile("[得较比很偏有点]{0,2}(?:慢|缓|正常|良好|不)")
"""Behind a gain of weight that is none: 体重增长较慢."""
_UNKNOWN: Final = re.compile("史?[:：]?不详|史?[:：]?不清楚|史?密切|史?接触")
"""Behind a finding that nobody knows of, or that others have: 过敏史不详, 传染病接触史."""
_WITHOUT: Final = re.compile("无(?!力)[\u3400-\u9fff]{1,2}")
"""A name that denies; in a longer word it is the denial of that word: 无羊水污染."""
_ENDS_NAME: Final = re.compile("[的和及与或，。、；：]|$|[^\u3400-\u9fff]")
_LINE_END: Final = "\n"
"""Stands for a gap in which a line ends, and does not go on in small letters in the next one."""
_DEGREE_WORDS: Final = """
severe mild moderate recent chronic acute persistent occasional frequent intermittent recurrent
unexplained unintentional high dull sharp exertional nocturnal generalized diffuse localized
bilateral left right watery bilious worsening progressive new history of in
painful painless itchy tender violaceous red reddish scaly purulent bloody tense sudden permanent
morning night daily brief paroxysmal episodic unilateral facial
acquired active community focal frontal intractable occipital shooting stabbing throbbing
反 复 持 续 剧 烈 明 显 经 常 偶 尔 急 慢 阵 发 性 夜 间
"""
_DEGREES: Final = frozenset(_DEGREE_WORDS.split())
"""Words that say how much, how long, how or where, and make no other finding of a finding."""
_CONJUNCTIONS: Final = ("and", "和", "及", "与", "伴")
_FAMILY: Final = "family"
_FAMILY_HISTORY: Final = ("family", "history", "of")
_SHORTEST_MISSPELT: Final = 5
_LONGEST_MISSPELT: Final = 40
_NEIGHBOURS: Final = 10
_REACH: Final = 12
"""Words behind a denial that are looked through for what it denies."""
_FEW: Final = 40
"""Groups of words that are looked for without a dictionary of them, all texts together."""
_MASKED: Final = ("", "")
_AROUND: Final = 20


@dataclass(frozen=True)
class Hit:
    """Words of a text that are a name."""

    start: int
    end: int
    """``words[start:end]`` of the text."""
    key: int
    """Position of the name's key in the index."""
    rows: tuple[int, ...]
    """Names of the key that these words may stand for."""
    method: Method
    written: str
    """The key as the text has it."""


@dataclass(frozen=True)
class ReadText:
    """A text and its words, without those of which no key is left."""

    text: str
    words: list[Word]
    canonical: list[str]

    @classmethod
    def of(cls, text: str) -> "ReadText":
        """Split a text into its words."""
        words = split(text)
        canonical = canonical_words([word.text for word in words])
        if "" in canonical:
            words = [word for word, key in zip(words, canonical, strict=True) if key]
            canonical = [key for key in canonical if key]
        return cls(text, words, canonical)

    def surface(self, start: int, end: int) -> str:
        """The stretch of the text from one word to before another."""
        return self.text[self.words[start].start : self.words[end - 1].end]

    def gaps(self) -> list[str]:
        """What stands before each word; a space for the end of a line that goes on in the next."""
        ends = [0, *(word.end for word in self.words)]
        gaps = [self.text[end : word.start] for end, word in zip(ends, self.words, strict=False)]
        return [
            " " if gap == "\n" and word.text[0].islower() else gap
            for gap, word in zip(gaps, self.words, strict=True)
        ]

    def around(self, start: int, end: int) -> str:
        """The text just before and just after a stretch."""
        first, last = self.words[start].start, self.words[end - 1].end
        return self.text[max(0, first - _AROUND) : first] + self.text[last : last + _AROUND]

    def is_part_of_name(self, start: int, end: int) -> bool:
        """Whether a stretch is only part of a name: hepatitis (of "hepatitis A"), 肺癌 (of 非小细胞肺癌)."""
        text = self.text
        first, last = self.words[start].start, self.words[end - 1].end
        is_colour = text.startswith(_COLOUR, first) and text.endswith(_COLOURS, 0, first)
        is_denial = _WITHOUT.fullmatch(text, first, last) and not _ENDS_NAME.match(text, last)
        begins_in_word = first > 0 and _BEGINS_IN_WORD.match(text, first - 1)
        return bool(
            is_colour
            or is_denial
            or begins_in_word
            or _ENDS_IN_WORD.match(text, last - 1)
            or _LETTER_OF_KIND.match(text, last)
            or text.startswith(_HAN_ENDINGS, last)
            or text.endswith(_NOT_BEFORE, 0, first)
        )

    def is_no_finding(self, start: int, end: int) -> bool:
        """Whether a finding's name is the heading "MSK:", or of what is done about it, "pain clinic".

        Nor is there a finding in what is not known (过敏史不详), or only likened to one (像鼻涕一样),
        and no second one in 痒不痒.
        """
        text = self.text
        first, last = self.words[start].start, self.words[end - 1].end
        before = text[max(0, first - _AROUND) : first]
        is_short_heading = last - first <= _MAX_HEADING and text.startswith(":", last)
        is_no_gain = text.endswith(_GAINED, first, last) and _SLOWLY.match(text, last)
        return bool(
            (is_short_heading and text[first:last].isupper())
            or (_LIKE.match(text, last) and _LIKENED.search(before))
            or (text[first].isupper() and _TITLE.search(before))
            or (text[first:last] == _FOREIGN_BODY and not _OF_THE_EYE.search(before))
            or is_no_gain
            or self._is_alternative(first, last)
            or _MEDICINE.match(text, last)
            or _ENDINGS.match(text, last)
            or _SUCH.match(text, last)
            or _FELT_LIKE.search(before)
            or _UNKNOWN.match(text, last)
        )

    def _is_alternative(self, first: int, last: int) -> bool:
        """Whether a stretch only makes a question of what stands before it: 痒不痒, 头痛不痛."""
        found = _ALTERNATIVE.search(self.text, max(0, first - _ALTERNATIVE_REACH), last)
        return found is not None and first > found.start() and last == found.end()

    def ends_in_heading(self, end: int) -> bool:
        """Whether the word before another one is a heading: "Reports pain Musculoskeletal: …"."""
        last = self.words[end - 1]
        return last.text[:1].isupper() and self.text.startswith(":", last.end)

    def breaks(self, start: int, end: int) -> Iterator[tuple[int, str]]:
        """The gaps inside a stretch that hold more than space and hyphens: word after it, gap."""
        for at, (before, after) in enumerate(pairwise(self.words[start:end]), start + 1):
            gap = self.text[before.end : after.start]
            if _ends_line(gap, after.text) or (before.text in _DENYING and gap):
                yield at, _LINE_END
            elif not _PUNCTUATION.isdisjoint(gap):
                yield at, gap.replace("\n", " ")


class DictionaryReader:
    """Reads texts with the names of one index; threads may share it."""

    def __init__(self, index: NameIndex) -> None:
        self._index = index
        self._correct = lru_cache(maxsize=100_000)(self._nearest_word)
        self._groups_asked = 0

    @cached_property
    def _automaton(self) -> Automaton:
        index = self._index
        return Automaton(index.keys, index.vocabulary, index.patterns, index.longest_key)

    def hits(self, read: ReadText, *, fuzzy: bool) -> list[Hit]:
        """The longest names in a text, none overlapping, in their order.

        Args:
            read: the text.
            fuzzy: also misspelt names, and names whose words are in another order.
        """
        words = self._corrected(read) if fuzzy else list(read.canonical)
        for at, pair in enumerate(pairwise(read.canonical)):
            if "".join(pair) in _HAN_PHRASES:
                words[at : at + 2] = _MASKED
        hits = list(self._exact(read, 0, len(words), words))
        return _longest([*(self._reordered(read, words) if fuzzy else ()), *hits])

    def halves(self, read: ReadText, hit: Hit) -> Iterator[tuple[Hit, Hit]]:
        """Two names that make up a hit, side by side or with "and" between: 恶心呕吐."""
        for cut in range(hit.start + 1, hit.end):
            second = cut + 1 if read.canonical[cut] in _CONJUNCTIONS else cut
            parts = [
                self._exact_name(read, hit.start, cut),
                self._exact_name(read, second, hit.end),
            ]
            if parts[0] and parts[1]:
                yield parts[0], parts[1]

    def of_family(self, read: ReadText, hit: Hit) -> Iterator[Hit]:
        """What a "family history of gout" is a history of."""
        start = hit.start + len(_FAMILY_HISTORY)
        if start < hit.end and tuple(read.canonical[hit.start : start]) == _FAMILY_HISTORY:
            disease = self._exact_name(read, start, hit.end)
            yield from [disease] if disease else []

    def without_degree(self, read: ReadText, hit: Hit) -> Iterator[Hit]:
        """The names that are left of a hit without "severe" or "history of" before them."""
        for start in range(hit.start + 1, hit.end):
            if read.canonical[start - 1] not in _DEGREES:
                return
            if plain := self._exact_name(read, start, hit.end):
                yield plain

    def _exact_name(self, read: ReadText, start: int, end: int) -> Hit | None:
        """The name that a stretch is."""
        written = join(read.canonical[start:end])
        key = self._index.positions.get(written)
        rows = () if key is None else self._rows(read, start, end, key, "")
        return Hit(start, end, key, rows, "exact", written) if key is not None and rows else None

    def _exact(
        self, read: ReadText, first: int, last: int, canonical: Sequence[str]
    ) -> Iterator[Hit]:
        for start, end, key in self._automaton.find(canonical[first:last]):
            yield from self._accepted(read, first + start, first + end, key, canonical)

    def _accepted(
        self, read: ReadText, start: int, end: int, key: int, canonical: Sequence[str]
    ) -> Iterator[Hit]:
        """The match, or the matches in its parts if the text means several things by it."""
        if denied := self._denied(start, end, canonical):
            yield from self._accepted(read, *denied, canonical)
            return
        breaks = list(read.breaks(start, end))
        rows = self._rows(read, start, end, key, "".join(gap for _, gap in breaks))
        if rows:
            spelt = canonical[start:end] != read.canonical[start:end]
            written = join(read.canonical[start:end])
            yield Hit(start, end, key, rows, "spelling" if spelt else "exact", written)
        elif breaks:
            bounds = [start, *(at for at, _ in breaks), end]
            for part in pairwise(bounds):
                yield from self._exact(read, *part, canonical)

    def _denied(
        self, start: int, end: int, canonical: Sequence[str]
    ) -> tuple[int, int, int] | None:
        """The name that is denied where another one seems to be: 尿频 of 无尿频, which is no 无尿.

        Start, end and key; it begins behind the denial and reaches beyond the other one.
        """
        for begin in range(start + 1, min(start + 3, end)):
            if "".join(canonical[start:begin]) in _DENIALS:
                for first, last, key in self._automaton.find(canonical[begin : begin + _REACH]):
                    if first == 0 and begin + last > end:
                        return begin, begin + last, key
                    break
        return None

    def _rows(
        self, read: ReadText, start: int, end: int, key: int, between: str
    ) -> tuple[int, ...]:
        if _LINE_END in between:
            return ()
        surface = read.surface(start, end)
        around = read.around(start, end)
        marks = _PUNCTUATION.intersection(between)
        if surface.count("(") != surface.count(")") or read.is_part_of_name(start, end):
            return ()
        names, entities = self._index.names, self._index.entities
        return tuple(
            row
            for row in self._index.rows(key)
            if marks <= set(names.name[row])
            and may_stand_for(
                surface,
                names.name[row],
                entities.type[names.entity[row]],
                around,
                preferred=names.preferred[row],
            )
        )

    def _corrected(self, read: ReadText) -> list[str]:
        """The words, with what no name has replaced by the word of a name that it is nearest to."""
        knows = self._automaton.knows
        return [
            key if knows(key) else self._correct(word.text.lower(), key)
            for word, key in zip(read.words, read.canonical, strict=True)
        ]

    @cached_property
    def _spelling(self) -> tuple[list[str], NgramIndex]:
        words = [w for w in self._index.vocabulary if w.isascii() and w.isalpha()]
        words = [word for word in words if len(word) >= _SHORTEST_MISSPELT - 1]
        return words, NgramIndex.build(words)

    def _nearest_word(self, surface: str, word: str) -> str:
        """The vocabulary's word that a word is a misspelling of; itself where there is none.

        A word that a list has is none, whatever word of a name it is like.
        """
        if len(word) < _SHORTEST_MISSPELT or not (word.isascii() and word.isalpha()):
            return word
        if len(word) > _LONGEST_MISSPELT or is_word(surface):
            return word
        nearest = self._neighbour(word)
        if nearest is None and surface != word:  # aeortic, whose key is eortic
            nearest = self._neighbour(surface)
        return nearest or word

    def _neighbour(self, word: str) -> str | None:
        """The vocabulary's word that is nearest and begins alike."""
        words, ngrams = self._spelling
        near = [words[at] for at in ngrams.search(word, _NEIGHBOURS)[0]]
        fitting = (other for other in near if other[0] == word[0])
        return next((other for other in fitting if misspells(word, other)), None)

    def _key_of_words(self, words: str) -> int | None:
        """The first key of a group of words, whatever their order."""
        self._groups_asked += 1
        if self._groups_asked > _FEW:
            return self._by_words.get(words)
        place = self._all_groups.find(f"\n{words}\n")
        return None if place < 0 else self._all_groups.count("\n", 0, place)

    @cached_property
    def _by_words(self) -> dict[str, int]:
        keys = reversed([*enumerate(self._index.groups)])
        return {words: at for at, words in keys if words}

    @cached_property
    def _all_groups(self) -> str:
        """Each on a line; to search that takes 2 ms, and to make the dictionary a quarter of a second."""
        return "\n".join(("", *self._index.groups, ""))

    def _reordered(self, read: ReadText, canonical: Sequence[str]) -> Iterator[Hit]:
        """Names of several words that stand in the text in another order."""
        for run in self._runs(canonical):
            words = [canonical[at] for at in run]
            for first in range(len(run) - 1):
                for last in range(first + 2, min(first + MOST_REORDERED, len(run)) + 1):
                    key = self._key_of_words(" ".join(sorted(words[first:last])))
                    if key is not None:
                        yield from self._in_any_order(read, run[first], run[last - 1] + 1, key)

    def _runs(self, canonical: Sequence[str]) -> Iterator[list[int]]:
        """Places of English words that names have, with at most linking words between them."""
        run: list[int] = []
        for at, word in enumerate(canonical):
            if word in LINKING_WORDS:
                continue
            if word.isascii() and self._automaton.knows(word):
                run.append(at)
            else:
                yield run
                run = []
        yield run

    def _in_any_order(self, read: ReadText, start: int, end: int, key: int) -> Iterator[Hit]:
        written = join(read.canonical[start:end])
        name = self._index.keys[key]
        if numbers_and_signs(written) != numbers_and_signs(name) or not may_be_reordered(
            written, name
        ):
            return
        if next(read.breaks(start, end), None) or "\n" in read.surface(start, end):
            return
        if _FAMILY in read.canonical[start:end] or read.ends_in_heading(end):
            return
        if rows := self._rows(read, start, end, key, ""):
            yield Hit(start, end, key, rows, "word order", written)


def _ends_line(gap: str, following: str) -> bool:
    """Whether a gap between two words parts two lines of which the second does not go on."""
    lines = gap.count("\n")
    return lines > 1 or (lines == 1 and not following[0].islower())


def _longest(hits: Sequence[Hit]) -> list[Hit]:
    """The hits that overlap no longer hit; ties go to the hit that begins first."""
    chosen: list[Hit] = []
    taken: set[int] = set()
    for hit in sorted(hits, key=lambda h: (h.start - h.end, h.method == "word order", h.start)):
        if taken.isdisjoint(range(hit.start, hit.end)):
            chosen.append(hit)
            taken.update(range(hit.start, hit.end))
    return sorted(chosen, key=lambda hit: hit.start)
