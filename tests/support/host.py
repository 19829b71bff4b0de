"""Claude Code, the host of our plugin: its command line as npm has it, kept in build/.

`python -m tests.support.host` installs it, which the tests do in a process of its own: theirs may
not open connections. It needs no account for what is asked of it here.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from tests.support.outside import failure_of

# Not by way of the guard, which would be in force here as well.
ROOT = Path(__file__).resolve().parents[2]
PACKAGE, VERSION = "@anthropic-ai/claude-code", "2.1.197"
KEPT = ROOT / "build" / f"claude-code-{VERSION}"
INNER = Path("node_modules") / PACKAGE
QUIET = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
SECONDS = 300


class NotAvailable(Exception):
    """The host is neither here nor can it be installed."""


def claude(*words: str | Path, home: Path) -> str:
    """Run the host with nothing but an empty home folder; returns both streams.

    Raises NotAvailable, and AssertionError where it fails.
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


@cache
def program() -> list[str]:
    """Return how to run the host; raises NotAvailable."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        raise NotAvailable("there is no node, or no npm")
    if not KEPT.exists():
        _install_elsewhere()
    return [node, str(KEPT / INNER / "cli-wrapper.cjs")]


def _install_elsewhere() -> None:  # pragma: no cover (once, in a process of its own)
    failure = failure_of("tests.support.host")
    if failure is not None:
        raise NotAvailable(f"{PACKAGE} cannot be installed: {failure}")


def install() -> None:  # pragma: no cover (once, in a process of its own)
    """Install the package into build/; of several at a time the first one stays."""
    KEPT.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT.parent) as folder:
        whole = Path(folder) / "whole"
        words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"]
        command = ["npm", *words, "--prefix", str(whole), f"{PACKAGE}@{VERSION}"]
        whole.mkdir()
        subprocess.run(command, cwd=whole, check=True, timeout=SECONDS)
        with contextlib.suppress(OSError):
            whole.rename(KEPT)
    if not KEPT.exists():
        raise NotAvailable(f"{KEPT} cannot be written")


if __name__ == "__main__":
    try:
        install()
    except (NotAvailable, OSError, subprocess.SubprocessError) as error:
        raise SystemExit(str(error)) from error
