"""The writer of users' files: each file is written whole or not at all, a group all or none.

A synced temporary file is renamed over the old file, which stays open, so that a write by somebody
else at the last moment is not lost. Hard links, access lists and extended attributes are not kept.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

from learnings.core.errors import LearningsError
from learnings.core.file_names import leads_into_git

TIMEOUT = 20.0  # seconds; a write takes milliseconds, so this is for a system that hangs
_MOST_ATTEMPTS = 10  # of a plan; each one that fails means that another run has done its work
_PAUSE = 0.02  # seconds; short enough for a hook, long enough to idle
# Errors of file systems without locks, including some network file systems.
_UNSUPPORTED = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP}


T = TypeVar("T")


class LockTimeout(LearningsError):
    """Another run holds the lock and did not release it in time."""


@contextmanager
def locked(folder: Path, *, timeout: float = TIMEOUT) -> Iterator[None]:
    """Hold the lock on a folder, without a lock file in it; do nothing if locks are unsupported.

    Raises LockTimeout after `timeout` seconds, OSError if the folder cannot be opened.
    """
    descriptor = _open(folder)
    try:
        deadline = time.monotonic() + timeout
        while not _acquire(descriptor):
            if time.monotonic() >= deadline:
                raise LockTimeout(
                    "another `learnings` process is writing here; wait for it, then run again"
                )
            time.sleep(_PAUSE)
        yield
    finally:
        # A failure says nothing about the written files, and the system closes it anyway.
        with suppress(OSError):
            os.close(descriptor)


if sys.platform == "win32":  # pragma: no cover (the tests of one system cannot run the other's)
    import hashlib
    import msvcrt
    import tempfile

    def _open(folder: Path) -> int:
        """Open a file in the user's own folder, since a folder cannot be locked here."""
        os.listdir(folder)  # noqa: PTH208  (raises what opening the folder would)
        name = os.path.normcase(os.path.realpath(folder)).encode("utf-8", "surrogatepass")
        key = hashlib.sha256(name).hexdigest()[:16]
        return os.open(Path(tempfile.gettempdir(), f"learnings-{key}.lock"), os.O_RDWR | os.O_CREAT)

    def _acquire(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in {errno.EACCES, errno.EDEADLOCK}:
                return False
            raise
        return True

else:
    import fcntl

    def _open(folder: Path) -> int:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def _acquire(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                raise
        return True


_PREFIX, _SUFFIX = ".learnings-", ".tmp"
_RANDOM_BYTES = 8  # random part of a name; nobody else should use names of this form
_OUR_NAMES = f"{_PREFIX}{'[0-9a-f]' * 2 * _RANDOM_BYTES}{_SUFFIX}"
# Age in seconds at which a temporary file must belong to a killed process: a write takes
# milliseconds and waits at most 20 seconds for the lock.
_ABANDONED_AFTER = 3600


def _temporary_path(folder: Path) -> Path:
    return folder / f"{_PREFIX}{os.urandom(_RANDOM_BYTES).hex()}{_SUFFIX}"


def fill_temporary(temporary: Path, data: bytes, like: os.stat_result | None) -> None:
    """Write a new file to the disk, with the owner and mode of another one. Raises OSError."""
    with temporary.open("xb") as file:  # made with the user's umask, as an editor would
        file.write(data)
        file.flush()
        if like is not None:
            status = temporary.stat()
            if (status.st_uid, status.st_gid) != (like.st_uid, like.st_gid):
                with suppress(PermissionError):  # only the superuser can change owners
                    os.chown(temporary, like.st_uid, like.st_gid)
            temporary.chmod(stat.S_IMODE(like.st_mode))
        os.fsync(file.fileno())


def replace_content(path: Path, data: bytes) -> None:
    """Replace the content of an existing file; if it raises OSError, the file is unchanged."""
    temporary = _temporary_path(path.parent)
    try:
        fill_temporary(temporary, data, path.stat())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    _clear_abandoned_files(path.parent)


def sync_folder(folder: Path) -> None:
    with suppress(OSError):
        if os.name != "nt":  # pragma: no branch (there, folders cannot be opened)
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def _clear_abandoned_files(folder: Path) -> None:
    with suppress(OSError):
        now = folder.stat().st_mtime  # the clock of the file system, after the rename above
        for temporary in folder.glob(_OUR_NAMES):
            if now - temporary.lstat().st_mtime > _ABANDONED_AFTER:
                temporary.unlink()


class WriteError(LearningsError):
    """A file could not be written; str() says which and why. No file was changed."""


class ChangedMeanwhile(WriteError):
    """Somebody else changed a file since its change was computed; compute it again."""


class Change(NamedTuple):
    """New content for a file; path is POSIX, from the root of the repository.

    before is None for a new file, after is None for a file to remove.
    """

    path: str
    before: bytes | None
    after: bytes | None


class _Replacement:
    """A change in progress; undoing it restores `old` with the mode and owner in `status`."""

    def __init__(self, change: Change, target: Path) -> None:
        self.change = change
        self.target = target
        self.temporary = _temporary_path(target.parent)
        self.old = change.before
        self.status: os.stat_result | None = None
        self.new_folders: list[Path] = []


def write(
    root: Path,
    changes: Sequence[Change],
    *,
    additions: Sequence[Change] = (),
    proof: Callable[[], None] | None = None,
) -> None:
    """Write additions to the repository at `root`, then the changes that depend on them.

    All of them are written in order, or none. proof() checks the additions on disk before the first
    change; if it raises, everything is undone. A killed process leaves the first files written.
    Links are followed only inside the repository. Raises WriteError if a file has changed in the
    meantime, is not regular or is write-protected, or if the disk refuses; LockTimeout if another
    run does not finish.
    """
    added, changed = ([c for c in step if c.after != c.before] for step in (additions, changes))
    if not (added or changed):
        return
    prepared: list[_Replacement] = []
    replaced: list[_Replacement] = []
    with _as_write_error(root.name or str(root)), locked(root):
        try:
            for target, change in _targets(root, (*added, *changed)).items():
                with _as_write_error(change.path):
                    _prepare(target, change, prepared)
            _replace_all(prepared[: len(added)], replaced)
            if proof is not None:
                proof()
            _replace_all(prepared[len(added) :], replaced)
        except BaseException:
            _undo(prepared, replaced, resting_on=len(added))
            raise
        for folder in {replacement.target.parent for replacement in replaced}:
            _clear_abandoned_files(folder)


def write_planned(
    root: Path,
    plan: Callable[[], T],
    steps: Callable[[T], tuple[Sequence[Change], Sequence[Change]]],
) -> T:
    """Return a plan once its additions and changes are written; plan again if files changed."""
    attempts = 1
    while True:
        planned = plan()
        additions, changes = steps(planned)
        try:
            write(root, changes, additions=additions)
        except ChangedMeanwhile:
            if attempts == _MOST_ATTEMPTS:
                raise
            attempts += 1
        else:
            return planned


def _replace_all(replacements: Sequence[_Replacement], replaced: list[_Replacement]) -> None:
    for replacement in replacements:
        with _as_write_error(replacement.change.path):
            _replace(replacement, replaced)
    folders = [(r.target.parent, *(f.parent for f in r.new_folders)) for r in replacements]
    for folder in dict.fromkeys(folder for several in folders for folder in several):
        sync_folder(folder)


@contextmanager
def _as_write_error(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise WriteError(
            f"{name} cannot be written ({reason}); nothing was changed, fix this and run again"
        ) from None


def _targets(root: Path, changes: Sequence[Change]) -> dict[Path, Change]:
    targets: dict[Path, Change] = {}
    for change in changes:
        with _as_write_error(change.path):
            target = target_of(root, change.path)
        if target in targets:
            first = targets[target].path
            raise WriteError(f"{change.path} and {first} are the same file; name one of them")
        targets[target] = change
    return targets


def target_of(root: Path, path: str) -> Path:
    """Return the file behind a path, following links; its folder may be missing.

    Raises WriteError if it is outside the repository at `root` or in `.git`, or if the path is a
    broken link.
    """
    real_root, target = Path(os.path.realpath(root)), Path(os.path.realpath(root / path))
    if not target.is_relative_to(real_root) or target == real_root:
        raise WriteError(
            f"{path} leads out of the repository; move it inside, `learnings` writes nowhere else"
        )
    # A repository can contain a link to its own .git, whose settings can name programs.
    if leads_into_git(target.relative_to(real_root).as_posix()):
        raise WriteError(
            f"{path} leads into .git, where `learnings` does not write; use another file"
        )
    # Methods of Path would raise if the disk fails.
    if os.path.islink(root / path) and not os.path.exists(target):  # noqa: PTH110, PTH114
        raise WriteError(f"{path} is a broken link; correct or remove it")
    return target


def refuse_targets(root: Path, changes: Iterable[Change]) -> None:
    """Raise WriteError if write() would before it begins, for changes that are only shown."""
    with _as_write_error(root.name or str(root)):
        for change in changes:
            _checked(target_of(root, change.path), change)


def _prepare(target: Path, change: Change, prepared: list[_Replacement]) -> None:
    replacement = _Replacement(change, target)
    replacement.status = _checked(target, change)
    prepared.append(replacement)
    if change.after is not None:
        folders = (target.parent, *target.parent.parents)
        for folder in reversed([folder for folder in folders if not folder.exists()]):
            folder.mkdir()
            replacement.new_folders.append(folder)
        fill_temporary(replacement.temporary, change.after, replacement.status)


def _checked(target: Path, change: Change) -> os.stat_result | None:
    """Return the status of a file that its change expects; None for a new file."""
    try:
        status = target.lstat()
    except FileNotFoundError:
        status = None
    if status is not None and not stat.S_ISREG(status.st_mode):
        raise WriteError(f"{change.path} is not a regular file; move it out of the way")
    data = target.read_bytes() if status else None
    if data != change.before:
        is_encoded = data and change.before and _is_utf_8(change.before) and not _is_utf_8(data)
        raise _changed_meanwhile(change, is_encoded=bool(is_encoded))
    if status is not None and not status.st_mode & 0o222:
        raise WriteError(f"{change.path} is write-protected; make it writable and run again")
    return status


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in data


def _changed_meanwhile(change: Change, *, is_encoded: bool = False) -> ChangedMeanwhile:
    if is_encoded:
        return ChangedMeanwhile(
            f"{change.path} is not UTF-8 on disk (attribute working-tree-encoding), where "
            "`learnings` writes nothing; edit the file by hand"
        )
    return ChangedMeanwhile(f"another process changed {change.path}; run again")


def _replace(replacement: _Replacement, replaced: list[_Replacement]) -> None:
    _checked(replacement.target, replacement.change)
    with ExitStack() as stack:
        old = None
        if replacement.old is not None and os.name != "nt":  # here an open file cannot be replaced
            old = stack.enter_context(replacement.target.open("rb"))
        replaced.append(replacement)  # first: an interruption can come right after the next line
        if replacement.change.after is None:
            replacement.target.unlink()
        else:
            replacement.temporary.replace(replacement.target)
        if old is not None:
            replacement.old = old.read()
    if replacement.old != replacement.change.before:  # somebody wrote after the check
        raise _changed_meanwhile(replacement.change)


def _undo(
    prepared: Sequence[_Replacement], replaced: Sequence[_Replacement], *, resting_on: int
) -> None:
    """Restore all files; raises WriteError with the names of the files that it cannot restore.

    If a later file is not restored, the first `resting_on` prepared ones stay and are named.
    """
    additions = prepared[:resting_on]
    changes = [r for r in reversed(replaced) if r not in additions]
    lost = [replacement.change.path for replacement in changes if not _restore(replacement)]
    for replacement in (r for r in reversed(replaced) if r in additions):
        if lost or not _restore(replacement):
            lost.append(replacement.change.path)
    for replacement in reversed(prepared):
        with suppress(OSError):
            replacement.temporary.unlink(missing_ok=True)
        for folder in reversed(replacement.new_folders):
            with suppress(OSError):
                folder.rmdir()
    if lost:
        names = ", ".join(lost)
        raise WriteError(f"a write failed and {names} cannot be restored; restore from git")


def _restore(replacement: _Replacement) -> bool:
    is_removal = replacement.change.after is None
    if os.path.lexists(replacement.target if is_removal else replacement.temporary):  # it was not
        return True
    try:
        if replacement.old is None:
            replacement.target.unlink()
        else:
            fill_temporary(replacement.temporary, replacement.old, replacement.status)
            replacement.temporary.replace(replacement.target)
    except OSError:
        return False
    return True
