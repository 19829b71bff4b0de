"""Run an installed command the way a user does: as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECONDS = 120


@dataclass(frozen=True, slots=True)
class Completed:
    """What a command left: its exit code and the bytes of its two streams."""

    code: int
    stdout: bytes
    stderr: bytes

    @property
    def out(self) -> str:
        """Standard output as text."""
        return self.stdout.decode("utf-8", "surrogateescape").replace("\r\n", "\n")

    @property
    def err(self) -> str:
        """Standard error as text."""
        return self.stderr.decode("utf-8", "surrogateescape").replace("\r\n", "\n")

    @property
    def json(self) -> Any:  # noqa: ANN401  (whatever the document is)
        """Standard output as a JSON document."""
        return json.loads(self.stdout)


@dataclass(frozen=True, slots=True)
class Command:
    """An installed console script; calling it runs it."""

    name: str

    @property
    def path(self) -> Path:
        """Where the script is installed."""
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
