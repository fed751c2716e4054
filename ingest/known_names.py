"""Tells whom a name means that came without an id, by the names that others go by."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

PREFERRED, EXACT, LAY, ALIAS = range(4)
"""How a thing has a name, the surest first: its preferred name, an exact synonym, a layperson's,
what a source lists as another name of a thing that has no id."""

NameRule = Literal["preferred name", "exact synonym", "layperson's synonym", "alias"]
_RULES: Final[tuple[NameRule, ...]] = (
    "preferred name",
    "exact synonym",
    "layperson's synonym",
    "alias",
)

_ALSO: Final = MappingProxyType({"Disease": "Symptom", "Symptom": "Disease"})
"""What else a name may be than what the relation that it stands in has it for."""


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

    rank: tuple[int, int]
    """How surely; the lower the surer."""
    ids: tuple[str, ...]
    rule: NameRule
    name: Name
    positions: tuple[int, ...]
    """Of the sources that use the name."""


@dataclass(frozen=True)
class _Way:
    by_own_name: bool
    """Else by what a source lists as an alias."""
    has_id: bool
    """Whether things that have an id are looked at, or those that came without one too."""
    among: tuple[tuple[bool, Collection[int]], ...]
    """Where it is looked for, the surest first: whether in the other type, and by which names."""


_NAMES: Final = (PREFERRED, EXACT, LAY)
WAYS: Final = (
    _Way(True, True, ((False, _NAMES), (True, _NAMES), (False, (ALIAS,)))),
    _Way(False, True, ((False, _NAMES),)),
    _Way(True, False, ((False, (ALIAS,)),)),
)
"""How whom a name means is looked for, the surest first."""


@dataclass(frozen=True)
class KnownNames:
    """All names that things go by."""

    _holders: dict[tuple[str, str, str], list[tuple[int, str, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """Level, id and position by type, language and normalised name."""

    def add(self, id_: str, type_: str, names: Iterable[Name], *, has_id: bool) -> None:
        """Note that a thing goes by names; those of one without an id are less sure."""
        for name in names:
            level = name.level
            if not has_id:
                level = EXACT if name.is_own else ALIAS
            self._holders[type_, name.language, name.normal].append((level, id_, name.position))

    def meant(
        self, type_: str, names: Iterable[Name], way: int, may_be: Callable[[str], bool]
    ) -> Meant | None:
        """Whom the surest of some names mean, if anybody.

        Args:
            type_: what the relation in which the name stands has it for.
            names: of a thing that has no id.
            way: the place in ``WAYS``.
            may_be: whether an id is to be looked at.
        """
        found = [each for each in self._found(type_, names, WAYS[way]) if may_be(each[1])]
        if not found:
            return None
        rank, _, name, _ = min(found)
        same = [each for each in found if each[0] == rank]
        rule: NameRule = _RULES[rank[1]] if way == 0 else "alias"
        positions = {place for each in same for place in (each[2].position, each[3])}
        ids = tuple(sorted({each[1] for each in same}))
        return Meant(rank, ids, rule, name, tuple(sorted(positions)))

    def _found(
        self, type_: str, names: Iterable[Name], way: _Way
    ) -> Iterator[tuple[tuple[int, int], str, Name, int]]:
        for name in names:
            if name.is_own != way.by_own_name:
                continue
            for place, (other, levels) in enumerate(way.among):
                kind = _ALSO.get(type_, "") if other else type_
                for level, id_, position in self._holders.get(
                    (kind, name.language, name.normal), ()
                ):
                    if level in levels:
                        yield (place, level), id_, name, position
