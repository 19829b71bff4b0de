"""A line on a terminal that says what a command does, from the first second until it prints."""

from __future__ import annotations

import io
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from learnings.core import progress
from learnings.core.text import printable, shortened

# Seconds of silence before the line appears; docs/commands.md names the number.
_PATIENCE = 1.0
# Seconds between two looks at the current step.
_PAUSE = 0.1
_ERASE = "\r\x1b[K"
_FIRST_STEP = "reading the repository"


@contextmanager
def shown_progress(out: TextIO, err: TextIO) -> Iterator[tuple[TextIO, TextIO]]:
    """Show the steps of the work inside on err, a terminal, if people look at it.

    Yields the streams to print to: what is written to a terminal first removes the line.
    """
    if os.environ.get("CI") or os.environ.get("TERM") == "dumb":
        yield out, err
        return
    line = _ProgressLine(err)
    streams = _over(out, line), _over(err, line)
    progress.report_to(line.follow)
    try:
        yield streams
    finally:
        progress.report_to(None)
        line.end()
        for stream in streams:
            if isinstance(stream, _Terminal):
                stream.detach()  # its end would close the terminal


class _ProgressLine:
    """The line; a thread of its own writes it, since a long step does not return to say so."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._step = _FIRST_STEP
        self._shown = ""
        self._next_at = time.monotonic() + _PATIENCE
        self._is_line_start = True
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)
        self._thread.start()

    def follow(self, step: str) -> None:
        self._step = step

    def give_way(self, text: str) -> None:
        """Remove the line before a text is printed, and be silent for another second."""
        with self._lock:
            self._erase()
            self._next_at = time.monotonic() + _PATIENCE
            self._is_line_start = text.endswith("\n") if text else self._is_line_start

    def end(self) -> None:
        self._ended.set()
        with self._lock:
            self._erase()

    def _show(self) -> None:
        while not self._ended.wait(max(self._next_at - time.monotonic(), _PAUSE)):
            with self._lock:
                is_due = self._is_line_start and time.monotonic() >= self._next_at
                if is_due and self._step != self._shown and not self._ended.is_set():
                    from shutil import get_terminal_size  # noqa: PLC0415  (most commands end before)

                    self._shown = self._step
                    columns = get_terminal_size().columns - 1
                    self._put(_ERASE + shortened(printable(self._shown), columns))

    def _erase(self) -> None:
        if self._shown:
            self._put(_ERASE)
            self._shown = ""

    def _put(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # the terminal is gone; what the command prints says so
            self._ended.set()


class _Terminal(io.TextIOWrapper):
    """A stream to a terminal that has a progress line."""

    line: _ProgressLine

    def write(self, text: str) -> int:
        self.line.give_way(text)
        return super().write(text)


def _over(stream: TextIO, line: _ProgressLine) -> TextIO:
    """Return a stream to the same terminal that removes the line first; others as they are."""
    if not stream.isatty() or not isinstance(stream, io.TextIOWrapper):
        return stream
    terminal = _Terminal(
        stream.buffer, encoding=stream.encoding, errors=stream.errors, line_buffering=True
    )
    terminal.line = line
    return terminal
