"""Biolink's properties of an edge beyond its predicate."""

from typing import Self

from pydantic import BaseModel

from kg.shipped import shipped_table


class Biolink(BaseModel, frozen=True, extra="forbid"):
    """``biolink.yaml``."""

    associations: dict[str, dict[str, str]]
    qualifiers: dict[str, dict[str, str]]
    knowledge_levels: dict[str, str]
    evidence: dict[str, str]
    knowledge_sources: dict[str, str]

    @classmethod
    def read(cls) -> Self:
        """The table beside this module."""
        return cls.model_validate(shipped_table("ingest.export", "biolink.yaml"))
