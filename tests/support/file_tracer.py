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
import shutil
import signal
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGES = {"chmod", "chown", "link", "mkdir", "remove", "rename", "rmdir", "symlink", "truncate"}
LOOKS = {"listdir", "scandir"}
GROWING = {"create", "mkdir", "symlink", "link", "write"}
"""The operations that fail on a full disk; renaming, removing and syncing still work."""
# Names that differ from run to run: temporary files, the cache's process files, objects.
VARYING = re.compile(r"(?<=learnings-)[0-9a-f]{16}(?=\.tmp)|(?<=\.json\.)\d+(?=\.part)")

real_open, real_write, real_abspath = io.open, os.write, os.path.abspath


def is_kill_point(kind: str, *, writes: bool) -> bool:
    """Return True if a kill before an operation leaves other files than one before the last.

    `fsync` and `close` change nothing, because all is written before: the next point is the same.
    """
    return writes and kind not in {"fsync", "close"}


class Tracer:
    """Count the file operations of this process below a folder, and stop it at one of them."""

    def __init__(self, root: str, report: int, stop: dict[str, Any], *, copies: str = "") -> None:
        self._root, self._report, self._copies = root, report, copies
        self._copying = False
        self._at, self._how = stop.get("number", 0), stop.get("how", "")
        self._lasting = stop.get("lasting", False)
        self._count = 0

    def operation(
        self,
        kind: str,
        path: object,
        *,
        writes: bool = True,
        half: Callable[[], object] | None = None,
    ) -> bool:
        """Report an operation before it runs; raises OSError if it should fail.

        half does the first half of it, for an interrupted write; True if that is done.
        """
        name = None if self._copying else self._name(path)
        if name is None:
            return False
        self._count += 1
        row = [kind, name, writes]
        real_write(self._report, f"{json.dumps(row)}\n".encode())
        if self._count == self._at or self._is_refused(kind, writes=writes):
            self._stop(half, path)
        return self._copied(kind, writes=writes, half=half) if self._copies else False

    def _copied(self, kind: str, *, writes: bool, half: Callable[[], object] | None) -> bool:
        """Keep the files as a kill before the operation leaves them, and one in a write."""
        self._copying = True
        if is_kill_point(kind, writes=writes):
            self._copy("kill")
        if kind == "write":
            if half is not None:
                half()
            self._copy("tear")
        self._copying = False
        return kind == "write" and half is not None

    def _copy(self, how: str) -> None:
        shutil.copytree(self._root, f"{self._copies}/{self._count}-{how}", symlinks=True)

    def _is_refused(self, kind: str, *, writes: bool) -> bool:
        if not self._lasting or self._count < self._at or kind == "end":
            return False
        return kind in GROWING if self._how == "ENOSPC" else writes

    def _stop(self, half: Callable[[], object] | None, path: object) -> None:
        if self._how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if half is not None:
            half()
        if self._how == "tear":
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

    def watch(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Handle an audit event."""
        name = event.removeprefix("os.")
        if event == "open":
            path, _, flags = arguments
            writes = bool(flags & WRITING)
            kind = "create" if flags & os.O_CREAT else "open"
            self.operation(kind, path, writes=writes)
        elif name in CHANGES:
            self.operation(name, arguments[1 if name in {"rename", "link"} else 0])
        elif name in LOOKS:
            self.operation(name, arguments[0] or ".", writes=False)
        elif event == "subprocess.Popen":
            self.operation("start", f"{self._root}/{self._words(arguments[1])}")

    @staticmethod
    def _words(command: Any) -> str:  # noqa: ANN401
        words = [os.fsdecode(word) for word in command]
        settings = {index for index, word in enumerate(words) if word == "-c"}
        kept = [w for i, w in enumerate(words) if i not in settings and i - 1 not in settings]
        return " ".join([Path(kept[0]).name, *kept[1:3]])

    def replace_functions(self) -> None:
        """Make the functions without an audit event report themselves."""
        for name in ("stat", "lstat", "readlink", "access"):
            self._replace(name)
        for name in ("fsync", "write"):
            self._replace_for_descriptor(name)
        opened = _traced_open(self)
        io.open = builtins.open = opened  # type: ignore[assignment]

    def _replace(self, name: str) -> None:
        real = getattr(os, name)

        def traced(path: Any, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401
            self.operation(name, path, writes=False)
            return real(path, *arguments, **named)

        setattr(os, name, traced)

    def _replace_for_descriptor(self, name: str) -> None:
        real = getattr(os, name)

        def traced(descriptor: Any, *arguments: Any) -> Any:  # noqa: ANN401
            number = descriptor if isinstance(descriptor, int) else descriptor.fileno()
            self.operation(name, _path_of(number))
            return real(descriptor, *arguments)

        setattr(os, name, traced)


class TracedFile(io.FileIO):
    """A file that reports its reads, writes and close; buffers and text lie above it as usual."""

    tracer: Tracer

    def write(self, data: Any) -> int:  # noqa: ANN401
        view = memoryview(data).cast("B")
        middle = len(view) // 2
        first, rest = view[:middle], view[middle:]
        if self.tracer.operation("write", self.name, half=lambda: io.FileIO.write(self, first)):
            return middle + super().write(rest)
        return super().write(data)

    def truncate(self, size: int | None = None) -> int:
        self.tracer.operation("truncate", self.name)
        return super().truncate(size)

    def readall(self) -> bytes:
        self.tracer.operation("read", self.name, writes=False)
        return super().readall()

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401
        self.tracer.operation("read", self.name, writes=False)
        return super().readinto(buffer)

    def read(self, size: int | None = -1) -> bytes:
        self.tracer.operation("read", self.name, writes=False)
        return super().read(size)

    def close(self) -> None:
        """Close the file; the reported operation has then already happened."""
        was_open, writes = not self.closed, not self.closed and self.writable()
        super().close()
        if was_open and writes:
            self.tracer.operation("close", self.name)


def _traced_open(tracer: Tracer) -> Callable[..., IO[Any]]:
    kind = type("TracedFile", (TracedFile,), {"tracer": tracer})

    def opened(  # noqa: PLR0917  (as io.open)
        file: Any,  # noqa: ANN401
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        **more: Any,  # noqa: ANN401
    ) -> IO[Any]:
        if isinstance(file, int):  # usually a pipe
            return real_open(file, mode, buffering, encoding, errors, newline, **more)
        raw = kind(file, mode.replace("b", "").replace("t", ""), **more)
        if buffering == 0:
            return raw  # type: ignore[no-any-return]
        reader = io.BufferedReader if mode.startswith("r") else io.BufferedWriter
        buffer: Any = (io.BufferedRandom if "+" in mode else reader)(raw)
        if "b" in mode:
            return buffer  # type: ignore[no-any-return]
        return io.TextIOWrapper(buffer, encoding, errors, newline)

    return opened


def _path_of(descriptor: int) -> str | None:
    """Return the path of an open file or folder, or None for a pipe or a terminal."""
    mode = os.fstat(descriptor).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        return None
    for folder in ("/proc/self/fd", "/dev/fd"):
        with suppress(OSError):
            return os.path.realpath(f"{folder}/{descriptor}")
    return None
