"""Keeps the memory files of coding agents small, true and complete."""

from __future__ import annotations

__version__ = "0.1.0"
REPOSITORY = "https://github.com/agent-learnings/learnings"
# The tag or commit that generated files and messages install from.
REVISION = "0558a35790a12f82e5fb5cc5ae1ea550c0679c2b"


def requirement(extra: str = "") -> str:
    """Return what pip and uv install this package from, with an optional extra: PEP 508."""
    name = f"learnings[{extra}]" if extra else "learnings"
    return f"{name} @ git+{REPOSITORY}@{REVISION}"
