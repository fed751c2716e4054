"""Counts which sources state a fact: a column for each source, named by its position."""

from collections.abc import Sequence

import ibis
import ibis.expr.types as ir


def columns(sources: Sequence[str]) -> list[str]:
    """Names of the columns that count each source's assertions of a fact."""
    return [f"said_by_{position}" for position in range(len(sources))]


def position(source: ir.StringColumn, sources: Sequence[str]) -> ir.IntegerValue:
    """The place of a source's name among ``sources``."""
    return source.cases(*((name, at) for at, name in enumerate(sources))).cast("int8")


def count_by_source(assertions: ir.Table, sources: Sequence[str]) -> dict[str, ir.IntegerValue]:
    """These columns, for a grouping of ``assertions``."""
    named = zip(columns(sources), sources, strict=True)
    return {name: (assertions.source == source).sum() for name, source in named}


def first_source(facts: ir.Table, sources: Sequence[str]) -> ir.IntegerValue:
    """Position of the first source that states a fact."""
    return ibis.cases(*((facts[name] > 0, at) for at, name in enumerate(columns(sources)))).cast(
        "int8"
    )


def source_names(facts: ir.Table, sources: Sequence[str]) -> ir.ArrayValue:
    """Names of all sources that state a fact, sorted."""
    named = sorted(zip(sources, columns(sources), strict=True))
    if len(named) == 1:
        return ibis.array([ibis.literal(named[0][0])])
    stating = [ibis.ifelse(facts[column] > 0, source, "") for source, column in named]
    return ibis.array(stating).filter(lambda source: source != "")
