"""Puts right the names that people misspell: a word in no dictionary, characters that sound alike.

An English word that stands in no list of words and in no name is read as the nearest one-word name
of a disease, symptom or drug, or word that asks: one letter away (a letter too many, too few,
another, or two swapped), in a longer word two. Chinese characters are read as others of the same
sound where that gives a name and they give none, alone or with their neighbours: people type by
sound, and pick the wrong character. What is put right is shown, for an answer says what it is about.
"""

import re
from functools import lru_cache
from itertools import accumulate
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from kg.linking import Linker
from kg.linking.index import NameIndex
from kg.linking.roots import without_doubles
from kg.linking.slips import sounds
from kg.text.spelling import is_word, spelling_key
from qa.intents import INTENTS, UNSAID

MISSPELT: Final = ("Disease", "Symptom", "Drug")
"""Types of what is called by a misspelt name, the likeliest first."""

_WORD: Final = re.compile(r"[A-Za-z]{5,}")
_ABBREVIATIONS: Final = re.compile(r"\b([A-Z]{2,5})s\b")
"""Of several: UTIs, DVTs."""
_LONG: Final = 8
"""Letters of a word that may have two mistakes; of a drug's name more, for many are two apart."""
_LONG_DRUG: Final = 10
_ANAGRAM: Final = 6
"""Letters of a word that may have two, if it has the same letters: athsma."""
_LONGEST: Final = 40
_ASKING_WORDS: Final = (
    "symptom symptoms signs treat treated treatment treatments therapy cause causes caused "
    "diagnose diagnosed diagnosis prevent prevented prevention medicine medicines medication "
    "medications effects contagious inherited hereditary genetic complications interact "
    "interactions pregnant pregnancy disease diseases syndrome disorder infection cancer"
)
_ASKING: Final = _ASKING_WORDS.split()

_EPONYM: Final = re.compile(r"-[A-Z]|(?:'s)? (?:syndrome|fever|tumou?r|sign)\b")
"""After a capitalised word: it is a person's name, and of those every letter counts."""
_LETTERS_APART: Final = 3
"""Letters by which a name that sounds the same may differ."""
_SPOKEN: Final = tuple(
    (re.compile(written), spoken)
    for written, spoken in (
        (r"^(ps|sc(?=[eiy]))", "s"),
        (r"^(pn|kn|gn)", "n"),
        (r"^rh", "r"),
        (r"^[aeiou]+", "a"),
        (r"sch|sh|sth", "s"),
        (r"ph|gh(?=t)", "f"),
        (r"tch", "ch"),
        (r"ch(?!r)", "k"),
        (r"th", "t"),
        (r"c(?=[eiy])|z|s+", "s"),
        (r"ck|[cq]|kh", "k"),
        (r"x", "ks"),
        (r"[dg]g|j", "j"),
        (r"g(?=[ei])", "j"),
    )
)
"""How letters are read that are written in several ways."""

_HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]{2,}")
_LENGTHS: Final = (8, 7, 6, 5, 4, 3, 2)
"""Characters of a name that is sought, the longest first."""
_CHANGED: Final = 2
"""Characters of it that may be others, but one in a name of two."""
_PAIR: Final = 2
NO_NAME: Final = frozenset(
    "的了吗呢啊吧么什怎哪几个些是我你他她它们这那谁也都就还很要会能可以应该给被把让请问想知道吃喝用做看说写讲买去来到"
)
"""Characters of which no misspelt name is made."""
_WHOLE: Final = 4
"""Characters from which a name may be cut out of what a dictionary reads as words."""
_AFTER: Final = frozenset("是的了有怎吃会能要传遗治疗症如为该挂看需可，。？?！!、 ")
"""What may stand directly after a name of three."""
_BEFORE: Final = frozenset(
    "的了是我你他她有得患治疗防吃服用和与跟及或对给小老人孩子宝妈爸爷奶婆公哥姐弟妹夫妻儿女士生问关于从被把让为因性"
    "里在用叫做怕查看说讲犯生长起"
)
"""What may stand directly before a name; before others it may be the end of a longer, unknown one."""


