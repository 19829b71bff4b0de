"""Archives that lie on disk and are no part of what is compared, and why they are not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from learnings.app.verify.versions import Versions
from learnings.consolidation.proof.model import Loss
from learnings.core.entries.archives import folder_of, is_archive_name
from learnings.core.entries.document import LARGEST_FILE
from learnings.core.text import printable
from learnings.history.git.ignored_folder import ignoring_rule
from learnings.history.git.snapshots import CommitSnapshot, IndexSnapshot, Snapshot
from learnings.history.regular_file import read_regular


def unstaged_archives(versions: Versions, snapshot: Snapshot) -> dict[str, bytes]:
    """Return the archives on disk of the learnings files that changed, by path.

    Left out are those that the snapshot has as they are. With a commit that is not checked out the
    disk has nothing to do.
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
    folder = folder_of(learnings_file)
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


def with_reason(loss: Loss, snapshot: Snapshot) -> Loss:
    """Return a loss with the reason why its archive is not part of a commit, where one is known.

    That is a rule by which git ignores it, or `git commit PATH`, which leaves out what is staged.
    """
    top = snapshot.repository.top
    rule = ignoring_rule(top, loss.unstaged) if loss.unstaged else None
    if rule is not None:
        return loss._replace(
            detail=f"git ignores it ({printable(rule.origin)}: {printable(rule.pattern)}); add the "
            f"line {printable(rule.line)} to {printable(rule.file)}, at its end"
        )
    if loss.unstaged and isinstance(snapshot, IndexSnapshot) and _is_staged(loss, snapshot):
        return loss._replace(
            detail="it is staged, but `git commit PATH` takes only the paths that it names; name "
            "the archive, too"
        )
    return loss


def _is_staged(loss: Loss, snapshot: IndexSnapshot) -> bool:
    """Return True if the index of the repository has an archive, if not the one of this commit."""
    listed = snapshot.repository.run("ls-files", "--cached", "--", loss.unstaged)
    return bool(listed) and snapshot.read(loss.unstaged) is None
