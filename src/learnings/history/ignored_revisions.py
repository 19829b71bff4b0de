"""The commits to ignore when dating entries, from the file that lists them for `git blame`.

Git itself stops at a line that is not a full hash. Since people write such files by hand, this
module resolves abbreviated hashes and skips, with a note, lines that are not a commit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from learnings.core.entries.document import LARGEST_FILE
from learnings.core.errors import LearningsError, UntrustedHistory, UsageProblem
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, decode, printable, split_lines
from learnings.history.blobs import BlobReader
from learnings.history.git import commands
from learnings.history.git.repository import Repository
from learnings.history.regular_file import read_regular

# A hash as git abbreviates it, with at least four characters, or a full one (SHA-1 or SHA-256).
_HASH = lazy_pattern(r"[0-9a-f]{4,64}", re.IGNORECASE)
_MOST_LINES = 3  # lines that a note names after the first one; chosen


class IgnoredRevisions(NamedTuple):
    """Commits to ignore when dating, a digest of them, and the problems of the list.

    digest is None if there is no list. notes are sentences for a report.
    """

    commits: frozenset[str] = frozenset()
    digest: str | None = None
    notes: tuple[str, ...] = ()


def ignored_revisions(
    repository: Repository, configured: str | None, blobs: BlobReader
) -> IgnoredRevisions:
    """Read the configured list, else a tracked `.git-blame-ignore-revs` at the top.

    An untracked list, or git's configuration, would give each clone different ages. Lines are never
    quoted, since the list may be a link to a secret. Raises UsageProblem if the configured file
    cannot be read, UntrustedHistory for the tracked one.
    """
    name = configured or commands.IGNORED_REVISIONS
    if configured is None and blobs.find(repository.head, name) is None:
        return IgnoredRevisions()
    top = repository.top
    try:
        text = decode(read_regular(top / name, most=LARGEST_FILE, inside=top))
    except FileNotFoundError as error:
        if configured is None and not (top / name).is_symlink():
            return IgnoredRevisions()
        raise _unreadable(configured, error) from None
    except OSError as error:
        raise _unreadable(configured, error) from None
    listed = _listed(text, blobs)
    commits = sorted({commit for commit in listed.values() if commit})
    unknown = [line for line, commit in listed.items() if commit is None]
    from hashlib import sha256  # noqa: PLC0415  (few repositories have such a file)

    digest = sha256("\n".join(commits).encode("ascii")).hexdigest()
    return IgnoredRevisions(frozenset(commits), digest, tuple(_notes(name, unknown)))


def _unreadable(configured: str | None, error: OSError) -> LearningsError:
    reason = (error.strerror or "unknown reason").lower()
    if configured is None:
        return UntrustedHistory(
            f"{commands.IGNORED_REVISIONS} cannot be read ({reason}); put the list of commits to "
            "ignore into a file in the repository"
        )
    return UsageProblem(
        f"{printable(configured)} cannot be read ({reason}); set ignore-revs-file to a file in "
        "the repository that lists commits"
    )


def _listed(text: str, blobs: BlobReader) -> dict[int, str | None]:
    """Return the commit of each line by 1-based line number; None if there is no such commit."""
    lines = split_lines(text.removeprefix(BOM))
    parts = [line.partition("#")[0].strip() for line in lines]
    hashes = {part for part in parts if _HASH.fullmatch(part)}
    blobs.prefetch(f"{part}^{{commit}}" for part in parts if part in hashes)
    return {
        line: blobs.commit_of(part) if part in hashes else None
        for line, part in enumerate(parts, start=1)
        if part
    }


def _notes(name: str, unknown: list[int]) -> Iterator[str]:
    if unknown:
        first, *others = unknown
        lines = ", ".join(map(str, others[:_MOST_LINES]))
        noun = "line" if len(others) == 1 else "lines"
        more = f" ({noun} {lines}{' and others' if len(others) > _MOST_LINES else ''} likewise)"
        yield (
            f"{printable(name)}:{first}: skipped, not a commit in this "
            f"repository{more if others else ''}"
        )
