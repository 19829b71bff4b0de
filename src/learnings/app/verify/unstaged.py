"""Archives that lie on disk and are no part of what is compared, and why they are not."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache, partial
from pathlib import Path

from learnings.app.verify.versions import MemoryVersions
from learnings.consolidation.proof.losses import Loss
from learnings.core.entries.archives import archive_folder, is_archive_name
from learnings.core.entries.document import LARGEST_FILE
from learnings.core.text import printable
from learnings.history.git.snapshots import CommitSnapshot, IndexSnapshot, Snapshot
from learnings.history.git.tracked import ignoring_rule
from learnings.history.regular_file import read_regular


def unstaged_archives(versions: MemoryVersions, snapshot: Snapshot) -> dict[str, bytes]:
    """Return archives on disk that the snapshot lacks or has otherwise, by path.

    None if the snapshot is a commit that is not checked out.
    """
    if isinstance(snapshot, CommitSnapshot) and not _is_checked_out(snapshot):
        return {}
    staged = versions.after.archives
    return {
        path: data
        for learnings_file in versions.before.learnings
        for path, data in _on_disk(snapshot.repository.top, learnings_file)
        if staged.get(path) != data
    }


def _is_checked_out(snapshot: CommitSnapshot) -> bool:
    head = snapshot.repository.run("rev-parse", "--verify", "HEAD").decode("ascii").strip()
    return snapshot.commit == head


def _on_disk(top: Path, learnings_file: str) -> Iterator[tuple[str, bytes]]:
    folder = archive_folder(learnings_file)
    try:
        names = sorted(os.listdir(top / folder))  # noqa: PTH208  (names are enough)
    except OSError:
        return
    for name in names:
        path = top / folder / name
        if is_archive_name(name, learnings_file) and not path.is_symlink():
            try:
                yield f"{folder}/{name}", read_regular(path, most=LARGEST_FILE)
            except OSError:
                continue


def with_reasons(losses: Iterable[Loss], snapshot: Snapshot) -> tuple[Loss, ...]:
    """Return losses with the reason why an archive is not part of a commit, where one is known."""
    reason_of = cache(partial(_reason, snapshot))
    return tuple(
        loss._replace(detail=reason_of(loss.unstaged)) if loss.unstaged else loss for loss in losses
    )


def _reason(snapshot: Snapshot, archive: str) -> str:
    rule = ignoring_rule(snapshot.repository.top, archive)
    if rule is not None:
        return (
            f"git ignores it ({printable(rule.origin)}: {printable(rule.pattern)}); add the line "
            f"{printable(rule.line)} to {printable(rule.file)}, at its end"
        )
    if isinstance(snapshot, IndexSnapshot) and _is_staged(snapshot, archive):
        return (
            "it is staged, but `git commit PATH` takes only the paths that it names; name the "
            "archive, too"
        )
    return ""


def _is_staged(snapshot: IndexSnapshot, archive: str) -> bool:
    listed = snapshot.repository.run("ls-files", "--cached", "--", archive)
    return bool(listed) and snapshot.read(archive) is None
