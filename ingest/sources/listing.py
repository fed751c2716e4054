"""Describes the kinds of source to users: files, settings and relations."""

from collections.abc import Iterator
from difflib import get_close_matches
from importlib.resources import files
from typing import Any, Final, NamedTuple, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from cypher.translation import translate
from ingest.sources import SOURCES, Source
from ingest.sources.relations import RelationMap
from kg.errors import ConfigurationError

_HEAD: Final = """\
# Kinds of source

What `kind` may be in a build configuration; [sources.md](sources.md) tells how one is
written. A path may be plain or end in `.gz`. `medkg sources KIND` shows the same of one
kind, and what each of its words for relations becomes in the graph.

This page is made by `medkg sources --markdown`.
"""


REQUIRED: Final = "required"
"""In place of the default of a setting that must be given."""


class Setting(NamedTuple):
    """One setting of a kind."""

    name: str
    default: str
    """As it would be written; ``REQUIRED``, or empty if there is none."""
    about: str


class Word(NamedTuple):
    """One of a source's own words for relations."""

    word: str
    says: str
    """Its relation in the graph, or why it has none."""


def settings(kind: str) -> list[Setting]:
    """The settings of a kind, as its model has them.

    Raises:
        ConfigurationError: there is no such kind.
    """
    model = model_of(kind)
    beside: type[BaseModel] | None = getattr(model, "beside", None)
    fields = dict(model.model_fields)
    for name, field in beside.model_fields.items() if beside else ():
        fields.setdefault(name, field)
    return [_setting(name, field) for name, field in fields.items() if name != "kind"]


def words(kind: str) -> list[Word]:
    """The relations of a kind's words; none if the words are those of the graph or of a user.

    Raises:
        ConfigurationError: there is no such kind.
    """
    package_of_kind = model_of(kind).__module__.rpartition(".")[0]
    packages = SOURCES[kind].relations or (package_of_kind,)
    return [word for package in packages for word in _words(package)]


def _words(package: str) -> list[Word]:
    if not (files(package) / "relations.yaml").is_file():
        return []
    relation_map = RelationMap.of(package)
    words = [
        Word(
            word,
            "; or ".join(" ".join(filter(None, (m.head, m.relation, m.tail))) for m in mapped),
        )
        for word, mapped in relation_map.relations.items()
    ]
    words += [Word(word, attribute) for word, attribute in relation_map.attributes.items()]
    return words + [
        Word(word, f"quarantined: {why}") for word, why in relation_map.quarantined.items()
    ]


def page() -> str:
    """All kinds in Markdown."""
    return _HEAD + "".join(line for kind in SOURCES for line in _chapter(kind))


def model_of(kind: str) -> type[BaseModel]:
    """The settings of a kind of source.

    Raises:
        ConfigurationError: there is no such kind.
    """
    models: dict[str, type[BaseModel]] = {
        get_args(model.model_fields["kind"].annotation)[0]: model
        for model in get_args(get_args(Source)[0])
    }
    if kind not in models:
        near = get_close_matches(kind, models)
        hint = (
            translate("did you mean {names}? ", names=translate(" or ").join(near)) if near else ""
        )
        why = "no kind of source is called {kind!r}; {near}'medkg sources' lists them"
        raise ConfigurationError(translate(why, kind=kind, near=hint))
    return models[kind]


def _setting(name: str, field: FieldInfo) -> Setting:
    description = " ".join((field.description or "").replace("``", "`").split())
    return Setting(name, _default(field), description)


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return REQUIRED
    value: Any = field.get_default(call_default_factory=True)
    if value is None or value in ((), {}):
        return ""
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _chapter(kind: str) -> Iterator[str]:
    source_kind = SOURCES[kind]
    yield f"\n## {kind}\n\n{source_kind.title[0].upper()}{source_kind.title[1:]}.\n\n"
    yield f"* needs: {', '.join(f'`{name}`' for name in source_kind.needs) or 'nothing'}\n"
    yield f"* obtained: {source_kind.obtained}\n* licence: {source_kind.licence}\n* cite: {source_kind.citation}\n"
    yield "\n| setting | default | |\n|---|---|---|\n"
    for name, default, what in settings(kind):
        shown = default if default in ("", "required") else f"`{default}`"
        yield f"| `{name}` | {_in_a_cell(shown)} | {_in_a_cell(what)} |\n"


def _in_a_cell(text: str) -> str:
    return text.replace("|", r"\|")
