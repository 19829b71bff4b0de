"""Trace the file operations of this process, and stop it at one of them.

Python's audit events announce opening, renaming, removing and so on. Reads, writes, syncs and file
status have no audit event, so this module replaces their functions. It uses only the standard
library.
"""

from __future__ import annotations

import builtins
import errno
import io
import json
import os
import re
import signal
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

Anything = Any
"""A value that `os` or `io` takes or returns, which this module passes on."""
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGES = {"chmod", "chown", "link", "mkdir", "remove", "rename", "rmdir", "symlink", "truncate"}
LOOKS = {"listdir", "scandir"}
GROWING = {"create", "mkdir", "symlink", "link", "write"}
"""The operations that fail on a full disk; renaming, removing and syncing still work."""
# Names that differ from run to run: temporary files, the cache's process files, objects.
VARYING = re.compile(r"(?<=learnings-)[0-9a-f]{16}(?=\.tmp)|(?<=\.json\.)\d+(?=\.part)")

real_open, real_write, real_abspath = io.open, os.write, os.path.abspath


class Tracer:
    """Count the file operations of this process below a folder, and stop it at one of them."""

    def __init__(
        self, root: str, report: int, *, number: int = 0, how: str = "", lasting: bool = False
    ) -> None:
        self._root, self._report = root, report
        self._at, self._how, self._lasting = number, how, lasting
        self._count = 0

    def operation(
        self,
        kind: str,
        path: object,
        *,
        writes: bool = True,
        half: Callable[[], object] = lambda: None,
    ) -> None:
        """Report an operation before it runs; raise OSError if it should fail.

        half does the first half of it, for an interrupted write.
        """
        name = self._name(path)
        if name is None:
            return
        self._count += 1
        real_write(self._report, f"{json.dumps([kind, name, writes])}\n".encode())
        is_later = self._lasting and self._count > self._at and kind != "end"
        is_refused = kind in GROWING if self._how == "ENOSPC" else writes
        if self._count != self._at and not (is_later and is_refused):
            return
        if self._how != "kill":
            half()
        if self._how in {"kill", "tear"}:
            os.kill(os.getpid(), signal.SIGKILL)
        number = getattr(errno, self._how)
        raise OSError(number, os.strerror(number), path)

    def _name(self, path: object) -> str | None:
        """Return a path below the folder, without the parts that differ from run to run."""
        if not isinstance(path, str | bytes | os.PathLike):
            return None
        full = real_abspath(os.fsdecode(path))
        if full != self._root and not full.startswith(f"{self._root}/"):
            return None
        return VARYING.sub("*", full[len(self._root) + 1 :])

    def _watch(self, event: str, arguments: tuple[Any, ...]) -> None:
        name = event.removeprefix("os.")
        if event == "open":
            path, _, flags = arguments
            kind = "create" if flags & os.O_CREAT else "open"
            self.operation(kind, path, writes=bool(flags & WRITING))
        elif name in CHANGES:
            self.operation(name, arguments[1 if name in {"rename", "link"} else 0])
        elif name in LOOKS:
            self.operation(name, arguments[0] or ".", writes=False)
        elif event == "subprocess.Popen":
            command = " ".join(os.fsdecode(word) for word in arguments[1])
            program, _, rest = re.sub(r" -c \S+", "", command).partition(" ")
            words = " ".join([Path(program).name, *rest.split()[:2]])
            self.operation("start", f"{self._root}/{words}")

    def install(self) -> None:
        """Watch the audit events; make the functions without one report themselves."""
        for name in ("stat", "lstat", "readlink", "access"):
            self._replace(name, lambda path: path, writes=False)
        for name in ("fsync", "write"):
            self._replace(name, _path_of, writes=True)
        io.open = builtins.open = _traced_open(self)  # type: ignore[assignment]  # has overloads
        sys.addaudithook(self._watch)

    def _replace(self, name: str, path_of: Callable[[Any], object], *, writes: bool) -> None:
        real = getattr(os, name)

        def traced(file: Anything, *arguments: Anything, **named: Anything) -> Anything:
            self.operation(name, path_of(file), writes=writes)
            return real(file, *arguments, **named)

        setattr(os, name, traced)


class TracedFile(io.FileIO):
    """A file that reports its reads, writes and close; buffers and text lie above it as usual."""

    tracer: Tracer

    def write(self, data: Anything) -> int:
        view = memoryview(data).cast("B")
        first = view[: len(view) // 2]
        self.tracer.operation("write", self.name, half=lambda: io.FileIO.write(self, first))
        return super().write(data)

    def truncate(self, size: int | None = None) -> int:
        self.tracer.operation("truncate", self.name)
        return super().truncate(size)

    def readall(self) -> bytes:
        self.tracer.operation("read", self.name, writes=False)
        return super().readall()

    def readinto(self, buffer: Anything) -> int:
        self.tracer.operation("read", self.name, writes=False)
        return super().readinto(buffer)

    def close(self) -> None:
        """Close the file; the reported operation has then already happened."""
        is_written = not self.closed and self.writable()
        super().close()
        if is_written:
            self.tracer.operation("close", self.name)


def _traced_open(tracer: Tracer) -> Callable[..., IO[Any]]:
    kind = type("TracedFile", (TracedFile,), {"tracer": tracer})

    def opened(  # noqa: PLR0917  (as io.open)
        file: Anything,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        **more: Anything,
    ) -> IO[Any]:
        if isinstance(file, int):  # usually a pipe
            return real_open(file, mode, buffering, encoding, errors, newline, **more)
        raw = kind(file, mode.replace("b", "").replace("t", ""), **more)
        if buffering == 0:
            return raw  # type: ignore[no-any-return]
        reader = io.BufferedReader if mode.startswith("r") else io.BufferedWriter
        buffer: Anything = (io.BufferedRandom if "+" in mode else reader)(raw)
        if "b" in mode:
            return buffer  # type: ignore[no-any-return]
        return io.TextIOWrapper(buffer, encoding, errors, newline)

    return opened


def _path_of(file: Anything) -> str | None:
    """Return the path of an open file or folder, or None for a pipe or a terminal."""
    descriptor = file if isinstance(file, int) else file.fileno()
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        for folder in ("/proc/self/fd", "/dev/fd"):
            with suppress(OSError):
                return os.path.realpath(f"{folder}/{descriptor}")
    return None
