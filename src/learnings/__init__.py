"""Keeps the memory files of coding agents small, true and complete."""

from __future__ import annotations

__version__ = "0.1.0"
REPOSITORY = "https://github.com/agent-learnings/learnings"
# The tag or commit that generated files and messages install from.
REVISION = "04bd1c976fc28aab1de19a8aa1b9ed3529427b42"


def requirement(extra: str = "") -> str:
    """Return what pip and uv install this package from, with an optional extra: PEP 508."""
    name = f"learnings[{extra}]" if extra else "learnings"
    return f"{name} @ git+{REPOSITORY}@{REVISION}"
