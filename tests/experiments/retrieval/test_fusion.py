"""The weight of vectors, fitted on one part and measured on another."""

from pathlib import Path
from typing import Any, cast

import numpy as np

from kg.progress import Silent
from tests.experiments.retrieval.fusion import fit, table
from tests.experiments.retrieval.run import Asked

PASSAGES = ("gout hurts", "asthma wheezes", "fever burns")
PLACES = {"gout hurts": 0, "asthma wheezes": 1, "fever burns": 2, "podagra": 0, "wheezes": 2}


class _Encoder:
    """Knows which passage a text is like, and errs about wheezes."""

    def encode(self, texts: list[str], **_: object) -> Any:  # noqa: ANN401
        return np.eye(3, dtype=np.float32)[[PLACES[text] for text in texts]]


def test_weight_is_chosen_on_dev_and_shown_for_the_test_beside_each_search_alone(
    tmp_path: Path,
) -> None:
    dev = Asked("dev set", ("podagra",), PASSAGES, (0,))
    empty = Asked("rare", (), PASSAGES, ())
    test = Asked("test set", ("podagra", "wheezes"), PASSAGES, (0, 1))
    found = fit(
        cast("Any", _Encoder()), [dev, empty], [test], tmp_path, Silent(), numbers="float32"
    )
    assert found["weight"] == 0.5  # of the weights above 0, which all find it, the most even
    assert [(row["weight"], row["mrr"]) for row in found["dev"]["dev set"]][:2] == [
        (0, 0),
        (0.05, 1),
    ]
    assert found["test"] == {
        "test set": [
            {"weight": 0.0, "questions": 2, "recall": 0.5, "mrr": 0.5},
            {"weight": 0.5, "questions": 2, "recall": 1.0, "mrr": 1.0},
            {"weight": 1.0, "questions": 2, "recall": 1.0, "mrr": 0.75 - 1 / 12},
        ]
    }
    lines = list(table(found, 1))
    assert "| **0.5** | **1.000** | **1.000** |" in lines
