"""The catalogue: every query file, by name, with its header enforced."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, partial
from pathlib import Path

from cypher.errors import QueryError
from cypher.header import Parameter, ResultColumn, Severity, read_header
from cypher.read_only import check_read_only
from cypher.tokens import code
from cypher.translation import translate
from cypher.values import Value

FOLDER = Path(__file__).parent
"""Where the query files are."""

NOT_ASKED = "loader"
"""The folder of the statements by which stores write; nobody asks them by name."""

_ENGINES = {
    "neo4j_only": frozenset({"neo4j"}),
    "embedded_only": frozenset({"embedded"}),
}


@dataclass(frozen=True)
class Query:
    """A named query: what its header says, and its statement."""

    name: str
    """Its path with dots, e.g. ``disease.symptoms``."""
    title: str
    parameters: tuple[Parameter, ...]
    columns: tuple[ResultColumn, ...]
    order: tuple[str, ...]
    engines: frozenset[str]
    """Of ``embedded`` and ``neo4j``."""
    text: str
    """The statement, before the rewrite, without its header."""
    path: Path
    first_line: int = 1
    """The line of the file on which the statement begins."""
    severity: Severity | None = None
    """Of a rule; None for what is none."""
    free: bool = False
    """It is typed rather than read from a file, and has no header to keep to."""

    @property
    def file(self) -> Path:
        """The file as errors name it."""
        return _shown_path(self.path)

    @property
    def topic(self) -> str:
        """The folder it is in."""
        return self.name.rpartition(".")[0]

    def arguments(self, values: Mapping[str, object]) -> dict[str, Value]:
        """The exact set of parameters, checked, with defaults filled in, in header order.

        Raises:
            QueryError: a parameter is missing, unknown or of a wrong type.
        """
        self._check_names(values)
        return {p.name: self._value(p, values) for p in self.parameters}

    def parse(self, pairs: Mapping[str, str]) -> dict[str, Value]:
        """As ``arguments``, from a command line's texts.

        Raises:
            QueryError: a parameter is missing, unknown or of a wrong type.
        """
        self._check_names(pairs)
        known = {p.name: p for p in self.parameters}
        return self.arguments({name: known[name].parse(text) for name, text in pairs.items()})

    def examples(self) -> dict[str, Value]:
        """Each parameter's example, or its default where it has no example."""
        shown = {p.name: p.default if p.example is None else p.example for p in self.parameters}
        return {name: value for name, value in shown.items() if value is not None}

    def _check_names(self, values: Mapping[str, object]) -> None:
        unknown = sorted(values.keys() - {p.name for p in self.parameters})
        if unknown:
            takes = ", ".join(p.name for p in self.parameters) or translate("no parameters")
            raise QueryError(
                translate(
                    "{name} has no parameter {parameter}; it takes {takes}",
                    name=self.name,
                    parameter=unknown[0],
                    takes=takes,
                )
            )

    def _value(self, parameter: Parameter, values: Mapping[str, object]) -> Value:
        if parameter.name in values:
            return parameter.check(values[parameter.name])
        if parameter.default is None:
            raise QueryError(
                translate(
                    "{name} needs the parameter {parameter} ({type}: {about})",
                    name=self.name,
                    parameter=parameter.name,
                    type=translate(parameter.type),
                    about=parameter.described(),
                )
            )
        return parameter.default


