"""The log of a step in GitHub Actions, kept free of foreign commands.

Text that could hold a command is put between lines that stop the runner, and the command in it is
broken. Both are needed: the runner reads the two streams at different times, so one can end the
stop of the other; and a patch must keep its bytes. All other text stays unchanged for scripts that
read it. A command is a whole line (ended by a newline or a carriage return) that begins with `::`
after white space, or has `##[` anywhere (ActionCommand.cs of actions/runner).
"""

from __future__ import annotations

import contextlib
import io
import os
import stat
import sys
from collections.abc import Iterable
from enum import Enum
from typing import TextIO

from learnings.surfaces.render.workflow_commands import (
    may_hold_commands,
    stopped,
    without_commands,
    without_old_form,
)


class Content(Enum):
    """The content of a stream: text with foreign parts, our commands, or a whole document.

    TEXT_BESIDE does not stop the runner: a stop could hit our commands or a patch on the other one.
    """

    TEXT = "text"
    TEXT_BESIDE = "text beside commands or a patch"
    COMMANDS = "commands"
    DOCUMENT = "document"


class ActionsLog(io.TextIOWrapper):
    """A stream that the runner reads; a text without a newline at its end may get one."""

    content = Content.TEXT
    _unfinished = ""
    """The start of a line, held back until its end or a flush."""

    def write(self, text: str) -> int:
        lines, newline, self._unfinished = f"{self._unfinished}{text}".rpartition("\n")
        super().write(self._harmless(lines + newline))
        return len(text)

    def flush(self) -> None:
        text, self._unfinished = self._unfinished, ""
        # The rest of the line could complete a command.
        end = "\n" if text.endswith((":", "#")) and self.content is not Content.DOCUMENT else ""
        if text:  # not when it is finalized: the stream below it may be closed by then
            super().write(self._harmless(text + end))
        super().flush()

    def _harmless(self, text: str) -> str:
        if self.content is Content.COMMANDS:
            return without_old_form(text)
        if self.content is Content.DOCUMENT or not may_hold_commands(text):
            return text
        broken = without_commands(text)
        return stopped(broken) if self.content is Content.TEXT else broken

    def writelines(self, lines: Iterable[str]) -> None:  # type: ignore[override]
        """Write lines as one text, so that the runner gets them in one piece."""
        self.write("".join(lines))

    def write_raw(self, text: str) -> None:
        super().write(self._harmless(f"{self._unfinished}\n") if self._unfinished else "")
        self._unfinished = ""
        super().write(text)


def use_for_standard_streams() -> None:
    """Replace standard output and standard error, unless they are files or have no buffer."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if _is_log(stream):
            stream.flush()
            log = ActionsLog(
                stream.buffer,
                encoding="utf-8",
                errors="backslashreplace",
                line_buffering=stream.line_buffering,
            )
            setattr(sys, name, log)


def announce(content: Content, *, is_patch: bool) -> None:
    """Set the content of the streams; a document also stands for text without foreign parts."""
    if isinstance(sys.stdout, ActionsLog):
        sys.stdout.content = content
    if isinstance(sys.stderr, ActionsLog) and (is_patch or content is Content.COMMANDS):
        sys.stderr.content = Content.TEXT_BESIDE


def write_commands(out: TextIO, text: str) -> None:
    out.write_raw(text) if isinstance(out, ActionsLog) else out.write(text)


def write_verbatim(out: TextIO, text: str) -> None:
    """Write text that must keep its bytes, such as a patch; the runner is stopped meanwhile."""
    if isinstance(out, ActionsLog) and may_hold_commands(text):
        out.write_raw(stopped(text))
    else:
        out.write(text)


def _is_log(stream: TextIO) -> bool:
    if not isinstance(stream, io.TextIOWrapper):
        return False
    with contextlib.suppress(OSError):  # a byte buffer is no file
        return not stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    return True
