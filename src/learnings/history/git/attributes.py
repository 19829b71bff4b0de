"""The attributes that make git store a file differently from the disk: filters and encodings.

This module asks git only if a file of attributes mentions one of them, or a configuration may name
such a file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from learnings.core.entries.document import LARGEST_FILE
from learnings.core.errors import UntrustedHistory
from learnings.core.text import BOM
from learnings.history.git import process
from learnings.history.git.folders import common_folder
from learnings.history.git.repository import Repository, output_of
from learnings.history.git.tracked import folders_around

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
