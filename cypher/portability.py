"""Rules of the portable subset: what Neo4j and Ladybug answer alike.

Each rule finds what differs, silently or loudly, and names the form that is
the same on both. Neo4j-only files need none of them.
"""

import re
from collections.abc import Callable, Collection, Iterator

from cypher.statement import Clause, Item, Relationship, Statement
from cypher.tokens import Token

Breach = tuple[int, str, str]
"""Place in the stream, what is wrong, the portable form."""

Rule = Callable[[Statement], Iterator[Breach]]

_RESERVED = """
    end all any none single order desc asc case when table column group in default profile
    with on union macro headers exists then else shortest trail acyclic optional unwind create
    distinct null true starts ends and or not xor primary only install glob index
"""
RESERVED = frozenset(_RESERVED.split())
"""Words that Ladybug takes for no variable, alias, parameter or map key."""

_FUNCTIONS = {
    "log": "log10(x), or log10(x) * 3.321928094887362 for base 2",
    "log2": "log10(x) * 3.321928094887362",
    "ln": "log10(x) with a constant factor",
    "exp": "10.0 ^ x with a constant factor in x",
    "substring": "left(), or cut the text in Python",
    "toupper": "kg.text.normalise on the parameter and normal_names in the graph",
    "tolower": "kg.text.normalise on the parameter and normal_names in the graph",
    "reduce": "flat rows, folded in Python",
    "keys": "the columns by name",
    "properties": "the columns by name",
    "id": "the property, n.id",
    "elementid": "the property, n.id",
    "nodes": "flat rows, a MATCH for each step",
    "relationships": "flat rows, a MATCH for each step",
    "startnode": "a directed pattern and its own variable",
    "endnode": "a directed pattern and its own variable",
    "shortestpath": "a file in neo4j_only/",
    "allshortestpaths": "a file in neo4j_only/",
    "rand": "an order by id",
}
_KEYWORDS = {
    "FOREACH": "UNWIND",
    "REMOVE": "SET x.name = null",
    "CALL": "a file in neo4j_only/ for a procedure, a second MATCH for a subquery",
    "UNION": "[:A|B], or two queries whose rows are ordered in Python",
}
_MOST_HOPS = 30
_DENSE_HOPS = 3
_QUANTIFIERS = frozenset({"any", "all", "none", "single"})
_ARITHMETIC = frozenset("+-*/%^")
_AGGREGATES = frozenset({"count", "sum", "min", "max", "avg", "collect"})


def functions(s: Statement) -> Iterator[Breach]:
    """Functions that one engine lacks or computes otherwise."""
    for at, token in enumerate(s.stream):
        form = _FUNCTIONS.get(token.text.lower()) if s.is_call(at) else None
        if form and s.token(at - 1).text != ".":
            yield at, f"{token.text}() differs between the engines", form


def collected(s: Statement) -> Iterator[Breach]:
    """A list is in the order of its rows only where they were put in order before."""
    for clause in s.clauses:
        for at in range(clause.start, clause.end):
            if (
                s.is_call(at)
                and s.token(at).text.lower() == "collect"
                and clause.keyword != "WITH"
            ):
                yield at, "collect() outside WITH", "flat rows, or it in WITH after an ORDER BY"


def keywords(s: Statement) -> Iterator[Breach]:
    """Clauses that one engine lacks."""
    for at, token in enumerate(s.stream):
        if token.upper in _KEYWORDS and not s.is_name(at):
            yield at, f"{token.upper} is not portable", _KEYWORDS[token.upper]


def reserved_words(s: Statement) -> Iterator[Breach]:
    """Names that Ladybug cannot parse."""
    for at, token in enumerate(s.stream):
        if token.name.lower() in RESERVED and _is_own_name(s, at):
            yield at, f"{token.name} is a reserved word of Ladybug", "another name"


def _is_own_name(s: Statement, at: int) -> bool:
    """A parameter, alias, variable or map key; not a keyword or function."""
    token = s.token(at)
    before, after = s.token(at - 1), s.token(at + 1)
    if token.kind == "parameter" or before.upper == "AS" or s.variables.get(token.name) == at:
        return True
    return after.text == ":" and before.text in {"{", ","}


def reused_relationship(s: Statement) -> Iterator[Breach]:
    """One MATCH: Neo4j never takes a relationship twice, Ladybug does."""
    for clause in s.clauses:
        own, different = _own(s, clause), set(map(frozenset, _compared(s, clause)))
        if any(
            _may_be_one(one, other, different) for n, one in enumerate(own) for other in own[:n]
        ):
            yield (
                clause.start,
                "Ladybug may take one relationship twice in a MATCH",
                "a.id <> b.id of their ends, r1 <> r2, or two MATCHes",
            )


