"""Writing the user's files: each one whole or not at all, several together or none of them.

The new content is written beside the file, brought to the disk and renamed over it, so that who
reads, and who is killed, meets the old file or the new one. What a rename cannot keep: another
hard link to the file goes on naming the old content; access lists and extended attributes stay
with it.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from learnings.core.errors import LearningsError
from learnings.store.lock import locked

_PREFIX, _SUFFIX = ".learnings-", ".tmp"
_ABANDONED = 3600  # seconds after which a temporary file belongs to a process that was killed


class WriteError(LearningsError):
    """A file could not be written; the sentence says which and why, and all files are as before."""


@dataclass(frozen=True, slots=True)
class Change:
    """New content for a file, by its POSIX path from the root of the repository.

    `before` is the content that `after` was made from, None for a file that is not there yet.
    """

    path: str
    before: bytes | None
    after: bytes


@dataclass(slots=True)
class _Prepared:
    """A change on its way: the file it replaces, the file that will, the folders made for it."""

    change: Change
    target: Path
    temporary: Path
    made: list[Path] = field(default_factory=list)


def write(root: Path, changes: Sequence[Change]) -> None:
    """Carry out changes to files of the repository at `root`, all of them or none.

    A link is followed inside the repository and never out of it. Raises WriteError where a file
    differs from what its change was made from, is not a regular file, is write-protected, or the
    disk refuses; Busy where another run does not finish.
    """
    wanted = [change for change in changes if change.after != change.before]
    if not wanted:
        return
    with _explained(root.name or str(root)):
        _write(root, wanted)


def _write(root: Path, wanted: Sequence[Change]) -> None:
    prepared: list[_Prepared] = []
    done: list[_Prepared] = []
    with locked(root):
        try:
            for target, change in _targets(root, wanted).items():
                with _explained(change.path):
                    _prepare(target, change, prepared)
            for each in prepared:
                with _explained(each.change.path):
                    _put(each, done)
        except BaseException:
            _undo(prepared, done)
            raise
        for folder in {each.target.parent for each in done}:
            _settle(folder)


@contextmanager
def _explained(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise WriteError(
            f"{name} cannot be written ({reason}); nothing was changed, correct that and run again"
        ) from None


def _targets(root: Path, wanted: Sequence[Change]) -> dict[Path, Change]:
    """The changes by the file that each replaces, links followed."""
    found: dict[Path, Change] = {}
    for change in wanted:
        with _explained(change.path):
            target = _target(root, change.path)
        if target in found:
            other = found[target].path
            raise WriteError(f"{change.path} and {other} are the same file; name one of them")
        found[target] = change
    return found


def _target(root: Path, path: str) -> Path:
    real_root, target = Path(os.path.realpath(root)), Path(os.path.realpath(root / path))
    if not target.is_relative_to(real_root) or target == real_root:
        raise WriteError(f"{path} leads out of the repository, where nothing is written; move it")
    # A repository can bring a link to its own .git along, and its settings can name programs.
    if ".git" in target.relative_to(real_root).parts:
        raise WriteError(f"{path} leads into .git, where nothing is written; remove the link")
    if (root / path).is_symlink() and not target.exists():
        raise WriteError(f"{path} is a link that leads nowhere; correct or remove it")
    return target


def _prepare(target: Path, change: Change, prepared: list[_Prepared]) -> None:
    """Bring the new content to the disk, beside the file, with the file's mode and owner."""
    found = _checked(target, change)
    temporary = target.parent / f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}"
    each = _Prepared(change, target, temporary)
    prepared.append(each)
    _make_folders(target.parent, each.made)
    _fill(temporary, change.after, found)


def _fill(temporary: Path, data: bytes, like: os.stat_result | None) -> None:
    with temporary.open("xb") as file:  # made with the user's umask, as an editor would
        file.write(data)
        file.flush()
        if like is not None:
            _imitate(temporary, like)
        os.fsync(file.fileno())


def _imitate(temporary: Path, like: os.stat_result) -> None:
    own = temporary.stat()
    if (own.st_uid, own.st_gid) != (like.st_uid, like.st_gid):
        with suppress(PermissionError):  # only the superuser can give files away
            os.chown(temporary, like.st_uid, like.st_gid)
    temporary.chmod(stat.S_IMODE(like.st_mode))


def _checked(target: Path, change: Change) -> os.stat_result | None:
    """The state of a file that is as its change expects; None for one that is not there yet."""
    try:
        found = target.lstat()
    except FileNotFoundError:
        found = None
    if found is not None and not stat.S_ISREG(found.st_mode):
        raise WriteError(f"{change.path} is not a regular file; move it out of the way")
    if (target.read_bytes() if found else None) != change.before:
        raise WriteError(f"{change.path} was changed by somebody else meanwhile; run again")
    if found is not None and not found.st_mode & 0o222:
        raise WriteError(f"{change.path} is write-protected; allow writing to it and run again")
    return found


def _make_folders(folder: Path, made: list[Path]) -> None:
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir()
        made.append(each)


def _put(each: _Prepared, done: list[_Prepared]) -> None:
    _checked(each.target, each.change)
    each.temporary.replace(each.target)
    done.append(each)


def _undo(prepared: Sequence[_Prepared], done: Sequence[_Prepared]) -> None:
    """Put everything back; raises WriteError with the names of what resists."""
    lost = [each.change.path for each in reversed(done) if not _is_put_back(each)]
    for each in reversed(prepared):
        with suppress(OSError):
            each.temporary.unlink(missing_ok=True)
        for folder in reversed(each.made):
            with suppress(OSError):
                folder.rmdir()
    if lost:
        names = ", ".join(lost)
        raise WriteError(f"a write failed, and {names} cannot be put back; restore that from git")


def _is_put_back(each: _Prepared) -> bool:
    try:
        if each.change.before is None:
            each.target.unlink()
        else:
            _fill(each.temporary, each.change.before, each.target.stat())
            each.temporary.replace(each.target)
    except OSError:
        return False
    return True


def _settle(folder: Path) -> None:
    """Bring the renames in a folder to the disk, and clear away what killed runs have left."""
    with suppress(OSError):
        if os.name != "nt":  # pragma: no branch (there, folders cannot be opened)
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        now = folder.stat().st_mtime  # the clock of the file system: something was just renamed
        for left in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
            if now - left.lstat().st_mtime > _ABANDONED:
                left.unlink()
