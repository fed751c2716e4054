"""What a build is made of: a YAML file that lists the sources."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, Self, get_args

import yaml
from pydantic import BaseModel, Field, ValidationError, field_validator, model_validator

from cypher.translation import translate
from ingest.edges import Combine
from ingest.sources import SOURCES, Source, TableSource, TriplesSource
from ingest.sources.curies import Curies, OwnPrefix, PrefixName, with_own_prefixes
from ingest.sources.listing import model_of
from kg.errors import ConfigurationError

_LISTS: Final = ("findings", "diseases", "drugs")
_MAX_ERRORS: Final = 5
"""Errors of one file that are shown."""
_MESSAGES: Final = {
    "union_tag_not_found": "names no 'kind'; 'medkg sources' lists them",
    "tuple_type": "is a list here; begin each of its items with '-'",
    "model_type": "has settings of its own; write it as {setting: value}",
    "too_short": "is an empty list; put at least one item into it",
    "missing": "is not given; 'medkg sources KIND' lists what a kind needs",
    "extra_forbidden": "is no setting here; 'medkg sources KIND' lists those of a kind",
}
"""Messages in place of pydantic's."""


class BuildConfig(BaseModel, frozen=True, extra="forbid"):
    """The sources of a graph, and what the merge may use."""

    sources: tuple[Source, ...] = Field(min_length=1)
    """In order of trust: where two disagree about a node's type or name, the earlier wins."""
    threads: int | None = Field(default=None, ge=1)
    """For the table work; all cores if not given."""
    spark: str | None = None
    """Address of a Spark master that merges, such as ``local[2]``; DuckDB merges if not given."""
    memory: str = "3GB"
    """What the table work may hold before it spills to disk."""
    prefixes: dict[PrefixName, OwnPrefix] = {}
    """Prefixes of ids that no registry has, such as those of a hospital."""
    combine: Combine = Combine()
    """How the numbers of several records of an edge become one."""
    max_shrink: float = Field(default=0.5, ge=0, le=1)
    """A source that lost this share of its statements, or more, since the graph was built stops
    the build, as do garbled names; 1: nothing does. A source may have its own."""
    rules: Path | None = None
    """A folder with further consistency rules, one ``.cypher`` file each."""
    without_rules: tuple[str, ...] = ()
    """Names of rules that are not asked."""

    @field_validator("memory")
    @classmethod
    def _is_an_amount(cls, memory: str) -> str:
        if not re.fullmatch(r"\d+(\.\d+)?\s*[KMGT]i?B", memory):
            raise ValueError(f"{memory!r} is no amount of memory; write e.g. 3GB")
        return memory

    @field_validator("sources")
    @classmethod
    def _names_differ(cls, sources: tuple[Source, ...]) -> tuple[Source, ...]:
        names = [source.name for source in sources]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"two sources are named {twice[0]!r}; give one another 'name'")
        return sources

    @field_validator("sources")
    @classmethod
    def _has_names_to_link_with(cls, sources: tuple[Source, ...]) -> tuple[Source, ...]:
        if all(map(_is_text_born, sources)):
            raise ValueError(
                "every source says 'link: true', so none has names to link with; "
                "add a source, or take 'link' out of one"
            )
        return sources

    @field_validator("prefixes")
    @classmethod
    def _are_free(cls, prefixes: dict[str, OwnPrefix]) -> dict[str, OwnPrefix]:
        curies = Curies()
        for prefix in prefixes:
            if (taken := curies.spelling(prefix)) is not None:
                raise ValueError(
                    f"{prefix!r} is taken: ids of {taken} are others' already; name yours otherwise"
                )
        folded = [prefix.casefold() for prefix in prefixes]
        if twice := [prefix for prefix in prefixes if folded.count(prefix.casefold()) > 1]:
            raise ValueError(f"{', '.join(twice)} differ in case alone; keep one of them")
        return prefixes

    @model_validator(mode="after")
    def _have_known_prefixes(self) -> Self:
        with with_own_prefixes(self.prefixes):
            curies = Curies()
        for source in self.sources:
            if not isinstance(source, TableSource | TriplesSource):
                continue
            for prefix in source.prefixes():
                spelling = curies.spelling(prefix)
                if spelling is None:
                    raise ValueError(
                        translate(
                            "source {source!r} puts {prefix!r} before its ids, a prefix that "
                            "Bioregistry has not; list it under 'prefixes', "
                            "{{{prefix}: {{title: what has these ids}}}}",
                            source=source.name,
                            prefix=prefix,
                        )
                    )
                if spelling != prefix:
                    raise ValueError(
                        translate(
                            "source {source!r} puts {prefix!r} before its ids; "
                            "write {spelling!r}, as it is spelled here",
                            source=source.name,
                            prefix=prefix,
                            spelling=spelling,
                        )
                    )
        return self

    @property
    def text_born(self) -> frozenset[str]:
        """Names of the sources whose names are linked with those of the others."""
        return frozenset(source.name for source in self.sources if _is_text_born(source))


