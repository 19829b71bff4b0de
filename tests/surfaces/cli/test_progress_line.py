"""The progress line on a stream that says it is a terminal; `test_progress.py` uses a real one."""

from __future__ import annotations

import io
import time

import pytest

from learnings.core import progress
from learnings.surfaces.cli import progress_line
from learnings.surfaces.cli.progress_line import shown_progress

ERASE = b"\r\x1b[K"


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> io.BytesIO:
    """Return what reaches a terminal whose line appears at once."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress_line, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress_line, "_PAUSE", 0.001)
    return io.BytesIO()


def wait_for(written: io.BytesIO, text: bytes) -> None:
    end = time.monotonic() + 30
    while text not in written.getvalue():
        assert time.monotonic() < end, written.getvalue()
        time.sleep(0.001)


def test_the_line_is_gone_before_text_and_at_the_end(written: io.BytesIO) -> None:
    terminal = Terminal(written, encoding="utf-8")
    with shown_progress(terminal, terminal) as (out, _):
        progress.step("checking a.md")
        wait_for(written, b"checking a.md")
        out.write("found\n")
        out.flush()
        progress.step("checking b.md")
        wait_for(written, b"checking b.md")
    before, _, after = written.getvalue().partition(b"found\n")
    assert before.endswith(ERASE)
    assert after.endswith(ERASE)


def test_a_terminal_that_goes_away_stops_the_line_alone(written: io.BytesIO) -> None:
    terminal = Terminal(written, encoding="utf-8")
    with shown_progress(io.StringIO(), terminal) as (out, _):
        out.write("kept")
        terminal.detach()
        progress.step("checking a.md")
        assert isinstance(out, io.StringIO)
        assert out.getvalue() == "kept"


@pytest.mark.parametrize(("name", "value"), [("CI", "true"), ("TERM", "dumb")])
def test_nobody_watches(
    monkeypatch: pytest.MonkeyPatch, written: io.BytesIO, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    terminal = Terminal(written, encoding="utf-8")
    with shown_progress(terminal, terminal) as streams:
        assert streams == (terminal, terminal)
