"""A few texts, and a small model of sentences that is saved and loaded as any other."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from qa.corpus import Document
from qa.index import Collate, Index, Passages
from qa.index.building import Change, change_index

os.environ.setdefault("HF_HUB_OFFLINE", "1")

TEXTS = {
    "gout": ("Gout", "Uric acid (UA) crystals inflame a joint. An attack of gout hurts.", "en"),
    "one": ("Type 1 diabetes", "Type 1 diabetes needs insulin.", "en"),
    "two": ("Type 2 diabetes", "Type 2 diabetes needs less insulin.", "en"),
    "tong": ("痛风", "痛风是一种疾病。该病引起关节疼痛。", "zh"),
}


def document(name: str, *, corpus: str = "test", **metadata: str) -> Document:
    title, text, language = TEXTS[name]
    return Document(name, title, text, corpus, language, {"corpus": corpus, **metadata})


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Index]:
    """Index some of the texts, or any documents, in ``tmp_path / "index"``."""

    def made(*texts: str | Document, collate: Collate | None = None, **change: object) -> Index:
        documents = [document(each) if isinstance(each, str) else each for each in texts]
        change_index(
            tmp_path / "index",
            Change(documents, collate or Passages("sentence"), **change),  # type: ignore[arg-type]
        )
        return Index.open(tmp_path / "index")

    return made


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Folders of two small models."""
    from tests.qa.index.small_model import save_model  # noqa: PLC0415 - takes seconds

    folder = tmp_path_factory.mktemp("models")
    return save_model(folder / "first", 1), save_model(folder / "second", 2)
