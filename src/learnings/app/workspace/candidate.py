"""A file that discovery or the configuration has come upon."""

from __future__ import annotations

from typing import NamedTuple


class Candidate(NamedTuple):
    """A file that was included for a role or skipped, and why.

    `path` is POSIX and relative to the root; it is the glob where a configured one has no file.
    """

    path: str
    reason: str
    included: bool = False
