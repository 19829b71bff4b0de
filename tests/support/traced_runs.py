"""Commands run with traced file operations, and stopped at one of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from tests.support.guard import ROOT


class Operation(NamedTuple):
    """One file operation, counted from 1; its path is relative to the repository."""

    number: int
    kind: str
    path: str
    writes: bool


class Stop(NamedTuple):
    """The place and kind of a stop: `kill`, `tear` (in a write) or the name of an errno.

    lasting: every later operation of that kind also fails.
    """

    number: int
    how: str
    lasting: bool = False


class Run(NamedTuple):
    """The result of a run: exit code (-9: killed), the text of its streams, its operations."""

    code: int
    out: str
    err: str
    operations: tuple[Operation, ...]


class TracedProcess:
    """Run commands as children of one process with our modules loaded (traced_process.py)."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-B", "-X", "utf8", "-m", "tests.support.traced_process"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONHASHSEED": "0"},  # sets in the same order in each run
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(  # noqa: PLR0917  (the fields of a request)
        self,
        program: str,
        words: Sequence[str],
        cwd: Path,
        root: Path,
        env: Mapping[str, str],
        stop: Stop | None,
    ) -> Run:
        request = {
            "program": program,
            "words": [*words],
            "cwd": str(cwd),
            "root": str(root),
            "env": {**os.environ, **env},
            "stop": stop._asdict() if stop else {},
        }
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{json.dumps(request)}\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        rows = enumerate(answer.pop("operations"), start=1)
        return Run(**answer, operations=tuple(Operation(number, *row) for number, row in rows))
