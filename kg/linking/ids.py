"""Resolves names that a user wrote where a query takes ids, or says what they may mean."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cypher import Query
from cypher.translation import translate
from kg.errors import QuestionError
from kg.linking.linker import Linker
from kg.linking.mention import Candidate
from kg.stores.store import Store, Value
from kg.text import normalise

CURIES: Final = "CURIE"
"""How the description of a parameter begins that takes ids."""

_NAME_PARTS: Final = "Part of a name"
"""How the description of one begins that takes part of a name, compared with normalised names."""

_CURIE: Final = re.compile(r"[A-Za-z][\w.]*:\S+", re.ASCII)

_CLINICAL: Final = ("Disease", "Symptom")
_TYPES: Final[Mapping[str, Sequence[str]]] = {
    "absent": ("Symptom", "Disease"),
    "among": _CLINICAL,
    "condition": _CLINICAL,
    "disease": _CLINICAL,
    "diseases": _CLINICAL,
    "drug": ("Drug",),
    "gene": ("Gene",),
    "present": ("Symptom", "Disease"),
    "symptom": ("Symptom", "Disease"),
}
"""Types of the entities that a parameter of that name takes, preferred ones first."""

_MAX_NAMED: Final = 3
"""The most entities that a message names."""


@dataclass(frozen=True)
class Resolved:
    """A name that a user wrote in place of an id, and the entity that it means."""

    parameter: str
    text: str
    id: str
    name: str

    def __str__(self) -> str:
        return f"{self.parameter}: {self.text} is {self.id} ({self.name})"


def resolve_ids(
    store: Store, query: Query, arguments: Mapping[str, Value], linker: Callable[[], Linker]
) -> tuple[dict[str, Value], list[Resolved]]:
    """The arguments with ids where names were given, and which these were.

    An id that only one entity has among its cross-references, e.g. since it was merged, means that
    entity. Parts of names are normalised, as the names of the graph are.

    Args:
        store: the graph.
        query: to be run.
        arguments: as ``Query.parse`` gives them.
        linker: makes the linker of the graph, which is needed only where an id is not in it.

    Raises:
        QuestionError: the graph has no entity of an id, or a name belongs to none or to several;
            the message names the likeliest.
        StoreError: the store failed.
    """
    parts = {p.name for p in query.parameters if p.about.startswith(_NAME_PARTS)}
    arguments = {
        name: normalise(value) if name in parts and isinstance(value, str) else value
        for name, value in arguments.items()
    }
    id_parameters = {p.name for p in query.parameters if p.about.startswith(CURIES)}
    ids = {value for name in id_parameters for value in _texts(arguments.get(name))}
    if not ids:
        return dict(arguments), []
    rows = store.query("entity.labels", entities=sorted(ids)).dicts()
    known = {row["entity_id"] for row in rows}
    if ids <= known:
        return dict(arguments), []
    by_xref = _entities_by_xref(
        store, sorted(text for text in ids - known if _CURIE.fullmatch(text))
    )
    names: Linker | None = None
    resolved: dict[tuple[str, str], Resolved] = {}
    for name in sorted(id_parameters):
        for text in dict.fromkeys(_texts(arguments.get(name))):
            if text in by_xref:
                resolved[name, text] = _by_cross_reference(name, text, by_xref[text])
            elif text not in known:
                names = names or linker()
                resolved[name, text] = _resolve(name, text, names)

    def with_ids(name: str, value: Value) -> Value:
        def id_of(text: str) -> str:
            return resolved[name, text].id if (name, text) in resolved else text

        if isinstance(value, str):
            return id_of(value)
        return [id_of(text) for text in _texts(value)]

    return (
        {n: with_ids(n, value) if n in id_parameters else value for n, value in arguments.items()},
        list(resolved.values()),
    )


def _entities_by_xref(store: Store, ids: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """Ids and names of the entities that have an id among their cross-references."""
    by_xref: dict[str, list[tuple[str, str]]] = {}
    for row in store.query("entity.by_xref", xrefs=list(ids)).dicts() if ids else ():
        entity = str(row["entity_id"]), str(row["entity_name"])
        by_xref.setdefault(str(row["xref"]), []).append(entity)
    return by_xref


def _by_cross_reference(parameter: str, id_: str, entities: Sequence[tuple[str, str]]) -> Resolved:
    """The entity that has an id among its cross-references.

    Raises:
        QuestionError: several have.
    """
    if len(entities) > 1:
        named = ", ".join(f"{entity} ({name})" for entity, name in entities[:_MAX_NAMED])
        raise QuestionError(
            translate(
                "{parameter}: {count} entities refer to {id!r}, {named}; use the id of one of them",
                parameter=parameter,
                count=len(entities),
                id=id_,
                named=named,
            )
        )
    return Resolved(parameter, id_, *entities[0])


def _texts(value: Value) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (item for item in value if isinstance(item, str))


def _is_namesake(one: Candidate, other: Candidate) -> bool:
    """Whether two entities of a type have the same name, so that neither is meant more."""
    return (one.type, one.score, one.name) == (other.type, other.score, other.name)


def _called(entities: Sequence[Candidate], linker: Linker) -> list[str]:
    """What entities are called in the language that is spoken."""
    names = linker.index.spoken_names(entities)
    return [names[entity.id] for entity in entities]


def _resolve(parameter: str, text: str, linker: Linker) -> Resolved:
    """The entity of a name.

    Raises:
        QuestionError: there is none, or not one alone.
    """
    types = _TYPES.get(parameter)
    for allowed in [(type_,) for type_ in types] if types else [None]:
        mention = linker.resolve(text, allowed)
        entity = mention.entity
        if entity and not any(
            _is_namesake(entity, candidate) for candidate in mention.candidates[1:]
        ):
            return Resolved(parameter, text, entity.id, _called([entity], linker)[0])
    if _CURIE.fullmatch(text):
        raise QuestionError(
            translate(
                "{parameter}: nothing in this graph has the id {text}; 'medkg query "
                "entity.find text=NAME' finds ids by parts of names",
                parameter=parameter,
                text=text,
            )
        )
    likeliest = linker.candidates(text, _MAX_NAMED, types)
    what = translate(
        "{parameter}: {text!r} is neither an id in this graph nor the name of one entity",
        parameter=parameter,
        text=text,
    )
    if not likeliest:
        raise QuestionError(translate("{what}; 'medkg link --mention' looks for names", what=what))
    named = translate(", ").join(
        translate("{id} ({name})", id=candidate.id, name=name)
        for candidate, name in zip(likeliest, _called(likeliest, linker), strict=True)
    )
    raise QuestionError(translate("{what}; the likeliest are {named}", what=what, named=named))
