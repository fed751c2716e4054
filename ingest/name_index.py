"""Finds the nodes that a name without an id may refer to, by the names of all ids."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

TRANSLATED, PREFERRED, EXACT, LAY, CLOSE, ALIAS = range(6)
"""Level of a name, the most reliable first: given to the id by a list of translations; preferred
name; exact synonym; layperson's synonym; preferred name of the close match (of a disease, for a
finding); alias that a source lists for a name without an id."""

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
        TRANSLATED: "translated name",
        PREFERRED: "preferred name",
        EXACT: "exact synonym",
        LAY: "layperson's synonym",
        CLOSE: "name of the close match",
        ALIAS: "alias",
    }
)

_OTHER_TYPE: Final = MappingProxyType({"Disease": "Symptom", "Symptom": "Disease"})
"""The other type that a name may have than the one that its relation asks for."""

_QUALIFIER: Final = re.compile(
    "急性|慢性|亚急性|早期|晚期|暴发|流行|散发|复发|地方|小儿|儿童|幼年|新生儿|胎儿|婴|青春期|青少年|成人|老年"
    "|妊娠|孕|产后|产褥|围绝经|更年期|先天|后天|获得|原发|继发|特发|遗传|家族|自发|外伤|创伤"
    "|化脓|细菌|病毒|真菌|杆菌|球菌|衣原体|支原体|结核|阿米巴|淋|药物|酒精|酒|中毒|过敏|变应|单纯|混合"
    "|太阳|石棉|静脉|痉挛|坏死|糜烂|腐蚀|萎缩|溃疡|梗阻|出血|穿孔|恶性|良性|转移|浸润|弥漫|局限|多发|癌|和|及|合并|伴|单|左|右|双|内|外|前|后|上|下"
    "|大|小|高|低|增|减|[一二三四五六七八九十甲乙丙丁戊i]+型"
)
"""Words that make a Chinese name narrower, or a different one."""

_QUALIFIED: Final = re.compile("急性|慢性|复发|新生儿|产后|风湿|酒精|梗阻|太阳")
"""Words that make a Chinese name narrower than any name without them."""

_NARROWER: Final = re.compile(
    r"\b(?:(?P<sudden>acute)|(?P<lasting>chronic)|recurrent|traumatic|bacterial"
    r"|(?P<spread>infectious|infective)|(?P<newborn>neonatal|newborn)|(?P<birth>postpartum|puerperal)"
    r"|(?P<young>pa?ediatric|childhood|juvenile)|rheumatic|alcoholic)\b"
)
"""Words that make an English name narrower; words of one named group are synonyms."""

_NUMBER: Final = re.compile(r"\b(?:[0-9]+[a-z]?|[ivx]+)\b")
"""A number in Arabic or Roman numerals, as members of a series have."""


_SUBTYPE_WORDS: Final = frozenset(
    {
        *("acquired", "arterial", "cerebellar", "chronic", "congenital", "familial", "follicular"),
        *("igg4", "isolated", "malignant", "posterior", "solitary"),
    }
)
"""Words that make a subtype of a close match: congenital nystagmus is no nystagmus."""


class Name(NamedTuple):
    """A name that sources give an id."""

    level: int
    language: str
    normal: str
    """As ``kg.text.normalise`` leaves it; never empty."""
    position: int
    """Of the first source that says so."""
    is_main: bool
    """A main name: the preferred name in the language, or one of a list of translations."""
    is_abbreviation: bool = False


class MatchRank(NamedTuple):
    """Reliability of a match; the lowest is most reliable."""

    step: int
    """Of the search, twice; ids of no ontology of the type have one between."""
    outside: bool
    """Whether the id is of none of the type's ontologies."""
    level: int
    """Of the name."""
    preference: int
    """Of the id's ontology among those of the type."""


class NameMatch(NamedTuple):
    """The ids that a name matches equally well."""

    rank: MatchRank
    ids: tuple[str, ...]
    rule: KnownBy
    name: Name
    positions: tuple[int, ...]
    """Of the sources that use the name."""


@dataclass(frozen=True)
class _Search:
    by_main_name: bool
    """Search by main names; else by aliases that a source lists."""
    has_id: bool
    """Search among ids of sources; else among ids minted from names."""
    among: tuple[tuple[bool, Collection[int]], ...]
    """Steps of the search, the most reliable first: whether in the other type, and the levels of
    names."""


_NAMES: Final = (TRANSLATED, PREFERRED, EXACT, LAY)
SEARCHES: Final = (
    _Search(
        by_main_name=True,
        has_id=True,
        among=((False, _NAMES), (False, (CLOSE,)), (True, _NAMES), (False, (ALIAS,))),
    ),
    _Search(by_main_name=False, has_id=True, among=((False, _NAMES),)),
    _Search(by_main_name=True, has_id=False, among=((False, (ALIAS,)),)),
)
"""The searches for the node of a name, the most reliable first."""

_OUTSIDE: Final = 5
"""Rank of ids of no ontology of the type: after names of the other type (2 * 2), before aliases."""


class _Holder(NamedTuple):
    """An id that has a name."""

    level: int
    id: str
    position: int


