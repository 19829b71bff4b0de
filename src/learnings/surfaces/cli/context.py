"""The context of a command: its workspace, the clock and the output streams."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TextIO

from learnings.workspace.clock import Clock
from learnings.workspace.workspace import Workspace


class Context:
    """The context of one run: working directory, streams for results and notes, clock."""

    def __init__(self, folder: Path, *, out: TextIO, err: TextIO, clock: Clock) -> None:
        self.folder = folder
        self.out = out
        self.err = err
        self.clock = clock

    @cached_property
    def workspace(self) -> Workspace:
        """The workspace around the working directory, opened on first use."""
        return Workspace.open(self.folder, clock=self.clock)
