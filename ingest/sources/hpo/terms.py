"""HPO's terms: what hp.obo says of each, and the type its place in the hierarchy gives it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ingest.assertions import Assertion, Quarantined
from ingest.reading import text_lines
from ingest.sources.curies import Curies
from ingest.sources.formats.obo import Stanza, quoted, stanzas, unescape
from ingest.sources.ontology.cross_references import About, cross_reference
from ingest.sources.ontology.hierarchy import branch_types, current_ids
from ingest.sources.ontology.types import TermTypes
from ingest.sources.writing import record_json
from kg.errors import SourceError

FILE: Final = "hp.obo"
TERM: Final = "hp.obo Term"
_ALL: Final = "HP:0000001"


@dataclass(frozen=True)
class Term:
    """A term that is in use."""

    id: str
    name: str
    type: str


@dataclass(frozen=True)
class Ontology:
    """The stanzas of hp.obo and what follows from all of them together."""

    stanzas: tuple[Stanza, ...]
    terms: dict[str, Term]
    """Terms in use, by id; not ``All``, which is of no type."""
    current: dict[str, str]
    """The id to use instead, by an alternative or replaced id."""

    def rows(self) -> dict[str, int]:
        """Stanzas by original relation."""
        counts: dict[str, int] = {}
        for stanza in self.stanzas:
            relation = _original_relation(stanza)
            counts[relation] = counts.get(relation, 0) + 1
        return counts


def load(path: Path) -> Ontology:
    """Read hp.obo.

    Raises:
        SourceError: it is missing, cut off, not UTF-8, or has no HPO term.
    """
    with text_lines(path) as lines:
        found = tuple(stanzas(lines))
    living = {
        identifier: stanza
        for stanza in found
        if (identifier := stanza.one("id")) and not _why_unusable(stanza)
    }
    parents = {identifier: stanza.all("is_a") for identifier, stanza in living.items()}
    types = branch_types(parents, TermTypes.known().branches_of("HP"))
    if not types:
        raise SourceError(
            f"{path}: no term of the Human Phenotype Ontology is in it; download hp.obo again"
        )
    terms = {
        identifier: Term(identifier, unescape(stanza.one("name") or ""), types[identifier])
        for identifier, stanza in living.items()
        if identifier in types
    }
    return Ontology(found, terms, _current(found, terms))


def statements(ontology: Ontology) -> Iterator[Assertion | Quarantined]:
    """What each stanza says, in file order."""
    curies = Curies()
    for stanza in ontology.stanzas:
        reason = _why_unusable(stanza) or _why_untyped(stanza, ontology)
        if reason:
            record = record_json(
                {"kind": stanza.kind, "tags": stanza.tags, "broken": stanza.broken}
            )
            yield Quarantined(FILE, stanza.row, _original_relation(stanza), reason, record)
        else:
            yield from _term(stanza, ontology, curies)


def _original_relation(stanza: Stanza) -> str:
    return f"{FILE} {stanza.kind}"


def _why_unusable(stanza: Stanza) -> str | None:
    if stanza.kind != "Term":
        return f"a {stanza.kind} defines no entity"
    if stanza.broken:
        return f"'{stanza.broken[0][:200]}' is not 'tag: value'"
    if not stanza.one("id") or not stanza.one("name"):
        return "the term has no id or no name"
    if stanza.one("is_obsolete") == "true":
        instead = ", ".join(stanza.all("replaced_by") or stanza.all("consider"))
        return f"obsolete; replaced by {instead}" if instead else "obsolete; nothing replaces it"
    return None


def _why_untyped(stanza: Stanza, ontology: Ontology) -> str | None:
    identifier = stanza.one("id")
    if identifier == _ALL:
        return "the root of all terms stands above every node type"
    if identifier not in ontology.terms:
        return "the term stands below no branch of HPO that has a node type"
    return None


def _current(found: tuple[Stanza, ...], terms: dict[str, Term]) -> dict[str, str]:
    return current_ids(
        ((stanza.one("id") or "", stanza.all("alt_id")) for stanza in found),
        ((stanza.one("id") or "", stanza.all("replaced_by")) for stanza in found),
        terms,
    )


def _term(stanza: Stanza, ontology: Ontology, curies: Curies) -> Iterator[Assertion]:
    term = ontology.terms[stanza.one("id") or ""]
    about = (FILE, stanza.row, TERM, term.id, term.type, term.name)
    yield Assertion(*about, "HAS_NAME", value=term.name, problem=curies.problem(term.id))
    for value in stanza.all("synonym"):
        synonym = quoted(value)
        text, problem = (synonym[0], None) if synonym else (value, "the synonym is not in quotes")
        yield Assertion(*about, "HAS_SYNONYM", value=text, problem=problem)
    for value in stanza.all("def")[:1]:
        definition = quoted(value)
        text, problem = (
            (definition[0], None) if definition else (value, "the definition is not in quotes")
        )
        yield Assertion(*about, "HAS_DEFINITION", value=text, problem=problem)
    for value in stanza.all("xref"):
        yield from cross_reference(about, value.partition(" ")[0], curies)
    for parent in stanza.all("is_a"):
        yield _is_a(about, parent, ontology)


def _is_a(about: About, parent: str, ontology: Ontology) -> Assertion:
    known = ontology.terms.get(ontology.current.get(parent, parent))
    problem = None
    if parent == _ALL:
        problem = "the root of all terms stands above every node type"
    elif known is None:
        problem = f"{parent} is not a term in use"
    return Assertion(
        *about,
        "IS_A",
        tail=known.id if known else parent,
        tail_type=known.type if known else about[4],
        tail_name=known.name if known else None,
        problem=problem,
    )
