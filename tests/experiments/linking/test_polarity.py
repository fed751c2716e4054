"""The comparison of who sees which denials, on two linkers of our own."""

import json
from collections.abc import Sequence

from tests.experiments.linking.polarity import compare, medkg


def never(text: str, spans: Sequence[tuple[int, int]]) -> list[bool]:
    del text
    return [False for _ in spans]


def test_table_counts_denials_and_who_is_right_where_two_differ() -> None:
    line = json.dumps(
        {"text": "No fever, but a cough.", "spans": [[3, 8, "absent"], [16, 21, "x"]]}
    )
    assert compare([line], {"medkg": medkg, "never": never}) == [
        "| linker | precision | recall | right | right where they differ |",
        "| --- | --: | --: | --: | --: |",
        "| medkg | 1/1 | 1/1 | 2/2 | 1/1 |",
        "| never | 0/0 | 0/1 | 1/2 | 0/1 |",
    ]
