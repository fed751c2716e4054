"""What the graph says of a thing, and what things are called, in the language that is spoken."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, NamedTuple, cast
from urllib.parse import urlencode

from cypher.translation import CHINESE, spoken, title, translate
from kg.stores.store import Store, Value
from kg.vocabulary import RELATION_TYPES
from qa.subgraph import Node

_LISTED: Final = 8
"""Things with one relation, and synonyms, in what is told of a thing."""
_NOT_MEDICAL: Final = ("HAS_CUI", "HAS_SECTION", "PREDICTED")
"""Relations that say nothing of medicine."""
_NODE_FIELDS: Final = ("id", "name", "name_zh", "type")


class Piece(NamedTuple):
    """A stretch of a text."""

    text: str
    href: str = ""
    """Where it leads; empty: nowhere."""
    mark: str = ""
    """The id of its place, where it is quoted."""


def name_of(node: Node) -> str:
    """What it is called in the language that is spoken, else in the other."""
    chinese = spoken().code == CHINESE
    return node.label(chinese=chinese) or node.name or node.name_zh or node.id


def type_of(node: Node) -> str:
    """What its type is called."""
    return type_in_words(node.type)


def type_in_words(name: str) -> str:
    """What a node type is called."""
    return title("types", name, re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())


def relation_in_words(name: str) -> str:
    """What a relation is called."""
    return title("relations", name, name.replace("_", " ").lower())


def thing_link(id_: str, name: str) -> Piece:
    """A name that leads to what the graph says of the thing."""
    return Piece(name, f"/thing?{urlencode({'id': id_, 'lang': spoken().code})}")


@dataclass(frozen=True)
class ThingView:
    """What the graph says of a thing."""

    id: str
    name: str
    type: str
    names: tuple[str, ...]
    """All others, in both languages."""
    definition: str
    sources: str
    questions: tuple[Piece, ...]
    facts: tuple[tuple[str, tuple[Piece, ...], int], ...]
    """Relation and direction, some things, and how many more there are."""


def thing_of(store: Store, id_: str) -> ThingView | None:
    """A thing by its id; None: the graph has none.

    Raises:
        StoreError: the store failed.
    """
    rows_of_thing = store.query("entity.by_id", entity=id_).dicts()
    if not rows_of_thing:
        return None
    row = rows_of_thing[0]
    node = Node(*(str(row[f"entity_{part}"] or "") for part in _NODE_FIELDS))
    name = name_of(node)
    names = [node.name, node.name_zh, *_names_in(row["synonyms"]), *_names_in(row["synonyms_zh"])]
    relations = [name for name in RELATION_TYPES if name not in _NOT_MEDICAL]
    ends = (
        ("tail", "{relation} →", store.query("entity.tails", head=id_, relations=relations)),
        ("head", "← {relation}", store.query("entity.heads", tail=id_, relations=relations)),
    )
    facts: dict[str, list[Piece]] = {}
    relations_stated = set[str]()
    for end, arrow, rows in ends:
        for fact in rows.dicts():
            relations_stated.add(str(fact["relation"]))
            neighbour = Node(*(str(fact[f"{end}_{part}"] or "") for part in _NODE_FIELDS))
            phrase = arrow.format(relation=relation_in_words(str(fact["relation"])))
            facts.setdefault(phrase, []).append(thing_link(neighbour.id, name_of(neighbour)))
    return ThingView(
        id_,
        name,
        type_of(node),
        tuple(each for each in dict.fromkeys(names) if each and each != name),
        str(row["definition"] or ""),
        translate(", ").join(_names_in(row["sources"])),
        tuple(_question_link(text) for text in _questions(node.type, name, relations_stated)),
        tuple(
            (phrase, tuple(things[:_LISTED]), len(things[_LISTED:]))
            for phrase, things in facts.items()
        ),
    )


def _names_in(value: Value) -> list[str]:
    return [str(each) for each in cast("list[str] | None", value) or ()]


def _question_link(question: str) -> Piece:
    return Piece(question, f"/?{urlencode({'question': question, 'lang': spoken().code})}")


def _questions(type_: str, name: str, relations: Collection[str]) -> list[str]:
    """What can be asked about a thing of a type that has some relations, and is answered by facts."""
    match type_:
        case "Disease":
            relations_by_question = {
                translate("What is {name}?", name=name): relations,
                translate("What are the symptoms of {name}?", name=name): ("HAS_SYMPTOM",),
                translate("What causes {name}?", name=name): ("CAUSED_BY",),
                translate("How is {name} diagnosed?", name=name): ("DIAGNOSED_BY",),
                translate("How is {name} treated?", name=name): ("TREATED_BY", "INDICATED_FOR"),
            }
        case "Symptom":
            relations_by_question = {
                translate("Which diseases cause {name}?", name=name): ("HAS_SYMPTOM",)
            }
        case "Drug":
            relations_by_question = {
                translate("What is {name} used for?", name=name): ("INDICATED_FOR", "TREATED_BY"),
                translate("What are the side effects of {name}?", name=name): (
                    "HAS_ADVERSE_REACTION",
                ),
                translate("Who should not take {name}?", name=name): ("CONTRAINDICATED_FOR",),
            }
        case "Gene":
            associated = translate("Which diseases is the gene {name} associated with?", name=name)
            relations_by_question = {associated: ("ASSOCIATED_WITH",)}
        case _:
            relations_by_question = {}
    return [
        question for question, needed in relations_by_question.items() if {*needed} & {*relations}
    ]


def examples() -> list[Piece]:
    """Questions that show how to ask."""
    return [
        _question_link(translate("What are the symptoms and treatments of gout?")),
        _question_link(translate("What causes asthma?")),
        _question_link(translate("Is aspirin contraindicated in asthma?")),
    ]