def _may_be_one(
    one: Relationship, other: Relationship, different: Collection[frozenset[str]]
) -> bool:
    """Whether one relationship can fit both patterns, though the variables of pairs differ."""
    if one.types and other.types and not one.types & other.types:
        return False
    if one.hops or other.hops:  # one of many: that the ends differ tells nothing
        return True
    if {one.variable, other.variable} in different:
        return False
    (start, end), (first, last) = one.ends, other.ends
    ways = [((start, first), (end, last))]
    if not (one.directed and other.directed):
        ways.append(((start, last), (end, first)))
    return any(not _excluded(way, different) for way in ways)


def _excluded(
    same: tuple[tuple[str, str], tuple[str, str]], different: Collection[frozenset[str]]
) -> bool:
    """Whether two pairs of nodes cannot both be one node each."""
    one, other = map(frozenset, same)
    groups = (one | other,) if one & other else (one, other)
    return any(pair <= group for group in groups for pair in different)


def _compared(s: Statement, clause: Clause) -> Iterator[tuple[str, str]]:
    """The pairs of variables that the WHERE of a clause says to be different."""
    for condition in s.conditions(clause):
        words = [token.text for token in condition]
        match words:
            case [one, "<>" | "<" | ">", other]:
                yield one, other
            case [one, ".", "id", "<>" | "<" | ">", other, ".", "id"]:
                yield one, other
            case _:
                continue


def _own(s: Statement, clause: Clause) -> list[Relationship]:
    return [
        r
        for r in s.relationships
        if clause.keyword == "MATCH" and s.clause_of(r.at).start == clause.start
    ]


def undirected(s: Statement) -> Iterator[Breach]:
    """A self-loop comes twice from Ladybug in an undirected pattern."""
    for r in s.relationships:
        labels = r.left.label, r.right.label
        other_types = "Entity" not in labels and all(labels) and labels[0] != labels[1]
        if not r.directed and not other_types and not _ends_differ(s, r):
            ends = [end.variable or "a" for end in (r.left, r.right)]
            yield (
                r.at,
                "an undirected pattern gives a self-loop twice on Ladybug",
                f"WHERE {ends[0]}.id <> {ends[1]}.id",
            )


def _ends_differ(s: Statement, r: Relationship) -> bool:
    where = [token.text for token in s.where(s.clause_of(r.at))]
    one, other = ([end.variable, ".", "id"] for end in (r.left, r.right))
    wanted = ([*one, "<>", *other], [*other, "<>", *one])
    return any(where[n : n + 7] in wanted for n in range(len(where)))


def undirected_delete(s: Statement) -> Iterator[Breach]:
    """Deleting over an undirected pattern meets each relationship twice."""
    deletes = [clause for clause in s.clauses if clause.keyword == "DELETE"]
    for r in s.relationships:
        if deletes and not r.directed:
            yield r.at, "DELETE over an undirected pattern", "an arrow: (a)-[r]->(b)"


def variable_length(s: Statement) -> Iterator[Breach]:
    """Variable length is trails on one engine, walks on the other."""
    for r in s.relationships:
        if r.hops is None:
            continue
        low, high = r.hops
        if low != 1 or high is None or high > _MOST_HOPS:
            yield r.at, "a variable length without bounds of 1 to at most 30", "*1..30"
        elif not r.directed and not r.types and high >= _DENSE_HOPS:
            yield r.at, "an undirected *1..3 over all relations never ends", "*1..2, or types"
        if not (_path_is_reduced(s) or _folded(s, r)):
            yield (
                r.at,
                "paths of variable length are counted otherwise on Ladybug",
                "RETURN DISTINCT end points, or min(length(p))",
            )


def _path_is_reduced(s: Statement) -> bool:
    if s.returned is None:
        return False
    words = [token.text.lower() for token in s.stream[s.returned.start : s.returned.end]]
    counts = any(
        words[n : n + 2] == ["count", "("] and words[n + 2 : n + 3] != ["distinct"]
        for n in range(len(words))
    )
    shortest = any(words[n : n + 4] == ["min", "(", "length", "("] for n in range(len(words)))
    return (shortest or words[1:2] == ["distinct"]) and not counts


def _folded(s: Statement, r: Relationship) -> bool:
    """The next WITH comes to the same however often a path is met."""
    after = next((c for c in s.clauses if c.keyword == "WITH" and c.start > r.at), None)
    if after is None:
        return False
    if s.token(after.start + 1).upper == "DISTINCT":
        return True
    calls = [
        (s.token(at).text.lower(), s.token(at + 2).upper == "DISTINCT")
        for at in range(after.start, after.end)
        if s.is_call(at) and s.token(at).text.lower() in _AGGREGATES
    ]
    return bool(calls) and all(name in {"min", "max"} or distinct for name, distinct in calls)


