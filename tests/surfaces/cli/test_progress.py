"""The progress line of long work."""

from __future__ import annotations

import io

import pytest

from learnings.surfaces.cli.output import progress_on


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the seconds that the module sees; the test sets them."""
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "30")
    return now


def test_nothing_appears_in_the_first_second(clock: list[float]) -> None:
    terminal = Terminal()
    show = progress_on(terminal)
    show("1 of 9")
    clock[0] += 0.9
    show("2 of 9")
    show("")
    assert terminal.getvalue() == ""


def test_one_line_is_written_over_and_taken_away(clock: list[float]) -> None:
    terminal = Terminal()
    show = progress_on(terminal)
    for step in ("1 of 9", "2 of 9", "\x1b[31ma name that is longer than the terminal"):
        clock[0] += 1
        show(step)
        show("at the same time")
    show("")
    show("")
    lines = terminal.getvalue().split("\r\x1b[K")
    assert lines[:3] == ["", "1 of 9", "2 of 9"]
    assert len(lines[3]) == 29
    assert "\x1b" not in lines[3]
    assert lines[4:] == [""]


def test_no_pipe_no_job_and_no_dumb_terminal_sees_it(
    clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    def written(stream: io.StringIO) -> str:
        show = progress_on(stream)
        clock[0] += 5
        show("1 of 9")
        return stream.getvalue()

    assert written(io.StringIO()) == ""
    assert written(Terminal()) != ""
    monkeypatch.setenv("CI", "true")
    assert written(Terminal()) == ""
    monkeypatch.delenv("CI")
    monkeypatch.setenv("TERM", "dumb")
    assert written(Terminal()) == ""
