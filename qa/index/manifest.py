"""The folder of an index, and what its manifest states.

A folder of::

    index.json            what the index is made from; it names the folder of its files
    version-….../         the files: all of them belong together, none is ever changed
    encoding/             vectors of an update that was stopped, for the next one

An update writes another folder of files and then puts its manifest in the place of the old one in
one step. Whoever is killed before that leaves the old index as it was.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

import pyarrow as pa
from pydantic import BaseModel, ValidationError

from cypher.translation import translate
from kg.errors import RetrievalError
from kg.stores.store import Stamp
from qa.index.fusion import VECTOR_WEIGHT

MANIFEST: Final = "index.json"
ENCODING: Final = "encoding"
RECORDS: Final = "records.arrow"
METADATA: Final = "metadata.arrow"
DOCUMENTS: Final = "documents.arrow"
NAMES: Final = "names.txt"
VECTORS: Final = "vectors.npy"
GRAPH_CHANGED: Final = (
    "The graph has changed since this index was made; 'medkg qa index --update' reads it again."
)


class ModelCard(BaseModel, frozen=True, extra="forbid"):
    """The model that the vectors are of."""

    name: str
    checksum: str
    """SHA-256 of its files."""
    dimension: int
    normalised: bool = True
    """Whether every vector has length 1."""
    versions: dict[str, str]


class GraphCard(BaseModel, frozen=True, extra="forbid"):
    """The graph that sections and names are from."""

    uri: str
    checksum: str
    """Of the graph tables."""
    layers: tuple[tuple[str, str], ...] = ()
    """Name and checksum of each applied layer."""


class CorpusCard(BaseModel, frozen=True, extra="forbid"):
    """What the index has of a corpus."""

    name: str
    documents: int
    records: int
    licences: dict[str, str]
    """By source."""
    checksum: str
    """SHA-256 over its documents."""
    left_out: dict[str, int] = {}
    """Records of the corpus that are no text, by the reason."""
    place: str = ""
    """Where it was read from."""


class Manifest(BaseModel, frozen=True, extra="forbid"):
    """What an index is made from."""

    format: Literal[2] = 2
    """Number of this layout."""
    version: str
    """Of medkg."""
    files_in: str
    """Name of the folder of its files."""
    records: int
    documents: int
    checksum: str
    """SHA-256 over its records and documents."""
    corpora: tuple[CorpusCard, ...]
    collates: tuple[str, ...]
    """Ids of the collate functions that made its records."""
    tokenizer: str
    """Id of the tokenizer."""
    graph: GraphCard | None = None
    model: ModelCard | None = None
    """None: there are no vectors."""
    vector_weight: float = VECTOR_WEIGHT
    """Of a hybrid search, in [0, 1]."""
    files: dict[str, int]
    """Bytes of each file."""
    versions: dict[str, str] = {}
    """Of the packages that made the files."""

    def is_of(self, stamp: Stamp | None) -> bool:
        """Whether the graph has not changed since; so it is where the index is of no graph."""
        return self.graph is None or (stamp is not None and stamp.checksum == self.graph.checksum)


def read_manifest(folder: Path) -> Manifest:
    """The manifest of the index in a folder.

    Raises:
        RetrievalError: there is none, or it is another medkg's.
    """
    path = folder / MANIFEST
    try:
        text = path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError) as e:
        raise RetrievalError(
            translate(
                "{folder}: there is no index of texts; make one with 'medkg qa index'",
                folder=folder,
            )
        ) from e
    except (OSError, UnicodeDecodeError) as e:
        raise RetrievalError(
            translate(
                "{path}: cannot be read ({why}); delete the folder and build the index again",
                path=path,
                why=e,
            )
        ) from e
    try:
        return Manifest.model_validate_json(text)
    except ValidationError as e:
        [error, *_] = e.errors()
        field = ".".join(map(str, error["loc"])) or "the whole"
        raise RetrievalError(
            translate(
                "{path}: not a manifest of this version of medkg ({where}: {why}); delete "
                "{folder} and make it again with 'medkg qa index'",
                path=path,
                where=field,
                why=error["msg"],
                folder=folder,
            )
        ) from e


@contextmanager
def files_of(folder: Path, manifest: Manifest) -> Iterator[Path]:
    """The folder of an index' files, to read them in the block.

    Raises:
        RetrievalError: one is missing, has another size, or cannot be read.
        FileNotFoundError: one went while they were read, as an update ended.
    """
    files = _checked_files(folder, manifest)
    try:
        yield files
    except FileNotFoundError:
        raise
    except (OSError, ValueError, EOFError, pa.ArrowException) as e:
        problem = " ".join(str(e).split())
        raise RetrievalError(
            f"{files}: a file is damaged ({problem}); copy the whole folder {folder} again, or delete it "
            "and index anew"
        ) from e


def _checked_files(folder: Path, manifest: Manifest) -> Path:
    """The folder of an index' files, all of which are there and of their size."""
    files = folder / manifest.files_in
    for name, size in manifest.files.items():
        path = files / name
        actual = path.stat().st_size if path.is_file() else None
        if actual != size:
            state = "is missing" if actual is None else f"has {actual:,} bytes instead of {size:,}"
            raise RetrievalError(
                translate(
                    "{path}: {state}; copy the whole folder again, or build the index again",
                    path=path,
                    state=state,
                )
            )
    return files
