"""Run our commands as a user does, and the programs installed beside them.

Starting Python costs more than most commands, so a `Command` runs in the process of the tests. A
test about streams, signals or parallel runs asks for its `process`. tests/project/test_processes.py
shows that both do the same.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from learnings.surfaces.cli import main as cli

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

SECONDS = 120
AT_START = ("LANG", "LC_", "PYTHON")
"""Prefixes of variables that Python reads only when it starts."""


@dataclass(frozen=True, slots=True)
class Completed:
    """The result of a command: its exit code and the bytes of its two streams.

    `both` holds both streams in the order that a terminal would show; it is known only for a run in
    the process of the tests.
    """

    code: int
    stdout: bytes
    stderr: bytes
    both: bytes = b""

    @property
    def out(self) -> str:
        """Return standard output as text."""
        return self.stdout.decode("utf-8", "surrogateescape").replace("\r\n", "\n")

    @property
    def err(self) -> str:
        """Return standard error as text."""
        return self.stderr.decode("utf-8", "surrogateescape").replace("\r\n", "\n")

    @property
    def json(self) -> Any:  # noqa: ANN401  (whatever the document is)
        """Return standard output as a JSON document."""
        return json.loads(self.stdout)


@dataclass(frozen=True, slots=True)
class Program:
    """An installed console script; calling it runs it as a process."""

    name: str

    @property
    def path(self) -> Path:
        """Return the path of the script."""
        suffix = ".exe" if os.name == "nt" else ""
        return Path(sysconfig.get_path("scripts")) / f"{self.name}{suffix}"

    def __call__(
        self,
        *arguments: str | Path,
        cwd: Path,
        env: Mapping[str, str | None] | None = None,
        stdin: bytes = b"",
    ) -> Completed:
        """Run in `cwd`; `env` changes the test's environment, None removes a variable."""
        changed = {**os.environ, **(env or {})}
        run = subprocess.run(
            [self.path, *map(str, arguments)],
            cwd=cwd,
            env={key: value for key, value in changed.items() if value is not None},
            input=stdin,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        return Completed(run.returncode, run.stdout, run.stderr)


@dataclass(frozen=True, slots=True)
class Command:
    """One of our commands; calling it runs its function as its console script would."""

    name: str

    @property
    def process(self) -> Program:
        """Return the installed command, which runs as a process."""
        return Program(self.name)

    @property
    def path(self) -> Path:
        """Return the path of the command."""
        return self.process.path

    def __call__(
        self,
        *arguments: str | Path,
        cwd: Path,
        env: Mapping[str, str | None] | None = None,
        stdin: bytes = b"",
    ) -> Completed:
        """Run in this process with the given working directory, environment and streams.

        If `env` changes a variable that Python reads at its start, run a process.
        """
        if any(name.startswith(AT_START) for name in env or ()):
            return self.process(*arguments, cwd=cwd, env=env, stdin=stdin)
        main = _main_of(self.name)
        with _surroundings(cwd, env or {}), _streams(stdin) as (stdout, stderr, both):
            code = main([*map(str, arguments)])
        return Completed(code, stdout.getvalue(), stderr.getvalue(), both.getvalue())


@cache
def _main_of(name: str) -> Callable[[list[str]], int]:
    (script,) = entry_points(group="console_scripts", name=name)
    loaded = script.load()
    # The script `learnings` adds only the end of the process.
    return cast("Callable[[list[str]], int]", cli.main if loaded is cli.program else loaded)


@contextmanager
def _surroundings(cwd: Path, env: Mapping[str, str | None]) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in env.items():
            if value is None:
                patch.delenv(name, raising=False)
            else:
                patch.setenv(name, value)
        patch.chdir(cwd)
        _reset_clock(env)
        yield
    _reset_clock(env)


def _reset_clock(env: Mapping[str, str | None]) -> None:
    if "TZ" in env and hasattr(time, "tzset"):  # Windows has none
        time.tzset()


@contextmanager
def _streams(stdin: bytes) -> Iterator[tuple[io.BytesIO, io.BytesIO, io.BytesIO]]:
    """Replace the standard streams; yield what is written to output, errors, and both."""
    both = io.BytesIO()
    kept = _Kept(both), _Kept(both)
    # The worst encoding that a locale can ask for: the command must choose its own.
    out, err = (
        io.TextIOWrapper(buffer, encoding="ascii", newline="\n", line_buffering=True)
        for buffer in kept
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        patch.setattr(sys, "__stdout__", out)  # help texts ask it for the width of the terminal
        yield *kept, both
        out.flush()
        err.flush()


class _Kept(io.BytesIO):
    """Bytes that stay readable after the stream above them is closed or gone."""

    def __init__(self, both: io.BytesIO) -> None:
        """Write to `both`, too."""
        super().__init__()
        self._both = both

    def write(self, data: ReadableBuffer) -> int:
        """Write."""
        self._both.write(data)
        return super().write(data)

    def close(self) -> None:
        """Stay open."""
