"""Every cue of pages finds its example and not its counterexample."""

import re

import pytest

from ingest.sources.pages.cues import ROLES, Cue, bounded, read_cues

CUES = [
    pytest.param(role, cue, id=f"{relation}, {role}: {cue.example}")
    for relation, cues in read_cues().items()
    for role in ROLES
    for cue in getattr(cues, role)
]


@pytest.mark.parametrize(("role", "cue"), CUES)
def test_a_cue_is_in_its_example_and_not_in_its_counterexample(role: str, cue: Cue) -> None:
    pattern = re.compile(bounded(role, cue.says))
    found = pattern.match if role == "follows" else pattern.search
    assert found(cue.example)
    assert not found(cue.but_not)
