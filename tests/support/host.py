"""Claude Code, the host of our plugin: its command line from npm.

The tests use it without an account.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.support.npm import SECONDS, installed

PACKAGE, VERSION = "@anthropic-ai/claude-code", "2.1.197"
QUIET = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}


def claude(*words: str | Path, home: Path) -> str:
    """Run the host with only an empty home folder; return both streams.

    Raises NotAvailable, and AssertionError if it fails.
    """
    run = subprocess.run(
        [*program(), *map(str, words)],
        cwd=home,
        env={"PATH": os.environ["PATH"], "HOME": str(home), **QUIET},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    said = (run.stdout + run.stderr).decode(errors="replace")
    assert run.returncode == 0, said
    return said


def program() -> list[str]:
    """Return the command that runs the host; raises NotAvailable."""
    folder = installed(f"claude-code-{VERSION}", f"{PACKAGE}@{VERSION}")
    return ["node", str(folder / "node_modules" / PACKAGE / "cli-wrapper.cjs")]
