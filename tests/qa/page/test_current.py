"""What a page server does when the graph or the texts change under it."""

import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest

from cypher.translation import speaking
from kg.configuration import Settings
from kg.errors import LinkingError, RetrievalError, StoreError
from qa.answer import PartAnswer
from qa.assembly import AnswerOptions
from qa.page import current
from qa.page.current import CurrentAnswerer, Place
from tests.qa.page.served import build, rows, write_texts

SYMPTOMS = "What are the symptoms of gout?"


@pytest.fixture(autouse=True)
def look_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(current, "LOOK_EVERY", 0.0)
    monkeypatch.setattr(current, "_AGAIN_AFTER", 0.0)


def _names(part: PartAnswer) -> list[str]:
    return [str(row["symptom_name"]) for row in part.facts.rows.dicts()] if part.facts else []


def _symptoms(answering: CurrentAnswerer) -> list[str]:
    with answering.answerer() as answerer:
        (part,) = answerer.answer(SYMPTOMS).parts
    return _names(part)


def _wait_for(what: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end, "not in a minute"
        time.sleep(0.05)


def test_graph_that_is_built_anew_is_answered_from(tmp_path: Path) -> None:
    told: list[str] = []
    build(tmp_path, rows("Arthritis"))
    answering = CurrentAnswerer(Place(Settings(home=tmp_path), AnswerOptions()), told.append)
    assert _symptoms(answering) == ["Fever", "Arthritis"]
    with answering.answerer() as old:
        build(tmp_path, rows("Tophi"))
        _wait_for(lambda: _symptoms(answering) == ["Fever", "Tophi"])
        (part,) = old.answer(SYMPTOMS).parts  # a question under way ends on the old graph
        assert _names(part) == ["Fever", "Arthritis"]
    with pytest.raises(StoreError, match="closed"):
        old.answer(SYMPTOMS)
    _wait_for(lambda: told[-1] == "The graph or its texts have changed; they were reloaded.")
    answering.close()


def test_what_was_replaced_is_not_kept(tmp_path: Path) -> None:
    build(tmp_path, rows("Arthritis"))
    answering = CurrentAnswerer(Place(Settings(home=tmp_path), AnswerOptions()), print)
    with answering.answerer() as answerer:
        linker = weakref.ref(answerer.linker)
    del answerer
    build(tmp_path, rows("Tophi"))
    _wait_for(lambda: _symptoms(answering) == ["Fever", "Tophi"])
    _wait_for(lambda: linker() is None)
    answering.close()


def test_one_thread_loads_whatever_comes_and_ends_with_the_server(tmp_path: Path) -> None:
    loaders: list[threading.Thread] = []
    build(tmp_path, rows("Arthritis"))
    write_texts(tmp_path)
    place = Place(Settings(home=tmp_path), AnswerOptions())
    answering = CurrentAnswerer(place, lambda _: loaders.append(threading.current_thread()))
    for times, symptom in enumerate(("Tophi", "Pain"), 1):
        build(tmp_path, rows(symptom))
        _wait_for(lambda: bool(_symptoms(answering)) and len(loaders) == times)  # noqa: B023
        assert _symptoms(answering) == ["Fever", symptom]
    assert len(set(loaders)) == 1
    assert loaders[0] is not threading.current_thread()
    answering.close()
    _wait_for(lambda: not loaders[0].is_alive())


def test_texts_that_come_later_are_answered_from(tmp_path: Path) -> None:
    told: list[str] = []
    build(tmp_path, rows())
    with speaking("zh"):
        answering = CurrentAnswerer(Place(Settings(home=tmp_path), AnswerOptions()), told.append)
    assert told == [
        "没有可供引用的文本，因此只用图谱中的事实回答；“medkg qa index”可建立文本索引。"
    ]
    write_texts(tmp_path)

    def quotes() -> bool:
        with answering.answerer() as answerer:
            return answerer.index is not None

    _wait_for(quotes)
    _wait_for(lambda: len(told) > 1)  # it is told after it is so
    assert told[1:] == ["图谱或文本已有变化，已重新载入。"]
    answering.close()


def test_graph_that_cannot_be_read_leaves_the_old_one_and_is_told_once(tmp_path: Path) -> None:
    told: list[str] = []
    build(tmp_path, rows())
    answering = CurrentAnswerer(Place(Settings(home=tmp_path), AnswerOptions()), told.append)
    graph = tmp_path / "graph.lbug"
    graph.rename(tmp_path / "away.lbug")
    graph.write_bytes(b"no graph")
    before = len(told)
    _wait_for(lambda: bool(_symptoms(answering)) and len(told) > before)
    for _ in range(5):
        assert _symptoms(answering) == ["Fever", "Arthritis"]
        time.sleep(0.1)
    assert len(told) == before + 1
    assert "cannot be reloaded; answers still come from the old ones: " in told[-1]
    build(tmp_path, rows("Tophi"))
    _wait_for(lambda: _symptoms(answering) == ["Fever", "Tophi"])
    answering.close()


def test_closed_one_answers_no_more(tmp_path: Path) -> None:
    build(tmp_path, rows())
    answering = CurrentAnswerer(Place(Settings(home=tmp_path), AnswerOptions()), print)
    answering.close()
    with pytest.raises(StoreError, match="the server has ended; start it again"):
        _symptoms(answering)


def test_what_is_not_there_at_the_start_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="medkg build"):
        CurrentAnswerer(Place(Settings(home=tmp_path), AnswerOptions()), print)
    build(tmp_path, rows())
    options = AnswerOptions(texts=tmp_path / "nowhere")
    with pytest.raises(RetrievalError, match="nowhere"):
        CurrentAnswerer(Place(Settings(home=tmp_path), options), print)
    build(tmp_path, [])
    with pytest.raises(LinkingError):
        CurrentAnswerer(Place(Settings(home=tmp_path), AnswerOptions()), print)
