"""Tells whom a name means that came without an id, by the names that others go by."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

BRIDGED, PREFERRED, EXACT, LAY, CLOSE, ALIAS = range(6)
"""How a thing has a name, the surest first: a list that translates says so of its id; its
preferred name, an exact synonym, a layperson's; the preferred name of its close match (a
disease's, as a finding); what a source lists as another name of a thing that has no id."""

KnownBy = Literal[
    "translated name",
    "preferred name",
    "exact synonym",
    "layperson's synonym",
    "name of the close match",
    "alias",
]
_RULES: Final[Mapping[int, KnownBy]] = MappingProxyType(
    {
        BRIDGED: "translated name",
        PREFERRED: "preferred name",
        EXACT: "exact synonym",
        LAY: "layperson's synonym",
        CLOSE: "name of the close match",
        ALIAS: "alias",
    }
)

_ALSO: Final = MappingProxyType({"Disease": "Symptom", "Symptom": "Disease"})
"""What else a name may be than what the relation that it stands in has it for."""

_QUALIFIER: Final = re.compile(
    "急性|慢性|亚急性|早期|晚期|暴发|流行|散发|复发|地方|小儿|儿童|幼年|新生儿|胎儿|婴|青春期|青少年|成人|老年"
    "|妊娠|孕|产后|产褥|围绝经|更年期|先天|后天|获得|原发|继发|特发|遗传|家族|自发|外伤|创伤"
    "|化脓|细菌|病毒|真菌|杆菌|球菌|衣原体|支原体|结核|阿米巴|淋|药物|酒精|酒|中毒|过敏|变应|单纯|混合"
    "|太阳|石棉|静脉|痉挛|坏死|糜烂|腐蚀|萎缩|溃疡|梗阻|出血|穿孔|恶性|良性|转移|浸润|弥漫|局限|多发|癌|和|及|合并|伴|单|左|右|双|内|外|前|后|上|下"
    "|大|小|高|低|增|减|[一二三四五六七八九十甲乙丙丁戊i]+型"
)
"""What makes a Chinese name narrower, or another one."""

_QUALIFIED: Final = re.compile("急性|慢性|复发|新生儿|产后|风湿|酒精|梗阻|太阳")
"""What makes a Chinese name narrower than any that has it not."""

_NARROWER: Final = re.compile(
    r"\b(?:(?P<sudden>acute)|(?P<lasting>chronic)|recurrent|traumatic|bacterial"
    r"|(?P<spread>infectious|infective)|(?P<newborn>neonatal|newborn)|(?P<birth>postpartum|puerperal)"
    r"|(?P<young>pa?ediatric|childhood|juvenile)|rheumatic|alcoholic)\b"
)
"""What makes an English name narrower; of two words in one group one is as good as the other."""

_NUMBER: Final = re.compile(r"\b(?:[0-9]+[a-z]?|[ivx]+)\b")
"""A number in Arabic or Roman numerals, as members of a series have."""


_KINDS: Final = frozenset(
    {
        *("acquired", "arterial", "cerebellar", "chronic", "congenital", "familial", "follicular"),
        *("igg4", "isolated", "malignant", "posterior", "solitary"),
    }
)
"""Words that tell a close match from a kind of it: nystagmus from congenital nystagmus."""


class Name(NamedTuple):
    """What sources call a thing."""

    level: int
    language: str
    normal: str
    """As ``kg.text.normalise`` leaves it; never empty."""
    position: int
    """Of the first source that says so."""
    is_own: bool
    """The thing is known by it: its preferred name in the language, or that of a list that
    translates."""
    is_abbreviation: bool = False


class Meant(NamedTuple):
    """Things that a name may mean, as surely one as the other."""

    rank: tuple[int, bool, int, int]
    """How surely; the lower the surer."""
    ids: tuple[str, ...]
    rule: KnownBy
    name: Name
    positions: tuple[int, ...]
    """Of the sources that use the name."""


@dataclass(frozen=True)
class _Way:
    by_own_name: bool
    """Else by what a source lists as an alias."""
    has_id: bool
    """Whether things that have an id are looked at, or those that came without one."""
    among: tuple[tuple[bool, Collection[int]], ...]
    """Where it is looked for, the surest first: whether in the other type, and by which names."""


_NAMES: Final = (BRIDGED, PREFERRED, EXACT, LAY)
WAYS: Final = (
    _Way(
        by_own_name=True,
        has_id=True,
        among=((False, _NAMES), (False, (CLOSE,)), (True, _NAMES), (False, (ALIAS,))),
    ),
    _Way(by_own_name=False, has_id=True, among=((False, _NAMES),)),
    _Way(by_own_name=True, has_id=False, among=((False, (ALIAS,)),)),
)
"""How whom a name means is looked for, the surest first."""

_OUTSIDE: Final = 5
"""After the names of the other type, which are looked at as 2 * 2, and before aliases."""


