"""The search for a better recipe: what was tried is kept, and a stopped search goes on."""

import json
from pathlib import Path
from typing import Any

import pytest

from kg.embeddings.memory import TooLittleMemoryError
from kg.embeddings.recipe import Recipe
from kg.embeddings.search import search
from kg.embeddings.training import train
from kg.errors import EmbeddingError
from tests.kg.embeddings.small import clinic_split, recipe

SHORT = recipe("transe", epochs=4, evaluate_every=2, arguments={"entity_constrainer": None})


def tried(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / "search.json").read_text())
    return found


def searched(folder: Path, trials: int, of: Recipe = SHORT, seed: int = 0) -> Recipe:
    return search(clinic_split(), of, trials, seed, folder, device="cpu")


def test_the_best_recipe_is_returned_and_all_trials_are_kept(tmp_path: Path) -> None:
    best = searched(tmp_path / "search", 3)
    rows = tried(tmp_path / "search")
    assert [row["state"] for row in rows] == ["complete"] * 3
    assert best.model_dump(mode="json") == max(rows, key=lambda row: row["mrr"])["recipe"]
    assert len({row["recipe"]["learning_rate"] for row in rows}) == 3
    assert {row["recipe"]["arguments"]["scoring_fct_norm"] for row in rows} <= {1, 2}
    for row in rows:
        assert row["recipe"]["arguments"]["entity_constrainer"] is None
        assert (row["recipe"]["epochs"], row["epochs"], row["error"]) == (4, 4, None)
    assert sorted(path.name for path in (tmp_path / "search").iterdir()) == [
        "search.json",
        "search.sqlite",
    ]


def test_a_search_that_is_gone_on_with_is_that_which_was_never_stopped(tmp_path: Path) -> None:
    searched(tmp_path / "parts", 1)
    assert searched(tmp_path / "whole", 3) == searched(tmp_path / "parts", 3)
    assert tried(tmp_path / "whole") == tried(tmp_path / "parts")
    modified = (tmp_path / "parts" / "search.sqlite").stat().st_mtime_ns
    searched(tmp_path / "parts", 2)
    assert (tmp_path / "parts" / "search.sqlite").stat().st_mtime_ns == modified


def test_a_trial_that_was_stopped_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    folder = tmp_path / "search"
    with monkeypatch.context() as patch:
        patch.setattr("kg.embeddings.search.train", stopped)
        with pytest.raises(KeyboardInterrupt):
            searched(folder, 1)
    searched(folder, 1)
    searched(tmp_path / "whole", 1)
    assert [row["recipe"] for row in tried(folder)] == [
        row["recipe"] for row in tried(tmp_path / "whole")
    ]


def test_another_search_in_the_folder_starts_anew(tmp_path: Path) -> None:
    searched(tmp_path / "search", 1)
    searched(tmp_path / "search", 1, seed=1)
    [row] = tried(tmp_path / "search")
    searched(tmp_path / "search", 1)
    assert tried(tmp_path / "search") != [row]


def test_a_trial_that_lacked_memory_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = iter(range(9))

    def short_of_memory(*given: Any, **named: Any) -> object:  # noqa: ANN401 - as train takes
        if next(calls) == 1:
            raise TooLittleMemoryError("too little memory")
        return train(*given, **named)

    folder = tmp_path / "search"
    monkeypatch.setattr("kg.embeddings.search.train", short_of_memory)
    searched(folder, 3)
    assert [row["error"] for row in tried(folder)] == [None, "too little memory", None]
    searched(folder, 3)
    assert next(calls) == 4
    searched(tmp_path / "whole", 3)
    assert tried(folder) == tried(tmp_path / "whole")


def test_a_search_on_a_device_that_is_not_there_tries_nothing(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match=r"'cuda:99' cannot be used .*--device"):
        search(clinic_split(), SHORT, 1, 0, tmp_path / "search", device="cuda:99")
    assert not (tmp_path / "search").exists()


def test_a_search_without_a_result_says_why(tmp_path: Path) -> None:
    spoilt = SHORT.changed({"arguments": {"entity_initializer": "nothing"}})
    message = (
        r"search: none of 1 trials was completed .*; the error of the first: TransE cannot be made"
    )
    for _ in range(2):
        with pytest.raises(EmbeddingError, match=message):
            searched(tmp_path / "search", 1, spoilt)
    [row] = tried(tmp_path / "search")
    assert row["state"] == "fail"
    assert "TransE cannot be made" in row["error"]
    with pytest.raises(EmbeddingError, match="no model 'transee'"):
        searched(tmp_path / "other", 1, SHORT.changed({"model": "transee"}))
