"""Triples in JSON, in every form that CMeKG and its tools have.

* ``["高血压", "药物治疗", "硝苯地平"]``
* ``{"head": …, "relation": …, "tail": …}`` under any usual names, with types or without
* ``{"text": …, "spo_list": […]}``: training data and results of CMeKG_tools (``triples``
  there), and CMeIE's, whose objects are ``{"@value": …}``
* ``{"名称": "高血压", "药物治疗": ["硝苯地平"], …}``: an entity of the site with its words, or
  ``{"疾病": [ … ]}``, a list of such entities under their type
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ingest.sources.cmekg.names import TYPE_WORDS

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "head": ("head", "subject", "h", "subj", "head_name", "头实体", "主体", "实体", "实体1"),
    "relation": ("relation", "predicate", "r", "rel", "关系", "属性", "谓词"),
    "tail": ("tail", "object", "t", "obj", "tail_name", "尾实体", "客体", "值", "属性值", "实体2"),
    "head_type": ("head_type", "subject_type", "头实体类型", "主体类型"),
    "tail_type": ("tail_type", "object_type", "尾实体类型", "客体类型"),
}
"""Names of the parts of a triple."""

_LISTS: Final = ("spo_list", "triples")
_NAME: Final = "名称"
_TRIPLE_SIZE: Final = 3


class Triple(NamedTuple):
    """A triple as it is written."""

    head: str
    relation: str
    tail: str
    head_type: str | None = None
    tail_type: str | None = None
    text: str | None = None
    """The sentence that states it."""


class NotATriple(NamedTuple):
    """What is no triple, and why."""

    reason: str


def triples(value: object) -> Iterator[Triple | NotATriple]:
    """The triples of one JSON value; at least one item."""
    if isinstance(value, list):
        yield _triple_of_list(value)
    elif isinstance(value, dict):
        yield from _triples_of_object(value)
    else:
        yield NotATriple("neither an object nor a list of three texts")


def _triples_of_object(value: Mapping[str, Any]) -> Iterator[Triple | NotATriple]:
    listed = next((value[name] for name in _LISTS if name in value), None)
    if isinstance(listed, list):
        text = value.get("text")
        sentence = text if isinstance(text, str) and text.strip() else None
        for item in listed:
            item_triples = (
                _triple_of_list(item) if isinstance(item, list) else _triple_of_object(item)
            )
            yield (
                item_triples._replace(text=sentence)
                if isinstance(item_triples, Triple)
                else item_triples
            )
        if not listed:
            yield NotATriple("the text has no triples")
    elif _NAME in value:
        yield from _triples_of_entity(value, None)
    elif len(value) == 1 and (group := next(iter(value))) in TYPE_WORDS:
        yield from _triples_of_group(group, value[group])
    else:
        yield _triple_of_object(value)


def _triple_of_list(value: Sequence[object]) -> Triple | NotATriple:
    texts = [one for one in value if isinstance(one, str)]
    if len(texts) == len(value) == _TRIPLE_SIZE:
        return Triple(*texts)
    return NotATriple("not a list of three texts")


def _triple_of_object(value: object) -> Triple | NotATriple:
    if not isinstance(value, dict):
        return NotATriple("neither an object nor a list of three texts")
    parts = {part: _part(value, names) for part, names in COLUMNS.items()}
    head, relation, tail, head_type, tail_type = parts.values()
    if head is None or relation is None or tail is None:
        missing = [part for part in ("head", "relation", "tail") if parts[part] is None]
        return NotATriple(f"no text for {', '.join(missing)} is in it")
    return Triple(head, relation, tail, head_type, tail_type)


def _part(value: Mapping[str, Any], names: Sequence[str]) -> str | None:
    content = next((value[name] for name in names if name in value), None)
    if isinstance(content, dict):
        content = content.get("@value")
    return content if isinstance(content, str) else None


def _triples_of_group(group: str, entities: object) -> Iterator[Triple | NotATriple]:
    if not isinstance(entities, list) or not entities:
        yield NotATriple(f"no list of entities stands under {group!r}")
        return
    for entity in entities:
        if isinstance(entity, dict) and _NAME in entity:
            yield from _triples_of_entity(entity, group)
        else:
            yield NotATriple(f"the entity has no {_NAME!r}")


def _triples_of_entity(
    entity: Mapping[str, Any], node_type: str | None
) -> Iterator[Triple | NotATriple]:
    """An entity's words; its name is a text or a list of one."""
    names = _texts(entity[_NAME])
    triples_of_entity = [
        Triple(names[0], word, tail, node_type) if isinstance(tail, str) else _VALUE_IS_NO_TEXT
        for word, tails in entity.items()
        if names and word != _NAME
        for tail in (tails if isinstance(tails, list) else [tails])
    ]
    yield from triples_of_entity or [NotATriple("the entity has no name, or no words")]


def _texts(value: object) -> list[str]:
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]


_VALUE_IS_NO_TEXT: Final = NotATriple("a value of the entity is no text")
