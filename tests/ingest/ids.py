"""Ids of tests, with what is known of them."""

from ingest.identity import (
    Candidate,
    Identity,
    Match,
    Rule,
    mint,
)
from ingest.names import PREFERRED, TRANSLATED, Name
from kg.linking.symbols import is_symbol
from kg.text import normalise

SOURCES = ("first", "second")


def candidate(
    id_: str, *names: str, kind: str = "Disease", language: str = "en", at: int = 0
) -> Candidate:
    return Candidate(id_, kind, tuple(called(name, language, at) for name in names))


def called(name: str, language: str = "en", at: int = 0, level: int = PREFERRED) -> Name:
    return Name(level, language, normalise(name), at, level == PREFERRED, is_symbol(name))


def match(head: str, tail: str, *, exact: bool = True, at: int = 0) -> Match:
    rule: Rule = "exact match" if exact else "mutual cross-reference"
    return Match(head, rule, tail, at, f"{head} = {tail} (f, row 1)")


def mapped(*ids: str) -> list[Candidate]:
    return [candidate(id_) for id_ in ids]


def merges(identity: Identity) -> list[tuple[str, str, str]]:
    return [(each.id, each.node, each.rule) for each in identity.merged]


def alone(name: str, *more: Name, kind: str = "Symptom", language: str = "zh") -> Candidate:
    id_ = mint(kind, name)
    assert id_ is not None
    return Candidate(id_, kind, (called(name, language, 1), *more))


def of_concept(id_: str, kind: str, *names: Name, concept: str = "C0032285") -> Candidate:
    return Candidate(id_, kind, names, concepts=frozenset({concept}))


def code(id_: str, *names: tuple[str, str]) -> Candidate:
    own = tuple(Name(TRANSLATED, language, name, 0, is_main=True) for language, name in names)
    return Candidate(id_, "Disease", own, mentioned=False)
