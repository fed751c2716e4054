"""How a user says which column of a table means what."""

from difflib import get_close_matches
from typing import Annotated, Final, Self

from pydantic import AfterValidator, BaseModel, Field, model_validator

from cypher.translation import translate
from ingest.sources.formats.frequencies import Scale, Unit
from ingest.sources.table.preparation import Column, Step, check_steps, columns_read
from kg.vocabulary import ATTRIBUTES, FACTS, LANGUAGES, NODE_TYPES, RELATION_TYPES

RELATIONS: Final = (*FACTS, *ATTRIBUTES)
SEXES: Final = ("MALE", "FEMALE")


class FromColumn(BaseModel, frozen=True, extra="forbid", coerce_numbers_to_str=True):
    """A value that differs from row to row."""

    column: Column
    values: dict[str, str] | None = None
    """What each of the column's values stands for; one that is not listed
    stands for nothing. Without it they stand for themselves."""

    def outcomes(self) -> tuple[str, ...]:
        """Its possible values, as far as the mapping says."""
        return tuple(self.values.values()) if self.values else ()


Choice = str | FromColumn
"""A constant, or a column."""


def _of(what: str, allowed: tuple[str, ...]) -> AfterValidator:
    def check(choice: Choice) -> Choice:
        for value in (choice,) if isinstance(choice, str) else choice.outcomes():
            if value not in allowed:
                near = get_close_matches(value, allowed, n=1)
                if near:
                    why = "{value!r} is no {what}; did you mean {near}?"
                    raise ValueError(
                        translate(why, value=value, what=translate(what), near=near[0])
                    )
                why = "{value!r} is no {what}; take one of {names}"
                names = ", ".join(allowed)
                raise ValueError(translate(why, value=value, what=translate(what), names=names))
        return choice

    return AfterValidator(check)


node_type_check: Final = _of("node type", tuple(NODE_TYPES))
"""Checks that a choice leads to node types of the vocabulary."""


class End(BaseModel, frozen=True, extra="forbid"):
    """The head or the tail of an assertion."""

    id: Column | None = None
    """Column with the CURIE; one of UMLS is taken for ``cui``."""
    prefix: str | None = Field(default=None, pattern=r"^[^\s:]+$")
    """Put before ids that have no prefix, e.g. OMIM."""
    name: Column | None = None
    """Column with the name."""
    cui: Column | None = None
    """Column with the UMLS concept of this end, C0018099 or UMLS:C0018099."""
    type: Annotated[Choice, node_type_check]
    """Node type, or the column that has it."""

    @model_validator(mode="after")
    def _is_named(self) -> Self:
        if self.id is None and self.name is None:
            besides = ", beside its 'cui'" if self.cui else ""
            raise ValueError(f"name the column of its 'id', its 'name', or both{besides}")
        return self

    def columns(self) -> tuple[str, ...]:
        """The columns that identify it."""
        return tuple(filter(None, (self.id, self.name, self.cui)))


class Swap(BaseModel, frozen=True, extra="forbid", coerce_numbers_to_str=True):
    """In which rows head and tail stand the other way round."""

    column: Column
    values: dict[str, bool]
    """For each of the column's values whether it swaps them; ``""`` is a blank cell."""


class Frequency(BaseModel, frozen=True, extra="forbid"):
    """How often a fact holds."""

    column: Column
    unit: Unit = "hpo"
    """Of numbers without a sign: fraction, percent, per-1000, per-10000, per-100000; ``hpo``: there
    are none, but n/m, 17%, words and HPO's terms, which are read whatever the unit."""
    words: Scale | None = None
    """Whose ranges words such as common have: ``cioms``, that of package leaflets, or ``hpo``; the
    first for HAS_ADVERSE_REACTION and the second for all others if not given."""


class Publications(BaseModel, frozen=True, extra="forbid"):
    """Where a fact was published."""

    column: Column
    separator: str = Field(default=";", min_length=1)
    """Between the publications of one row."""
    prefix: str | None = Field(default=None, pattern=r"^[^\s:]+$")
    """Put before those that have no prefix, e.g. PMID."""


