"""The index that text is linked with: a table of names made ready to be searched.

On disk a folder, none of it a pickle::

    index.json        IndexSummary: format, what it was made from, thresholds
    entities.arrow    id, type, name, name_zh, cui; one row an entity
    names.arrow       name, language, preferred, entity (row of entities), by key
    keys.arrow        key, pattern, group
    starts.npy        int32: the names of key k are the rows starts[k] to starts[k + 1]
    words.arrow       word; its row is its number in the patterns
    ngrams/           the NgramIndex over the keys
"""

import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pydantic import BaseModel, ValidationError

from cypher.translation import CHINESE, spoken
from kg.errors import LinkingError
from kg.linking.agreement import neighbours
from kg.linking.column import Column
from kg.linking.mention import Candidate
from kg.linking.tfidf import NgramIndex
from kg.tables import SEPARATOR

_LATIN_WORD: Final = re.compile("[a-z]+")
_SHORTEST_WORD: Final = 4
_TYPES: Final = ("Disease", "Symptom", "Drug")
"""Types with names of one word that people misspell."""
_HAN_CHARACTER: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_HAN_NAME_LENGTHS: Final = range(2, 9)
"""Characters of a Chinese name that is also found by its sound."""
_FORMAT: Final = 5
"""Version of the files and of the canonical keys; an index of another one is rebuilt."""
MOST_REORDERED: Final = 5
"""The most words of a name that is found in another order too; longer ones hardly ever are."""

Thresholds = dict[str, dict[str, float]]
"""The score from which a similar name is trusted, by scorer, by language."""


class IndexSummary(BaseModel, frozen=True, extra="forbid"):
    """The content of ``index.json``, about the files beside it."""

    format: int
    made_by: str
    made_from: str
    concepts_from: str = ""
    entities: int
    names: int
    keys: int
    words: int
    longest_key: int
    thresholds: Thresholds


class Named(Protocol):
    """An entity, as whatever found it has it."""

    @property
    def id(self) -> str:
        """Its id."""
        ...

    @property
    def name(self) -> str:
        """What it is called in English, where it has an English name."""
        ...


class Entities(NamedTuple):
    """The columns of ``entities.arrow``."""

    id: Sequence[str]
    type: Sequence[str]
    name: Sequence[str]
    name_zh: Sequence[str | None]
    """What it is called in Chinese, where it has a preferred name in it."""
    cui: Sequence[str | None]


class IndexedNames(NamedTuple):
    """The columns of ``names.arrow``."""

    name: Sequence[str]
    language: Sequence[str]
    preferred: Sequence[bool]
    entity: Sequence[int]


