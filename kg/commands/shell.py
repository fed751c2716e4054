"""The shell of ``medkg cypher``: statements and a few commands, with history and completion."""

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import FileHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.lexers import PygmentsLexer
from pygments.lexers.graph import CypherLexer  # type: ignore[import-untyped]  # no stubs

from cypher import free_query, free_value, load_catalogue
from cypher.errors import MedKGError
from cypher.translation import title, translate
from kg.commands import AnswerForm, harmless, hint_if_empty, pairs_of, say, show, show_answer
from kg.commands.cypher import ask, what_to_try
from kg.commands.query import what_to_try as query_to_try
from kg.commands.query import with_ids
from kg.configuration import Settings
from kg.stores.answers import total
from kg.stores.store import Rows
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS
from kg.vocabulary import NODE_TYPES, RELATION_TYPES

if TYPE_CHECKING:
    from kg.stores.store import Store, Value

_KEYWORDS: Final = (
    "MATCH", "OPTIONAL MATCH", "WHERE", "WITH", "UNWIND", "RETURN", "DISTINCT", "ORDER BY", "SKIP",
    "LIMIT", "CONTAINS", "STARTS WITH", "ENDS WITH", "IS NULL", "IS NOT NULL", "EXISTS", "COUNT",
    "count(*)", "collect(",
)  # fmt: skip

_FEW: Final = 3
"""Types that a pattern still names; it names none where there are more."""

_HELP: Final = (
    ("STATEMENT ;", "run it; it may take several lines"),
    (":queries [WORD]", "the named queries, or those with that word"),
    (":query NAME [KEY=VALUE]...", "run a named query"),
    (":schema", "types of nodes and relationships, and how many there are"),
    (":param KEY=VALUE", "give a value to $KEY in what follows"),
    (":params", "the values given so far"),
    (":as-is on|off", "run what the engines may answer differently"),
    (":help", "this list"),
    (":quit", "leave; Ctrl-D does, too"),
)


_LEAVE: Final = (":quit", ":exit")


