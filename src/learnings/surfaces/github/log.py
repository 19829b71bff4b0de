"""The log of a step in GitHub Actions, in which the runner looks for commands.

Whatever is written is kept from being one: where a text could hold a command it stands between
lines that stop the runner, and what looks like one is broken. Each would do alone but for this: the
runner reads the two streams at different times, so that one can end what the other has begun; and a
patch has to keep its bytes. Our commands, and documents, which cannot hold one, are written by
functions and modes of their own.

Text that cannot hold a command stays as it is, for scripts that take it into a variable. What the
runner takes for one (ActionCommand.cs of actions/runner): a line, ended by a newline or a carriage
return, that begins with `::` after white space, or has `##[` anywhere. It looks for both by the
rules of a language, which pass over characters of no width; but it cuts off two or three characters
where it sees them and then compares names letter by letter, so that nothing but these very
characters leads to a name. A line is looked at when it is whole, however many calls have written
it.
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
    """What a stream carries: text with parts of others, our commands, or a whole document.

    Text beside our commands or a patch, on the other stream, does not stop the runner: the end of
    that could come in the middle of a patch, the beginning before a command.
    """

    TEXT = "text"
    TEXT_BESIDE = "text beside commands or a patch"
    COMMANDS = "commands"
    DOCUMENT = "document"


_CONTENTS = {"json": Content.DOCUMENT, "sarif": Content.DOCUMENT, "github": Content.COMMANDS}


class ActionsLog(io.TextIOWrapper):
    """A stream that the runner reads; without newline at its end a text may get one."""

    content = Content.TEXT
    _unfinished = ""
    """The beginning of a line, which is not written before its end or a flush."""

    def write(self, text: str) -> int:
        """Write text of others, or what `content` says; returns its length."""
        lines, newline, self._unfinished = f"{self._unfinished}{text}".rpartition("\n")
        super().write(self._harmless(lines + newline))
        return len(text)

    def flush(self) -> None:
        """Write everything, also a line without its end."""
        text, self._unfinished = self._unfinished, ""
        # More of the line could follow and complete a command.
        end = "\n" if text.endswith((":", "#")) and self.content is not Content.DOCUMENT else ""
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
        """Write lines as one text, which the runner gets in one piece."""
        self.write("".join(lines))

    def write_raw(self, text: str) -> None:
        """Write text that has been kept from being a command already, from a new line on."""
        super().write(self._harmless(f"{self._unfinished}\n") if self._unfinished else "")
        self._unfinished = ""
        super().write(text)


def use_for_standard_streams() -> None:
    """Replace standard output and standard error, unless they lead to a file or to no bytes."""
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


def announce(format_name: str | None, *, is_patch: bool) -> None:
    """Say in which format the command writes that follows; None if it quotes no repository.

    is_patch is True if it may write a patch.
    """
    content = _CONTENTS.get(format_name, Content.TEXT) if format_name else Content.DOCUMENT
    if isinstance(sys.stdout, ActionsLog):
        sys.stdout.content = content
    if isinstance(sys.stderr, ActionsLog) and (is_patch or content is Content.COMMANDS):
        sys.stderr.content = Content.TEXT_BESIDE


def write_commands(out: TextIO, text: str) -> None:
    """Write our own commands."""
    out.write_raw(text) if isinstance(out, ActionsLog) else out.write(text)


def write_verbatim(out: TextIO, text: str) -> None:
    """Write text that has to stay as it is, such as a patch; the runner is stopped meanwhile."""
    if isinstance(out, ActionsLog) and may_hold_commands(text):
        out.write_raw(stopped(text))
    else:
        out.write(text)


def _is_log(stream: TextIO) -> bool:
    if not isinstance(stream, io.TextIOWrapper):
        return False
    with contextlib.suppress(OSError):  # a buffer of bytes is no file
        return not stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    return True
