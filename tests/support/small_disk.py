"""Run a command as on a disk that has no room for a file of some size."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.support.command import Command


def run_with_little_room(
    command: Command, *words: str, kilobytes: int, cwd: Path
) -> subprocess.CompletedProcess[str]:
    """Run an installed command whose files may have so many kilobytes; not on Windows.

    Python would write the rest of its own caches into half a file, and fail at the next start.
    """
    limited = f'export PYTHONDONTWRITEBYTECODE=1; ulimit -f {kilobytes}; exec "$0" "$@"'
    return subprocess.run(
        ["bash", "-c", limited, command.path, *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
