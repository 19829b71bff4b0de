"""Files and folders on disk: the root of a repository, and the reading of one file."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from learnings.core.entries.document import LARGEST_FILE, excess_of
from learnings.core.errors import LearningsError, MissingConfigured, MissingFile, UnusableFile
from learnings.core.file_names import LOADED_FOLDER
from learnings.core.roles import memory_folder_of
from learnings.core.text import printable
from learnings.history.git.work_tree import git_folder

# Errors that mean that a path does not exist. A folder that is closed to this user is none of them:
# nothing below it could be read either.
NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG)


def find_root(start: Path) -> Path:
    """Return the root around a folder: the nearest one upwards with `.git`, a folder or a file.

    Otherwise return the folder around `.claude`, which an agent keeps outside repositories, or else
    `start`.

    Raises UnusableFile if the disk fails: with another root, or none, other rules would judge the
    same files.
    """
    folders = (start, *start.parents)
    for folder in folders:
        try:
            (folder / ".git").lstat()
        except ValueError:  # not a valid path
            continue
        except OSError as error:
            if error.errno in NOT_THERE:
                continue
            shown = printable(str(folder / ".git"))
            raise UnusableFile(
                f"{shown} cannot be read ({reason_of(error)}); fix this and run again"
            ) from None
        return folder
    return next((folder.parent for folder in folders if folder.name == LOADED_FOLDER), start)


def may_exist(path: Path) -> bool:
    """Return False only if nothing is at a path; True if it cannot be examined."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError, ValueError):  # or not a valid path
        return False
    except OSError:
        return True
    return True


def is_merging(root: Path) -> bool:
    """Return True if git may be merging in the repository with this root; starts no process."""
    try:
        # In the hook pre-merge-commit there is no MERGE_HEAD yet, but a variable for each branch.
        named = any(name.startswith("GITHEAD_") for name in os.environ)
        return named or (git_folder(root) / "MERGE_HEAD").is_file()
    except (OSError, ValueError):
        return False


LINK_MODE, SUBMODULE_MODE = 0o120000, 0o160000


def may_track(root: Path, mode: int) -> bool:
    """Return False if git tracks nothing with a mode; starts no process, unlike Tree.index."""
    try:
        index = (git_folder(root) / "index").read_bytes()
    except (OSError, ValueError):
        return False
    # The mode in the index, and the extension for an index in two files.
    return mode.to_bytes(4, "big") in index or b"link\0\0" in index


def is_local_memory(folder: Path) -> bool:
    """Return True for a memory folder that an agent keeps outside any repository."""
    root = find_root(real_path(folder))
    if not is_folder(folder) or os.path.lexists(root / ".git"):
        return False
    path = real_path(folder).relative_to(root).as_posix()
    return memory_folder_of(f"{path}/entry.md") == path


def existing_file(path: Path, *, shown: str) -> Path:
    """Return `path`. Raises MissingFile unless a regular file, UnusableFile for an empty name."""
    refuse_empty(shown)
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        if isinstance(error, FileNotFoundError | NotADirectoryError) and is_link(path):
            sentence = f"{printable(shown)} is a broken link"
            raise MissingFile(f"{sentence}; correct it, or name another file") from None
        if not shown.isascii() and _in_any_form(path):
            raise MissingFile(
                f"{printable(shown)} does not exist, but a file does whose name differs only in "
                "its Unicode normal form (NFC, NFD); copy the name from the output of `ls`"
            ) from None
        raise MissingFile(_unreadable(shown, error)) from None
    if stat.S_ISDIR(mode):
        raise MissingFile(f"{printable(shown)} is a folder; name a file")
    if not stat.S_ISREG(mode):
        raise MissingFile(f"{printable(shown)} is not a regular file; name one")
    return path


def _in_any_form(path: Path) -> Path | None:
    """Return an existing path with the same names in any Unicode normal form, or None."""
    from unicodedata import normalize  # noqa: PLC0415  (seldom needed)

    if exists(path) or path.parent == path:
        return path
    folder, wanted = _in_any_form(path.parent), normalize("NFC", path.name)
    try:
        others = [*folder.iterdir()] if folder else []
    except OSError:
        return None
    return next((other for other in others if normalize("NFC", other.name) == wanted), None)


def configured_file(path: Path, *, shown: str, origin: object) -> Path:
    """Return a configured `path`; raises MissingConfigured unless it is a regular file."""
    try:
        return existing_file(path, shown=shown)
    except MissingFile as error:
        raise MissingConfigured(f"{origin}: {error}") from None