def _is_text_born(source: Source) -> bool:
    return bool(getattr(source, "link", False))


def default_config() -> BuildConfig:
    """Sources that need no download: HPO from a Python package, medkg's sample and lists.

    The lists come after the sample, whose Chinese names go first.
    """
    lists = [{"kind": "bridge", "name": name, "list": name} for name in _LISTS]
    return BuildConfig.model_validate({"sources": [{"kind": "hpo"}, {"kind": "sample"}, *lists]})


def read_config(path: Path) -> BuildConfig:
    """Read a build configuration; paths in it are relative to its folder.

    Raises:
        ConfigurationError: the file is missing, not YAML, or has a field that does not fit.
    """
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as e:
        raise ConfigurationError(
            translate(
                "{path}: {why}; give the path of a build configuration, or none for the "
                "sources that medkg brings",
                path=path,
                why=translate(e.strerror or ""),
            )
        ) from e
    except yaml.MarkedYAMLError as e:
        if e.problem_mark is None:
            raise ConfigurationError(
                translate("{path}: not a YAML file: {why}", path=path, why=_one_line(e))
            ) from e
        raise ConfigurationError(
            translate(
                "{path}: line {line}, column {column} is not YAML ({why}); see to the indent of this "
                "line and of those above, and put texts with ': ' or '#' in quotes",
                path=path,
                line=e.problem_mark.line + 1,
                column=e.problem_mark.column + 1,
                why=e.problem,
            )
        ) from e
    except (UnicodeDecodeError, yaml.YAMLError) as e:
        raise ConfigurationError(
            translate("{path}: not a YAML file: {why}", path=path, why=_one_line(e))
        ) from e
    if not isinstance(data, dict) or not isinstance(data.get("sources"), list):
        raise ConfigurationError(
            translate(
                "{path}: lists no sources; write 'sources:' and below it '- kind: KIND' with "
                "its files for each ('medkg sources' lists the kinds)",
                path=path,
            )
        )
    try:
        config = BuildConfig.model_validate(data)
    except ValidationError as e:
        raise ConfigurationError(f"{path}: {_errors(e)}") from e
    return config.model_copy(
        update={
            "sources": tuple(_from_folder(s, path.parent) for s in config.sources),
            "rules": config.rules and path.parent / config.rules.expanduser(),
        }
    )


def _from_folder(source: Source, folder: Path) -> Source:
    paths = {
        name: folder / value.expanduser() for name, value in source if isinstance(value, Path)
    }
    return source.model_copy(update=paths)


def _errors(error: ValidationError) -> str:
    places = [each["loc"] for each in error.errors()]
    messages = [
        f"{'.'.join(map(str, each['loc'])) or translate('the file')}: {_message(each)}"
        for each in error.errors()
        # a list whose items do not fit is called too short besides
        if each["type"] != "too_short"
        or not any(
            len(other) > len(each["loc"]) and other[: len(each["loc"])] == each["loc"]
            for other in places
        )
    ]
    more = len(messages) - _MAX_ERRORS
    shown = translate("; ").join(messages[:_MAX_ERRORS])
    return shown + (translate(" (and {count} more)", count=more) if more > 0 else "")


def _message(error: Mapping[str, Any]) -> str:
    """What is wrong at a place, with the nearest of what may stand there."""
    if error["type"] == "union_tag_invalid":
        kind = error["ctx"]["tag"]
        return translate(
            "no kind of source is called {kind!r}; {near}'medkg sources' lists them",
            kind=kind,
            near=_near(kind, SOURCES),
        )
    if error["type"] == "literal_error":
        return translate(
            "{given!r} is not possible here; take one of {expected}",
            given=error["input"],
            expected=error["ctx"]["expected"].replace(" or ", ", "),
        )
    own = _MESSAGES.get(error["type"])
    message = translate(own) if own else error["msg"].removeprefix("Value error, ")
    if error["type"] == "extra_forbidden":
        *place, name = error["loc"]
        match place:
            case ["sources", int(), str() as kind, *within]:
                known = _settings(model_of(kind), within)
            case _:
                known = _settings(BuildConfig, place)
        near = _near(str(name), known).rstrip()
        return f"{message}{translate('; ')}{near}" if near else message
    return message


def _settings(model: type[BaseModel], place: Sequence[int | str]) -> set[str]:
    """The settings that may stand at a place within those of a model."""
    beside: type[BaseModel] | None = getattr(model, "beside", None)
    fields = {**(beside.model_fields if beside else {}), **model.model_fields}
    if not place:
        return set(fields)
    at, *within = place
    if at not in fields:  # an item of a list, or a key of one's own
        return _settings(model, within)
    models = _models(fields[str(at)].annotation)
    return {name for each in models for name in _settings(each, within)}


def _models(annotation: object) -> Iterator[type[BaseModel]]:
    """The models in an annotation, such as that of ``tuple[Mapping, ...] | None``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for each in get_args(annotation):
        yield from _models(each)


def _near(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, known)
    if not near:
        return ""
    return translate("did you mean {names}? ", names=translate(" or ").join(near))


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