@dataclass(frozen=True)
class NameIndex:
    """Entities, their names, and the names' canonical keys, ascending."""

    entities: Entities
    names: IndexedNames
    keys: Sequence[str]
    starts: npt.NDArray[np.int32]
    """shape (len(keys) + 1,): the names of key k are the rows starts[k] to starts[k + 1]."""
    vocabulary: Sequence[str]
    patterns: Sequence[str]
    longest_key: int
    """In words, of those that are looked for."""
    groups: Sequence[str]
    """For each key its telling words in alphabetical order, by which it is found in another order;
    empty where it is not."""
    ngrams: NgramIndex
    thresholds: Thresholds = field(default_factory=dict)
    """As ``kg.linking.calibration`` found them on these names."""
    made_from: str = ""
    """Identifies the table of names; empty where that does not matter."""
    concepts_from: str = ""
    """Identifies the entities' CUIs; empty where that does not matter."""

    @cached_property
    def words_and_bigrams(self) -> frozenset[str]:
        """Every word of every key, and every pair of adjacent characters of Chinese ones."""
        chinese = (key for key in self.keys if not key.isascii())
        return self.words.union(*map(neighbours, chinese))

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of every key."""
        return frozenset(self.vocabulary)

    @cached_property
    def positions(self) -> dict[str, int]:
        """Where each key is."""
        return {key: at for at, key in enumerate(self.keys)}

    @cached_property
    def words_of_names(self) -> frozenset[str]:
        """The words of all names in Latin letters, in lower case, as they are written."""
        written = (name.lower() for name in self.names.name if name.isascii())
        return frozenset(word for name in written for word in _LATIN_WORD.findall(name))

    @cached_property
    def one_word_names(self) -> dict[str, str]:
        """The names of one word, in lower case, and the type of the first that is called so."""
        types: dict[str, str] = {}
        rows = zip(self.names.name, self.names.entity, strict=True)
        for name, entity in rows:
            type_ = self.entities.type[entity]
            if (
                name.isascii()
                and name.isalpha()
                and len(name) >= _SHORTEST_WORD
                and type_ in _TYPES
            ):
                earlier = types.setdefault(name.lower(), type_)
                if _TYPES.index(type_) < _TYPES.index(earlier):
                    types[name.lower()] = type_
        return types

    @cached_property
    def by_sound(self) -> dict[tuple[str, ...], list[str]]:
        """The shorter Chinese names of diseases, symptoms and drugs, by their syllables."""
        from kg.linking.slips import sounds  # noqa: PLC0415 -- 0.1 s, needed for few questions

        sound = {
            word: sounds(word)[0] for word in self.vocabulary if _HAN_CHARACTER.fullmatch(word)
        }
        names: dict[tuple[str, ...], dict[str, None]] = {}
        types, entities = self.entities.type, self.names.entity
        for key, first in zip(self.keys, self.starts, strict=False):
            syllables = (
                [sound.get(character, "") for character in key]
                if len(key) in _HAN_NAME_LENGTHS
                else [""]
            )
            if all(syllables) and types[entities[int(first)]] in _TYPES:
                names.setdefault(tuple(syllables), {})[key] = None
        return {syllables: list(keys) for syllables, keys in names.items()}

    @cached_property
    def _rows_of_entities(self) -> dict[str, int]:
        return {id_: row for row, id_ in enumerate(self.entities.id)}

    @cached_property
    def name_counts(self) -> npt.NDArray[np.int64]:
        """How many names each entity has."""
        return np.bincount(np.asarray(self.names.entity), minlength=len(self.entities.id))

    def rows(self, key: int) -> range:
        """The names of a key."""
        return range(int(self.starts[key]), int(self.starts[key + 1]))

    def entities_of(self, key: int) -> frozenset[int]:
        """Rows of the entities that go by a key."""
        return frozenset(self.names.entity[row] for row in self.rows(key))

    def chinese_name(self, id_: str) -> str | None:
        """What an entity is called in Chinese; None without a preferred name in it, or the entity."""
        row = self._rows_of_entities.get(id_)
        return None if row is None else self.entities.name_zh[row]

    def spoken_names(self, named: Iterable[Named]) -> dict[str, str]:
        """Names of entities in the current language, by id; English where there is no other."""
        english = {entity.id: entity.name for entity in named}
        if spoken().code != CHINESE:
            return english
        return {id_: self.chinese_name(id_) or name for id_, name in english.items()}

    def keys_by_language(self) -> dict[str, list[int]]:
        """The keys with a name in each language."""
        keys: dict[str, list[int]] = {}
        for key in range(len(self.keys)):
            for language in sorted({self.names.language[row] for row in self.rows(key)}):
                keys.setdefault(language, []).append(key)
        return keys

    def candidate(self, row: int, score: float) -> Candidate:
        """The entity of a name, as a candidate by that name."""
        entity = self.names.entity[row]
        cui = self.entities.cui[entity]
        return Candidate(
            id=self.entities.id[entity],
            type=self.entities.type[entity],
            name=self.entities.name[entity],
            matched=self.names.name[row],
            language=self.names.language[row],
            score=score,
            cuis=tuple(sorted(cui.split(SEPARATOR))) if cui else (),
        )

    def with_concepts(self, cuis: Mapping[str, str], concepts_from: str) -> Self:
        """The same names, their entities with other CUIs.

        Args:
            cuis: of each entity that has some, joined by ``|``.
            concepts_from: identifies them.
        """
        entities = self.entities._replace(cui=[cuis.get(id_) for id_ in self.entities.id])
        return replace(self, entities=entities, concepts_from=concepts_from)

    def save(self, folder: Path) -> None:
        """Write the index to ``folder``; what was there goes when the new one is whole.

        Raises:
            OSError: it cannot be written.
        """
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            self._write(fresh)
            _replace_folder(fresh, folder)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)

    def _write(self, fresh: Path) -> None:
        keys = {"key": self.keys, "pattern": self.patterns, "group": self.groups}
        _write(fresh / "entities.arrow", _table(self.entities._asdict()))
        _write(fresh / "names.arrow", _table(self.names._asdict()))
        _write(fresh / "keys.arrow", _table(keys))
        np.save(fresh / "starts.npy", self.starts, allow_pickle=False)
        _write(fresh / "words.arrow", pa.table({"word": self.vocabulary}))
        self.ngrams.save(fresh / "ngrams")
        summary = IndexSummary(
            format=_FORMAT,
            made_by=f"medkg {version('medkg')}",
            made_from=self.made_from,
            concepts_from=self.concepts_from,
            entities=len(self.entities.id),
            names=len(self.names.name),
            keys=len(self.keys),
            words=len(self.vocabulary),
            longest_key=self.longest_key,
            thresholds=self.thresholds,
        )
        (fresh / "index.json").write_text(summary.model_dump_json(indent=2) + "\n", "utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read an index that ``save`` wrote; large parts stay on disk until they are used.

        Raises:
            LinkingError: there is none, it is not whole, or another medkg made it.
        """
        summary = read_summary(folder)
        try:
            entities, names, keys, words = (
                columns(_read(folder / f"{name}.arrow"))
                for name in ("entities", "names", "keys", "words")
            )
            starts = np.load(folder / "starts.npy", allow_pickle=False)
            ngrams = NgramIndex.load(folder / "ngrams")
        except (OSError, ValueError, pa.ArrowException) as e:
            raise LinkingError(f"{folder}: the index is not whole ({e}); {_REBUILD}") from e
        sizes = (len(entities[0]), len(names[0]), len(keys[0]), len(words[0]), len(starts))
        counted = (summary.entities, summary.names, summary.keys, summary.words, summary.keys + 1)
        if sizes != counted or not summary.thresholds:
            raise LinkingError(f"{folder}: the index has lost rows; {_REBUILD}")
        return cls(
            Entities(*entities),
            IndexedNames(*names),
            keys[0],
            starts,
            words[0],
            keys[1],
            summary.longest_key,
            keys[2],
            ngrams,
            summary.thresholds,
            summary.made_from,
            summary.concepts_from,
        )


