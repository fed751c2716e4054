"""What a build is made of: a YAML file that lists the sources."""

from pathlib import Path

import yaml
from pydantic import BaseModel, Field, ValidationError, field_validator

from ingest.sources import Source
from kg.errors import ConfigurationError


class BuildConfig(BaseModel, frozen=True, extra="forbid"):
    """The sources of a graph, and what the merge may use."""

    sources: tuple[Source, ...] = Field(min_length=1)
    """In order of trust: where two disagree about a node's type or name, the earlier wins."""
    threads: int | None = Field(default=None, ge=1)
    """For the table work; all cores if not given."""
    spark: str | None = None
    """Address of a Spark that merges, such as ``local[2]``; DuckDB does if not given."""
    memory: str = Field(default="3GB", pattern=r"^\d+(\.\d+)?\s*[KMGT]i?B$")
    """What the table work may hold before it spills to disk."""

    @field_validator("sources")
    @classmethod
    def _names_differ(cls, sources: tuple[Source, ...]) -> tuple[Source, ...]:
        names = [source.name for source in sources]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"two sources are named {twice[0]!r}; give one another 'name'")
        return sources

    @field_validator("sources")
    @classmethod
    def _something_is_known(cls, sources: tuple[Source, ...]) -> tuple[Source, ...]:
        if all(map(_is_text_born, sources)):
            raise ValueError(
                "every source says 'link: true', so none has names to link with; "
                "add a source, or take 'link' out of one"
            )
        return sources

    @property
    def text_born(self) -> frozenset[str]:
        """Names of the sources whose names are linked with those of the others."""
        return frozenset(source.name for source in self.sources if _is_text_born(source))


def _is_text_born(source: Source) -> bool:
    return bool(getattr(source, "link", False))


def default_config() -> BuildConfig:
    """What needs no download: HPO as a Python package carries it, and medkg's own sample."""
    return BuildConfig.model_validate({"sources": [{"kind": "hpo"}, {"kind": "sample"}]})


def read_config(path: Path) -> BuildConfig:
    """Read a build configuration; paths in it are relative to its folder.

    Raises:
        ConfigurationError: the file is missing, not YAML, or has a field that does not fit.
    """
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as e:
        raise ConfigurationError(
            f"{path}: {e.strerror}; give the path of a build configuration, "
            "or none for the sources that medkg brings"
        ) from e
    except (UnicodeDecodeError, yaml.YAMLError) as e:
        raise ConfigurationError(f"{path}: not a YAML file: {_one_line(e)}") from e
    try:
        config = BuildConfig.model_validate(data)
    except ValidationError as e:
        raise ConfigurationError(f"{path}: {_first_error(e)}") from e
    return config.model_copy(
        update={"sources": tuple(_from_folder(s, path.parent) for s in config.sources)}
    )


def _from_folder(source: Source, folder: Path) -> Source:
    paths = {
        name: folder / value.expanduser() for name, value in source if isinstance(value, Path)
    }
    return source.model_copy(update=paths)


def _first_error(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or "the file"
    more = error.error_count() - 1
    return f"{where}: {first['msg'].removeprefix('Value error, ')}{f' (and {more} more)' if more else ''}"


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
