"""The log of a step in GitHub Actions, in which the runner looks for commands.

Whatever is written is kept from being one: where a text could hold a command it stands between
lines that stop the runner, and what looks like one is broken. The second is for the two streams,
which the runner reads at different times, so that one could end what the other has begun. Our
commands, and documents, which cannot hold one, are written by functions and modes of their own.
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
    """What a stream carries: text with parts of others, our commands, or a whole document."""

    TEXT = "text"
    COMMANDS = "commands"
    DOCUMENT = "document"


_CONTENTS = {"json": Content.DOCUMENT, "sarif": Content.DOCUMENT, "github": Content.COMMANDS}


class ActionsLog(io.TextIOWrapper):
    """A stream that the runner reads; without newline at its end a text may get one."""

    content = Content.TEXT

    def write(self, text: str) -> int:
        """Write text of others, or what `content` says; returns its length."""
        if self.content is Content.COMMANDS:
            text = without_old_form(text)
        elif self.content is Content.TEXT and may_hold_commands(text):
            text = stopped(without_commands(text))
        super().write(text)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:  # type: ignore[override]
        """Write lines as one text, which the runner gets in one piece."""
        self.write("".join(lines))

    def write_raw(self, text: str) -> None:
        """Write text that has been kept from being a command already."""
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


def announce(out: TextIO, format_name: str | None) -> None:
    """Say in which format the command writes that follows; None if it quotes no repository."""
    if isinstance(out, ActionsLog):
        known = _CONTENTS.get(format_name, Content.TEXT) if format_name else Content.DOCUMENT
        out.content = known


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