class Shell:
    """Asks one store until somebody leaves.

    Args:
        store: the graph.
        parameters: values that are known from the start.
        as_is: run what lies outside the portable subset.
        timeout: seconds that a statement may take; None: the store's limit.
    """

    def __init__(
        self,
        store: "Store",
        parameters: "dict[str, Value]",
        *,
        as_is: bool = False,
        timeout: float | None = None,
    ) -> None:
        self._store = store
        self._parameters = dict(parameters)
        self._as_is = as_is
        self._timeout = timeout
        self._catalogue = load_catalogue()
        self._commands: dict[str, Callable[[list[str]], None]] = {
            ":queries": self._queries,
            ":query": self._query,
            ":schema": self._schema,
            ":param": self._param,
            ":params": self._params,
            ":as-is": self._set_as_is,
            ":help": self._help,
        }

    def run(self) -> None:
        """Read and answer until Ctrl-D or ``:quit``; a command may come without its colon."""
        say(
            translate(
                "{uri}; end a statement with ';', :help lists the commands", uri=self._store.uri
            )
        )
        session = self._session()
        while True:
            try:
                text = self._with_colon(session.prompt("medkg> ").strip())
            except KeyboardInterrupt:
                continue
            except EOFError:
                return
            if text.removesuffix(";") in _LEAVE:
                return
            if text:
                self.answer(text)

    def answer(self, text: str) -> None:
        """Run one statement or command; what is wrong with it is said in one line."""
        try:
            if text.startswith(":"):
                name, *words = text.removesuffix(";").split()
                self._command(name)(words)
                return
            used = (each.name for each in free_query(text, self._parameters).parameters)
            rows = ask(
                self._store,
                text,
                {name: self._parameters[name] for name in used},
                as_is=self._as_is,
                timeout=self._timeout,
                allow=":as-is on",
            )
            show(rows, own_columns=True)
            hint_if_empty(rows, what_to_try())
        except KeyboardInterrupt:
            say(translate("Stopped."), err=True)
        except (MedKGError, ValueError) as e:
            message = harmless(" ".join(str(e).split()))
            say(translate("Error: {message}", message=message), err=True)
        except click.ClickException as e:
            e.show()

    def _session(self) -> "PromptSession[str]":
        home = Settings.read().home
        home.mkdir(parents=True, exist_ok=True)
        return PromptSession(
            history=FileHistory(str(home / "cypher_history")),
            lexer=PygmentsLexer(CypherLexer),
            completer=WordCompleter(list(self._words()), WORD=True),
            complete_while_typing=False,
            reserve_space_for_menu=4,
            key_bindings=_keys(self._with_colon),
            multiline=True,
            prompt_continuation=lambda width, *_: "..".rjust(width - 1) + " ",
        )

    def _with_colon(self, text: str) -> str:
        """The command that a text is without its colon (``help``, or a query's name), else it."""
        first = text.removesuffix(";").partition(" ")[0]
        if f":{first}" in {*self._commands, *_LEAVE}:
            return f":{text}"
        return f":query {text}" if any(first == query.name for query in self._catalogue) else text

    def _words(self) -> Iterator[str]:
        yield from self._commands
        yield from _KEYWORDS
        yield from (f"(:{name}" for name in NODE_TYPES)
        yield from (f"-[:{name}" for name in RELATION_TYPES)
        yield from sorted({column.name for column in (*NODE_COLUMNS, *EDGE_COLUMNS)})
        yield from (query.name for query in self._catalogue)

    def _command(self, name: str) -> Callable[[list[str]], None]:
        if name not in self._commands:
            near = get_close_matches(name, [*self._commands, ":quit"], n=2)
            names = translate(" or ").join(near)
            hint = translate("did you mean {names}? ", names=names) if near else ""
            raise click.ClickException(
                translate(
                    "there is no command {name}; {hint}:help lists them", name=name, hint=hint
                )
            )
        return self._commands[name]

    def _help(self, words: list[str]) -> None:
        del words
        rows = tuple((form, translate(what)) for form, what in _HELP)
        show(Rows(("write", "and it will"), rows))

    def _queries(self, words: list[str]) -> None:
        word = " ".join(words).lower()
        titled = [(q.name, title("queries", q.name, q.title), q.title) for q in self._catalogue]
        rows = [
            (name, query_title)
            for name, query_title, english in titled
            if word in f"{name} {query_title} {english}".lower()
        ]
        show(Rows(("query", "what it answers"), tuple(rows)))

    def _query(self, words: list[str]) -> None:
        if not words:
            raise click.ClickException(
                translate("write :query NAME KEY=VALUE; :queries lists the names")
            )
        query = self._catalogue.find(words[0], self._store.engine)
        arguments = with_ids(self._store, query, query.parse(pairs_of(words[1:])))
        rows = self._store.query(query, timeout=self._timeout, **arguments)
        number = total(self._store, query, arguments) if rows.truncated else None
        show_answer(rows, AnswerForm(), number, query.order)
        hint_if_empty(rows, query_to_try(query, arguments))

    def _schema(self, words: list[str]) -> None:
        del words
        counts = self._store.counts()
        nodes = [(f"(:{name})", number) for name, number in counts.nodes.items()]
        edges = [(_pattern(name), number) for name, number in counts.edges.items()]
        show(Rows(("pattern", "in this graph"), (*nodes, *edges)))

    def _param(self, words: list[str]) -> None:
        if not words:
            raise click.ClickException(translate("write :param KEY=VALUE"))
        pairs = pairs_of([" ".join(words)])
        self._parameters |= {name: free_value(value) for name, value in pairs.items()}

    def _params(self, words: list[str]) -> None:
        del words
        rows = [(f"${name}", value) for name, value in self._parameters.items()]
        show(Rows(("parameter", "value"), tuple(rows)))

    def _set_as_is(self, words: list[str]) -> None:
        if words not in (["on"], ["off"]):
            raise click.ClickException(translate("write :as-is on, or :as-is off"))
        self._as_is = words == ["on"]


def _pattern(relation: str) -> str:
    """A relationship with what it may connect, as a pattern."""
    type_ = RELATION_TYPES.get(relation)
    if type_ is None:  # of records
        return f"-[:{relation}]->"
    heads, tails = (_ends(types) for types in (type_.domain, type_.range))
    return f"({heads})-[:{relation}]->({tails})"


def _ends(types: frozenset[str]) -> str:
    return "" if len(types) > _FEW else ":" + "|".join(sorted(types))


def _keys(with_colon: Callable[[str], str]) -> KeyBindings:
    """Enter ends what ends in ``;`` or is a command, and begins a new line elsewhere."""
    from prompt_toolkit.application import get_app

    @Condition
    def complete() -> bool:
        text = get_app().current_buffer.document.text.strip()
        return not text or text.endswith(";") or with_colon(text).startswith(":")

    keys = KeyBindings()

    @keys.add("enter", filter=complete)
    def _submit(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    return keys