def put_right(question: str, linker: Linker) -> str:
    """A question with its misspelt English names put right, and abbreviations as one of them; the rest as it is."""
    index = linker.index

    def nearest(found: re.Match[str]) -> str:
        word = found[0].lower()
        if len(word) > _LONGEST or spelling_key(word) in index.words:
            return found[0]
        if word in index.words_of_names or is_word(word):
            return found[0]
        if near := _nearest(word, index):
            before = question[: found.start()].split()[-1:]
            after = question[found.end() :].split()[:1]
            longer = (
                name
                for name in near
                if (before and linker.called(f"{before[0]} {name}", MISSPELT))
                or (after and linker.called(f"{name} {after[0]}", MISSPELT))
            )
            return next(longer, near[0]) if len(near) > 1 else near[0]
        if found[0][0].isupper() and _EPONYM.match(question, found.end()):
            return found[0]  # who writes Kestrin-Vole syndrome means that
        return _of_like_sound(word, index) or found[0]

    def singular(found: re.Match[str]) -> str:
        return found[1] if linker.called(found[1], MISSPELT) else found[0]

    return _WORD.sub(nearest, _ABBREVIATIONS.sub(singular, question))


def _nearest(word: str, index: NameIndex) -> list[str]:
    """What a word may be meant to be, the likeliest first of those as near; none where nothing is near."""
    names = index.one_word_names
    types = {**dict.fromkeys(_ASKING, ""), **names}
    found = process.extract(word, list(types), scorer=OSA.distance, score_cutoff=2, limit=50)
    heard, spoken = _heard(word), _spoken(word)
    ranked = sorted(
        (
            distance,
            _heard(other) != heard,
            _spoken(other) != spoken,
            MISSPELT.index(types[other]) if types[other] else -1,
            other,
        )
        for other, distance, _ in found
        if other[0] == word[0] and distance <= _allowed(word, other, types[other])
    )
    return [each[-1] for each in ranked if each[0] == ranked[0][0]]


def _of_like_sound(word: str, index: NameIndex) -> str | None:
    """The one name that sounds as a word is read, three letters apart at most: hemroids."""
    if len(word) < _ANAGRAM:
        return None
    names = index.one_word_names
    near = process.extract(
        word, list(names), scorer=OSA.distance, score_cutoff=_LETTERS_APART, limit=200
    )
    heard = _heard(word)
    found = sorted(
        (distance, MISSPELT.index(names[name]), name)
        for name, distance, _ in near
        if len(name) >= _ANAGRAM and names[name] != "Drug" and _heard(name) == heard
    )
    if found:
        return found[0][-1]
    words = process.extract(
        word, list(index.words_of_names), scorer=OSA.distance, score_cutoff=2, limit=50
    )
    parts = sorted(
        (distance, part)
        for part, distance, _ in words
        if len(part) >= _ANAGRAM and _heard(part) == heard and not is_word(part)
    )
    return parts[0][-1] if parts else None  # Alzheimer, of Alzheimer disease


def _heard(word: str) -> str:
    """The consonants of an English word as they are spoken: sorisis and psoriasis are srs."""
    word = _spoken(word)
    first, rest = word[:1], word[1:]
    return re.sub(r"(.)\1+", r"\1", first + re.sub(r"[aeiouyhw]", "", rest))


def _spoken(word: str) -> str:
    """A word with one letter for each sound: artritis is arthritis, and no arteritis."""
    for written, spoken in _SPOKEN:
        word = written.sub(spoken, word)
    return word