class Mapping(BaseModel, frozen=True, extra="forbid", use_attribute_docstrings=True):
    """The assertion of a row: one edge, or one attribute of its head."""

    head: End
    """The head of the row's assertion: columns with its id, its name, and its type."""
    relation: Annotated[Choice, _of("relation", RELATIONS)]
    """A relation type or attribute of the vocabulary, or the column that has it."""
    tail: End | None = None
    """The tail; for edges only."""
    value: Column | None = None
    """For attributes: the column with the literal."""
    language: Annotated[Choice, _of("language", LANGUAGES)] = "en"
    """Language of the names and the value."""
    frequency: Frequency | None = None
    """Column with the frequency of the fact, the unit of its numbers, and whose ranges its words
    have: `{column: c, unit: percent, words: cioms}`."""
    publications: Publications | None = None
    """Column with where the fact was published, and what separates several."""
    evidence: Choice | None = None
    """Evidence code, or the column that has it."""
    onset: Choice | None = None
    """Age of onset, or the column that has it."""
    sex: Annotated[Choice, _of("sex", SEXES)] | None = None
    """The sex that the fact is of, MALE or FEMALE, or the column that has it."""
    weight: Column | None = None
    """Column with a number."""
    swap: Swap | None = None
    """Column that says in which rows the columns of head and tail are swapped."""
    prepare: tuple[Step, ...] = ()
    """Steps before the mapping: trim, fill_down, split, extract, constant."""

    @model_validator(mode="after")
    def _can_be_prepared(self) -> Self:
        check_steps(self.prepare)
        return self

    @model_validator(mode="after")
    def _can_be_swapped(self) -> Self:
        if self.swap is None:
            return self
        if self.tail is None:
            raise ValueError("'swap' is for edges, and there is no 'tail'")
        if isinstance(self.head.type, str) != isinstance(self.tail.type, str):
            raise ValueError(
                "with 'swap' the types of both ends are constants, or both are columns"
            )
        return self

    @model_validator(mode="after")
    def _has_its_parts(self) -> Self:
        relation = self.relation
        names = (relation,) if isinstance(relation, str) else relation.outcomes()
        if self.tail is None and (self.value is None or set(names) & set(RELATION_TYPES)):
            raise ValueError("an edge needs a 'tail'")
        if self.value is None and set(names) & set(ATTRIBUTES):
            raise ValueError("an attribute needs a 'value', the column with the literal")
        return self

    @model_validator(mode="after")
    def _connects(self) -> Self:
        if not isinstance(self.relation, str) or self.tail is None:
            return self
        relation = RELATION_TYPES.get(self.relation)
        if relation is None:
            return self
        for side, end, allowed in (
            ("head", self.head, relation.domain),
            ("tail", self.tail, relation.range),
        ):
            if isinstance(end.type, str) and end.type not in allowed:
                raise ValueError(
                    f"{relation.name} takes no {end.type} for {side}; "
                    f"it takes {', '.join(sorted(allowed))}"
                )
        return self

    def texts(self) -> list[str]:
        """The columns with names, in which a number or a list is not a name."""
        names = [end.name for end in (self.head, self.tail) if end]
        return [*filter(None, [*names, self.value])]

    def columns(self, before: tuple[Step, ...] = ()) -> list[str]:
        """Every column of the file that it needs, after steps that went before its own."""
        ends = [end for end in (self.head, self.tail) if end]
        choices = [self.relation, self.language, self.evidence, self.onset, self.sex]
        choices += [end.type for end in ends]
        named = [*(column for end in ends for column in end.columns()), self.value, self.weight]
        named += [choice.column for choice in choices if isinstance(choice, FromColumn)]
        parts = (self.frequency, self.publications, self.swap)
        named += [part.column for part in parts if part]
        return columns_read((*before, *self.prepare), [*filter(None, named)])
