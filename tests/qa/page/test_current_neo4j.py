"""A page server notices that its Neo4j was loaded anew."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

import kg
from ingest.merge import MergeConfig, merge
from kg.configuration import Settings
from kg.progress import Silent
from qa.assembly import AnswerOptions
from qa.page import current
from qa.page.current import CurrentAnswerer, Place
from tests.ingest.rows import write_assertions
from tests.qa.page.served import rows

pytestmark = pytest.mark.neo4j


def _load(settings: Settings, folder: Path, symptom: str) -> None:
    folder.mkdir()
    path = write_assertions(folder / "s.parquet", "s", rows(symptom))
    result = merge(MergeConfig(assertions={"s": path}, made_by="a test"), folder, Silent())
    with kg.connect(settings=settings) as store:
        store.load(result.tables)


def _symptoms(answering: CurrentAnswerer) -> list[str]:
    with answering.answerer() as answerer:
        (part,) = answerer.answer("What are the symptoms of gout?").parts
    return [str(row["symptom_name"]) for row in part.facts.rows.dicts()] if part.facts else []


def test_graph_that_is_loaded_anew_is_answered_from(
    neo4j_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(current, "LOOK_EVERY", 0.0)
    monkeypatch.setattr(current, "_AGAIN_AFTER", 0.0)
    settings = replace(neo4j_settings, home=tmp_path)
    _load(settings, tmp_path / "one", "Arthritis")
    answering = CurrentAnswerer(Place(settings, AnswerOptions()), print)
    try:
        assert _symptoms(answering) == ["Fever", "Arthritis"]
        _load(settings, tmp_path / "two", "Tophi")
        end = time.monotonic() + 60
        while answering._current.answerer.linker.candidates("Tophi")[:1] == []:
            assert _symptoms(answering)[:1] == ["Fever"]
            assert time.monotonic() < end
            time.sleep(0.1)
        assert _symptoms(answering) == ["Fever", "Tophi"]
    finally:
        answering.close()
