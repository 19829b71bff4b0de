"""Run a command as on a disk without room for a file of some size."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.support.command import Command


def run_with_little_room(
    command: Command, *words: str, kilobytes: int, cwd: Path
) -> subprocess.CompletedProcess[str]:
    """Run an installed command with a limit in kilobytes on its files; not on Windows.

    Otherwise Python would write truncated caches of its own, and fail at the next start.
    """
    limited = f'export PYTHONDONTWRITEBYTECODE=1; ulimit -f {kilobytes}; exec "$0" "$@"'
    return subprocess.run(
        ["bash", "-c", limited, command.path, *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
