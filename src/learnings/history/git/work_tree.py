"""A working tree as git sees it, mostly read without git: folders, regular files, attributes.

Attributes (filters and encodings) make git store a file differently from the disk. Git is asked for
them only if a file of attributes mentions one, or a configuration may name such a file. Git's
folders: https://git-scm.com/docs/gitrepository-layout
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.entries.document import LARGEST_FILE
from learnings.core.errors import UntrustedHistory
from learnings.core.text import BOM

if TYPE_CHECKING:
    from learnings.history.git.repository import Repository

_LONGEST_POINTER = 8192  # bytes of a file `.git` or `commondir`, which hold one path


def git_folder(top: Path) -> Path:
    """Return `.git`, or the folder that this file names in a linked worktree or a submodule.

    Raises OSError, and ValueError for a path that no system has.
    """
    folder = top / ".git"
    return top / _pointer(folder).removeprefix("gitdir:").strip() if folder.is_file() else folder


def common_folder(top: Path) -> Path:
    """Return the folder that a working tree shares with its linked ones; raises as above."""
    folder = git_folder(top)
    common = folder / "commondir"
    return folder / _pointer(common).strip() if common.is_file() else folder


def _pointer(path: Path) -> str:
    with path.open("rb") as file:
        return os.fsdecode(file.read(_LONGEST_POINTER))


def read_regular(path: Path, *, most: int, inside: Path | None = None) -> bytes:
    """Return the bytes of a regular file, following links but not out of `inside`.

    Reading a link, a FIFO or a device could reveal a file of the machine, hang or exhaust the
    memory. Raises OSError, whose strerror gives the reason, also for more than `most` bytes.
    """
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file")
    real = os.path.realpath(path)
    if inside is not None and not Path(real).is_relative_to(os.path.realpath(inside)):
        raise OSError(errno.EINVAL, "leads out of the repository")
    with path.open("rb") as file:
        data = file.read(most + 1) if status.st_size <= most else None
    if data is None or len(data) > most:
        raise OSError(errno.EFBIG, f"more than {most} bytes")
    return data


def readable_files(top: Path, folder: str, is_wanted: Callable[[str], bool]) -> dict[str, bytes]:
    """Return the readable regular files in a folder with wanted names, by path, in order.

    Paths are POSIX, from the top.
    """
    found = {}
    with suppress(OSError):  # most are not there
        names = os.listdir(os.path.join(top, folder))  # noqa: PTH118, PTH208  (as above)
        for name in sorted(filter(is_wanted, names)):
            with suppress(OSError):
                data = read_regular(top / folder / name, most=LARGEST_FILE, inside=top)
                found[f"{folder}/{name}"] = data
    return found


def folders_around(files: Iterable[str]) -> set[str]:
    """Return the folders that files are in, at any depth, without the root."""
    folders: set[str] = set()
    for file in files:
        folder = file.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return folders


_NAMES = ("filter", "working-tree-encoding")


class Attributes(NamedTuple):
    """The filter that git runs on a file, and the encoding of the file on disk; "" for none."""

    filter: str = ""
    encoding: str = ""


def attributes_of(top: Path, paths: Iterable[str]) -> Mapping[str, Attributes]:
    """Return the attributes of POSIX paths from the top folder, without paths that have none."""
    asked = [*paths]
    if not _may_be_set(top, asked):
        return {}
    from learnings.history.git import process  # noqa: PLC0415  (few repositories set attributes)
    from learnings.history.git.repository import output_of  # noqa: PLC0415  (as above)

    data = os.fsencode("".join(f"{path}\0" for path in asked))
    try:
        printed = process.run(["check-attr", "-z", "--stdin", *_NAMES], top, data=data)
        keys = output_of(top, "config", "-z", "--name-only", "--get-regexp", r"^filter\..+\.")
    except (process.GitFailed, UntrustedHistory):  # no repository, or no git
        return {}
    parts = (key.removeprefix("filter.").rpartition(".") for key in keys.split("\0"))
    # Git ignores other filters.
    filters = {name for name, _, key in parts if key in ("clean", "smudge", "process")}
    fields = os.fsdecode(printed).split("\0")
    found = {
        path: Attributes(
            name if name in filters else "",
            "" if encoding in ("unspecified", "set", "unset") else encoding,
        )
        for path, name, encoding in zip(fields[0::6], fields[2::6], fields[5::6], strict=False)
    }
    return {path: attributes for path, attributes in found.items() if any(attributes)}


def _may_be_set(top: Path, paths: Iterable[str]) -> bool:
    try:
        common = common_folder(top)
    except (OSError, ValueError):
        return True  # then git must decide
    home = Path(os.path.expanduser("~"))  # noqa: PTH111  (never raises)
    user = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config", "git")
    files = [top / folder / ".gitattributes" for folder in ("", *folders_around(paths))]
    files += [common / "info" / "attributes", user / "attributes"]
    configs = [common / "config", user / "config", home / ".gitconfig"]
    configs += map(Path, filter(None, [os.environ.get("GIT_CONFIG_GLOBAL")]))
    words = b"filter", b"working-tree-encoding", b"[attr]"
    return any(_mentions(file, *words) for file in files) or any(
        _mentions(file, b"attributesfile", b"[include") for file in configs
    )


def _mentions(file: Path, *words: bytes) -> bool:
    try:
        data = file.read_bytes().lower()
    except FileNotFoundError:
        return False
    except OSError:
        return True  # as above
    return any(word in data for word in words)


def disk_text(top: Path, path: str, data: bytes) -> bytes:
    """Return the bytes of a file on disk in UTF-8, as git stores them; path is POSIX from the top.

    Bytes that do not have the encoding of the attributes are returned unchanged.
    """
    attributes = attributes_of(top, [path]).get(path, Attributes())
    return decoded(data, attributes.encoding) if attributes.encoding else data


def decoded(data: bytes, encoding: str) -> bytes:
    """Return bytes in an encoding of git's in UTF-8; the same bytes if they cannot be decoded."""
    name = encoding.upper()
    has_mark = data.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff"))
    # Git refuses UTF-16, UTF-32 and UTF-16LE-BOM without a byte order mark.
    if not has_mark and name.startswith("UTF") and name.endswith(("16", "32", "-BOM")):
        return data
    try:
        return data.decode(name.removesuffix("-BOM")).removeprefix(BOM).encode()
    except (LookupError, UnicodeError):
        return data


def on_disk(repository: Repository, blobs: Mapping[str, str]) -> dict[str, bytes]:
    """Return blobs, given as ids by path, with the bytes that they have when checked out.

    Raises UntrustedHistory if a filter fails.
    """
    # The size that git prints is that of the blob, so a mark separates the contents.
    mark = os.urandom(16).hex()
    asked = os.fsencode("".join(f"{blob} {path}\n" for path, blob in blobs.items()))
    printed = repository.run("cat-file", "--filters", f"--batch={mark}", data=asked)
    _, *contents = printed.split(f"{mark}\n".encode("ascii"))
    rows = zip(blobs, contents, strict=True)
    return {path: data[: min(len(data) - 1, LARGEST_FILE + 1)] for path, data in rows}
