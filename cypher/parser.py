"""Reads the text of a query as its tree (``cypher.syntax``), by recursive descent."""

from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from typing import Literal

from cypher.errors import QueryError
from cypher.syntax import (
    Binary,
    Call,
    Case,
    Clause,
    Constant,
    Expression,
    Foreign,
    IsNull,
    Item,
    Key,
    ListOf,
    MapOf,
    Match,
    NodePattern,
    Parameter,
    Path,
    Procedure,
    Projection,
    Property,
    Quantifier,
    RelationshipPattern,
    Statement,
    Subquery,
    Unary,
    Unwind,
    Variable,
)
from cypher.tokens import Token, closing, code, line_of
from cypher.translation import translate


class NotCypherError(QueryError):
    """The text is no read query of this grammar."""

    def __init__(
        self, text: str, at: int, what: str, instead: str, *, syntax: bool = False
    ) -> None:
        self.line = line_of(text, at)
        super().__init__(f"line {self.line}: {what}; write {instead}")
        self.at = at
        self.what = what
        self.instead = instead
        self.syntax = syntax
        """It is no Cypher at all, rather than Cypher that this grammar leaves out."""


def _ends(clause: Clause) -> bool:
    return isinstance(clause, Projection) and clause.keyword == "RETURN"


_WRITES = frozenset({"CREATE", "MERGE", "SET", "DELETE", "DETACH", "REMOVE", "FOREACH", "DROP"})
_NO_SUBSET = {
    "UNION": "[:A|B], or two queries whose rows are put together in Python",
    "LOAD": "a source of medkg ingest",
    "USE": "one graph",
    "FINISH": "RETURN",
    "FILTER": "WITH … WHERE",
    "LET": "WITH … AS",
    "NEXT": "WITH",
    "SHOW": "medkg queries",
}
_BEYOND = frozenset({
    "!", "&", "((", "*,", "+", "..", "::", "|", "ALL", "ANY", "CYPHER", "EXPLAIN", "NFC", "NFD", "NFKC",
    "NFKD", "NORMALIZED", "NULLS", "PROFILE", "SHORTEST", "TYPED", "USING",
})  # fmt: skip
"""What begins a construct of Neo4j's Cypher that this grammar has not."""
_KEYWORDS = ("LIMIT", "MATCH", "OPTIONAL", "ORDER", "RETURN", "SKIP", "UNWIND", "WHERE", "WITH")
"""What may stand behind a whole clause, for who misspells it."""
_QUANTIFIERS = frozenset({"any", "all", "none", "single"})
_COMPARISONS = frozenset({"=", "<>", "<", ">", "<=", ">="})