_REBUILD: Final = "delete the folder and make it again"


def read_summary(folder: Path) -> IndexSummary:
    """The summary of the index in a folder.

    Raises:
        LinkingError: there is none, or another version of medkg made it.
    """
    path = folder / "index.json"
    try:
        summary = IndexSummary.model_validate_json(path.read_bytes())
    except FileNotFoundError as e:
        raise LinkingError(
            f"{folder}: there is no index of names here; Linker.save makes one"
        ) from e
    except (OSError, ValidationError) as e:
        raise LinkingError(f"{path}: not the summary of an index; {_REBUILD}") from e
    if summary.format != _FORMAT:
        raise LinkingError(f"{folder}: {summary.made_by} made this index; {_REBUILD}")
    return summary


def columns(table: pa.Table) -> list[Column[Any]]:
    """The columns of a table."""
    return [Column(each) for each in table.columns]


def _table(columns: Mapping[str, Sequence[Any]]) -> pa.Table:
    return pa.table({name: pa.array(values) for name, values in columns.items()})


def _replace_folder(fresh: Path, folder: Path) -> None:
    """Replace a folder by another; a reader finds the one or the other complete."""
    old = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        with suppress(FileNotFoundError):
            folder.rename(old / "old")
        fresh.rename(folder)
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _write(path: Path, table: pa.Table) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks())


def _read(path: Path) -> pa.Table:
    return pa.ipc.open_file(pa.memory_map(str(path))).read_all()
