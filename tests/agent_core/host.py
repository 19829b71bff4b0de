"""Claude Code, the host of our plugin: its command line from npm, used without an account."""

from __future__ import annotations

from pathlib import Path

from tests.support.npm import installed, node

PACKAGE, VERSION = "@anthropic-ai/claude-code", "2.1.197"
QUIET = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}


def program() -> Path:
    """Return the script that runs the host; raises NotAvailable."""
    folder = installed(f"claude-code-{VERSION}", f"{PACKAGE}@{VERSION}")
    return folder / "node_modules" / PACKAGE / "cli-wrapper.cjs"


def claude(*words: str | Path, home: Path) -> str:
    """Run the host with an empty home folder; return both streams, AssertionError if it fails."""
    run = node(program(), *words, cwd=home, HOME=str(home), **QUIET)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout + run.stderr
