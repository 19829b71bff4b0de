"""The Python that hooks run with where the user's configuration names one that is too old."""

from __future__ import annotations

import sys
from pathlib import Path

from learnings.core.patterns import lazy_pattern
from learnings.history.git.programs import find_program

# The oldest Python that this project runs on, as pyproject.toml has it.
OLDEST = (3, 11)
_NEWEST = 20  # minor versions that are looked for; above all that there will be for years
# `python3.9`, `3.10`, `pypy3.9`, `python310`, `/usr/bin/python2.7`: a version at the end of a name,
# with a minor one; `python3` can be any.
_VERSION = lazy_pattern(r"(?<![\d.])([23])\.?(\d{1,2})(?:\.\d+)*(?:\.exe)?\Z")


def is_too_old(name: object) -> bool:
    """Return True if the name of an interpreter says that it is older than the oldest we run on."""
    match = _VERSION.search(str(name))
    return match is not None and (int(match[1]), int(match[2])) < OLDEST


def suitable() -> str:
    """Return the name of a new enough interpreter: the oldest on PATH, else the running one."""
    names = (f"python3.{minor}" for minor in range(OLDEST[1], _NEWEST))
    installed = next((name for name in names if find_program(name, Path())), None)
    return installed or f"python3.{sys.version_info.minor}"
