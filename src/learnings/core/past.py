"""What git history says of something that is gone: a path, a line, a heading, a target of make."""

from __future__ import annotations

from typing import NamedTuple


class Removal(NamedTuple):
    """The commit that removed something, with its author date as ISO text."""

    commit: str
    date: str


class PastThing(NamedTuple):
    """Something that a commit held.

    first is when a commit first had it, in seconds since 1970 (committer time). removal is the
    newest commit that removed it, None if no commit did. successors are the paths that the renames
    of a path lead to, each followed to its end.
    """

    first: int
    removal: Removal | None
    successors: frozenset[str] = frozenset()
