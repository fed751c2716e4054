import pytest

from kg.commands import Bars


def test_away_from_a_terminal_each_step_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    bars = Bars()
    with bars.step("reading [x]", 10) as outer:
        outer(5)
        with bars.step("writing") as inner:
            inner(1)
    shown = capsys.readouterr()
    assert shown.err.split("\n") == ["reading [x]", "writing", ""]
    assert shown.out == ""


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
