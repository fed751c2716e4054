"""What Biolink's classes of things are among the node types of the graph."""

from collections.abc import Iterable
from typing import Final, Self

from pydantic import BaseModel, model_validator

from kg.shipped import shipped_table
from kg.vocabulary import NODE_TYPES

_BIOLINK: Final = "biolink:"


class Categories(BaseModel, frozen=True, extra="forbid"):
    """``categories.yaml``: every class without its prefix."""

    types: dict[str, str]
    """Node type by class; where a node has several classes the first here decides."""
    quarantined: dict[str, str]
    """Why a class is no type of the graph; of several the first here is told."""

    @model_validator(mode="after")
    def _is_in_the_vocabulary(self) -> Self:
        if unknown := sorted(set(self.types.values()) - set(NODE_TYPES)):
            raise ValueError(
                f"{unknown[0]!r} is no node type; take one of {', '.join(NODE_TYPES)}"
            )
        if twice := sorted(self.types.keys() & self.quarantined.keys()):
            raise ValueError(f"{twice[0]!r} is listed twice")
        return self

    @classmethod
    def of_biolink(cls, user_types: dict[str, str]) -> Self:
        """The table beside this module, with what a user decides otherwise."""
        table = cls.model_validate(shipped_table("ingest.sources.kgx", "categories.yaml"))
        user_types = {bare(name): kind for name, kind in user_types.items()}
        rest = {name: kind for name, kind in table.types.items() if name not in user_types}
        refused = {name: why for name, why in table.quarantined.items() if name not in user_types}
        return cls(types=user_types | rest, quarantined=refused)

    def type(self, classes: Iterable[str]) -> str | None:
        """The node type of a node with these classes, None for none."""
        named = {bare(name) for name in classes}
        return next((kind for name, kind in self.types.items() if name in named), None)

    def why_not(self, classes: Iterable[str]) -> str:
        """Why a node with these classes has no type."""
        named = [bare(name) for name in classes]
        if not named:
            return "the node has no category"
        unknown = (
            f"the graph has no type for '{', '.join(named)[:200]}'; say in 'types' what it is"
        )
        reasons = (why for name, why in self.quarantined.items() if name in named)
        return next(reasons, unknown)


def bare(name: str) -> str:
    """A class or predicate without Biolink's prefix."""
    return name.removeprefix(_BIOLINK)
