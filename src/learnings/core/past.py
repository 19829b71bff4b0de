"""Facts from git history about a removed thing: a path, a line, a heading, a make target."""

from __future__ import annotations

from math import inf
from typing import NamedTuple


class Removal(NamedTuple):
    """The commit that removed a thing, with its author date as ISO text."""

    commit: str
    date: str


class PastThing(NamedTuple):
    """A thing that a commit contained.

    first is the time of the first commit with it, and until of the commit that removed it, in
    seconds since 1970 (committer time). removal is the newest commit that removed it, None if no
    commit did. successors are the paths to which the moves of a path lead, each followed to its
    end; for a heading, the new anchor.
    """

    first: int
    removal: Removal | None
    successors: frozenset[str] = frozenset()
    until: float = inf
