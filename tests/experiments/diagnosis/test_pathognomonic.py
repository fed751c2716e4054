"""The list of pathognomonic findings."""

from tests.experiments.diagnosis.pathognomonic import pairs


def test_list_has_a_hundred_pairs_each_once() -> None:
    assert len(pairs()) >= 100
    assert len({(diseases[0], findings[0]) for diseases, findings in pairs()}) == len(pairs())
