"""Random queries, most of them in the portable subset, as hypothesis draws them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from cypher import Parameter, Query
from cypher.header import ResultColumn
from cypher.values import Value
from tests.cypher.nasty_graph import NAMES, RELATIONS

T = TypeVar("T")

LABELS = ("Entity", "Entity", "Disease", "Symptom", "Drug", "")
NODE_TEXTS = ("id", "type", "name", "name_zh", "definition", "layer")
NODE_LISTS = ("synonyms", "sources")
EDGE_TEXTS = ("publications", "onset", "sex")
EDGE_NUMBERS = ("frequency", "score", "weight")
PATTERNS = ("'.*o.*'", "'[Gg]out'", "'.'", "'a|b.*'", "'.*[0-9]+.*'", "''", "'.*(e|x)'")
FLOATS = ("0.0", "1.0", "0.5", "-2.5", "0.3", "1e10")
INTEGERS = ("0", "1", "2", "-3", "7")
PARAMETERS: dict[str, tuple[str, st.SearchStrategy[Value]]] = {
    "text": ("string", st.sampled_from(NAMES)),
    "texts": ("list of string", st.lists(st.sampled_from(NAMES), max_size=3)),
    "number": ("integer", st.integers(-3, 3)),
    "fraction": ("float", st.sampled_from([0.0, 0.3, 0.5, 1.0])),
    "most": ("integer", st.integers(0, 6)),
}


@dataclass
class Writer:
    """Writes one query; what it has bound is in ``nodes``, ``edges`` and ``values``."""

    draw: DrawFn
    nodes: list[str] = field(default_factory=list)
    edges: list[str] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)
    """Kind by alias: text, integer, float, boolean, list."""
    clauses: list[str] = field(default_factory=list)
    made: int = 0
    sure: bool = True
    """The bound nodes and relationships are not null."""

    def one(self, of: Sequence[T]) -> T:
        return self.draw(st.sampled_from(of))

    def chance(self, per_cent: int) -> bool:
        return self.draw(st.integers(0, 99)) < per_cent

    def new(self, letter: str) -> str:
        self.made += 1
        return f"{letter}{self.made}"

    # patterns

    def match(self, *, optional: bool = False) -> None:
        written: list[str] = []
        conditions: list[str] = []
        nodes, edges = list(self.nodes), list[str]()
        for _ in range(1 if self.chance(75) else 2):
            text, apart = self.path(nodes, edges)
            written.append(text)
            conditions += apart
        self.nodes, old_edges, self.edges = nodes, self.edges, edges or self.edges
        if self.chance(35):
            conditions.append(self.condition(2))
        self.edges = [*old_edges, *(e for e in edges if e not in old_edges)]
        keyword = "OPTIONAL MATCH" if optional else "MATCH"
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        self.clauses.append(f"{keyword} {', '.join(written)}{where}")

    def path(self, nodes: list[str], edges: list[str]) -> tuple[str, list[str]]:
        steps = self.one([0, 1, 1, 1, 2])
        start, text = self.node(nodes if steps else [])
        nodes += [] if start in nodes else [start]
        ends, apart = [start], []
        for _ in range(steps):
            relation, edge, undirected = self.relationship()
            end, node = self.node(nodes)
            text += relation + node
            if edge:
                edges.append(edge)
            if undirected or self.chance(15):
                apart.append(f"{ends[-1]}.id <> {end}.id")
            ends.append(end)
        if len(ends) > 2 and self.chance(85):
            apart.append(f"{ends[0]}.id <> {ends[2]}.id")
        return text, apart

    def node(self, nodes: list[str]) -> tuple[str, str]:
        if nodes and self.chance(45):
            name = self.one(nodes)
            return name, f"({name})"
        name = self.new("n")
        nodes.append(name)
        label = self.one(LABELS)
        entry = ""
        if self.chance(12):
            entry = f" {{{self.one(['name', 'id', 'layer'] if label not in {'', 'Entity'} else ['name', 'type', 'id'])}: {self.text(0)}}}"
        return name, f"({name}{':' + label if label else ''}{entry})"

    def relationship(self) -> tuple[str, str, bool]:
        types = "|".join(
            dict.fromkeys(self.one(RELATIONS) for _ in range(self.one([0, 1, 1, 1, 2])))
        )
        left, right = self.one([("-", "->"), ("-", "->"), ("<-", "-"), ("-", "-")])
        hops = "*1..3" if types and self.chance(12) else ""
        name = "" if hops or self.chance(30) else self.new("r")
        inside = f"{name}{':' + types if types else ''}{hops}"
        return f"{left}[{inside}]{right}", name, left + right == "--"

    # expressions

    def condition(self, depth: int) -> str:
        forms: list[Callable[[], str]] = [
            lambda: f"{self.text(depth)} {self.one(['=', '<>', '<', '>='])} {self.text(depth)}",
            lambda: f"{self.integer(depth)} {self.one(['=', '<', '>='])} {self.integer(depth)}",
            lambda: (
                f"{self.decimal(depth)} {self.one(['=', '<>', '<', '>='])} {self.decimal(depth)}"
            ),
            lambda: f"{self.text(depth)} IN {self.texts(depth)}",
            lambda: f"{self.text(depth)} IS {self.one(['', 'NOT '])}NULL",
            lambda: (
                f"{self.text(1)} {self.one(['CONTAINS', 'STARTS WITH', 'ENDS WITH'])}"
                f" {self.one(['$text', repr('o'), repr('a'), repr('痛')])}"
            ),
            lambda: f"{self.text(1)} =~ {self.one(PATTERNS)}",
            lambda: (
                f"{self.one(['any', 'all', 'none', 'single'])}(x IN {self.texts(1)}"
                f" WHERE x {self.one(['=', '<>'])} {self.sure_text()})"
            ),
        ]
        if self.nodes:
            forms.append(self.exists)
        if depth:
            forms += [
                lambda: f"({self.condition(depth - 1)} AND {self.condition(depth - 1)})",
                lambda: f"({self.condition(depth - 1)} OR {self.condition(depth - 1)})",
                lambda: f"NOT {self.condition(depth - 1)}",
                lambda: f"({self.condition(depth - 1)} XOR {self.condition(0)})",
            ]
        return self.one(forms)()

    def sure_text(self) -> str:
        """A text that is never null."""
        names = [f"{name}.name" for name in self.nodes]
        return self.one(["'a'", "'gout'", "''", "'痛风'", *names])

    def exists(self) -> str:
        name, other = self.one(self.nodes), self.new("s")
        left, right = self.one([("-", "->"), ("<-", "-")])
        hops = self.one(["", "", "", "*1..2"])
        pattern = (
            f"({name}){left}[:{self.one(RELATIONS)}{hops}]{right}({other}:{self.one(LABELS[:4])})"
        )
        form = self.one(["EXISTS", "EXISTS", "COUNT", "pattern"])
        if form == "pattern":
            return pattern.replace(other, "")
        where = f" WHERE {other}.name <> {self.sure_text()}" if self.chance(40) else ""
        query = f"{form} {{ MATCH {pattern}{where} }}"
        return query if form == "EXISTS" else f"{query} > {self.one(INTEGERS)}"

    def text(self, depth: int) -> str:
        forms: list[Callable[[], str]] = [
            lambda: "$text",
            lambda: self.one(["'gout'", "'a'", "''", "'Fever'", "'痛风'"]),
        ]
        if self.nodes:
            forms += 3 * [lambda: f"{self.one(self.nodes)}.{self.one(NODE_TEXTS)}"]
        if self.edges:
            forms += [
                lambda: f"{self.one(self.edges)}.{self.one(EDGE_TEXTS)}",
                lambda: f"type({self.one(self.edges)})",
            ]
        forms += self.named("text")
        if depth:
            forms += [
                lambda: f"coalesce({self.text(0)}, {self.text(0)})",
                lambda: f"coalesce({self.text(0)}, '-') + coalesce({self.text(0)}, '')",
                lambda: f"coalesce({self.text(0)}, '') + ' and ' + coalesce({self.text(0)}, '')",
                lambda: (
                    f"CASE WHEN {self.condition(depth - 1)} THEN {self.text(0)} ELSE {self.text(0)} END"
                ),
                lambda: f"CASE {self.text(0)} WHEN {self.text(0)} THEN {self.text(0)} END",
            ]
        return self.one(forms)()

    def integer(self, depth: int) -> str:
        forms: list[Callable[[], str]] = [lambda: self.one(INTEGERS), lambda: "$number"]
        if self.nodes:
            forms.append(lambda: f"size({self.one(self.nodes)}.{self.one(NODE_LISTS)})")
        forms += self.named("integer")
        if depth:
            forms += [
                lambda: f"({self.integer(depth - 1)} {self.one('+-*')} {self.integer(0)})",
                lambda: f"{self.integer(0)} {self.one('/%')} {self.one(['2', '-3'])}",
                lambda: f"abs({self.integer(0)})",
                lambda: f"CASE WHEN {self.condition(0)} THEN 1 ELSE {self.integer(0)} END",
            ]
        return self.one(forms)()

    def decimal(self, depth: int) -> str:
        forms: list[Callable[[], str]] = [lambda: self.one(FLOATS), lambda: "$fraction"]
        if self.edges:
            forms += 3 * [lambda: f"{self.one(self.edges)}.{self.one(EDGE_NUMBERS)}"]
        forms += self.named("float")
        if depth:
            forms += [
                lambda: f"({self.decimal(depth - 1)} {self.one('+-*')} {self.decimal(0)})",
                lambda: f"{self.decimal(0)} / {self.one(['2.0', '-0.3', '3'])}",
                lambda: f"{self.one(['abs', 'floor', 'ceil'])}({self.decimal(0)})",
                lambda: f"toFloat({self.integer(0)})",
                lambda: f"floor(log10(1.5 + abs({self.decimal(0)})) * 1000.0 + 0.5) / 1000.0",
                lambda: f"coalesce({self.decimal(0)}, {self.one(FLOATS)})",
                lambda: (
                    f"CASE WHEN {self.condition(0)} THEN {self.decimal(0)} ELSE {self.decimal(0)} END"
                ),
            ]
        return self.one(forms)()

    def texts(self, depth: int) -> str:
        forms: list[Callable[[], str]] = [lambda: "$texts", lambda: "['a', 'gout', '']"]
        if self.nodes:
            forms += 2 * [lambda: f"{self.one(self.nodes)}.{self.one(NODE_LISTS)}"]
        forms += self.named("list")
        if depth:
            forms.append(lambda: f"({self.texts(0)} + {self.texts(0)})")
        return self.one(forms)()

    def named(self, kind: str) -> list[Callable[[], str]]:
        names = [name for name, of in self.values.items() if of == kind]
        return 2 * [lambda: self.one(names)] if names else []

    def value(self) -> tuple[str, str]:
        kind = self.one(["text", "text", "integer", "float", "boolean"])
        if kind == "boolean":
            return kind, self.condition(1)
        return kind, {"text": self.text, "integer": self.integer, "float": self.decimal}[kind](1)

    # clauses

    def unwind(self) -> None:
        name = self.new("u")
        self.clauses.append(f"UNWIND {self.texts(1)} AS {name}")
        self.values[name] = "text"

    def project(self) -> None:
        """WITH: as it is, DISTINCT, gathered, or the first of an order."""
        form = self.one(["plain", "distinct", "gather", "first"])
        kept = [name for name in self.nodes if self.chance(60)]
        items = list(kept)
        values: dict[str, str] = {}
        for _ in range(self.one([0, 1, 1, 2])):
            kind, text = self.value()
            name = self.new("v")
            items.append(f"{text} AS {name}")
            values[name] = kind
        if form == "gather":
            self.gather(items, values)
        if not items:
            items = [f"1 AS {self.new('v')}"]
        clause = f"WITH {'DISTINCT ' if form == 'distinct' else ''}{', '.join(items)}"
        self.nodes, self.edges, self.values = kept, [], values
        if form == "first":
            keys = [f"{name}.id" for name in kept] + [n for n, k in values.items() if k != "list"]
            if keys:
                clause += f" ORDER BY {', '.join(self.direction(k) for k in keys)} LIMIT {self.one(['3', '$most', '1000'])}"
        if self.chance(30):
            clause += f" WHERE {self.condition(1)}"
        self.clauses.append(clause)

    def gather(self, items: list[str], values: dict[str, str]) -> None:
        for _ in range(self.one([1, 1, 2])):
            name = self.new("g")
            kind, write = self.one(self.aggregates())
            text = write()
            items.append(f"{text} AS {name}")
            values[name] = kind

    def aggregates(self) -> list[tuple[str, Callable[[], str]]]:
        places = "* 10000.0 + 0.5) / 10000.0"
        return [
            ("integer", lambda: "count(*)"),
            ("integer", lambda: f"count({self.one(['', 'DISTINCT '])}{self.text(1)})"),
            ("integer", lambda: f"coalesce(sum({self.integer(1)}), 0)"),
            ("float", lambda: f"floor(coalesce(sum({self.decimal(0)}), 0.0) {places}"),
            ("float", lambda: f"floor(avg({self.decimal(0)}) {places}"),
            ("text", lambda: f"{self.one(['min', 'max'])}({self.text(1)})"),
            ("float", lambda: f"{self.one(['min', 'max'])}({self.decimal(1)})"),
            ("list", lambda: f"collect({self.one(['', 'DISTINCT '])}{self.text(1)})"),
        ]

    def direction(self, key: str) -> str:
        return f"{key} DESC" if self.chance(25) else key

    def answer(self) -> list[str]:
        """RETURN: columns in an order that tells all rows apart, or one row."""
        values: dict[str, str] = {}
        items = []
        for name in self.nodes:
            alias = self.new("c")
            items.append(f"{name}.id AS {alias}")
            values[alias] = "text"
        for name in list(self.values):
            if self.values[name] != "list" or self.chance(20):
                items.append(name)
                values[name] = self.values[name]
        for _ in range(self.one([0, 1, 2])):
            kind, text = self.value()
            alias = self.new("c")
            items.append(f"{text} AS {alias}")
            values[alias] = kind
        form = self.one(["plain", "plain", "distinct", "gather", "one"])
        if form in {"gather", "one"}:
            if form == "one":
                items, values = [], {}
            self.gather(items, values)
        if not items:
            items, values = ["1 AS c0"], {"c0": "integer"}
        clause = f"RETURN {'DISTINCT ' if form == 'distinct' else ''}{', '.join(items)}"
        if form != "one":
            clause += self.order([name for name, kind in values.items() if kind != "list"])
        self.clauses.append(clause)
        return list(values)

    def order(self, keys: list[str]) -> str:
        """ORDER BY, SKIP, LIMIT; a key may be missing, so that rows may tie."""
        if not keys:
            return ""
        if self.chance(30):
            keys = self.draw(st.permutations(keys))
        keys = keys[:-1] if self.chance(25) and len(keys) > 1 else keys
        clause = f" ORDER BY {', '.join(self.direction(key) for key in keys)}"
        if self.chance(20):
            clause += f" SKIP {self.one(['1', '2', '$most'])}"
        if self.chance(20):
            clause += f" LIMIT {self.one(['1', '4', '$most'])}"
        return clause


@st.composite
def queries(draw: DrawFn) -> tuple[Query, dict[str, Value]]:
    """A query, which may or may not be portable, and its arguments."""
    writer = Writer(draw)
    steps = draw(
        st.lists(st.sampled_from(["match", "match", "optional", "unwind", "with"]), max_size=3)
    )
    writer.match()
    for step in steps:
        match step:
            case "match":
                writer.match()
            case "optional":
                writer.match(optional=True)
            case "unwind":
                writer.unwind()
            case "with":
                writer.project()
    columns = writer.answer()
    text = "\n".join(writer.clauses)
    used = [name for name in PARAMETERS if f"${name}" in text]
    arguments = {name: draw(PARAMETERS[name][1]) for name in used}
    query = Query(
        name="random",
        title="A random question",
        parameters=tuple(Parameter(name, PARAMETERS[name][0], "") for name in used),
        columns=tuple(ResultColumn(name, "string") for name in columns),
        order=(),
        engines=frozenset({"embedded", "neo4j"}),
        text=text,
        path=Path("random.cypher"),
    )
    return query, arguments
