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
from collections.abc import Iterable, Sequence
from typing import Literal, TextIO

from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted, printable, printable_lines

Content = Literal["text", "text beside", "commands", "document"]
"""The content of a stream: text with foreign parts, our commands, or a whole document.

Text beside commands or a patch does not stop the runner: a stop could hit what is on the other
stream.
"""


class ActionsLog(io.TextIOWrapper):
    """A stream that the runner reads; a text without a newline at its end may get one."""

    content: Content = "text"
    _unfinished = ""
    """The start of a line, held back until its end or a flush."""

    def write(self, text: str) -> int:
        lines, newline, self._unfinished = f"{self._unfinished}{text}".rpartition("\n")
        super().write(self._harmless(lines + newline))
        return len(text)

    def flush(self) -> None:
        text, self._unfinished = self._unfinished, ""
        # The rest of the line could complete a command.
        end = "\n" if text.endswith((":", "#")) and self.content != "document" else ""
        if text:  # not when it is finalized: the stream below it may be closed by then
            super().write(self._harmless(text + end))
        super().flush()

    def _harmless(self, text: str) -> str:
        if self.content == "commands":
            return without_old_form(text)
        if self.content == "document" or not may_hold_commands(text):
            return text
        broken = without_commands(text)
        return stopped(broken) if self.content == "text" else broken

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
    if isinstance(sys.stderr, ActionsLog) and (is_patch or content == "commands"):
        sys.stderr.content = "text beside"


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


_IN_DATA = str.maketrans({"%": "%25", "\n": "%0A"})
_IN_PROPERTY = _IN_DATA | str.maketrans({":": "%3A", ",": "%2C"})
_OLD_FORM = "##["
# The start of a line with a command; for the runner, a carriage return also ends a line.
_FIRST = lazy_pattern(r"(^|[\r\n])([^\S\r\n]*):(?=:)")


def workflow_command(name: str, message: str, **properties: object) -> str:
    """Return a command as a line, properties in the given order; no text inside can end it."""
    values = {key: printable(str(value)) for key, value in properties.items()}
    pairs = ",".join(f"{key}={value.translate(_IN_PROPERTY)}" for key, value in values.items())
    gap = " " if pairs else ""
    data = printable_lines(message).translate(_IN_DATA)
    return without_old_form(f"::{name}{gap}{pairs}::{data}\n")


MOST_ANNOTATIONS = 10  # of one level per step; GitHub silently drops the rest


def limited(level: str, commands: Sequence[str]) -> str:
    """Return the commands of a level that GitHub shows, and a line that counts the rest."""
    rest = len(commands) - MOST_ANNOTATIONS
    more = f"and {counted(rest, f'more {level}')}, beyond what GitHub shows\n" if rest > 0 else ""
    return "".join((*commands[:MOST_ANNOTATIONS], more))


def without_old_form(text: str) -> str:
    r"""Return text without commands of the older form: `##[` becomes `##\x5b`."""
    return text.replace(_OLD_FORM, r"##\x5b")


def without_commands(text: str) -> str:
    r"""Return text without commands of either form: `::` at a line's start becomes `\x3a:`."""
    return _FIRST.sub(r"\1\2\\x3a", without_old_form(text))


def may_hold_commands(text: str) -> bool:
    """Return True if a runner could find a command in a text, however it splits lines."""
    return "::" in text or _OLD_FORM in text


def stopped(text: str) -> str:
    """Return text between two lines that stop the runner, with an unguessable token."""
    import secrets  # noqa: PLC0415  (slow, and seldom needed)

    token = secrets.token_hex(16)
    end = "" if text.endswith("\n") else "\n"
    return f"::stop-commands::{token}\n{text}{end}::{token}::\n"
