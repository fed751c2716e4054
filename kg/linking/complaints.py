"""Complaints of places of the body: "neck and shoulder stiffness", "legs are swollen", 腿肿了.

A small grammar over ``descriptions.yaml``. A complaint (a noun, an adjective or a verb) and a
place, in any order that the language has them, each of them a list where the text gives one
("soreness and swelling in his right ankle"), are HPO's term of each complaint in each place,
or of the complaint alone where HPO has none of that place.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from kg.linking.mention import Term
from kg.text.canonical import canonical_words
from kg.text.words import surfaces

_ENGLISH: Final = """
a about all almost an and/or another approximately around at bad big bilateral both completely distal
entire extremely feeling few getting her his inner intense just kind left little lower lot lots
mid mild moderate more most much my of our outer over pretty proximal quite rather really right
severe side significant slight so some somewhat that the their there these this those too upper very
whole your patient child infant baby central than aspect region area part of lateral medial anterior posterior
"""
_CHINESE: Final = "半夜晚偶尔有点些很特别比较老总是都也还又一直开始非常感觉得突然剧烈明显经稍微时常特持续的右左双两侧边下上里多几次好不过"
MODIFIERS: Final = frozenset(_ENGLISH.split()) | frozenset(_CHINESE) - frozenset("不好")
"""Words that say whose, which side, or how much."""
_MAX_MODIFIERS: Final = 4
"""Of them between two words at most."""
_MOST_BEFORE_PLACE: Final = 6
"""Of them before a place that follows its complaint: "pain on the right side of my head"."""
_PREPOSITIONS: Final = "in of to at on over around along down involving within"
_IN: Final = frozenset(_PREPOSITIONS.split())
_AND: Final = frozenset(("and", "or", "nor", "和", "及", "与", "或"))
_OWNERS: Final = "a an the my your his her their our this that"
_DETERMINERS: Final = frozenset(_OWNERS.split())
_NOT: Final = frozenset(("not", "never", "no", "longer"))
_OF_ANOTHER_WORD: Final = frozenset("点疹斑疙色丝泡包霉经胀感药净预")
"""After a predicate they make another word of it: 脸上有红点, 痛经."""
_LONGEST_LIST: Final = 5
_LISTED: Final = frozenset((" ", "", ", ", "/", " / ", "、", ",", "-"))
"""What may stand between the members of a list."""
_JOINED: Final = frozenset((" ", "", "-"))
_COLONS: Final = (": ", ":", "：")
"""Between the name of a field and what was found."""
_VERBS: Final = 2
"""Verbs between a place and an adjective at most: "has been"."""
_FROM: Final = frozenset(("from",))
"""Leads to the place of what was removed."""
_OF_OTHERS: Final = frozenset(("oral", "facial"))
"""Tell of medicines, of hair or a rash rather than of the place."""
_SHOWN: Final = frozenset(("present", "noted", "seen", "observed", "found", "visible", "removed"))
"""May stand between a complaint and its place: "ulcers present on the mucosa"."""
_FAR: Final = 60
"""Words back to the place that a complaint without one is of."""


class Described(NamedTuple):
    """Words that mean a finding: ``words[start:end]`` of the text."""

    start: int
    end: int
    id: str
    """The finding in HPO; empty where nothing is meant."""
    label: str
    """What HPO calls it."""
    denied: bool = False
    """The words themselves deny it: "afebrile"."""


class _Match(NamedTuple):
    """A word of the grammar in a text."""

    start: int
    end: int
    name: str
    """Of the complaint, or the number of the place."""


_Reader = Callable[[Sequence[str], Sequence[str], int], list[Described]]


@dataclass
class _Words:
    """Phrases of several words, by their first."""

    by_first: dict[str, list[tuple[tuple[str, ...], str]]] = field(default_factory=dict)

    def add(self, phrase: str, name: str) -> None:
        words = tuple(key for key in canonical_words(surfaces(phrase)) if key)
        some = self.by_first.setdefault(words[0], [])
        some.append((words, name))
        some.sort(key=lambda each: -len(each[0]))

    def at(self, words: Sequence[str], at: int) -> _Match | None:
        """The longest phrase that begins at a word."""
        if at >= len(words):
            return None
        for phrase, name in self.by_first.get(words[at], ()):
            if tuple(words[at : at + len(phrase)]) == phrase:
                return _Match(at, at + len(phrase), name)
        return None


class Complaints:
    """The grammar, made of the tables ``findings`` and ``sites``; threads may share it."""

    def __init__(self, table: Mapping[str, Any], being: frozenset[str]) -> None:
        """Make it of the parts ``findings`` and ``sites`` of the table.

        Args:
            table: the parsed table.
            being: verbs between a place and an adjective.
        """
        self._being = being
        self._nouns, self._adjectives, self._verbs = _Words(), _Words(), _Words()
        self._predicates, self._sites, self._chinese = _Words(), _Words(), _Words()
        self._chinese_nouns = _Words()
        self._general: dict[str, Term] = {}
        self._carried: set[str] = set()
        self._named: set[str] = set()
        for name, row in table["findings"].items():
            self._add_complaint(name, row)
        self._terms: list[dict[str, Term]] = []
        for row in table["sites"]:
            number = str(len(self._terms))
            self._terms.append(
                {name: Term.parse(row[name]) for name in table["findings"] if name in row}
            )
            for phrase in row.get("en", ()):
                self._sites.add(phrase, number)
            for phrase in row.get("zh", ()):
                self._chinese.add(phrase, number)
        self.starts: dict[str, list[_Reader]] = {}
        """How complaints are read, by the word that they begin with."""
        for phrases_table, reader in (
            (self._nouns, self._noun_first),
            (self._sites, self._site_first),
            (self._adjectives, self._adjective_first),
            (self._chinese, self._in_chinese),
            (self._chinese_nouns, self._alone_in_chinese),
        ):
            for first in phrases_table.by_first:
                self.starts.setdefault(first, []).append(reader)

    def _add_complaint(self, name: str, row: Mapping[str, Any]) -> None:
        for table, column in (
            (self._nouns, "nouns"),
            (self._adjectives, "adjectives"),
            (self._verbs, "verbs"),
            (self._predicates, "zh"),
        ):
            for phrase in row.get(column, ()):
                table.add(phrase, name)
        if "general" in row:
            self._general[name] = Term.parse(row["general"])
        if row.get("carried"):
            self._carried.add(name)
            for phrase in row["zh"] if "general" not in row else ():
                if len(phrase) > 1:
                    self._chinese_nouns.add(phrase, name)
        self._named |= {name} if row.get("named") else set()

    def at(self, words: Sequence[str], gaps: Sequence[str], at: int) -> list[Described]:
        """The complaints that a text has from a word on; none, one, or those of a list.

        Args:
            words: linking keys.
            gaps: what stands before each word.
            at: the first word, one of ``starts``.
        """
        readers = self.starts[words[at]]
        return next((found for read in readers if (found := read(words, gaps, at))), [])

    def _noun_first(self, words: Sequence[str], gaps: Sequence[str], at: int) -> list[Described]:
        """Read "soreness and swelling in his right ankle"."""
        nouns = _list(self._nouns, words, gaps, at)
        if not nouns:
            return []
        place = _after_shown(words, nouns[-1].end)
        if place < len(words) and words[place] in _IN and gaps[place] in _JOINED:
            sites = self._sites_at(words, gaps, place + 1, most=_MOST_BEFORE_PLACE)
            if sites:
                return self._all(nouns, sites, last=True)
        return self._alone(words, nouns)

    def _site_first(self, words: Sequence[str], gaps: Sequence[str], at: int) -> list[Described]:
        """Read "neck and shoulder stiffness", "knee is red and swollen", "knee hurts"."""
        sites = _list(self._sites, words, gaps, at)
        if not sites or not _DETERMINERS.isdisjoint(words[at : sites[-1].end]):
            return []  # "muscles and her joint pain"
        place = sites[-1].end
        if place < len(words) and gaps[place] in _JOINED:
            nouns = _list(self._nouns, words, gaps, place)
            if len(nouns) > 1 and nouns[-1].end < len(words) and words[nouns[-1].end] in _IN:
                nouns.pop()  # it is of another place: "chest pain, pain in the arm"
            if nouns:
                return self._all(nouns, sites, last=False)
            return self._predicate(words, gaps, sites)
        adjectives = []
        if place < len(words) and gaps[place] in _COLONS:
            adjectives = _list(self._adjectives, words, gaps, place)
        return self._all(adjectives, sites, last=False) if adjectives else []

    def _is_asked(self, words: Sequence[str], at: int) -> bool:
        """Whether the verb stands before the place: "why is my knee swollen"."""
        before = at
        while before > 0 and at - before < _MAX_MODIFIERS and words[before - 1] in MODIFIERS:
            before -= 1
        return before > 0 and words[before - 1] in self._being

    def _predicate(
        self, words: Sequence[str], gaps: Sequence[str], sites: Sequence[_Match]
    ) -> list[Described]:
        """Read "is red and swollen" or "hurts" behind places."""
        place = position = sites[-1].end
        while (
            position < len(words) and position - place < _VERBS and words[position] in self._being
        ):
            position += 1
        if position > place:
            denied = position < len(words) and words[position] in _NOT
            while position < len(words) and words[position] in _NOT:
                position += 1
            adjectives = _list(self._adjectives, words, gaps, _skip(words, gaps, position))
            if adjectives:
                shown = adjectives[0].start if denied else None
                return self._all(adjectives, sites, last=False, shown=shown)
        elif gaps[place] in _JOINED:
            adjectives = _list(self._adjectives, words, gaps, _skip(words, gaps, place))
            if adjectives and (
                self._is_asked(words, sites[0].start) or _ends(words, gaps, adjectives[-1].end)
            ):
                return self._all(adjectives, sites, last=False)
        verb = self._verbs.at(words, _skip(words, gaps, place))
        if verb and gaps[verb.start] in _JOINED:
            return self._all([verb], sites, last=False)
        return []

    def _adjective_first(
        self, words: Sequence[str], gaps: Sequence[str], at: int
    ) -> list[Described]:
        """Read "swollen, painful left knee"."""
        adjectives = _list(self._adjectives, words, gaps, at)
        if not adjectives:
            return []
        sites = self._sites_at(words, gaps, adjectives[-1].end, most=2)
        if not sites or gaps[adjectives[-1].end] not in _JOINED:
            return []
        after = self._nouns.at(words, sites[-1].end)  # "tender neck masses"
        return [] if after else self._all(adjectives, sites, last=True)

    def _in_chinese(self, words: Sequence[str], gaps: Sequence[str], at: int) -> list[Described]:
        """Read 膝盖又红又肿, 手脚麻."""
        sites = _list(self._chinese, words, gaps, at)
        if not sites:
            return []
        predicates: list[_Match] = []
        place = sites[-1].end
        while found := self._predicates.at(words, _skip(words, gaps, place)):
            if any(gaps[between].strip() for between in range(place, found.end)):
                break
            if found.end < len(words) and words[found.end] in _OF_ANOTHER_WORD:
                break
            terms = [self._term(each.name, sites[-1].name) for each in predicates]
            if self._term(found.name, sites[-1].name) not in terms:  # 胸痛不适 is one finding
                predicates.append(found)
            place = found.end
        return self._all(predicates, sites, last=False) if predicates else []

    def _sites_at(
        self, words: Sequence[str], gaps: Sequence[str], at: int, most: int = _MAX_MODIFIERS
    ) -> list[_Match]:
        """The places behind modifiers, some of which may belong to them: "upper" arm."""
        last = _skip(words, gaps, at, most)
        sites = (_list(self._sites, words, gaps, place) for place in range(at, last + 1))
        return next(filter(None, sites), [])

    def _all(
        self,
        complaints: Sequence[_Match],
        sites: Sequence[_Match],
        *,
        last: bool,
        shown: int | None = None,
    ) -> list[Described]:
        """Each complaint in each place, on stretches that do not overlap.

        Args:
            complaints: as they stand.
            sites: as they stand.
            last: the last complaint stands at the first place, else the first at the last.
            shown: where the mention begins, if not with the place; what denies it must not be
                inside.
        """
        near, near_site = (complaints[-1], sites[0]) if last else (complaints[0], sites[-1])
        terms: dict[tuple[int, int], Term] = {}
        for complaint in complaints:
            own_term = self._term(complaint.name, near_site.name)
            if own_term is None:
                continue
            start, end = complaint.start, complaint.end
            if complaint is near and shown is None:
                start, end = min(start, near_site.start), max(end, near_site.end)
            terms[start, end] = own_term
        elsewhere = set()
        for site in sites:
            site_term = self._terms[int(site.name)].get(near.name)
            if site is not near_site and site_term and site_term not in terms.values():
                terms[site.start, site.end] = site_term
                elsewhere.add(site.start)
        return [
            # what denies the complaint behind the places stands between it and all of them
            Described(*span, *own_term, denied=shown is not None and span[0] in elsewhere)
            for span, own_term in sorted(terms.items())
        ]

    def _term(self, complaint: str, site: str) -> Term | None:
        return self._terms[int(site)].get(complaint) or self._general.get(complaint)

    def _alone(self, words: Sequence[str], nouns: Sequence[_Match]) -> list[Described]:
        """Complaints without a place: of the place last named, where they are of a place at all."""
        complaints = []
        for noun in nouns:
            # "sores" are ulcers, "sore" is no noun; a preposition leads to a place of its own
            after = _after_shown(words, noun.end)
            is_elsewhere = after < len(words) and words[after] in (
                _IN if after == noun.end else _IN | _FROM
            )
            is_adjective = self._adjectives.at(words, noun.start) is not None
            is_carried = noun.name in self._carried and not (is_elsewhere or is_adjective)
            own_term = self._carried_term(words, noun, self._sites) if is_carried else None
            own_term = own_term or self._general.get(noun.name)
            if own_term and noun.name not in self._named:
                complaints.append(Described(noun.start, noun.end, *own_term))
        return complaints

    def _alone_in_chinese(
        self, words: Sequence[str], gaps: Sequence[str], at: int
    ) -> list[Described]:
        """Read 嘴里…有溃疡: a complaint of the place last named."""
        noun = self._chinese_nouns.at(words, at)
        if noun is None or any(gap for gap in gaps[noun.start + 1 : noun.end]):
            return []
        term = self._carried_term(words, noun, self._chinese)
        return [Described(noun.start, noun.end, *term)] if term else []

    def _carried_term(self, words: Sequence[str], noun: _Match, places: _Words) -> Term | None:
        for at in range(noun.start - 1, max(-1, noun.start - _FAR), -1):
            site = places.at(words, at)
            if site and words[at] not in _OF_OTHERS:
                return self._terms[int(site.name)].get(noun.name)
        return None


def _after_shown(words: Sequence[str], at: int) -> int:
    """The word after "present" or "noted" behind a complaint."""
    while at < len(words) and words[at] in _SHOWN:
        at += 1
    return at


def _ends(words: Sequence[str], gaps: Sequence[str], at: int) -> bool:
    """Whether what is said of a place ends before a word: no noun follows, as in "dry eye drops"."""
    return at >= len(words) or gaps[at] not in _JOINED or words[at] in _IN | _AND


def _list(table: _Words, words: Sequence[str], gaps: Sequence[str], at: int) -> list[_Match]:
    """The members of a list of words of a table, with commas and one "and" between them."""
    members: list[_Match] = []
    place = at
    while len(members) < _LONGEST_LIST and (member := table.at(words, place)):
        if members and gaps[member.start] not in _LISTED:
            break
        members.append(member)
        place = member.end
        if place < len(words) and words[place] in _AND and gaps[place] in _LISTED:
            place += 1
        elif place >= len(words) or gaps[place] not in _LISTED - _JOINED:
            break
        place = _skip(words, gaps, place)
    return members


def _skip(words: Sequence[str], gaps: Sequence[str], at: int, most: int = _MAX_MODIFIERS) -> int:
    """The word after the modifiers that begin at a word."""
    place = at
    while place < len(words) and place - at < most and words[place] in MODIFIERS:
        if place > at and gaps[place] not in _JOINED:
            return at
        place += 1
    return place
