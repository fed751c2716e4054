"""The types of names that are known: those of an earlier graph, of HPO, and of medkg's own list."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, Self

import pyarrow.parquet as pq

from ingest.sources.formats.identifiers import Identifiers
from ingest.sources.ontology.reading import records
from ingest.sources.ontology.terms import Terms
from ingest.sources.ontology.types import TermTypes
from kg.errors import SourceError
from kg.shipped import shipped_table
from kg.tables import GraphTables
from kg.text.canonical import canonical
from kg.vocabulary import of_category

_COLUMNS: Final = ("name", "name_zh", "synonyms", "synonyms_zh")


class Listed(NamedTuple):
    """The names in names.yaml of an entity, whichever of them is in a text."""

    name: str
    name_zh: str | None


class KnownNames:
    """Types by name."""

    def __init__(
        self,
        types: dict[str, frozenset[str]] | None = None,
        listed: dict[tuple[str, str], Listed] | None = None,
    ) -> None:
        """Take the types by ``canonical`` name, and the listed names by type and that."""
        self._types = types or {}
        self._listed = listed or {}

    @classmethod
    def of_tables(cls, folder: Path | None, wanted: frozenset[str]) -> Self:
        """The names in a folder of graph tables; none without a folder.

        Args:
            folder: what a build left as ``tables/``.
            wanted: node types whose names matter.

        Raises:
            SourceError: the folder has no node table.
        """
        if folder is None:
            return cls()
        path = GraphTables(folder).nodes
        if not path.is_file():
            raise SourceError(
                f"{folder}: there are no graph tables here; give 'names' the folder tables/ of a build"
            )
        types: dict[str, set[str]] = {}
        for batch in pq.ParquetFile(path).iter_batches(columns=["type", *_COLUMNS]):
            for row in batch.to_pylist():
                if row["type"] in wanted:
                    for name in _names(row):
                        types.setdefault(canonical(name), set()).add(row["type"])
        return cls({name: frozenset(node_types) for name, node_types in types.items()})

    @classmethod
    def listed(cls, hpo: Path) -> Self:
        """The findings of HPO, by preferred names and exact synonyms, and the names of names.yaml.

        Args:
            hpo: hp.obo.

        Raises:
            SourceError: the file cannot be read, or has no term of HPO.
        """
        types: dict[str, set[str]] = {}
        by_type = shipped_table(__package__, "names.yaml")
        refused = {canonical(name) for name in by_type.pop("refused")}
        listed = dict(_of_list(by_type))
        for type_, name in listed:
            types.setdefault(name, set()).add(type_)
        identifiers = Identifiers()
        terms_read = list(records(hpo, "obo", identifiers))
        terms = Terms.of(terms_read, TermTypes.shipped()).in_use
        for record in terms_read:
            term = terms.get(record.id or "")
            if term and term.type == "Symptom" and term.id == record.id:
                for name in (term.name, *record.all("synonym EXACT")):
                    types.setdefault(canonical(name), set()).add("Symptom")
        accepted = {
            n: frozenset(node_types) for n, node_types in types.items() if n not in refused
        }
        return cls(accepted, listed)

    def __or__(self, other: Self) -> Self:
        """The names of both, each with the types that it has in either."""
        none = frozenset[str]()
        theirs = other._types
        names = self._types.keys() | theirs.keys()
        return type(self)(
            {name: self._types.get(name, none) | theirs.get(name, none) for name in names},
            self._listed | other._listed,
        )

    def listed_name(self, type_: str | None, name: str) -> Listed:
        """The names in the list for a name of a type; the name itself if the list lacks it."""
        return self._listed.get((type_ or "", canonical(name)), Listed(name, None))

    def type_of(self, name: str, allowed: Iterable[str]) -> str | None:
        """The first of the allowed types that a name has; None if it has none of them."""
        types = self._types.get(canonical(name), frozenset()) if self._types else frozenset()
        return next((type_ for type_ in allowed if type_ in types), None)


def _of_list(by_type: dict[str, list[str]]) -> Iterator[tuple[tuple[str, str], Listed]]:
    """Type and canonical name of each line, with the first name of those that share a Chinese one."""
    for type_, lines in by_type.items():
        first: dict[str, str] = {}
        for line in lines:
            name, _, name_zh = line.partition(" | ")
            shared = first.setdefault(name_zh, name) if name_zh else name
            yield (type_, canonical(name)), Listed(shared, name_zh or None)


def _names(row: dict[str, str | list[str] | None]) -> Iterable[str]:
    for column in _COLUMNS:
        value = row[column]
        yield from value if isinstance(value, list) else filter(None, (value,))


WANTED: Final = frozenset(of_category("thing", "qualifier"))
