"""A statement's parts as the linter reads them: clauses, relationships, projected items."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from cypher.tokens import Token, closing, code, line_of

NOTHING = Token("space", "", 0)

_OPENING = {")": "(", "]": "[", "}": "{"}
_CLAUSES = frozenset({
    "MATCH", "WITH", "RETURN", "UNWIND", "CALL", "UNION", "CREATE", "MERGE", "SET", "DELETE",
    "REMOVE", "FOREACH", "ORDER", "LIMIT", "SKIP", "WHERE",
})  # fmt: skip


@dataclass(frozen=True)
class Clause:
    """A clause: its keyword, and where its tokens are."""

    keyword: str
    start: int
    """Place of the keyword in the stream."""
    end: int
    """Place after the last token."""


@dataclass(frozen=True)
class Node:
    """One end of a relationship pattern."""

    at: int
    """Place of its parenthesis: neighbours in a path have a node in common."""
    variable: str
    label: str

    @property
    def name(self) -> str:
        """Its variable; one of its own where it has none."""
        return self.variable or f"({self.at}"


@dataclass(frozen=True)
class Relationship:
    """A relationship pattern."""

    at: int
    variable: str
    types: frozenset[str]
    """Empty: any type."""
    directed: bool
    hops: tuple[int | None, int | None] | None
    """Bounds of a variable length; None for one step."""
    left: Node
    right: Node
    backwards: bool
    """Directed from right to left."""

    @property
    def ends(self) -> tuple[str, str]:
        """Names of the nodes, from the first to the second if it is directed."""
        ends = (self.left.name, self.right.name)
        return ends[::-1] if self.backwards else ends


@dataclass(frozen=True)
class Item:
    """One projected item of RETURN or WITH."""

    start: int
    end: int
    alias: str
    named: bool
    """The alias is written with AS."""


class Statement:
    """A statement and what stands where in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.stream = code(text)

    def token(self, at: int) -> Token:
        """The token at a place; an empty one outside."""
        return self.stream[at] if 0 <= at < len(self.stream) else NOTHING

    def line(self, at: int) -> int:
        """The line, from 1, of the token at a place."""
        return line_of(self.text, self.token(at).start)

    def is_call(self, at: int) -> bool:
        """Whether a word is a function's name."""
        return self.token(at).kind == "word" and self.token(at + 1).text == "("

    def is_name(self, at: int) -> bool:
        """Whether a word is a property, type, label, map key or alias, whatever its spelling."""
        before = self.token(at - 1)
        return before.text in {".", ":", "|"} or before.upper == "AS" or self._is_key(at)

    def _is_key(self, at: int) -> bool:
        return self.token(at + 1).text == ":" and self.token(at - 1).text in {"{", ",", "(", "["}

    def opening(self, at: int) -> int:
        """Where the bracket closed at ``at`` was opened."""
        depth = 0
        for here in range(at, -1, -1):
            depth += self.token(here).text in _OPENING
            depth -= self.token(here).text in _OPENING.values()
            if not depth:
                return here
        return 0

    def enclosing(self, at: int) -> Iterator[int]:
        """Places of the brackets that are open at a place, innermost first."""
        depth = 0
        for here in range(at - 1, -1, -1):
            if self.token(here).text in _OPENING:
                depth += 1
            elif self.token(here).text in _OPENING.values():
                if depth == 0:
                    yield here
                else:
                    depth -= 1

    def clause_of(self, at: int) -> Clause:
        """The clause that a place is in; a WHERE belongs to the clause before it."""
        found = [c for c in self.clauses if c.start <= at < c.end and c.keyword != "WHERE"]
        return max(found, key=lambda clause: clause.start)

    def where(self, clause: Clause) -> list[Token]:
        """The tokens of the WHERE that follows a clause; none when there is none."""
        for other in self.clauses:
            if other.keyword == "WHERE" and other.start == self._own_end(clause):
                return self.stream[other.start + 1 : other.end]
        return []

    def conditions(self, clause: Clause) -> list[list[Token]]:
        """What the WHERE after a clause asks for, all of which must hold; nothing with OR or CASE."""
        where, depth = self.where(clause), 0
        parts: list[list[Token]] = [[]]
        for token in where:
            depth += (token.text in _OPENING.values()) - (token.text in _OPENING)
            if not depth and token.upper in {"OR", "XOR", "CASE"}:
                return []
            if not depth and token.upper == "AND":
                parts.append([])
            else:
                parts[-1].append(token)
        return [part for part in parts if part]

    def _own_end(self, clause: Clause) -> int:
        inner = [c.start for c in self.clauses if c.start > clause.start]
        return min((s for s in inner if self._same_block(s, clause.start)), default=clause.end)

    def _same_block(self, one: int, other: int) -> bool:
        return next(self.enclosing(one), None) == next(self.enclosing(other), None)

    @cached_property
    def clauses(self) -> list[Clause]:
        """All clauses, those of subqueries too, in order of their keywords."""
        starts = [at for at in range(len(self.stream)) if self._starts_clause(at)]
        return [Clause(self.token(at).upper, at, self._clause_end(at, starts)) for at in starts]

    def _starts_clause(self, at: int) -> bool:
        word = self.token(at).upper
        text_test = word == "WITH" and self.token(at - 1).upper in {"STARTS", "ENDS"}
        return word in _CLAUSES and not text_test and not self.is_name(at)

    def _clause_end(self, at: int, starts: list[int]) -> int:
        block = next(self.enclosing(at), None)
        limit = len(self.stream) if block is None else closing(self.stream, block)
        following = (
            s
            for s in starts
            if s > at and self._same_block(s, at) and self.token(s).upper != "WHERE"
        )
        return min((s for s in following if s < limit), default=limit)

    @cached_property
    def relationships(self) -> list[Relationship]:
        """All relationship patterns, in order."""
        found = []
        for at, token in enumerate(self.stream):
            if token.text == "[" and self.token(at - 1).text == "-":
                found.append(self._relationship(at, closing(self.stream, at)))
            elif self._is_bare(at):
                found.append(self._bare(at))
        return found

    def _is_bare(self, at: int) -> bool:
        """The first dash of ``(a)--(b)``, ``(a)-->(b)`` or ``(a)<--(b)``."""
        before = self.token(at - 2 if self.token(at - 1).text == "<" else at - 1)
        both = self.token(at).text == "-" and self.token(at + 1).text == "-"
        return both and before.text == ")"

    def _relationship(self, at: int, end: int) -> Relationship:
        inside = self.stream[at + 1 : end]
        properties = next((n for n, t in enumerate(inside) if t.text == "{"), len(inside))
        head = inside[:properties]
        star = next((n for n, t in enumerate(head) if t.text == "*"), len(head))
        colon = next((n for n, t in enumerate(head[:star]) if t.text == ":"), star)
        from_right, from_left = self.token(at - 2).text == "<", self.token(end + 2).text == ">"
        return Relationship(
            at=at,
            variable=head[0].name if colon and head else "",
            types=frozenset(t.name for t in head[colon:star] if t.name),
            directed=from_right != from_left,  # with both arrows it may go either way
            hops=_hops([t.text for t in head[star + 1 :]]) if star < len(head) else None,
            left=self._node_before(at - 1),
            right=self._node_after(end + 1),
            backwards=from_right and not from_left,
        )

    def _bare(self, at: int) -> Relationship:
        from_right, from_left = self.token(at - 1).text == "<", self.token(at + 2).text == ">"
        left, right = self._node_before(at), self._node_after(at + 1)
        backwards = from_right and not from_left
        return Relationship(
            at, "", frozenset(), from_right != from_left, None, left, right, backwards
        )

    def _node_before(self, dash: int) -> Node:
        end = dash - 2 if self.token(dash - 1).text == "<" else dash - 1
        return self._node(self.opening(end))

    def _node_after(self, dash: int) -> Node:
        return self._node(dash + 2 if self.token(dash + 1).text == ">" else dash + 1)

    def _node(self, opened: int) -> Node:
        first = self.token(opened + 1)
        colon = opened + 2 if first.name else opened + 1
        labelled = self.token(colon).text == ":"
        return Node(opened, first.name, self.token(colon + 1).name if labelled else "")

    @cached_property
    def variables(self) -> dict[str, int]:
        """Variables of nodes, relationships and paths, with the place of the first."""
        found: dict[str, int] = {}
        for clause in self.clauses:
            if clause.keyword in {"MATCH", "CREATE", "MERGE"}:
                for at in range(clause.start + 1, clause.end):
                    if self._is_variable(at):
                        found.setdefault(self.token(at).name, at)
        return found

    def _is_variable(self, at: int) -> bool:
        token, before, after = self.token(at), self.token(at - 1), self.token(at + 1)
        if token.kind not in ("word", "quoted"):
            return False
        if after.text == "=" and (before.upper == "MATCH" or before.text == ","):
            return True
        if before.text == "(":
            call = self.token(at - 2).kind == "word" and not self._starts_clause(at - 2)
            return not call and after.text in {":", "{", ")"}
        return (
            before.text == "["
            and self.token(at - 2).text == "-"
            and after.text in {":", "{", "]", "*"}
        )

    def items(self, clause: Clause) -> list[Item]:
        """What a RETURN or WITH projects."""
        start = clause.start + 1 + (self.token(clause.start + 1).upper == "DISTINCT")
        end = self._own_end(clause)
        cuts = [
            at for at in range(start, end) if self.token(at).text == "," and self._flat(at, start)
        ]
        bounds = zip([start, *(cut + 1 for cut in cuts)], [*cuts, end], strict=True)
        return [self._item(first, last) for first, last in bounds if first < last]

    def _flat(self, at: int, start: int) -> bool:
        return next(self.enclosing(at), -1) < start

    def _item(self, start: int, end: int) -> Item:
        if end - start > 2 and self.token(end - 2).upper == "AS":  # noqa: PLR2004 - x AS y
            return Item(start, end - 2, self.token(end - 1).name, named=True)
        return Item(start, end, "".join(t.text for t in self.stream[start:end]), named=False)

    @cached_property
    def returned(self) -> Clause | None:
        """The last RETURN."""
        return next((c for c in reversed(self.clauses) if c.keyword == "RETURN"), None)

    def keys(self, order: Clause) -> list[tuple[str, int]]:
        """What an ORDER BY sorts by, each with its place: ``name`` or ``name desc``."""
        by = Clause("ORDER", order.start + 1, order.end)
        return [(self._key(item), item.start) for item in self.items(by)]

    def _key(self, item: Item) -> str:
        words = self.stream[item.start : item.end]
        direction = words[-1].upper
        if direction in {"DESC", "DESCENDING", "ASC", "ASCENDING"}:
            words = words[:-1]
        if words and words[0].text == "coalesce":  # coalesce(name, -1.0) puts nulls last
            words = words[2:3]
        name = "".join(word.text for word in words)
        return f"{name} desc" if direction in {"DESC", "DESCENDING"} else name


def _hops(bounds: list[str]) -> tuple[int | None, int | None]:
    """Bounds of ``*``, ``*2``, ``*1..3``, ``*..3``."""
    numbers = [int(text) if text.isdecimal() else None for text in bounds]
    if ".." not in bounds:
        only = numbers[0] if numbers else None
        return only, only
    cut = bounds.index("..")
    low = numbers[0] if cut else None
    return low, numbers[cut + 1] if cut + 1 < len(numbers) else None
