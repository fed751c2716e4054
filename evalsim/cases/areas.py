"""What sort of disease one is, and of which area of medicine; what cases are drawn evenly by."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from evalsim.case import Sex
from kg.discrimination.graph import ancestors, parents_of
from kg.shipped import shipped_table
from kg.stores.store import Store


class Place(NamedTuple):
    """What cases are drawn evenly by; empty where it is not known."""

    kind: str
    area: str


@dataclass(frozen=True)
class Group:
    """A kind or an area, by the classes and departments of ``areas.yaml``."""

    name: str
    classes: frozenset[str]
    excepted: frozenset[str]
    """Classes below these that are none of it."""
    departments: frozenset[str]


class Areas:
    """The kind and the area of every disease of a graph."""

    def __init__(
        self, parents: Mapping[str, Sequence[str]], departments: Mapping[str, Collection[str]]
    ) -> None:
        """Place diseases.

        Args:
            parents: what each disease is directly a kind of.
            departments: names of those that manage it, in any language.
        """
        self._parents = parents
        self._departments = departments
        table = shipped_table("evalsim.cases", "areas.yaml")
        self._kinds, self._areas, self._sexes = (
            _groups(table[name]) for name in ("kinds", "areas", "sexes")
        )
        self._traditional = _names(table["traditional"])

    @classmethod
    def of_store(cls, store: Store) -> Self:
        """Read the hierarchy and the departments of a graph.

        Raises:
            StoreError: the store failed.
        """
        departments: dict[str, set[str]] = {}
        for row in store.query("evaluation.departments").dicts():
            names = {str(row["department_name"]), str(row["department_name_zh"])}
            departments.setdefault(str(row["disease_id"]), set()).update(names)
        return cls(parents_of(store, "Disease"), departments)

    def above(self, disease: str) -> set[str]:
        """What a disease is a kind of, and itself."""
        return ancestors(disease, self._parents) | {disease}

    def kinds_beneath(self) -> dict[str, int]:
        """How many kinds each disease has that has any."""
        counts: dict[str, int] = {}
        for child in self._parents:
            for ancestor in ancestors(child, self._parents):
                counts[ancestor] = counts.get(ancestor, 0) + 1
        return counts

    def place(self, disease: str) -> Place:
        """Kind and area of a disease."""
        above = self.above(disease)
        departments = self._departments.get(disease, ())
        return Place(
            _first_group(self._kinds, above, departments),
            _first_group(self._areas, above, departments),
        )

    def sex(self, disease: str) -> Sex | None:
        """The one sex that has a disease, by who manages it; None: either, or not known."""
        sex = _first_group(self._sexes, self.above(disease), self._departments.get(disease, ()))
        return "female" if sex == "female" else "male" if sex == "male" else None

    def is_traditional(self, disease: str) -> bool:
        """Whether departments of traditional Chinese medicine manage a disease."""
        return not self._traditional.isdisjoint(self._departments.get(disease, ()))


def _groups(rows: Sequence[Mapping[str, object]]) -> list[Group]:
    return [
        Group(
            str(row["name"]),
            *(_names(row.get(field)) for field in ("classes", "except", "departments")),
        )
        for row in rows
    ]


def _names(cell: object) -> frozenset[str]:
    return frozenset(map(str, cell)) if isinstance(cell, list) else frozenset()


def _first_group(
    groups: Sequence[Group], above: Collection[str], departments: Collection[str]
) -> str:
    by_class = (
        group.name
        for group in groups
        if not group.classes.isdisjoint(above) and group.excepted.isdisjoint(above)
    )
    by_department = (
        group.name for group in groups if not group.departments.isdisjoint(departments)
    )
    return next(by_class, None) or next(by_department, "")
