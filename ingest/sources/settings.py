"""What every source of a build configuration can be told, whatever its kind."""

from typing import Annotated

from pydantic import BaseModel, Field

SourceName = Annotated[
    str,
    Field(pattern=r"^[a-z0-9][a-z0-9_-]*$", description="Names the source in the graph."),
]


IdPrefix = Annotated[
    str | None,
    Field(
        pattern=r"^[^\s:|]+$",
        description="Put before ids that have no prefix, where their end has no `prefix` of its "
        "own: one of the configuration's `prefixes`, as for a hospital's D001, or a registered one.",
    ),
]


class SourceSettings(BaseModel, frozen=True, extra="forbid", use_attribute_docstrings=True):
    """A source; each kind adds what it can be told besides, its ``kind`` among that."""

    name: SourceName
    licence: str | None = Field(default=None, pattern=r"\S")
    """Under which licence you have its files, e.g. CC-BY-4.0: shown in the build report
    instead of what medkg says of the kind."""
    release: str | None = Field(default=None, pattern=r"\S")
    """Which release its files are, e.g. 2025-01-16: shown in the build report; where it is not
    given, what the files say themselves."""
    max_shrink: float | None = Field(default=None, ge=0, le=1)
    """The build stops if the source lost this share of its statements, or more, since the graph
    was built; that of the configuration if not given, 1 for never."""