def parse(text: str) -> Statement:
    """Read one statement.

    Raises:
        NotCypherError: it is no read query; the message says what stands where, and what to write.
        QueryError: a string, comment or quoted name has no end.
    """
    try:
        return Statement(text, _Parser(text).statement())
    except RecursionError:
        raise NotCypherError(
            text, 0, translate("expressions nested too deeply"), translate("them in several WITHs")
        ) from None


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = code(text)
        self.end = Token("space", "", len(text))
        self.here = 0

    # reading tokens

    def token(self, ahead: int = 0) -> Token:
        place = self.here + ahead
        return self.tokens[place] if place < len(self.tokens) else self.end

    def take(self) -> Token:
        token = self.token()
        self.here += 1
        return token

    def word(self, *words: str) -> bool:
        """Whether these words come next, in any case."""
        return all(self.token(n).upper == word for n, word in enumerate(words))

    def took(self, *words: str) -> bool:
        """Whether these words or symbols came next; they are read then."""
        if all(words[n] in (self.token(n).upper, self.token(n).text) for n in range(len(words))):
            self.here += len(words)
            return True
        return False

    def expect(self, text: str) -> Token:
        if text not in (self.token().text, self.token().upper):
            raise self.fault(translate("{text!r} here", text=text))
        return self.take()

    def name(self, what: str = "") -> str:
        token = self.token()
        if token.kind not in ("word", "quoted") or token.text[0].isdigit():
            raise self.fault(what or translate("a name"))
        return self.take().name

    def fault(self, instead: str, what: str = "") -> NotCypherError:
        """What may not stand here; without ``what`` it is a syntax error, for all that is known."""
        token = self.token()
        group = self.token(-1).text + token.text if token.text in {"(", ","} else ""
        if what or _BEYOND & {token.text, token.upper, group}:
            what = what or translate("{met!r} is not expected", met=token.text)
            return NotCypherError(self.text, token.start, what, instead)
        return self.syntax_error(instead)

    def syntax_error(self, instead: str, what: str = "") -> NotCypherError:
        token = self.token()
        if not what and token.text:
            what = translate("{met!r} is not expected", met=token.text)
        what = what or translate("the statement ends too early")
        return NotCypherError(self.text, token.start, what, instead, syntax=True)

    # clauses

    def statement(self) -> tuple[Clause, ...]:
        clauses = self.clauses()
        last = clauses[-1] if clauses else None
        if self.token().text == ";":
            raise self.fault("one statement without it", "more than one statement, or a semicolon")
        keyword = self.token().upper
        if keyword in _WRITES:
            raise self.fault("a query that only reads", f"{keyword} in a query")
        if keyword in _NO_SUBSET:
            raise self.fault(_NO_SUBSET[keyword], f"{keyword} is not portable")
        if self.token().kind != "space":
            if self.token().text == "!" and self.token(1).text == "=":
                raise self.syntax_error("<>", translate("{met!r} is not expected", met="!="))
            near = get_close_matches(self.token().upper, _KEYWORDS, n=1)
            clause = translate("a clause: MATCH, UNWIND, WITH or RETURN")
            raise self.fault(near[0] if near else clause)
        if last is None or not _ends(last):
            what = translate("there is no RETURN")
            raise self.syntax_error(translate("one at the end"), what)
        return clauses

    def clauses(self) -> tuple[Clause, ...]:
        clauses: list[Clause] = []
        while not (clauses and _ends(clauses[-1])):
            clause = self.clause()
            if clause is None:
                break
            clauses.append(clause)
        return tuple(clauses)

    def clause(self) -> Clause | None:
        at = self.token().start
        if self.took("OPTIONAL", "MATCH"):
            return self.match(at, optional=True)
        if self.took("MATCH"):
            return self.match(at, optional=False)
        if self.took("UNWIND"):
            source = self.expression()
            self.expect("AS")
            return Unwind(at=at, source=source, variable=self.name())
        if self.took("WITH"):
            return self.projection(at, "WITH")
        if self.took("RETURN"):
            return self.projection(at, "RETURN")
        return self.procedure(at) if self.took("CALL") else None

    def match(self, at: int, *, optional: bool) -> Match:
        paths = [self.path()]
        while self.took(","):
            paths.append(self.path())
        where = self.expression() if self.took("WHERE") else None
        return Match(at=at, optional=optional, paths=tuple(paths), where=where)

    def projection(self, at: int, keyword: Literal["WITH", "RETURN"]) -> Projection:
        distinct = self.took("DISTINCT")
        items: list[Item] = []
        if not self.took("*"):
            items.append(self.item())
            while self.took(","):
                items.append(self.item())
        order: list[Key] = []
        if self.took("ORDER", "BY"):
            order.append(self.key())
            while self.took(","):
                order.append(self.key())
        if self.word("OFFSET"):
            raise self.fault("SKIP", "OFFSET is not portable")
        skip = self.expression() if self.took("SKIP") else None
        limit = self.expression() if self.took("LIMIT") else None
        where = self.expression() if keyword == "WITH" and self.took("WHERE") else None
        return Projection(
            at=at,
            keyword=keyword,
            distinct=distinct,
            items=tuple(items),
            order=tuple(order),
            skip=skip,
            limit=limit,
            where=where,
        )

    def item(self) -> Item:
        at = self.token().start
        expression = self.expression()
        written = self.text[at : self.token(-1).end]
        if self.took("AS"):
            return Item(at=at, expression=expression, alias=self.name(), named=True)
        alias = expression.name if isinstance(expression, Variable) else written
        return Item(at=at, expression=expression, alias=alias, named=False)

    def key(self) -> Key:
        at = self.token().start
        expression = self.expression()
        if self.took("DESC") or self.took("DESCENDING"):
            return Key(at=at, expression=expression, descending=True)
        if not self.took("ASC"):
            self.took("ASCENDING")
        return Key(at=at, expression=expression, descending=False)

    def procedure(self, at: int) -> Procedure:
        if self.token().text in {"{", "("}:
            raise self.fault("a second MATCH", "CALL { } is not portable")
        name = [self.name()]
        while self.took("."):
            name.append(self.name())
        arguments = self.arguments() if self.token().text == "(" else ()
        yields = []
        if self.took("YIELD"):
            yields.append(self.name())
            while self.took(","):
                yields.append(self.name())
        return Procedure(at=at, name=".".join(name), arguments=arguments, yields=tuple(yields))

    # patterns

    def path(self) -> Path:
        at, variable, function = self.token().start, "", ""
        if self.token().name and self.token(1).text == "=":
            variable = self.name()
            self.take()
        if self.token().kind == "word" and self.token(1).text == "(":
            function = self.take().text
            self.take()
        nodes, relationships = [self.node()], []
        while self.token().text in {"-", "<"}:
            relationships.append(self.relationship())
            nodes.append(self.node())
        if function:
            self.expect(")")
        return Path(
            at=at,
            variable=variable,
            nodes=tuple(nodes),
            relationships=tuple(relationships),
            function=function,
        )

    def node(self) -> NodePattern:
        at = self.expect("(").start
        variable = self.name() if self.token().name and self.token().kind != "parameter" else ""
        label = ""
        if self.took(":"):
            label = self.name("one type label, (d:Disease)")
            if self.token().text in {"|", "&", ":", "!"}:
                instead = "one label, or WHERE d.type IN ['Disease', 'Symptom']"
                raise self.fault(instead, f"{self.token().text!r} is not expected")
        properties = self.entries() if self.token().text == "{" else ()
        if self.word("WHERE"):
            raise self.fault("WHERE after the patterns", "WHERE inside a node pattern")
        self.expect(")")
        return NodePattern(at=at, variable=variable, label=label, properties=properties)

    def relationship(self) -> RelationshipPattern:
        left = self.took("<")
        at = self.expect("-").start
        variable, types = "", []
        hops: tuple[int | None, int | None] | None = None
        properties: tuple[tuple[str, Expression], ...] = ()
        if self.took("["):
            if self.token().name and self.token().kind != "parameter":
                variable = self.name()
            if self.took(":"):
                types.append(self.name())
                while self.took("|"):
                    self.took(":")
                    types.append(self.name())
            hops = self.hops() if self.took("*") else None
            properties = self.entries() if self.token().text == "{" else ()
            self.expect("]")
        self.expect("-")
        right = self.took(">")
        if left and right:
            raise self.fault("(a)-[r]-(b)", "a relationship with two arrowheads")
        direction: Literal["right", "left", "both"] = "both"
        if left != right:
            direction = "left" if left else "right"
        return RelationshipPattern(
            at=at,
            variable=variable,
            types=tuple(types),
            direction=direction,
            hops=hops,
            properties=properties,
        )

    def hops(self) -> tuple[int | None, int | None]:
        low = self.integer()
        if not self.took(".."):
            return low, low
        return low, self.integer()

    def integer(self) -> int | None:
        return int(self.take().text) if self.token().text.isdecimal() else None

    def entries(self) -> tuple[tuple[str, Expression], ...]:
        self.expect("{")
        entries = []
        while not self.took("}"):
            name = self.name()
            self.expect(":")
            entries.append((name, self.expression()))
            if self.token().text != "}":
                self.expect(",")
        return tuple(entries)

    # expressions, from the weakest operator to the strongest

    def expression(self) -> Expression:
        return self.binary(("OR",), lambda: self.binary(("XOR",), self.conjunction))

    def conjunction(self) -> Expression:
        return self.binary(("AND",), self.negation)

    def negation(self) -> Expression:
        at = self.token().start
        if self.took("NOT"):
            return Unary(at=at, operator="NOT", operand=self.negation())
        return self.binary(_COMPARISONS, self.predicate)

    def binary(
        self, operators: tuple[str, ...] | frozenset[str], operand: Callable[[], Expression]
    ) -> Expression:
        left = operand()
        while self.token().text.upper() in operators:
            operator = self.take().text.upper()
            left = Binary(at=left.at, operator=operator, left=left, right=operand())
        return left

    def predicate(self) -> Expression:
        left = self.sum()
        while True:
            if self.took("IS"):
                negated = self.took("NOT")
                self.expect("NULL")
                left = IsNull(at=left.at, operand=left, negated=negated)
                continue
            operator = next(
                (each for each in _PREDICATES if self.took(*each.split())),
                None,
            )
            if operator is None:
                return left
            left = Binary(at=left.at, operator=operator, left=left, right=self.sum())

    def sum(self) -> Expression:
        return self.binary(("+", "-"), lambda: self.binary(("*", "/", "%"), self.power))

    def power(self) -> Expression:
        return self.binary(("^",), self.signed)

    def signed(self) -> Expression:
        at = self.token().start
        if self.token().text in {"-", "+"}:
            operator = self.take().text
            operand = self.signed()
            if operator == "-" and isinstance(operand, Constant) and operand.text[0] != "-":
                return replace(operand, at=at, text=f"-{operand.text}")
            return Unary(at=at, operator=operator, operand=operand)
        return self.postfix()

    def postfix(self) -> Expression:
        subject = self.atom()
        while True:
            if self.token().text == "." and self.token(1).name:
                self.take()
                subject = Property(at=subject.at, subject=subject, name=self.take().name)
            elif self.token().text == "[":
                subject = self.index(subject)
            elif self.token().text == "(" and isinstance(subject, Property):
                subject = Foreign(
                    at=subject.at,
                    what="a function of one engine",
                    instead="what docs/queries.md lists",
                    operands=self.arguments(),
                )
            elif self.token().text == "{" and isinstance(subject, Variable):
                raise self.fault("the columns by name", "a map projection is not portable")
            elif self.token().text == ":" and isinstance(subject, Variable):
                raise self.fault(
                    "MATCH (d:Type) or d.type = 'Type'", "a label outside a node pattern"
                )
            else:
                return subject

    def index(self, subject: Expression) -> Expression:
        self.expect("[")
        operands = [subject]
        while not self.took("]"):
            if self.took(".."):
                continue
            operands.append(self.expression())
            if self.token().text not in {"]", ".."}:
                raise self.fault(translate("{text!r} here", text="]"))
        return Foreign(
            at=subject.at,
            what="an index or slice counts from 1 on Ladybug",
            instead="UNWIND, or Python",
            operands=tuple(operands),
        )

    def atom(self) -> Expression:
        token = self.token()
        literal = self.literal(token)
        if literal is not None:
            return literal
        if token.text == "[":
            return self.list_of()
        if token.text == "{":
            return MapOf(at=token.start, entries=self.entries())
        if token.text == "(":
            return self.bracketed()
        if token.kind == "quoted":
            return Variable(at=token.start, name=self.take().name)
        if token.kind == "word" and not token.text[0].isdigit():
            return self.worded(token)
        if token.text == "." and self.token(1).kind == "number":
            raise self.fault("a digit before it", "a number that begins with '.'")
        raise self.fault(translate("a value: a column, a parameter, a literal or a function"))

    def literal(self, token: Token) -> Expression | None:
        at = token.start
        if token.kind == "number":
            return self.number()
        if token.kind == "string":
            return Constant(at=at, kind="string", text=self.take().text)
        if token.kind == "parameter":
            return Parameter(at=at, name=self.take().name)
        if token.upper in {"TRUE", "FALSE"}:
            return Constant(at=at, kind="boolean", text=self.take().text)
        if token.upper == "NULL":
            return Constant(at=at, kind="null", text=self.take().text)
        return None

    def bracketed(self) -> Expression:
        """An expression in parentheses, or a pattern as a condition."""
        if self.is_pattern():
            at = self.token().start
            match = Match(at=at, optional=False, paths=(self.path(),), where=None)
            return Subquery(at=at, keyword="EXISTS", clauses=(match,))
        self.take()
        inner = self.expression()
        self.expect(")")
        return replace(inner, bracketed=True)

    def worded(self, token: Token) -> Expression:
        if token.upper == "CASE":
            return self.case()
        if token.upper in {"EXISTS", "COUNT", "COLLECT"} and self.token(1).text == "{":
            return self.subquery()
        if self.token(1).text == "(":
            return self.call()
        return Variable(at=token.start, name=self.take().name)

    def number(self) -> Expression:
        token, after = self.token(), self.token(1)
        if after.kind == "word" and after.start == token.end:
            raise self.fault("it in decimal digits", f"{token.text}{after.text} as a number")
        kind: Literal["integer", "float"] = "integer" if token.text.isdecimal() else "float"
        return Constant(at=token.start, kind=kind, text=self.take().text)

    def is_pattern(self) -> bool:
        """``(a)-[…``, ``(a)--``, ``(a)<-``: parentheses with a node, then a relationship."""
        named = bool(self.token(1).name) and self.token(1).kind != "parameter"
        if self.token(1 + named).text not in {")", ":", "{"}:
            return False
        end = closing(self.tokens, self.here)
        one, two = (
            self.tokens[n].text if n < len(self.tokens) else "" for n in (end + 1, end + 2)
        )
        return one + two in {"-[", "--"} or (
            one + two == "<-"
            and end + 3 < len(self.tokens)
            and self.tokens[end + 3].text in {"[", "-"}
        )

    def list_of(self) -> Expression:
        at = self.expect("[").start
        if self.token().name and self.token(1).upper == "IN":
            raise self.fault("UNWIND or MATCH, flat rows", "a comprehension is not portable")
        if self.token().text == "(" and self.is_pattern():
            raise self.fault("UNWIND or MATCH, flat rows", "a comprehension is not portable")
        items = []
        while not self.took("]"):
            items.append(self.expression())
            if self.token().text != "]":
                self.expect(",")
        return ListOf(at=at, items=tuple(items))

    def case(self) -> Case:
        at = self.expect("CASE").start
        subject = None if self.word("WHEN") else self.expression()
        branches = []
        while self.took("WHEN"):
            condition = self.expression()
            if self.token().text == ",":
                raise self.fault("a WHEN for each", "several values behind WHEN")
            self.expect("THEN")
            branches.append((condition, self.expression()))
        otherwise = self.expression() if self.took("ELSE") else None
        self.expect("END")
        return Case(at=at, subject=subject, branches=tuple(branches), otherwise=otherwise)

    def subquery(self) -> Expression:
        at, keyword = self.token().start, self.take().upper
        self.expect("{")
        if self.token().text == "(":
            what = f"{keyword} {{ }} without MATCH fails on Ladybug"
            raise self.fault("{ MATCH (a)-[:X]->() }", what)
        clauses = self.clauses()
        self.expect("}")
        return Subquery(at=at, keyword=keyword, clauses=clauses)

    def call(self) -> Expression:
        at, name = self.token().start, self.take().text.lower()
        if name in _QUANTIFIERS and self.token(2).upper == "IN":
            self.expect("(")
            variable = self.name()
            self.expect("IN")
            source = self.expression()
            if not self.took("WHERE"):
                raise self.fault(f"{name}(x IN list WHERE …)")
            condition = self.expression()
            self.expect(")")
            return Quantifier(
                at=at, name=name, variable=variable, source=source, condition=condition
            )
        if name == "count" and self.token(1).text == "*":
            self.took("(", "*")
            self.expect(")")
            return Call(at=at, name=name, arguments=())
        distinct = self.token(1).upper == "DISTINCT"
        if name == "reduce" or (self.token(2).upper == "IN" and self.token(1).name):
            raise self.fault("flat rows, folded in Python", f"{name}() over a list")
        return Call(at=at, name=name, arguments=self.arguments(), distinct=distinct)

    def arguments(self) -> tuple[Expression, ...]:
        self.expect("(")
        self.took("DISTINCT")
        arguments = []
        while not self.took(")"):
            arguments.append(self.expression())
            if self.token().text != ")":
                self.expect(",")
        return tuple(arguments)


_PREDICATES = ("STARTS WITH", "ENDS WITH", "CONTAINS", "IN", "=~")
