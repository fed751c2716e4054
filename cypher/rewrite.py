"""The one rewrite: a node pattern's type label becomes a property of ``:Entity``.

``(d:Disease {id: $id})`` → ``(d:Entity {type: 'Disease', id: $id})``. Both
engines run the rewritten text: on Neo4j it seeks the unique index on
``Entity(id)``; on Ladybug all nodes live in the one table ``Entity``.
"""

from collections.abc import Collection
from difflib import get_close_matches

from cypher.errors import QueryError
from cypher.tokens import Token, closing, code, line_of
from cypher.translation import translate

ENTITY = "Entity"
"""The label that every node has."""

VECTOR = "Vector"
"""Of the embedded engine's table of vectors; on Neo4j a node has its vector itself."""

_PATTERN_CLAUSES = frozenset({"MATCH", "CREATE", "MERGE"})
_CLAUSES = _PATTERN_CLAUSES | {
    "CALL", "DELETE", "LIMIT", "ON", "ORDER", "RETURN", "SET", "SKIP", "UNION", "UNWIND",
    "WHERE", "WITH",
}  # fmt: skip


_CYPHER = frozenset({"CASE"})
"""Labels of records that the embedded engine takes for a word of Cypher unless they are quoted."""


class RewriteError(QueryError):
    """A label that the rewrite does not take."""

    def __init__(self, line: int, near: str, what: str, instead: str) -> None:
        super().__init__(f"line {line}, at {near!r}: {what}; write {instead}")
        self.line = line
        self.what = what
        self.instead = instead


def rewrite(text: str, node_types: Collection[str], record_types: Collection[str] = ()) -> str:
    """The statement with every type label as ``:Entity {type: …}``; all else as it was.

    Args:
        text: one statement.
        node_types: labels of entities.
        record_types: labels of records, which stay: they are no entities.

    Raises:
        RewriteError: a label stands outside ``(variable:Type {…})``, is in neither of the two,
            or its pattern names ``type`` itself.
        QueryError: a string, comment or quoted name has no end.
    """
    return _Rewriting(text, node_types, record_types).result()


class _Rewriting:
    def __init__(
        self, text: str, node_types: Collection[str], record_types: Collection[str]
    ) -> None:
        self.text = text
        self.node_types = node_types
        self.kept = {ENTITY, VECTOR, *record_types}
        self.stream = code(text)
        self.edits: list[tuple[int, int, str]] = []

    def result(self) -> str:
        brackets: list[int] = []
        clause, clauses = "", []
        for at, token in enumerate(self.stream):
            if token.upper in _CLAUSES and not self._is_name(at):
                clause = token.upper
            elif token.text in {"(", "[", "{"}:
                brackets.append(at)
                clauses.append(clause)
            elif token.text in {")", "]", "}"} and brackets:
                brackets.pop()
                clause = clauses.pop()
            elif token.text in {":", "::"} or self._is_label_test(at, brackets):
                self._colon(at, brackets[-1] if brackets else None, clause)
        parts, done = [], 0
        for start, end, new in self.edits:
            parts += [self.text[done:start], new]
            done = end
        return "".join([*parts, self.text[done:]])

    def _token(self, at: int) -> Token:
        end = Token("space", "", len(self.text))
        return self.stream[at] if 0 <= at < len(self.stream) else end

    def _is_name(self, at: int) -> bool:
        """Whether a keyword's spelling is used as a property, map key, type or variable."""
        return self._token(at - 1).text in {".", ":", "|"} or self._token(at + 1).text == ":"

    def _is_label_test(self, at: int, brackets: list[int]) -> bool:
        """``(d IS Disease)``: Neo4j's other spelling of a label."""
        after = self._token(at + 1)
        return (
            self.stream[at].upper == "IS"
            and bool(brackets)
            and at - brackets[-1] <= 2  # noqa: PLR2004 - a bracket and at most a variable
            and after.kind in ("word", "quoted")
            and after.upper not in {"NOT", "NULL", "TYPED"}
        )

    def _colon(self, at: int, bracket: int | None, clause: str) -> None:
        opened = self._token(bracket).text if bracket is not None else ""
        if bracket is not None and self.stream[at].text == ":":
            if opened == "{" and self._is_map_key(at):
                return
            if opened == "[" and self._is_relationship(at, bracket):
                return
            if opened == "(" and self._is_node(at, bracket, clause):
                self._node(at)
                return
        raise self._refusal(
            at, "a label outside a node pattern", "MATCH (d:Type) or d.type = 'Type'"
        )

    def _is_map_key(self, at: int) -> bool:
        return self._token(at - 1).name != "" and self._token(at - 2).text in {"{", ","}

    def _is_relationship(self, at: int, bracket: int) -> bool:
        return self._token(bracket - 1).text == "-" and self._heads(at, bracket)

    def _heads(self, at: int, bracket: int) -> bool:
        """Whether only a variable stands between the bracket and the colon."""
        return at == bracket + 1 or (at == bracket + 2 and self._token(at - 1).name != "")

    def _is_node(self, at: int, bracket: int, clause: str) -> bool:
        if not self._heads(at, bracket):
            return False
        before = self._token(bracket - 1)
        after = self._token(closing(self.stream, bracket) + 1)
        if after.text in {"-", "<"} or before.text in {"-", ">"}:
            return True
        starts = {"(", ",", "=", "{"}
        return clause in _PATTERN_CLAUSES and (
            before.upper in _PATTERN_CLAUSES or before.text in starts
        )

    def _node(self, at: int) -> None:
        label, after = self._token(at + 1), self._token(at + 2)
        if label.kind != "word" or after.text not in {")", "{"}:
            raise self._refusal(
                at, "not a plain type label", "(d:Type) or (d:Type {id: $id}) with one type"
            )
        if label.text in self.kept:
            if label.upper in _CYPHER:
                self.edits.append((label.start, label.end, f"`{label.text}`"))
            return
        self._known(at, label.text)
        condition = f"type: '{label.text}'"
        if after.text == ")":
            self.edits.append((label.start, label.end, f"{ENTITY} {{{condition}}}"))
            return
        end = closing(self.stream, at + 2)
        self._no_type_key(at, end)
        self.edits.append((label.start, label.end, ENTITY))
        comma = "" if end == at + 3 else ", "
        self.edits.append((after.end, after.end, condition + comma))

    def _known(self, at: int, label: str) -> None:
        if label in self.node_types:
            return
        near = get_close_matches(label, [*self.node_types, *sorted(self.kept - {VECTOR})], n=1)
        known = near[0] if near else translate("one of {names}", names=", ".join(self.node_types))
        raise self._refusal(at, translate("{name} is not a node type", name=label), known)

    def _no_type_key(self, at: int, end: int) -> None:
        for here in range(at + 3, end):
            # Ladybug takes property names in any case
            if self._token(here).name.lower() == "type" and self._is_key_of(here, at + 2):
                raise self._refusal(
                    here, "type: beside a type label, which says it already", "one of them"
                )

    def _is_key_of(self, here: int, brace: int) -> bool:
        if self._token(here + 1).text != ":":
            return False
        depth = 0
        for token in self.stream[brace + 1 : here]:
            depth += (token.text in {"(", "[", "{"}) - (token.text in {")", "]", "}"})
        return depth == 0

    def _refusal(self, at: int, what: str, instead: str) -> RewriteError:
        last = self._token(min(at + 2, len(self.stream) - 1))
        near = self.text[self._token(max(0, at - 2)).start : last.end]
        return RewriteError(line_of(self.text, self._token(at).start), near, what, instead)
