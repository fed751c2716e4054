"""Lists of entity types in queries are those of a category of the vocabulary."""

import re

from cypher import load_catalogue
from cypher.parser import parse
from cypher.syntax import RelationshipPattern, parts
from kg.vocabulary import NODE_TYPES, RELATION_TYPES, of_category

_LIST = re.compile(r"\[((?:'\w+'(?:,\s*)?)+)\]")

LISTS = {
    frozenset(of_category("code", "text")),
    frozenset(of_category("qualifier", "code", "text")),
}


def test_lists_with_codes_and_texts_are_whole_categories() -> None:
    seen = set()
    for query in load_catalogue():
        for found in _LIST.findall(query.text):
            names = frozenset(re.findall(r"\w+", found))
            if names <= NODE_TYPES.keys() and names & {"Concept", "Section"}:
                assert names in LISTS, (query.name, sorted(names))
                seen.add(names)
    assert seen == LISTS


def test_questions_that_name_no_relation_leave_out_what_no_source_states() -> None:
    not_facts = {name for name, relation in RELATION_TYPES.items() if not relation.fact}
    asked = 0
    for query in load_catalogue():
        patterns = (
            p for p in parts(parse(query.text).clauses) if isinstance(p, RelationshipPattern)
        )
        if any(not each.types for each in patterns):
            asked += 1
            assert {name for name in not_facts if f"'{name}'" not in query.text} == set(), (
                query.name
            )
    assert asked > 10