def case_branches(s: Statement) -> Iterator[Breach]:
    """``CASE … THEN 1 ELSE 0.5`` gives 0 on Ladybug."""
    for at, token in enumerate(s.stream):
        if token.upper != "CASE" or s.is_name(at):
            continue
        end = next((n for n in range(at, len(s.stream)) if s.token(n).upper == "END"), at)
        results = [
            s.token(n + 1).text
            for n in range(at, end)
            if s.token(n).upper in {"THEN", "ELSE"} and s.token(n + 1).kind == "number"
        ]
        if len({"." in result for result in results}) > 1:
            yield at, "CASE with an integer and a float", "floats in all branches, 1.0 for 1"


def concatenation(s: Statement) -> Iterator[Breach]:
    """A text plus null is null on one engine, the text on the other."""
    for at, token in enumerate(s.stream):
        if token.text != "+":
            continue
        after = s.token(at + 1)
        nullable_right = after.kind == "word" and s.token(at + 2).text == "."
        nullable_left = s.token(at - 2).text == "." and s.token(at - 1).kind == "word"
        texts = "string" in (after.kind, s.token(at - 1).kind)
        if texts and (nullable_left or nullable_right):
            yield at, "a text + null differs between the engines", "coalesce(x.name, '')"


def empty_search(s: Statement) -> Iterator[Breach]:
    """``CONTAINS ''`` differs."""
    for at, token in enumerate(s.stream):
        starts = token.upper == "WITH" and s.token(at - 1).upper in {"STARTS", "ENDS"}
        if (token.upper == "CONTAINS" or starts) and s.token(at + 1).text in {"''", '""'}:
            yield at, "a search for the empty text", "a query without it, chosen in code"


def indexing(s: Statement) -> Iterator[Breach]:
    """Lists and slices count from 1 on Ladybug."""
    for at, token in enumerate(s.stream):
        before = s.token(at - 1)
        subject = before.kind in ("word", "quoted", "parameter") or before.text in {")", "]", "}"}
        keyword = before.upper in {"IN", "AS", "RETURN", "WITH", "UNWIND", "THEN", "ELSE", "WHEN"}
        if token.text == "[" and subject and not keyword:
            yield at, "an index or slice counts from 1 on Ladybug", "UNWIND, or Python"


def sums(s: Statement) -> Iterator[Breach]:
    """``sum()`` of nothing is null on Ladybug."""
    for at, token in enumerate(s.stream):
        inside = [s.token(at - 2).text.lower(), s.token(at - 1).text] == ["coalesce", "("]
        if token.text.lower() == "sum" and s.is_call(at) and not inside:
            yield at, "sum() of nothing is null on Ladybug", "coalesce(sum(x), 0)"


def lists_with_null(s: Statement) -> Iterator[Breach]:
    """``3 IN [1, null]`` differs."""
    for at, token in enumerate(s.stream):
        around = next(s.enclosing(at), None)
        if token.upper == "NULL" and around is not None and s.token(around).text == "[":
            yield at, "IN a list with null differs between the engines", "a list without null"


def regular_expressions(s: Statement) -> Iterator[Breach]:
    """Ladybug's expressions are RE2's."""
    for at, token in enumerate(s.stream):
        pattern = s.token(at + 1)
        foreign = re.search(r"\\\\?[bBdDwWsS1-9]|\(\?", pattern.text) or not pattern.text.isascii()
        if token.text == "=~" and pattern.kind == "string" and foreign:
            yield (
                at,
                "a regular expression beyond RE2 and ASCII",
                "a simple pattern, [0-9] for \\d",
            )


def rounding(s: Statement) -> Iterator[Breach]:
    """Rounding at .5 and the last digits of sums differ."""
    for at, token in enumerate(s.stream):
        if token.text.lower() == "round" and s.is_call(at) and s.token(at + 3).text == ")":
            yield at, "round() at .5 differs between the engines", "round(x, 6)"


def dates(s: Statement) -> Iterator[Breach]:
    """A text is compared with a date by its type only."""
    for at, token in enumerate(s.stream):
        text = s.token(at + 2).kind == "string"
        if token.text.lower() in {"date", "datetime"} and s.is_call(at) and text:
            yield at, "a date written as a text", "a typed parameter: date($day)"


def comprehensions(s: Statement) -> Iterator[Breach]:
    """List and pattern comprehensions, and map projections."""
    for at, token in enumerate(s.stream):
        before, after = s.token(at - 1), s.token(at + 1)
        if token.text == "[" and before.text != "-":
            inner = after.kind == "word" and s.token(at + 2).upper == "IN"
            if inner or (after.text == "(" and _has_bar(s, at)):
                yield at, "a comprehension is not portable", "UNWIND or MATCH, flat rows"
        if token.text == "{" and before.kind == "word" and after.text in {".", "*"}:
            yield at, "a map projection is not portable", "the columns by name"


