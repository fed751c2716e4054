"""Every entry of the table of cues finds its example and not its counterexample."""

import re

import pytest

from ingest.extraction.cues import Cue, Cues, Frame

CUES = Cues.read()
FRAMES = [
    (cue, frame)
    for group in CUES.groups
    for cue, frame in zip((*group.en, *group.zh), group.frames(), strict=True)
]
NAMED = {
    name: cue for name in type(CUES).model_fields if isinstance(cue := getattr(CUES, name), Cue)
}
PATTERNS = [
    *NAMED.values(),
    *CUES.blanks,
    *(cue for asked in CUES.questions for cue in asked.asks),
]


def says(frame: Frame, text: str) -> bool:
    """Whether a frame is in a text, its mentions in brackets."""
    before, first, between, second, after = re.split(r"[\[\]]", text)
    assert first
    assert second
    return bool(
        frame.between.search(between)
        and (frame.before is None or frame.before.search(before))
        and (frame.after is None or frame.after.search(after))
    )


@pytest.mark.parametrize(("cue", "frame"), FRAMES, ids=lambda each: getattr(each, "example", ""))
def test_a_frame_says_its_example_and_not_its_counterexample(cue: Cue, frame: Frame) -> None:
    assert says(frame, cue.example)
    assert not says(frame, cue.but_not)


@pytest.mark.parametrize("cue", PATTERNS, ids=lambda cue: cue.example)
def test_a_pattern_is_in_its_example_and_not_in_its_counterexample(cue: Cue) -> None:
    assert re.search(cue.says, cue.example, re.IGNORECASE)
    assert cue.but_not
    assert not re.search(cue.says, cue.but_not, re.IGNORECASE)
