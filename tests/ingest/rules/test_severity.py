"""A rule that was read and was right less often than nine times in ten does not reject."""

import csv
from collections import Counter

import pytest

from cypher import Query
from ingest.check.rules import load_rules, rule_name
from tests.experiments.rules.__main__ import JUDGED

_PRECISE = 0.9


@pytest.mark.parametrize("rule", load_rules(), ids=rule_name)
def test_rule_that_is_often_wrong_only_warns(rule: Query) -> None:
    with (JUDGED / f"{rule_name(rule)}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    read = Counter(row["right"] for row in rows)
    assert read.keys() <= {"yes", "no", "doubtful"}
    assert {row["rule"] for row in rows} <= {rule_name(rule)}
    assert rule.severity == "warn" or read["yes"] >= _PRECISE * read.total()
