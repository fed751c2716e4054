"""Models of sentences: found on this machine by name or path, identified by a checksum, loaded late."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from kg.errors import ModelError
from qa.models import check_device, find_model, quiet

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Vectors = NDArray[np.float32]

BATCH: Final = 32
"""Texts that are encoded at once."""

_PURPOSE: Final = "to compare meanings"
_LIBRARIES: Final = ("torch", "sentence_transformers")
_NOT_OF_MODEL: Final = (".md", ".gitattributes", ".lock", ".py", ".pyc")
_CHUNK: Final = 1 << 20


@dataclass(frozen=True)
class SentenceModel:
    """A model in a folder of this machine."""

    name: str
    """Its name in full, or the absolute path of its folder."""
    folder: Path
    device: str | None = None
    """As torch names it; None: a GPU where there is one."""

    @classmethod
    def find(cls, name: str | Path, device: str | None = None) -> "SentenceModel":
        """The model of a name or path; torch is not imported, and nothing downloaded.

        Args:
            name: as ``qa.models.find_model`` takes it.
            device: as torch names it; None: a GPU where there is one.

        Raises:
            ModelError: it is not on this machine, or its folder is no model.
        """
        model = find_model(name, _PURPOSE, _LIBRARIES)
        return cls(model.name, model.folder, device)

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of its files, those that say nothing to a program aside; 64 hexadecimals."""
        total = hashlib.sha256()
        for path in sorted(self.folder.rglob("*")):
            relative = path.relative_to(self.folder)
            if path.is_dir() or path.suffix in _NOT_OF_MODEL or relative.parts[0].startswith("."):
                continue
            total.update(f"{relative.as_posix()}\n{path.stat().st_size}\n".encode())
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
            ModelError: it cannot be loaded, or there is no such device.
        """
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - takes seconds

        if self.device is not None:
            check_device(self.device)
        try:
            with quiet():
                return SentenceTransformer(
                    str(self.folder), device=self.device, local_files_only=True
                )
        except (OSError, ValueError, KeyError, RuntimeError) as e:
            problem = " ".join(str(e).split())[:300]
            raise ModelError(
                f"{self.folder}: sentence-transformers cannot load the model ({problem}); save or "
                "download it again"
            ) from e

    @property
    def dimension(self) -> int:
        """Of its vectors."""
        return int(self.encoder.get_embedding_dimension() or 0)

    def of_texts(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts that are to be found.

        Returns:
            Shape (texts, dimension), each of length 1.

        Raises:
            ModelError: the model cannot be loaded, or gives a vector that is none.
        """
        vectors = self.encoder.encode_document(
            list(texts),
            batch_size=BATCH,
            normalize_embeddings=True,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        return self._checked(vectors)

    def of_question(self, question: str) -> Vectors:
        """The vector of a question.

        Returns:
            Shape (1, dimension), of length 1.

        Raises:
            ModelError: as for ``of_texts``.
        """
        vectors = self.encoder.encode_query(
            [question],
            normalize_embeddings=True,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        return self._checked(vectors)

    def _checked(self, encoded: NDArray[np.generic]) -> Vectors:
        vectors = np.ascontiguousarray(encoded, dtype=np.float32)
        if not np.isfinite(vectors).all():
            raise ModelError(
                f"the model {self.name} gives vectors that are no numbers; use another model"
            )
        return vectors
