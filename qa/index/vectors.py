"""Vectors of the contents of records: encoded once each, resumably, and searched exactly.

The vectors of an index are a ``.npy`` of float32; FAISS' flat index is made of it when it is first
searched, in less time than it takes to read one. FAISS says which records are near. Their cosines
are then computed anew in float64, one by one, so that two records with the same content have the same
score and a ranking does not hang on the order of a sum.
"""

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cypher.translation import translate
from kg.errors import RetrievalError
from kg.progress import Progress
from kg.stores.disk import publish
from qa.index.models import SentenceModel, Vectors

SHARD: Final = 512
"""Texts whose vectors are kept together while the encoding goes on."""
DECIMALS: Final = 6
"""Of a cosine: beyond them float32 vectors of one text differ with the others of its batch."""

_FURTHER: Final = 32
"""Records beyond the last one wanted that FAISS is asked for at first."""
_NEAR: Final = 1e-4
"""What two computations of a cosine in float32 may differ by, amply."""


def checksum(content: str) -> str:
    """Of a content: equal ones have one vector."""
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


class EncodingFolder:
    """The folder of an encoding that goes on: what is encoded is kept until all is.

    One that was begun with another model is thrown away.
    """

    def __init__(self, folder: Path, model: SentenceModel) -> None:
        self.folder, self.model = folder, model
        model_file = folder / "model.json"
        model_text = json.dumps({"checksum": model.checksum}).encode()
        if not model_file.is_file() or model_file.read_bytes() != model_text:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            model_file.write_bytes(model_text)
        self._vectors: dict[str, NDArray[np.float32]] = {}
        """Those that are kept, by the checksums of their contents."""
        for path in folder.glob("*.npz"):
            with np.load(path) as shard:
                self._vectors.update(zip(shard["of"].tolist(), shard["vectors"], strict=True))

    def encode(
        self, contents: Mapping[str, str], progress: Progress
    ) -> Mapping[str, NDArray[np.float32]]:
        """The vectors of contents, by their checksums.

        Args:
            contents: by their checksums.
            progress: shown meanwhile.

        Raises:
            ModelError: the model cannot be used.
        """
        # texts of like length are encoded together, with the least padding
        missing = contents.keys() - self._vectors.keys()
        pending = sorted(missing, key=lambda key: (len(contents[key]), key))
        number = len(list(self.folder.glob("*.npz")))
        with progress.step("encode texts", len(contents)) as advance:
            advance(len(contents) - len(pending))
            for start in range(0, len(pending), SHARD):
                keys = pending[start : start + SHARD]
                vectors = self.model.of_texts([contents[key] for key in keys])
                draft = self.folder / "part"
                with draft.open("wb") as file:
                    np.savez(file, of=np.array(keys), vectors=vectors)
                publish(draft, self.folder / f"{number:06}.npz")
                number += 1
                self._vectors.update(zip(keys, vectors, strict=True))
                advance(len(keys))
        return {key: self._vectors[key] for key in contents}


def stacked(
    vectors: Mapping[str, NDArray[np.float32]], keys: Sequence[str], model: SentenceModel
) -> Vectors:
    """One row for each checksum, shape (of, dimension)."""
    if not keys:
        return np.zeros((0, model.dimension), np.float32)
    return np.stack([vectors[key] for key in keys]).astype(np.float32, copy=False)


class Flat:
    """Exact search among normalised vectors by their cosine."""

    def __init__(self, vectors: Vectors) -> None:
        """Take vectors, shape (records, dimension), each of length 1 or 0.

        Raises:
            RetrievalError: FAISS is not installed.
        """
        try:
            faiss: Any = import_module("faiss")  # an extra, 0.3 s
        except ImportError as e:
            raise RetrievalError(
                translate(
                    "searching by vectors needs faiss, which cannot be imported ({e}); install it with \"pip install 'medkg[qa]'\", or search by bm25",
                    e=e,
                )
            ) from e
        self._vectors = vectors
        self._faiss = faiss
        self._index = faiss.IndexFlatIP(vectors.shape[1])
        self._index.add(vectors)

    def nearest(
        self, question: Vectors, k: int, allowed: NDArray[np.bool_] | None = None
    ) -> list[tuple[int, float]]:
        """The records nearest to a vector; ties go to the smaller row.

        Args:
            question: shape (1, dimension), of length 1.
            k: records at most.
            allowed: shape (records,); None: all are.

        Returns:
            Rows with their cosines, the largest first.
        """
        allowed_count = len(self._vectors) if allowed is None else int(allowed.sum())
        if not allowed_count:
            return []
        parameters = None
        if allowed is not None:
            bits = np.packbits(allowed, bitorder="little")
            selector = self._faiss.IDSelectorBitmap(bits)
            parameters = self._faiss.SearchParameters(sel=selector)
        count = min(allowed_count, k + _FURTHER)
        while True:
            [cosines], [rows] = self._index.search(question, count, params=parameters)
            if count == allowed_count or cosines[k - 1] - cosines[-1] > _NEAR:
                break
            count = min(allowed_count, count * 4)  # too many are as near as the last one wanted
        cosine_of = {int(row): self._cosine(row, question[0]) for row in rows if row >= 0}
        nearest = sorted(cosine_of, key=lambda row: (-cosine_of[row], row))[:k]
        return [(row, cosine_of[row]) for row in nearest]

    def _cosine(self, row: int, question: NDArray[np.float32]) -> float:
        product = self._vectors[row].astype(np.float64) @ question.astype(np.float64)
        return round(float(product), DECIMALS)