class _Match(NamedTuple):
    """One id that one of the searched names matches; the lowest is most reliable."""

    rank: MatchRank
    id: str
    name: Name
    position: int
    """Of the source that says that the id has the name."""


class NameIndex:
    """The ids that have each of the names that will be searched for."""

    def __init__(
        self, entries: Collection[tuple[str, str, int]], searched: Collection[tuple[str, str]]
    ) -> None:
        """Make an empty index.

        Args:
            entries: language, normalised name and position of names that head an entry of a
                source; the names of two entries are not aliases of each other in that source.
            searched: language and normalised name of all that will be searched for; no others are
                kept, so that the index of a large graph stays small.
        """
        self._entries = entries
        self._searched = searched
        self._holders: dict[tuple[str, str, str], list[_Holder]] = defaultdict(list)
        self._preferred: dict[str, list[Name]] = defaultdict(list)
        self._concepts: dict[str, Collection[str]] = {}
        self._concepts_by_name: dict[tuple[str, str], set[str]] = defaultdict(set)

    def add(
        self,
        id_: str,
        type_: str,
        names: Collection[Name],
        concepts: Collection[str] = (),
        *,
        has_id: bool,
    ) -> None:
        """Add the names of an id; those of a minted id are less reliable.

        Args:
            id_: to find.
            type_: of its node.
            names: of this id.
            concepts: the UMLS concepts of its node.
            has_id: False for an id that was minted.
        """
        if not any(_key(name) in self._searched for name in names):
            return
        self._concepts[id_] = concepts
        for name in names if has_id else self._usable(names):
            level = name.level if has_id else EXACT if name.is_main else ALIAS
            self._holders[type_, name.language, name.normal].append(
                _Holder(level, id_, name.position)
            )
            if level == PREFERRED:
                self._preferred[id_].append(name)

    def add_close(
        self, id_: str, type_: str, own_names: Collection[Name], names: Collection[Name]
    ) -> None:
        """Add the preferred names of the close match of an id.

        They are left out if the disease and the finding share no name, or one is a subtype of
        the other by a word in its name.

        Args:
            id_: to find.
            type_: of its node.
            own_names: its names.
            names: of its close match.
        """
        disease, finding = (own_names, names) if type_ == "Disease" else (names, own_names)
        shared = {_key(name) for name in disease if name.level == PREFERRED}
        shared &= {_key(name) for name in finding if name.level <= EXACT}
        if not shared or (_words(own_names) ^ _words(names)) & _SUBTYPE_WORDS:
            return
        for name in names:
            if name.level == PREFERRED and _key(name) in self._searched:
                key = type_, name.language, name.normal
                self._holders[key].append(_Holder(CLOSE, id_, name.position))

    def add_concept(self, cui: str, names: Iterable[Name]) -> None:
        """Add the preferred names of a UMLS concept."""
        for name in names:
            if name.level == PREFERRED and _key(name) in self._searched:
                self._concepts_by_name[name.language, name.normal].add(cui)

    def shares_word(self, name: Name, ids: Iterable[str]) -> bool:
        """Whether an English name shares a word with a preferred name of any of the ids."""
        words = {*_spelling(name.normal)} - _SMALL - _NEUTRAL
        return any(words & {*_spelling(n.normal)} for id_ in ids for n in self._preferred[id_])

    def best_match(
        self,
        type_: str,
        names: Collection[Name],
        search: int,
        preference: Callable[[str], tuple[bool, int] | None],
    ) -> NameMatch | None:
        """The ids that the most reliable of some names matches; None if there are none.

        Args:
            type_: the type that the relation asks for.
            names: of one id, minted or of a list of translations.
            search: the place in ``SEARCHES``.
            preference: whether an id is of none of its type's ontologies, and their order of
                preference; None for one that is not to be looked at.
        """
        matches = [*self._matches(type_, names, SEARCHES[search], preference)]
        if not matches:
            return None
        best = min(matches)
        if SEARCHES[search].by_main_name:
            equal = [match for match in matches if match.rank == best.rank]
        else:  # aliases that match different ids are ambiguous
            step = best.rank.step, best.rank.outside
            equal = [match for match in matches if (match.rank.step, match.rank.outside) == step]
        rule: KnownBy = _RULES[best.rank.level] if search == 0 else "alias"
        positions = {match.name.position for match in equal} | {match.position for match in equal}
        ids = tuple(sorted({match.id for match in equal}))
        return NameMatch(best.rank, ids, rule, best.name, tuple(sorted(positions)))

    def _matches(
        self,
        type_: str,
        names: Collection[Name],
        search: _Search,
        preference: Callable[[str], tuple[bool, int] | None],
    ) -> Iterator[_Match]:
        for name in self._usable(names):
            if name.is_main != search.by_main_name:
                continue
            for step, (in_other_type, levels) in enumerate(search.among):
                searched_type = _OTHER_TYPE.get(type_, "") if in_other_type else type_
                key = searched_type, name.language, name.normal
                is_taken = not in_other_type and self._is_taken(
                    _OTHER_TYPE.get(type_, ""), name, preference
                )
                for level, id_, position in self._holders.get(key, ()):
                    if level not in levels:
                        continue
                    if level == LAY and name.language == "en":
                        continue  # HPO has "muscle spasms" as a name of hyperkinetic movements
                    if level in {EXACT, LAY} and self._is_inexact(name, id_, is_taken=is_taken):
                        continue
                    if preferred := preference(id_):
                        outside, order = preferred
                        # a code of a classification comes after a finding of HPO
                        rank = max(2 * step, _OUTSIDE) if outside else 2 * step
                        yield _Match(MatchRank(rank, outside, level, order), id_, name, position)

    def _is_taken(
        self, type_: str, name: Name, preference: Callable[[str], tuple[bool, int] | None]
    ) -> bool:
        """Whether an id of the type's first ontologies has the name as its main name."""
        return any(
            level <= PREFERRED and (preferred := preference(id_)) and not preferred[0]
            for level, id_, _ in self._holders.get((type_, name.language, name.normal), ())
        )

    def _is_inexact(self, name: Name, id_: str, *, is_taken: bool) -> bool:
        """Whether a synonym that an ontology calls exact is not.

        Such are "chronic pharyngitis" of pharyngitis and "hypomania" of mania. One of these
        holds: the id has another preferred name in the language, and an id of the other type has
        this one as its main name; UMLS has another concept of exactly this name; the name is
        narrower or broader than the preferred name; or the preferred name is numbered
        (holoprosencephaly 1) and the name is not.
        """
        preferred = self._preferred[id_]
        if is_taken and any(other.language == name.language for other in preferred):
            return True
        concepts_of_name, concepts_of_id = (
            self._concepts_by_name.get((name.language, name.normal)),
            self._concepts[id_],
        )
        if concepts_of_name and concepts_of_id and concepts_of_name.isdisjoint(concepts_of_id):
            return _spelling(name.normal) not in {_spelling(other.normal) for other in preferred}
        if is_narrower([name], preferred):
            return True
        same_language = [other for other in preferred if other.language == name.language]
        if any(_is_numbered(name, other) for other in same_language):
            return True
        if name.level == PREFERRED and name.language == "zh":
            return False
        return any(_differ_in_scope(name, other) for other in same_language)

    def _usable(self, names: Collection[Name]) -> Iterator[Name]:
        """The main names of a minted id, and its aliases that are neither narrower nor broader.

        English aliases are left out: English pages list parts and wholes as other names ("skull
        fractures" of head injuries).
        """
        main = [name for name in names if name.is_main]
        for name in names:
            has_entry = (name.language, name.normal, name.position) in self._entries
            is_usable_alias = name.language != "en" and not has_entry
            if name.normal.endswith(" nos"):
                continue  # "not otherwise specified": the term above it in its classification
            if name.is_main or (
                is_usable_alias and not any(_differ_in_scope(name, other) for other in main)
            ):
                yield name