class KnownNames:
    """What goes by the names that somebody will ask for."""

    def __init__(
        self, entries: Collection[tuple[str, str, int]], asked: Collection[tuple[str, str]]
    ) -> None:
        """Begin with none.

        Args:
            entries: language, normalised name and position of what a source has an entry of;
                it has two entries for two things, so one is no alias of the other there.
            asked: language and normalised name of all that will be asked for; other names are
                not kept, so that few things of a large graph are looked at.
        """
        self._entries = entries
        self._asked = asked
        self._holders: dict[tuple[str, str, str], list[tuple[int, str, int]]] = defaultdict(list)
        self._preferred: dict[str, list[Name]] = defaultdict(list)
        self._concepts: dict[str, Collection[str]] = {}
        self._named: dict[tuple[str, str], set[str]] = defaultdict(set)

    def add(
        self,
        id_: str,
        type_: str,
        names: Collection[Name],
        concepts: Collection[str] = (),
        *,
        has_id: bool,
    ) -> None:
        """Note that a thing goes by names; those of one without an id are less sure.

        Args:
            id_: of the thing.
            type_: of its node.
            names: of this id.
            concepts: the UMLS concepts of its node.
            has_id: False for an id that was minted.
        """
        if not any(_key(name) in self._asked for name in names):
            return
        self._concepts[id_] = concepts
        for name in names if has_id else self._usable(names):
            level = name.level if has_id else EXACT if name.is_own else ALIAS
            self._holders[type_, name.language, name.normal].append((level, id_, name.position))
            if level == PREFERRED:
                self._preferred[id_].append(name)

    def add_close(
        self, id_: str, type_: str, own: Collection[Name], names: Collection[Name]
    ) -> None:
        """Note by what preferred names the close match of a thing goes.

        Not if the finding is never called as the disease is, or one of the two is a kind of the
        other, by a word in its own name.

        Args:
            id_: of the thing.
            type_: of its node.
            own: its names.
            names: of its close match.
        """
        disease, finding = (own, names) if type_ == "Disease" else (names, own)
        alike = {_key(each) for each in disease if each.level == PREFERRED}
        alike &= {_key(each) for each in finding if each.level <= EXACT}
        if not alike or (_words(own) ^ _words(names)) & _KINDS:
            return
        for name in names:
            if name.level == PREFERRED and _key(name) in self._asked:
                key = type_, name.language, name.normal
                self._holders[key].append((CLOSE, id_, name.position))

    def add_concept(self, cui: str, names: Iterable[Name]) -> None:
        """Note what UMLS calls a concept."""
        for name in names:
            if name.level == PREFERRED and _key(name) in self._asked:
                self._named[name.language, name.normal].add(cui)

    def shares_word(self, name: Name, ids: Iterable[str]) -> bool:
        """Whether a preferred name of one of some ids has a word of an English name."""
        words = {*_spelling(name.normal)} - _SMALL - _NEUTRAL
        return any(words & {*_spelling(n.normal)} for id_ in ids for n in self._preferred[id_])

    def meant(
        self,
        type_: str,
        names: Collection[Name],
        way: int,
        place: Callable[[str], tuple[bool, int] | None],
    ) -> Meant | None:
        """Whom the surest of some names mean, if anybody.

        Args:
            type_: what the relation in which the name stands has it for.
            names: of a thing that has no id.
            way: the place in ``WAYS``.
            place: whether an id is of none of its type's ontologies, and their order of
                preference; None for one that is not to be looked at.
        """
        found = [*self._found(type_, names, WAYS[way], place)]
        if not found:
            return None
        rank, _, name, _ = min(found)
        # what goes by aliases of which each means another thing is none of them
        sure = slice(None) if WAYS[way].by_own_name else slice(2)
        same = [each for each in found if each[0][sure] == rank[sure]]
        rule: KnownBy = _RULES[rank[2]] if way == 0 else "alias"
        positions = {at for each in same for at in (each[2].position, each[3])}
        ids = tuple(sorted({each[1] for each in same}))
        return Meant(rank, ids, rule, name, tuple(sorted(positions)))

    def _found(
        self,
        type_: str,
        names: Collection[Name],
        way: _Way,
        place: Callable[[str], tuple[bool, int] | None],
    ) -> Iterator[tuple[tuple[int, bool, int, int], str, Name, int]]:
        for name in self._usable(names):
            if name.is_own != way.by_own_name:
                continue
            for at, (other, levels) in enumerate(way.among):
                kind = _ALSO.get(type_, "") if other else type_
                key = kind, name.language, name.normal
                is_taken = not other and self._is_taken(_ALSO.get(type_, ""), name, place)
                for level, id_, position in self._holders.get(key, ()):
                    if level not in levels:
                        continue
                    if level == LAY and name.language == "en":
                        continue  # "muscle spasms" of too much movement
                    if level in {EXACT, LAY} and self._is_loose(name, id_, is_taken=is_taken):
                        continue
                    if placed := place(id_):
                        outside, order = placed
                        # a code that is of no ontology comes behind a finding of HPO
                        surely = max(2 * at, _OUTSIDE) if outside else 2 * at
                        yield (surely, outside, level, order), id_, name, position

    def _is_taken(
        self, type_: str, name: Name, place: Callable[[str], tuple[bool, int] | None]
    ) -> bool:
        """Whether a thing of a type has the name as its own, in the type's first ontologies."""
        return any(
            level <= PREFERRED and (placed := place(id_)) and not placed[0]
            for level, id_, _ in self._holders.get((type_, name.language, name.normal), ())
        )

    def _is_loose(self, name: Name, id_: str, *, is_taken: bool) -> bool:
        """Whether a thing has a name as a synonym and yet is something else.

        Synonyms that an ontology calls exact often are not: "chronic pharyngitis" of pharyngitis,
        "hypomania" of mania. The thing has another name in the language, and a thing of the other
        type has this one as its own; UMLS has another concept of just this name; the name says
        more than the thing's preferred name, or less; or the thing is one of a numbered series
        (holoprosencephaly 1) and the name has no number.
        """
        preferred = self._preferred[id_]
        if is_taken and any(each.language == name.language for each in preferred):
            return True
        named, has = self._named.get((name.language, name.normal)), self._concepts[id_]
        if named and has and named.isdisjoint(has):
            return _spelling(name.normal) not in {_spelling(each.normal) for each in preferred}
        if says_more([name], preferred):
            return True
        own = [each for each in preferred if each.language == name.language]
        if any(_is_numbered(name, each) for each in own):
            return True
        if name.level == PREFERRED and name.language == "zh":
            return False
        return any(_is_narrower(name, each) for each in own)

    def _usable(self, names: Collection[Name]) -> Iterator[Name]:
        """The names of a thing without an id: its own, and aliases that say no more and no less.

        What English pages list as other names is as often a part or the whole: "skull fractures"
        of head injuries.
        """
        own = [name for name in names if name.is_own]
        for name in names:
            has_entry = (name.language, name.normal, name.position) in self._entries
            is_sure = name.language != "en" and not has_entry
            if name.normal.endswith(" nos"):
                continue  # what it leaves open stands above it in its classification
            if name.is_own or (is_sure and not any(_is_narrower(name, each) for each in own)):
                yield name