def _has_bar(s: Statement, at: int) -> bool:
    return any(
        s.token(n).text == "|" and next(s.enclosing(n), None) == at
        for n in range(at, len(s.stream))
    )


def subqueries(s: Statement) -> Iterator[Breach]:
    """EXISTS and COUNT subqueries: MATCH inside, every relationship typed."""
    for at, token in enumerate(s.stream):
        if token.upper not in {"EXISTS", "COUNT"} or s.token(at + 1).text != "{":
            continue
        if s.token(at + 2).upper != "MATCH":
            yield (
                at,
                f"{token.upper} {{ }} without MATCH fails on Ladybug",
                "{ MATCH (a)-[:X]->() }",
            )
        if any(not r.types for r in s.relationships if at + 1 in s.enclosing(r.at)):
            yield at, f"{token.upper} {{ }} over untyped relationships", "[:HAS_SYMPTOM]"


def ordered_with(s: Statement) -> Iterator[Breach]:
    """``WITH … ORDER BY`` needs a LIMIT on Ladybug."""
    for n, clause in enumerate(s.clauses):
        if clause.keyword != "ORDER" or (n and s.clauses[n - 1].keyword != "WITH"):
            continue
        following = [c.keyword for c in s.clauses[n + 1 : n + 3]]
        if "LIMIT" not in following:
            yield clause.start, "WITH … ORDER BY without LIMIT", "LIMIT 1000000000 after it"


def lost_order(s: Statement) -> Iterator[Breach]:
    """Ladybug drops an ORDER BY before an aggregation that groups by nothing, and keeps its LIMIT.

    So a maximum of the first ten is one of any ten, and a list of all is in no order. WITH and
    WHERE between the two do not help; grouping does, or a clause between that makes rows: UNWIND,
    MATCH. This holds for a LIMIT that cuts nothing too, where the list is in no order.
    """
    ordered = False
    for clause in s.clauses:
        if next(s.enclosing(clause.start), None) is not None:  # of a subquery
            continue
        if clause.keyword == "ORDER":
            ordered = True
        elif clause.keyword in {"WITH", "RETURN"}:
            folds = [is_aggregate(s, item) for item in s.items(clause)]
            if ordered and all(folds):
                yield (
                    clause.start,
                    "Ladybug ignores an ORDER BY before an aggregation of all rows",
                    "UNWIND [x] AS y between them, or a key to group by",
                )
            ordered &= not any(folds) and s.token(clause.start + 1).upper != "DISTINCT"
        elif clause.keyword not in {"WHERE", "SKIP", "LIMIT"}:
            ordered = False


def is_aggregate(s: Statement, item: Item) -> bool:
    """Whether an item is made of many rows."""
    return any(
        s.is_call(at) and s.token(at).text.lower() in _AGGREGATES
        for at in range(item.start, item.end)
    )


def parameters(s: Statement) -> Iterator[Breach]:
    """Where Ladybug takes no parameter, or the planner would not see through it."""
    for at, token in enumerate(s.stream):
        if token.kind != "parameter":
            continue
        before, after = s.token(at - 1), s.token(at + 1)
        if before.text in _ARITHMETIC or after.text in _ARITHMETIC:
            yield at, f"arithmetic on {token.text}", "a parameter computed in Python"
        if after.upper == "IS":
            yield at, f"{token.text} IS NULL", "two queries, chosen in code"
        if any(_is_quantifier(s.token(open_ - 1)) for open_ in s.enclosing(at)):
            name = token.name
            yield at, f"{token.text} inside any()", f"WITH ${name} AS wanted, then wanted"


def _is_quantifier(token: Token) -> bool:
    return token.text.lower() in _QUANTIFIERS


def spellings(s: Statement) -> Iterator[Breach]:
    """Names that differ in case only: Ladybug takes them for one."""
    seen: dict[str, str] = {}
    for name, at in s.variables.items():
        first = seen.setdefault(name.lower(), name)
        if first != name:
            yield at, f"{name} and {first} are one variable on Ladybug", "different names"


def map_updates(s: Statement) -> Iterator[Breach]:
    """``SET n += map``."""
    for at, token in enumerate(s.stream):
        if token.text == "+=":
            yield at, "+= is not portable", "SET n.name = row.name for each column"


RULES: tuple[Rule, ...] = (
    functions,
    collected,
    keywords,
    reserved_words,
    reused_relationship,
    undirected,
    undirected_delete,
    variable_length,
    case_branches,
    concatenation,
    empty_search,
    indexing,
    sums,
    lists_with_null,
    regular_expressions,
    rounding,
    dates,
    comprehensions,
    subqueries,
    ordered_with,
    lost_order,
    parameters,
    spellings,
    map_updates,
)
"""Every rule of the portable subset."""