class Catalogue:
    """Queries by name, each read when it is first wanted."""

    def __init__(self, queries: Mapping[str, Callable[[], Query]]) -> None:
        """Take what reads the query of each name."""
        self._queries = dict(sorted(queries.items()))

    def __iter__(self) -> Iterator[Query]:
        return (query() for query in self._queries.values())

    def __len__(self) -> int:
        return len(self._queries)

    def find(self, name: str, engine: str | None = None) -> Query:
        """The query of that name, or the only one whose last part is that name.

        A question that each engine has a text of its own for is one question; its texts have
        the same parameters and columns.

        Args:
            name: whole, or its last part.
            engine: whose text of such a question is wanted; None: either.

        Raises:
            QueryError: there is none, or several; the message names them.
        """
        if name in self._queries:
            return self._queries[name]()
        same_stem = [
            query() for each, query in self._queries.items() if each.rpartition(".")[2] == name
        ]
        engines = [e for q in same_stem for e in q.engines]
        if same_stem and len(set(engines)) == len(engines):  # one question
            return next((q for q in same_stem if engine in q.engines), same_stem[0])
        if same_stem:
            names = translate(" or ").join(q.name for q in same_stem)
            raise QueryError(
                translate("{name!r} may be {names}; give the whole name", name=name, names=names)
            )
        raise QueryError(
            translate("there is no query {name!r}; {hint}", name=name, hint=self._hint(name))
        )

    def _hint(self, name: str) -> str:
        near = get_close_matches(name, self._queries, n=3, cutoff=0.5)
        if not near:
            return translate("'medkg queries' lists them")
        return translate(
            "the nearest are {names}; 'medkg queries' lists them", names=", ".join(near)
        )


def load_catalogue(folder: Path = FOLDER) -> Catalogue:
    """The query files below ``folder``, save those of the loader.

    Those of the library are read when they are first wanted, and once; others now.

    Raises:
        QueryError: a file's header is malformed or does not fit its statement.
    """
    if folder == FOLDER:
        return _library()
    catalogue = _load(folder)
    list(catalogue)
    return catalogue


@cache
def _library() -> Catalogue:
    return _load(FOLDER)


def _load(folder: Path) -> Catalogue:
    paths = (path for path in folder.rglob("*.cypher") if _is_query(path.relative_to(folder)))
    return Catalogue(
        {_name(path, folder): cache(partial(read_query, path, folder)) for path in paths}
    )


def _name(path: Path, folder: Path) -> str:
    return ".".join(path.relative_to(folder).with_suffix("").parts)


def _is_query(relative: Path) -> bool:
    return relative.parts[0] not in {NOT_ASKED, "guides"}


def read_query(path: Path, folder: Path = FOLDER) -> Query:
    """Read one query file.

    Raises:
        QueryError: its header is malformed or does not fit its statement, or the statement does
            more than read the graph.
    """
    try:
        return _read(path, folder)
    except QueryError as e:
        raise QueryError(f"{_shown_path(path)}, {e}") from e
    except UnicodeDecodeError as e:
        raise QueryError(
            translate("{file}: not UTF-8 ({why}); save it as UTF-8", file=_shown_path(path), why=e)
        ) from e


def _shown_path(path: Path) -> Path:
    """Of a file of the library the path in it, of another one the whole path."""
    return path.relative_to(FOLDER) if path.is_relative_to(FOLDER) else path


def _read(path: Path, folder: Path) -> Query:
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    head = next((n for n, line in enumerate(lines) if not line.startswith("//")), len(lines))
    header = read_header([line.removeprefix("//") for line in lines[:head]])
    relative = path.relative_to(folder)
    query = Query(
        name=_name(path, folder),
        title=header.title,
        parameters=header.parameters,
        columns=header.columns,
        order=header.order,
        engines=_ENGINES.get(relative.parts[0], frozenset({"embedded", "neo4j"})),
        text="\n".join(lines[head:]).strip(),
        path=path,
        first_line=next((n for n in range(head, len(lines)) if lines[n].strip()), head) + 1,
        severity=header.severity,
    )
    _check_parameters(query)
    return query


def _check_parameters(query: Query) -> None:
    """Declared and used parameters must be the same.

    Raises:
        QueryError: there is no statement, a parameter is undeclared or unused, or the statement
            does more than read the graph.
    """
    used = {token.name for token in code(query.text) if token.kind == "parameter"}
    declared = {parameter.name for parameter in query.parameters}
    if not query.text:
        raise QueryError("line 1: there is no statement below the header")
    if undeclared := sorted(used - declared):
        raise QueryError(f"line 1: ${undeclared[0]} is used and not declared; add a param line")
    if unused := sorted(declared - used):
        raise QueryError(f"line 1: the parameter {unused[0]} is declared and never used")
    if not query.path.is_relative_to(FOLDER):  # a test looks at ours
        check_read_only(query.text, query.first_line)
