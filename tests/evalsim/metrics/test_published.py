"""Tests of the paper's figures."""

from collections import Counter

import pytest

from evalsim.metrics import published_figures


def test_every_cell_of_the_papers_tables_is_there_once() -> None:
    found = published_figures()
    assert Counter(each.table for each in found) == {
        "3": 12,
        "4": 6,
        "5": 80,
        "6": 4,
        "7": 4,
        "9": 3,
        "section 5.2": 2,
    }
    keys = Counter(
        (e.table, e.task, e.metric, e.model, e.language, e.single_turn, e.directed) for e in found
    )
    assert set(keys.values()) == {1}


def test_figures_agree_with_what_the_papers_text_says_of_them() -> None:
    found = published_figures()

    def mean(table: str, model: str) -> float:
        values = [e.value for e in found if (e.table, e.model) == (table, model)]
        return sum(values) / len(values)

    assert mean("4", "QwQ-32B") == pytest.approx(0.8386, abs=1e-4)
    assert mean("4", "Qwen3-32B") == pytest.approx(0.8195, abs=1e-4)
    assert mean("4", "DeepSeek-R1-32B") == pytest.approx(0.8134, abs=1e-4)

    def best(language: str, metric: str, *, at_once: bool = False) -> str:
        own = [
            e
            for e in found
            if (e.table, e.language, e.task) == ("5", language, "diagnosis")
            and (e.metric, e.single_turn) == (metric, at_once)
        ]
        return max(own, key=lambda e: e.value).model

    assert best("en", "correctness") == best("en", "history_taking") == "LLaMA3.1-70B"
    assert best("zh", "correctness") == best("zh", "history_taking") == "DeepSeek-R1-671B"
    assert best("en", "correctness", at_once=True) == "GPT-4o"
    with_director = {e.value for e in found if e.table == "7" and e.directed}
    assert with_director <= {e.value for e in found if e.table == "5" and e.language == "zh"}
