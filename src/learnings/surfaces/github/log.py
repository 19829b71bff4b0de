"""Foreign text in the log of a workflow, where a line that looks like a command is one."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO


@contextmanager
def no_commands(out: TextIO, *, in_actions: bool) -> Iterator[None]:
    """Let the runner take nothing for a command that is written meanwhile."""
    word = secrets.token_hex(16)
    if in_actions:
        out.write(f"::stop-commands::{word}\n")
    try:
        yield
    finally:
        if in_actions:
            out.write(f"::{word}::\n")