def named_file(name: str | Path, base: Path, *, shown: str | None = None) -> Path:
    """Return the path of a file named by the user in a repository, relative to a folder.

    Raises MissingFile unless it is a regular file, UnusableFile if the name is empty or outside.
    """
    shown = str(name) if shown is None else shown
    path = existing_file(base / name, shown=shown)
    refuse_outside(path, base, shown=shown)
    return path


def refuse_empty(name: str) -> None:
    """Raise UnusableFile for an empty name, which would mean the folder."""
    if not name:
        raise UnusableFile("the file name is empty; name a file")


def refuse_outside(path: Path, base: Path, *, shown: str, on_disk: bool = True) -> None:
    """Raise UnusableFile if a path leads out of the repository around a folder, into no other.

    A link must not lead out of its repository either: it would show a file of the machine that its
    author chose. A file that must be on disk but is not is missing (MissingFile).
    """
    root = find_root(base)
    if not os.path.lexists(root / ".git"):
        return
    folder = real_path(path if is_folder(path) else path.parent)
    home = root if folder.is_relative_to(real_path(root)) else find_root(folder)
    is_outside = not os.path.lexists(home / ".git")
    if is_outside or (on_disk and not real_path(path).is_relative_to(real_path(home))):
        if on_disk and not is_folder(path):
            existing_file(path, shown=shown)
        raise UnusableFile(
            f"{printable(shown)} is outside of the repository {printable(str(root))}; run this "
            "in the folder of the file, or name a file in the repository"
        )


def read_file(path: Path, *, shown: str) -> bytes:
    """Return the bytes of a regular file in UTF-8, as git stores them.

    Raises MissingFile, UnusableFile if too large.
    """
    data = within_limit(read_start(path, LARGEST_FILE + 1, shown=shown), shown=shown)
    return data if data.isascii() and b"\0" not in data else _as_stored(path, data)


def _as_stored(path: Path, data: bytes) -> bytes:
    try:
        data.decode()
    except UnicodeDecodeError:
        pass
    else:
        if b"\0" not in data:
            return data
    from learnings.history.git.work_tree import disk_text  # noqa: PLC0415  (for other encodings)

    real = real_path(path)
    top = find_root(real.parent)
    return disk_text(top, real.relative_to(top).as_posix(), data)


def content_of(path: Path) -> bytes:
    """Return the bytes of a file as read_file() does, or empty if it cannot be read."""
    try:
        return read_file(path, shown=path.name)
    except LearningsError:
        return b""


def read_start(path: Path, most: int, *, shown: str) -> bytes:
    """Return at most so many first bytes of a regular file. Raises MissingFile."""
    existing_file(path, shown=shown)
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise MissingFile(_unreadable(shown, error)) from None


def within_limit(data: bytes, *, shown: str) -> bytes:
    """Return the bytes. Raises UnusableFile if excess_of() refuses them."""
    excess = excess_of(data)
    if excess is not None:
        raise UnusableFile(f"{printable(shown)} {excess}; split or exclude it")
    return data


def _unreadable(path: str, error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return f"{printable(path)} does not exist; check the path, or write the file first"
    return f"{printable(path)} cannot be read ({reason_of(error)}); fix this or name another file"


def reason_of(error: OSError | ValueError) -> str:
    """Return the reason why a path cannot be used, for use in a sentence."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return "there is no such file"
    return error.strerror or "unknown reason" if isinstance(error, OSError) else "not a valid path"


def real_path(path: Path) -> Path:
    """Return the path with all links followed, as far as it exists; never raises."""
    try:
        return Path(os.path.realpath(path))
    except ValueError:  # a NUL in it, which no file name has
        return Path(os.path.abspath(path))  # noqa: PTH100  (`..` leads out, too)


def is_folder(path: Path) -> bool:
    """Return True if a path leads to a folder; never raises, not even for a long name."""
    return os.path.isdir(path)  # noqa: PTH112  (Path.is_dir() raises)


def is_file(path: Path) -> bool:
    """Return True if a path leads to a regular file; never raises, as is_folder()."""
    return os.path.isfile(path)  # noqa: PTH113  (as above)


def exists(path: Path) -> bool:
    """Return False only if a path leads to nothing; never raises, as is_folder().

    An unreadable path may exist; reading it gives the reason.
    """
    try:
        path.stat()
    except OSError as error:
        return error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
    except ValueError:
        return False
    return True


def is_link(path: Path) -> bool:
    """Return True if a path is a symbolic link; never raises, as is_folder()."""
    return os.path.islink(path)  # noqa: PTH114  (as above)


def is_same_file(first: Path, second: Path) -> bool:
    """Return True if two paths lead to the same, existing file."""
    try:
        return first.samefile(second)
    except (OSError, ValueError):
        return False
