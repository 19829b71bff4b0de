"""Attributes by which git stores other bytes of a file than the disk has: filter and encoding.

This module asks git only if a file of attributes mentions one of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.entries.document import LARGEST_FILE
from learnings.core.errors import UntrustedHistory
from learnings.core.text import BOM
from learnings.history.git.tracked import common_folder, folders_around

if TYPE_CHECKING:
    from learnings.history.git.repository import Repository

_FILTER, _ENCODING = "filter", "working-tree-encoding"


class Attributes(NamedTuple):
    """The filter that git runs on a file, and the encoding of the file on disk; "" for none."""

    filter: str = ""
    encoding: str = ""


NONE = Attributes()


def attributes_of(top: Path, paths: Iterable[str]) -> Mapping[str, Attributes]:
    """Return the attributes of POSIX paths from the top folder, without paths that have none."""
    asked = [*paths]
    if not _are_mentioned(top, asked):
        return {}
    from learnings.history.git import process  # noqa: PLC0415  (starts git)

    command = ["check-attr", "-z", "--stdin", _FILTER, _ENCODING]
    try:
        printed = process.run_with(
            command, top, data=b"".join(os.fsencode(path) + b"\0" for path in asked)
        )
        configured = _configured_filters(top) if b"\0filter\0" in printed else frozenset()
    except (process.GitFailed, UntrustedHistory):  # no repository, or no git
        return {}
    found: dict[str, Attributes] = {}
    fields = os.fsdecode(printed).split("\0")
    for path, name, value in zip(fields[0::3], fields[1::3], fields[2::3], strict=False):
        if name == _ENCODING and value not in ("unspecified", "set", "unset"):
            found[path] = found.get(path, NONE)._replace(encoding=value)
        if name == _FILTER and value in configured:
            found[path] = found.get(path, NONE)._replace(filter=value)
    return found


def _are_mentioned(top: Path, paths: Iterable[str]) -> bool:
    """Return True if a file of attributes may set one of them for a path."""
    folders = {"", *folders_around(paths)}
    files = [top / folder / ".gitattributes" for folder in folders]
    return any(map(_mentions, [*files, common_folder(top) / "info" / "attributes"]))


def _mentions(file: Path) -> bool:
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return False
    except OSError:
        return True  # then git must decide
    return any(word in data for word in (b"filter", b"working-tree-encoding", b"[attr]"))


def _configured_filters(top: Path) -> frozenset[str]:
    """Return the names of the filters that this clone runs; git ignores the others."""
    from learnings.history.git.repository import output_of  # noqa: PLC0415  (as above)

    keys = output_of(top, "config", "-z", "--name-only", "--get-regexp", r"^filter\..+\.")
    parts = (key.removeprefix("filter.").rpartition(".") for key in keys.split("\0"))
    return frozenset(name for name, _, key in parts if key in ("clean", "smudge", "process"))


def disk_text(top: Path, path: str, data: bytes) -> bytes:
    """Return the bytes of a file on disk in UTF-8, as git stores them; path is POSIX from the top.

    Bytes that do not have the encoding of the attributes are returned unchanged.
    """
    attributes = attributes_of(top, [path]).get(path)
    return decoded(data, attributes.encoding) if attributes and attributes.encoding else data


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
    printed = repository.run_with(asked, "cat-file", "--filters", f"--batch={mark}")
    _, *contents = printed.split(f"{mark}\n".encode("ascii"))
    rows = zip(blobs, contents, strict=True)
    return {path: data[: min(len(data) - 1, LARGEST_FILE + 1)] for path, data in rows}
