"""Git commands started on a guess, before the modules that need their output are loaded.

Loading takes about as long as git needs for a history of some thousand commits. A wrong guess only
wastes its work: a process is taken over only by a call with exactly the same arguments.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from learnings.core.file_names import DEFAULT_FILE, OWN_FILE
from learnings.core.patterns import lazy_pattern
from learnings.history.git import commands, process

_OTHER_HISTORY_OPTIONS = ("--at", "--replay")
# Far more than packed refs have; guessing about more is not worth the time.
_MAX_BYTES = 1 << 20
# A full SHA-1 or SHA-256 id.
_COMMIT = lazy_pattern(r"[0-9a-f]{40,64}")


@contextmanager
def prefetching(words: Sequence[str], folder: Path) -> Iterator[None]:
    """Start the git processes that a command probably needs; stop unused ones at the end."""
    try:
        _prefetch(words, folder)
        yield
    finally:
        process.stop_prefetched()


def _prefetch(words: Sequence[str], folder: Path) -> None:
    if any(word.startswith(_OTHER_HISTORY_OPTIONS) for word in words):
        return
    files = [word for word in words if word.endswith(".md") and not word.startswith("-")]
    file = Path(os.path.realpath(folder / (files[0] if files else DEFAULT_FILE)))
    # A path can have any name here, even one too long for the system.
    top = next((folder for folder in file.parents if os.path.lexists(folder / ".git")), None)
    if top is None or not os.path.isfile(file):  # noqa: PTH113  (never raises)
        return
    process.prefetch(commands.rev_parse("HEAD"), file.parent)
    process.prefetch(commands.CAT_FILE, top, interactive=True)
    # With a cache, most of the history is not needed again.
    if not os.path.exists(top / ".git" / "learnings"):  # noqa: PTH110  (as above)
        head = _head(top / ".git")
        if head is not None:
            path = file.relative_to(top).as_posix()
            process.prefetch(commands.file_log(head, path), top)
            process.prefetch(commands.author_dates([head]), top)
            process.prefetch(commands.CHANGED_FILES, top, interactive=True)
    elif not files and not os.path.lexists(top / OWN_FILE):
        process.prefetch(commands.listed_files(()), top)  # for discovery


def _head(git_folder: Path) -> str | None:
    """Return the checked-out commit, or None if only git can find it."""
    try:
        head = (git_folder / "HEAD").read_text("ascii").strip()
        if head.startswith("ref: "):
            ref = head.removeprefix("ref: ")
            loose = git_folder / ref
            head = loose.read_text("ascii").strip() if loose.is_file() else _packed(git_folder, ref)
    except (OSError, ValueError):
        return None
    return head if _COMMIT.fullmatch(head) else None


def _packed(git_folder: Path, ref: str) -> str:
    packed = git_folder / "packed-refs"
    if packed.stat().st_size > _MAX_BYTES:
        return ""
    rows = (line.split(" ") for line in packed.read_text("utf-8").splitlines())
    return next((row[0] for row in rows if row[1:] == [ref]), "")
