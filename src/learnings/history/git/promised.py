"""Objects that a partial clone lacks: fetched together, where git would fetch each by itself."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress

from learnings.history.git import process
from learnings.history.git.process import GitFailed
from learnings.history.git.repository import Repository

_PROMISOR = r"^remote\..*\.promisor$"
# What git itself runs to fetch an object that it lacks, and nothing besides: no other files are
# written, and no repository is tidied up.
_FETCH = (
    *("-c", "fetch.negotiationAlgorithm=noop", "fetch"),
    *("--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"),
    *("--no-write-commit-graph", "--recurse-submodules=no", "--filter=blob:none", "--stdin"),
)


def fetch_versions(
    repository: Repository, commits: Sequence[str], paths: Iterable[str], *, walk: bool = False
) -> None:
    """Fetch files of commits that a partial clone lacks; with walk also of all commits before.

    What cannot be fetched is left: reading it says why.
    """
    if not commits or not _is_partial(repository):
        return
    with suppress(GitFailed):
        missing = _missing(repository, commits, paths, walk=walk)
        if missing:
            process.run_with([*_FETCH, "--", _remote(repository)], repository.top, data=missing)


def _is_partial(repository: Repository) -> bool:
    """Return True if a pack came from a filtered clone or fetch: git marks each of them."""
    with suppress(OSError):
        packs = (repository.common_dir / "objects" / "pack").iterdir()
        return any(pack.suffix == ".promisor" for pack in packs)
    return False


def _missing(
    repository: Repository, commits: Sequence[str], paths: Iterable[str], *, walk: bool
) -> bytes:
    """Return the ids of the objects that are missing, a line for each."""
    how = ["--full-history"] if walk else ["--no-walk"]
    names = [*commits, "--", *(path for path in paths if "\n" not in path)]
    printed = process.run_with(
        ["rev-list", *how, "--objects", "--missing=print", "--stdin"],
        repository.top,
        data=b"".join(os.fsencode(name) + b"\n" for name in names),
    )
    rows = (row for row in printed.split(b"\n") if row.startswith(b"?"))
    return b"".join(row[1:] + b"\n" for row in rows)


def _remote(repository: Repository) -> str:
    """Return the remote that has promised what is missing; raises GitFailed without one."""
    printed = process.run(["config", "--get-regexp", _PROMISOR], repository.top)
    key = os.fsdecode(printed).split(maxsplit=1)[0]
    return key.removeprefix("remote.").removesuffix(".promisor")
