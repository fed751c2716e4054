import pytest
from rich.progress import Progress

from kg.commands import Bars
from kg.commands.progress import _pace, duration


def test_away_from_a_terminal_each_step_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    bars = Bars()
    with bars.step("reading [x]", 10) as outer:
        outer(5)
        with bars.step("writing") as inner:
            inner(1)
    shown = capsys.readouterr()
    assert shown.err.split("\n") == ["reading [x]", "writing", ""]
    assert shown.out == ""


def test_away_from_a_terminal_a_long_step_says_how_far_it_is_and_how_long_it_took(
    capsys: pytest.CaptureFixture[str],
) -> None:
    now = [0.0]
    bars = Bars(lambda: now[0])
    with bars.step("Loading edges", 40_000) as advance:
        for now[0] in (5.0, 10.0, 20.0):
            advance(10_000)
            bars.note("all well")
        now[0] = 21.0
    shown = capsys.readouterr()
    assert shown.err.splitlines() == [
        "Loading edges",
        "Loading edges: 20,000/40,000, 2,000/s, 10 s, 10 s left, all well",
        "Loading edges: 30,000/40,000, 1,333/s, 20 s, 8 s left, all well",
        "Loading edges: done in 21 s, all well",
    ]


def test_what_is_left_counts_down_and_is_not_told_where_it_took_longer() -> None:
    now = [0.0]
    drawing = Progress(get_time=lambda: now[0], disable=True)
    number = drawing.add_task("merge", total=4, note="", advanced=0.0, left="{time} left")
    for now[0] in (3.0, 6.0, 9.0):
        drawing.update(number, advance=1, advanced=now[0])
    told = []
    for now[0] in (9.0, 10.0, 11.0, 12.0, 60.0):
        told.append(_pace(drawing.tasks[number])[1:])
    assert told == [["9 s", "3 s left"], ["10 s", "2 s left"], ["11 s", "1 s left"],
                    ["12 s"], ["1 min 0 s"]]  # fmt: skip


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.04, "0.0 s"),
        (41.6, "42 s"),
        (59.7, "1 min 0 s"),
        (185, "3 min 5 s"),
        (7800, "2 h 10 min"),
    ],
)
def test_a_duration_is_told_in_the_units_of_people(seconds: float, told: str) -> None:
    assert duration(seconds) == told


def test_on_a_terminal_bars_are_drawn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    bars = Bars()
    for name in ("reading", "writing"):
        with bars.step(name, 4) as advance, bars.step("part") as part:
            advance(4)
            part(3)
    shown = capsys.readouterr().err
    assert "4/4" in shown
    assert "3/3" in shown


def test_a_finished_bar_is_not_drawn_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    bars = Bars()
    with bars.step("reading"), bars.step("part"):
        pass
    assert "reading" in capsys.readouterr().err
    with bars.step("writing"):
        pass
    shown = capsys.readouterr().err
    assert "writing" in shown
    assert "reading" not in shown
    assert "part" not in shown


def test_an_error_ends_the_step() -> None:
    bars = Bars()
    with pytest.raises(KeyError), bars.step("reading"):
        raise KeyError
    with bars.step("again"):
        pass