def nearly_right(question: str, linker: Linker) -> str:
    """A question that names nothing with the one name in it that only a slip kept from being one.

    An English word may stand in the list of words, or in a longer name, with the same mistake: of
    those only a letter that is doubled, or should be, and an e at the end are put right (syphillis),
    of others one letter.
    """
    names = linker.index.one_word_names
    for found in _WORD.finditer(question):
        word = found[0].lower()
        if len(word) < _ANAGRAM or len(word) > _LONGEST or word in names:
            continue
        near = process.extract(word, list(names), scorer=OSA.distance, score_cutoff=1, limit=20)
        slips = [name for name, _, _ in near if _is_slip(word, name)]
        if len(slips) == 1:
            return question[: found.start()] + slips[0] + question[found.end() :]
    return question


def _is_slip(word: str, name: str) -> bool:
    if word[0] != name[0]:
        return False
    if is_word(word):
        return without_doubles(word) == without_doubles(name) or name == f"{word}e"
    return True


def _allowed(word: str, other: str, type_: str) -> int:
    letters = min(len(word), len(other))
    if type_ == "Drug":
        return 2 if letters >= _LONG_DRUG else 1
    same = letters >= _ANAGRAM and sorted(word) == sorted(other)
    return 2 if letters >= _LONG or same else 1


def sounds_alike(question: str, taken: list[tuple[int, int]], linker: Linker) -> str:
    """A question with the Chinese characters that are written for others of the same sound.

    Words of a dictionary are not cut: only whole ones, or what is left between them, is read anew.
    Two characters are so only where the question names nothing else and asks for what a graph of
    medicine tells, for many words of two sound like a name.

    Args:
        question: in Simplified characters.
        taken: places of the names that it has; only what a longer name has in it is read anew.
        linker: of the graph's names.
    """
    asks = not taken and any(
        i.words.pattern and i.words.search(question) for i in (*INTENTS, *UNSAID)
    )
    for run in _HAN.finditer(question):
        first = run.start()
        for size in _LENGTHS if asks else _LENGTHS[:-1]:
            for start in range(run.start(), run.end() - size + 1):
                end = start + size
                written = question[start:end]
                if not NO_NAME.isdisjoint(written):
                    continue
                if start > first and question[start - 1] not in _BEFORE:
                    continue
                if any(
                    s < end and start < e and not _is_within(s, e, start, end) for s, e in taken
                ):
                    continue
                if size < _WHOLE and not {start - first, end - first} <= (edges := _edges(run[0])):
                    after = question[end : end + 1]
                    cuts_a_word = start - first not in edges or (after and after not in _AFTER)
                    if size == _PAIR or cuts_a_word:
                        continue
                name = _of_that_sound(written, linker.index)
                if name is not None:
                    question = question[:start] + name + question[end:]
                    taken = [*(t for t in taken if t[1] <= start or end <= t[0]), (start, end)]
    return question


def _is_within(first: int, last: int, start: int, end: int) -> bool:
    """Whether a place is in another, larger one."""
    return start <= first and last <= end and last - first < end - start


@lru_cache(maxsize=64)
def _edges(run: str) -> frozenset[int]:
    """Where the words of a stretch begin and end, by jieba's dictionary."""
    from rjieba import cut  # noqa: PLC0415 -- 0.2 s that an English question need not wait

    return frozenset(accumulate(map(len, cut(run)), initial=0))


def _of_that_sound(written: str, index: NameIndex) -> str | None:
    """The one name of a condition or drug that characters may be written for."""
    is_pair = len(written) == _PAIR
    most = 1 if is_pair else _CHANGED
    changes: dict[int, list[str]] = {}
    for name in index.by_sound.get(sounds(written), ()):
        if is_pair and sounds(name, alike=False) != sounds(written, alike=False):
            continue  # 小肠 is no 小产: with so few characters every sound counts
        changed = sum(one != other for one, other in zip(written, name, strict=True))
        changes.setdefault(changed, []).append(name)
    if 0 in changes or not changes:
        return None
    fewest = min(changes)
    return changes[fewest][0] if fewest <= most and len(changes[fewest]) == 1 else None