def _key(name: Name) -> tuple[str, str]:
    return name.language, name.normal


def _words(names: Iterable[Name]) -> set[str]:
    """The words of preferred English names."""
    preferred = (n.normal for n in names if n.level == PREFERRED and n.language == "en")
    return {word for normal in preferred for word in normal.split()}


def _differ_in_scope(one: Name, other: Name) -> bool:
    """Whether one of two names in a language seems to be narrower than the other."""
    one_normal, other_normal = one.normal, other.normal
    if one.language == "zh":
        return (
            one_normal in other_normal
            or other_normal in one_normal
            or {*_QUALIFIER.findall(one_normal)} != {*_QUALIFIER.findall(other_normal)}
        )
    if (numbers := {*_NUMBER.findall(one_normal)}) and numbers == {*_NUMBER.findall(other_normal)}:
        return False
    words, other_words = ({*_spelling(normal)} - _SMALL for normal in (one_normal, other_normal))
    return (words < other_words or other_words < words) and not words ^ other_words <= _NEUTRAL


def is_narrower(names: Iterable[Name], others: Collection[Name]) -> bool:
    """Whether a name has a narrowing word that no other name in its language has.

    Args:
        names: of one id.
        others: of another id.
    """
    for name in names:
        same_language = [other for other in others if other.language == name.language]
        if same_language and all(
            _narrowing_words(name) - _narrowing_words(other) for other in same_language
        ):
            return True
    return False


def _narrowing_words(name: Name) -> set[str]:
    words = _QUALIFIED if name.language == "zh" else _NARROWER
    return {match.lastgroup or match[0] for match in words.finditer(name.normal)}


def _is_numbered(name: Name, preferred: Name) -> bool:
    """Whether a preferred name is numbered, and a name is neither numbered nor a syndrome."""
    normal, of_series = name.normal, preferred.normal
    if name.language != "en" or _NUMBER.search(normal) or "syndrome" in normal:
        return False
    return bool(_NUMBER.fullmatch(of_series.split()[-1]) or "susceptibility to" in of_series)


def _spelling(name: str) -> tuple[str, ...]:
    """The words of a name in American spelling, singular, sorted."""
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