def _key(name: Name) -> tuple[str, str]:
    return name.language, name.normal


def _words(names: Iterable[Name]) -> set[str]:
    """The words of preferred English names."""
    called = (n.normal for n in names if n.level == PREFERRED and n.language == "en")
    return {word for normal in called for word in normal.split()}


def _is_narrower(one: Name, other: Name) -> bool:
    """Whether one of two names in a language seems to say more than the other."""
    a, b = one.normal, other.normal
    if one.language == "zh":
        return a in b or b in a or {*_QUALIFIER.findall(a)} != {*_QUALIFIER.findall(b)}
    if (numbers := {*_NUMBER.findall(a)}) and numbers == {*_NUMBER.findall(b)}:
        return False
    words, others = ({*_spelling(each)} - _SMALL for each in (a, b))
    return (words < others or others < words) and not words ^ others <= _NEUTRAL


def says_more(one: Iterable[Name], other: Collection[Name]) -> bool:
    """Whether a name of one thing has a word that makes it narrower, and no name of another has it.

    Names in other languages than its own tell nothing.
    """
    for name in one:
        others = [each for each in other if each.language == name.language]
        if others and all(_narrowing(name) - _narrowing(each) for each in others):
            return True
    return False


def _narrowing(name: Name) -> set[str]:
    words = _QUALIFIED if name.language == "zh" else _NARROWER
    return {found.lastgroup or found[0] for found in words.finditer(name.normal)}


def _is_numbered(name: Name, preferred: Name) -> bool:
    """Whether a preferred name is numbered, and a name is neither that nor a syndrome's own."""
    said, of_series = name.normal, preferred.normal
    if name.language != "en" or _NUMBER.search(said) or "syndrome" in said:
        return False
    return bool(_NUMBER.fullmatch(of_series.split()[-1]) or "susceptibility to" in of_series)


def _spelling(name: str) -> tuple[str, ...]:
    """The words of a name as they are written in America, singular, in any order."""
    american = re.sub("[ao]e", "e", name).replace("our", "or").replace("ise", "ize")
    return tuple(sorted(word.removesuffix("s") for word in american.split()))


_SMALL: Final = frozenset(_spelling("a an and as at by due from in of on or the to with"))

_NEUTRAL: Final = frozenset(
    _spelling(
        "condition disease diseases disorder infection infectious virus syndrome type artery bone"
        " cavity chromosome dental duct eye gland implantable mellitus muscle nervous organ part"
        " region segment skin structure substance system tissue urinary uterine valve headache"
    )
)
"""Words that make an English name neither narrower nor broader."""
